//! Every kind of condition, held against records of which it holds and the nearest of which it does not.

use super::*;
use crate::json::parse;

/// Kind, condition, texts of records of which it holds, texts of records of which it does not.
type Row = (&'static str, &'static [&'static str], &'static [&'static str]);

fn check(rows: &[Row]) {
    for (condition, yes, no) in rows {
        let parsed: Condition = serde_json::from_str(condition).unwrap_or_else(|error| panic!("{condition}: {error}"));
        let written = serde_json::to_string(&parsed).expect("a condition is JSON");
        assert_eq!(serde_json::from_str::<Condition>(&written).expect("it reads back"), parsed, "{condition}");
        for (texts, wanted) in [(yes, true), (no, false)] {
            for text in *texts {
                let record = parse(text.as_bytes()).unwrap_or_else(|fault| panic!("{text}: {}", fault.describe()));
                assert_eq!(parsed.holds(&record), wanted, "{condition} of {text}");
                assert_eq!(parsed.times(&record) > 0, wanted, "{condition} of {text}");
            }
        }
    }
}

#[test]
fn conditions_are_joined_and_turned_round() {
    check(&[
        (r#"{"all": [{"flag": "a"}, {"flag": "b"}]}"#, &[r#"{"a": 1, "b": 1}"#], &[r#"{"a": 1}"#, "{}"]),
        (r#"{"any": [{"flag": "a"}, {"flag": "b"}]}"#, &[r#"{"a": 1}"#, r#"{"b": 1}"#], &["{}"]),
        (r#"{"not": {"flag": "a"}}"#, &["{}"], &[r#"{"a": true}"#]),
    ]);
}

#[test]
fn values_are_told_by_kind() {
    check(&[
        (r#"{"blank": "a"}"#, &["{}", r#"{"a": "  "}"#, r#"{"a": []}"#], &[r#"{"a": "x"}"#, r#"{"a": true}"#]),
        (r#"{"flag": "a"}"#, &[r#"{"a": 0}"#, r#"{"a": ""}"#, r#"{"a": "false"}"#], &["{}", r#"{"a": null}"#, r#"{"a": false}"#]),
        (r#"{"is_true": "a"}"#, &[r#"{"a": true}"#], &[r#"{"a": "true"}"#, r#"{"a": 1}"#, "{}"]),
        (r#"{"is_false": "a.b"}"#, &[r#"{"a": {"b": false}}"#], &[r#"{"a": {"b": 0}}"#, r#"{"a": {"b": null}}"#, r#"{"a": false}"#]),
        (r#"{"present": "p.a"}"#, &[r#"{"p": {"a": null}}"#], &[r#"{"p": {}}"#, r#"{"p": "a"}"#]),
        (r#"{"says_something": "a"}"#, &[r#"{"a": false}"#], &[r#"{"a": null}"#, "{}"]),
        (r#"{"is_text": "a"}"#, &[r#"{"a": ""}"#], &[r#"{"a": 1}"#, "{}", r#"{"a": ["x"]}"#]),
        (
            r#"{"is_integer": "a"}"#,
            &[r#"{"a": 0}"#, r#"{"a": 10000000000000000000000}"#],
            &[r#"{"a": 0.0}"#, r#"{"a": false}"#, r#"{"a": "0"}"#, "{}"],
        ),
        (r#"{"is_object": "a"}"#, &[r#"{"a": {}}"#], &[r#"{"a": []}"#, "{}"]),
        (r#"{"is_list": "a"}"#, &[r#"{"a": []}"#], &[r#"{"a": {}}"#, r#"{"a": "[]"}"#]),
        (r#"{"is_nonempty_list": "a"}"#, &[r#"{"a": [null]}"#], &[r#"{"a": []}"#, r#"{"a": "x"}"#]),
    ]);
}

#[test]
fn numbers_and_lengths_are_compared() {
    check(&[
        (
            r#"{"is_number": {"field": "a", "number": 0}}"#,
            &[r#"{"a": 0}"#, r#"{"a": -0}"#],
            &["{}", r#"{"a": false}"#, r#"{"a": 0.0}"#, r#"{"a": 1}"#],
        ),
        (
            r#"{"at_least": {"field": "a", "number": 1}}"#,
            &[r#"{"a": 1}"#, r#"{"a": 99999999999999999999}"#],
            &[r#"{"a": 0}"#, r#"{"a": -99999999999999999999}"#, r#"{"a": 1.5}"#, r#"{"a": true}"#, "{}"],
        ),
        (
            r#"{"longer_than": {"field": "a", "length": 2}}"#,
            &[r#"{"a": [0, 0, 0]}"#, r#"{"a": "äöü"}"#, r#"{"a": "   "}"#],
            &[r#"{"a": "äö"}"#, r#"{"a": 12345}"#, r#"{"a": {"b": 1, "c": 2, "d": 3}}"#],
        ),
        (
            r#"{"counts": {"count": "n", "list": "l"}}"#,
            &[r#"{"n": 2, "l": [0, 0]}"#, r#"{"n": 0, "l": "none"}"#],
            &[r#"{"n": 1, "l": [0, 0]}"#, r#"{"l": []}"#, r#"{"n": 0.0, "l": []}"#, r#"{"n": -1}"#],
        ),
        (r#"{"same": ["a", "b"]}"#, &[r#"{"a": 1, "b": 1.0}"#, "{}"], &[r#"{"a": 1, "b": true}"#, r#"{"a": 1}"#]),
    ]);
}

#[test]
fn texts_are_compared_trimmed_and_folded_as_asked() {
    check(&[
        (r#"{"one_of": {"field": "a", "values": ["x"]}}"#, &[r#"{"a": " x "}"#], &[r#"{"a": "X"}"#, "{}"]),
        (r#"{"one_of": {"field": "a", "values": ["", "x"]}}"#, &["{}", r#"{"a": null}"#], &[r#"{"a": "y"}"#]),
        (r#"{"not_one_of": {"field": "a", "values": ["x"], "fold": "lower"}}"#, &["{}"], &[r#"{"a": "X"}"#]),
        (r#"{"is_exactly": {"field": "a", "text": "x"}}"#, &[r#"{"a": "x"}"#], &[r#"{"a": " x"}"#, r#"{"a": ["x"]}"#, "{}"]),
        (
            r#"{"same_text": {"fields": ["a", "b"], "fold": "lower"}}"#,
            &[r#"{"a": "X", "b": "x"}"#, "{}"],
            &[r#"{"a": "X"}"#, r#"{"a": "x", "b": "y"}"#],
        ),
        (
            r#"{"paired": {"field": "a", "by": "s", "pairs": {"on": "go", "off": "stay"}}}"#,
            &[r#"{"s": "on", "a": "go"}"#, r#"{"s": "off", "a": "stay"}"#],
            &[r#"{"s": "on", "a": "stay"}"#, r#"{"s": "else", "a": "go"}"#, "{}"],
        ),
        (
            r#"{"copy_differs": {"copy": "p.a", "of": "a", "fold": "upper"}}"#,
            &[r#"{"a": "x", "p": {"a": "y"}}"#],
            &[r#"{"a": "x", "p": {"a": "X"}}"#, r#"{"a": "x", "p": {"a": ""}}"#],
        ),
        (r#"{"flags_differ": ["a", "b"]}"#, &[r#"{"a": 1}"#], &[r#"{"a": 1, "b": "no"}"#, r#"{"a": false}"#]),
        (r#"{"lacks": {"field": "a", "text": "z"}}"#, &[r#"{"a": "xy"}"#], &[r#"{"a": "xyz"}"#, "{}"]),
        (r#"{"has_part": {"field": "a", "text": "ok"}}"#, &[r#"{"a": "not ok."}"#], &[r#"{"a": "OK"}"#, r#"{"a": ["ok"]}"#, "{}"]),
        (r#"{"repeats": {"field": "a", "of": "b"}}"#, &[r#"{"a": "xyz", "b": " y "}"#], &[r#"{"a": "xyz", "b": "q"}"#, r#"{"a": "xyz"}"#]),
        (r#"{"climbs": "a"}"#, &[r#"{"a": "x/../y"}"#, r#"{"a": "x\\.."}"#, r#"{"a": ".."}"#], &[r#"{"a": "x..y/..z"}"#, "{}"]),
    ]);
}

#[test]
fn lists_are_asked_item_by_item() {
    check(&[
        (r#"{"list_has": {"field": "l", "text": "x"}}"#, &[r#"{"l": [1, "x"]}"#], &[r#"{"l": [" x"]}"#, r#"{"l": "x"}"#, "{}"]),
        (r#"{"any_item": {"list": "l", "fault": "not_object"}}"#, &[r#"{"l": [{}, 1]}"#], &[r#"{"l": [{}]}"#, r#"{"l": 1}"#]),
        (r#"{"any_item": {"list": "l", "fault": {"blank": "k"}}}"#, &[r#"{"l": [{"k": ""}]}"#], &[r#"{"l": [{"k": 1}, 1]}"#]),
        (
            r#"{"any_item": {"list": "l", "fault": {"not_one_of": {"field": "k", "values": ["x"]}}}}"#,
            &[r#"{"l": [{}]}"#],
            &[r#"{"l": [{"k": "x"}, 1]}"#],
        ),
        (
            r#"{"any_item": {"list": "l", "fault": {"meets": {"flag": "k"}}}}"#,
            &[r#"{"l": [{}, {"k": 0}]}"#],
            &[r#"{"l": [{"k": false}, "k"]}"#],
        ),
        (
            r#"{"any_item": {"list": "l", "fault": {"outside": ["PATH"]}}}"#,
            &[r#"{"l": ["PATH", "HOME"]}"#, r#"{"l": [null]}"#],
            &[r#"{"l": ["PATH"]}"#, r#"{"l": "HOME"}"#],
        ),
        (
            r#"{"any_item": {"list": "l", "fault": "names_secret"}}"#,
            &[r#"{"l": ["my_Token"]}"#, r#"{"l": ["MONKEY"]}"#],
            &[r#"{"l": ["PATH"]}"#],
        ),
        (
            r#"{"items_agree": {"items": "i", "key": "t", "list": "l"}}"#,
            &[r#"{"i": [{"t": "a"}, {"t": "b"}], "l": ["a", "b"]}"#, r#"{"i": [], "l": []}"#],
            &[r#"{"i": [{"t": "a"}, {"t": "b"}], "l": ["b", "a"]}"#, r#"{"i": [{"t": "a"}], "l": ["a", "a"]}"#, r#"{"i": [{"t": "a"}]}"#],
        ),
        (
            r#"{"items_cover": {"items": "i", "key": "t", "texts": ["a", "b"]}}"#,
            &[r#"{"i": [{"t": "b"}, 1, {"t": "a"}]}"#],
            &[r#"{"i": [{"t": "b"}]}"#, "{}"],
        ),
        (
            r#"{"first_bad_item": {"list": "l", "statuses": ["ok"], "fault": "status"}}"#,
            &[r#"{"l": [{"status": "OK"}, {"status": "bad"}, 1]}"#],
            &[r#"{"l": [1, {"status": "bad"}]}"#, r#"{"l": [{"status": "ok"}]}"#],
        ),
    ]);
    let each: Condition = serde_json::from_str(r#"{"each_item": {"list": "l", "fault": "not_object"}}"#).expect("a condition");
    assert_eq!(each.times(&parse(br#"{"l": [1, {}, 2]}"#).expect("JSON")), 2);
}

#[test]
fn an_object_is_found_in_the_record_else_in_the_payload() {
    check(&[
        (
            r#"{"found": "a.b"}"#,
            &[r#"{"a": {"b": {"c": 1}}}"#, r#"{"payload": {"a": {"b": {"c": 1}}}}"#, r#"{"a": {}, "payload": {"a": {"b": {"c": 1}}}}"#],
            &[r#"{"a": {"b": {}}}"#, r#"{"a": {"x": 1}, "payload": {"a": {"b": {"c": 1}}}}"#, r#"{"payload": "a"}"#, "{}"],
        ),
        (
            r#"{"within": {"object": "a", "meets": {"not_one_of": {"field": "c", "values": ["x"]}}}}"#,
            &[r#"{"a": {"c": "y"}}"#, r#"{"a": {"d": 1}}"#],
            &[r#"{"a": {"c": "x"}}"#, r#"{"a": {}}"#, "{}"],
        ),
    ]);
}

#[test]
fn recorded_words_are_held_against_list_and_command() {
    check(&[
        (
            r#"{"argv_allowlisted": "a"}"#,
            &[
                r#"{"a": ["python", "-m", "src.testing.run_replay_evidence_check", "--scenario-id", "s", "--directive-id", "d", "--timeout-profile", "standard"]}"#,
            ],
            &[
                r#"{"a": ["python", "-m", "src.testing.run_replay_evidence_check", "--scenario-id", "s", "--directive-id", "d", "--timeout-profile", 1]}"#,
                r#"{"a": ["python", "-m", "src.testing.run_replay_evidence_check", "--scenario-id", "s", "--directive-id", "d"]}"#,
                r#"{"a": []}"#,
                "{}",
            ],
        ),
        (
            r#"{"argv_splits": {"argv": "a", "command": "c"}}"#,
            &[r#"{"a": ["x", "y z"], "c": "x 'y z'"}"#],
            &[r#"{"a": ["x", "y", "z"], "c": "x 'y z'"}"#, r#"{"a": ["x"], "c": "x 'y"}"#, r#"{"a": [1], "c": "1"}"#, r#"{"c": "x"}"#],
        ),
        (r#"{"command_text": {"field": "c", "fault": "unsplittable"}}"#, &[r#"{"c": "'x"}"#], &[r#"{"c": "x"}"#, "{}"]),
        (r#"{"predicate": "noop_argv_not_fixed"}"#, &[r#"{"noop_argv": ["x"]}"#], &["{}"]),
    ]);
}

fn any_record() -> impl proptest::strategy::Strategy<Value = serde_json::Value> {
    use proptest::prelude::*;
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        prop_oneof![Just(0.0), Just(1e300), any::<f64>()]
            .prop_filter_map("finite", |number| serde_json::Number::from_f64(number).map(Into::into)),
        any::<String>().prop_map(Into::into),
        proptest::sample::select(vec!["approved", "rejected", "executed", "succeeded", "passed", "failed", "controlled-noop-ok"])
            .prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let keys = vec![
            "payload",
            "status",
            "reason",
            "mock_execution",
            "adapter_result",
            "capabilities",
            "repair_items",
            "argv",
            "command",
            "env_keys",
            "noop_argv",
            "target",
            "execution_level",
            "exit_code",
            "stdout",
            "noop_marker",
            "repair_targets",
            "repair_item_count",
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            proptest::collection::btree_map(proptest::sample::select(keys), inner, 0..8).prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

proptest::proptest! {
    #[test]
    fn no_record_of_any_type_is_too_strange(mut record in any_record(), which in proptest::prelude::any::<proptest::sample::Index>()) {
        let mut types: Vec<_> = crate::contract::table::contracts().all().map(|contract| contract.record_type.as_str()).collect();
        types.sort_unstable();
        if let Some(members) = record.as_object_mut() {
            members.insert("type".to_owned(), types[which.index(types.len())].into());
        }
        let text = record.to_string();
        let read = parse(text.as_bytes()).expect("serde_json writes JSON");
        let verdict = crate::contract::check::check(&read);
        proptest::prop_assert_eq!(verdict.valid, verdict.severity < crate::contract::table::Severity::Warning || verdict.reasons.is_empty());
        let trail = [read];
        let report = crate::contract::execution_readiness::report(&trail, &Default::default());
        proptest::prop_assert!(report.is_well_formed() && !report.passed());
        proptest::prop_assert_eq!(&report.keys["ready_for_real_execution"], &serde_json::json!(false));
    }
}
