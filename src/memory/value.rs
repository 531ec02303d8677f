//! The value rules that the whole memory family shares (loop memory, section 0).
//!
//! Values are lenient on purpose: the records come from many hands, and a rule says what it makes of
//! each. What is lenient is the reading of a value, never the judgement.

use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};

/// An object under construction.
pub(crate) type Object = Map<String, Json>;

static NULL: Json = Json::Null;

/// The member `key`; null for an absent one and for a value that is no object.
pub(crate) fn field<'v>(value: &'v Json, key: &str) -> &'v Json {
    value.get(key).unwrap_or(&NULL)
}

/// Whether anything is meant by the value. `"no"` and `"false"` are true: the unsafe side wins.
pub(crate) fn truthy(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(false) => false,
        Json::Bool(true) => true,
        Json::Number(number) => number.as_f64() != Some(0.0),
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => !items.is_empty(),
        Json::Object(members) => !members.is_empty(),
    }
}

/// Text with its whitespace collapsed and its ends trimmed.
pub(crate) fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// The text form, blank for what is not truthy.
pub(crate) fn text(value: &Json) -> String {
    match value {
        value if !truthy(value) => String::new(),
        Json::String(text) => text.clone(),
        other => shown(other),
    }
}

/// The text form with collapsed whitespace.
pub(crate) fn clean(value: &Json) -> String {
    match value {
        Json::String(text) => collapse(text),
        other => collapse(&text(other)),
    }
}

/// [`clean`], lower-cased.
pub(crate) fn lower(value: &Json) -> String {
    clean(value).to_lowercase()
}

/// The text form, trimmed, inner whitespace kept.
pub(crate) fn trimmed(value: &Json) -> String {
    text(value).trim().to_owned()
}

/// Whether [`clean`] leaves nothing.
pub(crate) fn is_blank(value: &Json) -> bool {
    match value {
        Json::String(text) => text.trim().is_empty(),
        other => !truthy(other),
    }
}

/// A number, a boolean or decimal text as a double; `default` for anything else. What is not finite
/// is no number.
pub(crate) fn num(value: &Json, default: f64) -> f64 {
    let read = match value {
        Json::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Json::Number(number) => number.as_f64(),
        Json::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    read.filter(|number: &f64| number.is_finite()).unwrap_or(default)
}

/// A number cut toward zero, a boolean or a plain integer literal; `default` for anything else.
pub(crate) fn int(value: &Json, default: i128) -> i128 {
    match value {
        Json::Bool(flag) => i128::from(*flag),
        Json::Number(number) => number
            .as_i64()
            .map(i128::from)
            .or_else(|| number.as_u64().map(i128::from))
            // A cast saturates, which is as near as an integer comes.
            .or_else(|| number.as_f64().map(|double| double as i128))
            .unwrap_or(default),
        Json::String(text) => text.trim().parse().unwrap_or(default),
        _ => default,
    }
}

/// The elements of a list, or none.
pub(crate) fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The value if it is an object, else null, which has no members.
pub(crate) fn map(value: &Json) -> &Json {
    if value.is_object() { value } else { &NULL }
}

/// The members of an object as an owned map, or an empty one.
pub(crate) fn members(value: &Json) -> Object {
    value.as_object().cloned().unwrap_or_default()
}

/// The first value that is not null, `""`, `[]` or `{}`. Zero and false count as values.
pub(crate) fn first<'v>(values: impl IntoIterator<Item = &'v Json>) -> &'v Json {
    values.into_iter().find(|value| truthy(value) || matches!(value, Json::Number(_) | Json::Bool(_))).unwrap_or(&NULL)
}

/// The cleaned texts of a list that are not blank, once each, sorted; none for what is no list.
pub(crate) fn tags(value: &Json) -> Vec<String> {
    let mut tags: Vec<_> = list(value).iter().map(clean).filter(|tag| !tag.is_empty()).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

/// Hex SHA-256 of the parts joined by one newline.
pub(crate) fn hash(parts: &[&str]) -> String {
    crate::json::hex(&Sha256::digest(parts.join("\n").as_bytes()))
}

/// Correctly rounded to four decimals: ties fall by the exact binary value.
pub(crate) fn round4(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap_or(value)
}

/// Held between 0 and 1.
pub(crate) fn clamp01(value: f64) -> f64 {
    value.clamp(0.0, 1.0)
}

/// The first `count` code points.
pub(crate) fn cut(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

/// How many code points.
pub(crate) fn chars(text: &str) -> usize {
    text.chars().count()
}

/// A double in its shortest form that keeps a decimal point.
pub(crate) fn float_text(value: f64) -> String {
    let text = format!("{value:?}");
    match text.split_once('e') {
        None => text,
        Some((digits, exponent)) => {
            let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
            format!("{digits}e{sign}{exponent:0>2}")
        }
    }
}

/// A value as a reason prints it: bare text, `None`, `True`, floats with a point.
pub(crate) fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => {
            let mut out = String::new();
            quote(other, &mut out);
            out
        }
    }
}

