//! # WORK_LANDING_VALIDATION_ORDER_MISSING
//!
//! ## Refuses
//!
//! A row on a commit path (landed or metadata-blocked status, or any landed claim) whose
//! `validation_precedes_commit_attempt` is not exactly `true`.
//!
//! ## Why it matters
//!
//! Validation that runs after the commit cannot have decided whether to make it, and cannot be back-filled.
//!
//! ## Evidence it reads
//!
//! `landing_status`, `commit_claimed_landed`, `validation_precedes_commit_attempt`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"landing_status": "metadata_blocked_patch_bundle", "validation_precedes_commit_attempt": false}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"landing_status": "hard_stop", "validation_precedes_commit_attempt": false}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_VALIDATION_ORDER_MISSING"),
    source: include_str!("validation_order_missing.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let order = &row.validation_precedes_commit_attempt;
    if !row.on_commit_path() || order.is(true) {
        return None;
    }
    let support = if order.is(false) { Support::Contradicted } else { Support::NotShown };
    let found = Words::In(order.describe(), "validation_precedes_commit_attempt");
    Some(Refusal::new(support, "a commit path", found, "true: validation recorded before the commit attempt"))
}
