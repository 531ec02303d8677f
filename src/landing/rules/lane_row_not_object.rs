//! # WORK_LANDING_LANE_ROW_NOT_OBJECT
//!
//! ## Refuses
//!
//! An element of the lane table that is no object; nothing else of it is checked.
//!
//! ## Why it matters
//!
//! A lane in prose decides nothing, and dropping it would hide that somebody meant to.
//!
//! ## Evidence it reads
//!
//! The elements of `lane_decision_table`.
//!
//! ## Smallest refused
//!
//! ```json policy
//! {"lane_decision_table": ["hard_stop"]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json policy
//! {"lane_decision_table": [{"lane_id": "hard_stop"}]}
//! ```
//!
//! Source: work-landing specification, section 3.2.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::policy::Lane;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LANE_ROW_NOT_OBJECT"),
    source: include_str!("lane_row_not_object.rs"),
    always_with: &[],
    checks: &[Check::LaneElement(judge)],
};

fn judge(lane: &Lane<'_>) -> Option<Refusal> {
    (!lane.is_object())
        .then(|| Refusal::new(Support::NotShown, "a lane", "an element that is no object", "an object with a lane_id and its decisions"))
}
