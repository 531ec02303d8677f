//! # WORK_LANDING_NEGATIVE_CASE_MISSING
//!
//! ## Refuses
//!
//! One of the nine broken cases that has no readable file.
//!
//! ## Why it matters
//!
//! Nine codes without nine cases is a rule set nobody has seen refuse anything.
//!
//! ## Evidence it reads
//!
//! The folder of negative cases.
//!
//! ## Smallest refused
//!
//! ```json corpus
//! {"kind": "negative_cases", "negative_cases": {}}
//! ```
//!
//! ## Nearest accepted
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
//! Source: work-landing specification, section 4.

use crate::code::Code;
use crate::corpus::coverage::CaseSeen;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_NEGATIVE_CASE_MISSING"),
    source: include_str!("negative_case_missing.rs"),
    always_with: &[],
    checks: &[Check::Case(judge)],
};

fn judge(case: &CaseSeen<'_>) -> Option<Refusal> {
    matches!(case, CaseSeen::Absent)
        .then(|| Refusal::new(Support::NotShown, "a broken case that is refused", "no file", "<case id>.json among the negative cases"))
}
