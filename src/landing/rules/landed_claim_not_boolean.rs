//! # WORK_LANDING_LANDED_CLAIM_NOT_BOOLEAN
//!
//! ## Refuses
//!
//! A `commit_claimed_landed` that is absent or not a boolean.
//!
//! ## Why it matters
//!
//! A claim that cannot be read cannot be supported, and rewording the flag must not switch the HEAD floor off.
//!
//! ## Evidence it reads
//!
//! `commit_claimed_landed`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"commit_claimed_landed": "yes"}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"commit_claimed_landed": false}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::landing::row::{Field, RunRow};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LANDED_CLAIM_NOT_BOOLEAN"),
    source: include_str!("landed_claim_not_boolean.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let claim = &row.commit_claimed_landed;
    (!matches!(claim, Field::Bool(_))).then(|| {
        let found = Words::In(claim.describe(), "commit_claimed_landed");
        Refusal::new(Support::NotShown, "whether a commit landed", found, "true or false")
    })
}
