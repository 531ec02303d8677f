//! Retry governance over a ledger in memory: the smoke's table, idempotency, what is seen and scored.
//!
//! Longer than most files: its parts are one walk along the chain and share what makes and breaks one.

use landfall::contract::trail::Filters;
use landfall::governance::inspect::TrailSummary;
use landfall::governance::next::{Outcome, Wishes, build, builder_of, publish};
use landfall::governance::observe::{Observability, observe};
use landfall::governance::readiness::of_watched;
use landfall::governance::seed::{SeedTrail, publish_trail};
use landfall::governance::smoke::{SmokeError, SmokeResult, smoke};
use landfall::governance::terms::{APPROVAL, CHAIN, ELIGIBILITY, PLAN, PROPOSAL, RENDERED, RENDERED_RESULT, RESULT};
use landfall::governance::watch::{Watch, Watched, watch};
use landfall::json::parse;
use landfall::ledger::{Ledger, MemoryLedger, Record, Select, Surroundings};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A clock that stands, and ids that no two calls of a test run share: entries would replace each other.
struct Counting;

impl Surroundings for Counting {
    fn now(&mut self) -> f64 {
        1_700_000_000.0
    }
    fn random(&mut self) -> [u8; 16] {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        u128::from(COUNT.fetch_add(1, Ordering::Relaxed)).to_be_bytes()
    }
}

fn around() -> Counting {
    Counting
}

fn seed() -> SeedTrail {
    SeedTrail::named("retry-governance-smoke", "smoke")
}

fn smoked(ledger: &mut MemoryLedger, require_clean: bool) -> SmokeResult {
    smoke(ledger, &seed(), require_clean, &mut around()).expect("the defaults are fit to be seeded")
}

fn records(ledger: &dyn Ledger) -> Vec<Record> {
    let mut records = Vec::new();
    let read = ledger.each(Select::default(), &mut |entry| {
        records.push(Record::parse(&entry.payload).expect("a published record reads"));
        Ok(())
    });
    read.expect("memory answers");
    records
}

fn chain() -> Vec<Record> {
    static WHOLE: LazyLock<Vec<Record>> = LazyLock::new(|| {
        let mut ledger = MemoryLedger::new("test");
        assert!(smoked(&mut ledger, true).passed());
        records(&ledger)
    });
    WHOLE.clone()
}

fn watched(records: &[Record]) -> Watched {
    let mut watch = Watch::new(Filters::default());
    for record in records {
        watch.add(&parse(record.to_line().as_bytes()).expect("our own text reads"));
    }
    watch.finish()
}

/// A column of the smoke's table.
fn column(result: &SmokeResult) -> Json {
    let mut json = serde_json::to_value(result).expect("a result is JSON");
    let members = json.as_object_mut().expect("an object");
    assert_eq!(members.remove("type"), Some(json!("retry_governance_smoke_result")));
    assert_eq!(members.remove("proposal_id"), Some(json!("replay-retry-smoke-proposal-1")));
    let trail = members.remove("trail_summary").expect("a trail");
    let observability = members.remove("observability").expect("observability");
    members.insert("chain_complete".to_owned(), trail.get("chain_complete").cloned().unwrap_or_default());
    members.insert("chain_sound".to_owned(), trail.get("chain_sound").cloned().unwrap_or_default());
    members.insert("observability_status".to_owned(), observability.get("status").cloned().unwrap_or_default());
    json
}

fn codes(code: u8) -> Json {
    json!({"preflight": code, "rendered_command_results": code, "eligibility": code, "trail": code, "observability": code})
}

#[test]
fn a_fresh_smoke_walks_the_whole_chain() {
    for require_clean in [false, true] {
        let mut ledger = MemoryLedger::new("test");
        let result = smoked(&mut ledger, require_clean);
        let wanted = json!({
            "status": "passed", "reason": "ok", "records_seeded": 5, "rendered_command_results": 1, "eligibility_results": 1,
            "execution_blocked": 1, "existing_records": 0, "existing_complete": false, "existing_rendered_results": 0,
            "existing_eligibilities": 0, "existing_execution_blocked": 0, "chain_complete": true, "chain_sound": true,
            "observability_status": "passed", "exit_codes": codes(0),
        });
        assert_eq!(column(&result), wanted, "require_clean={require_clean}");
        for said in [" chain_records=7 ", " six_stage=true ", " seven_stage=true ", " chain_complete=true ", " observability=passed "] {
            assert!(result.to_text().contains(said), "{said}");
        }
        assert_eq!(ledger.len(), 7);
        for record in records(&ledger) {
            assert_eq!(record.verdict().reasons, Vec::<String>::new(), "{}", record.record_type());
        }
    }
}

