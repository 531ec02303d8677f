//! # WORK_LANDING_LEDGER_CLOSEOUT_MISSING
//!
//! ## Refuses
//!
//! A row whose `work_ledger_closeout_ref` is not a usable ref: absent, blank, a placeholder, or no string.
//!
//! ## Why it matters
//!
//! Without completion of the work log nobody can tell a finished run from an abandoned one.
//!
//! ## Evidence it reads
//!
//! `work_ledger_closeout_ref`.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"work_ledger_closeout_ref": "pending"}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"work_ledger_closeout_ref": "ledger:4:closeout"}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support, Words};
use crate::landing::refs::is_usable;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_LEDGER_CLOSEOUT_MISSING"),
    source: include_str!("ledger_closeout_missing.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let closeout = &row.work_ledger_closeout_ref;
    (!closeout.as_str().is_some_and(is_usable)).then(|| {
        let found = Words::In(closeout.describe(), "work_ledger_closeout_ref");
        Refusal::new(Support::NotShown, "completed work", found, "a ref to the closing entry of the work ledger")
    })
}
