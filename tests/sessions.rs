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
            starter: &mut landfall::edge::process::GuardedStarter,
            host: landfall::edge::process::host,
            ledger_variable: None,
            variables: |_| None,
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

#[test]
fn a_policy_asks_for_more_and_is_not_the_sessions_to_change() {
    let wrapper = scenarios().into_iter().find(|path| path.ends_with("honest-wrapper")).expect("the scenario");
    let masked = scenarios().into_iter().find(|path| path.ends_with("masked-silent-run")).expect("the scenario");
    let folder = tempfile::tempdir().expect("a folder");
    let audit = |scenario: &Path, policy: &str, more: &[&str]| {
        let path = folder.path().join("policy.json");
        std::fs::write(&path, policy).expect("it writes");
        let fixed = ["audit", "session.jsonl", "--format", "json", "--policy", path.to_str().expect("text")];
        landfall(scenario, &[&fixed[..], more].concat(), b"")
    };
    let of = |rest: &str| format!("{{\"schema_version\": \"landfall/audit-policy/v1\"{rest}}}");
    let (exit, printed) = audit(&wrapper, &of(""), &[]);
    assert_eq!(exit, Exit::Pass, "{printed}");
    let digest = first_value(&printed)["policy"]["digest"].as_str().expect("a digest").to_owned();
    assert!(digest.starts_with("sha256:") && digest.len() == 71);
    assert_eq!(audit(&masked, &of(""), &[]).0, Exit::Pass);
    assert_eq!(audit(&masked, &of(r#", "blocks": ["not_shown"]"#), &[]).0, Exit::Blocked);
    let blocks = |rest: &str| of(&format!(", \"blocks\": [\"not_shown\"]{rest}"));
    assert_eq!(audit(&wrapper, &blocks(""), &[]).0, Exit::Pass);
    assert_eq!(audit(&wrapper, &blocks(r#", "seen_red": true"#), &[]).0, Exit::Blocked, "no failure was seen before the pass");
    assert_eq!(audit(&wrapper, &blocks(r#", "validations": ["go test"]"#), &[]).0, Exit::Blocked, "pytest does not count");
    assert_eq!(audit(&wrapper, &of(r#", "touchable_paths": ["harbour/", "tests"]"#), &[]).0, Exit::Pass);
    assert_eq!(audit(&wrapper, &of(r#", "touchable_paths": ["harbour/"]"#), &[]).0, Exit::Blocked);
    assert_eq!(audit(&wrapper, &of(r#", "seen_rad": true"#), &[]).0, Exit::Usage, "a misspelt key asks for nothing");

    // The session edits harbour/berths.py: a policy of that name is its own work.
    let copy = folder.path().join("harbour");
    std::fs::create_dir(&copy).expect("a folder");
    std::fs::copy(wrapper.join("session.jsonl"), folder.path().join("session.jsonl")).expect("it copies");
    std::fs::write(copy.join("berths.py"), of("")).expect("it writes");
    let own = ["audit", "session.jsonl", "--format", "json", "--policy", "harbour/berths.py"];
    let (exit, printed) = landfall(folder.path(), &own, b"");
    assert_eq!(exit, Exit::Blocked, "{printed}");
    assert!(!printed.contains("supported"), "nothing was judged: {printed}");
    let (exit, printed) = landfall(folder.path(), &[&own[..], &["--allow-changed-policy"]].concat(), b"");
    assert_eq!(exit, Exit::Pass);
    assert_eq!(first_value(&printed)["policy"]["changed_by_session"], json!(true));
}