#[test]
fn a_smoke_again_publishes_nothing_and_passes() {
    let mut ledger = MemoryLedger::new("test");
    smoked(&mut ledger, false);
    let before = records(&ledger);
    let result = smoked(&mut ledger, false);
    let wanted = json!({
        "status": "passed", "reason": "ok", "records_seeded": 0, "rendered_command_results": 0, "eligibility_results": 0,
        "execution_blocked": 1, "existing_records": 0, "existing_complete": true, "existing_rendered_results": 1,
        "existing_eligibilities": 1, "existing_execution_blocked": 1, "chain_complete": true, "chain_sound": true,
        "observability_status": "passed", "exit_codes": codes(0),
    });
    assert_eq!(column(&result), wanted);
    assert!(result.to_text().contains(" chain_records=7 ") && result.to_text().contains(" seven_stage=true "));
    assert_eq!(records(&ledger), before);
}

#[test]
fn a_smoke_that_requires_a_clean_ledger_stops_before_it_publishes() {
    let mut ledger = MemoryLedger::new("test");
    smoked(&mut ledger, false);
    let before = records(&ledger);
    let result = smoked(&mut ledger, true);
    let wanted = json!({
        "status": "failed", "reason": "existing_retry_governance_records", "records_seeded": 0, "rendered_command_results": 0,
        "eligibility_results": 0, "execution_blocked": 0, "existing_records": 7, "existing_complete": true,
        "existing_rendered_results": 1, "existing_eligibilities": 1, "existing_execution_blocked": 1, "chain_complete": null,
        "chain_sound": null, "observability_status": null, "exit_codes": codes(1),
    });
    assert_eq!(column(&result), wanted);
    assert!(result.to_text().contains(" chain_records=0 ") && result.to_text().contains(" seven_stage=false "));
    assert_eq!(records(&ledger), before);
    // Half a trail is in the way as well, and is not called complete.
    let mut half = MemoryLedger::new("test");
    half.publish(before[0].clone(), &mut around()).expect("memory takes it");
    let result = smoked(&mut half, true);
    assert_eq!((result.existing_records, result.existing_complete, half.len()), (1, false, 1));
}

#[test]
fn a_smoke_shows_that_a_chain_is_not_sound_and_does_not_ask_for_it() {
    let mut ledger = MemoryLedger::new("test");
    let rejected = chain()[1].clone().with("approval_id", "somebody-said-no").with("status", "rejected").with("gid", "another");
    smoked(&mut ledger, false);
    ledger.publish(rejected, &mut around()).expect("memory takes it");
    let result = smoked(&mut ledger, false);
    assert_eq!((result.status, result.reason, result.exit_codes.trail), ("passed", "ok", 0));
    assert!(result.chain_complete() && result.to_text().contains(" chain_complete=true chain_sound=false "));
}

#[test]
fn what_cannot_be_seeded_publishes_nothing() {
    let broken: [fn(&mut SeedTrail); 9] = [
        |seed| seed.source = " ".to_owned(),
        |seed| seed.proposal_id.clear(),
        |seed| seed.approval_id.clear(),
        |seed| seed.plan_id.clear(),
        |seed| seed.rendered_command_id.clear(),
        |seed| seed.result_id.clear(),
        |seed| seed.timeout_profile = "fast".to_owned(),
        |seed| seed.decision_mode = "auto".to_owned(),
        |seed| seed.proposal_id = "p; rm".to_owned(),
    ];
    for (place, broken) in broken.into_iter().enumerate() {
        let (mut trail, mut ledger) = (seed(), MemoryLedger::new("test"));
        broken(&mut trail);
        let refused = smoke(&mut ledger, &trail, false, &mut around());
        assert!(matches!(refused, Err(SmokeError::Refused(_))), "{place}");
        assert!(ledger.is_empty(), "{place}");
    }
    let patient = SeedTrail { timeout_profile: "patient".to_owned(), decision_mode: "policy".to_owned(), ..seed() };
    assert!(smoke(&mut MemoryLedger::new("test"), &patient, true, &mut around()).expect("a result").passed());
}

