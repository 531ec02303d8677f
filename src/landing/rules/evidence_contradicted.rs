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
