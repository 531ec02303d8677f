//! The first wave's own evidence, taken as deep as it goes: every fact of its rows is derived from what lies beside them.
//!
//! The paths and both HEADs come from the bundle's objects, the movement from the reflog, the order, the outcome, the
//! blocker and the completion from the work log, whose entries are chained by digest. Nothing here believes a row.

#![expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]

use landfall::evidence::git::Repository;
use landfall::evidence::reflog::{self, Movement};
use landfall::evidence::summary::{Shown, of_output};
use landfall::json::digest_of;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn wave() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/first-wave")
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(wave().join(path)).unwrap_or_else(|_| panic!("{path} is there"))
}

fn rows() -> Vec<Value> {
    let table: Value = serde_json::from_slice(&bytes("work_landing_runs.json")).expect("JSON");
    table["work_landing_runs"].as_array().expect("rows").clone()
}

fn ledger() -> Vec<Value> {
    String::from_utf8(bytes("evidence/work-ledger.jsonl"))
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an entry"))
        .collect()
}

fn entry<'l>(ledger: &'l [Value], row: &Value, kind: &str) -> Option<&'l Value> {
    ledger.iter().find(|entry| entry["item"] == row["run_id"] && entry["kind"] == kind)
}

fn texts(value: &Value) -> BTreeSet<String> {
    value.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// The movements of a ref, from the recorded copy with a heading for each.
fn movements(name: &str) -> Vec<Movement> {
    let all = String::from_utf8(bytes("evidence/reflog.txt")).expect("text");
    let from = all.split_once(&format!("# {name}\n")).expect("the ref is there").1;
    reflog::read(from.split("# ").next().unwrap_or_default()).expect("a reflog")
}

#[test]
fn the_work_log_is_one_chain() {
    let text = String::from_utf8(bytes("evidence/work-ledger.jsonl")).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    for (pair, entry) in lines.windows(2).zip(ledger().iter().skip(1)) {
        assert_eq!(entry["previous"], digest_of(pair[0].as_bytes()), "entry {}", entry["number"]);
    }
    assert!(lines.len() > 10);
}

#[test]
fn paths_and_heads_are_those_of_the_objects_and_the_reflog() {
    let repository = Repository::of_pack(&bytes("evidence/history.bundle")).expect("a bundle");
    let (head, main) = (movements("HEAD"), movements("refs/heads/main"));
    let mut landed = 0;
    for row in rows() {
        let (before, after) = (text(&row["head_before"]), text(&row["head_after"]));
        assert!(repository.commit(before).is_some() && repository.commit(after).is_some(), "both HEADs are commits");
        if row["commit_claimed_landed"] == true {
            landed += 1;
            assert_eq!(
                repository.changed_paths(after),
                Some(texts(&row["claimed_path_refs"])),
                "the commit holds what is claimed, and nothing else"
            );
            assert_eq!(repository.commit(after).expect("a commit").parents, [before]);
            assert_eq!(repository.reaches(after, before), Some(true));
            for log in [&head, &main] {
                assert!(log.iter().any(|movement| movement.old == before && movement.new == after), "the ref moved from one to the other");
            }
        } else {
            assert_eq!(before, after);
            assert_eq!(head.last().map(|movement| movement.new.as_str()), Some(after), "HEAD did not move again");
        }
    }
    assert_eq!(landed, 1);
    assert_eq!(head.len(), 2, "every movement belongs to a row, or came before all of them");
}

#[test]
fn validations_ran_passed_and_came_first() {
    let ledger = ledger();
    for row in rows() {
        let validation = &entry(&ledger, &row, "validation").expect("a validation")["facts"];
        let log = text(&validation["log_ref"]);
        assert_eq!(texts(&row["validation_refs"]), BTreeSet::from([log.to_owned()]));
        assert_eq!(validation["log_sha256"], digest_of(&bytes(log)), "the log is the one that was recorded");
        let outcome = &row["validation_outcomes"][0];
        assert_eq!(outcome["producing_command"], validation["command"]);
        assert_eq!(outcome["exit_code"], validation["exit_code"]);
        let output = String::from_utf8(bytes(log)).expect("text");
        let (_, printed) = output.split_once("--- output\n").expect("the runner's own words");
        let summary = of_output(printed, true).expect("a summary");
        assert_eq!(summary.shown, Shown::Passed);
        assert_eq!(outcome["passed"], summary.counts.passed, "counted by the runner");
        // Times of one clock in one spelling compare as text.
        let attempt = entry(&ledger, &row, "attempt");
        let precedes = attempt.is_some_and(|attempt| {
            text(&validation["ended_at"]) <= text(&attempt["at"]) && attempt["facts"]["content"] == validation["content"]
        });
        assert_eq!(row["validation_precedes_commit_attempt"], precedes, "{}", row["run_id"]);
    }
}

#[test]
fn blockers_are_captured_and_work_is_closed() {
    let ledger = ledger();
    for row in rows() {
        let number: usize = text(&row["work_ledger_closeout_ref"]).rsplit_once("#L").expect("a line").1.parse().expect("a number");
        let closeout = &ledger[number - 1];
        assert_eq!((&closeout["item"], text(&closeout["kind"])), (&row["run_id"], "closeout"));
        assert_eq!(closeout["facts"]["landing_status"], row["landing_status"]);
        assert_eq!(closeout["facts"]["head_after"], row["head_after"]);
        assert_eq!(row["unrelated_dirty_paths_staged"], !texts(&closeout["facts"]["unrelated_staged"]).is_empty());
        for (kind, named) in [("blocker", "blocker_ref"), ("stop", "stop_ref")] {
            let Some(captured) = entry(&ledger, &row, kind).map(|entry| &entry["facts"]) else { continue };
            assert_eq!(captured[named], row["blocker_capture_ref"]);
            let capture = bytes(text(&captured[named]));
            assert_eq!(captured[format!("{kind}_sha256")], digest_of(&capture));
            if kind == "blocker" {
                let capture: Value = serde_json::from_slice(&capture).expect("JSON");
                assert_eq!(texts(&capture["paths"]), texts(&row["claimed_path_refs"]));
                assert_ne!(capture["refusal"]["git_exit_code"], 0, "Git said no");
                assert_eq!(captured["patch_sha256"], digest_of(&bytes(text(&captured["patch_ref"]))), "the work is kept");
            }
        }
        assert_eq!(row["blocker_capture_ref"] == "", row["commit_claimed_landed"] == true);
    }
}
