//! # WORK_LANDING_VALIDATION_VACUOUS
//!
//! ## Refuses
//!
//! Under a landed claim, a validation that ran nothing: `executed` is 0, or `result` is `vacuous`.
//!
//! ## Why it matters
//!
//! A filter that matches no test, or a cached run, exits with 0. No test stands behind it.
//!
//! ## Evidence it reads
//!
//! `evidence.outcome`: `executed`, `result`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "evidence": {
//!     "outcome": {
//!       "depth": "derived",
//!       "executed": 0
//!     }
//!   }
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "evidence": {
//!     "outcome": {
//!       "depth": "derived",
//!       "executed": 1
//!     }
//!   }
//! }
//! ```
//!
//! Source: transcript specification, section 1.4.

use super::evidence::landed_fact;
use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_VALIDATION_VACUOUS"),
    source: include_str!("validation_vacuous.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let outcome = landed_fact(row, "outcome")?;
    let none = outcome.get("executed").and_then(Value::as_number).is_some_and(|executed| executed.as_f64() == 0.0);
    let said = outcome.get("result").and_then(Value::as_str) == Some("vacuous");
    (none || said).then(|| {
        Refusal::new(
            Support::NotShown,
            "a landed commit that was validated",
            "a validation that executed nothing",
            "at least one executed test",
        )
    })
}
