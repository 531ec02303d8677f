//! Dry-run envelopes: what would be started, or repaired, spelled out and not done.

use super::{From, Made, texts};
use crate::contract::allowlist;
use crate::execution::start::ALLOWED_KEYS;
use crate::ledger::Record;
use serde_json::json;

/// The words of the governed command, and the names of the environment's keys that a child would see.
pub(super) fn dry_run(from: &From<'_>, record: Record) -> Made {
    let parsed = allowlist::parse(&record.text("command"));
    if !parsed.accepted() {
        return Err(parsed.reasons);
    }
    let present: Vec<_> = from.term("env_keys", "").split(',').map(str::trim).collect();
    let keys: Vec<_> = ALLOWED_KEYS.into_iter().filter(|key| present.contains(key)).collect();
    Ok(record.with("argv", parsed.argv).with("env_keys", keys))
}

/// The targets of the bundle, and a report that nothing was applied.
pub(super) fn repair(from: &From<'_>, record: Record) -> Made {
    // The final gate names the bundle, and not its targets.
    let bundle = from.ancestor("real_execution_read_only_repair_action_bundle");
    let targets = bundle.map(|bundle| texts(bundle, "bundle_targets")).unwrap_or_default();
    let ready = from.parent.text("gate_status") == "ready_blocked";
    let mode = record.text("repair_dry_run_mode");
    let report = json!({
        "mode": mode,
        "target_count": targets.len(),
        "targets": targets,
        "applies_changes": false,
        "invokes_subprocess": false,
        "executes_bundle": false,
    });
    Ok(record
        .with("source_final_gate_ready_blocked", ready)
        .with("repair_dry_run_target_count", targets.len())
        .with("repair_dry_run_targets", targets)
        .with("repair_dry_run_report", report))
}
