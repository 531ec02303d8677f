//! # WORK_LANDING_VALIDATION_NOT_PASSING
//!
//! ## Refuses
//!
//! Under a landed claim, a recorded outcome of one of its validations that is no pass: a non-zero `exit_code`,
//! `failed` above 0, a `result` other than `passed`, `ok` or `success`, or nothing run at all (`passed` 0 with
//! `failed` 0).
//!
//! ## Why it matters
//!
//! A ref that exists and came first proves nothing when its own outcome is a failure.
//!
//! ## Evidence it reads
//!
//! `validation_outcomes`; entries whose `ref` is not among `validation_refs` are ignored, an absent field is
//! never missed.
//!
//! ## Smallest refused
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "validation_refs": [
//!     "cmd:7"
//!   ],
//!   "validation_outcomes": [
//!     {
//!       "ref": "cmd:7",
//!       "exit_code": 1
//!     }
//!   ]
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "validation_refs": [
//!     "cmd:7"
//!   ],
//!   "validation_outcomes": [
//!     {
//!       "ref": "cmd:7",
//!       "exit_code": 0,
//!       "result": "Passed "
//!     }
//!   ]
//! }
//! ```
//!
//! Source: work-landing specification, section 3.5.

use super::evidence::outcomes;
use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_VALIDATION_NOT_PASSING"),
    source: include_str!("validation_not_passing.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let found = outcomes(row).find_map(fault_of)?;
    Some(Refusal::new(Support::Contradicted, "a landed commit that was validated", found, "recorded outcomes that all passed"))
}

/// What keeps an outcome from being a pass.
pub(super) fn fault_of(outcome: &Value<'_>) -> Option<&'static str> {
    let number = |key| outcome.get(key).and_then(Value::as_number);
    let counts = |key, wanted: fn(f64) -> bool| number(key).is_some_and(|number| wanted(number.as_f64()));
    if number("exit_code").is_some_and(|code| code.is_integer() && code.as_f64() != 0.0) {
        return Some("a validation with a non-zero exit_code");
    }
    if counts("failed", |failed| failed > 0.0) {
        return Some("a validation with failures");
    }
    let passed = |result: &str| ["passed", "ok", "success"].contains(&result.trim().to_lowercase().as_str());
    if outcome.get("result").is_some_and(|result| !result.as_str().is_some_and(passed)) {
        return Some("a validation whose result is no pass");
    }
    (counts("passed", |passed| passed == 0.0) && counts("failed", |failed| failed == 0.0)).then_some("a validation that ran nothing")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn each_sign_of_a_failure_is_enough() {
        let says = |outcome: &str| fault_of(&parse(outcome.as_bytes()).expect("the outcome is JSON"));
        for (outcome, fault) in [
            (r#"{"exit_code": 1}"#, Some("a validation with a non-zero exit_code")),
            (r#"{"failed": 1}"#, Some("a validation with failures")),
            (r#"{"passed": 3, "failed": 1}"#, Some("a validation with failures")),
            (r#"{"result": "aborted"}"#, Some("a validation whose result is no pass")),
            (r#"{"result": true}"#, Some("a validation whose result is no pass")),
            (r#"{"passed": 0, "failed": 0}"#, Some("a validation that ran nothing")),
            (r#"{"exit_code": 0, "passed": 3, "failed": 0, "result": " Passed "}"#, None),
            (r#"{"passed": 0}"#, None),
            (r#"{"failed": 0}"#, None),
        ] {
            assert_eq!(says(outcome), fault, "{outcome}");
        }
    }
}
