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
    let transition =
        |status: &str| json!(["real_execution_approval_transition", {"real_execution_approval_transition_id": "t1", "to_status": status}]);
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
    let both = |other: serde_json::Value| json!([["controlled_execution_result", good.clone()], ["controlled_execution_result", other]]);
    assert!(passed(&both(good.clone()), "controlled_gate_blocked") && passed(&both(good.clone()), "command_parse_valid"));
    let bare = both(json!({"status": "rejected"}));
    assert!(!passed(&bare, "controlled_gate_blocked") && !passed(&bare, "command_parse_valid"));
}

#[test]
fn what_results_and_summaries_say_is_counted_and_observed() {
    let keys = |records: serde_json::Value| reported(&records, &ReadinessOptions::default()).keys;
    let result = |fields: serde_json::Value| json!([["controlled_execution_result", fields]]);
    let asked = json!({"real_execution_requested": true, "status": "rejected", "reason": "real_execution_not_supported"});
    let said = |name: &str, value: &str| {
        let mut asked = asked.clone();
        asked[name] = value.into();
        keys(result(asked))["real_execution_request_rejected"].clone()
    };
    let of_asked = keys(result(asked.clone()));
    assert_eq!([&of_asked["real_execution_requested"], &of_asked["real_execution_request_rejected"]], [&json!(1), &json!(1)]);
    assert_eq!([said("status", "skipped"), said("reason", "other")], [json!(0), json!(0)]);
    assert_eq!([&of_asked["real_execution_request_observed"], &of_asked["mock_execution_observed"]], [&json!(true), &json!(false)]);
    let of_none = keys(json!([]));
    for name in ["real_execution_request_observed", "mock_execution_observed", "mock_execution_summary_observed"] {
        assert_eq!(of_none[name], json!(false), "{name}");
    }
    let observed = keys(json!([["controlled_execution_result", {"mock_execution": {"performed": true}}], ["mock_execution_summary", {}]]));
    assert_eq!([&observed["mock_execution_observed"], &observed["mock_execution_summary_observed"]], [&json!(true), &json!(true)]);
    let authorized = |value: serde_json::Value| keys(result(json!({"operator_authorized": value})))["controlled_observability"].clone();
    assert_eq!(authorized(json!(true))["controlled_execution_operator_authorized"], json!(1));
    assert_eq!(authorized(json!("true"))["controlled_execution_operator_authorized"], json!(0));
}

#[test]
fn a_result_says_that_it_ran_something_by_its_status_or_its_payload() {
    let (any, payload) = ("controlled_observability_reports_no_execution", "controlled_execution_payload_not_executed");
    let result = |fields: serde_json::Value| json!([["controlled_execution_result", fields]]);
    for (fields, by_any, by_payload) in [
        (json!({"status": "rejected"}), true, true),
        (json!({"status": "executed"}), false, true),
        (json!({"status": "rejected", "payload": {"executed": true}}), false, false),
    ] {
        assert_eq!(passed(&result(fields.clone()), any), by_any, "{fields}");
        let report = reported(&result(fields.clone()), &ReadinessOptions::default());
        let observed = report.keys["controlled_observability"]["checks"].as_array().expect("a list").clone();
        let found = observed.iter().find(|check| check["name"] == payload).expect("it is checked");
        assert_eq!(found["status"] == "passed", by_payload, "{fields}");
    }
}

#[test]
fn a_summary_is_of_a_result_that_is_there() {
    let links = |summary: serde_json::Value| {
        let records =
            json!([["controlled_execution_result", {"controlled_execution_result_id": "c1"}], ["mock_execution_summary", summary]]);
        passed(&records, "mock_execution_summary_links_to_controlled_result")
    };
    assert!(links(json!({"controlled_execution_result_id": "c1"})) && links(json!({"source_controlled_execution_result_id": "c1"})));
    assert!(!links(json!({"controlled_execution_result_id": "c2"})) && !links(json!({})));
    let blank = json!([["controlled_execution_result", {}], ["mock_execution_summary", {}]]);
    assert!(!passed(&blank, "mock_execution_summary_links_to_controlled_result"), "blank ids link nothing");
}

#[test]
fn a_gate_says_that_nothing_is_enabled() {
    let gate = |reasons: serde_json::Value| {
        let records = json!([["controlled_execution_result", {"gate_evaluation": {"reasons": reasons}}]]);
        passed(&records, "controlled_gate_not_enabled_reason_observed")
    };
    assert!(gate(json!(["other", "controlled_execution_not_enabled"])) && !gate(json!(["other"])) && !gate(json!([])));
}

#[test]
fn every_preflight_is_blocked_and_asks_for_an_explicit_change() {
    let said = |records: serde_json::Value| {
        let keys = reported(&records, &ReadinessOptions::default()).keys;
        [keys["real_preflight_blocked"] == true, keys["real_preflight_requires_explicit_pr"] == true]
    };
    let preflight = |status: &str, explicit: bool| json!(["real_execution_preflight", {"status": status, "real_adapter_requires_explicit_pr": explicit}]);
    assert_eq!(said(json!([])), [false, false]);
    assert_eq!(said(json!([preflight("blocked", true)])), [true, true]);
    assert_eq!(said(json!([preflight("blocked", false), preflight("open", true)])), [false, false]);
}

#[test]
fn a_report_says_what_failed_in_its_status_its_reasons_and_its_codes() {
    let options = ReadinessOptions { rows_unreadable: 2, ..ReadinessOptions::default() };
    let report = reported(&json!([]), &options);
    assert!(!report.passed() && report.failed().contains(&ROWS_UNREADABLE));
    assert_eq!(report.keys["blocking_reasons"], json!(report.failed()));
    assert_eq!(report.keys["status"], "failed");
    let codes = json!({"trail": 1, "retry_observability": 1, "controlled_observability": 1, "real_execution": 1});
    assert_eq!(report.keys["exit_codes"], codes);
    let observed = &report.keys["controlled_observability"];
    assert_eq!((&observed["type"], &observed["status"]), (&json!("controlled_retry_execution_observability"), &json!("failed")));
    assert!(!reported(&json!([]), &ReadinessOptions::default()).failed().contains(&ROWS_UNREADABLE));
    let check = |passed: bool| vec![Check::holds("a", true), Check::holds("b", passed)];
    assert!(ReadinessReport { checks: check(true), keys: Map::new() }.passed());
    assert!(!ReadinessReport { checks: check(false), keys: Map::new() }.passed());
    assert!(report.is_well_formed() && !ReadinessReport { checks: Vec::new(), keys: Map::new() }.is_well_formed());
}

#[test]
fn an_attempt_counts_unless_it_names_another_proposal_or_command() {
    let open = |fields: serde_json::Value| {
        let mut attempt = json!({"execution_attempt_id": "a", "phase": "before"});
        attempt.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        let options = ReadinessOptions { proposal_id: Some("p1"), rendered_command_id: Some("r1"), ..ReadinessOptions::default() };
        reported(&json!([["execution_attempt", attempt]]), &options).failed().contains(&ATTEMPT_LEFT_OPEN)
    };
    assert!(open(json!({})) && open(json!({"proposal_id": "p1"})) && open(json!({"rendered_command_id": "r1"})));
    assert!(open(json!({"proposal_id": "p1", "rendered_command_id": "r1"})));
    assert!(!open(json!({"proposal_id": "p2"})) && !open(json!({"rendered_command_id": "r2"})));
}
