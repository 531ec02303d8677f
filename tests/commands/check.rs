//! `check`: one answer a input, from a file, a pipe or line by line.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use crate::folders::{copies, edit, json, read, scratch, shipped, write};
use crate::landfall_binary::landfall;
use crate::process::Ran;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// What every answer has; kind `corpus` has `faults` besides.
const MEMBERS: [&str; 6] = ["codes", "findings", "index", "status", "subject", "support"];

/// The answers of a run, one a line, their shape and exit code seen to.
#[track_caller]
fn answers(ran: &Ran) -> Vec<Value> {
    let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("an answer is one line of JSON")).collect();
    for (index, answer) in answers.iter().enumerate() {
        let mut members = answer.as_object().expect("an answer is an object").clone();
        let count = members.remove("finding_count");
        let faults = members.remove("faults");
        let names: Vec<_> = members.keys().map(String::as_str).collect();
        assert_eq!(names, MEMBERS);
        assert_eq!(answer["index"], index);
        let codes: Vec<_> = answer["codes"].as_array().expect("a list").iter().map(|code| code.as_str().expect("a code")).collect();
        assert!(codes.is_sorted_by(|one, next| one < next), "sorted, once each: {codes:?}");
        let findings = answer["findings"].as_array().expect("a list");
        let mut found: BTreeSet<_> = findings.iter().map(|finding| finding["error_code"].as_str().expect("a code")).collect();
        found.extend(
            faults.iter().flat_map(|faults| faults.as_array().expect("a list")).map(|fault| fault["code"].as_str().expect("a code")),
        );
        if count.is_none_or(|count| count == findings.len()) {
            assert_eq!(codes, found.into_iter().collect::<Vec<_>>());
        }
        for finding in findings {
            assert_eq!(finding["body_in_receipt"], false);
        }
        let clean = codes.is_empty();
        assert_eq!(answer["status"], if clean { "pass" } else { "blocked" });
        assert_eq!(answer["support"] == "supported", clean, "{answer}");
    }
    let blocked = answers.iter().any(|answer| answer["status"] == "blocked");
    let expected = if answers.is_empty() { 4 } else { i32::from(blocked) };
    assert_eq!(ran.code, Some(expected), "{ran:#?}");
    answers
}

/// Judges a file by path and by pipe: one answer, the same both ways.
#[track_caller]
fn both_ways(kind: &str, bytes: &[u8]) -> Value {
    let folder = scratch();
    let file = folder.path().join("input");
    write(&file, bytes);
    let by_file = landfall(&["check", kind]).arg(&file).run();
    let by_pipe = landfall(&["check", kind, "-"]).input(bytes).run();
    let unnamed = landfall(&["check", kind]).input(bytes).run();
    let mut found = answers(&by_file);
    assert_eq!((&found, &found), (&answers(&by_pipe), &answers(&unnamed)), "{kind}: file and pipe differ");
    assert_eq!(found.len(), 1);
    assert_eq!(by_file.err, "");
    found.pop().expect("there is one")
}

fn case(id: &str) -> Value {
    json(&shipped(&format!("negative-cases/landing/{id}.json")))
}

fn first_row() -> Value {
    json(&shipped("fixtures/first-wave/work_landing_runs.json"))["work_landing_runs"][0].clone()
}

#[test]
fn what_is_accepted_passes_by_every_kind() {
    let text = |path: &str| read(&shipped(path)).into_bytes();
    for (kind, bytes, subject) in [
        ("row", first_row().to_string().into_bytes(), "scoped-commit-landed"),
        ("runs", text("fixtures/first-wave/work_landing_runs.json"), "work_landing_runs"),
        ("policy", text("fixtures/first-wave/landing_policy.json"), "first-wave-landing-policy"),
        ("protocol", text("fixtures/first-wave/projection_protocol.json"), "first-wave-projection-protocol"),
        ("json", text("fixtures/first-wave/work_landing_runs.json"), "input"),
        ("corpus", text("fixtures/corpus/nine.json"), "corpus"),
    ] {
        let answer = both_ways(kind, &bytes);
        assert_eq!((&answer["status"], &answer["subject"]), (&"pass".into(), &subject.into()), "{kind}");
    }
    let ran = landfall(&["check", "manifest", "fixtures/bundle"]).run();
    assert_eq!(answers(&ran)[0]["subject"], "source_module_manifest");
}

