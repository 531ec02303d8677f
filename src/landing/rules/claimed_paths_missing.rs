//! # WORK_LANDING_CLAIMED_PATHS_MISSING
//!
//! ## Refuses
//!
//! A row whose `claimed_path_refs` name nothing: absent, no list, empty, or only blanks and placeholders.
//!
//! ## Why it matters
//!
//! HEAD may move without the work: an empty commit advances it. Work without a path is nobody's.
//!
//! ## Evidence it reads
//!
//! `claimed_path_refs`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"claimed_path_refs": []}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"claimed_path_refs": ["src/lib.rs"]}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_CLAIMED_PATHS_MISSING"),
    source: include_str!("claimed_paths_missing.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    (!row.claimed_path_refs.any_usable()).then(|| {
        Refusal::new(Support::NotShown, "finished work", "no usable item in claimed_path_refs", "at least one repository-relative path")
    })
}