fn built(ledger: &mut MemoryLedger, record_type: &str, wishes: &Wishes) -> Outcome {
    build(ledger, builder_of(record_type).expect("a builder"), wishes, &mut around()).expect("memory answers")
}

#[test]
fn the_seed_skips_each_record_by_its_own_id_and_publishes_the_others() {
    let mut ledger = MemoryLedger::new("test");
    let all = seed().records(&mut around()).expect("five records");
    let changed = all[2].clone().with("source", "somebody else");
    ledger.publish(changed, &mut around()).expect("memory takes it");
    let outcome = publish_trail(&mut ledger, all, &mut around()).expect("memory answers");
    assert_eq!((outcome.published.len(), outcome.skipped.len()), (4, 1));
    let plan = &ledger.find(PLAN, "plan_id", &seed().plan_id).expect("memory answers")[0];
    assert_eq!(plan.text("source"), "somebody else", "what was there stays as it is");
}

#[test]
fn a_sweep_skips_by_either_key() {
    // The plan's result and the command's two answers are there under other ids.
    for (record_type, keys) in [
        (RESULT, &["plan_id"][..]),
        (RENDERED_RESULT, &["rendered_command_id", "plan_id"]),
        (ELIGIBILITY, &["rendered_command_id", "plan_id"]),
    ] {
        for kept in keys {
            let mut ledger = MemoryLedger::new("test");
            let mut whole = chain();
            let place = whole.iter().position(|record| record.record_type() == record_type).expect("the chain has it");
            let other: Vec<_> = keys.iter().filter(|key| *key != kept).collect();
            other.iter().for_each(|key| whole[place].set(key, "of-another"));
            whole.into_iter().for_each(|record| drop(ledger.publish(record, &mut around()).expect("memory takes it")));
            let outcome = built(&mut ledger, record_type, &Wishes::default());
            // What was skipped is the parent that has its record.
            assert_eq!((outcome.published.len(), outcome.refused.len(), outcome.skipped.len()), (0, 0, 1), "{record_type} {kept}");
        }
        let mut ledger = MemoryLedger::new("test");
        for record in chain().into_iter().filter(|record| record.record_type() != record_type) {
            ledger.publish(record, &mut around()).expect("memory takes it");
        }
        assert_eq!(built(&mut ledger, record_type, &Wishes::default()).published.len(), 1, "{record_type}");
        let draft = records(&ledger).pop().expect("the record just published");
        let mut outcome = Outcome::default();
        publish(&mut ledger, draft, &mut outcome, &mut around()).expect("memory answers");
        assert_eq!((outcome.published.len(), outcome.skipped.len()), (0, 1), "two processes may have scanned at once");
    }
}

