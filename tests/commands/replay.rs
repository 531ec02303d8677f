//! `replay`: what it writes about the shipped corpus, and what it refuses to start on.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use crate::folders::{copies, copy, edit, json, names, read, repository, scratch, shipped, tree, write};
use crate::landfall_binary::landfall;
use regex::Regex;
use serde_json::Value;
use std::path::Path;

pub(crate) const RECORDS: [&str; 5] = ["board.json", "bundle-result.json", "negative-coverage.json", "result.json", "validation.json"];

#[test]
fn the_shipped_corpus_passes_and_its_five_records_say_what_was_seen() {
    let out = scratch();
    let ran = landfall(&["replay"]).with("--out", out.path()).ends_with(0);
    assert_eq!(names(out.path()), RECORDS);
    for line in ["fixture: pass", "9 of 9 caught", "bundle: pass", "6 of 6 verified"] {
        assert!(ran.out.contains(line), "{line} is not in\n{}", ran.out);
    }
    let record = |name: &str| json(&out.path().join(name));
    let result = record("result.json");
    assert_eq!(result["status"], "pass");
    let counts =
        ["run_count", "landed_commit_count", "validation_order_pass_count", "validation_order_required_count", "metadata_blocked_count"];
    assert_eq!(counts.map(|key| result[key].as_u64()), [3, 1, 2, 2, 1].map(Some));
    let list = |value: &Value| value.as_array().expect("a list").len();
    assert_eq!((list(&result["expected_negative_cases"]), list(&result["missing_negative_cases"])), (9, 0));
    assert_eq!(result["observed_negative_cases"].as_object().expect("an object").len(), 9);
    let coverage = record("negative-coverage.json");
    assert_eq!(coverage["accepted_negative_cases"], result["expected_negative_cases"]);
    assert_eq!(list(&coverage["further_cases"]["accepted"]), list(&coverage["further_cases"]["expected"]));
    let bundle = record("bundle-result.json");
    assert_eq!((&bundle["status"], &bundle["body_copied_material_count"]), (&"pass".into(), &6.into()));
    assert_eq!(list(&bundle["source_module_imports"]["modules"]), 6);
    let board = record("board.json");
    let counted = board["mechanics"].as_array().expect("a list").iter().map(|mechanic| mechanic["count"].as_u64());
    assert_eq!(counted.collect::<Vec<_>>(), [3, 1, 2, 1].map(Some));
    for name in RECORDS {
        let record = record(name);
        assert_eq!(record["component"], "durable_agent_work_landing_replay", "{name}");
        let version = format!("landfall/{}/v1", name.trim_end_matches(".json"));
        assert_eq!(record["schema_version"], version, "{name}");
    }
}

#[test]
fn equal_inputs_give_equal_bytes_anywhere_at_any_time() {
    let root = repository();
    let out = root.path().join("out");
    let run = || landfall(&["replay"]).at(root.path()).with("--out", &out).ends_with(0);
    let printed = run();
    let first = tree(&out);
    assert_eq!(run().out, printed.out);
    assert_eq!(first, tree(&out), "a second run rewrites the same bytes");
    // The same corpus elsewhere, named by absolute paths that say much about the machine.
    let home = root.path().join("home/mira/src/ai_workflow");
    for folder in ["fixtures", "negative-cases"] {
        copy(&root.path().join(folder), &home.join(folder));
    }
    let again = home.join("records");
    landfall(&["replay"])
        .with("--corpus", home.join("fixtures/first-wave"))
        .with("--negatives", home.join("negative-cases"))
        .with("--bundle", home.join("fixtures/bundle"))
        .with("--out", &again)
        .at(Path::new("/"))
        .ends_with(0);
    for name in RECORDS {
        assert_eq!(read(&again.join(name)), read(&out.join(name)), "{name}");
    }
}

