//! How landfall's own work landed, by the evidence that `cargo xtask record-landing` kept: nothing here believes a row.
//!
//! Heads, paths and descent come from the recorded objects, the movement of main from its reflog, the validation from what it
//! printed. It came first: what was validated is the tree that main then moved to, by the same clock.

#![expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]

use landfall::evidence::git::Repository;
use landfall::evidence::reflog;
use landfall::evidence::summary::{Shown, of_output};
use landfall::json::digest_of;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn bytes(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/self").join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(path: &str) -> Value {
    serde_json::from_slice(&bytes(path)).expect("JSON")
}

fn rows() -> Vec<Value> {
    let rows = json("work_landing_runs.json")["work_landing_runs"].as_array().expect("rows").clone();
    assert!(!rows.is_empty(), "no landing of our own is recorded");
    rows
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn evidence(row: &Value, file: &str) -> Vec<u8> {
    bytes(&format!("evidence/{}/{file}", text(&row["run_id"])))
}

#[test]
fn heads_paths_and_descent_are_those_of_the_objects() {
    for row in rows() {
        let objects = Repository::of_pack(&evidence(&row, "objects.pack")).expect("a pack");
        let (before, after) = (text(&row["head_before"]), text(&row["head_after"]));
        let claimed: BTreeSet<String> =
            row["claimed_path_refs"].as_array().expect("a list").iter().map(|path| text(path).to_owned()).collect();
        assert_eq!(
            objects.paths_between(Some(before), after),
            Some(claimed),
            "{}: all that changed is claimed, and nothing else",
            row["run_id"]
        );
        assert_eq!(objects.reaches(after, before), Some(true), "{}", row["run_id"]);
    }
}

#[test]
fn main_moved_from_the_one_to_the_other() {
    for row in rows() {
        let log = String::from_utf8(evidence(&row, "reflog.txt")).expect("text");
        let moved = reflog::read(&log).expect("a reflog");
        assert_eq!(moved.first().map(|movement| &*movement.old), row["target_ref_before"].as_str(), "{}", row["run_id"]);
        assert_eq!(moved.last().map(|movement| &*movement.new), row["target_ref_after"].as_str(), "{}", row["run_id"]);
        assert!(moved.windows(2).all(|pair| pair[0].new == pair[1].old), "{}: no movement is left out", row["run_id"]);
        assert!(moved.iter().all(reflog::Movement::lands), "{}: nothing was reset", row["run_id"]);
    }
}

#[test]
fn what_landed_is_what_was_validated() {
    for row in rows() {
        let closeout = json(text(&row["work_ledger_closeout_ref"]));
        let objects = Repository::of_pack(&evidence(&row, "objects.pack")).expect("a pack");
        let landed = objects.commit(text(&row["head_after"])).expect("the commit").tree;
        assert_eq!(text(&closeout["tree_validated"]), landed, "{}: validated before main moved to it", row["run_id"]);

        let moved = reflog::read(&String::from_utf8(evidence(&row, "reflog.txt")).expect("text")).expect("a reflog");
        let validated = closeout["validated_at"].as_i64().expect("seconds since 1970");
        assert!(moved.iter().all(|movement| validated <= movement.at), "{}: main moved before the validation ended", row["run_id"]);

        let (log, outcome) = (evidence(&row, "validation.log"), &row["validation_outcomes"][0]);
        assert_eq!(closeout["log_sha256"], digest_of(&log));
        assert_eq!((&closeout["exit_code"], &closeout["command"]), (&outcome["exit_code"], &outcome["producing_command"]));
        let summary = of_output(&String::from_utf8(log).expect("text"), true).expect("a summary");
        assert_eq!(summary.shown, Shown::Passed, "{}", row["run_id"]);
        assert_eq!((&outcome["passed"], &outcome["failed"]), (&summary.counts.passed.into(), &summary.counts.failed.into()));
    }
}
