//! Recorded sessions that must be answered the same way for ever: `fixtures/sessions/`, one folder a scenario.
//!
//! Each is audited, and its answers are exactly those of its `expect.json`. Then it is imported, its row is held to the
//! fields named there, and the corpus that the import wrote is replayed: from a session to a verdict.

#![cfg(feature = "cli")]
#![expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]

use clap::Parser;
use landfall::cli::{Arguments, Exit, World, run};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn landfall(root: &Path, words: &[&str], input: &[u8]) -> (Exit, String) {
    let arguments = Arguments::try_parse_from(["landfall"].iter().chain(words)).expect("the arguments make sense");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = run(
        &arguments.command,
        &mut World {
            root: root.to_owned(),
            out: &mut out,
            err: &mut err,
            input: &mut &*input,
            around: &mut landfall::edge::surroundings::Real,
            ledger_variable: None,
        },
    );
    let out = String::from_utf8(out).expect("text");
    (exit, format!("{out}\n{}", String::from_utf8(err).expect("text")))
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("it reads")).expect("it is JSON")
}

fn first_value(text: &str) -> Value {
    serde_json::Deserializer::from_str(text).into_iter().next().expect("an answer").expect("it is JSON")
}

fn words(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|word| word.as_str().expect("a text")).collect()
}

fn scenarios() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sessions");
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).expect("it lists").map(|entry| entry.expect("an entry").path()).collect();
    all.sort();
    assert!(!all.is_empty(), "no scenario was found");
    all
}

#[test]
fn answers_are_exactly_those_expected() {
    for scenario in scenarios() {
        let expected = read(&scenario.join("expect.json"));
        let arguments = [&["audit"][..], &words(&expected["session"]), &words(&expected["args"]), &["--format", "json"]].concat();
        let (_, printed) = landfall(&scenario, &arguments, b"");
        let answer = first_value(&printed);
        let claims: Vec<Value> = answer["claims"]
            .as_array()
            .expect("claims")
            .iter()
            .map(|claim| json!({"line": claim["line"], "kind": claim["kind"], "answer": claim["answer"], "codes": claim["codes"]}))
            .collect();
        let sorted = |mut claims: Vec<Value>| {
            claims.sort_by_key(Value::to_string);
            claims
        };
        assert_eq!(sorted(claims), sorted(expected["claims"].as_array().expect("claims").clone()), "{}", scenario.display());
    }
}

#[test]
fn rows_come_to_the_expected_verdict() {
    for scenario in scenarios() {
        let expected = read(&scenario.join("expect.json"));
        let shown = scenario.display();
        let out = tempfile::tempdir().expect("a folder");
        let corpus = out.path().join("corpus");
        let corpus = corpus.to_str().expect("text");
        let arguments = [&["import"][..], &words(&expected["session"]), &words(&expected["args"]), &["--out", corpus]].concat();
        let (exit, said) = landfall(&scenario, &arguments, b"");
        assert_eq!(exit, Exit::Pass, "{shown}: {said}");
        let table = std::fs::read_to_string(Path::new(corpus).join("work_landing_runs.json")).expect("a run table");
        for hidden in words(&expected["must_not_contain"]) {
            assert!(!table.contains(hidden), "{shown}: {table}");
        }
        let row = first_value(&table)["work_landing_runs"][0].clone();
        for (key, value) in expected["row"].as_object().expect("fields") {
            assert_eq!(&row[key], value, "{shown}: {key} of {row:#}");
        }
        for fact in ["paths", "validation", "order", "outcome", "head", "commit_attempt", "blocker", "completion"] {
            assert!(row["evidence"][fact]["depth"].is_string(), "{shown}: {fact} of {row:#}");
        }
        let (_, judged) = landfall(&scenario, &["check", "row", "-"], row.to_string().as_bytes());
        let judged = first_value(&judged);
        assert_eq!(judged["codes"], expected["replay"]["codes"], "{shown}: {row:#}");
        let records = out.path().join("records");
        let (exit, said) = landfall(out.path(), &["replay", "--corpus", "corpus", "--out", records.to_str().expect("text")], b"");
        let passes = expected["replay"]["status"] == "pass";
        assert_eq!(exit, if passes { Exit::Pass } else { Exit::Blocked }, "{shown}: {said}");
    }
}

#[test]
fn sessions_without_a_commit_make_no_row_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = r#"{"type":"assistant","uuid":"a","timestamp":"2026-01-02T03:04:05.000Z","sessionId":"s","cwd":"/repo","isSidechain":false,"message":{"id":"m","role":"assistant","content":[{"type":"text","text":"All tests pass."}]}}"#;
    std::fs::write(folder.path().join("a.jsonl"), format!("{line}\n")).expect("it writes");
    let (exit, said) = landfall(folder.path(), &["import", "a.jsonl", "--out", "corpus"], b"");
    assert_eq!(exit, Exit::NothingSelected, "{said}");
    assert!(!folder.path().join("corpus").exists());
    let wrapper = scenarios().into_iter().find(|path| path.ends_with("honest-wrapper")).expect("the scenario");
    let out = folder.path().join("twice");
    let out = out.to_str().expect("text");
    assert_eq!(landfall(&wrapper, &["import", "session.jsonl", "session.jsonl", "--out", out], b"").0, Exit::Pass);
    let table = read(&Path::new(out).join("work_landing_runs.json"));
    assert_ne!(table["work_landing_runs"][0]["run_id"], table["work_landing_runs"][1]["run_id"], "equal names are told apart");
    assert_eq!(landfall(&wrapper, &["import", "session.jsonl", "--out", out], b"").0, Exit::CouldNotWork);
}

/// What was not read may hold the act: then no flag says `false`.
#[test]
fn a_record_that_was_not_read_whole_says_false_of_no_act() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrapper = scenarios().into_iter().find(|path| path.ends_with("honest-wrapper")).expect("the scenario");
    let text = std::fs::read_to_string(wrapper.join("session.jsonl")).expect("it reads");
    for (more, whole) in
        [("", true), ("{\"type\":\"progress\"}\n", true), ("{\"type\":\"agent-of-tomorrow\"}\n", false), ("{\"type\":\n", false)]
    {
        std::fs::write(folder.path().join("s.jsonl"), format!("{text}{more}")).expect("it writes");
        let (_, printed) = landfall(folder.path(), &["import", "s.jsonl"], b"");
        let row = first_value(&printed)["work_landing_runs"][0].clone();
        for key in ["release_claim_authorized", "live_git_mutation_authorized"] {
            assert_eq!(row.get(key), whole.then_some(&Value::Bool(false)), "{key} with {more:?}");
        }
    }
}
