//! The brief in plain sentences: each count that is not zero, with its breakdown as `key=value`.

use super::KeyMetrics;
use crate::governance::execution_metrics::ATTEMPTS_LEFT_OPEN;
use crate::governance::soundness::Soundness;
use serde_json::Value as Json;

/// A sentence: the count it is about, how it begins, and what it breaks down.
type Sentence = (&'static str, &'static str, &'static [Part]);

enum Part {
    /// A word of a breakdown, zero included.
    Word(&'static str, &'static str),
    /// What else a breakdown has.
    Rest(&'static str, &'static [&'static str]),
    /// Another count.
    Count(&'static str, &'static str),
}

use Part::{Count, Rest, Word};

const SENTENCES: [Sentence; 15] = [
    (
        "memory_runtime_evidence_records",
        "Runtime evidence records in memory",
        &[
            Count("gold", "memory_runtime_evidence_gold_candidates"),
            Count("review", "memory_runtime_evidence_review_candidates"),
            Count("alert", "memory_runtime_evidence_alert_candidates"),
        ],
    ),
    (
        "memory_replay_execution_evidence_records",
        "Replay execution evidence records in memory",
        &[Count("passed", "memory_replay_execution_evidence_passed"), Count("failed", "memory_replay_execution_evidence_failed")],
    ),
    ("memory_gold_candidates", "Gold candidates in memory", &[]),
    ("memory_alert_candidates", "Alert candidates in memory", &[]),
    (
        "security_validation_records",
        "Records looked at by Security",
        &[Count("invalid", "security_validation_invalid_records"), Count("critical", "security_validation_critical_records")],
    ),
    (
        "simulation_replay_scenarios",
        "Replay scenarios",
        &[
            Count("pending", "simulation_replay_pending"),
            Count("completed", "simulation_replay_completed"),
            Count("failed", "simulation_replay_failed"),
        ],
    ),
    (
        "simulation_replay_executions",
        "Replay executions",
        &[Count("completed", "simulation_replay_execution_completed"), Count("failed", "simulation_replay_execution_failed")],
    ),
    ("security_replay_lifecycle_results", "Replay lifecycle results", &[Count("timeouts", "security_replay_lifecycle_timeouts")]),
    ("security_retry_proposals", "Retry proposals", &[]),
    (
        "security_retry_approvals",
        "Retry approvals",
        &[
            Word("security_retry_approval_decision_modes", "manual"),
            Word("security_retry_approval_decision_modes", "policy"),
            Rest("security_retry_approval_decision_modes", &["manual", "policy"]),
        ],
    ),
    ("security_retry_execution_plans", "Retry execution plans", &[]),
    (
        "security_retry_rendered_commands",
        "Rendered retry commands",
        &[
            Word("security_retry_rendered_command_profiles", "standard"),
            Word("security_retry_rendered_command_profiles", "patient"),
            Rest("security_retry_rendered_command_profiles", &["standard", "patient"]),
            Rest("security_retry_rendered_command_decision_modes", &[]),
        ],
    ),
    (
        "security_retry_rendered_command_results",
        "Rendered retry command results",
        &[
            Word("security_retry_rendered_command_result_statuses", "skipped"),
            Word("security_retry_rendered_command_result_statuses", "rejected"),
            Rest("security_retry_rendered_command_result_statuses", &["skipped", "rejected"]),
            Rest("security_retry_rendered_command_result_reasons", &[]),
        ],
    ),
    (
        "security_retry_execution_eligibilities",
        "Retry execution eligibilities",
        &[
            Word("security_retry_execution_eligibility_statuses", "blocked"),
            Rest("security_retry_execution_eligibility_statuses", &["blocked"]),
            Rest("security_retry_execution_eligibility_reasons", &[]),
        ],
    ),
    (
        "security_retry_execution_results",
        "Retry execution results",
        &[
            Word("security_retry_execution_result_statuses", "skipped"),
            Word("security_retry_execution_result_statuses", "rejected"),
            Rest("security_retry_execution_result_statuses", &["skipped", "rejected"]),
            Rest("security_retry_execution_result_reasons", &[]),
        ],
    ),
];

/// How many further words of one breakdown a sentence names.
const NAMED: usize = 20;

/// The sentences of a brief.
pub(super) fn summary(metrics: &KeyMetrics, unsound: Option<&Soundness>, open_attempts: u64) -> String {
    let mut sentences = Vec::new();
    for (count, begins, parts) in &SENTENCES {
        let number = metrics.count(count);
        if number == 0 {
            continue;
        }
        let words: Vec<_> = parts.iter().flat_map(|part| part.words(metrics)).collect();
        let words = if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) };
        sentences.push(format!("{begins}: {number}{words}."));
    }
    let executed = metrics.execution_counts();
    if !executed.is_empty() {
        sentences.push(format!("Guarded execution: {}.", executed.join(", ")));
    }
    if metrics.count("security_real_execution_preflights") > 0 {
        sentences.push("The real execution preflight remains blocked.".to_owned());
    }
    if let Some(soundness) = unsound {
        let counts: Vec<_> = soundness.counts.iter().map(|(reason, count)| format!("{reason}={count}")).collect();
        sentences.push(format!("The retry governance chain is not sound: chain_sound=false ({}).", counts.join(", ")));
    }
    if open_attempts > 0 {
        sentences.push(format!("Something was started and nobody recorded how it ended: {ATTEMPTS_LEFT_OPEN}={open_attempts}."));
    }
    if sentences.is_empty() { "Nothing was recorded.".to_owned() } else { sentences.join(" ") }
}

impl Part {
    fn words(&self, metrics: &KeyMetrics) -> Vec<String> {
        match self {
            Count(name, metric) => vec![format!("{name}={}", metrics.count(metric))],
            Word(breakdown, word) => vec![format!("{word}={}", metrics.said(breakdown, word))],
            Rest(breakdown, but) => {
                let said = metrics.get(breakdown).and_then(Json::as_object);
                let further = said.into_iter().flatten().filter(|(word, _)| !but.contains(&word.as_str()));
                further.take(NAMED).map(|(word, count)| format!("{word}={count}")).collect()
            }
        }
    }
}
