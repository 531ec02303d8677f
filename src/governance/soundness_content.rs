//! What a record says, as bytes that can be compared by a digest: two that say something else give other bytes.
//!
//! What the ledger stamps on a record is no part of it, nor is the order of its own members. Members of a value inside
//! it keep theirs. The bytes are the members in order, each as JSON without white space and with a comma behind it;
//! a canonical text without escapes has them as they are.

use crate::json::Value;

/// Writes what a record says, so that two that say something else give other bytes. `plain` is what the record was read
/// from, where that is known to have no white space, no escapes and its own members in order; the bytes are the same
/// without it.
pub(super) fn write_content(record: &Value<'_>, plain: Option<&str>, content: &mut Vec<u8>) {
    content.clear();
    if plain.is_some_and(|text| copy_content(record, text, content).is_some()) {
        return;
    }
    content.clear();
    let mut members: Vec<_> = record.members().iter().filter(|(key, _)| !is_stamp(key)).collect();
    if !members.is_sorted_by(|(one, _), (other, _)| one < other) {
        members.sort_by(|(one, _), (other, _)| one.cmp(other));
    }
    for (key, value) in members {
        write_member(key, value, content);
        content.push(b',');
    }
}

/// Copies what a record says from its plain text: every stretch of members between two stamps.
fn copy_content(record: &Value<'_>, text: &str, content: &mut Vec<u8>) -> Option<()> {
    let bytes = text.as_bytes();
    // Where a stretch begins, unless the last member was a stamp.
    let mut begun = None;
    for (key, _) in record.members() {
        // Before its opening quote.
        let start = (key.as_ptr().addr() - bytes.as_ptr().addr()).checked_sub(1)?;
        match begun {
            Some(begin) if is_stamp(key) => {
                content.extend_from_slice(bytes.get(begin..start)?);
                begun = None;
            }
            None if !is_stamp(key) => begun = Some(start),
            _ => {}
        }
    }
    if let Some(begin) = begun {
        content.extend_from_slice(bytes.get(begin..bytes.len() - 1)?);
        content.push(b',');
    }
    Some(())
}

fn write_value(value: &Value<'_>, content: &mut Vec<u8>) {
    let separate = |place: usize, content: &mut Vec<u8>| {
        if place > 0 {
            content.push(b',');
        }
    };
    match value {
        Value::Null => content.extend_from_slice(b"null"),
        Value::Bool(false) => content.extend_from_slice(b"false"),
        Value::Bool(true) => content.extend_from_slice(b"true"),
        Value::Number(number) => content.extend_from_slice(number.as_str().as_bytes()),
        Value::String(text) => write_text(text, content),
        Value::Array(items) => {
            content.push(b'[');
            for (place, item) in items.iter().enumerate() {
                separate(place, content);
                write_value(item, content);
            }
            content.push(b']');
        }
        Value::Object(members) => {
            content.push(b'{');
            for (place, (key, value)) in members.iter().enumerate() {
                separate(place, content);
                write_member(key, value, content);
            }
            content.push(b'}');
        }
    }
}

fn write_member(key: &str, value: &Value<'_>, content: &mut Vec<u8>) {
    write_text(key, content);
    content.push(b':');
    write_value(value, content);
}

/// Writes a text between quotes. A quote or a backslash in it stands behind a backslash, so that no text runs into what
/// follows; nobody reads the bytes, and so nothing else need be escaped.
fn write_text(text: &str, content: &mut Vec<u8>) {
    let mut rest = text.as_bytes();
    content.push(b'"');
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        content.extend_from_slice(&rest[..at]);
        content.extend_from_slice(&[b'\\', rest[at]]);
        rest = &rest[at + 1..];
    }
    content.extend_from_slice(rest);
    content.push(b'"');
}

/// Whether `key` is what the ledger adds to a record on publishing, or when it was made: no part of what it says.
fn is_stamp(key: &str) -> bool {
    matches!(key, "gid" | "node" | "node_id" | "ts" | "created_at")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Parser;

    /// What a record says, with its text where a parser finds that plain.
    fn content(text: &str, with_text: bool) -> String {
        let mut parser = Parser::default();
        let read = |parser: &mut Parser| parser.parse_text(text).map(|_| ()).expect("the test's text is JSON");
        // A layout is not learned from the first text.
        (0..3).for_each(|_| read(&mut parser));
        let record = parser.parse_text(text).expect("the test's text is JSON");
        let mut content = Vec::new();
        write_content(&record, (with_text && parser.is_plain()).then_some(text), &mut content);
        String::from_utf8(content).expect("it is text")
    }

    #[test]
    fn members_stand_in_order_without_stamps_and_white_space() {
        let said = r#""a":"x","b":[1,{"d":null,"c":[]},true],"e":{},"#;
        for text in [
            r#"{"a":"x","b":[1,{"d":null,"c":[]},true],"e":{}}"#,
            r#"{"a":"x","b":[1,{"d":null,"c":[]},true],"created_at":1.5,"e":{},"gid":"g","node":"n","node_id":["n"],"ts":0}"#,
            r#"{"a": "x", "b": [1, {"d": null, "c": []}, true], "e": {}, "ts": 1}"#,
            r#"{"ts":1,"b":[1,{"d":null,"c":[]},true],"a":"x","e":{}}"#,
            r#"{"\u0061":"\u0078","b":[1,{"d":null,"c":[]},true],"e":{}}"#,
        ] {
            assert_eq!((content(text, true).as_str(), content(text, false).as_str()), (said, said), "{text}");
        }
        for empty in ["{}", r#"{"ts":1}"#, r#"{"gid":"","ts":1}"#] {
            assert_eq!((content(empty, true), content(empty, false)), (String::new(), String::new()));
        }
    }

    #[test]
    fn records_that_say_something_else_have_other_bytes() {
        let texts = [
            r#"{"a":"x"}"#,
            r#"{"a":"x "}"#,
            r#"{"a":["x"]}"#,
            r#"{"a":{"c":1,"b":1}}"#,
            r#"{"a":{"b":1,"c":1}}"#,
            r#"{"a":{"ts":1}}"#,
            r#"{"a":"b\",\"c"}"#,
            r#"{"a":"b","c":"d"}"#,
            r#"{"a":"b\",\"c\":\"d"}"#,
            r#"{"a":"b\\\",\\\"c"}"#,
            r#"{"a\":\"b":"c"}"#,
            r#"{"a":1}"#,
            r#"{"a":1.0}"#,
            r#"{"a":"1"}"#,
            r#"{"a":null}"#,
            r#"{"a":"null"}"#,
            r#"{"a":[]}"#,
            r#"{"a":""}"#,
            r#"{"a":"","b":""}"#,
        ];
        let contents: std::collections::BTreeSet<_> = texts.iter().map(|text| content(text, true)).collect();
        assert_eq!(contents.len(), texts.len());
    }

    proptest::proptest! {
        /// The bytes do not depend on whether they were copied.
        #[test]
        fn what_is_copied_is_what_would_be_written(
            text in r#"\{("a":"(x|\\u0061|é)?",)?("b":(\[(1|\[\])?\]|-1\.5e3|\{"gid":(true|false)( |)\}),)?("gid":("y"|\[\]|0),)?"r":null(,"ts":(1|\{"a":0\}))?\}"#,
        ) {
            proptest::prop_assert_eq!(content(&text, true), content(&text, false));
        }
    }
}
