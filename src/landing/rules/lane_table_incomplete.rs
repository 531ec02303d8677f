//! # WORK_LANDING_LANE_TABLE_INCOMPLETE
//!
//! ## Refuses
//!
//! A policy without all four lanes: one missing, the table no list, the policy no object.
//!
//! ## Why it matters
//!
//! A lane that is not decided is decided by whoever runs next.
//!
//! ## Evidence it reads
//!
//! `lane_decision_table`: the `lane_id`s `scoped_commit`, `broad_checkpoint`, `metadata_blocked_patch_bundle`,
//! `hard_stop`.
//!
//! ## Smallest refused
//!
//! ```json policy
//! {
//!   "lane_decision_table": [
//!     {
//!       "lane_id": "scoped_commit"
//!     },
//!     {
//!       "lane_id": "broad_checkpoint"
//!     },
//!     {
//!       "lane_id": "metadata_blocked_patch_bundle"
//!     }
//!   ]
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json policy
//! {
//!   "lane_decision_table": [
//!     {
//!       "lane_id": "scoped_commit"
//!     },
//!     {
//!       "lane_id": "broad_checkpoint"
//!     },
//!     {
//!       "lane_id": "metadata_blocked_patch_bundle"
//!     },
//!     {
//!       "lane_id": "hard_stop"
//!     }
//!   ]
//! }
//! ```
//!
//! Source: work-landing specification, section 3.2.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::policy::Policy;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LANE_TABLE_INCOMPLETE"),
    source: include_str!("lane_table_incomplete.rs"),
    always_with: &[],
    checks: &[Check::Policy(judge)],
};

fn judge(policy: &Policy<'_>) -> Option<Refusal> {
    let missing: Vec<_> = policy.missing_lanes().collect();
    (!missing.is_empty()).then(|| {
        let found = format!("no lane {}", missing.join(", "));
        Refusal::new(Support::NotShown, "a landing policy", found, "a lane_decision_table with all four lanes")
    })
}