#[test]
fn a_chain_is_built_record_by_record_from_a_timeout() {
    let mut ledger = MemoryLedger::new("test");
    let timeout = Record::new("replay_evidence_lifecycle_result")
        .with("scenario_id", "s")
        .with("directive_id", "d")
        .with("status", "failed")
        .with("checks", json!([{"name": "execution_published", "status": "failed"}]))
        .with("payload", json!({"failure_reason": "execution_not_observed_before_timeout"}));
    assert!(timeout.verdict().valid);
    assert_eq!(built(&mut ledger, "proposal", &Wishes::default()), Outcome::default(), "nothing asks for a retry yet");
    ledger.publish(timeout, &mut around()).expect("memory takes it");
    let approve = Wishes::default().with("approved_by", Some("op-ana"));
    let render = Wishes::default().with("scenario_id", Some("sc-1")).with("new_directive_id", Some("dir-2"));
    let steps: [(&str, &Wishes, &str); 7] = [
        ("proposal", &Wishes::default(), "replay-retry-349f847a54dd6077"),
        ("approval", &approve, "replay-retry-approval-985fe41e02d50df3"),
        ("plan", &Wishes::default(), "replay-retry-plan-6b52d41a0bfbb42a"),
        ("rendered_command", &render, "replay-retry-rendered-37e58f5e6f88d4bc"),
        ("rendered_command_result", &Wishes::default(), "replay-retry-rendered-result-6aa35fe69fe5d0a4"),
        ("eligibility", &Wishes::default(), "replay-retry-eligibility-869ed2361edcee24"),
        ("replay_lifecycle_retry_execution_result", &Wishes::default(), "replay-retry-result-replay-retry-plan-6b52d41a0bfbb42a"),
    ];
    for (record_type, wishes, id) in steps {
        let outcome = built(&mut ledger, record_type, wishes);
        assert_eq!(outcome.refused, [], "{record_type}");
        assert_eq!(outcome.published.iter().map(landfall::governance::next::own_id).collect::<Vec<_>>(), [id]);
        assert_eq!(built(&mut ledger, record_type, wishes).published, [], "{record_type} again");
    }
    let seen = watch(&ledger, Filters::default()).expect("memory answers");
    assert_eq!((seen.summary.chain_complete, seen.summary.chain_sound), (true, true));
    // A second decision, or a second command of one plan, is refused: it would make the chain unsound.
    let reject = approve.with("status", Some("rejected"));
    let refused = |outcome: Outcome| outcome.refused[0].reasons[0].code().into_owned();
    assert_eq!(refused(built(&mut ledger, "approval", &reject)), "already_has_another");
    let other = render.with("scenario_id", Some("sc-9"));
    assert_eq!(refused(built(&mut ledger, "rendered_command", &other)), "already_has_another");
    assert_eq!(refused(built(&mut ledger, "rendered_command", &Wishes::default())), "missing_scenario_id");
}

#[test]
fn every_reason_why_not_is_said_and_nothing_invalid_is_published() {
    let mut ledger = MemoryLedger::new("test");
    let whole = chain();
    let alone = whole[1].clone().with("proposal_id", "gone");
    ledger.publish(alone, &mut around()).expect("memory takes it");
    let outcome = built(&mut ledger, "plan", &Wishes::default());
    assert_eq!(outcome.refused[0].reasons[0].code(), "parent_missing");
    let broken = whole[3].clone().with("decision_mode", "auto").with("timeout_profile", "fast").with("approval_id", "");
    ledger.publish(broken, &mut around()).expect("memory takes it");
    let outcome = built(&mut ledger, "rendered_command_result", &Wishes::default());
    let codes: Vec<_> = outcome.refused[0].reasons.iter().map(|reason| reason.code().into_owned()).collect();
    let wanted =
        ["missing_approval_id", "invalid_rendered_command_result_timeout_profile", "invalid_rendered_command_result_decision_mode"];
    assert_eq!(codes, wanted);
    assert_eq!(ledger.len(), 2);
    let named = Wishes { id: Some("one".to_owned()), ..Wishes::default() };
    let mut two = MemoryLedger::new("test");
    for word in ["a", "b"] {
        let trail = SeedTrail::named("test", word).records(&mut around()).expect("five records");
        publish_trail(&mut two, trail, &mut around()).expect("memory answers");
    }
    let outcome = built(&mut two, "eligibility", &named);
    assert_eq!((outcome.published.len(), outcome.refused.len()), (0, 2), "one id names one record");
}

