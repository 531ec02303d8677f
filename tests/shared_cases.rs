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

#[test]
fn governance_records_get_exactly_their_reasons() {
    let Some(folder) = shared("cases/loop-governance") else { return };
    let mut wrong = Vec::new();
    let (mut checked, files) = (0, files(&folder));
    for (name, bytes) in &files {
        let case = parse(bytes).unwrap_or_else(|fault| panic!("{name}: {}", fault.describe()));
        let Some(record) = case.get("record") else { continue };
        checked += 1;
        let verdict = landfall::contract::check::check(record);
        let mut reasons = verdict.reasons;
        reasons.sort();
        let expected = case.get("expected").expect("an expectation");
        let wanted: Vec<_> = expected.get("reasons").and_then(Value::elements).expect("reasons").iter().filter_map(Value::as_str).collect();
        let severity = format!("{:?}", verdict.severity).to_lowercase();
        if reasons != wanted
            || !expected.get("valid").expect("valid").is_bool(verdict.valid)
            || expected.get("severity").and_then(Value::as_str) != Some(&severity)
        {
            wrong.push(format!("{name}: wanted {wanted:?}, got {} {severity} {reasons:?}", verdict.valid));
        }
    }
    assert!(checked > 0, "no record case among {} files", files.len());
    assert!(wrong.is_empty(), "{} of {checked} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn governance_trails_have_exactly_their_stages() {
    let Some(folder) = shared("cases/loop-governance") else { return };
    let (mut checked, files) = (0, files(&folder));
    for (name, bytes) in &files {
        let case = parse(bytes).unwrap_or_else(|fault| panic!("{name}: {}", fault.describe()));
        let Some(records) = case.get("records").and_then(Value::elements) else { continue };
        checked += 1;
        let filter = |key: &str| case.get("filters").and_then(|filters| filters.get(key)).and_then(Value::as_str);
        let filters = landfall::contract::trail::Filters {
            proposal_id: filter("proposal_id"),
            approval_id: filter("approval_id"),
            plan_id: filter("plan_id"),
        };
        let stages = landfall::contract::trail::stages(records, &filters);
        let expected = case.get("expected").expect("an expectation");
        let missing: Vec<_> =
            expected.get("missing_stages").and_then(Value::elements).expect("stages").iter().filter_map(Value::as_str).collect();
        assert_eq!(stages.missing, missing, "{name}");
        assert!(expected.get("chain_complete").expect("chain_complete").is_bool(stages.complete()), "{name}");
        if let Some(score) = expected.get("readiness_score").and_then(Value::as_number) {
            let readiness = landfall::governance::readiness::readiness(records, filter("proposal_id"));
            let failed: Vec<_> = expected
                .get("readiness_failed_checks")
                .and_then(Value::elements)
                .expect("names")
                .iter()
                .filter_map(Value::as_str)
                .collect();
            assert_eq!(readiness.failed, failed, "{name}");
            assert_eq!(Some(i64::from(readiness.score)), score.as_integer(), "{name}");
        }
        for (key, count) in expected.get("counts").expect("counts").members() {
            assert_eq!(Some(stages.counts[&**key] as i64), count.as_number().and_then(landfall::json::Number::as_integer), "{name}: {key}");
        }
    }
    assert!(checked > 0, "no trail case among {} files", files.len());
}
