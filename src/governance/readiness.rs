//! Readiness of the controlled runner: sixteen checks over a trail, and a score (loop governance, 13).
//!
//! A ready trail enables nothing: `controlled_execution_enabled` stays false whatever the score.

use super::counter::Counter;
use super::observe::{Check, Observability, names_of_failed, observe, word};
use super::watch::{Watch, Watched};
use crate::contract::table::contracts;
use crate::contract::trail::Filters;
use crate::json::Value;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the checks gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Readiness {
    /// `retry_controlled_runner_readiness`.
    #[serde(rename = "type")]
    pub readiness_type: &'static str,
    /// `passed` when all checks did.
    pub status: &'static str,
    /// Hundredths of the checks that passed, rounded, halves to the even neighbour.
    #[serde(rename = "readiness_score")]
    pub score: u32,
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// The checks that failed, in order.
    #[serde(rename = "failed_checks")]
    pub failed: Vec<String>,
    /// Whether no stage is missing.
    pub chain_complete: bool,
    /// `passed` or `failed`.
    pub observability_status: &'static str,
    /// Always false.
    pub controlled_execution_enabled: bool,
    /// What to do next.
    pub recommendation: &'static str,
    /// What the commands for trail and observability would exit with.
    pub exit_codes: BTreeMap<&'static str, u8>,
}

/// Checks the trail of a proposal, or of everything.
pub fn readiness(records: &[Value<'_>], proposal_id: Option<&str>) -> Readiness {
    let mut watch = Watch::new(Filters { proposal_id, ..Filters::default() });
    records.iter().for_each(|record| watch.add(record));
    of_watched(&watch.finish(), proposal_id)
}

/// Checks a trail that was watched with a filter by proposal, or with none.
pub fn of_watched(watched: &Watched, proposal_id: Option<&str>) -> Readiness {
    let (summary, heartbeat) = (&watched.summary, &watched.heartbeat);
    let observability: Observability = observe(watched, proposal_id);
    let metrics = &observability.brief_key_metrics;
    let complete = summary.chain_complete;
    let mut checks = vec![Check::new("trail_chain_complete", complete)];
    for (_, stage) in contracts().stages() {
        checks.push(Check::new(format!("trail_has_{}", stage.count), summary.count(&stage.count) > 0));
    }
    // The words say that they are skipped or blocked: one at least, and no other status beside it.
    let only = |breakdown: &str, word: &str| summary.breakdowns.get(breakdown).is_some_and(|counts: &Counter| counts.is_only(word));
    checks.extend([
        Check::new("rendered_command_result_is_skipped", only("rendered_command_result_statuses", "skipped")),
        Check::new("execution_eligibility_is_blocked", only("eligibility_statuses", "blocked")),
        Check::new("execution_result_is_skipped", only("result_statuses", "skipped")),
        Check::new("observability_passed", observability.passed()),
        Check::new("brief_surfaces_rendered_command_result", metrics.count("security_retry_rendered_command_results") > 0),
        Check::new("brief_surfaces_execution_eligibility", metrics.count("security_retry_execution_eligibilities") > 0),
        Check::new("brief_surfaces_execution_blocked", metrics.count("security_retry_execution_blocked") > 0),
        Check::new("no_security_validation_failures", heartbeat.invalid == 0 && heartbeat.critical == 0 && watched.unreadable == 0),
    ]);
    let failed: Vec<_> = checks.iter().filter(|check| !check.passed()).map(|check| check.name.clone()).collect();
    let ready = failed.is_empty();
    Readiness {
        readiness_type: "retry_controlled_runner_readiness",
        status: word(ready),
        score: percent(checks.len() - failed.len(), checks.len()),
        checks,
        failed,
        chain_complete: complete,
        observability_status: observability.status,
        controlled_execution_enabled: false,
        recommendation: if ready { "ready_for_controlled_runner_design" } else { "complete_safe_retry_governance_baseline_first" },
        exit_codes: BTreeMap::from([("trail", u8::from(!complete)), ("observability", u8::from(!observability.passed()))]),
    }
}

/// `100 * part / whole`, rounded, halves to the even neighbour.
fn percent(part: usize, whole: usize) -> u32 {
    (100.0 * part as f64 / whole as f64).round_ties_even() as u32
}

impl Readiness {
    /// Whether all checks passed.
    pub fn passed(&self) -> bool {
        self.failed.is_empty()
    }

    /// The report for people, on one line.
    pub fn to_text(&self) -> String {
        format!(
            "Retry controlled runner readiness: status={} readiness_score={} chain_complete={} observability={} \
             controlled_execution_enabled={} failed_checks={} recommendation={}\n",
            self.status,
            self.score,
            self.chain_complete,
            self.observability_status,
            self.controlled_execution_enabled,
            names_of_failed(&self.checks),
            self.recommendation
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_to_the_even_neighbour() {
        assert_eq!([2, 6, 10, 14, 16].map(|passed| percent(passed, 16)), [12, 38, 62, 88, 100]);
    }

    #[test]
    fn an_empty_ledger_scores_for_having_nothing_invalid() {
        let empty = readiness(&[], None);
        assert_eq!(empty.score, 6);
        assert_eq!(empty.failed.len(), 15);
        assert!(!empty.passed());
    }
}
