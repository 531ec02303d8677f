//! Operator intent is no permission: T8, P11, P13, and the risk tiers.

use crate::scene::{BOTH, Tripwire, alter, built, ledger_of, place, reasons, records, refused, trail};
use landfall::execution::build::controlled::{AdapterError, Intent, adapter_result, controlled};
use landfall::execution::tier::{Policy, Tier};
use landfall::ledger::Record;
use serde_json::json;

#[test]
fn a_controlled_run_is_rejected_whatever_is_asked_for() {
    let records = trail(1);
    let rendered = &records[place(&records, "rendered_command")];
    for (authorized, mock, real) in
        [(false, false, false), (true, false, false), (true, true, false), (true, false, true), (true, true, true), (false, true, false)]
    {
        let result = controlled(rendered, Intent { operator_authorized: authorized, mock, real }, "test");
        assert!(result.verdict().valid, "{:?}", result.verdict());
        assert_eq!(result.text("status"), "rejected");
        let reason = if real { "real_execution_not_supported" } else { "controlled_execution_not_implemented" };
        assert_eq!(result.text("reason"), reason);
        assert_eq!(result.get("payload.executed"), Some(&json!(false)));
        assert_eq!(result.get("operator_authorized"), Some(&json!(authorized)));
        for field in ["real_execution_performed", "real_execution_supported", "subprocess_invoked"] {
            assert_eq!(result.get(field), Some(&json!(false)), "{field}");
        }
        // The real request wins over the mock.
        assert_eq!(result.get("mock_execution").is_some(), mock && !real);
        if mock && !real {
            assert_eq!(result.get("mock_execution.mock_execution.performed"), Some(&json!(authorized)));
        }
    }
    let mut harmed = controlled(rendered, Intent { operator_authorized: true, ..Intent::default() }, "test");
    harmed.set("payload", json!({"executed": true}));
    assert!(harmed.verdict().reasons.contains(&"operator_authorized_result_must_not_execute_yet".to_owned()));
}

#[test]
fn each_flag_of_a_runner_is_needed() {
    let gate = || trail(13);
    let only = |flags: &[&str], expected: &[&str]| {
        let said = refused("read-only", gate(), flags, expected);
        assert_eq!(said.into_iter().collect::<Vec<_>>(), expected);
    };
    only(&["operator_authorized"], &["guarded_read_only_execution_flag_required"]);
    only(&["allow_guarded_read_only_execution"], &["operator_not_authorized"]);
    only(&[], &["guarded_read_only_execution_flag_required", "operator_not_authorized"]);
    refused("repair", trail(25), &[], &["guarded_repair_execution_not_allowed"]);
    refused("post-repair", trail(26), &[], &["post_repair_evidence_check_not_allowed"]);
    // A refused try does not block the one that is authorised.
    for (command, steps, flags) in [
        ("read-only", 13, &BOTH[..]),
        ("repair", 25, &["allow_guarded_repair_execution"]),
        ("post-repair", 26, &["allow_post_repair_evidence_check"]),
    ] {
        let (tripwire, mut ledger) = (Tripwire::new(), ledger_of(trail(steps)));
        tripwire.run(command, &mut ledger, &[]);
        assert_eq!(tripwire.times(), 0);
        tripwire.run(command, &mut ledger, flags);
        assert_eq!(tripwire.times(), 1, "{command}");
    }
}

#[test]
fn a_pending_approval_has_no_gate_and_a_made_up_one_is_refused() {
    let (tripwire, mut ledger) = (Tripwire::new(), ledger_of(trail(11)));
    let report = tripwire.run("read-only", &mut ledger, &BOTH);
    assert!(report.outcome.published.is_empty() && report.outcome.refused.is_empty() && !report.passed());
    drop(tripwire);
    let mut records = trail(13);
    alter(&mut records, "real_execution_read_only_readiness_gate", "read_only_approval_latest_status", "pending");
    refused("read-only", records, &BOTH, &["read_only_approval_latest_status_not_approved"]);
}

