//! Readiness of a controlled execution: what a trail says, stage after stage, and whether a mock may run.
//!
//! A report is a pure function of records and options. Whatever it says, nothing real is ready:
//! `ready_for_real_execution` is false of every trail.

use super::check::check;
use super::execution_readiness_core::Controlled;
use super::execution_readiness_schema::{adapter_contract, required_fields, validate};
use super::execution_readiness_stages::{stage_checks, stage_keys};
use super::table::contracts;
use super::trail::linked;
use super::value::text;
use crate::json::Value;
use crate::ledger::ROWS_UNREADABLE;
use serde::Serialize;
use serde_json::{Map, json};
use std::collections::{HashMap, HashSet};

/// Of what a report is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadinessOptions<'o> {
    /// Only records of this proposal.
    pub proposal_id: Option<&'o str>,
    /// Only records of this rendered command, or of none.
    pub rendered_command_id: Option<&'o str>,
    /// Whether an operator's authorization is asked for.
    pub require_operator_authorized: bool,
    /// How many rows of the ledger did not read: any may be a record that speaks against what is reported.
    pub rows_unreadable: u64,
}

/// A check of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name, which is the blocking reason when it fails.
    pub name: String,
    /// Whether it passed.
    #[serde(rename = "status", serialize_with = "status_word")]
    pub passed: bool,
    /// What was found: the answer itself, or how many records are against it.
    pub value: serde_json::Value,
}

fn status_word<S: serde::Serializer>(passed: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *passed { "passed" } else { "failed" })
}

impl Check {
    /// A question that is answered yes.
    pub fn holds(name: impl Into<String>, passed: bool) -> Self {
        Self { name: name.into(), passed, value: passed.into() }
    }

    /// Something of which there must be none.
    pub fn none(name: impl Into<String>, found: usize) -> Self {
        Self { name: name.into(), passed: found == 0, value: found.into() }
    }
}

/// A readiness report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadinessReport {
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// Every key of the report, `checks` included.
    pub keys: Map<String, serde_json::Value>,
}

impl ReadinessReport {
    /// Whether every check passed.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.passed)
    }

    /// The names of the failed checks, in order.
    pub fn failed(&self) -> Vec<&str> {
        self.checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str()).collect()
    }

    /// Whether the report keeps its own schema, which a test rules in.
    pub fn is_well_formed(&self) -> bool {
        self.keys.get("schema_validation").and_then(|validation| validation.get("valid")) == Some(&true.into())
    }
}

/// The records that a report is of, by type, in ledger order.
pub(super) struct Gathered<'r> {
    by_type: HashMap<&'r str, Vec<&'r Value<'r>>>,
    /// The types of which some record breaks its contract.
    invalid: HashSet<&'r str>,
}

impl<'r> Gathered<'r> {
    fn of(records: &'r [Value<'r>], options: &ReadinessOptions<'_>) -> Self {
        let mut gathered = Self { by_type: HashMap::new(), invalid: HashSet::new() };
        for record in records.iter().filter(|record| options.count(record)) {
            let Some(record_type) = record.get("type").and_then(Value::as_str) else { continue };
            if contracts().of_type(record_type).is_empty() {
                continue;
            }
            gathered.by_type.entry(record_type).or_default().push(record);
            if !check(record).valid {
                gathered.invalid.insert(record_type);
            }
        }
        gathered
    }

    pub(super) fn of_type(&self, record_type: &str) -> &[&'r Value<'r>] {
        self.by_type.get(record_type).map_or(&[], Vec::as_slice)
    }

    /// Whether every record of the type keeps its contract.
    pub(super) fn all_valid(&self, record_type: &str) -> bool {
        !self.invalid.contains(record_type)
    }

    /// The governance types without a record, by the name of their stage.
    fn missing_stages(&self) -> Vec<&'static str> {
        let stages = contracts().stages().into_iter();
        stages.filter(|(contract, _)| self.of_type(&contract.record_type).is_empty()).map(|(_, stage)| stage.missing.as_str()).collect()
    }

    pub(super) fn chain_complete(&self) -> bool {
        self.missing_stages().is_empty()
    }

    /// Whether all seven governance types are there, and valid.
    pub(super) fn governance_holds(&self) -> bool {
        self.chain_complete() && contracts().stages().iter().all(|(contract, _)| self.all_valid(&contract.record_type))
    }
}