/// A value as a reason quotes it: text in single quotes, the rest as [`shown`].
pub(crate) fn quoted(value: &Json) -> String {
    let mut out = String::new();
    quote(value, &mut out);
    out
}

fn quote(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("None"),
        Json::Bool(flag) => out.push_str(if *flag { "True" } else { "False" }),
        Json::Number(number) if number.is_f64() => out.push_str(&float_text(number.as_f64().unwrap_or_default())),
        Json::Number(number) => out.push_str(&number.to_string()),
        Json::String(text) => {
            out.push('\'');
            out.push_str(text);
            out.push('\'');
        }
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                quote(item, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (index, (key, member)) in members.iter().enumerate() {
                out.push_str(if index == 0 { "'" } else { ", '" });
                out.push_str(key);
                out.push_str("': ");
                quote(member, out);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_is_blank_for_what_means_nothing_and_collapsed_otherwise() {
        for blank in [json!(null), json!(false), json!(0), json!(-0.0), json!(""), json!(" \u{a0}\u{2003}"), json!([]), json!({})] {
            assert_eq!(clean(&blank), "", "{blank}");
            assert!(is_blank(&blank), "{blank}");
        }
        assert_eq!(clean(&json!("  a\u{2003}\n b ")), "a b");
        assert_eq!(clean(&json!(true)), "True");
        assert_eq!(clean(&json!([1, 0.5, "x", null, {"k": false}])), "[1, 0.5, 'x', None, {'k': False}]");
        assert_eq!(lower(&json!("STRA\u{df}E \u{c4}")), "stra\u{df}e \u{e4}");
    }

    #[test]
    fn numbers_are_read_from_what_says_one() {
        for (value, said) in [
            (json!(true), 1.0),
            (json!(" 1.5e1 "), 15.0),
            (json!("nan"), -9.0),
            (json!("inf"), -9.0),
            (json!("1e999"), -9.0),
            (json!([]), -9.0),
        ] {
            assert!((num(&value, -9.0) - said).abs() < 1e-12, "{value}");
        }
        for (value, said) in [
            (json!(3.9), 3),
            (json!(-3.9), -3),
            (json!(" +7 "), 7),
            (json!("7.0"), -1),
            (json!(null), -1),
            (json!({}), -1),
            (json!(u64::MAX), i128::from(u64::MAX)),
            (json!(1e300), i128::MAX),
        ] {
            assert_eq!(int(&value, -1), said, "{value}");
        }
    }

    #[test]
    fn zero_and_false_are_values_but_empty_things_are_not() {
        let (zero, empty, text) = (json!(0), json!([]), json!("x"));
        assert_eq!(first([&empty, &json!(""), &zero, &text]), &zero);
        assert_eq!(first([&json!(null), &json!({}), &json!(false), &text]), &json!(false));
        assert_eq!(first([&json!(null)]), &json!(null));
    }

    #[test]
    fn rounding_follows_the_exact_binary_value() {
        assert!((round4(4.0 / 80000.0) - 0.0001).abs() < 1e-12, "0.00005 lies above its decimal");
        assert!((round4(1.0 / 80000.0)).abs() < 1e-12);
        assert!((round4(5.0 / 7.0) - 0.7143).abs() < 1e-12);
    }

    #[test]
    fn floats_keep_a_point_and_two_digits_of_exponent() {
        for (value, said) in [(1.0, "1.0"), (0.7143, "0.7143"), (1e16, "1e+16"), (1.5e-5, "1.5e-05"), (1e-300, "1e-300"), (-0.0, "-0.0")] {
            assert_eq!(float_text(value), said);
        }
    }

    #[test]
    fn cuts_count_code_points() {
        assert_eq!(cut("\u{e9}\u{1f680}z", 2), "\u{e9}\u{1f680}");
        assert_eq!(cut("ab", 9), "ab");
    }

    #[test]
    fn hashes_join_by_one_newline() {
        assert_eq!(hash(&["a", "", "b"]), hash(&["a\n\nb"]));
        assert_eq!(hash(&[""]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
