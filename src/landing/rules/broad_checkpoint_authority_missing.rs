//! # WORK_LANDING_BROAD_CHECKPOINT_AUTHORITY_MISSING
//!
//! ## Refuses
//!
//! A `broad_checkpoint` lane whose `allowed_without_operator_authorization` is not exactly `false`.
//!
//! ## Why it matters
//!
//! A broad checkpoint commits everything in the tree; only an operator may open that lane.
//!
//! ## Evidence it reads
//!
//! The `broad_checkpoint` lane.
//!
//! ## Smallest refused
//!
//! ```json policy
//! {"lane_decision_table": [{"lane_id": "broad_checkpoint", "allowed_without_operator_authorization": true}]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json policy
//! {"lane_decision_table": [{"lane_id": "broad_checkpoint", "allowed_without_operator_authorization": false}]}
//! ```
//!
//! Source: work-landing specification, section 3.2.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::policy::{BROAD, Lane, describe};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_BROAD_CHECKPOINT_AUTHORITY_MISSING"),
    source: include_str!("broad_checkpoint_authority_missing.rs"),
    always_with: &[],
    checks: &[Check::Lane(super::POLICY_CASE, judge)],
};

fn judge(lane: &Lane<'_>) -> Option<Refusal> {
    if lane.known_id() != Some(BROAD) {
        return None;
    }
    let permission = lane.get("allowed_without_operator_authorization");
    (!permission.is_some_and(|permission| permission.is_bool(false))).then(|| {
        let support = if permission.is_some_and(|permission| permission.is_bool(true)) { Support::Forbidden } else { Support::NotShown };
        let found = format!("{} in allowed_without_operator_authorization", describe(permission));
        Refusal::new(support, "a lane only an operator opens", found, "false, said outright")
    })
}