impl ReadinessOptions<'_> {
    /// The check that fails when rows did not read; where all did, there is none.
    fn rows_read(&self) -> Option<Check> {
        (self.rows_unreadable > 0).then(|| Check { name: ROWS_UNREADABLE.to_owned(), passed: false, value: self.rows_unreadable.into() })
    }

    /// Whether a record counts.
    fn count(&self, record: &Value<'_>) -> bool {
        let rendered = linked(record, "rendered_command_id");
        self.proposal_id.is_none_or(|wanted| linked(record, "proposal_id") == wanted)
            && self.rendered_command_id.is_none_or(|wanted| rendered.is_empty() || rendered == wanted)
    }

    /// Whether an attempt counts; one that names no proposal may be of this one.
    fn count_attempt(&self, record: &Value<'_>) -> bool {
        let proposal = linked(record, "proposal_id");
        let rendered = linked(record, "rendered_command_id");
        self.proposal_id.is_none_or(|wanted| proposal.is_empty() || proposal == wanted)
            && self.rendered_command_id.is_none_or(|wanted| rendered.is_empty() || rendered == wanted)
    }
}

/// The name of the check, and the reason, for a start whose end nobody recorded.
pub const ATTEMPT_LEFT_OPEN: &str = "execution_attempt_left_open";

