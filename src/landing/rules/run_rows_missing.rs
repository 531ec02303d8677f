//! # WORK_LANDING_RUN_ROWS_MISSING
//!
//! ## Refuses
//!
//! A run table without rows: no object, the key `work_landing_runs` absent, no list, or empty.
//!
//! ## Why it matters
//!
//! Zero rows are zero evidence. A replay of nothing must not be green.
//!
//! ## Evidence it reads
//!
//! The top level of the run table.
//!
//! ## Smallest refused
//!
//! ```json runs
//! {"work_landing_runs": []}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json runs
//! {"work_landing_runs": [{}]}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, Rule, TableShape};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_RUN_ROWS_MISSING"),
    source: include_str!("run_rows_missing.rs"),
    always_with: &[],
    checks: &[Check::Table(judge)],
};

fn judge(shape: TableShape) -> Option<Refusal> {
    let found = match shape {
        TableShape::NotObject => "a top level that is no object",
        TableShape::KeyAbsent => "no key work_landing_runs",
        TableShape::NotList => "something other than a list in work_landing_runs",
        TableShape::Rows(0) => "an empty list in work_landing_runs",
        TableShape::Rows(_) => return None,
    };
    Some(Refusal::new(Support::NotShown, "recorded landing attempts", found, "a list work_landing_runs with at least one row"))
}
