//! # WORK_LANDING_LANE_UNKNOWN
//!
//! ## Refuses
//!
//! A lane whose `lane_id` is not exactly one of the four.
//!
//! ## Why it matters
//!
//! A fifth or respelled lane grants what the four refuse, and nobody checks it.
//!
//! ## Evidence it reads
//!
//! `lane_id`.
//!
//! ## Smallest refused
//!
//! ```json policy
//! {"lane_decision_table": [{"lane_id": "broad_checkpoint "}]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json policy
//! {"lane_decision_table": [{"lane_id": "broad_checkpoint"}]}
//! ```
//!
//! Source: work-landing specification, section 3.2.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::policy::{LANES, Lane, describe};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LANE_UNKNOWN"),
    source: include_str!("lane_unknown.rs"),
    always_with: &[],
    checks: &[Check::Lane(super::POLICY_CASE, judge)],
};

fn judge(lane: &Lane<'_>) -> Option<Refusal> {
    lane.known_id().is_none().then(|| {
        let found = format!("{} that is none of the four in lane_id", describe(lane.get("lane_id")));
        Refusal::new(Support::NotShown, "a lane", found, format!("one of {}", LANES.join(", ")))
    })
}
