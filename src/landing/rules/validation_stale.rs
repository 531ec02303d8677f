//! # WORK_LANDING_VALIDATION_STALE
//!
//! ## Refuses
//!
//! Under a landed claim, a file that was touched between the last passing validation and the commit
//! (`touched_after_validation` is present and not exactly `false`).
//!
//! ## Why it matters
//!
//! What passed was another tree than the one that landed.
//!
//! ## Evidence it reads
//!
//! `evidence.order`: `touched_after_validation`. Documentation makes no result stale; whoever derives the fact
//! leaves it out.
//!
//! ## Smallest refused
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "evidence": {
//!     "order": {
//!       "depth": "derived",
//!       "touched_after_validation": true
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
//!     "order": {
//!       "depth": "derived",
//!       "touched_after_validation": false
//!     }
//!   }
//! }
//! ```
//!
//! Source: transcript specification, sections 1.6 and 1.8.

use super::evidence::landed_fact;
use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_VALIDATION_STALE"),
    source: include_str!("validation_stale.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let touched = landed_fact(row, "order")?.get("touched_after_validation")?;
    (*touched != Value::Bool(false)).then(|| {
        Refusal::new(
            Support::NotShown,
            "a landed commit that was validated",
            "a file touched after the last passing validation",
            "a validation of what was committed",
        )
    })
}
