//! # WORK_LANDING_LANDING_STATUS_UNKNOWN
//!
//! ## Refuses
//!
//! A `landing_status` that is not exactly one of `scoped_commit_landed`, `metadata_blocked_patch_bundle`,
//! `hard_stop`.
//!
//! ## Why it matters
//!
//! A respelled or padded status would leave the commit path, and with it the rules that guard it.
//!
//! ## Evidence it reads
//!
//! `landing_status`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"landing_status": "pushed"}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"landing_status": "hard_stop"}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::landing::row::{BLOCKED, LANDED, RunRow, STOPPED};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LANDING_STATUS_UNKNOWN"),
    source: include_str!("landing_status_unknown.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

/// What a status may be.
const THE_THREE: &str = "scoped_commit_landed, metadata_blocked_patch_bundle or hard_stop";

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let status = &row.landing_status;
    let known = status.as_str().is_some_and(|status| [LANDED, BLOCKED, STOPPED].contains(&status));
    (!known).then(|| {
        let found = match status.as_str() {
            Some(_) => "a string that is none of the three",
            None => status.describe(),
        };
        Refusal::new(Support::NotShown, "how the attempt ended", Words::In(found, "landing_status"), THE_THREE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_are_named() {
        assert_eq!(THE_THREE, format!("{LANDED}, {BLOCKED} or {STOPPED}"));
    }
}