#[test]
fn the_inspector_says_what_is_there() {
    let summary = watched(&chain()).summary;
    let text = "Retry governance trail: proposals=1 approvals=1 plans=1 rendered=1 rendered_results=1 eligibilities=1 results=1 \
                skipped=1 rejected=0 execution_disabled=1 execution_not_supported=0 rendered_skipped=1 rendered_execution_disabled=1 \
                blocked=1 eligibility_execution_disabled=1 chain_complete=true missing_stages=none\n\
                chain_sound=true unsound_reasons=none\n";
    assert_eq!(summary.to_text(), text);
    let json = serde_json::to_value(&summary).expect("a summary is JSON");
    let keys: Vec<_> = json.as_object().expect("an object").keys().map(String::as_str).collect();
    let wanted = [
        "approval_statuses",
        "by_type",
        "chain_complete",
        "chain_ids",
        "chain_sound",
        "counts",
        "decision_modes",
        "eligibility_reasons",
        "eligibility_statuses",
        "filters",
        "missing_stages",
        "plan_statuses",
        "rendered_command_profiles",
        "rendered_command_result_reasons",
        "rendered_command_result_statuses",
        "rendered_command_statuses",
        "result_reasons",
        "result_statuses",
        "total_records",
        "type",
        "unsound_reason_counts",
        "unsound_reasons",
    ];
    assert_eq!(keys, wanted);
    assert_eq!(json["decision_modes"], json!({"manual": 3}));
    assert_eq!(json["filters"], json!({"proposal_id": null, "approval_id": null, "plan_id": null}));
    assert_eq!(json["chain_ids"]["plan_ids"], json!(["replay-retry-smoke-plan-1"]));
    assert_eq!(json["total_records"], 7);
    let nothing: TrailSummary = watched(&[]).summary;
    assert!(nothing.to_text().ends_with(
        "chain_complete=false missing_stages=proposal,approval,plan,rendered_command,rendered_command_result,execution_eligibility,result\n\
         chain_sound=false unsound_reasons=chain_empty:1\n"
    ));
    assert_eq!(serde_json::to_value(&nothing).expect("JSON")["eligibility_statuses"], json!({}));
}

fn failed(records: &[Record]) -> Vec<String> {
    let seen: Observability = observe(&watched(records), None);
    assert_eq!(seen.checks.len(), 22);
    seen.checks.iter().filter(|check| !check.passed()).map(|check| check.name.clone()).collect()
}

#[test]
fn each_check_of_observability_fails_without_its_record() {
    assert_eq!(failed(&chain()), Vec::<String>::new());
    let mut not_seen = std::collections::BTreeSet::new();
    let metrics = [
        "security_retry_proposals",
        "security_retry_approvals",
        "security_retry_execution_plans",
        "security_retry_rendered_commands",
        "security_retry_rendered_command_results",
        "security_retry_execution_eligibilities",
        "security_retry_execution_results",
    ];
    for (record_type, metric) in CHAIN.into_iter().zip(metrics) {
        let without: Vec<_> = chain().into_iter().filter(|record| record.record_type() != record_type).collect();
        let failed = failed(&without);
        let mut wanted = vec![format!("security_observes_{record_type}"), format!("brief_surfaces_{metric}")];
        let breakdowns: &[&str] = match record_type {
            RENDERED => &["retry_rendered_command_profile_breakdown"],
            RENDERED_RESULT => &["retry_rendered_command_result_status_breakdown", "retry_rendered_command_result_reason_breakdown"],
            ELIGIBILITY => &["retry_execution_eligibility_status_breakdown", "retry_execution_eligibility_reason_breakdown"],
            RESULT => &["retry_execution_skipped", "retry_execution_result_status_breakdown", "retry_execution_result_reason_breakdown"],
            _ => &[],
        };
        wanted.extend(breakdowns.iter().map(|name| format!("brief_surfaces_{name}")));
        assert_eq!(failed, wanted, "{record_type}");
        not_seen.extend(failed);
    }
    assert_eq!(not_seen.len(), 22, "every check was seen to fail");
}

#[test]
fn a_breakdown_is_not_surfaced_by_another_word() {
    let with = |record_type: &str, field: &str, said: &str| {
        let mut whole = chain();
        let record = whole.iter_mut().find(|record| record.record_type() == record_type).expect("the chain has it");
        record.set(field, said);
        failed(&whole)
    };
    assert_eq!(with(RENDERED, "timeout_profile", "fast"), ["brief_surfaces_retry_rendered_command_profile_breakdown"]);
    assert_eq!(with(RENDERED_RESULT, "status", "ran"), ["brief_surfaces_retry_rendered_command_result_status_breakdown"]);
    assert_eq!(with(RENDERED_RESULT, "reason", "ran"), ["brief_surfaces_retry_rendered_command_result_reason_breakdown"]);
    assert_eq!(with(ELIGIBILITY, "status", "eligible"), ["brief_surfaces_retry_execution_eligibility_status_breakdown"]);
    assert_eq!(with(ELIGIBILITY, "reason", "EXECUTION_DISABLED"), ["brief_surfaces_retry_execution_eligibility_reason_breakdown"]);
    assert_eq!(with(RESULT, "reason", "execution_not_supported"), ["brief_surfaces_retry_execution_result_reason_breakdown"]);
    assert_eq!(with(APPROVAL, "status", "rejected"), Vec::<String>::new());
    assert_eq!(with(PROPOSAL, "status", "closed"), Vec::<String>::new());
}

