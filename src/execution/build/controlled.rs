//! The controlled result of a rendered command: every question asked, and nothing run.
//!
//! It is rejected whatever is asked for: flags are an operator's intent, not a permission. A mock is
//! attached when it is asked for and nothing speaks against it; the mock runs nothing either.

use super::{is_true, made};
use crate::contract::allowlist::{self, MODULE};
use crate::contract::table::contracts;
use crate::ledger::Record;
use serde_json::{Map, Value as Json, json};

/// The type of a controlled result.
pub const CONTROLLED: &str = "replay_lifecycle_retry_controlled_execution_result";

/// The least readiness score of a run; nothing has one today.
const MIN_READINESS_SCORE: u64 = 100;

/// What was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Intent {
    /// An operator allows a controlled execution.
    pub operator_authorized: bool,
    /// A mock should run.
    pub mock: bool,
    /// A real execution is asked for: recorded, and refused. It wins over the mock.
    pub real: bool,
}

/// The result of `rendered`, published by `source`.
pub fn controlled(rendered: &Record, intent: Intent, source: &str) -> Record {
    let contract = &contracts().of_type(CONTROLLED)[0];
    let mut record = made::start(contract, rendered);
    for field in ["approval_id", "timeout_profile", "decision_mode", "command"] {
        let said = rendered.linked(field);
        if !said.is_empty() {
            record.set(field, said);
        }
    }
    let parse = parsed(&rendered.text("command"));
    let reason = if intent.real { "real_execution_not_supported" } else { "controlled_execution_not_implemented" };
    record = record
        .with("status", "rejected")
        .with("reason", reason)
        .with("execution_enabled", rendered.is_set("execution_enabled"))
        .with("executed", false)
        .with("operator_authorized", intent.operator_authorized)
        .with("allowlist_matched", parse["allowlist_matched"].clone())
        .with("readiness_score", 0)
        .with("command_parse", parse)
        .with("real_execution_requested", intent.real)
        .with("real_execution_performed", false)
        .with("real_execution_supported", false)
        .with("subprocess_invoked", false);
    let gate = gate(&record);
    record.set("gate_evaluation", gate);
    // The id is part of what the mock's adapter says.
    let record = made::seal(contract, record, source);
    if !intent.mock || intent.real {
        return record;
    }
    let mock = mock(&record);
    let mut members = record.members().clone();
    members.remove("payload");
    made::seal(contract, Record::from_map(members).with("mock_execution", mock), source)
}

/// What the allowlist says of a command.
fn parsed(command: &str) -> Json {
    let parsed = allowlist::parse(command);
    let args = parsed.command.as_ref().map(|command| {
        let args = [
            ("scenario_id", Some(&command.scenario_id)),
            ("action", command.action.as_ref()),
            ("directive_id", Some(&command.directive_id)),
            ("timeout_profile", Some(&command.timeout_profile)),
            ("db_path", command.db_path.as_ref()),
        ];
        args.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Json::from(value?.as_str())))).collect::<Map<_, _>>()
    });
    json!({
        "type": "controlled_retry_command_parse_result",
        "valid": parsed.accepted(),
        "allowlist_matched": parsed.accepted(),
        "reasons": parsed.reasons,
        "argv": parsed.argv,
        "module": if parsed.accepted() { MODULE } else { "" },
        "args": args.unwrap_or_default(),
        "execution_performed": false,
    })
}

/// The gate of a result: why nothing runs, and whether only what is missing today stands in the way.
fn gate(result: &Record) -> Json {
    let parse = |field: &str| is_true(result, &format!("command_parse.{field}"));
    let performed = result.is_set("command_parse.execution_performed");
    let score = result.get("readiness_score").and_then(Json::as_u64).unwrap_or_default();
    let holds = [
        (result.text("status") != "rejected", "controlled_result_not_rejected"),
        (result.text("reason") != "controlled_execution_not_implemented", "controlled_result_reason_not_not_implemented"),
        (!is_true(result, "operator_authorized"), "operator_authorization_missing"),
        (!is_true(result, "allowlist_matched"), "allowlist_not_matched"),
        (!parse("valid"), "command_parse_invalid"),
        (!parse("allowlist_matched"), "command_parse_allowlist_not_matched"),
        (performed, "command_parse_already_performed_execution"),
        (result.is_set("executed"), "payload_already_executed"),
        (result.is_set("execution_enabled"), "rendered_execution_enabled_not_supported_yet"),
        (score < MIN_READINESS_SCORE, "readiness_score_below_threshold"),
    ];
    let mut reasons: Vec<_> = holds.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect();
    let if_enabled = reasons.is_empty();
    reasons.extend(["controlled_execution_not_enabled", "controlled_execution_implementation_not_enabled"]);
    json!({
        "type": "controlled_retry_execution_gate_evaluation",
        "gate_status": "blocked",
        "would_execute": false,
        "would_execute_if_enabled": if_enabled,
        "reasons": reasons,
        "controlled_execution_enabled": false,
        "implementation_enabled": false,
        "operator_authorized": result.get("operator_authorized"),
        "allowlist_matched": result.get("allowlist_matched"),
        "command_parse_valid": parse("valid"),
        "command_parse_allowlist_matched": parse("allowlist_matched"),
        "command_parse_execution_performed": performed,
        "payload_executed": result.is_set("executed"),
        "execution_enabled": result.is_set("execution_enabled"),
        "readiness_score": score,
        "min_readiness_score": MIN_READINESS_SCORE,
        "execution_performed": false,
    })
}

