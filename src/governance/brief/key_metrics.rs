//! The brief's metrics, by the names that the Overseer uses (loop governance, section 8.2).

use super::Snapshot;
use crate::contract::table::{Family, contracts};
use crate::execution::runners::ATTEMPT;
use crate::execution::trail::short;
use crate::governance::execution_metrics::brief_metric;
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

/// The brief's numbers of controlled results: the name behind `security_controlled_`, Security's breakdown, and its word.
const CONTROLLED: [(&str, &str, &str); 13] = [
    ("execution_rejected", "result_statuses", "rejected"),
    ("execution_skipped", "result_statuses", "skipped"),
    ("execution_executed", "result_statuses", "executed"),
    ("execution_not_implemented", "result_reasons", "controlled_execution_not_implemented"),
    ("command_parse_valid", "command_parse_valid", "true"),
    ("command_parse_allowlisted", "command_parse_allowlist_matched", "true"),
    ("command_parse_execution_performed", "command_parse_execution_performed", "true"),
    ("execution_gate_blocked", "gate_statuses", "blocked"),
    ("execution_gate_would_execute", "gate_would_execute", "true"),
    ("execution_gate_execution_performed", "gate_execution_performed", "true"),
    ("mock_execution_executed", "mock_statuses", "mock_executed"),
    ("mock_execution_performed", "mock_performed", "true"),
    ("mock_execution_subprocess_invoked", "mock_subprocess_invoked", "true"),
];

/// What records of guarded execution recommend, so far as a brief repeats it.
pub(super) const NEXT_ACTIONS: [&str; 8] = [
    "investigate_failed_read_only_evidence_check",
    "review_replay_evidence_repair_plan",
    "review_repair_action_bundle",
    "prepare_repair_execution_approval_scaffold",
    "prepare_repair_execution_final_gate",
    "prepare_repair_execution_dry_run_envelope",
    "run_post_repair_evidence_check",
    "close_repair_loop",
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
        metrics.execution(snapshot);
        for (name, breakdown, of) in WORDS {
            let count = metrics.said(breakdown, of);
            metrics.set(name, count);
        }
        metrics
    }

    /// What there is of guarded execution: nothing of a type without a record.
    fn execution(&mut self, snapshot: &Snapshot<'_>) {
        let by_type = snapshot.security.get("security_validation_record_type_counts");
        for contract in contracts().all().filter(|contract| contract.family == Family::Execution) {
            let count = word(by_type, &contract.record_type);
            if count > 0 && contract.record_type != ATTEMPT {
                self.set(&brief_metric(short(&contract.record_type)), count);
            }
        }
        if self.count("security_controlled_execution_results") > 0 {
            for (name, metric, of) in CONTROLLED {
                let count = word(snapshot.security.get(&format!("security_validation_controlled_execution_{metric}")), of);
                self.set(&format!("security_controlled_{name}"), count);
            }
            for (name, count) in [("supported", 0), ("runnable", 0), ("subprocess_supported", 0), ("requires_explicit_pr", 1)] {
                self.set(&format!("security_real_adapter_{name}"), count);
            }
        }
        let next = snapshot.security.get("security_validation_recommended_next_actions");
        for action in NEXT_ACTIONS {
            let count = word(next, action);
            if count > 0 {
                self.set(&format!("security_recommended_{action}"), count);
            }
        }
    }

    fn set(&mut self, name: &str, count: u64) {
        self.0.insert(name.to_owned(), count.into());
    }

    /// The counts of guarded execution, as `key=value`, without what is common to the keys.
    pub(super) fn execution_counts(&self) -> Vec<String> {
        let names = ["security_controlled_", "security_mock_", "security_real_", "security_guarded_", "security_post_repair_"];
        let of = |name: &String| names.iter().any(|prefix| name.starts_with(prefix));
        let counts = self.0.iter().filter(|(name, _)| of(name));
        counts.map(|(name, count)| format!("{}={count}", name.trim_start_matches("security_"))).collect()
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
