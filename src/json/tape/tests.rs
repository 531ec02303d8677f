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

proptest! {
    #[test]
    fn any_text_reads_as_a_tree_does(text in r#"[\[\]{},:"\\a0u\-. é]{0,24}"#) {
        prop_assert_eq!(of_tape(&text), parse(text.as_bytes()).map(|value: Value<'_>| value.to_text()));
    }
}
