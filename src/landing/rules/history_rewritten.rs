//! # WORK_LANDING_HISTORY_REWRITTEN
//!
//! ## Refuses
//!
//! Under a landed claim, a `head_before_is_ancestor` that is present and not exactly `true`.
//!
//! ## Why it matters
//!
//! HEAD differs after an amend or a force push too, but somebody else's commit may be gone.
//!
//! ## Evidence it reads
//!
//! `head_before_is_ancestor`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"landing_status": "scoped_commit_landed", "head_before_is_ancestor": false}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"landing_status": "scoped_commit_landed", "head_before_is_ancestor": true}
//! ```
//!
//! Source: work-landing specification, section 3.5.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_HISTORY_REWRITTEN"),
    source: include_str!("history_rewritten.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let ancestor = &row.head_before_is_ancestor;
    (row.claims_landed() && ancestor.is_present() && !ancestor.is(true)).then(|| {
        let found = Words::In(ancestor.describe(), "head_before_is_ancestor");
        Refusal::new(Support::Contradicted, "a landed commit", found, "true: the new HEAD contains the old one")
    })
}
