//! # WORK_LANDING_EVIDENCE_DIGEST_MISMATCH
//!
//! ## Refuses
//!
//! Under a landed claim, evidence about another commit: a `subject_commit` that is neither `head_after` nor one
//! of the commits that the attempt made; or evidence whose content has another digest than was recorded.
//!
//! ## Why it matters
//!
//! A green run of another commit says nothing about this one. A squash merge is no mismatch: the commits that
//! were squashed are among those of the attempt.
//!
//! ## Evidence it reads
//!
//! `evidence.validation` and `evidence.outcome`: `subject_commit`, `digest` and `digest_found`; against
//! `head_after` and `evidence.commit_attempt`: `commits`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "head_after": "9be07d3",
//!   "evidence": {
//!     "outcome": {
//!       "depth": "attested",
//!       "subject_commit": "4f2a9c1"
//!     }
//!   }
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "head_after": "9be07d3",
//!   "evidence": {
//!     "outcome": {
//!       "depth": "attested",
//!       "subject_commit": "9be07d3"
//!     }
//!   }
//! }
//! ```
//!
//! Source: transcript specification, sections 3.6 and 3.7.

use super::evidence::landed_fact;
use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::commit_id::CommitId;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_EVIDENCE_DIGEST_MISMATCH"),
    source: include_str!("evidence_digest_mismatch.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let found = ["validation", "outcome"].into_iter().filter_map(|name| landed_fact(row, name)).find_map(|fact| fault_of(row, fact))?;
    Some(Refusal::new(Support::NotShown, "a landed commit that was validated", found, "evidence of the commit that landed"))
}

fn fault_of(row: &RunRow<'_>, fact: &Value<'_>) -> Option<&'static str> {
    if let Some(subject) = fact.get("subject_commit") {
        let made =
            landed_fact(row, "commit_attempt").and_then(|attempt| attempt.get("commits")).and_then(Value::elements).unwrap_or_default();
        let ours = made.iter().filter_map(Value::as_str).chain(row.head_after.as_str()).filter_map(CommitId::parse);
        let same = |subject: CommitId<'_>| ours.into_iter().any(|commit| commit.same_commit(subject));
        if !subject.as_str().and_then(CommitId::parse).is_some_and(same) {
            return Some("evidence whose subject is another commit");
        }
    }
    let digests = fact.get("digest").zip(fact.get("digest_found"));
    digests.is_some_and(|(recorded, found)| recorded != found).then_some("evidence whose content has another digest")
}
