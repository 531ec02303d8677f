//! The core of execution readiness: what the controlled results of a trail and their mock runs say.
//!
//! Thirty-four checks in a fixed order. "All" needs at least one; "none" is true of nothing.

use super::execution_readiness::{Check, Gathered};
use super::value::{at, is_set, text};
use crate::json::Value;
use serde_json::json;
use std::collections::HashSet;

/// The controlled results of a trail, what hangs on them, and their counts.
pub(super) struct Controlled<'r> {
    /// The results, each with what its nested objects say.
    results: Vec<Nested<'r>>,
    summaries: &'r [&'r Value<'r>],
    results_valid: bool,
    summaries_valid: bool,
}

/// A controlled result and its nested objects, each where it is there and not empty.
struct Nested<'r> {
    result: &'r Value<'r>,
    parse: Option<&'r Value<'r>>,
    gate: Option<&'r Value<'r>>,
    envelope: Option<&'r Value<'r>>,
    mock: Option<&'r Value<'r>>,
    adapter: Option<&'r Value<'r>>,
}

const RESULT: &str = "replay_lifecycle_retry_controlled_execution_result";
const SUMMARY: &str = "replay_lifecycle_retry_mock_execution_summary";

/// Whether a flag is set in a record or in its payload.
pub(super) fn set_anywhere(record: &Value<'_>, field: &str) -> bool {
    is_set(record.get(field)) || is_set(record.get("payload").and_then(|payload| payload.get(field)))
}

fn is_true(record: &Value<'_>, field: &str) -> bool {
    record.get(field).is_some_and(|value| value.is_bool(true))
}

fn says(record: &Value<'_>, field: &str, wanted: &str) -> bool {
    text(record.get(field)) == wanted
}

impl<'r> Nested<'r> {
    fn of(result: &'r Value<'r>) -> Self {
        let found = |path| super::condition::found(result, path);
        Self {
            result,
            parse: found("command_parse"),
            gate: found("gate_evaluation"),
            envelope: found("mock_execution"),
            mock: found("mock_execution.mock_execution"),
            adapter: found("mock_execution.mock_execution.adapter_result"),
        }
    }

    /// Whether the result says that it ran something.
    fn executed(&self) -> bool {
        says(self.result, "status", "executed") || self.payload_executed()
    }

    fn payload_executed(&self) -> bool {
        is_set(at(self.result, "payload.executed"))
    }

    fn requested(&self) -> bool {
        set_anywhere(self.result, "real_execution_requested")
    }

    /// Whether it was rejected because nothing real is supported.
    fn refused_as_unsupported(&self) -> bool {
        says(self.result, "status", "rejected") && says(self.result, "reason", "real_execution_not_supported")
    }
}

impl<'r> Controlled<'r> {
    pub(super) fn of(gathered: &'r Gathered<'r>) -> Self {
        let of_type = |record_type| gathered.of_type(record_type);
        Self {
            results: of_type(RESULT).iter().map(|result| Nested::of(result)).collect(),
            summaries: of_type(SUMMARY),
            results_valid: gathered.all_valid(RESULT),
            summaries_valid: gathered.all_valid(SUMMARY),
        }
    }