/// How many attempts were begun and, so far as the records go, never ended; nothing when there are none at all.
pub fn open_attempts(records: &[Value<'_>], options: &ReadinessOptions<'_>) -> Option<usize> {
    let attempts = records.iter().filter(|record| record.get("type").and_then(Value::as_str) == Some("execution_attempt"));
    let mut begun: HashMap<_, usize> = HashMap::new();
    let mut seen = false;
    for attempt in attempts.filter(|attempt| options.count_attempt(attempt)) {
        seen = true;
        let open = begun.entry(text(attempt.get("execution_attempt_id"))).or_default();
        match &*text(attempt.get("phase")) {
            // An end without a beginning closes nothing that begins later.
            "after" => *open = open.saturating_sub(1),
            _ => *open += 1,
        }
    }
    seen.then(|| begun.values().sum())
}

/// The observability report of the controlled results among `records`.
pub fn controlled_observability(records: &[Value<'_>], options: &ReadinessOptions<'_>) -> serde_json::Value {
    Controlled::of(&Gathered::of(records, options)).observability_report(options.rows_read())
}

/// Reports on the readiness of `records`.
pub fn report(records: &[Value<'_>], options: &ReadinessOptions<'_>) -> ReadinessReport {
    let gathered = Gathered::of(records, options);
    let controlled = Controlled::of(&gathered);
    let mut checks = controlled.checks(&gathered);
    checks.extend(stage_checks(&gathered));
    checks.extend(open_attempts(records, options).map(|open| Check::none(ATTEMPT_LEFT_OPEN, open)));
    checks.extend(options.rows_read());
    checks.push(if options.require_operator_authorized {
        Check::holds("operator_authorized", controlled.operator_authorized())
    } else {
        Check::holds("operator_authorization_optional", true)
    });
    let failed: Vec<&str> = checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str()).collect();
    let passed = failed.is_empty();
    let status = |passed: bool| if passed { "passed" } else { "failed" };
    let code = |passed: bool| u8::from(!passed);
    let observability = controlled.observability_report(options.rows_read());
    let observed = observability["status"] == "passed";
    let mut keys = Map::new();
    let mut add = |key: &str, value: serde_json::Value| keys.insert(key.to_owned(), value);
    add("type", "controlled_execution_readiness_report".into());
    add("schema_version", "controlled-execution-readiness/v1".into());
    add("schema_kind", "controlled_execution_readiness".into());
    add("status", status(passed).into());
    add("ready_for_mock_execution", passed.into());
    add("ready_for_real_execution", false.into());
    add("blocking_reasons", if passed { json!(["real_execution_not_supported_yet"]) } else { json!(failed) });
    add("require_operator_authorized", options.require_operator_authorized.into());
    add("proposal_id", json!(options.proposal_id));
    add("rendered_command_id", json!(options.rendered_command_id));
    add("summary", format!("{} of {} checks passed; nothing real is ready", checks.len() - failed.len(), checks.len()).into());
    let missing = gathered.missing_stages();
    add("trail_summary", json!({"chain_complete": missing.is_empty(), "missing_stages": missing}));
    add("retry_observability", json!({"status": status(gathered.governance_holds())}));
    add("controlled_observability", observability);
    add(
        "exit_codes",
        json!({
            "trail": code(gathered.chain_complete()),
            "retry_observability": code(gathered.governance_holds()),
            "controlled_observability": code(observed),
            "real_execution": 1,
        }),
    );
    add("adapter_contract", adapter_contract());
    add("real_adapter_supported", false.into());
    add("real_adapter_runnable", false.into());
    add("real_adapter_requires_explicit_pr", true.into());
    for (key, count) in controlled.counters() {
        add(key, count.into());
    }
    for (key, value) in controlled.booleans() {
        add(key, value.into());
    }
    for (key, value) in stage_keys(&gathered) {
        add(&key, value);
    }
    add("required_fields", json!(required_fields()));
    add("checks", json!(checks));
    let validation = validate(&keys);
    keys.insert("schema_validation".to_owned(), validation);
    ReadinessReport { checks, keys }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    const T: &str = "replay_lifecycle_retry_";

    /// The report of records given as `[type without its prefix, fields]`.
    fn reported(records: &serde_json::Value, options: &ReadinessOptions<'_>) -> ReadinessReport {
        let records: Vec<_> = records
            .as_array()
            .expect("a list")
            .iter()
            .map(|record| {
                let mut fields = record[1].clone();
                let name = record[0].as_str().expect("a type");
                fields["type"] = if name == "execution_attempt" { name.into() } else { format!("{T}{name}").into() };
                fields
            })
            .collect();
        let text = json!(records).to_string();
        let records = parse(text.as_bytes()).expect("it is JSON");
        report(records.elements().expect("a list"), options)
    }

    fn passed(records: &serde_json::Value, check: &str) -> bool {
        let report = reported(records, &ReadinessOptions::default());
        report.checks.iter().find(|found| found.name == check).unwrap_or_else(|| panic!("no check {check}")).passed
    }

    #[test]
    fn nothing_fails_only_what_must_be_there() {
        let report = reported(&json!([]), &ReadinessOptions::default());
        assert_eq!(
            report.failed(),
            [
                "trail_chain_complete",
                "trail_has_controlled_execution_result",
                "controlled_result_rejected",
                "controlled_result_not_implemented",
                "command_parse_valid",
                "command_parse_allowlisted",
                "controlled_gate_blocked",
                "controlled_gate_not_enabled_reason_observed",
                "retry_observability_passed",
                "controlled_observability_passed",
                "mock_execution_observed",
                "mock_execution_performed",
                "mock_execution_summary_observed",
                "mock_execution_summary_performed",
                "adapter_contract_observed",
                "adapter_is_mock",
                "adapter_mode_is_mock",
                "adapter_result_mock_executed",
            ]
        );
        assert_eq!(report.checks.last().map(|check| check.name.as_str()), Some("operator_authorization_optional"));
        let asked = ReadinessOptions { require_operator_authorized: true, ..ReadinessOptions::default() };
        assert_eq!(reported(&json!([]), &asked).failed().last(), Some(&"operator_authorized"));
        let authorized = json!([["controlled_execution_result", {"operator_authorized": true}]]);
        assert!(!reported(&authorized, &asked).failed().contains(&"operator_authorized"));
    }

    #[test]
    fn a_link_leads_to_a_record_in_the_right_status() {
        let gate = json!(["real_execution_final_gate", {"real_execution_approval_transition_id": "t1"}]);
        let transition = |status: &str| json!(["real_execution_approval_transition", {"real_execution_approval_transition_id": "t1", "to_status": status}]);
        let links = "real_final_gate_links_to_approval_transition";
        let status = "real_final_gate_parent_in_required_status";
        assert!(!passed(&json!([gate]), links) && passed(&json!([gate]), status));
        let whole = json!([gate, transition("Approved")]);
        assert!(passed(&whole, links) && passed(&whole, status));
        assert!(!passed(&json!([gate, transition("rejected")]), status));
        // Of two parents with one id both must be right.
        assert!(!passed(&json!([gate, transition("approved"), transition("rejected")]), status));
        assert!(passed(&json!([transition("rejected")]), status), "nobody followed it");
        let blank = json!([["real_execution_final_gate", {}], ["real_execution_approval_transition", {"to_status": "approved"}]]);
        assert!(!passed(&blank, links), "blank ids link nothing");
        let report = reported(&whole, &ReadinessOptions::default());
        assert_eq!(report.keys["real_final_gate_linkage_complete"], json!(true));
        assert_eq!(reported(&json!([gate]), &ReadinessOptions::default()).keys["real_final_gate_orphans"], json!(1));
        assert_eq!(reported(&json!([]), &ReadinessOptions::default()).keys["real_final_gate_linkage_complete"], json!(false));
    }

    #[test]
    fn an_approval_is_decided_once() {
        let decided = |kind: &str, statuses: [&str; 2]| {
            let id = format!("{kind}_id");
            let decision = |status: &str| json!([format!("{kind}_transition"), {id.clone(): "a1", "to_status": status}]);
            json!([decision(statuses[0]), decision(statuses[1])])
        };
        let real = "real_approval_transition_single_decision";
        assert!(!passed(&decided("real_execution_approval", ["approved", "rejected"]), real));
        assert!(passed(&decided("real_execution_approval", ["approved", "Approved"]), real));
        let read_only = "real_read_only_approval_transition_single_decision";
        assert!(!passed(&decided("real_execution_read_only_approval", ["approved", "Approved"]), read_only));
        let report = reported(&decided("real_execution_approval", ["approved", "rejected"]), &ReadinessOptions::default());
        assert_eq!(report.keys["real_approval_latest_status"], json!("rejected"));
        assert_eq!(report.keys["real_read_only_approval_latest_status"], json!("unknown"));
    }

    #[test]
    fn a_child_is_demanded_when_its_parent_asks_for_it() {
        let name = "real_preflight_observed_if_real_request_observed";
        let result = |requested: bool| json!(["controlled_execution_result", {"real_execution_requested": requested}]);
        assert!(passed(&json!([result(false)]), name) && !passed(&json!([result(true)]), name));
        assert!(passed(&json!([result(true), ["real_execution_preflight", {}]]), name));
    }

    #[test]
    fn a_flag_counts_in_the_payload_too() {
        let noop = json!([["real_execution_noop_result", {"exit_code": 0, "payload": {"real_execution_enabled": "no"}}]]);
        assert!(!passed(&noop, "real_noop_result_does_not_enable_real_execution"));
        assert!(passed(&noop, "real_noop_result_exit_code_zero") && !passed(&noop, "real_noop_result_stdout_marker_observed"));
        let report = reported(&noop, &ReadinessOptions::default());
        assert_eq!(report.keys["real_noop_result_real_execution_enabled"], json!(1));
    }

    #[test]
    fn only_records_of_the_trail_count() {
        let records = json!([
            ["real_execution_preflight", {"payload": {"proposal_id": "p1"}, "rendered_command_id": "r1"}],
            ["real_execution_preflight", {"proposal_id": "p1"}],
            ["real_execution_preflight", {"proposal_id": "p2", "rendered_command_id": "r1"}],
        ]);
        let counted = |proposal_id, rendered_command_id| {
            let options = ReadinessOptions { proposal_id, rendered_command_id, ..ReadinessOptions::default() };
            reported(&records, &options).keys["real_preflight_records"].clone()
        };
        assert_eq!(counted(None, None), json!(3));
        assert_eq!(counted(Some("p1"), None), json!(2));
        assert_eq!(counted(Some("p1"), Some("r2")), json!(1));
        assert_eq!(counted(None, Some("r1")), json!(3));
    }

    #[test]
    fn a_start_without_an_end_is_told() {
        let attempt = |id: &str, phase: &str| json!(["execution_attempt", {"execution_attempt_id": id, "phase": phase}]);
        let open = |records: serde_json::Value| reported(&records, &ReadinessOptions::default()).failed().contains(&ATTEMPT_LEFT_OPEN);
        assert!(!open(json!([])));
        assert!(open(json!([attempt("a", "before")])) && !open(json!([attempt("a", "before"), attempt("a", "after")])));
        assert!(open(json!([attempt("a", "before"), attempt("b", "after")])));
        assert!(open(json!([attempt("a", "after"), attempt("a", "before")])), "an end before the start ends nothing");
        assert!(open(json!([attempt("a", "before"), attempt("a", "before"), attempt("a", "after")])));
        let other = json!([["execution_attempt", {"execution_attempt_id": "a", "phase": "before", "proposal_id": "p2"}]]);
        let options = ReadinessOptions { proposal_id: Some("p1"), ..ReadinessOptions::default() };
        assert!(!reported(&other, &options).failed().contains(&ATTEMPT_LEFT_OPEN));
    }

    #[test]
    fn a_result_without_a_gate_is_not_blocked() {
        let good = json!({"status": "rejected", "gate_evaluation": {"gate_status": "blocked"}, "command_parse": {"valid": true}});
        let both =
            |other: serde_json::Value| json!([["controlled_execution_result", good.clone()], ["controlled_execution_result", other]]);
        assert!(passed(&both(good.clone()), "controlled_gate_blocked") && passed(&both(good.clone()), "command_parse_valid"));
        let bare = both(json!({"status": "rejected"}));
        assert!(!passed(&bare, "controlled_gate_blocked") && !passed(&bare, "command_parse_valid"));
    }
}
