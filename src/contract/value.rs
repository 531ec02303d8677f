//! The value rules that every condition shares (loop governance, section 3).

use crate::json::{Number, Value};
use std::borrow::Cow;

/// The value at a dotted path; a payload that is no object has no members.
pub fn at<'v>(record: &'v Value<'v>, path: &str) -> Option<&'v Value<'v>> {
    path.split('.').try_fold(record, |value, key| value.get(key))
}

/// A value as text, trimmed: blank for absent, null, false, 0 and everything empty.
pub fn text<'v>(value: Option<&'v Value<'v>>) -> Cow<'v, str> {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => Cow::Borrowed(""),
        Some(Value::Bool(true)) => Cow::Borrowed("True"),
        Some(Value::Number(number)) if number.as_f64() == 0.0 => Cow::Borrowed(""),
        Some(Value::Number(number)) => Cow::Borrowed(number.as_str()),
        Some(Value::String(text)) => Cow::Borrowed(text.trim()),
        Some(Value::Array(items)) if items.is_empty() => Cow::Borrowed(""),
        Some(Value::Object(members)) if members.is_empty() => Cow::Borrowed(""),
        // Some text that is not blank and equals no name: what it would print is nobody's business.
        Some(Value::Array(_)) => Cow::Borrowed("[...]"),
        Some(Value::Object(_)) => Cow::Borrowed("{...}"),
    }
}

/// Whether a flag that must be false is set: it passes only when absent, null or `false` (design 7).
pub fn is_set(value: Option<&Value<'_>>) -> bool {
    !matches!(value, None | Some(Value::Null | Value::Bool(false)))
}

/// The number, if it is written as an integer; a boolean is none.
pub fn whole<'v>(value: Option<&Value<'v>>) -> Option<Number<'v>> {
    value.and_then(Value::as_number).filter(|number| number.is_integer())
}

/// The items of a list or the characters of a text as it is, blanks included; anything else has none.
pub fn length(value: Option<&Value<'_>>) -> usize {
    match value {
        Some(Value::Array(items)) => items.len(),
        Some(Value::String(text)) => text.chars().count(),
        _ => 0,
    }
}

/// Whether two values are equal: absent as `null`, numbers by value, members in any order.
pub fn same(one: Option<&Value<'_>>, other: Option<&Value<'_>>) -> bool {
    equal(one.unwrap_or(&Value::Null), other.unwrap_or(&Value::Null))
}

fn equal(one: &Value<'_>, other: &Value<'_>) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => match (one.as_integer(), other.as_integer()) {
            (Some(one), Some(other)) => one == other,
            _ if one.is_integer() && other.is_integer() => one == other,
            _ => one.as_f64() == other.as_f64(),
        },
        (Value::Array(one), Value::Array(other)) => one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other)),
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len() && sorted(one).zip(sorted(other)).all(|(one, other)| one.0 == other.0 && equal(&one.1, &other.1))
        }
        (one, other) => one == other,
    }
}

/// The members in the order of their keys, so that comparing two objects is not a search for each key.
fn sorted<'m, 'v>(members: &'m [(Cow<'v, str>, Value<'v>)]) -> impl Iterator<Item = &'m (Cow<'v, str>, Value<'v>)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by(|one, other| one.0.cmp(&other.0));
    members.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn empty_things_are_blank_and_everything_else_is_text() {
        let record = parse(
            br#"{"a": 0, "b": "  ", "c": [], "d": {}, "e": -0.0, "f": true, "g": " x ", "h": 12, "i": [0], "p": {"q": "z"}, "s": "no"}"#,
        )
        .expect("the test's text is JSON");
        for blank in ["a", "b", "c", "d", "e", "none", "p.none", "s.t"] {
            assert_eq!(text(at(&record, blank)), "", "{blank}");
        }
        for (path, said) in [("f", "True"), ("g", "x"), ("h", "12"), ("p.q", "z")] {
            assert_eq!(text(at(&record, path)), said);
        }
        assert!(!text(at(&record, "i")).is_empty());
        assert!(is_set(at(&record, "a")) && is_set(at(&record, "s")) && !is_set(at(&record, "none")));
    }
    #[test]
    fn a_boolean_is_no_number_and_a_fraction_no_integer() {
        let record = parse(br#"{"a": 0, "b": false, "c": 1.0, "d": 1e2, "e": "1", "f": 99999999999999999999}"#).expect("it is JSON");
        let wholes: Vec<_> = ["a", "b", "c", "d", "e", "f", "g"].iter().map(|field| whole(at(&record, field)).is_some()).collect();
        assert_eq!(wholes, [true, false, false, false, false, true, false]);
    }

    #[test]
    fn equal_values_are_equal_however_they_are_written() {
        let pairs = [
            ("9", "9.0", true),
            ("0", "-0", true),
            ("1", "true", false),
            ("0", "null", false),
            (r#"{"a": 1, "b": [2]}"#, r#"{"b": [2.0], "a": 1}"#, true),
            (r#"{"a": 1}"#, r#"{"a": 1, "b": null}"#, false),
            ("[1, 2]", "[2, 1]", false),
            ("99999999999999999999", "99999999999999999998", false),
        ];
        for (one, other, equal) in pairs {
            let (one, other) = (parse(one.as_bytes()).expect("JSON"), parse(other.as_bytes()).expect("JSON"));
            assert_eq!(same(Some(&one), Some(&other)), equal, "{one:?} {other:?}");
        }
        assert!(same(None, Some(&Value::Null)));
    }

    #[test]
    fn a_length_counts_items_or_characters() {
        let record = parse(r#"{"a": [0, 0], "b": " äö", "c": {"d": 1}, "e": 12}"#.as_bytes()).expect("it is JSON");
        assert_eq!(["a", "b", "c", "e", "f"].map(|field| length(at(&record, field))), [2, 3, 0, 0, 0]);
    }
}
