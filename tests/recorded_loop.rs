//! What the recorded ledgers of the loop say when they are asked: a fixture that is valid record by
//! record may still be no trail.
#![expect(clippy::disallowed_methods, reason = "a test reads the fixtures")]

use landfall::contract::trail::Filters;
use landfall::experience::visibility::Visibility;
use landfall::governance::metrics::of_ledger;
use landfall::governance::observe::brief_of;
use landfall::governance::readiness::of_watched;
use landfall::governance::watch::{Watched, watch};
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Ledger, MemoryLedger, Record, Select};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What a ledger answers about its retry.
struct Answer {
    scenario: &'static str,
    /// The stages it has, in their order; all seven are a complete chain.
    has: &'static [&'static str],
    /// Why it is not sound; nothing when it is.
    unsound: &'static [&'static str],
    /// The readiness of the controlled runner, in hundredths.
    score: u32,
}

const ALL: &[&str] = &["proposal", "approval", "plan", "rendered_command", "rendered_command_result", "execution_eligibility", "result"];

/// Of sixteen checks one holds over any ledger: nothing is enabled.
const NOTHING_ENABLED: u32 = 6;

const ANSWERS: &[Answer] = &[
    Answer { scenario: "controlled-execution", has: ALL, unsound: &[], score: 100 },
    // Results of what was enabled are rejected, not skipped, and the observability check wants them skipped.
    // And they say enabled over a command that is not.
    Answer { scenario: "enabled-retry", has: ALL, unsound: &["terms_differ"], score: 81 },
    Answer { scenario: "experience-loop", has: &[], unsound: &["chain_empty"], score: NOTHING_ENABLED },
    Answer { scenario: "explorer-evidence", has: &[], unsound: &["chain_empty"], score: NOTHING_ENABLED },
    Answer { scenario: "failed-execution", has: &[], unsound: &["chain_empty"], score: NOTHING_ENABLED },
    Answer { scenario: "failed-replay", has: &[], unsound: &["chain_empty"], score: NOTHING_ENABLED },
    Answer {
        scenario: "nothing-to-run",
        has: &["approval", "execution_eligibility"],
        unsound: &["approval_not_approved", "parent_missing"],
        score: 38,
    },
    Answer { scenario: "rejected-execution", has: ALL, unsound: &[], score: 100 },
    Answer { scenario: "retry-governance", has: ALL, unsound: &[], score: 100 },
    Answer { scenario: "retry-policy", has: ALL, unsound: &[], score: 100 },
    Answer { scenario: "retry-rejected", has: &["proposal", "approval"], unsound: &["approval_not_approved"], score: 19 },
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/loop")
}

/// The ledger, in the order in which it was recorded.
fn ledger(scenario: &str) -> MemoryLedger {
    let text = fs::read_to_string(folder().join(scenario).join("records.jsonl")).expect("it reads");
    let (mut ledger, mut around) = (MemoryLedger::new("reader"), Scripted::new(0.0, 0.0));
    for line in text.lines() {
        let record = Record::parse(line).expect("a line is a record");
        assert_eq!(record.to_line(), line, "{scenario}: a record has sorted keys");
        let verdict = record.verdict();
        assert!(verdict.valid, "{scenario}: {:?} on {line}", verdict.reasons);
        let entry = ledger.publish(record, &mut around).expect("memory takes it");
        assert_eq!(entry.payload, line, "{scenario}: a ledger takes it as it is");
    }
    assert!(!ledger.is_empty(), "{scenario}");
    ledger
}

fn watched(ledger: &MemoryLedger) -> Watched {
    watch(ledger, Filters::default()).expect("memory answers")
}

/// The records of a type.
fn of_type(ledger: &MemoryLedger, record_type: &str) -> Vec<Record> {
    let mut found = Vec::new();
    let read = ledger.each(Select { types: &[record_type] }, &mut |entry| {
        found.push(Record::parse(&entry.payload).expect("it reads"));
        Ok(())
    });
    read.expect("memory answers");
    found
}

/// The only record of a type.
fn only(ledger: &MemoryLedger, record_type: &str) -> Record {
    let found = of_type(ledger, record_type);
    assert_eq!(found.len(), 1, "{record_type}");
    found.into_iter().next().expect("there is one")
}

#[test]
fn every_ledger_answers_what_it_must_about_its_retry() {
    let listed: BTreeSet<_> = ANSWERS.iter().map(|answer| answer.scenario.to_owned()).collect();
    let found = fs::read_dir(folder()).expect("it lists").map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
    assert_eq!(found.collect::<BTreeSet<_>>(), listed, "each ledger has its answer here");
    for answer in ANSWERS {
        let watched = watched(&ledger(answer.scenario));
        let (scenario, summary) = (answer.scenario, &watched.summary);
        let missing: Vec<_> = ALL.iter().filter(|stage| !answer.has.contains(stage)).collect();
        assert_eq!(summary.missing_stages.iter().map(String::as_str).collect::<Vec<_>>(), missing.into_iter().copied().collect::<Vec<_>>());
        assert_eq!(summary.chain_complete, answer.has == ALL, "{scenario}");
        let unsound: Vec<_> = summary.unsound_reason_counts.iter().map(|(reason, _)| reason.to_owned()).collect();
        assert_eq!(
            (unsound.as_slice(), summary.chain_sound),
            (&answer.unsound.iter().map(|reason| (*reason).to_owned()).collect::<Vec<_>>()[..], answer.unsound.is_empty()),
            "{scenario}"
        );
        let ready = of_watched(&watched, None);
        assert_eq!(ready.score, answer.score, "{scenario}: {:?}", ready.failed);
        assert!(!ready.controlled_execution_enabled, "{scenario}");
    }
}

