use super::*;
use crate::json::{Value, parse};
use proptest::prelude::*;

fn as_text(record: Record<'_>, out: &mut String) {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    if let Some(text) = record.as_str() {
        out.push_str(&quoted(text));
    } else if let Some(digits) = record.as_number() {
        out.push_str(digits.as_str());
    } else if let Some(elements) = record.elements() {
        out.push('[');
        for (index, element) in elements.enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            as_text(element, out);
        }
        out.push(']');
    } else if record.is_object() {
        out.push('{');
        for (index, (key, value)) in record.members().enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            out.push_str(&quoted(key));
            out.push(':');
            as_text(value, out);
        }
        out.push('}');
    } else {
        out.push_str(if record.is_bool(true) {
            "true"
        } else if record.is_bool(false) {
            "false"
        } else {
            "null"
        });
    }
}

fn of_tape(text: &str) -> Result<String, Fault> {
    let mut tape = Tape::default();
    let buffer = format!("[]\n{text}\n");
    tape.read(&buffer, 0..2).expect("an empty list reads");
    let at = tape.read(&buffer, 3..3 + text.len())?;
    let mut out = String::new();
    as_text(tape.record(&buffer, at), &mut out);
    Ok(out)
}

#[test]
fn a_tape_says_what_a_tree_says() {
    for text in [
        r#"{"a":[1,{"b\n":"c\u00e9\\"},null,true],"d":{},"e":[],"f":-1.5e3,"g":"plain"}"#,
        "3",
        r#""\ud83d\ude80""#,
        "[[],[[]],{}]",
        r#"{"a":1,"a":2}"#,
        "[1",
        "{} x",
        "",
        &"[".repeat(200),
        &format!("x{}", "[".repeat(200)),
    ] {
        assert_eq!(of_tape(text), parse(text.as_bytes()).map(|value: Value<'_>| value.to_text()), "{text}");
    }
}

#[test]
fn a_text_of_too_many_values_is_refused_and_leaves_nothing() {
    let many = format!("[{}0]", "0,".repeat(NODE_LIMIT));
    let mut tape = Tape::default();
    assert_eq!(tape.read(&many, 0..many.len()).map_err(|fault| fault.kind), Err(FaultKind::TooMany(NODE_LIMIT)));
    assert!(tape.is_empty());
    let keys = format!("{{{}\"last\":0}}", (0..NODE_LIMIT).map(|at| format!("\"{at}\":0,")).collect::<String>());
    assert_eq!(tape.read(&keys, 0..keys.len()).map_err(|fault| fault.kind), Err(FaultKind::TooMany(NODE_LIMIT)));
}

#[test]
fn a_value_is_asked_by_its_kind() {
    let text = r#"{"list": [], "plain": "a", "escaped": "a\n", "number": 1}"#;
    let mut tape = Tape::default();
    assert!(tape.is_empty());
    assert_eq!(tape.len(), 0);
    let at = tape.read(text, 0..text.len()).expect("it is JSON");
    assert!(!tape.is_empty());
    assert_eq!(tape.len(), 9, "an object, four keys and four values");
    let record = tape.record(text, at);
    assert!(matches!(record.shape(), Shape::Object(_)));
    assert!(record.is_object() && !record.is_array());
    let of = |key: &str| record.get(key).expect("it is a member");
    assert!(of("list").is_array() && !of("list").is_object());
    assert!(matches!(of("list").shape(), Shape::Array(_)));
    assert!(matches!(of("escaped").shape(), Shape::String("a\n")));
    assert!(matches!(of("number").shape(), Shape::Other));
    assert_eq!((of("plain").as_raw(), of("escaped").as_raw(), of("number").as_raw()), (Some("a"), Some(r"a\n"), None));
    assert_eq!(format!("{record:?}"), "Record { at: 0, .. }");
}

#[test]
fn what_is_taken_off_leaves_no_string_behind() {
    let text = r#""\n" ["\t", "\r"]"#;
    let mut tape = Tape::default();
    tape.read(text, 0..4).expect("a string reads");
    let second = tape.read(text, 5..text.len()).expect("a list reads");
    assert_eq!((tape.len(), tape.decoded.len()), (4, 3));
    tape.truncate(second);
    assert_eq!((tape.len(), tape.decoded.len()), (1, 1));
    assert_eq!(tape.record(text, 0).as_str(), Some("\n"));
    assert!(tape.read(text, 5..text.len() - 1).is_err(), "a list that does not end");
    assert_eq!((tape.len(), tape.decoded.len()), (1, 1));
}

#[test]
fn a_cleared_tape_keeps_its_room_up_to_a_limit() {
    for (room, kept) in [(NODE_LIMIT / 4, true), (NODE_LIMIT / 4 + 1, false)] {
        let mut tape = Tape { nodes: Vec::with_capacity(room), ..Tape::default() };
        assert_eq!(tape.nodes.capacity(), room);
        tape.read(r#""\n""#, 0..4).expect("a string reads");
        tape.clear();
        assert!(tape.is_empty() && tape.decoded.is_empty());
        assert_eq!(tape.nodes.capacity() == room, kept, "{room}");
    }
}

proptest! {
    #[test]
    fn any_text_reads_as_a_tree_does(text in r#"[\[\]{},:"\\a0u\-. é]{0,24}"#) {
        prop_assert_eq!(of_tape(&text), parse(text.as_bytes()).map(|value: Value<'_>| value.to_text()));
    }
}
