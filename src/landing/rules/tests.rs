//! What must hold of every rule, whichever it is.

use super::RULES;
use crate::corpus::input::{Kind, judge_input};
use crate::finding::{Refusal, Support};
use crate::json::parse;
use crate::landing::judge::RuleSet;
use crate::landing::row::RunRow;
use crate::page;
use std::collections::BTreeSet;

/// What a rule says of a row: how bad it is, and what was found.
pub(super) fn said(judge: fn(&RunRow<'_>) -> Option<Refusal>, row: &str) -> Option<(Support, String)> {
    let value = parse(row.as_bytes()).unwrap_or_else(|fault| panic!("{row}: {}", fault.describe()));
    judge(&RunRow::from_value(&value)).map(|refusal| (refusal.support, refusal.found.to_string()))
}

#[test]
fn the_table_is_sorted_and_names_every_file() {
    assert!(RULES.is_sorted_by_key(|rule| rule.code.slug()), "sort the table by file name");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/landing/rules");
    let stem = |name: String| name.strip_suffix(".rs").map(str::to_owned);
    #[expect(clippy::disallowed_methods, reason = "the test holds the table to the folder")]
    let files: BTreeSet<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .filter_map(|entry| stem(entry.ok()?.file_name().into_string().ok()?))
        .collect();
    let helpers = BTreeSet::from(["mod", "tests", "evidence"].map(str::to_owned));
    let in_table: BTreeSet<_> = RULES.iter().map(|rule| rule.code.slug()).collect();
    assert_eq!(files.difference(&helpers).cloned().collect::<BTreeSet<_>>(), in_table);
}

#[test]
fn every_page_has_its_headings_and_its_examples_hold() {
    for rule in RULES {
        let code = rule.code;
        let text = rule.page();
        assert!(text.starts_with(&format!("# {code}\n")), "{code}: the page starts with the code");
        assert!(!text.contains("TODO:") && !text.contains("Source: TODO"), "{code}: the page still has a TODO");
        for heading in ["Refuses", "Why it matters", "Evidence it reads"] {
            assert!(page::section(&text, heading).is_some_and(|section| section.len() > 5), "{code}: {heading}");
        }
        for (heading, refused) in [("Smallest refused", true), ("Nearest accepted", false)] {
            let (kind, example) = page::section(&text, heading).and_then(page::example).unwrap_or_else(|| panic!("{code}: {heading}"));
            let value = parse(example.as_bytes()).unwrap_or_else(|fault| panic!("{code}: {heading}: {}", fault.describe()));
            let kind = Kind::named(kind).unwrap_or_else(|| panic!("{code}: {heading}: a known kind"));
            let codes = judge_input(kind, &value, &RuleSet::all(), "page").codes();
            assert_eq!(codes.contains(&code), refused, "{code}: {heading} gives {codes:?}");
            let without = judge_input(kind, &value, &RuleSet::without(code), "page").codes();
            assert!(!without.contains(&code), "{code}: with the rule taken out it is not produced");
        }
    }
}

#[test]
fn messages_read_as_one_sentence_and_say_what_is_needed() {
    for rule in RULES {
        let text = rule.page();
        let (kind, example) = page::section(&text, "Smallest refused").and_then(page::example).expect("a page has an example");
        let value = parse(example.as_bytes()).expect("the example is JSON");
        let judged = judge_input(Kind::named(kind).expect("a known kind"), &value, &RuleSet::all(), "page");
        for finding in judged.findings.into_sorted().iter().filter(|finding| finding.error_code == rule.code) {
            let message = &finding.message;
            assert!(message.contains("; found ") && message.contains("; needed "), "{}: {message}", rule.code);
            assert!(!message.ends_with('.') && !message.contains('\n'), "{}: {message}", rule.code);
            assert!(message.starts_with(|first: char| !first.is_uppercase()), "{}: {message}", rule.code);
        }
    }
}

/// The subjects of this kind in which the rule of this name finds a fault, and how bad it is.
pub(super) fn refused(kind: &str, input: &str, code: &str) -> Vec<(String, Support)> {
    let value = parse(input.as_bytes()).unwrap_or_else(|fault| panic!("{input}: {}", fault.describe()));
    let judged = judge_input(Kind::named(kind).expect("a known kind"), &value, &RuleSet::all(), "test");
    let of_it = judged.findings.into_sorted().into_iter().filter(|finding| finding.error_code.as_str() == code);
    of_it.map(|finding| (finding.subject_kind, finding.support)).collect()
}

#[test]
fn what_leaks_is_refused_in_every_subject() {
    let (path, secret) = ("/home/ann/notes", "AKIAIOSFODNN7EXAMPLE");
    for (code, leak) in [("WORK_LANDING_PRIVATE_PATH_LEAKAGE", path), ("WORK_LANDING_SECRET_MATERIAL", secret)] {
        for (kind, subject, input) in [
            ("row", "work_landing_run", r#"{"note": "LEAK"}"#),
            ("policy", "landing_policy", r#"{"note": "LEAK"}"#),
            ("protocol", "projection_protocol", r#"{"note": "LEAK"}"#),
            ("manifest", "source_module_manifest", r#"{"manifest": {"note": "LEAK", "modules": []}, "files": {}}"#),
            ("manifest", "source_module", r#"{"manifest": {"modules": [{"note": "LEAK"}]}, "files": {}}"#),
        ] {
            let found = refused(kind, &input.replace("LEAK", leak), code);
            assert_eq!(found, [(subject.to_owned(), Support::Forbidden)], "{code} in {subject}");
            assert_eq!(refused(kind, input, code), [], "{code} in {subject}");
        }
    }
}

#[test]
fn a_lane_that_is_silent_of_a_flag_is_not_shown_and_one_that_raises_it_is_forbidden() {
    let flags = [
        ("WORK_LANDING_RELEASE_OVERCLAIM", "release_authorized"),
        ("WORK_LANDING_DIRTY_TREE_BOUNDARY_MISSING", "stages_unrelated_dirty_paths"),
    ];
    for (code, flag) in flags {
        for (value, support) in [("null", Support::NotShown), ("true", Support::Forbidden), (r#""no""#, Support::Forbidden)] {
            let policy = format!(r#"{{"lane_decision_table": [{{"lane_id": "hard_stop", "{flag}": {value}}}]}}"#);
            assert_eq!(refused("policy", &policy, code), [("lane_decision".to_owned(), support)], "{flag}: {value}");
        }
    }
}

#[test]
fn a_lane_that_raises_authority_is_refused() {
    let policy =
        |value: &str| format!(r#"{{"lane_decision_table": [{{"lane_id": "hard_stop", "live_git_mutation_authorized": {value}}}]}}"#);
    let code = "WORK_LANDING_AUTHORITY_OVERCLAIM";
    assert_eq!(refused("policy", &policy("true"), code), [("lane_decision".to_owned(), Support::Forbidden)]);
    assert_eq!(refused("policy", &policy("false"), code), []);
}

#[test]
fn a_lane_that_is_no_object_is_judged_as_such_only() {
    let policy = r#"{"lane_decision_table": [3]}"#;
    assert_eq!(refused("policy", policy, "WORK_LANDING_LANE_ROW_NOT_OBJECT").len(), 1);
    for code in ["WORK_LANDING_RELEASE_OVERCLAIM", "WORK_LANDING_LANE_FLAG_NOT_BOOLEAN", "WORK_LANDING_LANE_UNKNOWN"] {
        assert_eq!(refused("policy", policy, code), [], "{code}: it has no fields that could be at fault");
    }
}

#[test]
fn a_set_permits_what_was_not_taken_out() {
    for rule in RULES {
        assert!(RuleSet::all().permits(rule.code), "{}", rule.code);
        let without = RuleSet::without(rule.code);
        assert!(!without.permits(rule.code), "{}", rule.code);
        assert!(RULES.iter().all(|other| other.code == rule.code || without.permits(other.code)), "{}", rule.code);
    }
}
