//! The promotion of a noop: whether the governed command is a candidate for the read-only run.

use super::{From, Made, is_true};
use crate::contract::allowlist::{self, MODULE};
use crate::execution::harness::reply::NOOP_MARKER;
use crate::ledger::Record;
use serde_json::Value as Json;
use std::collections::BTreeSet;

pub(super) fn promotion(from: &From<'_>, record: Record) -> Made {
    let noop = from.parent;
    let envelope = from.ancestor("real_execution_dry_run_envelope");
    let command = envelope.map(|envelope| envelope.text("command")).unwrap_or_default();
    let parsed = allowlist::parse(&command);
    let marker = noop.text("stdout").contains(NOOP_MARKER);
    let holds = [
        (!is_true(noop, "noop_only"), "noop_result_not_noop_only"),
        (noop.is_set("rendered_command_executed"), "noop_executed_rendered_command"),
        (noop.is_set("dry_run_envelope_command_executed"), "noop_executed_dry_run_command"),
        (noop.is_set("real_execution_enabled"), "noop_enabled_real_execution"),
        (!is_true(noop, "subprocess_invoked"), "noop_subprocess_not_invoked"),
        (!is_true(noop, "execution_performed"), "noop_execution_not_performed"),
        (noop.get("exit_code").and_then(Json::as_i64) != Some(0), "noop_exit_code_not_zero"),
        (!marker, "noop_stdout_marker_missing"),
    ];
    let mut reasons: Vec<String> = holds.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason.to_owned()).collect();
    reasons.extend(blocks(&parsed.reasons));
    let promoted = reasons.is_empty();
    Ok(record
        .with("promotion_status", if promoted { "promoted" } else { "blocked" })
        .with("read_only_candidate", promoted)
        .with("command_parse_valid", parsed.accepted())
        .with("stdout_marker_observed", marker)
        .with("read_only_module", if parsed.accepted() { MODULE } else { "" })
        .with("read_only_argv", parsed.argv)
        .with("read_only_command", command)
        .with("reason", "real_execution_read_only_promotion_recorded")
        .with("promotion_blocking_reasons", reasons))
}

/// The allowlist's reasons as a promotion names them; each once, the further ones as parse errors.
fn blocks(reasons: &[String]) -> BTreeSet<String> {
    let named = |reason: &String| match reason.as_str() {
        "missing_command" => "missing_envelope_command".to_owned(),
        "command_too_short" | "missing_module" => "empty_command".to_owned(),
        "module_not_allowlisted" => "read_only_module_not_allowlisted".to_owned(),
        "missing_scenario_id" => "missing_required_flag:--scenario-id".to_owned(),
        "missing_directive_id" => "missing_required_flag:--directive-id".to_owned(),
        "missing_timeout_profile" => "missing_required_flag:--timeout-profile".to_owned(),
        other => format!("command_parse_error:{other}"),
    };
    reasons.iter().map(named).collect()
}
