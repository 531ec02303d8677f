//! # WORK_LANDING_CORPUS_ACCEPTANCE_NOT_PASSING
//!
//! ## Refuses
//!
//! A coverage record that is no object, whose `status` is not `pass`, whose `missing_negative_cases` is not an
//! empty list, or whose `accepted_negative_cases` are not exactly the nine, sorted.
//!
//! ## Why it matters
//!
//! Eight of nine is not nine.
//!
//! ## Evidence it reads
//!
//! The coverage record that `check-corpus` is given.
//!
//! ## Smallest refused
//!
//! ```json corpus
//! {
//!   "kind": "copied_bodies",
//!   "manifest": {
//!     "modules": [
//!       {
//!         "path": "source_modules/a.py"
//!       }
//!     ]
//!   },
//!   "files": {
//!     "source_modules/a.py": ""
//!   },
//!   "acceptance": {
//!     "status": "blocked",
//!     "missing_negative_cases": [],
//!     "accepted_negative_cases": [
//!       "claim_without_work_ledger_closeout",
//!       "commit_claim_without_head_change",
//!       "dirty_tree_boundary_missing",
//!       "live_git_mutation_authorized",
//!       "missing_evidence_ref",
//!       "private_path_leakage",
//!       "release_overclaim",
//!       "uncaptured_blocker",
//!       "validation_after_commit_attempt"
//!     ]
//!   }
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json corpus
//! {
//!   "kind": "copied_bodies",
//!   "manifest": {
//!     "modules": [
//!       {
//!         "path": "source_modules/a.py"
//!       }
//!     ]
//!   },
//!   "files": {
//!     "source_modules/a.py": ""
//!   },
//!   "acceptance": {
//!     "status": "pass",
//!     "missing_negative_cases": [],
//!     "accepted_negative_cases": [
//!       "claim_without_work_ledger_closeout",
//!       "commit_claim_without_head_change",
//!       "dirty_tree_boundary_missing",
//!       "live_git_mutation_authorized",
//!       "missing_evidence_ref",
//!       "private_path_leakage",
//!       "release_overclaim",
//!       "uncaptured_blocker",
//!       "validation_after_commit_attempt"
//!     ]
//!   }
//! }
//! ```
//!
//! Source: work-landing specification, section 11.

use crate::code::Code;
use crate::corpus::coverage::CoverageSeen;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_CORPUS_ACCEPTANCE_NOT_PASSING"),
    source: include_str!("corpus_acceptance_not_passing.rs"),
    always_with: &[],
    checks: &[Check::Coverage(judge)],
};

fn judge(seen: &CoverageSeen) -> Option<Refusal> {
    let CoverageSeen::Read { passing: false, why } = seen else { return None };
    Some(Refusal::new(Support::NotShown, "a replay that caught every case", *why, "status pass, nothing missing, the nine accepted"))
}
