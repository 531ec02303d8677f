//! # WORK_LANDING_LANE_FLAG_NOT_BOOLEAN
//!
//! ## Refuses
//!
//! A known lane other than `broad_checkpoint` whose `allowed_without_operator_authorization` is not a boolean.
//!
//! ## Why it matters
//!
//! A worded permission is not a decision.
//!
//! ## Evidence it reads
//!
//! `allowed_without_operator_authorization`.
//!
//! ## Smallest refused
//!
//! ```json policy
//! {"lane_decision_table": [{"lane_id": "hard_stop", "allowed_without_operator_authorization": "yes"}]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json policy
//! {"lane_decision_table": [{"lane_id": "hard_stop", "allowed_without_operator_authorization": true}]}
//! ```
//!
//! Source: work-landing specification, section 3.2.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::policy::{BROAD, Lane, describe};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LANE_FLAG_NOT_BOOLEAN"),
    source: include_str!("lane_flag_not_boolean.rs"),
    always_with: &[],
    checks: &[Check::Lane(super::POLICY_CASE, judge)],
};

fn judge(lane: &Lane<'_>) -> Option<Refusal> {
    lane.known_id().filter(|id| *id != BROAD)?;
    let permission = lane.get("allowed_without_operator_authorization");
    (!matches!(permission, Some(Value::Bool(_)))).then(|| {
        let found = format!("{} in allowed_without_operator_authorization", describe(permission));
        Refusal::new(Support::NotShown, "a decided lane", found, "true or false")
    })
}