#[test]
fn the_retry_has_the_ids_of_the_specification() {
    let summary = watched(&ledger("retry-governance")).summary;
    for (ids, id) in [
        ("proposal_ids", "replay-retry-349f847a54dd6077"),
        ("approval_ids", "replay-retry-approval-985fe41e02d50df3"),
        ("plan_ids", "replay-retry-plan-6b52d41a0bfbb42a"),
        ("rendered_command_ids", "replay-retry-rendered-37e58f5e6f88d4bc"),
        ("rendered_command_result_ids", "replay-retry-rendered-result-6aa35fe69fe5d0a4"),
        ("eligibility_ids", "replay-retry-eligibility-869ed2361edcee24"),
        ("result_ids", "replay-retry-result-replay-retry-plan-6b52d41a0bfbb42a"),
    ] {
        assert_eq!(summary.chain_ids[ids], BTreeSet::from([id.to_owned()]), "{ids}");
    }
}

#[test]
fn the_other_trail_is_of_the_other_profile_and_mode() {
    let summary = watched(&ledger("retry-policy")).summary;
    assert_eq!((summary.said("rendered_command_profiles", "patient"), summary.said("rendered_command_profiles", "standard")), (1, 0));
    assert_eq!((summary.said("decision_modes", "policy"), summary.said("decision_modes", "manual")), (3, 0));
}

#[test]
fn a_rejection_is_decided_by_somebody_and_ends_the_chain() {
    let ledger = ledger("retry-rejected");
    let approval = only(&ledger, "replay_lifecycle_retry_approval");
    assert_eq!((approval.text("status").as_str(), approval.text("approved_by").as_str()), ("rejected", "op-ben"));
    assert!(of_type(&ledger, "replay_lifecycle_retry_execution_plan").is_empty());
}

#[test]
fn the_experience_is_seen_whole_and_each_step_names_the_one_before() {
    let ledger = ledger("experience-loop");
    let (scenario, replay) = ("replay-runtime-reduce-risk-1", "runtime-run-replay-1");
    let seen = Visibility::collect(&ledger, scenario, replay, &of_ledger).expect("memory answers");
    assert!(seen.trail_counts.complete(), "{:?}", seen.trail_counts);
    assert_eq!((seen.memory_summary.replay_execution_evidence_records, seen.lifecycle_results_seen()), (1, 1));
    let [evidence, of_replay] = &of_type(&ledger, "evidence_record")[..] else { panic!("two are evidence") };
    assert_eq!(evidence.linked("directive_id"), "runtime-reduce-risk-1");
    let [memory, remembered] = &of_type(&ledger, "memory_record")[..] else { panic!("two are remembered") };
    assert_eq!(memory.linked("evidence_id"), evidence.text("evidence_id"));
    assert_eq!(remembered.linked("evidence_id"), of_replay.text("evidence_id"));
    let made = only(&ledger, "simulation_replay_scenario");
    assert_eq!((made.text("scenario_id").as_str(), made.text("memory_id")), (scenario, memory.text("memory_id")));
    let execution = only(&ledger, "simulation_replay_execution");
    assert_eq!((execution.text("scenario_id"), execution.text("directive_id")), (scenario.to_owned(), replay.to_owned()));
    assert_eq!(of_replay.linked("execution_id"), execution.text("execution_id"));
    let lifecycle = only(&ledger, "replay_evidence_lifecycle_result");
    let checks = lifecycle.get("checks").and_then(serde_json::Value::as_array).expect("it has checks");
    assert_eq!((lifecycle.text("status").as_str(), checks.len()), ("passed", 9));
    assert!(checks.iter().all(|check| check["status"] == "passed"), "{checks:?}");
}

#[test]
fn a_replay_that_nobody_answered_fails_with_its_reason_and_the_brief_proposes_a_retry() {
    let ledger = ledger("failed-replay");
    let (scenario, replay) = ("replay-manual-2", "runtime-run-replay-2");
    let seen = Visibility::collect(&ledger, scenario, replay, &of_ledger).expect("memory answers");
    assert!(!seen.trail_counts.complete());
    let lifecycle = only(&ledger, "replay_evidence_lifecycle_result");
    assert_eq!(lifecycle.text("payload.failure_reason"), "execution_not_observed_before_timeout");
    let brief = brief_of(&watched(&ledger));
    let mut asked = brief.recommended_actions.iter().map(|action| Record::from_map(action.payload.clone()));
    let retry = asked.find(|action| action.text("recommendation") == "retry_replay_lifecycle_check").expect("it recommends a retry");
    assert_eq!(retry.text("security_replay_lifecycle_timeouts"), "1");
    let evidence = only(&ledger, "evidence_record");
    assert_eq!((evidence.text("status").as_str(), evidence.text("confidence").as_str()), ("failed", ""));
    assert_eq!(only(&ledger, "memory_record").text("status"), "failed", "what failed is remembered too");
}