/// Why there is no adapter of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AdapterError {
    /// The real adapter waits for a change of its own.
    #[error("controlled_retry_real_execution_adapter_not_supported")]
    RealNotSupported,
    /// Nobody knows the name.
    #[error("controlled_retry_execution_adapter_unknown")]
    Unknown,
}

/// What the adapter of this name answers for a controlled result; it runs nothing.
///
/// # Errors
/// It is no mock: there is no other adapter, and nothing is answered.
pub fn adapter_result(name: &str, result: &Record) -> Result<Json, AdapterError> {
    match name.trim().to_lowercase().as_str() {
        "mock" => Ok(json!({
            "type": "controlled_retry_execution_adapter_result",
            "adapter": "mock",
            "mode": "mock",
            "status": "mock_executed",
            "reason": "mock_execution_completed",
            "controlled_execution_result_id": result.text("controlled_execution_result_id"),
            "rendered_command_id": result.text("rendered_command_id"),
            "timeout_profile": result.text("timeout_profile"),
            "subprocess_invoked": false,
            "real_execution_enabled": false,
            "exit_code": 0,
            "stdout": MOCK_OUTPUT,
            "stderr": "",
            "payload": {"executed": false},
        })),
        "real" => Err(AdapterError::RealNotSupported),
        _ => Err(AdapterError::Unknown),
    }
}

const MOCK_OUTPUT: &str = "mock controlled retry execution";

/// The mock envelope of a controlled result.
fn mock(result: &Record) -> Json {
    let parse = |field: &str| is_true(result, &format!("command_parse.{field}"));
    let gate_there = result.get("gate_evaluation").is_some_and(Json::is_object);
    let holds = [
        (result.is_set("real_execution_requested"), "real_execution_must_remain_disabled"),
        (result.text("status") != "rejected", "controlled_result_not_rejected"),
        (result.text("reason") != "controlled_execution_not_implemented", "controlled_result_reason_not_not_implemented"),
        (result.is_set("payload.executed"), "payload_already_executed"),
        (!parse("valid"), "command_parse_invalid"),
        (!parse("allowlist_matched"), "command_parse_allowlist_not_matched"),
        (result.is_set("command_parse.execution_performed"), "command_parse_already_performed_execution"),
        (!gate_there, "missing_gate_evaluation"),
        (result.is_set("gate_evaluation.would_execute"), "gate_would_execute_must_remain_false"),
        (result.is_set("gate_evaluation.execution_performed"), "gate_already_performed_execution"),
        (!is_true(result, "operator_authorized"), "operator_authorization_missing"),
        (!is_true(result, "allowlist_matched"), "allowlist_not_matched"),
    ];
    let reasons: Vec<_> = holds.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect();
    let adapter = if reasons.is_empty() { adapter_result("mock", result).ok() } else { None };
    let performed = adapter.is_some();
    let word = |yes: &str, no: &str| if performed { yes.to_owned() } else { no.to_owned() };
    json!({
        "type": "controlled_retry_mock_execution",
        "status": word("mock_executed", "blocked"),
        "reason": word("mock_execution_completed", "mock_execution_blocked"),
        "mock_execution": {
            "performed": performed,
            "adapter": "mock",
            "subprocess_invoked": false,
            "exit_code": performed.then_some(0),
            "stdout": word(MOCK_OUTPUT, ""),
            "stderr": "",
            "reasons": reasons,
            "adapter_result": adapter.unwrap_or_else(|| json!({})),
        },
        "payload": {"executed": false, "mock_executed": performed},
    })
}