#[test]
fn what_is_broken_is_refused_by_every_kind() {
    for (kind, id) in [
        ("row", "head_advance_missing_padded"),
        ("runs", "run_id_duplicate"),
        ("policy", "lane_unknown_fifth"),
        ("protocol", "projection_protocol_density_repeated"),
        ("corpus", "negative_case_not_caught"),
    ] {
        let case = case(id);
        assert_eq!(case["kind"], kind);
        let answer = both_ways(kind, case["input"].to_string().as_bytes());
        assert_eq!(answer["codes"], case["expected_codes"], "{kind}");
    }
    let answer = both_ways("json", b"{\"a\": 1, \"\\u0061\": 2}");
    assert_eq!(answer["codes"], json!(["WORK_LANDING_JSON_DUPLICATE_KEY"]));
    let copy = copies(&["fixtures/bundle"]);
    let bundle = copy.path().join("fixtures/bundle");
    edit(&bundle.join("source_module_manifest.json"), "\"module_count\": 6", "\"module_count\": 6.0");
    let ran = landfall(&["check", "manifest"]).arg(bundle).run();
    assert_eq!(answers(&ran)[0]["codes"], json!(["WORK_LANDING_SOURCE_MODULE_COUNT_MISMATCH"]));
}

#[test]
fn every_case_gives_its_codes_line_by_line() {
    let files = crate::folders::names(&shipped("negative-cases/landing"));
    let cases: Vec<_> = files.iter().map(|name| case(name.trim_end_matches(".json"))).collect();
    let mut judged = 0;
    for kind in ["row", "policy", "protocol", "corpus"] {
        let of_kind: Vec<_> = cases.iter().filter(|case| case["kind"] == kind).collect();
        assert!(!of_kind.is_empty(), "no case of kind {kind}");
        let lines: Vec<_> = of_kind.iter().map(|case| case["input"].to_string()).collect();
        let answers = answers(&landfall(&["check", kind, "--jsonl"]).input(lines.join("\n")).run());
        assert_eq!(answers.len(), of_kind.len());
        for (case, answer) in of_kind.iter().zip(&answers) {
            let mut expected: Vec<_> = case["expected_codes"].as_array().expect("a list").clone();
            expected.sort_by_key(|code| code.to_string());
            assert_eq!(answer["codes"].as_array(), Some(&expected), "{}", case["case_id"]);
        }
        judged += answers.len();
    }
    assert!(judged > 100, "only {judged} cases were judged");
}

#[test]
fn lines_are_numbered_from_zero_and_blank_ones_are_skipped() {
    let (good, bad) = (first_row().to_string(), case("release_overclaim")["input"].to_string());
    let text = format!("\n{good}\n \t\u{2003}\r\n{{\"a\": 1, \"a\": 2}}\r\n\n{bad}\r\n{good}");
    let folder = scratch();
    let file = folder.path().join("rows.jsonl");
    write(&file, &text);
    let by_pipe = answers(&landfall(&["check", "row", "--jsonl"]).input(text).run());
    let by_file = answers(&landfall(&["check", "row", "--jsonl"]).arg(&file).run());
    assert_eq!(by_pipe, by_file);
    let statuses: Vec<_> = by_pipe.iter().map(|answer| answer["status"].as_str().expect("a word")).collect();
    assert_eq!(statuses, ["pass", "blocked", "blocked", "pass"]);
    assert_eq!(by_pipe[1]["subject"], "row[1]", "a line that cannot be read is named by its position");
    assert_eq!(by_pipe[1]["codes"], json!(["WORK_LANDING_JSON_DUPLICATE_KEY"]));
    assert_eq!(by_pipe[2]["codes"], json!(["WORK_LANDING_RELEASE_OVERCLAIM"]));
    // Rows are judged singly: the same one twice is no duplicate here, and is one in a table.
    let twice = format!("{good}\n{good}\n");
    assert_eq!(answers(&landfall(&["check", "row", "--jsonl"]).input(&*twice).run()).len(), 2);
    let table = answers(&landfall(&["check", "runs", "--jsonl"]).input(&*twice).run());
    assert_eq!(table[0]["codes"], json!(["WORK_LANDING_RUN_ID_DUPLICATE"]));
}

