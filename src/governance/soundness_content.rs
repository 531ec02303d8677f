//! What a record says, as bytes that can be compared by a digest: two that say something else give other bytes.
//!
//! What the ledger stamps on a record is no part of it, nor is the order of its own members. Members of a value inside
//! it keep theirs.

use crate::json::Value;

/// Writes what a record says, so that two that say something else give other bytes.
pub(super) fn write_content(record: &Value<'_>, content: &mut Vec<u8>) {
    let mut members: Vec<_> = record.members().iter().filter(|(key, _)| !is_stamp(key)).collect();
    if !members.is_sorted_by(|(one, _), (other, _)| one < other) {
        members.sort_by(|(one, _), (other, _)| one.cmp(other));
    }
    for (key, value) in members {
        write_text(b'k', key, content);
        write_value(value, content);
    }
}

fn write_value(value: &Value<'_>, content: &mut Vec<u8>) {
    match value {
        Value::Null => content.push(b'n'),
        Value::Bool(false) => content.push(b'f'),
        Value::Bool(true) => content.push(b't'),
        Value::Number(number) => write_text(b'0', number.as_str(), content),
        Value::String(text) => write_text(b's', text, content),
        Value::Array(items) => {
            content.push(b'[');
            items.iter().for_each(|item| write_value(item, content));
            content.push(b']');
        }
        Value::Object(members) => {
            content.push(b'{');
            for (key, value) in members {
                write_text(b'k', key, content);
                write_value(value, content);
            }
            content.push(b'}');
        }
    }
}

fn write_text(kind: u8, text: &str, content: &mut Vec<u8>) {
    content.push(kind);
    content.extend_from_slice(text.as_bytes());
    // No text has this byte, so none runs into the next.
    content.push(0xFF);
}

/// Whether `key` is what the ledger adds to a record on publishing, or when it was made: no part of what it says.
fn is_stamp(key: &str) -> bool {
    matches!(key, "gid" | "node" | "node_id" | "ts" | "created_at")
}
