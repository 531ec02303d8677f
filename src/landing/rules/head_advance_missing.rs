//! # WORK_LANDING_HEAD_ADVANCE_MISSING
//!
//! ## Refuses
//!
//! Landed-commit language (the status `scoped_commit_landed` or the claim `true`) without recorded HEAD
//! movement: a head absent or no commit id, both the same commit (also abbreviated or in another case), or an
//! all-zero `head_after`.
//!
//! ## Why it matters
//!
//! "I committed the fix" on a HEAD that never moved is the plainest claim with nothing behind it. Closing a
//! board item, editing files or opening a pull request moves no HEAD.
//!
//! ## Evidence it reads
//!
//! `landing_status`, `commit_claimed_landed`, `head_before`, `head_after`. An all-zero `head_before` is an
//! unborn branch and fine.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"landing_status": "scoped_commit_landed", "head_before": "4f2a9c1", "head_after": "4f2a9c1"}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"landing_status": "scoped_commit_landed", "head_before": "4f2a9c1", "head_after": "9be07d3"}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::commit_id::CommitId;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_HEAD_ADVANCE_MISSING"),
    source: include_str!("head_advance_missing.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    if !row.claims_landed() {
        return None;
    }
    let before = row.head_before.as_str().and_then(CommitId::parse);
    let after = row.head_after.as_str().and_then(CommitId::parse);
    let (support, found) = match (before, after) {
        (Some(before), Some(after)) if before.moved_to(after) => return None,
        (Some(_), Some(after)) if after.is_null() => (Support::Contradicted, "an all-zero head_after, which is no commit"),
        (Some(_), Some(_)) => (Support::Contradicted, "the same commit in head_before and head_after"),
        (Some(_), None) => (Support::NotShown, "no commit id in head_after"),
        (None, Some(_)) => (Support::NotShown, "no commit id in head_before"),
        (None, None) => (Support::NotShown, "no commit id in head_before nor in head_after"),
    };
    Some(Refusal::new(support, "a landed commit", found, "the ids of two different commits"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landing::rules::tests::said;

    #[test]
    fn it_says_which_id_is_at_fault() {
        let ids = |before: &str, after: &str| {
            said(judge, &format!(r#"{{"commit_claimed_landed": true, "head_before": "{before}", "head_after": "{after}"}}"#))
        };
        let says = |support, found: &str| Some((support, found.to_owned()));
        assert_eq!(ids("abcdef1", "abcdef2"), None);
        assert_eq!(ids("abcdef1", "0000000"), says(Support::Contradicted, "an all-zero head_after, which is no commit"));
        assert_eq!(ids("abcdef1", "abcdef1"), says(Support::Contradicted, "the same commit in head_before and head_after"));
        assert_eq!(ids("abcdef1", ""), says(Support::NotShown, "no commit id in head_after"));
        assert_eq!(ids("", "abcdef2"), says(Support::NotShown, "no commit id in head_before"));
        assert_eq!(ids("", ""), says(Support::NotShown, "no commit id in head_before nor in head_after"));
    }
}
