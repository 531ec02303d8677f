//! # WORK_LANDING_RUN_ID_MISSING
//!
//! ## Refuses
//!
//! A `run_id` that is absent, blank or not a string.
//!
//! ## Why it matters
//!
//! A row nobody can name cannot be accounted for.
//!
//! ## Evidence it reads
//!
//! `run_id`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"run_id": 7}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"run_id": "retry_fix_7"}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_RUN_ID_MISSING"),
    source: include_str!("run_id_missing.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    row.usable_id().is_none().then(|| {
        let found = Words::In(row.run_id.describe(), "run_id");
        Refusal::new(Support::NotShown, "a landing attempt", found, "a string that names it")
    })
}
