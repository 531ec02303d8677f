//! # WORK_LANDING_LANDED_CLAIM_CONTRADICTED
//!
//! ## Refuses
//!
//! A row whose status and claim are both readable and disagree: `scoped_commit_landed` with `false`, another
//! status with `true`.
//!
//! ## Why it matters
//!
//! A stopped or blocked run cannot have landed; when the row's own words disagree, neither can be believed.
//!
//! ## Evidence it reads
//!
//! `landing_status`, `commit_claimed_landed`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"landing_status": "hard_stop", "commit_claimed_landed": true}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"landing_status": "hard_stop", "commit_claimed_landed": false}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::row::{BLOCKED, Field, LANDED, RunRow, STOPPED};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LANDED_CLAIM_CONTRADICTED"),
    source: include_str!("landed_claim_contradicted.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let status = row.landing_status.as_str().filter(|status| [LANDED, BLOCKED, STOPPED].contains(status))?;
    let Field::Bool(claim) = row.commit_claimed_landed else { return None };
    let found = match (status == LANDED, claim) {
        (true, false) => "a landed status beside commit_claimed_landed false",
        (false, true) => "a status without a landing beside commit_claimed_landed true",
        _ => return None,
    };
    Some(Refusal::new(Support::Contradicted, "how the attempt ended", found, "a status and a claim that agree"))
}