#[test]
fn records_hold_no_clock_no_host_and_no_body() {
    let root = repository();
    // A refused row too: what it leaks must not be carried on by its refusal.
    let secret = format!("{}IAIOSFODNN7EXAMPLE", "AK");
    let runs = root.path().join("fixtures/first-wave/work_landing_runs.json");
    edit(
        &runs,
        "\"hard-stopped-by-secret\"",
        &format!("\"/home/mira/{secret}\", \"private_source_body\": \"def moor(ship): return ship.berth\""),
    );
    let out = root.path().join("out");
    landfall(&["replay"]).at(root.path()).with("--out", &out).ends_with(1);
    let clock = Regex::new(r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\b1[6-9]\d{8}\b|created_at").expect("it compiles");
    // Digests and commit ids are the only runs of digits that mean something else.
    let ids = Regex::new("[0-9a-f]{40,64}").expect("it compiles");
    let bodies = body_lines(root.path());
    assert!(bodies.len() > 300, "only {} lines to look for", bodies.len());
    let repository = env!("CARGO_MANIFEST_DIR");
    for name in RECORDS {
        let text = read(&out.join(name));
        for absent in [repository, root.path().to_str().expect("it is text"), "/tmp", "mira", &secret, "def moor", "--out"] {
            assert!(!text.contains(absent), "{name} holds {absent}");
        }
        let without_ids = ids.replace_all(&text, "id");
        assert_eq!(clock.find(&without_ids).map(|found| found.as_str()), None, "{name} holds a time");
        let record: Value = serde_json::from_str(&text).expect("a record is JSON");
        each_string(&record, &mut |string| {
            assert!(!landfall::leak::private_path::found_in(string), "{name} holds a private path");
            assert!(landfall::leak::credential::terms_in(string).is_empty(), "{name} holds a credential");
        });
        let held: Vec<_> = bodies.iter().filter(|line| text.contains(line.as_str())).collect();
        assert!(held.is_empty(), "{name} holds lines of a body: {held:?}");
    }
}

/// The lines of copied bodies, originals and evidence that are long enough to be recognised, as JSON would hold them.
fn body_lines(root: &Path) -> Vec<String> {
    let files = ["fixtures/bundle/source_modules", "fixtures/first-wave/evidence"].map(|folder| tree(&root.join(folder)));
    let texts = files.into_iter().flatten().filter_map(|(_, bytes)| String::from_utf8(bytes).ok());
    let quoted = |line: &str| Value::from(line).to_string().trim_matches('"').to_owned();
    texts.flat_map(|text| text.lines().map(str::trim).filter(|line| line.len() > 24).map(quoted).collect::<Vec<_>>()).collect()
}

fn each_string(value: &Value, see: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(elements) => elements.iter().for_each(|element| each_string(element, see)),
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            see(key);
            each_string(value, see);
        }),
        _ => {}
    }
}

#[test]
fn a_refused_row_blocks_and_is_named() {
    let root = copies(&["fixtures/first-wave"]);
    let corpus = root.path().join("fixtures/first-wave");
    edit(&corpus.join("work_landing_runs.json"), "\"commit_claimed_landed\": true", "\"commit_claimed_landed\": \"yes\"");
    let out = root.path().join("out");
    let ran = landfall(&["replay"]).with("--corpus", &corpus).with("--out", &out).ends_with(1);
    for said in
        ["fixture: blocked", "2 supported of 3 claimed", "WORK_LANDING_LANDED_CLAIM_NOT_BOOLEAN scoped-commit-landed", "landfall explain"]
    {
        assert!(ran.out.contains(said), "{said} is not in\n{}", ran.out);
    }
    assert!(ran.err.contains("the nine built into the binary are used"), "{}", ran.err);
    assert_eq!(json(&out.join("result.json"))["status"], "blocked");
    assert_eq!(json(&out.join("board.json"))["mechanics"][1]["count"], 0, "the board counts what is supported");
}

#[test]
fn a_corpus_with_its_own_cases_is_judged_with_them_alone() {
    let corpus = shipped("examples/foreign-crate/landing");
    let out = scratch();
    let ran = landfall(&["replay"]).with("--corpus", &corpus).with("--out", out.path()).ends_with(0);
    assert_eq!(ran.err, "");
    assert_eq!(names(out.path()), ["board.json", "negative-coverage.json", "result.json", "validation.json"]);
    let inputs = json(&out.path().join("result.json"))["freshness_basis"]["input_count"].as_u64();
    assert_eq!(inputs, Some(12), "three files and nine cases");
}