#[test]
fn a_flag_that_is_a_text_or_a_number_authorises_nothing() {
    for value in [json!("false"), json!("true"), json!(1)] {
        let mut records = trail(25);
        alter(&mut records, "real_execution_repair_readiness_gate", "operator_authorized", value);
        refused(
            "repair",
            records,
            &["allow_guarded_repair_execution"],
            &["security_validation_failed:real_execution_repair_readiness_gate"],
        );
    }
    // A decision needs the flag of the builder that records it.
    let mut ledger = ledger_of(trail(17));
    let outcome = built("real_execution_read_only_repair_action_bundle_review", &mut ledger, &[("review_status", "approved")]);
    assert!(reasons(&outcome).contains("operator_authorization_missing") && outcome.published.is_empty());
    let mut ledger = ledger_of(trail(3));
    let outcome = built("real_execution_approval", &mut ledger, &[("approval_status", "approved")]);
    assert!(reasons(&outcome).contains("operator_authorization_missing") && outcome.published.is_empty());
}

#[test]
fn a_decision_is_made_once() {
    let mut ledger = ledger_of(trail(5));
    let again = built("real_execution_approval_transition", &mut ledger, &[("to_status", "approved")]);
    assert!(again.published.is_empty() && again.refused.is_empty() && again.skipped.len() == 1);
    let other = built("real_execution_approval_transition", &mut ledger, &[("to_status", "rejected")]);
    assert!(reasons(&other).contains("approval_already_decided"), "{other:?}");
    assert_eq!(records(&ledger).len(), trail(5).len());
}

#[test]
fn only_the_mock_adapter_answers() {
    let result = Record::default();
    assert!(adapter_result(" Mock ", &result).is_ok(), "the positive control");
    assert_eq!(adapter_result("real", &result), Err(AdapterError::RealNotSupported));
    assert_eq!(adapter_result("REAL ", &result), Err(AdapterError::RealNotSupported));
    for name in ["subprocess", "", "mock2"] {
        assert_eq!(adapter_result(name, &result), Err(AdapterError::Unknown), "{name:?}");
    }
    let preflight = trail(3);
    let preflight = &preflight[place(&preflight, "real_execution_preflight")];
    let runnable = preflight.clone().with("real_adapter_runnable", true).verdict().reasons;
    assert!(runnable.contains(&"real_preflight_adapter_must_not_be_runnable".to_owned()), "{runnable:?}");
    let implicit = preflight.clone().with("real_adapter_requires_explicit_pr", json!(null)).verdict().reasons;
    assert!(implicit.contains(&"real_preflight_must_require_explicit_pr".to_owned()), "{implicit:?}");
}

#[test]
fn a_capability_without_a_safe_tier_starts_nothing() {
    const CAPABILITY: &str = "capability.noop.marker_check";
    for (rows, reason) in [
        (vec![], "risk_tier_missing"),
        (vec![(CAPABILITY, "")], "risk_tier_unknown"),
        (vec![(CAPABILITY, "Safe_local_execution")], "risk_tier_unknown"),
        (vec![(CAPABILITY, "network_read")], "risk_tier_not_allowed:network_read"),
        (vec![(CAPABILITY, "production_financial_write")], "risk_tier_not_allowed:production_financial_write"),
    ] {
        let (tripwire, mut ledger) = (Tripwire::new(), ledger_of(trail(7)));
        let report = tripwire.run_with("noop", &mut ledger, &[], &Policy::of(&rows), None);
        assert!(reasons(&report.outcome).contains(reason), "{report:?}");
        assert_eq!(tripwire.times(), 0);
    }
    let (tripwire, mut ledger) = (Tripwire::new(), ledger_of(trail(7)));
    tripwire.run_with("noop", &mut ledger, &[], &Policy::of(&[(CAPABILITY, Tier::SafeLocalExecution.as_str())]), None);
    assert_eq!(tripwire.times(), 1, "the positive control");
}
