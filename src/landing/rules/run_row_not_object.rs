//! # WORK_LANDING_RUN_ROW_NOT_OBJECT
//!
//! ## Refuses
//!
//! An element of the run table that is no object; nothing else of it is checked.
//!
//! ## Why it matters
//!
//! A prose line among the rows is a claim too. It is refused, not dropped.
//!
//! ## Evidence it reads
//!
//! The elements of `work_landing_runs`.
//!
//! ## Smallest refused
//!
//! ```json row
//! "committed the fix, all green"
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_RUN_ROW_NOT_OBJECT"),
    source: include_str!("run_row_not_object.rs"),
    always_with: &[],
    checks: &[Check::Element(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    (!row.is_object).then(|| {
        Refusal::new(Support::NotShown, "a landing attempt", "an element that is no object", "an object with the fields of a run row")
    })
}
