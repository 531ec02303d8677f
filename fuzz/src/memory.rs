//! A question to evidence memory: any has an answer or none, the same each time, and one that reads.

use landfall::json::{Value, parse, to_line};
use landfall::memory::answer;

/// The target.
pub fn feed(bytes: &[u8]) {
    if let Ok(question) = parse(bytes) {
        asked(&question);
    }
}

pub(super) fn asked(question: &Value<'_>) {
    let answered = answer(question);
    assert_eq!(answered, answer(question), "the same question has two answers");
    if let Ok(answered) = answered {
        assert!(parse(to_line(&answered.output).as_bytes()).is_ok(), "the answer does not read");
    }
}
