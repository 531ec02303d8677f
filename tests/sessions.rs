//! Recorded sessions that must be answered the same way for ever: `fixtures/sessions/`, one folder a scenario.
//!
//! Each is audited, and its answers are exactly those of its `expect.json`. Then it is imported, its row is held to the
//! fields named there, and the corpus that the import wrote is replayed: from a session to a verdict.

#![cfg(feature = "cli")]
#![expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]

#[path = "sessions/in_process.rs"]
mod in_process;

use in_process::Printed;
use landfall::cli::Exit;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What a command exits with, and what it says.
fn landfall(root: &Path, words: &[&str], input: &[u8]) -> (Exit, String) {
    let Printed { exit, out, err } = in_process::landfall(root, words, input);
    (exit, format!("{out}\n{err}"))
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

/// A session that edits, tests and commits `2222222` on main, and says so.
fn committed_session() -> String {
    let mut lines = Vec::new();
    let mut record = |role: &str, content: Value| {
        let number = lines.len();
        lines.push(
            json!({"type": role, "uuid": format!("u{number}"), "sessionId": "s", "timestamp": format!("2026-09-21T15:10:{:02}.000Z", 2 * number),
                "cwd": "/srv/x", "isSidechain": false, "message": {"role": role, "id": format!("m{number}"), "content": content}})
            .to_string(),
        );
    };
    let ran = [
        ("cargo test", "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"),
        ("git commit -am x", "[main 8913587] x\n 1 file changed"),
    ];
    record("assistant", json!([{"type": "tool_use", "id": "e", "name": "Edit", "input": {"file_path": "/srv/x/src/a.rs"}}]));
    record("user", json!([{"type": "tool_result", "tool_use_id": "e", "content": "ok"}]));
    for (number, (command, output)) in ran.into_iter().enumerate() {
        let id = format!("t{number}");
        record("assistant", json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]));
        record("user", json!([{"type": "tool_result", "tool_use_id": id, "content": output}]));
    }
    record("assistant", json!([{"type": "text", "text": "Committed to main as 8913587; all tests pass."}]));
    lines.join("\n") + "\n"
}

/// As deep as *attested* goes only what a key signed that the policy names.
#[test]
fn a_signature_counts_where_the_policy_names_its_key() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("session.jsonl"), committed_session()).expect("it writes");
    let attestations = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/attestations");
    std::fs::copy(attestations.join("ed25519.dsse.json"), folder.path().join("ci.json")).expect("it is copied");
    let keys = read(&attestations.join("keys.json"));
    let policy = |name: &str, key: &str| {
        let policy = json!({"schema_version": "landfall/audit-policy/v1", "attestation_keys": [{"name": name, "public_key": keys[key]}]});
        std::fs::write(folder.path().join("policy.json"), policy.to_string()).expect("it writes");
    };
    let outcome = |more: &[&str]| {
        let (exit, printed) = landfall(folder.path(), &[&["import", "session.jsonl", "--evidence", "ci.json"], more].concat(), b"");
        assert_eq!(exit, Exit::Pass, "{printed}");
        first_value(&printed)["work_landing_runs"][0]["evidence"]["outcome"].clone()
    };
    let unsigned = outcome(&[]);
    assert_eq!((&unsigned["depth"], unsigned["subject_commit"].is_string()), (&json!("derived"), true), "matched by digest only");
    policy("ed25519", "ed25519");
    let signed = outcome(&["--policy", "policy.json"]);
    assert_eq!((&signed["depth"], &signed["signed_by"]), (&json!("attested"), &json!("ed25519")));
    let audit = |reason: &str| {
        let (_, printed) = landfall(
            folder.path(),
            &["audit", "session.jsonl", "--evidence", "ci.json", "--policy", "policy.json", "--format", "json"],
            b"",
        );
        assert_eq!(first_value(&printed)["policy"]["statements"], json!([{"file": "ci.json", "signature": reason}]), "{printed}");
    };
    audit("signed by ed25519");
    policy("ed25519", "other");
    let other = outcome(&["--policy", "policy.json"]);
    assert_eq!((&other["depth"], other.get("subject_commit")), (&json!("derived"), None), "not signed by it, it is no evidence");
    audit("signature is not of this payload");
    policy("ci", "p256");
    audit("signed by no key that the policy names");
    policy("ci", "rsa");
    let (exit, said) = landfall(folder.path(), &["audit", "session.jsonl", "--policy", "policy.json"], b"");
    assert_eq!((exit, said.contains("an algorithm that is not known")), (Exit::Usage, true), "{said}");
}

#[test]
fn a_row_names_the_branch_that_moved_what_was_not_read_and_its_policy() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        std::fs::write(path, text).expect("it writes");
    };
    let (before, after) = ("1".repeat(40), format!("8913587{}", "0".repeat(33)));
    let log = |old: &str, new: &str, seconds: u32| format!("{old} {new} A <a@example.invalid> {seconds} +0000\tcommit: x\n");
    // 15:10 on the day of the session is 1790003400.
    let moved = log(&"0".repeat(40), &before, 1_790_000_000) + &log(&before, &after, 1_790_003_410);
    at("git/HEAD", "ref: refs/heads/main\n");
    at("git/refs/heads/main", &format!("{after}\n"));
    at("git/logs/HEAD", &moved);
    at("git/logs/refs/heads/main", &moved);
    at("session.jsonl", &format!("{}{{\"type\":\"agent-of-tomorrow\"}}\n{{\"type\":\n", committed_session()));
    at("policy.json", r#"{"schema_version": "landfall/audit-policy/v1", "touchable_paths": ["docs/"]}"#);
    let (exit, printed) = landfall(folder.path(), &["import", "session.jsonl", "--repo", "git", "--policy", "policy.json"], b"");
    assert_eq!(exit, Exit::Pass, "{printed}");
    let row = first_value(&printed)["work_landing_runs"][0].clone();
    assert_eq!(
        (&row["target_ref"], &row["target_ref_before"], &row["target_ref_after"]),
        (&json!("refs/heads/main"), &json!(before), &json!(after))
    );
    assert_eq!(row["import_counts"], json!({"records": 9, "unknown": 1, "malformed": 1, "duplicates": 0, "over_limits": 0}));
    assert!(printed.contains("1 were of no known kind, 1 malformed"), "{printed}");
    assert!(row["audit_policy"]["digest"].as_str().is_some_and(|digest| digest.starts_with("sha256:")), "{row:#}");
    assert_eq!(row["audit_policy"]["touched_outside"], json!([1]));
    // The branch's log without the movement: the record ends before it, and nothing is said of it.
    at("git/logs/refs/heads/main", &log(&"0".repeat(40), &before, 1_790_000_000));
    let (_, printed) = landfall(folder.path(), &["import", "session.jsonl", "--repo", "git"], b"");
    assert_eq!(first_value(&printed)["work_landing_runs"][0].get("target_ref"), None, "{printed}");
    let changed = committed_session().replace("src/a.rs", "policy.json");
    at("session.jsonl", &changed);
    let import = |more: &[&str]| landfall(folder.path(), &[&["import", "session.jsonl", "--policy", "policy.json"], more].concat(), b"").0;
    assert_eq!((import(&[]), import(&["--allow-changed-policy"])), (Exit::Blocked, Exit::Pass));
}
