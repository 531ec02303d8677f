//! # WORK_LANDING_AUTHORITY_OVERCLAIM
//!
//! ## Refuses
//!
//! An authority key that is not exactly `false` where no other code guards it: at the top of a row or deeper,
//! directly in the policy, in its `authority_ceiling` or in a lane; or an `authority_ceiling` that is no
//! object.
//!
//! ## Why it matters
//!
//! The same grant under another key: a record that raises its own ceiling has none.
//!
//! ## Evidence it reads
//!
//! The keys of the authority ceiling, `launch_authorized` among them.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"steps": [{"release_authorized": 1}]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"steps": [{"release_authorized": false}]}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::policy::{Lane, Policy};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_AUTHORITY_OVERCLAIM"),
    source: include_str!("authority_overclaim.rs"),
    always_with: &[],
    checks: &[Check::Row(judge_row), Check::Policy(judge_policy), Check::Lane(super::POLICY_CASE, judge_lane)],
};

fn judge_row(row: &RunRow<'_>) -> Option<Refusal> {
    row.raised_authority.map(refuse)
}

fn judge_policy(policy: &Policy<'_>) -> Option<Refusal> {
    if policy.ceiling_misshapen {
        let needed = "an object of booleans, all false";
        return Some(Refusal::new(
            Support::Forbidden,
            "an authority ceiling",
            "something other than an object in authority_ceiling",
            needed,
        ));
    }
    policy.raised_authority.map(refuse)
}

fn judge_lane(lane: &Lane<'_>) -> Option<Refusal> {
    lane.raised_authority().map(refuse)
}

fn refuse(key: &'static str) -> Refusal {
    Refusal::new(
        Support::Forbidden,
        "no authority of its own",
        format!("{key} with another value than false"),
        "false, or the key left out",
    )
}
