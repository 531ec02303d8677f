//! Feedback on a read-only run: what came of it, and which of the nine markers it named.

use super::target::TARGETS;
use super::{From, Made};
use crate::ledger::Record;
use std::collections::BTreeSet;

/// How many validation reasons are repeated as hints.
const HINTED: usize = 10;

pub(super) fn feedback(from: &From<'_>, record: Record) -> Made {
    let result = from.parent;
    let status = result.text("status");
    let (feedback, next) = match status.as_str() {
        "failed" => ("actionable", "investigate_failed_read_only_evidence_check"),
        "executed" => ("successful", "promote_successful_read_only_execution_evidence"),
        "rejected" => ("blocked", "resolve_guarded_read_only_execution_rejection"),
        _ => ("unknown", "inspect_unknown_read_only_execution_result"),
    };
    Ok(record
        .with("feedback_status", feedback)
        .with("recommended_next_action", next)
        .with("failure_hints", hints(result).into_iter().collect::<Vec<_>>())
        .with("read_only_execution_was_observed", matches!(status.as_str(), "executed" | "failed"))
        .with("read_only_execution_succeeded", status == "executed")
        .with("read_only_execution_failed", status == "failed")
        .with("read_only_execution_rejected", status == "rejected"))
}

fn hints(result: &Record) -> BTreeSet<String> {
    let mut hints =
        BTreeSet::from([format!("source_status:{}", result.text("status")), format!("source_reason:{}", result.text("reason"))]);
    if let Some(code) = result.get("exit_code").and_then(serde_json::Value::as_i64) {
        hints.insert(format!("source_exit_code:{code}"));
    }
    let reasons = super::texts(result, "validation_reasons");
    if !reasons.is_empty() {
        hints.insert("validation_reasons_present".to_owned());
    }
    hints.extend(reasons.iter().take(HINTED).map(|reason| format!("validation_reason:{reason}")));
    let printed = format!("{}\n{}", result.text("stdout"), result.text("stderr")).to_lowercase();
    let named = TARGETS.iter().filter(|target| printed.contains(target.name));
    hints.extend(named.map(|target| format!("observed_marker:{}", target.name)));
    hints
}
