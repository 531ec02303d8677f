//! Observability: whether Security and the brief see every stage of a trail, in 22 checks by name
//! (loop governance, section 11). It publishes nothing.

use super::brief::key_metrics::COUNTS;
use super::brief::{Brief, KeyMetrics, Snapshot, brief};
use super::terms::{CHAIN, DISABLED, NO_COMMAND, NO_COMMAND_RESULT, NOT_SUPPORTED};
use super::watch::Watched;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// A check of a trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// `passed` or `failed`.
    pub status: &'static str,
}

impl Check {
    /// A check that passed, or did not.
    pub fn new(name: impl Into<String>, passed: bool) -> Self {
        Self { name: name.into(), status: word(passed) }
    }

    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.status == "passed"
    }
}

/// `passed` or `failed`.
pub fn word(passed: bool) -> &'static str {
    if passed { "passed" } else { "failed" }
}

/// The names of the checks that failed, for one line of text.
pub fn names_of_failed(checks: &[Check]) -> String {
    let failed: Vec<_> = checks.iter().filter(|check| !check.passed()).map(|check| check.name.as_str()).collect();
    if failed.is_empty() { "none".to_owned() } else { failed.join(",") }
}

/// What the checks gave.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Observability {
    /// `retry_governance_observability_check`.
    #[serde(rename = "type")]
    pub check_type: &'static str,
    /// `passed` when all checks did.
    pub status: &'static str,
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// The filter; null without one.
    pub proposal_id: Option<String>,
    /// Records by type, as Security counts them.
    pub security_record_type_counts: Json,
    /// The brief's metrics.
    pub brief_key_metrics: KeyMetrics,
    /// The brief's sentences.
    pub brief_summary: String,
    /// Entries that do not read. With one of them nothing is observed to the end, and the status is failed.
    pub unreadable_records: u64,
}

/// The checks of a watched trail.
pub fn observe(watched: &Watched, proposal_id: Option<&str>) -> Observability {
    let brief = brief_of(watched);
    let metrics = &brief.key_metrics;
    let mut checks = Vec::new();
    for record_type in CHAIN {
        checks.push(Check::new(format!("security_observes_{record_type}"), watched.heartbeat.record_types.of(record_type) > 0));
        let (_, metric) = COUNTS.iter().find(|(of, _)| *of == record_type).expect("each type has its count metric");
        checks.push(Check::new(format!("brief_surfaces_{metric}"), metrics.count(metric) > 0));
    }
    for (name, breakdown, words) in BREAKDOWNS {
        checks.push(Check::new(name, words.iter().any(|word| metrics.said(breakdown, word) > 0)));
    }
    Observability {
        check_type: "retry_governance_observability_check",
        status: word(watched.unreadable == 0 && checks.iter().all(Check::passed)),
        checks,
        proposal_id: proposal_id.map(str::to_owned),
        security_record_type_counts: serde_json::to_value(&watched.heartbeat.record_types).expect("counts are JSON"),
        unreadable_records: watched.unreadable,
        brief_summary: brief.summary,
        brief_key_metrics: brief.key_metrics,
    }
}

/// The breakdowns that a brief must surface: one of the words at least once.
const BREAKDOWNS: [(&str, &str, &[&str]); 8] = [
    ("brief_surfaces_retry_rendered_command_profile_breakdown", "security_retry_rendered_command_profiles", &["standard", "patient"]),
    ("brief_surfaces_retry_execution_skipped", "security_retry_execution_result_statuses", &["skipped"]),
    (
        "brief_surfaces_retry_rendered_command_result_status_breakdown",
        "security_retry_rendered_command_result_statuses",
        &["skipped", "rejected"],
    ),
    (
        "brief_surfaces_retry_rendered_command_result_reason_breakdown",
        "security_retry_rendered_command_result_reasons",
        &[DISABLED, NOT_SUPPORTED],
    ),
    ("brief_surfaces_retry_execution_result_status_breakdown", "security_retry_execution_result_statuses", &["skipped"]),
    ("brief_surfaces_retry_execution_result_reason_breakdown", "security_retry_execution_result_reasons", &[DISABLED]),
    ("brief_surfaces_retry_execution_eligibility_status_breakdown", "security_retry_execution_eligibility_statuses", &["blocked"]),
    (
        "brief_surfaces_retry_execution_eligibility_reason_breakdown",
        "security_retry_execution_eligibility_reasons",
        &[DISABLED, NOT_SUPPORTED, NO_COMMAND_RESULT, NO_COMMAND],
    ),
];

/// The brief of a snapshot with one Security and one Overseer node and nothing else.
pub fn brief_of(watched: &Watched) -> Brief {
    let security = match watched.heartbeat.finish() {
        Json::Object(metrics) => metrics,
        _ => Map::new(),
    };
    let nothing = Map::new();
    let snapshot = Snapshot {
        security: &security,
        simulation: &nothing,
        memory: &nothing,
        degraded: false,
        soundness: Some(&watched.soundness),
        open_attempts: watched.heartbeat.execution.open_attempts(),
        evidence_ids: &[],
    };
    brief(&snapshot, "observability", 0.0)
}

impl Observability {
    /// Whether all checks passed, and everything was read.
    pub fn passed(&self) -> bool {
        self.status == "passed"
    }

    /// The checks for people, on one line.
    pub fn to_text(&self) -> String {
        let failed = self.checks.iter().filter(|check| !check.passed()).count();
        let names = names_of_failed(&self.checks);
        let unreadable = match self.unreadable_records {
            0 => String::new(),
            entries => format!(" unreadable_records={entries}"),
        };
        format!(
            "Retry governance observability: status={} checks={} failed={failed} failed_checks={names}{unreadable}\n",
            self.status,
            self.checks.len()
        )
    }
}
