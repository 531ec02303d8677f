//! The strict reader against serde_json: it accepts nothing that serde_json refuses, reads the same value, and refuses
//! of the rest only what it says it refuses.

use landfall::json::{DEPTH_LIMIT, FaultKind, Nothing, Value, parse, read, to_line};

/// The target.
pub fn feed(bytes: &[u8]) {
    let theirs: Result<serde_json::Value, _> = serde_json::from_slice(bytes);
    let ours = parse(bytes);
    assert_eq!(read(bytes, &mut Nothing), ours.as_ref().map(|_| ()).map_err(Clone::clone), "a tree is read as nothing is");
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => {
            assert!(same(ours, theirs), "it reads another value than serde_json");
            let written = ours.to_text();
            assert_eq!(parse(written.as_bytes()).as_ref(), Ok(ours), "what it writes reads as the same value");
            let line = to_line(theirs);
            assert!(line.is_ascii() && !line.contains('\n') && parse(line.as_bytes()).is_ok(), "a line of ours is one line, and reads");
        }
        (Ok(_), Err(theirs)) => {
            // serde_json has a limit of its own, one level before ours.
            assert!(theirs.to_string().contains("recursion limit"), "accepted what serde_json refuses: {theirs}");
        }
        (Err(fault), theirs) => {
            assert!(fault.offset <= bytes.len(), "the fault lies behind the text");
            assert!(!fault.describe().contains(char::is_control), "the fault repeats the text");
            let strict = match fault.kind {
                FaultKind::DuplicateKey => true,
                FaultKind::Depth => bytes.iter().filter(|byte| matches!(byte, b'[' | b'{')).count() > DEPTH_LIMIT,
                _ => false,
            };
            assert!(theirs.is_err() || strict, "refused for {} what serde_json accepts", fault.describe());
        }
    }
}

fn same(ours: &Value<'_>, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(one), serde_json::Value::Bool(other)) => one == other,
        (Value::Number(one), serde_json::Value::Number(other)) => {
            // serde_json's own reading of fractions is off by a unit in the last place now and then.
            let (one, other) = (one.as_f64(), other.as_f64().unwrap_or(f64::NAN));
            (one - other).abs() <= one.abs().max(f64::MIN_POSITIVE) * 1e-14
        }
        (Value::String(one), serde_json::Value::String(other)) => *one == **other,
        (Value::Array(ones), serde_json::Value::Array(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| same(one, other))
        }
        (Value::Object(ones), serde_json::Value::Object(others)) => {
            ones.len() == others.len() && ones.iter().all(|(key, one)| others.get(&**key).is_some_and(|other| same(one, other)))
        }
        _ => false,
    }
}
