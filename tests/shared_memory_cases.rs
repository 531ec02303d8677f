//! The shared cases of evidence memory and artifacts: inputs with the right answer, beside the checkout.
//!
//! Where the folder is absent this test says so, and is no evidence of anything.

#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a test reads its cases and says what it could not check")]

use landfall::json::{Number, Value, parse};
use std::path::PathBuf;

/// What is free text, and never compared.
const NEVER_COMPARED: &str = "search_query_rationale";

/// Appends where `found` differs from what is expected. Numbers are compared as doubles; a text that
/// ends in `*` is a prefix; with `partial` only the members that are named count.
fn compare(expected: &Value<'_>, found: Option<&Value<'_>>, partial: bool, place: &str, differences: &mut Vec<String>) {
    let mut differs = || {
        let found = found.map_or_else(|| "nothing".to_owned(), Value::to_text);
        differences.push(format!("{place}: expected {}, found {found}", expected.to_text()));
    };
    match (expected, found) {
        (Value::String(prefix), Some(Value::String(text))) if prefix.ends_with('*') => {
            if !text.starts_with(&prefix[..prefix.len() - 1]) || text.is_empty() {
                differs();
            }
        }
        (Value::Number(expected), Some(Value::Number(found))) => {
            let double = |number: &Number<'_>| number.as_f64();
            if (double(expected) - double(found)).abs() > 1e-9 {
                differs();
            }
        }
        (Value::Array(expected), Some(Value::Array(found))) if expected.len() == found.len() => {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                compare(expected, Some(found), partial, &format!("{place}[{index}]"), differences);
            }
        }
        (Value::Object(members), Some(found @ Value::Object(of_found))) => {
            for (key, expected) in members.iter().filter(|(key, _)| key != NEVER_COMPARED) {
                compare(expected, found.get(key), partial, &format!("{place}.{key}"), differences);
            }
            let unexpected = of_found.iter().filter(|(key, _)| key != NEVER_COMPARED && expected.get(key).is_none());
            if !partial {
                differences.extend(unexpected.map(|(key, value)| format!("{place}.{key}: not expected, found {}", value.to_text())));
            }
        }
        (expected, Some(found)) if expected == found => {}
        _ => differs(),
    }
}

#[test]
fn memory_cases_get_exactly_their_answers() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/loop-memory");
    if !folder.is_dir() {
        eprintln!("SKIPPED: ../shared/cases/loop-memory is not there; nothing of it was checked");
        return;
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("the folder lists").map(|entry| entry.expect("it reads").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(!files.is_empty(), "no case in {folder:?}");
    let mut wrong = Vec::new();
    for path in &files {
        let bytes = std::fs::read(path).expect("the case reads");
        let case = parse(&bytes).unwrap_or_else(|fault| panic!("{path:?}: {}", fault.describe()));
        let expected = case.get("expected").expect("an expectation");
        let partial = [&case, expected].iter().any(|place| place.get("partial").is_some_and(|partial| partial.is_bool(true)));
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut differences = Vec::new();
        match landfall::memory::answer(&case) {
            Err(error) => differences.push(error.to_string()),
            Ok(answer) => {
                let text = landfall::json::to_line(&answer.output);
                let found = parse(text.as_bytes()).expect("an answer is JSON");
                let members: Vec<_> = expected.members().iter().filter(|(key, _)| key != "partial").cloned().collect();
                compare(&Value::Object(members), Some(&found), partial, &name, &mut differences);
                let refuses = expected.get("errors").and_then(Value::elements).is_some_and(|errors| !errors.is_empty())
                    || expected.get("error").is_some()
                    || expected.get("exit_code").and_then(Value::as_number).is_some_and(|code| code.as_f64() != 0.0);
                if refuses && answer.reasons.is_empty() {
                    differences.push(format!("{name}: refused without a reason"));
                }
            }
        }
        wrong.extend(differences);
    }
    assert!(wrong.is_empty(), "{} differences in {} cases:\n{}", wrong.len(), files.len(), wrong.join("\n"));
    eprintln!("checked {} of {}", files.len(), files.len());
}

#[test]
fn a_difference_is_found_where_it_is() {
    let differences = |expected: &str, found: &str, partial| {
        let (expected, found) = (parse(expected.as_bytes()).expect("it is JSON"), parse(found.as_bytes()).expect("it is JSON"));
        let mut differences = Vec::new();
        compare(&expected, Some(&found), partial, "case", &mut differences);
        differences.len()
    };
    for (expected, found) in [("[1.0, \"ab*\"]", "[1, \"abc\"]"), ("{\"a\": 0.3}", "{\"a\": 0.30000000000000004}"), ("\"*\"", "\"x\"")] {
        assert_eq!(differences(expected, found, false), 0, "{expected} {found}");
    }
    for (expected, found) in [
        ("1", "1.00001"),
        ("[1]", "[1, 2]"),
        ("{}", "{\"a\": 1}"),
        ("{\"a\": null}", "{}"),
        ("\"*\"", "\"\""),
        ("\"ab*\"", "\"a\""),
        ("true", "1"),
    ] {
        assert_eq!(differences(expected, found, false), 1, "{expected} {found}");
    }
    assert_eq!(differences("{\"a\": {\"b\": 1}}", "{\"a\": {\"b\": 1, \"c\": 2}, \"d\": 3}", true), 0);
}
