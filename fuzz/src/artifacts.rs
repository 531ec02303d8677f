//! A question about local artifacts over a lay-out in memory: index, latest, cleanup.

use super::memory::asked;
use landfall::json::{Value, parse};
use std::borrow::Cow;

/// The target.
pub fn feed(bytes: &[u8]) {
    if let Ok(input) = parse(bytes) {
        asked(&Value::Object(vec![("area".into(), Value::String(Cow::Borrowed("artifacts"))), ("input".into(), input)]));
    }
}
