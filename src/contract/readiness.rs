//! Readiness of the controlled runner: sixteen checks over a trail, and a score (loop governance, 13).
//!
//! A ready trail enables nothing: `controlled_execution_enabled` stays false whatever the score.

use super::check::check;
use super::table::Severity;
use super::trail::{Filters, stages};
use super::value::text;
use crate::json::Value;
use std::collections::BTreeMap;

/// What the checks gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    /// Hundredths of the checks that passed, rounded, halves to the even neighbour.
    pub score: u32,
    /// The checks that failed, in order.
    pub failed: Vec<String>,
}

const RESULT: &str = "replay_lifecycle_retry_rendered_command_result";
const ELIGIBILITY: &str = "replay_lifecycle_retry_execution_eligibility";
const EXECUTION: &str = "replay_lifecycle_retry_execution_result";
const RENDERED: &str = "replay_lifecycle_retry_rendered_command";

/// Checks the trail of a proposal, or of everything.
pub fn readiness(records: &[Value<'_>], proposal_id: Option<&str>) -> Readiness {
    let filters = Filters { proposal_id, ..Filters::default() };
    let stages = stages(records, &filters);
    let tally = Tally::of(records, &filters);
    let order = super::table::contracts().stages();
    let mut checks = vec![("trail_chain_complete".to_owned(), stages.complete())];
    checks.extend(order.iter().map(|(_, stage)| (format!("trail_has_{}", stage.count), stages.counts[&stage.count] > 0)));
    // The words say that they are skipped or blocked: one at least, and no other status beside it.
    let only = |record_type: &str, status: &str| {
        let statuses: Vec<_> =
            tally.statuses.iter().filter(|((of, _), _)| *of == record_type).map(|((_, status), _)| status.as_str()).collect();
        statuses == [status]
    };
    let count = |key: &str| stages.counts[key] > 0;
    checks.extend([
        ("rendered_command_result_is_skipped".to_owned(), only(RESULT, "skipped")),
        ("execution_eligibility_is_blocked".to_owned(), only(ELIGIBILITY, "blocked")),
        ("execution_result_is_skipped".to_owned(), only(EXECUTION, "skipped")),
        ("observability_passed".to_owned(), stages.complete() && tally.is_observable()),
        ("brief_surfaces_rendered_command_result".to_owned(), count("rendered_command_results")),
        ("brief_surfaces_execution_eligibility".to_owned(), count("eligibilities")),
        ("brief_surfaces_execution_blocked".to_owned(), tally.has(ELIGIBILITY, &["blocked"])),
        ("no_security_validation_failures".to_owned(), tally.all_valid),
    ]);
    let passed = checks.iter().filter(|(_, passed)| *passed).count();
    let failed = checks.iter().filter(|(_, passed)| !passed).map(|(name, _)| name.clone()).collect();
    Readiness { score: percent(passed, checks.len()), failed }
}

/// `100 * part / whole`, rounded, halves to the even neighbour.
fn percent(part: usize, whole: usize) -> u32 {
    (100.0 * part as f64 / whole as f64).round_ties_even() as u32
}

/// Counts over the records of a trail, gathered in one pass.
#[derive(Default)]
struct Tally<'r> {
    statuses: BTreeMap<(&'r str, String), u64>,
    reasons: BTreeMap<(&'r str, String), u64>,
    profiled: bool,
    all_valid: bool,
}

impl<'r> Tally<'r> {
    fn of(records: &'r [Value<'r>], filters: &Filters<'_>) -> Self {
        let mut tally = Self { all_valid: true, ..Self::default() };
        for record in records.iter().filter(|record| filters.match_record(record)) {
            let Some(record_type) = record.get("type").and_then(Value::as_str) else { continue };
            *tally.statuses.entry((record_type, text(record.get("status")).to_lowercase())).or_default() += 1;
            *tally.reasons.entry((record_type, text(record.get("reason")).into_owned())).or_default() += 1;
            tally.profiled |= record_type == RENDERED && matches!(&*text(record.get("timeout_profile")), "standard" | "patient");
            // The scan passes over what it does not know.
            let scanned = super::check::contract_of(record).is_some_and(|contract| contract.scanned);
            let verdict = check(record);
            tally.all_valid &= !scanned || (verdict.valid && verdict.severity < Severity::Critical);
        }
        tally
    }

    fn has(&self, record_type: &str, statuses: &[&str]) -> bool {
        statuses.iter().any(|status| self.statuses.keys().any(|(of, found)| *of == record_type && found == status))
    }

    fn gives(&self, record_type: &str, reasons: &[&str]) -> bool {
        reasons.iter().any(|reason| self.reasons.keys().any(|(of, found)| *of == record_type && found == reason))
    }

    /// The breakdowns that a brief must surface, beside the counts of every stage.
    fn is_observable(&self) -> bool {
        let blocked = ["execution_disabled", "execution_not_supported", "missing_rendered_command_result", "missing_rendered_command"];
        self.profiled
            && self.has(EXECUTION, &["skipped"])
            && self.has(RESULT, &["skipped", "rejected"])
            && self.gives(RESULT, &["execution_disabled", "execution_not_supported"])
            && self.gives(EXECUTION, &["execution_disabled"])
            && self.has(ELIGIBILITY, &["blocked"])
            && self.gives(ELIGIBILITY, &blocked)
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
        assert_eq!(readiness(&[], None).score, 6);
    }
}
