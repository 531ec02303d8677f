//! # WORK_LANDING_RELEASE_OVERCLAIM
//!
//! ## Refuses
//!
//! A row whose `release_claim_authorized`, or a lane whose `release_authorized`, is not exactly `false`;
//! leaving it out counts.
//!
//! ## Why it matters
//!
//! A landed commit is not a launch. Records of landings exclude the decision to release.
//!
//! ## Evidence it reads
//!
//! `release_claim_authorized` of a row, `release_authorized` of a lane.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"release_claim_authorized": true}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"release_claim_authorized": false}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::json::Value;
use crate::landing::policy::{Lane, describe};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_RELEASE_OVERCLAIM"),
    source: include_str!("release_overclaim.rs"),
    always_with: &[],
    checks: &[Check::Row(judge_row), Check::Lane("release_overclaim", judge_lane)],
};

fn judge_row(row: &RunRow<'_>) -> Option<Refusal> {
    let flag = &row.release_claim_authorized;
    (!flag.is(false)).then(|| {
        let support = if flag.says_something() { Support::Forbidden } else { Support::NotShown };
        Refusal::new(support, "a recorded landing", Words::In(flag.describe(), "release_claim_authorized"), "false, said outright")
    })
}

fn judge_lane(lane: &Lane<'_>) -> Option<Refusal> {
    let flag = lane.get("release_authorized");
    (!flag.is_some_and(|flag| flag.is_bool(false))).then(|| {
        let support = if flag.is_none_or(|flag| *flag == Value::Null) { Support::NotShown } else { Support::Forbidden };
        Refusal::new(support, "a landing lane", format!("{} in release_authorized", describe(flag)), "false, said outright")
    })
}
