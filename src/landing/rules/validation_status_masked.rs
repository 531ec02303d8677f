//! # WORK_LANDING_VALIDATION_STATUS_MASKED
//!
//! ## Refuses
//!
//! Under a landed claim, a validation whose exit status is another program's (`status_masked` is present and not
//! exactly `false`) and whose output shows no result (`summary_shown` is not exactly `true`).
//!
//! ## Why it matters
//!
//! A shell reports the last part of a pipe. `tests | tail` succeeds whenever `tail` does, so its success proves
//! nothing; a summary in the output would.
//!
//! ## Evidence it reads
//!
//! `evidence.outcome`: `status_masked`, `summary_shown`. A row without it is not refused.
//!
//! ## Smallest refused
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "evidence": {
//!     "outcome": {
//!       "depth": "derived",
//!       "status_masked": true
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
//!       "status_masked": true,
//!       "summary_shown": true
//!     }
//!   }
//! }
//! ```
//!
//! Source: transcript specification, sections 1.3 and 1.4.

use super::evidence::landed_fact;
use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_VALIDATION_STATUS_MASKED"),
    source: include_str!("validation_status_masked.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let outcome = landed_fact(row, "outcome")?;
    let masked = outcome.get("status_masked").is_some_and(|masked| *masked != Value::Bool(false));
    let shown = outcome.get("summary_shown").is_some_and(|shown| *shown == Value::Bool(true));
    (masked && !shown).then(|| {
        Refusal::new(
            Support::NotShown,
            "a landed commit that was validated",
            "only a masked exit status",
            "the validation's own status, or a result in its output",
        )
    })
}
