//! # WORK_LANDING_BLOCKER_CAPTURE_MISSING
//!
//! ## Refuses
//!
//! A row with the status `metadata_blocked_patch_bundle` whose `blocker_capture_ref` is not a usable ref.
//!
//! ## Why it matters
//!
//! Not claiming a landing is honest; leaving the reason unrecorded makes the next agent run into the same wall.
//!
//! ## Evidence it reads
//!
//! `landing_status`, `blocker_capture_ref`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"landing_status": "metadata_blocked_patch_bundle", "blocker_capture_ref": ""}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {
//!   "landing_status": "metadata_blocked_patch_bundle",
//!   "blocker_capture_ref": "evidence/blocker/held-lock.json"
//! }
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::landing::refs::is_usable;
use crate::landing::row::{BLOCKED, RunRow};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_BLOCKER_CAPTURE_MISSING"),
    source: include_str!("blocker_capture_missing.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let capture = &row.blocker_capture_ref;
    let blocked = row.landing_status.as_str() == Some(BLOCKED);
    (blocked && !capture.as_str().is_some_and(is_usable)).then(|| {
        let found = Words::In(capture.describe(), "blocker_capture_ref");
        Refusal::new(Support::NotShown, "a metadata blocker", found, "a ref to the captured blocker")
    })
}
