//! # WORK_LANDING_JSON_INVALID
//!
//! ## Refuses
//!
//! Text that is not one JSON value: syntax, nothing at all, a second value, a byte order mark, raw control
//! characters, `NaN`, a lone surrogate escape.
//!
//! ## Why it matters
//!
//! What cannot be read cannot support a claim; a lenient reader would invent what it says.
//!
//! ## Evidence it reads
//!
//! The bytes of every input file, row and case, in one strict pass.
//!
//! ## Smallest refused
//!
//! ```json json
//! {"text": "{'a': 1}"}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json json
//! {"text": "{\"a\": 1}"}
//! ```
//!
//! Source: work-landing specification, section 1.

use crate::code::Code;
use crate::json::FaultKind;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_JSON_INVALID"),
    source: include_str!("json_invalid.rs"),
    always_with: &[],
    checks: &[Check::Text(judge)],
};

fn judge(fault: &FaultKind) -> bool {
    matches!(fault, FaultKind::Syntax(_))
}