    fn count(&self, holds: impl Fn(&Nested<'r>) -> bool) -> usize {
        self.results.iter().filter(|nested| holds(nested)).count()
    }

    /// Whether it holds of every result, of which there is one.
    fn all(&self, holds: impl Fn(&Nested<'r>) -> bool) -> bool {
        !self.results.is_empty() && self.results.iter().all(holds)
    }

    /// Of how many of a nested object a flag is set.
    fn flagged(&self, object: impl Fn(&Nested<'r>) -> Option<&'r Value<'r>>, field: &str) -> usize {
        self.count(|nested| object(nested).is_some_and(|object| is_set(at(object, field))))
    }

    /// How many adapter results say this.
    fn adapters(&self, field: &str, wanted: &str) -> usize {
        self.count(|nested| nested.adapter.is_some_and(|adapter| says(adapter, field, wanted)))
    }

    /// Whether some result says that an operator authorized it.
    pub(super) fn operator_authorized(&self) -> bool {
        self.count(|nested| is_true(nested.result, "operator_authorized")) > 0
    }

    /// The numbers that the report shows, by key.
    pub(super) fn counters(&self) -> Vec<(&'static str, usize)> {
        let mock = |nested: &Nested<'r>| nested.mock;
        let adapter = |nested: &Nested<'r>| nested.adapter;
        let summaries = |holds: &dyn Fn(&Value<'_>) -> bool| self.summaries.iter().filter(|summary| holds(summary)).count();
        let set = |field: &str| self.count(|nested| set_anywhere(nested.result, field));
        vec![
            ("mock_execution_performed", self.count(|nested| nested.mock.is_some_and(|mock| is_true(mock, "performed")))),
            ("mock_subprocess_invoked", self.flagged(mock, "subprocess_invoked")),
            ("mock_execution_summary_performed", summaries(&|summary| is_true(summary, "mock_performed"))),
            ("mock_summary_subprocess_invoked", summaries(&|summary| set_anywhere(summary, "subprocess_invoked"))),
            ("adapter_mock", self.adapters("adapter", "mock")),
            ("adapter_mode_mock", self.adapters("mode", "mock")),
            ("adapter_result_mock_executed", self.adapters("status", "mock_executed")),
            ("adapter_subprocess_invoked", self.flagged(adapter, "subprocess_invoked")),
            ("adapter_real_execution_enabled", self.flagged(adapter, "real_execution_enabled")),
            ("adapter_payload_executed", self.flagged(adapter, "payload.executed")),
            ("real_execution_request_rejected", self.count(|nested| nested.requested() && nested.refused_as_unsupported())),
            ("real_execution_requested", self.count(Nested::requested)),
            ("real_execution_performed", set("real_execution_performed")),
            ("real_execution_supported_count", set("real_execution_supported")),
            ("subprocess_invoked_count", set("subprocess_invoked")),
        ]
    }

    /// The booleans that the report shows, by key.
    pub(super) fn booleans(&self) -> [(&'static str, bool); 4] {
        [
            ("mock_execution_observed", self.count(|nested| nested.envelope.is_some()) > 0),
            ("mock_execution_summary_observed", !self.summaries.is_empty()),
            ("adapter_contract_observed", self.adapter_contract_observed()),
            ("real_execution_request_observed", self.count(Nested::requested) > 0),
        ]
    }

    fn adapter_contract_observed(&self) -> bool {
        let adapters = self.count(|nested| nested.adapter.is_some());
        adapters > 0 && self.adapters("adapter", "mock") == adapters && self.adapters("mode", "mock") == adapters
    }

    fn summaries_link(&self) -> bool {
        let ids: HashSet<_> = self.results.iter().map(|nested| text(nested.result.get("controlled_execution_result_id"))).collect();
        self.summaries.iter().all(|summary| {
            let id = text(summary.get("controlled_execution_result_id"));
            let id = if id.is_empty() { text(summary.get("source_controlled_execution_result_id")) } else { id };
            !id.is_empty() && ids.contains(&id)
        })
    }

    /// The checks that the observability check of controlled results makes, in order.
    pub(super) fn observability(&self) -> Vec<Check> {
        let executed_although = |field: &str| self.count(|nested| is_set(nested.result.get(field)) && nested.payload_executed());
        let (parse, gate) = (self.parse_checks(), self.gate_checks());
        let named = |name: &str, check: &Check| Check { name: name.to_owned(), ..check.clone() };
        vec![
            Check::holds("controlled_execution_result_exists", !self.results.is_empty()),
            Check::holds("controlled_execution_result_rejected", self.all_rejected()),
            Check::holds("controlled_execution_not_implemented_reason", self.some_not_implemented()),
            Check::none("controlled_execution_payload_not_executed", self.count(Nested::payload_executed)),
            Check::none("operator_authorization_intent_does_not_execute", executed_although("operator_authorized")),
            Check::none("controlled_execution_allowlist_match_does_not_execute", executed_although("allowlist_matched")),
            Check::holds("security_validates_controlled_execution_result", !self.results.is_empty() && self.results_valid),
            named("controlled_command_parse_valid", &parse[0]),
            named("controlled_command_parse_allowlisted", &parse[1]),
            named("controlled_command_parse_did_not_execute", &parse[2]),
            named("controlled_execution_gate_blocked", &gate[0]),
            named("controlled_execution_gate_would_not_execute", &gate[1]),
            named("controlled_execution_gate_did_not_execute", &gate[2]),
            named("controlled_execution_gate_not_enabled_reason", &gate[3]),
            Check::holds("controlled_mock_execution_observation_optional", true),
            Check::none("controlled_mock_execution_did_not_invoke_subprocess", self.flagged(|nested| nested.mock, "subprocess_invoked")),
        ]
    }

    /// The observability report of controlled results.
    /// With a check beside them, where there is one.
    pub(super) fn observability_report(&self, more: Option<Check>) -> serde_json::Value {
        let mut checks = self.observability();
        checks.extend(more);
        let failed: Vec<_> = checks.iter().filter(|check| !check.passed).map(|check| check.name.clone()).collect();
        let status = |wanted: &str| self.count(|nested| says(nested.result, "status", wanted));
        let parsed = |field: &str| self.count(|nested| nested.parse.is_some_and(|parse| is_true(parse, field)));
        let not_implemented = self.count(|nested| says(nested.result, "reason", "controlled_execution_not_implemented"));
        let performed = self.flagged(|nested| nested.parse, "execution_performed");
        json!({
            "type": "controlled_retry_execution_observability",
            "status": if failed.is_empty() { "passed" } else { "failed" },
            "checks": checks,
            "failed_checks": failed,
            "controlled_execution_observed": !self.results.is_empty(),
            "controlled_execution_results": self.results.len(),
            "controlled_execution_rejected": status("rejected"),
            "controlled_execution_skipped": status("skipped"),
            "controlled_execution_executed": status("executed"),
            "controlled_execution_not_implemented": not_implemented,
            "controlled_command_parse_valid": parsed("valid"),
            "controlled_command_parse_allowlisted": parsed("allowlist_matched"),
            "controlled_command_parse_execution_performed": performed,
            "controlled_execution_operator_authorized": self.count(|nested| is_true(nested.result, "operator_authorized")),
            "controlled_execution_enabled": false,
            "brief_key_metrics": {
                "security_controlled_execution_results": self.results.len(),
                "security_controlled_execution_rejected": status("rejected"),
                "security_controlled_execution_skipped": status("skipped"),
                "security_controlled_execution_executed": status("executed"),
                "security_controlled_execution_not_implemented": not_implemented,
                "security_controlled_command_parse_valid": parsed("valid"),
                "security_controlled_command_parse_allowlisted": parsed("allowlist_matched"),
                "security_controlled_command_parse_execution_performed": performed,
            },
        })
    }

    fn all_rejected(&self) -> bool {
        self.all(|nested| says(nested.result, "status", "rejected"))
    }

    fn some_not_implemented(&self) -> bool {
        self.count(|nested| says(nested.result, "reason", "controlled_execution_not_implemented")) > 0
    }

    /// A result without a parse is one whose parse is not valid.
    fn parse_checks(&self) -> [Check; 3] {
        let all = |field: &str| self.all(|nested| nested.parse.is_some_and(|parse| is_true(parse, field)));
        [
            Check::holds("command_parse_valid", all("valid")),
            Check::holds("command_parse_allowlisted", all("allowlist_matched")),
            Check::none("command_parse_did_not_execute", self.flagged(|nested| nested.parse, "execution_performed")),
        ]
    }

    /// A result without a gate is one whose gate is not blocked.
    fn gate_checks(&self) -> [Check; 4] {
        let lists_reason = |gate: &Value<'_>| {
            let reasons = gate.get("reasons").and_then(Value::elements).unwrap_or_default();
            reasons.iter().any(|reason| reason.as_str() == Some("controlled_execution_not_enabled"))
        };
        [
            Check::holds(
                "controlled_gate_blocked",
                self.all(|nested| nested.gate.is_some_and(|gate| says(gate, "gate_status", "blocked"))),
            ),
            Check::none("controlled_gate_would_not_execute", self.flagged(|nested| nested.gate, "would_execute")),
            Check::none("controlled_gate_did_not_execute", self.flagged(|nested| nested.gate, "execution_performed")),
            Check::holds("controlled_gate_not_enabled_reason_observed", self.count(|nested| nested.gate.is_some_and(lists_reason)) > 0),
        ]
    }

    /// The core checks, in order.
    pub(super) fn checks(&self, gathered: &Gathered<'_>) -> Vec<Check> {
        let counters = self.counters();
        let counted = |key: &str| counters.iter().find(|(name, _)| *name == key).map_or(0, |(_, count)| *count);
        let adapters = self.count(|nested| nested.adapter.is_some());
        let every_adapter = |count: usize| adapters > 0 && count == adapters;
        let mut checks = vec![
            Check::holds("trail_chain_complete", gathered.chain_complete()),
            Check::holds("trail_has_controlled_execution_result", !self.results.is_empty()),
            Check::holds("controlled_result_rejected", self.all_rejected()),
            Check::holds("controlled_result_not_implemented", self.some_not_implemented()),
        ];
        checks.extend(self.parse_checks());
        checks.extend(self.gate_checks());
        checks.extend([
            Check::holds("retry_observability_passed", gathered.governance_holds()),
            Check::holds("controlled_observability_passed", self.observability().iter().all(|check| check.passed)),
            Check::none("controlled_observability_reports_no_execution", self.count(Nested::executed)),
            Check::holds("mock_execution_observed", self.count(|nested| nested.envelope.is_some()) > 0),
            Check::holds("mock_execution_performed", counted("mock_execution_performed") > 0),
            Check::none("mock_execution_did_not_invoke_subprocess", counted("mock_subprocess_invoked")),
            Check::holds("mock_execution_summary_observed", !self.summaries.is_empty()),
            Check::holds("mock_execution_summary_performed", counted("mock_execution_summary_performed") > 0),
            Check::none("mock_execution_summary_did_not_invoke_subprocess", counted("mock_summary_subprocess_invoked")),
            Check::holds("adapter_contract_observed", self.adapter_contract_observed()),
            Check::holds("adapter_is_mock", every_adapter(counted("adapter_mock"))),
            Check::holds("adapter_mode_is_mock", every_adapter(counted("adapter_mode_mock"))),
            Check::holds("adapter_result_mock_executed", every_adapter(counted("adapter_result_mock_executed"))),
            Check::none("adapter_subprocess_not_invoked", counted("adapter_subprocess_invoked")),
            Check::none("adapter_real_execution_not_enabled", counted("adapter_real_execution_enabled")),
            Check::none("adapter_payload_not_executed", counted("adapter_payload_executed")),
            Check::holds(
                "real_execution_request_rejected_if_observed",
                counted("real_execution_requested") == counted("real_execution_request_rejected"),
            ),
            Check::none("real_execution_request_did_not_execute", counted("real_execution_performed")),
            Check::none("real_execution_request_did_not_enable_support", counted("real_execution_supported_count")),
            Check::none("real_execution_request_did_not_invoke_subprocess", counted("subprocess_invoked_count")),
            Check::holds("controlled_results_valid", self.results_valid),
            Check::holds("mock_execution_summaries_valid", self.summaries_valid),
            Check::holds("mock_execution_summary_links_to_controlled_result", self.summaries_link()),
        ]);
        checks
    }
}
