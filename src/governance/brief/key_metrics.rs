//! The brief's metrics, by the names that the Overseer uses (loop governance, section 8.2).

use super::Snapshot;
use crate::governance::terms::{APPROVAL, ELIGIBILITY, PLAN, PROPOSAL, RENDERED, RENDERED_RESULT, RESULT, TIMED_OUT};
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// Counts and breakdowns by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct KeyMetrics(Map<String, Json>);

/// The count metric of each governance type.
pub const COUNTS: [(&str, &str); 7] = [
    (PROPOSAL, "security_retry_proposals"),
    (APPROVAL, "security_retry_approvals"),
    (PLAN, "security_retry_execution_plans"),
    (RENDERED, "security_retry_rendered_commands"),
    (RENDERED_RESULT, "security_retry_rendered_command_results"),
    (ELIGIBILITY, "security_retry_execution_eligibilities"),
    (RESULT, "security_retry_execution_results"),
];

/// Breakdowns: Security's name and the brief's, both without what they have in common.
const BREAKDOWNS: [&str; 9] = [
    "retry_approval_decision_modes",
    "retry_execution_result_statuses",
    "retry_execution_result_reasons",
    "retry_rendered_command_profiles",
    "retry_rendered_command_decision_modes",
    "retry_rendered_command_result_statuses",
    "retry_rendered_command_result_reasons",
    "retry_execution_eligibility_statuses",
    "retry_execution_eligibility_reasons",
];

/// Single words of a breakdown that have a metric of their own.
const WORDS: [(&str, &str, &str); 9] = [
    ("security_retry_manual_approvals", "security_retry_approval_decision_modes", "manual"),
    ("security_retry_policy_approvals", "security_retry_approval_decision_modes", "policy"),
    ("security_retry_execution_skipped", "security_retry_execution_result_statuses", "skipped"),
    ("security_retry_execution_rejected", "security_retry_execution_result_statuses", "rejected"),
    ("security_retry_rendered_standard_commands", "security_retry_rendered_command_profiles", "standard"),
    ("security_retry_rendered_patient_commands", "security_retry_rendered_command_profiles", "patient"),
    ("security_retry_rendered_command_skipped", "security_retry_rendered_command_result_statuses", "skipped"),
    ("security_retry_rendered_command_rejected", "security_retry_rendered_command_result_statuses", "rejected"),
    ("security_retry_execution_blocked", "security_retry_execution_eligibility_statuses", "blocked"),
];

/// Metrics of memory: the brief's name is `memory_` and this.
const MEMORY: [&str; 9] = [
    "runtime_evidence_records",
    "runtime_evidence_gold_candidates",
    "runtime_evidence_review_candidates",
    "runtime_evidence_alert_candidates",
    "replay_execution_evidence_records",
    "replay_execution_evidence_passed",
    "replay_execution_evidence_failed",
    "gold_candidates",
    "alert_candidates",
];

const SIMULATION: [&str; 7] = [
    "simulation_replay_scenarios",
    "simulation_replay_pending",
    "simulation_replay_completed",
    "simulation_replay_failed",
    "simulation_replay_executions",
    "simulation_replay_execution_completed",
    "simulation_replay_execution_failed",
];

impl KeyMetrics {
    /// The key metrics of a snapshot.
    pub fn of(snapshot: &Snapshot<'_>) -> Self {
        let mut metrics = Self::default();
        for name in MEMORY {
            metrics.set(&format!("memory_{name}"), number(snapshot.memory.get(name)));
        }
        for name in ["records", "invalid_records", "critical_records"] {
            let name = format!("security_validation_{name}");
            metrics.set(&name, number(snapshot.security.get(&name)));
        }
        for name in SIMULATION {
            metrics.set(name, number(snapshot.simulation.get(name)));
        }
        let of_type = |record_type: &str| word(snapshot.security.get("security_validation_record_type_counts"), record_type);
        metrics.set("security_replay_lifecycle_results", of_type("replay_evidence_lifecycle_result"));
        let timeouts = word(snapshot.security.get("security_validation_warning_reasons"), TIMED_OUT);
        metrics.set("security_replay_lifecycle_timeouts", timeouts);
        for (record_type, name) in COUNTS {
            metrics.set(name, of_type(record_type));
        }
        for name in BREAKDOWNS {
            let said = snapshot.security.get(&format!("security_validation_{name}"));
            let counts = said.filter(|said| said.is_object()).cloned().unwrap_or_else(|| Json::Object(Map::new()));
            metrics.0.insert(format!("security_{name}"), counts);
        }
        for (name, breakdown, of) in WORDS {
            let count = metrics.said(breakdown, of);
            metrics.set(name, count);
        }
        metrics
    }

    fn set(&mut self, name: &str, count: u64) {
        self.0.insert(name.to_owned(), count.into());
    }

    /// A metric that is a count.
    pub fn count(&self, name: &str) -> u64 {
        number(self.0.get(name))
    }

    /// How often a breakdown has a word.
    pub fn said(&self, breakdown: &str, of: &str) -> u64 {
        word(self.0.get(breakdown), of)
    }

    /// A metric as it is.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name)
    }
}

fn number(value: Option<&Json>) -> u64 {
    value.and_then(Json::as_u64).unwrap_or_default()
}

fn word(counts: Option<&Json>, of: &str) -> u64 {
    number(counts.and_then(|counts| counts.get(of)))
}
