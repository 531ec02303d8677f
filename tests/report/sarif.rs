//! SARIF against the official schema, where it lies beside the checkout; and what code hosts ask beyond it.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a test reads its schema and says what it could not check")]

use crate::samples::{SAMPLES, parts};
use landfall::report::{Report, sarif};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn logs() -> Vec<(String, Value)> {
    let all = Report::new(SAMPLES.iter().flat_map(|sample| parts(sample)).collect());
    let each = SAMPLES.iter().map(|sample| ((*sample).to_owned(), Report::new(parts(sample))));
    let reports = each.chain([("all".to_owned(), all), ("none".to_owned(), Report::new(Vec::new()))]);
    reports.map(|(name, report)| (name, serde_json::from_str(&sarif::render(&report)).expect("it is JSON"))).collect()
}

#[test]
fn logs_are_valid_by_the_official_schema() {
    // The schema is not ours to hand out; it is read where it lies.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/sarif-schema-2.1.0.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: ../shared/data/sarif-schema-2.1.0.json is not there; SARIF was not held against the official schema");
        return;
    };
    let mut compiler = boon::Compiler::new();
    let mut schemas = boon::Schemas::new();
    compiler.add_resource("https://schema.invalid/sarif", serde_json::from_str(&text).expect("the schema is JSON")).expect("it is taken");
    compiler.enable_format_assertions();
    let index = compiler.compile("https://schema.invalid/sarif", &mut schemas).expect("the schema compiles");
    for (name, log) in logs() {
        schemas.validate(&log, index).unwrap_or_else(|error| panic!("{name}: {error:#}"));
    }
    // It can refuse: a result without a message.
    let (_, mut log) = logs().remove(1);
    log["runs"][0]["results"][0].as_object_mut().expect("an object").remove("message");
    assert!(schemas.validate(&log, index).is_err());
}

#[test]
fn every_result_has_a_place_a_described_rule_and_a_fingerprint_of_its_own() {
    for (name, log) in logs() {
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        let mut fingerprints = BTreeSet::new();
        for result in run["results"].as_array().expect("results") {
            let place = &result["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().expect("a URI");
            assert!(!uri.is_empty() && !uri.starts_with('/') && !uri.contains(':'), "{name}: {uri}");
            assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line > 0), "{name}");
            let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("it fits")];
            assert_eq!(rule["id"], result["ruleId"], "{name}");
            assert!(rule["fullDescription"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{name}");
            assert!(fingerprints.insert(result["partialFingerprints"]["landfallSubject/v1"].to_string()), "{name}: {result}");
        }
    }
}

#[test]
fn a_fingerprint_stays_when_lines_move() {
    let text = crate::samples::sample_text("contradicted");
    let prints = |text: &str| {
        let part = landfall::report::answer::read(text.as_bytes()).expect("it reads").part;
        let log: Value = serde_json::from_str(&sarif::render(&Report::new(vec![part]))).expect("it is JSON");
        let results = log["runs"][0]["results"].as_array().expect("results").clone();
        results.iter().map(|result| result["partialFingerprints"].clone()).collect::<Vec<_>>()
    };
    let moved = text.replace("\"line\": 31", "\"line\": 131");
    assert_ne!(text, moved);
    assert_eq!(prints(&text), prints(&moved));
}