#[test]
fn exit_codes_are_those_of_the_documentation() {
    let row = first_row().to_string();
    landfall(&["check", "row"]).input(&*row).ends_with(0);
    landfall(&["check", "row"]).input("{}").ends_with(1);
    // 2: the arguments make no sense.
    for arguments in [&["check"][..], &["check", "rows"], &["check", "row", "a", "b"], &["check", "manifest", "fixtures/bundle", "--jsonl"]]
    {
        assert_eq!(landfall(arguments).ends_with(2).out, "");
    }
    // 3: no such folder.
    assert_eq!(landfall(&["check", "manifest", "no_such_folder"]).ends_with(3).out, "");
    // 4: nothing was selected, and nothing of it looks like a verdict.
    for arguments in [
        &["check", "row"][..],
        &["check", "policy"],
        &["check", "protocol"],
        &["check", "corpus"],
        &["check", "runs"],
        &["check", "row", "--jsonl"],
        &["check", "policy", "--jsonl"],
        &["check", "runs", "--jsonl"],
    ] {
        assert_eq!(landfall(arguments).ends_with(4).out, "", "{arguments:?}");
    }
    assert_eq!(landfall(&["check", "row", "--jsonl"]).input("\n \n").ends_with(4).out, "");
    // An empty text is no JSON, an empty table was read and refused.
    landfall(&["check", "json"]).ends_with(1);
    landfall(&["check", "runs"]).input("{\"work_landing_runs\": []}").ends_with(1);
    landfall(&["check", "runs", "--jsonl"]).input("\n").ends_with(1);
}

#[test]
fn an_empty_input_is_said_to_be_one() {
    for arguments in [&["check", "row"][..], &["check", "runs"], &["check", "row", "--jsonl"], &["check", "runs", "--jsonl"]] {
        let ran = landfall(arguments).ends_with(4);
        assert!(ran.err.starts_with("landfall: the input "), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn what_is_no_regular_file_is_named_and_not_opened() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    write(&at("row.json"), first_row().to_string());
    std::os::unix::fs::symlink("row.json", at("link.json")).expect("a link");
    std::fs::create_dir(at("folder.json")).expect("a folder");
    assert!(std::process::Command::new("mkfifo").arg(at("fifo.json")).status().expect("mkfifo runs").success());
    for kind in ["row", "runs", "policy", "protocol", "json", "corpus"] {
        for lines in [false, true] {
            for name in ["link.json", "folder.json", "fifo.json", "absent.json"] {
                let run = landfall(&["check", kind]).arg(at(name));
                let found = answers(&if lines { run.arg("--jsonl") } else { run }.run());
                assert_eq!(
                    (&found[0]["codes"], &found[0]["subject"]),
                    (&json!(["WORK_LANDING_INPUT_FILE_MISSING"]), &name.into()),
                    "{kind}"
                );
            }
        }
    }
    for device in ["/dev/zero", "/dev/null"] {
        let found = answers(&landfall(&["check", "row"]).arg(Path::new(device)).run());
        assert_eq!(found[0]["codes"], json!(["WORK_LANDING_INPUT_FILE_MISSING"]));
    }
}

#[test]
fn text_for_people_says_the_same() {
    let row = case("release_overclaim")["input"].to_string();
    let ran = landfall(&["check", "row", "--format", "text"]).input(row).ends_with(1);
    for said in [
        "0 release_overclaim: blocked",
        "WORK_LANDING_RELEASE_OVERCLAIM release_overclaim (forbidden)",
        "help: landfall explain release_overclaim",
    ] {
        assert!(ran.out.contains(said), "{said} is not in\n{}", ran.out);
    }
    let ran = landfall(&["check", "row", "--format", "text"]).input(first_row().to_string()).ends_with(0);
    assert_eq!(ran.out, "0 scoped-commit-landed: pass\n");
}
