//! The value rules that every condition shares (loop governance, section 3).

use super::fields::Fields;
use crate::json::{Number, Value};
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// The value at a dotted path; a payload that is no object has no members.
pub fn at<'r, 'v>(record: &'r Value<'v>, path: &str) -> Option<&'r Value<'v>> {
    Fields::at(record, path)
}

/// A value as text, trimmed: blank for absent, null, false, 0 and everything empty.
///
/// A list or an object that is not empty has a digest of what it says: two that differ have different
/// texts. The digest stands behind a space, so that no string, being trimmed, equals it.
pub fn text<'v>(value: Option<&'v Value<'v>>) -> Cow<'v, str> {
    match value {
        // First of all, as nearly every field is one of these; blank ones are trimmed to nothing.
        None => Cow::Borrowed(""),
        Some(Value::String(text)) => Cow::Borrowed(trimmed(text)),
        _ if is_blank(value) => Cow::Borrowed(""),
        Some(Value::Bool(_)) => Cow::Borrowed("True"),
        Some(Value::Number(number)) if number.is_integer() => Cow::Borrowed(number.as_str()),
        Some(Value::Number(number)) => Cow::Owned(decimal(number.as_f64())),
        Some(list @ Value::Array(_)) => Cow::Owned(format!(" [{}]", digest_of(list))),
        Some(object @ Value::Object(_)) => Cow::Owned(format!(" {{{}}}", digest_of(object))),
        Some(Value::Null) => Cow::Borrowed(""),
    }
}

/// The text without the white space around it.
pub(crate) fn trimmed(text: &str) -> &str {
    // Nearly every text begins and ends with a plain character, which takes no decoding to see.
    match text.as_bytes() {
        [b'!'..=b'~'] | [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

/// Whether the text of a value is blank.
pub fn is_blank(value: Option<&Value<'_>>) -> bool {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => true,
        Some(Value::Bool(true)) => false,
        Some(Value::Number(number)) => number.as_f64() == 0.0,
        Some(Value::String(text)) => trimmed(text).is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(members)) => members.is_empty(),
    }
}

/// Whether a value is a list or an object that is not empty: as an id it names nothing.
pub fn is_compound(value: Option<&Value<'_>>) -> bool {
    matches!(value, Some(Value::Array(_) | Value::Object(_))) && !is_blank(value)
}

/// A text in lower case; one that is so already is not copied.
pub fn lower(text: &str) -> Cow<'_, str> {
    let is_lower = text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) }
}

/// A number that is written with a fraction or an exponent, in decimal: equal ones have one text, which
/// has a point.
pub fn decimal(number: f64) -> String {
    let digits = number.to_string();
    if digits.contains('.') { digits } else { digits + ".0" }
}

fn digest_of(value: &Value<'_>) -> String {
    let mut hasher = Sha256::new();
    feed(value, &mut hasher);
    crate::json::hex(&hasher.finalize()[..16])
}

/// Feeds a value so that equal ones ([`same`]) give equal bytes, and no two others do.
fn feed(value: &Value<'_>, hasher: &mut Sha256) {
    let mut said = |kind: u8, text: &str| {
        hasher.update([kind]);
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    };
    match value {
        Value::Null => said(b'n', ""),
        Value::Bool(flag) => said(b'b', if *flag { "t" } else { "f" }),
        Value::Number(number) if number.as_f64() == 0.0 => said(b'0', "0"),
        Value::Number(number) if number.is_integer() => said(b'0', number.as_str()),
        Value::Number(number) => said(b'0', &number.as_f64().to_string()),
        Value::String(text) => said(b's', text),
        Value::Array(items) => {
            said(b'[', &items.len().to_string());
            items.iter().for_each(|item| feed(item, hasher));
        }
        Value::Object(members) => {
            said(b'{', &members.len().to_string());
            for (key, value) in sorted(members) {
                feed(&Value::String(Cow::Borrowed(key)), hasher);
                feed(value, hasher);
            }
        }
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
    fn two_values_have_one_text_only_if_they_are_equal() {
        let said = |json: &str| text(Some(&parse(json.as_bytes()).expect("the test's text is JSON"))).into_owned();
        for (one, other) in [("1e2", "100.0"), ("[1]", "[1.0]"), (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#), ("0.50", "5e-1")] {
            assert_eq!(said(one), said(other), "{one} {other}");
        }
        assert_eq!((said("1e2"), said("-2.5"), said("1e21")), ("100.0".to_owned(), "-2.5".to_owned(), format!("1{}.0", "0".repeat(21))));
        let list = serde_json::to_string(&said("[1]")).expect("a text is JSON");
        let apart = ["[1]", "[2]", "[1,1]", "[[1]]", r#"["1"]"#, r#"{"a":1}"#, r#"{"a":2}"#, r#"{"b":1}"#, "[null]", r#""[1]""#, &list];
        for (place, one) in apart.iter().enumerate() {
            assert!(!said(one).is_empty());
            for other in &apart[place + 1..] {
                assert_ne!(said(one), said(other), "{one} {other}");
            }
        }
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
