//! # WORK_LANDING_LANE_DUPLICATE
//!
//! ## Refuses
//!
//! A lane whose id an earlier lane has.
//!
//! ## Why it matters
//!
//! Two decisions for one lane are none: a reader takes whichever suits.
//!
//! ## Evidence it reads
//!
//! `lane_id` of all lanes.
//!
//! ## Smallest refused
//!
//! ```json policy
//! {"lane_decision_table": [{"lane_id": "hard_stop"}, {"lane_id": "hard_stop"}]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json policy
//! {"lane_decision_table": [{"lane_id": "hard_stop"}, {"lane_id": "scoped_commit"}]}
//! ```
//!
//! Source: work-landing specification, section 3.2.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::policy::Lane;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LANE_DUPLICATE"),
    source: include_str!("lane_duplicate.rs"),
    always_with: &[],
    checks: &[Check::Lane(super::POLICY_CASE, judge)],
};

fn judge(lane: &Lane<'_>) -> Option<Refusal> {
    lane.repeats.then(|| Refusal::new(Support::Contradicted, "one decision a lane", "the lane_id of an earlier lane", "each lane once"))
}
