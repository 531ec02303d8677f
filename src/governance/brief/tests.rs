use super::directives::proposed_directives;
use super::*;
use crate::governance::fixture::{chain, of_type};
use crate::governance::observe::brief_of;
use crate::governance::terms::{APPROVAL, RETRY, TIMED_OUT};
use crate::governance::watch::Watch;
use crate::json::parse;
use crate::ledger::Record;
use crate::ledger::surroundings::Scripted;
use serde_json::json;

fn made(security: Json, simulation: Json, memory: Json) -> Brief {
    let map = |value: Json| value.as_object().cloned().expect("an object");
    let (security, simulation, memory) = (map(security), map(simulation), map(memory));
    let snapshot = Snapshot {
        security: &security,
        simulation: &simulation,
        memory: &memory,
        degraded: false,
        soundness: None,
        open_attempts: 0,
        evidence_ids: &[],
    };
    brief(&snapshot, "b-1", 7.0)
}

fn of_records(records: &[Record]) -> Brief {
    let mut watch = Watch::new(crate::contract::trail::Filters::default());
    for record in records {
        watch.add(&parse(record.to_line().as_bytes()).expect("our own text reads"));
    }
    brief_of(&watch.finish())
}

fn recommended(items: &[Item]) -> Vec<&str> {
    items.iter().filter_map(|item| item.payload["recommendation"].as_str()).collect()
}

#[test]
fn nothing_recorded_is_healthy_and_recommends_nothing() {
    let brief = made(json!({}), json!({}), json!({}));
    assert_eq!((brief.status, brief.summary.as_str()), (Status::Healthy, "Nothing was recorded."));
    assert!(brief.risks.is_empty() && brief.opportunities.is_empty() && brief.recommended_actions.is_empty());
}

#[test]
fn a_timeout_gives_a_risk_and_a_retry_action_that_becomes_a_proposal() {
    let security = json!({
        "security_validation_records": 1,
        "security_validation_record_type_counts": {"replay_evidence_lifecycle_result": 1},
        "security_validation_warning_reasons": {TIMED_OUT: 1},
    });
    let brief = made(security, json!({}), json!({}));
    assert_eq!(recommended(&brief.risks), ["review_replay_lifecycle_timeouts"]);
    assert_eq!(recommended(&brief.opportunities), ["review_replay_lifecycle_validation"]);
    assert_eq!(recommended(&brief.recommended_actions), [RETRY]);
    let payload = &brief.recommended_actions[0].payload;
    assert_eq!(payload["suggested_wait_seconds"], 15.0);
    assert_eq!(payload["security_replay_lifecycle_timeouts"], 1);
    let stamp = crate::governance::build::Stamp { source: "overseer", now: 7.0, id: None };
    let proposal = crate::governance::build::proposal::proposal(&Record::from_map(payload.clone()), &stamp).expect("a proposal");
    assert_eq!(proposal.text("proposal_id"), "replay-retry-349f847a54dd6077");
    // A retry gives no directive.
    assert_eq!(proposed_directives(&brief, "overseer", &mut Scripted::new(0.0, 1.0)), []);
}

#[test]
fn a_whole_chain_is_surfaced_with_its_breakdowns() {
    let brief = of_records(&chain("seed"));
    assert_eq!(brief.status, Status::Healthy);
    for said in ["manual=1", "skipped=1", "rejected=0", "standard=1", "blocked=1", "execution_disabled=1", "policy=0"] {
        assert!(brief.summary.contains(said), "{said}: {}", brief.summary);
    }
    assert!(brief.risks.is_empty());
    let wanted = [
        "review_replay_retry_proposals",
        "review_replay_retry_approvals",
        "review_replay_retry_approval_decision_modes",
        "review_replay_retry_execution_plans",
        "review_replay_retry_execution_results",
        "review_replay_retry_rendered_commands",
        "review_replay_retry_rendered_command_results",
        "review_replay_retry_execution_eligibility",
    ];
    assert_eq!(recommended(&brief.opportunities), wanted);
}

#[test]
fn an_unsound_chain_is_never_called_good() {
    let mut records = chain("seed");
    of_type(&mut records, APPROVAL).set("status", "rejected");
    let brief = of_records(&records);
    assert_eq!(brief.status, Status::Degraded);
    assert_eq!(recommended(&brief.risks), ["review_retry_governance_chain"]);
    // The payload still says approved.
    assert_eq!(brief.risks[0].payload["unsound_reasons"], json!({"approval_not_approved": 1, "copy_differs": 1}));
    assert!(brief.summary.contains("chain_sound=false"));
}

#[test]
fn status_and_directives_follow_alerts_gold_pending_and_failures() {
    let security = json!({"security_validation_critical_records": 1, "security_validation_invalid_records": 2});
    let simulation = json!({"simulation_replay_pending": 1, "simulation_replay_failed": 1, "simulation_replay_execution_completed": 1});
    let memory = json!({"runtime_evidence_alert_candidates": 1, "gold_candidates": 1, "alert_candidates": 1});
    let brief = made(security, simulation.clone(), memory);
    assert_eq!(brief.status, Status::Critical);
    assert_eq!(
        recommended(&brief.risks),
        [
            "review_simulation_replay_failures",
            "review_security_validation_failures",
            "review_runtime_evidence_alerts",
            "review_memory_alerts"
        ]
    );
    let proposed = proposed_directives(&brief, "overseer", &mut Scripted::new(0.0, 1.0));
    let said: Vec<_> =
        proposed.iter().map(|record| format!("{} {} {}", record.text("action"), record.text("target"), record.text("reason"))).collect();
    assert_eq!(
        said,
        [
            "OBSERVE simulation simulation_replay_pending_detected",
            "OBSERVE security security_validation_failures_detected",
            "OBSERVE memory runtime_evidence_alert_candidates_detected",
            "PROMOTE_GOLD_CANDIDATES memory gold_candidates_detected",
        ]
    );
    for record in &proposed {
        assert_eq!(record.verdict().reasons, Vec::<String>::new());
        assert_eq!((record.text("payload.brief_id"), record.text("ttl_ms")), ("b-1".to_owned(), "120000".to_owned()));
        assert!(!record.text("payload.reason_item").is_empty());
    }
    let warned = made(json!({"security_validation_invalid_records": 2}), simulation, json!({"alert_candidates": 1}));
    assert_eq!(warned.status, Status::Degraded);
    assert!(recommended(&warned.risks).contains(&"review_security_validation_warnings"));
}
