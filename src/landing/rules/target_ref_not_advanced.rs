//! # WORK_LANDING_TARGET_REF_NOT_ADVANCED
//!
//! ## Refuses
//!
//! Under a landed claim, a `target_ref` that is present while `target_ref_before` and `target_ref_after` do not
//! show movement.
//!
//! ## Why it matters
//!
//! A commit on another branch moves HEAD, not the branch that the claim is about.
//!
//! ## Evidence it reads
//!
//! `target_ref`, `target_ref_before`, `target_ref_after`; movement as in `HEAD_ADVANCE_MISSING`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "target_ref": "refs/heads/main",
//!   "target_ref_before": "4f2a9c1",
//!   "target_ref_after": "4f2a9c1"
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "target_ref": "refs/heads/main",
//!   "target_ref_before": "4f2a9c1",
//!   "target_ref_after": "9be07d3"
//! }
//! ```
//!
//! Source: work-landing specification, section 3.5.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::commit_id::CommitId;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_TARGET_REF_NOT_ADVANCED"),
    source: include_str!("target_ref_not_advanced.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    if !row.claims_landed() || !row.target_ref.is_present() {
        return None;
    }
    let before = row.target_ref_before.as_str().and_then(CommitId::parse);
    let after = row.target_ref_after.as_str().and_then(CommitId::parse);
    let moved = before.zip(after).is_some_and(|(before, after)| before.moved_to(after));
    (!moved).then(|| {
        let found = "no movement between target_ref_before and target_ref_after";
        Refusal::new(Support::Contradicted, "a commit landed on the target ref", found, "the ids of two different commits")
    })
}
