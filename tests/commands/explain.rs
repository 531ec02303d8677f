//! `explain`: a page for each code.

use crate::landfall_binary::landfall;
use landfall::code;
use serde_json::Value;

#[test]
fn the_list_has_every_code_and_a_sentence_each() {
    let ran = landfall(&["explain"]).ends_with(0);
    let lines: Vec<_> = ran.out.lines().collect();
    let codes: Vec<_> = lines.iter().step_by(2).map(|line| line.to_string()).collect();
    assert_eq!(codes, code::all().map(|code| code.to_string()).collect::<Vec<_>>());
    assert!(lines.iter().skip(1).step_by(2).all(|line| line.starts_with("    ") && line.trim().len() > 10), "{}", ran.out);
    let json = landfall(&["explain", "--format", "json"]).ends_with(0);
    for (line, code) in json.out.lines().zip(code::all()) {
        let entry: Value = serde_json::from_str(line).expect("a line is JSON");
        assert_eq!(entry["code"], code.as_str());
        assert!(entry["refuses"].as_str().is_some_and(|text| text.len() > 10), "{line}");
    }
    assert_eq!(json.out.lines().count(), code::all().count());
}

#[test]
fn every_code_prints_its_page_under_any_of_its_names() {
    for code in code::all() {
        let page = landfall(&["explain", code.as_str()]).ends_with(0).out;
        assert!(page.starts_with(&format!("# {code}\n")), "{page}");
        for heading in ["## Refuses\n", "## Why it matters\n"] {
            assert!(page.contains(heading), "{code} has no {heading}");
        }
        assert_eq!(page.contains("## Smallest refused"), page.contains("## Nearest accepted"), "{code}");
    }
    let named = |name: &str| landfall(&["explain", name]).ends_with(0).out;
    assert_eq!(named("lane_unknown"), named("WORK_LANDING_LANE_UNKNOWN"));
    assert_eq!(named(" Work_Landing_Lane_Unknown "), named("LANE_UNKNOWN"));
}

#[test]
fn an_unknown_code_suggests_the_nearest() {
    let long = "x".repeat(100_000);
    for (name, near) in
        [("WORK_LANDING_HEAD_ADVANCE_MISING", "head_advance_missing"), ("lane-unknwon", "lane_unknown"), ("", ""), (&long, "")]
    {
        let ran = landfall(&["explain", name]).ends_with(2);
        assert_eq!(ran.out, "");
        assert!(ran.err.starts_with("landfall: no code ") && ran.err.contains(&format!("did you mean {near}")), "{}", ran.err);
    }
}
