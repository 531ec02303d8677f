//! The shared cases: inputs with the right answer, where they lie beside the checkout.
//!
//! They are a sample from outside; the project's own cases are under `negative-cases/`. Where the
//! folder is absent these tests say so, and are no evidence of anything.

#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a test reads its cases and says what it could not check")]

use landfall::code::Code;
use landfall::corpus::input::{Kind, judge_input};
use landfall::json::{Value, parse};
use landfall::landing::RuleSet;
use std::collections::BTreeSet;
use std::path::PathBuf;

fn shared(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("SKIPPED: ../shared/{folder} is not there; nothing of it was checked");
    None
}

fn files(folder: &PathBuf) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder lists")
        .map(|entry| entry.expect("the entry reads").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), std::fs::read(&path).expect("the file reads")))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no case in {folder:?}");
    files
}

fn expected(case: &Value<'_>) -> BTreeSet<Code> {
    let codes = case.get("expected_codes").and_then(Value::elements).expect("expected_codes is a list");
    codes.iter().map(|code| code.as_str().and_then(Code::lookup).expect("a code landfall has")).collect()
}

fn differing(folder: &str, judge: impl Fn(&Value<'_>) -> BTreeSet<Code>) {
    let Some(folder) = shared(folder) else { return };
    let files = files(&folder);
    let mut wrong = Vec::new();
    for (name, bytes) in &files {
        let case = parse(bytes).unwrap_or_else(|fault| panic!("{name}: {}", fault.describe()));
        let (expected, produced) = (expected(&case), judge(&case));
        if expected != produced {
            wrong.push(format!("{name}: expected {expected:?}, got {produced:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), files.len(), wrong.join("\n"));
    eprintln!("checked {} of {}", files.len(), files.len());
}

#[test]
fn landing_cases_give_exactly_their_codes() {
    differing("cases/landing", |case| {
        let area = case.get("area").and_then(Value::as_str).expect("an area");
        let kind = Kind::named(if area == "run_row" { "row" } else { area }).expect("a known area");
        judge_input(kind, case.get("input").expect("an input"), &RuleSet::all(), "shared").codes()
    });
}

#[test]
fn rows_from_public_reports_give_exactly_their_codes() {
    differing("cases/users", |case| judge_input(Kind::Row, case.get("row").expect("a row"), &RuleSet::all(), "shared").codes());
}

#[test]
fn the_json_suite_is_read_as_it_says() {
    // Stricter on purpose: equal keys are refused wherever they stand.
    const STRICTER: [&str; 2] = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"];
    let Some(folder) = shared("data/json-test-suite/test_parsing") else { return };
    let files = files(&folder);
    let mut wrong = Vec::new();
    for (name, bytes) in &files {
        let read = landfall::json::read(bytes, &mut landfall::json::Nothing);
        let accept = name.starts_with("y_") && !STRICTER.contains(&name.as_str());
        if !name.starts_with("i_") && read.is_ok() != accept {
            wrong.push(format!("{name}: {read:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for name in STRICTER {
        assert!(files.iter().any(|(file, _)| file == name), "the divergence {name} is still in the suite");
    }
}
