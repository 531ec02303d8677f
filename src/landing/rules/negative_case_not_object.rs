//! # WORK_LANDING_NEGATIVE_CASE_NOT_OBJECT
//!
//! ## Refuses
//!
//! One of the nine whose input is no object; nothing else of it is checked.
//!
//! ## Why it matters
//!
//! An empty row trips every rule and shows nothing about any of them.
//!
//! ## Evidence it reads
//!
//! The `input` of the case.
//!
//! ## Smallest refused
//!
//! ```json corpus
//! {
//!   "kind": "negative_cases",
//!   "negative_cases": {
//!     "missing_evidence_ref.json": null,
//!     "claim_without_work_ledger_closeout.json": null,
//!     "commit_claim_without_head_change.json": null,
//!     "validation_after_commit_attempt.json": null,
//!     "live_git_mutation_authorized.json": null,
//!     "dirty_tree_boundary_missing.json": null,
//!     "uncaptured_blocker.json": null,
//!     "release_overclaim.json": null,
//!     "private_path_leakage.json": null
//!   }
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json corpus
//! {
//!   "kind": "negative_cases",
//!   "negative_cases": {
//!     "missing_evidence_ref.json": {},
//!     "claim_without_work_ledger_closeout.json": {},
//!     "commit_claim_without_head_change.json": {},
//!     "validation_after_commit_attempt.json": {},
//!     "live_git_mutation_authorized.json": {},
//!     "dirty_tree_boundary_missing.json": {},
//!     "uncaptured_blocker.json": {},
//!     "release_overclaim.json": {},
//!     "private_path_leakage.json": {}
//!   }
//! }
//! ```
//!
//! Source: work-landing specification, section 4.

use crate::code::Code;
use crate::corpus::coverage::CaseSeen;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_NEGATIVE_CASE_NOT_OBJECT"),
    source: include_str!("negative_case_not_object.rs"),
    always_with: &[],
    checks: &[Check::Case(judge)],
};

fn judge(case: &CaseSeen<'_>) -> Option<Refusal> {
    matches!(case, CaseSeen::NotObject)
        .then(|| Refusal::new(Support::NotShown, "a broken row", "an input that is no object", "one run row, broken in one respect"))
}
