//! # WORK_LANDING_EVIDENCE_REF_MISSING
//!
//! ## Refuses
//!
//! A row whose `validation_refs` name nothing: absent, no list, empty, or only blanks and placeholders.
//!
//! ## Why it matters
//!
//! A confident row with no validation behind it passes every loose check; this is the floor under all others.
//!
//! ## Evidence it reads
//!
//! `validation_refs`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"validation_refs": ["TODO"]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"validation_refs": ["pytest tests/test_todo.py: 2 passed"]}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_EVIDENCE_REF_MISSING"),
    source: include_str!("evidence_ref_missing.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    (!row.validation_refs.any_usable()).then(|| {
        Refusal::new(Support::NotShown, "finished work", "no usable item in validation_refs", "a ref to at least one validation that ran")
    })
}
