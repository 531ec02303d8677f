//! The value rules that every condition shares (loop governance, section 3).

use crate::json::Value;
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
}
