//! # WORK_LANDING_VALIDATION_NARROWED
//!
//! ## Refuses
//!
//! Under a landed claim, a recorded outcome in which more was skipped after the change than before.
//!
//! ## Why it matters
//!
//! Green by skipping what was red is the oldest way to pass.
//!
//! ## Evidence it reads
//!
//! `validation_outcomes`: `skipped_before` and `skipped_after`, both integers.
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
//!       "skipped_before": 0,
//!       "skipped_after": 3
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
//!       "skipped_before": 3,
//!       "skipped_after": 3
//!     }
//!   ]
//! }
//! ```
//!
//! Source: work-landing specification, section 3.5.

use super::evidence::outcomes;
use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::{Number, Value};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_VALIDATION_NARROWED"),
    source: include_str!("validation_narrowed.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let narrowed = |outcome: &Value<'_>| {
        let integer = |key| outcome.get(key).and_then(Value::as_number).filter(|number| number.is_integer()).map(Number::as_f64);
        integer("skipped_before").zip(integer("skipped_after")).is_some_and(|(before, after)| after > before)
    };
    outcomes(row).any(narrowed).then(|| {
        Refusal::new(
            Support::Contradicted,
            "a landed commit that was validated",
            "more skipped after than before",
            "a validation that was not narrowed",
        )
    })
}
