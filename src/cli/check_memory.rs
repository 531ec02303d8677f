//! `check memory`: one judgement of evidence memory or artifacts, by area and operation.

use super::check::Answer;
use crate::corpus::input::Judged;
use crate::json::Value;
use crate::landing::policy;
use crate::memory;

/// The answer for one question.
pub(super) fn answer(index: u64, question: &Value<'_>) -> Answer {
    let area = question.get("area").and_then(Value::as_str);
    let mut answer = Answer::new(index, policy::shown(area, || "memory".to_owned()), Judged::default());
    match memory::answer(question) {
        Ok(judged) => {
            answer.refuse(judged.reasons);
            answer.besides.insert("output".to_owned(), judged.output);
        }
        Err(unanswered) => answer.refuse([unanswered.to_string()]),
    }
    answer
}
