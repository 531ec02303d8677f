//! Whether a trail is the golden one: a pure function of its records.

use crate::contract::execution_readiness::{Check, ReadinessOptions, report as readiness};
use crate::contract::table::contracts;
use crate::contract::trail::linked;
use crate::contract::value::{at, is_set, text};
use crate::execution::build::target::TARGETS;
use crate::execution::trail::short;
use crate::governance::terms::CHAIN;
use crate::json::Value;
use crate::ledger::ROWS_UNREADABLE;
use serde_json::{Map, Value as Json, json};

/// The stage that the path ends with.
const LAST: &str = "replay_lifecycle_retry_post_repair_evidence_check";
const GUARDED: &str = "replay_lifecycle_retry_guarded_repair_execution_result";
const CONTROLLED: &str = "replay_lifecycle_retry_controlled_execution_result";

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Golden {
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// Every key of the report.
    pub keys: Map<String, Json>,
}

impl Golden {
    /// Whether every check passed.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.passed)
    }
}

/// Reports on the trail of a proposal. Where rows of the ledger did not read, no trail is golden.
pub fn report(records: &[Value<'_>], rows_unreadable: u64, proposal_id: &str) -> Golden {
    let of_trail: Vec<_> = records.iter().filter(|record| linked(record, "proposal_id") == proposal_id).collect();
    let of_type = |record_type: &str| -> Vec<&Value<'_>> {
        of_trail.iter().filter(|record| record.get("type").and_then(Value::as_str) == Some(record_type)).copied().collect()
    };
    let options = ReadinessOptions { proposal_id: Some(proposal_id), ..ReadinessOptions::default() };
    let ready = readiness(records, &options);
    let missing: Vec<_> = contracts()
        .stages()
        .into_iter()
        .filter(|(contract, _)| of_type(&contract.record_type).is_empty())
        .map(|(_, stage)| &stage.missing)
        .collect();
    let mut checks = vec![Check::holds("chain_complete", missing.is_empty()), Check::none("missing_stages_empty", missing.len())];
    let stages = contracts().execution_stages();
    let end = stages.iter().position(|(contract, _)| contract.record_type == LAST).map_or(0, |place| place + 1);
    let path = stages[..end].iter().map(|(contract, _)| contract.record_type.as_str());
    for record_type in CHAIN.into_iter().chain([CONTROLLED]).chain(path) {
        let found = of_type(record_type).len();
        let name = format!("required_record_type_present:{}", short(record_type));
        checks.push(Check { passed: found == 1, value: found.into(), name });
    }
    for (_, stage) in &stages[..end] {
        checks.push(Check::holds(&stage.linkage, ready.keys.get(&stage.linkage) == Some(&true.into())));
    }
    let nothing = Value::Null;
    let only = |record_type: &str| of_type(record_type).last().copied().unwrap_or(&nothing);
    let (guarded, evidence) = (only(GUARDED), only(LAST));
    checks.extend(of_guarded(guarded));
    checks.extend(of_evidence(evidence));
    if rows_unreadable > 0 {
        checks.push(Check { name: ROWS_UNREADABLE.to_owned(), passed: false, value: rows_unreadable.into() });
    }
    let failed: Vec<_> = checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str()).collect();
    let passed = failed.is_empty();
    let verified = says(evidence, "post_repair_status", "passed") && is_true(evidence, "repair_outcome_verified");
    let word = if passed { "passed" } else { "failed" };
    let summary = format!("{} of {} checks passed; nothing real is ready", checks.len() - failed.len(), checks.len());
    let keys = json!({
        "type": "controlled_retry_guarded_repair_golden_path_report",
        "schema_version": "controlled-retry-guarded-repair-golden-path/v1",
        "status": word,
        "golden_path_status": word,
        "proposal_id": proposal_id,
        "checks": checks,
        "failed_checks": failed,
        "failed_check_count": failed.len(),
        "total_check_count": checks.len(),
        "post_repair_status": if verified { "passed" } else { "not_verified" },
        "repair_outcome_verified": verified,
        "recommended_next_action": if passed { "close_repair_loop" } else { "unknown" },
        "ready_for_real_execution": false,
        "real_execution_enabled": false,
        "summary": summary,
    });
    let Json::Object(keys) = keys else { return Golden { checks, keys: Map::new() } };
    Golden { checks, keys }
}

