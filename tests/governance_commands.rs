//! The governance commands over a ledger file: flags, streams, exit codes.
#![cfg(feature = "cli")]

use clap::Parser;
use landfall::cli::{Arguments, Exit, World, run};
use landfall::edge::surroundings::Real;
use serde_json::{Value as Json, json};
use std::path::Path;

struct Ran {
    exit: u8,
    out: String,
    err: String,
}

impl Ran {
    fn json(&self) -> Json {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// Runs a command in a folder, with its ledger at the default place.
fn landfall(folder: &Path, line: &str) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = ["landfall", "loop"].into_iter().chain(line.split(' ')).map(|word| word.trim_matches('\''));
    let exit = match Arguments::try_parse_from(words) {
        Err(_) => Exit::Usage,
        Ok(arguments) => {
            let mut around = Real;
            let mut world = World {
                root: folder.to_owned(),
                out: &mut out,
                err: &mut err,
                input: &mut std::io::empty(),
                around: &mut around,
                starter: &mut landfall::edge::process::GuardedStarter,
                host: landfall::edge::process::host,
                ledger_variable: None,
                variables: |_| None,
            };
            run(&arguments.command, &mut world)
        }
    };
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { exit: exit as u8, out: text(out), err: text(err) }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

const LEDGER: &str = "data/cluster_runtime/latest/ledgers/swarm_crdt.local.db";

#[test]
fn the_smoke_keeps_its_table_over_a_file() {
    let folder = folder();
    let ran = |line: &str| landfall(folder.path(), line);
    let fresh = ran("smoke governance --require-clean");
    assert_eq!(fresh.exit, 0, "{}", fresh.err);
    for said in
        ["status=passed", "reason=ok", "records_seeded=5", "chain_records=7", "six_stage=true", "seven_stage=true", "execution_blocked=1"]
    {
        assert!(fresh.out.split_whitespace().any(|word| word == said), "{said}: {}", fresh.out);
    }
    let again = ran("smoke governance --json");
    let json = again.json();
    assert_eq!((again.exit, &json["records_seeded"], &json["existing_complete"]), (0, &json!(0), &json!(true)));
    assert_eq!(json["trail_summary"]["chain_sound"], true);
    let clean = ran("smoke governance --require-clean --json");
    let json = clean.json();
    assert_eq!((clean.exit, &json["reason"], &json["existing_records"]), (1, &json!("existing_retry_governance_records"), &json!(7)));
    assert_eq!((&json["trail_summary"], &json["observability"]), (&json!({}), &json!({})));
    let ready = ran("readiness runner --proposal-id replay-retry-smoke-proposal-1 --json");
    assert_eq!((ready.exit, &ready.json()["readiness_score"]), (0, &json!(100)));
    let seen = ran("observe governance --json");
    assert_eq!((seen.exit, &seen.json()["status"]), (0, &json!("passed")));
    assert_eq!(seen.json()["proposal_id"], Json::Null);
    assert!(seen.out.starts_with("{\n  \"brief_key_metrics\""), "sorted keys, two spaces");
    assert_eq!(ran("inspect --require-complete --require-sound").exit, 0);
}

#[test]
fn readers_need_a_ledger_and_publish_nothing() {
    let folder = folder();
    for line in ["inspect", "observe governance", "readiness runner", "metrics", "brief"] {
        let ran = landfall(folder.path(), line);
        assert_eq!((ran.exit, ran.out.as_str()), (3, ""), "{line}");
        assert!(!ran.err.is_empty(), "{line}");
    }
    assert!(!folder.path().join("data").exists(), "no reader makes a ledger");
    assert_eq!(landfall(folder.path(), "smoke runtime").exit, 0);
    assert!(!folder.path().join("data").exists(), "the runtime smoke never opens the live ledger");
    let entry = &landfall(folder.path(), "smoke runtime --json").json()["entries"][0];
    let wanted = json!({
        "name": "retry_governance_smoke", "passed": true, "status": "passed", "records_seeded": 5, "chain_complete": true,
        "observability": "passed",
    });
    assert_eq!(*entry, wanted);
}

#[test]
fn bad_flags_are_usage_and_make_no_ledger() {
    let folder = folder();
    for line in [
        "seed trail --proposal-id ''",
        "seed trail --proposal-id a;b",
        "seed trail --source ''",
        "seed trail --timeout-profile fast",
        "seed trail --decision-mode auto",
        "smoke governance --plan-id ''",
        "smoke governance --timeout-profile fast",
        "run plans --source ''",
        "run rendered --plan-id ''",
        "build no_such_type",
        "build approval",
        "build approval --proposal-id p",
        "build rendered_command --scenario-id s",
        "inspect --proposal-id ''",
        "observe everything",
    ] {
        assert_eq!(landfall(folder.path(), line).exit, 2, "{line}");
    }
    assert!(!folder.path().join("data").exists());
}

#[test]
fn a_trail_is_seeded_run_and_inspected_step_by_step() {
    let folder = folder();
    let ran = |line: &str| landfall(folder.path(), line);
    let seeded = ran("seed trail");
    assert_eq!(seeded.exit, 0, "{}", seeded.err);
    assert!(seeded.out.ends_with("records=5 skipped=0 refused=0\n"), "{}", seeded.out);
    assert!(folder.path().join(LEDGER).exists());
    let half = ran("inspect --require-complete");
    assert_eq!(half.exit, 1);
    assert!(half.out.contains("missing_stages=rendered_command_result,execution_eligibility\n"), "{}", half.out);
    assert_eq!(ran("inspect --require-sound").exit, 0, "half a chain may be sound");
    assert!(ran("run plans").out.starts_with("results=0 "));
    let run = ran("run rendered --json");
    assert_eq!((run.exit, &run.json()["results"]), (0, &json!(1)));
    assert!(ran("run rendered").out.starts_with("results=0 "));
    assert!(ran("build replay_lifecycle_retry_execution_eligibility").out.contains("status=blocked reason=execution_disabled\nrecords=1 "));
    assert!(ran("build eligibility").out.starts_with("records=0 "));
    assert_eq!(ran("build eligibility --rendered-command-id none").exit, 0);
    assert_eq!(ran("inspect --require-complete --require-sound").exit, 0);
    let none = ran("inspect --proposal-id none --require-sound");
    assert_eq!(none.exit, 1, "nothing is not sound");
    let again = ran("seed trail");
    assert!(again.out.ends_with("records=0 skipped=5 refused=0\n") && again.err.contains("stays as it is"));
    let no = ran("build approval --proposal-id replay-retry-seed-proposal-1 --approved-by me --status rejected");
    assert_eq!(no.exit, 1);
    assert!(no.out.contains("reasons=already_has_another"), "{}", no.out);
    assert_eq!(ran("build approval --proposal-id none --approved-by me").exit, 4);
    let metrics = ran("metrics");
    assert!(metrics.out.contains("\nsecurity_validation_records=7\n") && metrics.exit == 0);
    let brief = ran("brief --json").json();
    assert_eq!((&brief["status"], &brief["type"]), (&json!("healthy"), &json!("swarm_brief")));
    assert!(ran("brief --proposal-id replay-retry-seed-proposal-1").out.contains("blocked=1"));
}

/// Lays an operation over the smoke's approval that no ledger of ours would write.
fn overlay(folder: &Path, kind: &str, payload: &str) {
    let ledger = rusqlite::Connection::open(folder.join(LEDGER)).expect("it opens");
    let over = "INSERT INTO ops SELECT 'over', node_id, clock + 100, ?1, gid, ?2, ts FROM ops \
                WHERE json_extract(payload, '$.type') = 'replay_lifecycle_retry_approval'";
    assert_eq!(ledger.execute(over, [kind, payload]).expect("it writes"), 1);
}

#[test]
fn what_cannot_be_read_is_never_passed_by() {
    let duplicate = r#"{"type":"note","type":"replay_lifecycle_retry_approval","status":"rejected"}"#;
    let escaped = r#"{"ty\u0070e":"replay_lifecycle_retry_approval","type":"note"}"#;
    let nested = r#"{"type":"note","a":{"x":1,"x":2}}"#;
    let odd = [
        nested,
        r#"{"type":"note","a":"\ud800"}"#,
        "{",
        "",
        "[1]",
        "7",
        r#"{"type":"note",}"#,
        r#"{"status":"rejected"}"#,
        r#"{"type":7}"#,
        duplicate,
        escaped,
    ];
    for (kind, payload) in odd.into_iter().map(|payload| ("upsert", payload)).chain([("drop", "{}"), ("delete", "{\"type\":\"note\"}")]) {
        let folder = folder();
        let ran = |line: &str| landfall(folder.path(), line);
        assert_eq!(ran("smoke governance").exit, 0);
        overlay(folder.path(), kind, payload);
        let inspected = ran("inspect --require-sound --json");
        assert_eq!(inspected.exit, 1, "{kind} {payload}");
        assert_eq!(inspected.json()["unsound_reason_counts"]["record_unreadable"], 1, "{kind} {payload}");
        let observed = ran("observe governance --json");
        assert_eq!((observed.exit, &observed.json()["unreadable_records"]), (1, &json!(1)), "{kind} {payload}");
        let ready = ran("readiness --json");
        assert!(ready.json()["failed_checks"].to_string().contains("no_security_validation_failures"), "{kind} {payload}");
        assert_eq!(ready.exit, 1);
    }
    // A tombstone and a record of another type do read.
    for (kind, payload) in [("delete", "{}"), ("upsert", r#"{"type":"note"}"#), ("upsert", r#"{"type":"A note"}"#)] {
        let folder = folder();
        landfall(folder.path(), "smoke governance");
        overlay(folder.path(), kind, payload);
        let counts = landfall(folder.path(), "inspect --json").json()["unsound_reason_counts"].to_string();
        assert!(!counts.contains("record_unreadable"), "{kind} {payload}: {counts}");
    }
}

#[test]
fn the_smoke_asks_for_a_complete_and_observed_trail_and_shows_whether_it_is_sound() {
    let folder = folder();
    let ran = |line: &str| landfall(folder.path(), line);
    assert_eq!(ran("smoke governance").exit, 0);
    for flag in ["--approval-id", "--plan-id", "--rendered-command-id"] {
        let again = ran(&format!("smoke governance {flag} another --json"));
        let json = again.json();
        assert_eq!((again.exit, &json["status"], &json["reason"]), (0, &json!("passed"), &json!("ok")), "{flag}: {}", again.out);
        assert_eq!((&json["trail_summary"]["chain_sound"], &json["exit_codes"]["trail"]), (&json!(false), &json!(0)), "{flag}");
    }
    assert_eq!(ran("inspect --require-sound").exit, 1);
}

#[test]
fn a_clean_proposal_has_no_record_that_names_it_anywhere() {
    let folder = folder();
    let ran = |line: &str| landfall(folder.path(), line);
    assert_eq!(ran("seed trail --proposal-id other").exit, 0);
    let ledger = rusqlite::Connection::open(folder.path().join(LEDGER)).expect("it opens");
    let edit = "UPDATE ops SET payload = json_set(payload, '$.payload.proposal_id', 'wanted') \
                WHERE json_extract(payload, '$.type') = 'replay_lifecycle_retry_execution_plan'";
    assert_eq!(ledger.execute(edit, []).expect("it edits"), 1);
    let smoke = ran("smoke governance --require-clean --proposal-id wanted --json");
    assert_eq!((smoke.exit, &smoke.json()["existing_records"]), (1, &json!(1)), "{}", smoke.out);
}

#[test]
fn a_runner_counts_what_has_its_record() {
    let folder = folder();
    let ran = |line: &str| landfall(folder.path(), line);
    assert_eq!(ran("smoke governance").exit, 0);
    for (line, counted, parent) in [
        ("run plans", "results", "replay-retry-smoke-plan-1"),
        ("run rendered", "results", "replay-retry-smoke-rendered-command-1"),
        ("build eligibility", "records", "replay-retry-smoke-rendered-command-1"),
    ] {
        let again = ran(line);
        assert_eq!(again.exit, 0);
        assert!(again.out.ends_with(&format!("{counted}=0 skipped=1 refused=0\n")), "{line}: {}", again.out);
        assert!(again.err.contains(parent) && again.err.contains("skipped"), "{line}: {}", again.err);
    }
}
