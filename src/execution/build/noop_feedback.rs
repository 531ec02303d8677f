//! Feedback on the repair noop: whether the path may go on.

use super::{From, Made, is_true, texts};
use crate::ledger::Record;
use serde_json::Value as Json;

pub(super) fn noop_feedback(from: &From<'_>, record: Record) -> Made {
    let noop = from.parent;
    let envelope = from.ancestor("real_execution_repair_dry_run_envelope");
    let targets = envelope.map(|envelope| texts(envelope, "repair_dry_run_targets")).unwrap_or_default();
    let verified = noop.text("repair_noop_status") == "completed"
        && noop.get("exit_code").and_then(Json::as_i64) == Some(0)
        && is_true(noop, "noop_stdout_marker_observed")
        && is_true(noop, "noop_only")
        && !targets.is_empty()
        && noop.get("source_repair_dry_run_target_count").and_then(Json::as_u64) == Some(targets.len() as u64);
    let (status, next) = if verified {
        ("actionable", "prepare_repair_execution_readiness_gate")
    } else {
        ("blocked", "investigate_repair_noop_feedback_blocker")
    };
    Ok(record
        .with("feedback_status", status)
        .with("recommended_next_action", next)
        .with("repair_noop_verified", verified)
        .with("repair_path_can_proceed", verified)
        .with("repair_path_next_gate_allowed", verified)
        .with("source_repair_dry_run_targets", targets))
}
