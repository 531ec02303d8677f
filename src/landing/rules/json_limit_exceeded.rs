//! # WORK_LANDING_JSON_LIMIT_EXCEEDED
//!
//! ## Refuses
//!
//! Nesting deeper than 128, a number no double can hold, a control file over 8 MiB, a row over 1 MiB, more than
//! 64 KiB beside the rows.
//!
//! ## Why it matters
//!
//! An input that exhausts its reader decides nothing, and a number that becomes infinity makes the record
//! unreadable.
//!
//! ## Evidence it reads
//!
//! The bytes of every input file, row and case, in one strict pass.
//!
//! ## Smallest refused
//!
//! ```json json
//! {"text": "[1e999]"}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json json
//! {"text": "[1e308]"}
//! ```
//!
//! Source: work-landing specification, section 1.

use crate::code::Code;
use crate::json::FaultKind;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_JSON_LIMIT_EXCEEDED"),
    source: include_str!("json_limit_exceeded.rs"),
    always_with: &[],
    checks: &[Check::Text(judge)],
};

fn judge(fault: &FaultKind) -> bool {
    matches!(fault, FaultKind::Depth | FaultKind::NumberRange | FaultKind::TooLarge(_) | FaultKind::TooMany(_))
}
