//! # WORK_LANDING_LIVE_GIT_MUTATION_AUTHORITY
//!
//! ## Refuses
//!
//! A row whose `live_git_mutation_authorized` is not exactly `false`; leaving it out counts.
//!
//! ## Why it matters
//!
//! A landing record may never grant itself the authority to change a live repository: a force push that a
//! record allows itself is how work gets lost.
//!
//! ## Evidence it reads
//!
//! `live_git_mutation_authorized`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"live_git_mutation_authorized": true}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"live_git_mutation_authorized": false}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LIVE_GIT_MUTATION_AUTHORITY"),
    source: include_str!("live_git_mutation_authority.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let flag = &row.live_git_mutation_authorized;
    (!flag.is(false)).then(|| {
        let support = if flag.says_something() { Support::Forbidden } else { Support::NotShown };
        Refusal::new(support, "a recorded landing", Words::In(flag.describe(), "live_git_mutation_authorized"), "false, said outright")
    })
}