#[test]
fn a_missing_case_blocks() {
    let root = copies(&["examples/foreign-crate/landing"]);
    let corpus = root.path().join("examples/foreign-crate/landing");
    std::fs::remove_file(corpus.join("negative-cases/uncaptured_blocker.json")).expect("it is there");
    let out = root.path().join("out");
    let ran = landfall(&["replay"]).with("--corpus", &corpus).with("--out", &out).ends_with(1);
    assert!(ran.out.contains("8 of 9 caught") && ran.out.contains("WORK_LANDING_NEGATIVE_CASE_MISSING uncaptured_blocker"), "{}", ran.out);
    assert_eq!(json(&out.join("result.json"))["missing_negative_cases"], serde_json::json!(["uncaptured_blocker"]));
}

#[test]
fn a_case_beside_the_landing_folder_is_not_passed_over() {
    let root = copies(&["examples/foreign-crate/landing"]);
    let corpus = root.path().join("examples/foreign-crate/landing");
    let cases = corpus.join("negative-cases");
    copy(&cases, &root.path().join("aside"));
    copy(&root.path().join("aside"), &cases.join("landing"));
    names(&root.path().join("aside")).iter().for_each(|name| std::fs::remove_file(cases.join(name)).expect("it is there"));
    let out = root.path().join("out");
    let replay = || landfall(&["replay"]).with("--corpus", &corpus).with("--out", &out);
    replay().ends_with(0);
    write(&cases.join("dropped_beside.json"), "{\"case_id\": ");
    let ran = replay().ends_with(2);
    assert!(ran.err.contains("dropped_beside"), "{}", ran.err);
}

#[test]
fn lines_are_a_run_table_too_and_two_tables_are_a_usage_error() {
    let root = copies(&["fixtures/first-wave"]);
    let corpus = root.path().join("fixtures/first-wave");
    let table = json(&corpus.join("work_landing_runs.json"));
    let rows: Vec<_> = table["work_landing_runs"].as_array().expect("a list").iter().map(Value::to_string).collect();
    write(&corpus.join("work_landing_runs.jsonl"), rows.join("\n\n"));
    let out = root.path().join("out");
    let replay = || landfall(&["replay"]).with("--corpus", &corpus).with("--out", &out);
    let ran = replay().ends_with(2);
    assert!(ran.err.contains("both work_landing_runs.json and work_landing_runs.jsonl are there"), "{}", ran.err);
    assert_eq!(ran.out, "");
    assert!(!out.exists(), "no record without a verdict");
    std::fs::remove_file(corpus.join("work_landing_runs.json")).expect("it is there");
    replay().ends_with(0);
    assert_eq!(json(&out.join("result.json"))["run_count"], 3);
}

#[test]
fn without_a_corpus_it_could_not_work() {
    let empty = scratch();
    let out = empty.path().join("out");
    let missing = empty.path().join("no_such_folder");
    let file = empty.path().join("file");
    write(&file, "{}");
    for (option, folder) in [("--corpus", &missing), ("--bundle", &missing), ("--corpus", &file)] {
        let ran = landfall(&["replay"]).with(option, folder).with("--out", &out).ends_with(3);
        assert!(ran.err.starts_with("landfall: no "), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
    let corpus = shipped("fixtures/first-wave");
    landfall(&["replay"]).with("--corpus", &corpus).with("--negatives", &missing).with("--out", &out).ends_with(3);
    // The repository's own folders, where there are none.
    landfall(&["replay"]).at(empty.path()).ends_with(3);
    assert_eq!(names(empty.path()), ["file"], "no record without a verdict");
    // A folder that is there and has nothing in it was read and refused.
    let ran = landfall(&["replay"]).with("--corpus", empty.path()).with("--out", &out).ends_with(1);
    for name in ["projection_protocol.json", "landing_policy.json", "work_landing_runs.json"] {
        assert!(ran.out.contains(&format!("WORK_LANDING_INPUT_FILE_MISSING corpus/{name}")), "{}", ran.out);
    }
}

#[test]
fn usage_errors_are_exit_two() {
    for arguments in [
        &["replay", "--negatives", "negative-cases"][..],
        &["replay", "--no-such-option"],
        &["replay", "--format", "yaml"],
        &["no_such_command"],
        &[],
    ] {
        let ran = landfall(arguments).ends_with(2);
        assert_eq!(ran.out, "");
        assert!(ran.err.contains("Usage: landfall") || ran.err.contains("try '--help'"), "{}", ran.err);
    }
    for arguments in [&["--help"][..], &["--version"], &["replay", "--help"]] {
        let ran = landfall(arguments).ends_with(0);
        assert!(!ran.out.is_empty() && ran.err.is_empty(), "{arguments:?}");
    }
}