fn says(record: &Value<'_>, field: &str, wanted: &str) -> bool {
    text(record.get(field)) == wanted
}

fn is_true(record: &Value<'_>, field: &str) -> bool {
    record.get(field).is_some_and(|value| value.is_bool(true))
}

fn is_number(record: &Value<'_>, field: &str, wanted: i64) -> bool {
    record.get(field).and_then(Value::as_number).is_some_and(|number| number.as_integer() == Some(wanted))
}

/// Whether a list names the nine targets, in any order.
fn nine(record: &Value<'_>, field: &str) -> bool {
    let items = record.get(field).and_then(Value::elements).unwrap_or_default();
    let mut named: Vec<_> = items.iter().filter_map(Value::as_str).collect();
    named.sort_unstable();
    items.len() == TARGETS.len() && named.iter().copied().eq(TARGETS.iter().map(|target| target.name))
}

/// A list that is there and empty.
fn empty(record: &Value<'_>, field: &str) -> bool {
    record.get(field).and_then(Value::elements).is_some_and(<[Value<'_>]>::is_empty)
}

fn of_guarded(guarded: &Value<'_>) -> impl Iterator<Item = Check> {
    let there = !matches!(guarded, Value::Null);
    let unset = |field: &str| there && !is_set(at(guarded, field));
    [
        ("succeeded", says(guarded, "repair_execution_status", "succeeded")),
        ("allowed", is_true(guarded, "repair_execution_allowed")),
        ("marker_observed", is_true(guarded, "guarded_repair_marker_observed")),
        ("exit_code_zero", is_number(guarded, "exit_code", 0)),
        ("target_count_9", is_number(guarded, "repair_action_target_count", 9) && nine(guarded, "source_repair_dry_run_targets")),
        ("next_action_post_evidence", says(guarded, "recommended_next_action", "run_post_repair_evidence_check")),
        ("repair_actions_executed", is_true(guarded, "repair_actions_executed")),
        ("repair_execution_enabled", is_true(guarded, "repair_execution_enabled")),
        ("did_not_enable_real_execution", unset("real_execution_enabled")),
        ("did_not_execute_rendered_command", unset("rendered_command_executed")),
        ("did_not_execute_dry_run_command", unset("dry_run_command_executed")),
    ]
    .map(|(name, passed)| Check::holds(format!("guarded_repair_execution_{name}"), passed))
    .into_iter()
}

fn of_evidence(evidence: &Value<'_>) -> impl Iterator<Item = Check> {
    let there = !matches!(evidence, Value::Null);
    let unset = |field: &str| there && !is_set(at(evidence, field));
    let both = nine(evidence, "repair_targets_expected") && nine(evidence, "repair_targets_completed");
    [
        ("passed", says(evidence, "post_repair_status", "passed")),
        ("allowed", is_true(evidence, "post_repair_evidence_check_allowed")),
        ("enabled", is_true(evidence, "post_repair_evidence_check_enabled")),
        ("marker_observed", is_true(evidence, "post_repair_evidence_marker_observed")),
        ("exit_code_zero", is_number(evidence, "post_repair_evidence_exit_code", 0)),
        ("outcome_verified", is_true(evidence, "repair_outcome_verified")),
        ("expected_count_9", is_number(evidence, "repair_targets_expected_count", 9) && both),
        ("verified_count_9", is_number(evidence, "repair_targets_verified_count", 9) && both),
        ("no_missing_targets", empty(evidence, "repair_targets_missing")),
        ("no_unexpected_targets", empty(evidence, "repair_targets_unexpected")),
        ("next_action_close_loop", says(evidence, "recommended_next_action", "close_repair_loop")),
        ("source_guarded_repair_succeeded", says(evidence, "source_guarded_repair_execution_status", "succeeded")),
        ("source_repair_execution_enabled", is_true(evidence, "source_repair_execution_enabled")),
        ("source_did_not_enable_real_execution", unset("source_real_execution_enabled")),
        ("did_not_enable_repair_execution", unset("repair_execution_enabled")),
        ("did_not_enable_real_execution", unset("real_execution_enabled")),
        ("did_not_perform_repair_execution", unset("repair_execution_performed")),
        ("did_not_invoke_repair_subprocess", unset("repair_subprocess_invoked")),
    ]
    .map(|(name, passed)| Check::holds(format!("post_repair_evidence_{name}"), passed))
    .into_iter()
}
