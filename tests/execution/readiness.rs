//! Mock readiness is no real readiness: T10, and the five ways in which an adapter can break its contract.

use crate::scene::{PROPOSAL, alter, place, trail};
use landfall::contract::execution_readiness::{ReadinessOptions, ReadinessReport, report};
use landfall::execution::golden;
use landfall::json::{Value, parse};
use landfall::ledger::Record;
use serde_json::json;

fn with_values<R>(records: &[Record], judge: impl FnOnce(&[Value<'_>]) -> R) -> R {
    let texts: Vec<_> = records.iter().map(Record::to_line).collect();
    let values: Vec<_> = texts.iter().map(|text| parse(text.as_bytes()).expect("JSON")).collect();
    judge(&values)
}

fn ready(records: &[Record]) -> ReadinessReport {
    with_values(records, |values| report(values, &ReadinessOptions { proposal_id: Some(PROPOSAL), ..ReadinessOptions::default() }))
}

#[test]
fn every_step_of_the_path_is_ready_for_a_mock_and_for_nothing_real() {
    for steps in 2..=27 {
        let records = trail(steps);
        let ready = ready(&records);
        // Between two steps the next record is due, and that is all that is missing.
        let due = ready.failed();
        assert!(due.len() <= 1 && due.iter().all(|check| check.contains("observed")), "after step {steps}: {due:?}");
        if [2, 13, 27].contains(&steps) {
            assert_eq!(ready.keys["ready_for_mock_execution"], json!(true), "after step {steps}: {due:?}");
            assert_eq!(ready.keys["blocking_reasons"], json!(["real_execution_not_supported_yet"]));
        }
        assert_eq!(ready.keys["ready_for_real_execution"], json!(false));
        assert!(ready.is_well_formed());
        assert!(records.iter().all(|record| !record.is_set("real_execution_enabled")));
    }
}

#[test]
fn each_breach_of_the_adapter_contract_closes_readiness_with_its_own_checks() {
    let adapter = |field: &str, value: serde_json::Value| {
        let mut records = trail(2);
        let result = place(&records, "controlled_execution_result");
        let mut mock = records[result].get("mock_execution").cloned().expect("a mock");
        mock["mock_execution"]["adapter_result"][field] = value;
        alter(&mut records, "controlled_execution_result", "mock_execution", mock);
        let ready = ready(&records);
        assert_eq!(ready.keys["ready_for_mock_execution"], json!(ready.passed()));
        ready.failed().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let always = ["controlled_observability_passed", "controlled_results_valid"];
    let wanted = |checks: &[&str]| {
        let mut all: Vec<_> = checks.iter().chain(&always).map(|check| (*check).to_owned()).collect();
        all.sort();
        all
    };
    for (field, value, checks) in [
        ("subprocess_invoked", json!(true), &["adapter_subprocess_not_invoked"][..]),
        ("real_execution_enabled", json!(true), &["adapter_real_execution_not_enabled"]),
        ("payload", json!({"executed": true}), &["adapter_payload_not_executed"]),
        ("adapter", json!("real"), &["adapter_contract_observed", "adapter_is_mock"]),
        ("mode", json!("real"), &["adapter_contract_observed", "adapter_mode_is_mock"]),
    ] {
        let mut failed = adapter(field, value);
        failed.sort();
        assert_eq!(failed, wanted(checks), "{field}");
    }
    assert_eq!(adapter("stdout", json!("mock controlled retry execution")), Vec::<String>::new(), "the positive control");
}

#[test]
fn the_golden_path_is_one_record_of_each_type_and_nothing_less() {
    let golden = |records: &[Record]| with_values(records, |values| golden::report(values, 0, PROPOSAL));
    let whole = trail(27);
    let passed = golden(&whole);
    assert!(passed.passed(), "{:?}", passed.keys["failed_checks"]);
    assert_eq!(passed.checks.iter().filter(|check| check.name.starts_with("required_record_type_present:")).count(), 33);
    assert_eq!(passed.keys["recommended_next_action"], "close_repair_loop");
    let mut tried = 0;
    for check in passed.checks.iter().filter_map(|check| check.name.strip_prefix("required_record_type_present:")) {
        let mut without = whole.clone();
        without.remove(place(&whole, check));
        assert!(!golden(&without).passed(), "without {check}");
        let mut twice = whole.clone();
        twice.push(whole[place(&whole, check)].clone().with("gid", "twice"));
        assert!(!golden(&twice).passed(), "with two of {check}");
        tried += 1;
    }
    assert_eq!(tried, 33);
    let harmed = |short: &str, field: &str, value: serde_json::Value| {
        let mut records = whole.clone();
        alter(&mut records, short, field, value);
        golden(&records).keys["failed_checks"].to_string()
    };
    for (short, field, value, check) in [
        ("post_repair_evidence_check", "post_repair_status", json!("failed"), "post_repair_evidence_passed"),
        ("post_repair_evidence_check", "repair_targets_missing", json!(["x"]), "post_repair_evidence_no_missing_targets"),
        ("post_repair_evidence_check", "repair_targets_unexpected", json!(["x"]), "post_repair_evidence_no_unexpected_targets"),
        ("post_repair_evidence_check", "real_execution_enabled", json!(true), "post_repair_evidence_did_not_enable_real_execution"),
        ("guarded_repair_execution_result", "exit_code", json!(null), "guarded_repair_execution_exit_code_zero"),
        ("guarded_repair_execution_result", "repair_action_target_count", json!(8), "guarded_repair_execution_target_count_9"),
    ] {
        assert!(harmed(short, field, value).contains(check), "{check}");
    }
}
