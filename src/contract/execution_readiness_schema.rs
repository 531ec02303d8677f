//! The shape of a readiness report: what it must say, of which kind, and the adapter it speaks of.

use serde_json::{Map, Value, json};

/// A kind of JSON value, as reasons name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    List,
    Mapping,
    Str,
}

/// The fields that a report must have, and of which kind they are.
const REQUIRED: [(&str, Kind); 32] = [
    ("schema_version", Kind::Str),
    ("schema_kind", Kind::Str),
    ("type", Kind::Str),
    ("status", Kind::Str),
    ("ready_for_mock_execution", Kind::Bool),
    ("ready_for_real_execution", Kind::Bool),
    ("blocking_reasons", Kind::List),
    ("require_operator_authorized", Kind::Bool),
    ("mock_execution_observed", Kind::Bool),
    ("mock_execution_performed", Kind::Int),
    ("mock_subprocess_invoked", Kind::Int),
    ("mock_execution_summary_observed", Kind::Bool),
    ("mock_execution_summary_performed", Kind::Int),
    ("mock_summary_subprocess_invoked", Kind::Int),
    ("adapter_contract_observed", Kind::Bool),
    ("adapter_mock", Kind::Int),
    ("adapter_mode_mock", Kind::Int),
    ("adapter_result_mock_executed", Kind::Int),
    ("adapter_subprocess_invoked", Kind::Int),
    ("adapter_real_execution_enabled", Kind::Int),
    ("adapter_payload_executed", Kind::Int),
    ("real_execution_request_observed", Kind::Bool),
    ("real_execution_request_rejected", Kind::Int),
    ("real_execution_requested", Kind::Int),
    ("real_execution_performed", Kind::Int),
    ("real_execution_supported_count", Kind::Int),
    ("subprocess_invoked_count", Kind::Int),
    ("real_approval_latest_status", Kind::Str),
    ("real_read_only_approval_latest_status", Kind::Str),
    ("adapter_contract", Kind::Mapping),
    ("checks", Kind::List),
    ("exit_codes", Kind::Mapping),
];

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::List => "list",
            Self::Mapping => "mapping",
            Self::Str => "str",
        }
    }

    fn is_of(self, value: &Value) -> bool {
        match self {
            Self::Bool => value.is_boolean(),
            Self::Int => value.is_i64() || value.is_u64(),
            Self::List => value.is_array(),
            Self::Mapping => value.is_object(),
            Self::Str => value.is_string(),
        }
    }
}

/// The fields that schema validation demands.
pub fn required_fields() -> Vec<&'static str> {
    REQUIRED.iter().map(|(field, _)| *field).collect()
}

/// Validates the keys of a readiness report, whoever made it: `valid`, and the reasons sorted, each once.
pub fn validate(report: &Map<String, Value>) -> Value {
    let mut reasons = Vec::new();
    let says = |field: &str, wanted: &str| report.get(field).and_then(Value::as_str) == Some(wanted);
    let mut refuse = |refused: bool, reason: &str| {
        if refused {
            reasons.push(reason.to_owned());
        }
    };
    refuse(!says("schema_version", "controlled-execution-readiness/v1"), "invalid_schema_version");
    refuse(!says("schema_kind", "controlled_execution_readiness"), "invalid_schema_kind");
    refuse(!says("type", "controlled_execution_readiness_report"), "invalid_report_type");
    refuse(!says("status", "passed") && !says("status", "failed"), "invalid_status");
    let is = |field: &str, wanted: bool| report.get(field) == Some(&Value::Bool(wanted));
    refuse(!is("ready_for_real_execution", false), "ready_for_real_execution_must_remain_false");
    refuse(!is("real_adapter_supported", false), "real_adapter_supported_must_remain_false");
    refuse(!is("real_adapter_runnable", false), "real_adapter_runnable_must_remain_false");
    refuse(!is("real_adapter_requires_explicit_pr", true), "real_adapter_requires_explicit_pr_must_remain_true");
    let known = ["unknown", "pending", "approved", "rejected"];
    refuse(!known.iter().any(|status| says("real_approval_latest_status", status)), "invalid_real_approval_latest_status");
    for (field, kind) in REQUIRED {
        match report.get(field) {
            None => refuse(true, &format!("missing_required_field:{field}")),
            Some(value) => refuse(!kind.is_of(value), &format!("{field}_must_be_{}", kind.word())),
        }
    }
    reasons.sort();
    reasons.dedup();
    json!({
        "type": "controlled_execution_readiness_schema_validation",
        "valid": reasons.is_empty(),
        "reasons": reasons,
    })
}

/// What an execution adapter has to keep: there is the mock, and nothing real.
pub fn adapter_contract() -> Value {
    json!({
        "type": "controlled_retry_execution_adapter_contract",
        "schema_version": "controlled-retry-execution-adapter/v1",
        "supported_adapters": ["mock"],
        "unsupported_adapters": ["real"],
        "placeholder_adapters": ["real"],
        "real_execution_supported": false,
        "subprocess_supported": false,
        "required_invariants": {"payload_executed": false, "subprocess_invoked": false, "real_execution_enabled": false},
        "adapter_result_fields": [
            "adapter", "mode", "status", "reason", "controlled_execution_result_id", "rendered_command_id",
            "timeout_profile", "subprocess_invoked", "real_execution_enabled", "exit_code", "stdout", "stderr", "payload",
        ],
        "real_adapter_contract": {
            "name": "real",
            "mode": "real",
            "supported": false,
            "runnable": false,
            "requires_explicit_pr": true,
            "failure_reason": "controlled_retry_real_execution_adapter_not_supported",
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::execution_readiness::{ReadinessOptions, report};

    #[test]
    fn every_fault_of_a_report_has_its_reason() {
        let good = report(&[], &ReadinessOptions::default());
        assert!(good.is_well_formed(), "{}", good.keys["schema_validation"]);
        let faults = [
            ("schema_version", json!("v2"), "invalid_schema_version"),
            ("schema_kind", json!("other"), "invalid_schema_kind"),
            ("type", json!("other"), "invalid_report_type"),
            ("status", json!("ready"), "invalid_status"),
            ("ready_for_real_execution", json!(true), "ready_for_real_execution_must_remain_false"),
            ("real_adapter_supported", json!(1), "real_adapter_supported_must_remain_false"),
            ("real_adapter_runnable", json!(true), "real_adapter_runnable_must_remain_false"),
            ("real_adapter_requires_explicit_pr", json!(false), "real_adapter_requires_explicit_pr_must_remain_true"),
            ("real_approval_latest_status", json!("maybe"), "invalid_real_approval_latest_status"),
            ("adapter_contract", json!([]), "adapter_contract_must_be_mapping"),
            ("checks", json!({}), "checks_must_be_list"),
            ("exit_codes", json!(0), "exit_codes_must_be_mapping"),
            ("adapter_subprocess_invoked", json!(true), "adapter_subprocess_invoked_must_be_int"),
            ("adapter_contract_observed", json!(0), "adapter_contract_observed_must_be_bool"),
        ];
        for (field, value, reason) in faults {
            let mut report = good.keys.clone();
            report.insert(field.to_owned(), value);
            assert_eq!(validate(&report)["reasons"], json!([reason]), "{field}");
        }
        let mut report = good.keys;
        report.remove("checks");
        assert_eq!(validate(&report)["reasons"], json!(["missing_required_field:checks"]));
    }
}
