//! The shared cases of controlled and guarded execution: records, commands and trails with the right answer,
//! where they lie beside the checkout. Where they do not, these tests say so, and are no evidence of anything.

#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a test reads its cases and says what it could not check")]

use landfall::contract::execution_readiness::{ReadinessOptions, report};
use landfall::json::{Value, parse};
use std::path::PathBuf;

/// Runs `judge` over every case that has `part`; it gives what differs, if anything does.
fn differing(part: &str, judge: impl Fn(&Value<'_>, &Value<'_>) -> Option<String>) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/loop-execution");
    if !folder.is_dir() {
        eprintln!("SKIPPED: ../shared/cases/loop-execution is not there; nothing of it was checked");
        return;
    }
    let (mut checked, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(&folder).expect("the folder lists") {
        let path = entry.expect("the entry reads").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let bytes = std::fs::read(&path).expect("the file reads");
        let case = parse(&bytes).unwrap_or_else(|fault| panic!("{path:?}: {}", fault.describe()));
        if case.get(part).is_none() {
            continue;
        }
        checked += 1;
        if let Some(difference) = judge(&case, case.get("expected").expect("an expectation")) {
            wrong.push(format!("{}: {difference}", path.file_name().expect("a name").display()));
        }
    }
    assert!(checked > 0, "no case with {part} among those of {folder:?}");
    wrong.sort();
    assert!(wrong.is_empty(), "{} of {checked} differ:\n{}", wrong.len(), wrong.join("\n"));
    eprintln!("checked {checked} of {checked}");
}

fn texts<'v>(value: &'v Value<'v>, key: &str) -> Vec<&'v str> {
    value.get(key).and_then(Value::elements).expect("a list").iter().filter_map(Value::as_str).collect()
}

#[test]
fn records_get_exactly_their_reasons() {
    differing("record", |case, expected| {
        let verdict = landfall::contract::check::check(case.get("record").expect("a record"));
        let severity = verdict.severity.as_str();
        let right = verdict.reasons == texts(expected, "reasons")
            && expected.get("valid").expect("valid").is_bool(verdict.valid)
            && expected.get("severity").and_then(Value::as_str) == Some(severity);
        (!right).then(|| format!("wanted {:?}, got {} {severity} {:?}", texts(expected, "reasons"), verdict.valid, verdict.reasons))
    });
}

#[test]
fn commands_get_exactly_their_reasons() {
    differing("command", |case, expected| {
        let parsed = landfall::contract::allowlist::parse(case.get("command").and_then(Value::as_str).expect("a command"));
        let right = parsed.reasons == texts(expected, "reasons")
            && ["parse_valid", "allowlisted"].into_iter().all(|key| expected.get(key).expect("a boolean").is_bool(parsed.accepted()));
        (!right).then(|| format!("wanted {:?}, got {:?}", texts(expected, "reasons"), parsed.reasons))
    });
}

#[test]
fn trails_give_exactly_their_reports() {
    differing("records", |case, expected| {
        let option = |key: &str| case.get("options").and_then(|options| options.get(key));
        let options = ReadinessOptions {
            proposal_id: option("proposal_id").and_then(Value::as_str),
            rendered_command_id: option("rendered_command_id").and_then(Value::as_str),
            require_operator_authorized: option("require_operator_authorized").is_some_and(|value| value.is_bool(true)),
            ..ReadinessOptions::default()
        };
        let report = report(case.get("records").and_then(Value::elements).expect("records"), &options);
        assert!(report.is_well_formed(), "{}", report.keys["schema_validation"]);
        let differing: Vec<_> = expected
            .members()
            .iter()
            .filter_map(|(key, wanted)| {
                let wanted: serde_json::Value = serde_json::from_str(&wanted.to_text()).expect("it is JSON");
                let got = report.keys.get(&**key);
                (got != Some(&wanted)).then(|| format!("{key}: wanted {wanted}, got {got:?}"))
            })
            .collect();
        (!differing.is_empty()).then(|| differing.join("; "))
    });
}
