//! Gates: what was asked of the record before, what failed of it, and why the gate is shut all the same.

use super::{From, Made, is_true, texts};
use crate::contract::allowlist::MODULE;
use crate::governance::terms::RENDERED;
use crate::ledger::Record;
use serde_json::Value as Json;

/// The final gate of the real path copies the command.
pub(super) fn real_final(from: &From<'_>, record: Record) -> Made {
    let command = from.trail.named_by(from.parent, RENDERED).map(|rendered| rendered.text("command")).unwrap_or_default();
    if command.is_empty() {
        return Err(vec!["missing_command".to_owned()]);
    }
    Ok(record.with("command", command))
}

/// The reason of a gate, followed by what failed.
fn shut(record: Record, reason: &str, failures: &[&str]) -> Record {
    let reasons: Vec<_> = std::iter::once(reason).chain(failures.iter().copied()).collect();
    record.with("reason", reason).with("blocking_reasons", reasons).with("precondition_failures", failures)
}

/// The names of the questions answered no.
fn failed<const N: usize>(asked: [(bool, &'static str); N]) -> Vec<&'static str> {
    asked.into_iter().filter(|(holds, _)| !holds).map(|(_, name)| name).collect()
}

fn has_argv(record: &Record) -> bool {
    !texts(record, "read_only_argv").is_empty()
}

pub(super) fn read_only_final(from: &From<'_>, record: Record) -> Made {
    let said = from.parent;
    let failures = failed([
        (said.text("promotion_status") == "promoted", "read_only_promotion_not_promoted"),
        (is_true(said, "read_only_candidate"), "read_only_candidate_not_observed"),
        (is_true(said, "command_parse_valid"), "read_only_command_parse_not_valid"),
        (is_true(said, "stdout_marker_observed"), "noop_stdout_marker_not_observed"),
        (said.get("noop_exit_code").and_then(Json::as_i64) == Some(0), "noop_exit_code_not_zero"),
        (is_true(said, "noop_only"), "noop_only_source_not_observed"),
        (!said.is_set("rendered_command_executed"), "promotion_executed_rendered_command"),
        (!said.is_set("dry_run_envelope_command_executed"), "promotion_executed_dry_run_command"),
        (!said.is_set("real_execution_enabled"), "promotion_enabled_real_execution"),
        (!said.is_set("subprocess_invoked"), "promotion_invoked_subprocess"),
        (!said.is_set("execution_performed"), "promotion_performed_execution"),
        (said.text("read_only_module") == MODULE, "read_only_module_not_allowlisted"),
        (has_argv(said), "read_only_argv_not_observed"),
    ]);
    let record = record.with("promotion_preconditions_satisfied", failures.is_empty());
    Ok(shut(record, "read_only_execution_requires_separate_pr", &failures))
}

pub(super) fn read_only_readiness(from: &From<'_>, record: Record) -> Made {
    let said = from.parent;
    let failures = failed([
        (said.text("from_status") == "pending", "read_only_transition_from_status_not_pending"),
        (said.text("to_status") == "approved", "read_only_transition_not_approved"),
        (said.text("read_only_module") == MODULE, "read_only_module_not_allowlisted"),
        (has_argv(said), "read_only_argv_not_observed"),
        (!said.is_set("read_only_execution_enabled"), "transition_enabled_read_only_execution"),
        (!said.is_set("real_execution_enabled"), "transition_enabled_real_execution"),
        (!said.is_set("subprocess_enabled"), "transition_enabled_subprocess"),
        (!said.is_set("subprocess_invoked"), "transition_invoked_subprocess"),
        (!said.is_set("execution_performed"), "transition_performed_execution"),
        (!said.is_set("rendered_command_executed"), "transition_executed_rendered_command"),
        (!said.is_set("dry_run_envelope_command_executed"), "transition_executed_dry_run_command"),
    ]);
    let ready = failures.is_empty();
    let record = record
        .with("gate_status", if ready { "ready_blocked" } else { "blocked" })
        .with("read_only_readiness_satisfied", ready)
        .with("ready_for_guarded_read_only_execution", ready);
    Ok(shut(record, "guarded_read_only_execution_requires_separate_pr", &failures))
}

pub(super) fn repair_final(from: &From<'_>, record: Record) -> Made {
    let said = from.parent;
    let failures = failed([
        (said.text("source_review_status") == "approved", "source_review_not_approved"),
        (said.text("source_bundle_status") == "assembled", "source_bundle_not_assembled"),
        (said.text("source_repair_plan_status") == "planned", "source_repair_plan_not_planned"),
    ]);
    Ok(record
        .with("gate_status", if failures.is_empty() { "ready_blocked" } else { "blocked" })
        .with("repair_preconditions_satisfied", failures.is_empty())
        .with("blocking_reasons", vec!["repair_execution_requires_dry_run_envelope_pr"])
        .with("precondition_failures", failures))
}

pub(super) fn repair_readiness(from: &From<'_>, record: Record) -> Made {
    let said = from.parent;
    let ready = said.text("feedback_status") == "actionable"
        && ["repair_noop_verified", "repair_path_can_proceed", "repair_path_next_gate_allowed"].iter().all(|field| is_true(said, field));
    Ok(record
        .with("repair_readiness_satisfied", ready)
        .with("ready_for_guarded_repair_execution", ready)
        .with("blocking_reasons", vec!["guarded_repair_execution_requires_separate_pr"]))
}
