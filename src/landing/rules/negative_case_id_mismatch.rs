//! # WORK_LANDING_NEGATIVE_CASE_ID_MISMATCH
//!
//! ## Refuses
//!
//! One of the nine whose `case_id` is absent or not its file stem.
//!
//! ## Why it matters
//!
//! A case that does not say what it shows can be exchanged for another.
//!
//! ## Evidence it reads
//!
//! `case_id` of the case file.
//!
//! ## Smallest refused
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
//! ## Nearest accepted
//!
//! ```json corpus
//! {
//!   "kind": "negative_cases",
//!   "negative_cases": {
//!     "missing_evidence_ref.json": {
//!       "expected_negative_case_id": "missing_evidence_ref"
//!     },
//!     "claim_without_work_ledger_closeout.json": {
//!       "expected_negative_case_id": "claim_without_work_ledger_closeout"
//!     },
//!     "commit_claim_without_head_change.json": {
//!       "expected_negative_case_id": "commit_claim_without_head_change"
//!     },
//!     "validation_after_commit_attempt.json": {
//!       "expected_negative_case_id": "validation_after_commit_attempt"
//!     },
//!     "live_git_mutation_authorized.json": {
//!       "expected_negative_case_id": "live_git_mutation_authorized"
//!     },
//!     "dirty_tree_boundary_missing.json": {
//!       "expected_negative_case_id": "dirty_tree_boundary_missing"
//!     },
//!     "uncaptured_blocker.json": {
//!       "expected_negative_case_id": "uncaptured_blocker"
//!     },
//!     "release_overclaim.json": {
//!       "expected_negative_case_id": "release_overclaim"
//!     },
//!     "private_path_leakage.json": {
//!       "expected_negative_case_id": "private_path_leakage"
//!     }
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
    code: Code::named("WORK_LANDING_NEGATIVE_CASE_ID_MISMATCH"),
    source: include_str!("negative_case_id_mismatch.rs"),
    always_with: &[],
    checks: &[Check::Case(judge)],
};

fn judge(case: &CaseSeen<'_>) -> Option<Refusal> {
    let CaseSeen::Judged { says_its_id: false, .. } = case else { return None };
    Some(Refusal::new(Support::NotShown, "a case that names itself", "no case_id, or another case's", "the file's stem in case_id"))
}
