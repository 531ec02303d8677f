//! # WORK_LANDING_DIRTY_TREE_BOUNDARY_MISSING
//!
//! ## Refuses
//!
//! A row whose `unrelated_dirty_paths_staged` is not exactly `false`; a lane of the policy that stages
//! unrelated dirty paths (`broad_checkpoint` may say `only_after_operator_authorization`).
//!
//! ## Why it matters
//!
//! Staging everything sweeps other people's unfinished edits, or a virtual environment, into the commit.
//!
//! ## Evidence it reads
//!
//! `unrelated_dirty_paths_staged` of a row; `stages_unrelated_dirty_paths` of a lane, if present.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"unrelated_dirty_paths_staged": true}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"unrelated_dirty_paths_staged": false}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::json::Value;
use crate::landing::policy::{BROAD, Lane, describe};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_DIRTY_TREE_BOUNDARY_MISSING"),
    source: include_str!("dirty_tree_boundary_missing.rs"),
    always_with: &[],
    checks: &[Check::Row(judge_row), Check::Lane(super::POLICY_CASE, judge_lane)],
};

fn judge_row(row: &RunRow<'_>) -> Option<Refusal> {
    let flag = &row.unrelated_dirty_paths_staged;
    (!flag.is(false)).then(|| {
        let support = if flag.says_something() { Support::Forbidden } else { Support::NotShown };
        Refusal::new(support, "a scoped landing", Words::In(flag.describe(), "unrelated_dirty_paths_staged"), "false, said outright")
    })
}

fn judge_lane(lane: &Lane<'_>) -> Option<Refusal> {
    let stages = lane.get("stages_unrelated_dirty_paths")?;
    let by_operator = lane.known_id() == Some(BROAD) && stages.as_str() == Some("only_after_operator_authorization");
    (!by_operator && !stages.is_bool(false)).then(|| {
        let support = if *stages == Value::Null { Support::NotShown } else { Support::Forbidden };
        let found = format!("{} in stages_unrelated_dirty_paths", describe(Some(stages)));
        Refusal::new(
            support,
            "a lane with a dirty-tree boundary",
            found,
            "false, or for broad_checkpoint only_after_operator_authorization",
        )
    })
}