#[test]
fn readiness_is_a_hundred_after_the_smoke_and_enables_nothing() {
    let ready = of_watched(&watched(&chain()), None);
    assert_eq!((ready.score, ready.failed.len(), ready.passed()), (100, 0, true));
    let json = serde_json::to_value(&ready).expect("a report is JSON");
    let keys: Vec<_> = json.as_object().expect("an object").keys().map(String::as_str).collect();
    let wanted = [
        "chain_complete",
        "checks",
        "controlled_execution_enabled",
        "exit_codes",
        "failed_checks",
        "observability_status",
        "readiness_score",
        "recommendation",
        "status",
        "type",
    ];
    assert_eq!(keys, wanted);
    assert_eq!(json["checks"].as_array().map(Vec::len), Some(16));
    assert_eq!(json["controlled_execution_enabled"], false);
    assert_eq!(
        ready.to_text(),
        "Retry controlled runner readiness: status=passed readiness_score=100 chain_complete=true observability=passed \
         controlled_execution_enabled=false failed_checks=none recommendation=ready_for_controlled_runner_design\n"
    );
    let without: Vec<_> = chain().into_iter().filter(|record| record.record_type() != ELIGIBILITY).collect();
    let ready = of_watched(&watched(&without), None);
    assert_eq!((ready.score, ready.status), (62, "failed"));
    assert_eq!(ready.recommendation, "complete_safe_retry_governance_baseline_first");
    assert_eq!(serde_json::to_value(&ready.exit_codes).expect("JSON"), json!({"trail": 1, "observability": 1}));
}

/// A value that no field expects.
fn junk() -> impl Strategy<Value = Json> {
    let texts = ["", " ", "approved", "skipped", "replay-retry-smoke-plan-1", "\u{1b}[2J", "s t", "UPPER"].map(|text| json!(text));
    let texts = proptest::sample::select(texts.to_vec());
    prop_oneof![
        texts,
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        Just(json!([])),
        Just(json!([[], {}, 1])),
        Just(json!({"proposal_id": {}, "executed": "false"})),
        ".{0,90}".prop_map(Json::from),
    ]
}

proptest! {
    #[test]
    fn any_records_in_any_order_are_judged(
        edits in proptest::collection::vec((0_usize..7, 0_usize..30, junk()), 0..6),
        places in proptest::collection::vec(0_usize..7, 0..12),
    ) {
        let mut whole = chain();
        for (place, field, said) in edits {
            let name = whole[place].members().keys().nth(field).cloned();
            whole[place].set(&name.filter(|name| name != "type").unwrap_or_else(|| "payload".to_owned()), said);
        }
        let chosen: Vec<_> = places.iter().map(|place| whole[*place].clone()).collect();
        let seen = watched(&chosen);
        let summary = &seen.summary;
        prop_assert_eq!(summary.total_records, chosen.len() as u64);
        prop_assert_eq!(summary.chain_sound, summary.unsound_reasons.is_empty());
        let mut once = places.clone();
        once.sort_unstable();
        once.dedup();
        // A record that stands twice, or before what it comes from, is never sound; the last three are siblings.
        let in_order = places.iter().map(|place| place.min(&4)).is_sorted() && once.len() == places.len();
        prop_assert!(!summary.chain_sound || (in_order && !places.is_empty() && seen.heartbeat.invalid == 0));
        prop_assert_eq!(seen.heartbeat.valid + seen.heartbeat.invalid, seen.heartbeat.records);
        let ready = of_watched(&seen, None);
        prop_assert_eq!(ready.checks.len(), 16);
        prop_assert!(!ready.controlled_execution_enabled);
        let escape = char::from(27);
        prop_assert!(!ready.to_text().contains(escape) && !summary.to_text().contains(escape));
    }
}
