//! # WORK_LANDING_EVIDENCE_BACKFILLED
//!
//! ## Refuses
//!
//! Under a landed claim, a recorded outcome that the agent wrote itself (`recorded_by` is `agent_edit`) or
//! whose `producing_command` names nothing.
//!
//! ## Why it matters
//!
//! Evidence that no command produced was typed, not recorded.
//!
//! ## Evidence it reads
//!
//! `validation_outcomes`: `recorded_by`, `producing_command`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "validation_refs": [
//!     "cmd:7"
//!   ],
//!   "validation_outcomes": [
//!     {
//!       "ref": "cmd:7",
//!       "recorded_by": "agent_edit"
//!     }
//!   ]
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "validation_refs": [
//!     "cmd:7"
//!   ],
//!   "validation_outcomes": [
//!     {
//!       "ref": "cmd:7",
//!       "recorded_by": "runner",
//!       "producing_command": "make test"
//!     }
//!   ]
//! }
//! ```
//!
//! Source: work-landing specification, section 3.5.

use super::evidence::outcomes;
use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::refs::is_usable;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_EVIDENCE_BACKFILLED"),
    source: include_str!("evidence_backfilled.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let found = outcomes(row).find_map(|outcome| {
        if outcome.get("recorded_by").and_then(Value::as_str) == Some("agent_edit") {
            return Some("an outcome recorded by agent_edit");
        }
        let command = outcome.get("producing_command")?;
        (!command.as_str().is_some_and(is_usable)).then_some("an outcome whose producing_command names nothing")
    })?;
    Some(Refusal::new(
        Support::Contradicted,
        "a landed commit that was validated",
        found,
        "outcomes recorded by the command that produced them",
    ))
}
