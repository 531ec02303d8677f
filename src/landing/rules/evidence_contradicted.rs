//! # WORK_LANDING_EVIDENCE_CONTRADICTED
//!
//! ## Refuses
//!
//! A row whose fields disagree with its own `evidence` block, or a fact there on which two sources disagree
//! (`disputed` is present and not exactly `false`).
//!
//! ## Why it matters
//!
//! The row is what an agent says; the block is what was found out about it. Where the two differ, the row is not
//! believed.
//!
//! ## Evidence it reads
//!
//! `evidence.order`: `precedes`, against `validation_precedes_commit_attempt`. `evidence.outcome`: `result`
//! `failed`, against recorded outcomes that all pass. `evidence.head`: `before` and `after`, against
//! `head_before` and `head_after`. `evidence.commit_attempt`: `made`, against the landed claim.
//! `evidence.blocker`: `captured`, under a blocked status. `evidence.completion`: `closed`, against a named
//! closeout. And `disputed` of each of the eight facts.
//!
//! ## Smallest refused
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "evidence": {
//!     "commit_attempt": {
//!       "depth": "derived",
//!       "made": false
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
//!   "evidence": {
//!     "commit_attempt": {
//!       "depth": "derived",
//!       "made": true
//!     }
//!   }
//! }
//! ```
//!
//! Source: transcript specification, sections 1.2 and 6.

use super::evidence::{fact, landed_fact, outcomes};
use super::validation_not_passing::fault_of;
use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::commit_id::CommitId;
use crate::landing::refs::is_usable;
use crate::landing::row::{BLOCKED, Field, RunRow};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_EVIDENCE_CONTRADICTED"),
    source: include_str!("evidence_contradicted.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

/// The eight facts of the block.
const FACTS: [&str; 8] = ["paths", "validation", "order", "outcome", "head", "commit_attempt", "blocker", "completion"];

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    row.evidence.as_ref()?;
    let found = disputed(row).or_else(|| of_the_validation(row)).or_else(|| of_the_commit(row)).or_else(|| of_the_rest(row))?;
    Some(Refusal::new(Support::Contradicted, "what the row says", found, "a row and an evidence block that agree"))
}

fn disputed(row: &RunRow<'_>) -> Option<&'static str> {
    let any = FACTS.iter().filter_map(|name| fact(row, name)?.get("disputed")).any(|disputed| *disputed != Value::Bool(false));
    any.then_some("sources that disagree about a fact")
}

fn of_the_validation(row: &RunRow<'_>) -> Option<&'static str> {
    let precedes = fact(row, "order").and_then(|order| boolean(order, "precedes"));
    if precedes.is_some_and(|precedes| row.validation_precedes_commit_attempt.is(!precedes)) {
        return Some("another order of validation and commit");
    }
    let failed = landed_fact(row, "outcome").and_then(|outcome| outcome.get("result")).and_then(Value::as_str) == Some("failed");
    (failed && outcomes(row).all(|outcome| fault_of(outcome).is_none())).then_some("a validation that failed")
}

fn of_the_commit(row: &RunRow<'_>) -> Option<&'static str> {
    if let Some(head) = fact(row, "head") {
        for (recorded, found) in [(&row.head_before, head.get("before")), (&row.head_after, head.get("after"))] {
            let ids = id_of(recorded).zip(found.and_then(Value::as_str).and_then(CommitId::parse));
            if ids.is_some_and(|(recorded, found)| !recorded.same_commit(found)) {
                return Some("HEAD at another commit");
            }
        }
    }
    match fact(row, "commit_attempt").and_then(|attempt| boolean(attempt, "made"))? {
        false if row.claims_landed() => Some("no commit"),
        true if !row.claims_landed() && row.commit_claimed_landed.is(false) => Some("a commit that was made"),
        _ => None,
    }
}

fn of_the_rest(row: &RunRow<'_>) -> Option<&'static str> {
    let says_no = |name, key| fact(row, name).and_then(|fact| boolean(fact, key)) == Some(false);
    if row.landing_status.as_str() == Some(BLOCKED) && says_no("blocker", "captured") {
        return Some("no capture of the blocker");
    }
    let closed = row.work_ledger_closeout_ref.as_str().is_some_and(is_usable);
    (closed && says_no("completion", "closed")).then_some("work that was not completed")
}

fn boolean(fact: &Value<'_>, key: &str) -> Option<bool> {
    match fact.get(key)? {
        Value::Bool(value) => Some(*value),
        _ => None,
    }
}

fn id_of<'f>(field: &'f Field<'_>) -> Option<CommitId<'f>> {
    field.as_str().and_then(CommitId::parse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landing::rules::tests::said;

    /// What the rule finds in a row with these members and this evidence.
    fn found(members: &str, evidence: &str) -> Option<String> {
        said(judge, &format!(r#"{{{members}, "evidence": {evidence}}}"#)).map(|(_, found)| found)
    }

    #[test]
    fn heads_that_agree_with_the_sources_are_no_contradiction() {
        let row = r#""commit_claimed_landed": true, "head_before": "abcdef1", "head_after": "abcdef2""#;
        let another = Some("HEAD at another commit".to_owned());
        assert_eq!(found(row, r#"{"head": {"before": "abcdef1", "after": "abcdef2"}}"#), None);
        assert_eq!(found(row, r#"{"head": {"before": "abcdef1", "after": "abcdef3"}}"#), another);
        assert_eq!(found(row, r#"{"head": {"before": "abcdef3", "after": "abcdef2"}}"#), another);
        assert_eq!(found(row, r#"{"head": {"before": "no id"}}"#), None, "what is no id says nothing");
    }

    #[test]
    fn an_attempt_contradicts_only_a_row_that_says_otherwise() {
        let (made, not_made) = (r#"{"commit_attempt": {"made": true}}"#, r#"{"commit_attempt": {"made": false}}"#);
        let landed = r#""commit_claimed_landed": true"#;
        assert_eq!(found(landed, made), None);
        assert_eq!(found(landed, not_made).as_deref(), Some("no commit"));
        let denied = r#""commit_claimed_landed": false"#;
        assert_eq!(found(denied, made).as_deref(), Some("a commit that was made"));
        assert_eq!(found(denied, not_made), None);
        let by_status = r#""landing_status": "scoped_commit_landed", "commit_claimed_landed": false"#;
        assert_eq!(found(by_status, made), None, "the row claims the landing by its status");
        assert_eq!(found(r#""landing_status": "hard_stop""#, made), None, "a row that is silent denies nothing");
    }

    #[test]
    fn a_capture_and_a_closeout_are_contradicted_where_they_are_claimed() {
        let (blocked, stopped) = (r#""landing_status": "metadata_blocked_patch_bundle""#, r#""landing_status": "hard_stop""#);
        let capture = |captured: bool| format!(r#"{{"blocker": {{"captured": {captured}}}}}"#);
        assert_eq!(found(blocked, &capture(false)).as_deref(), Some("no capture of the blocker"));
        assert_eq!(found(blocked, &capture(true)), None);
        assert_eq!(found(stopped, &capture(false)), None);
        let (closed, open) = (r#""work_ledger_closeout_ref": "work/1""#, r#""work_ledger_closeout_ref": "tbd""#);
        let completion = |closed: bool| format!(r#"{{"completion": {{"closed": {closed}}}}}"#);
        assert_eq!(found(closed, &completion(false)).as_deref(), Some("work that was not completed"));
        assert_eq!(found(closed, &completion(true)), None);
        assert_eq!(found(open, &completion(false)), None);
    }
}
