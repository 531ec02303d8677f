//! # WORK_LANDING_JSON_DUPLICATE_KEY
//!
//! ## Refuses
//!
//! A key that its object already has, at any depth, compared after unescaping.
//!
//! ## Why it matters
//!
//! Readers keep the first or the last without a word, so one text makes two claims and the judge may see the
//! harmless one.
//!
//! ## Evidence it reads
//!
//! The bytes of every input file, row and case, in one strict pass.
//!
//! ## Smallest refused
//!
//! ```json json
//! {"text": "{\"a\": 1, \"\\u0061\": 2}"}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json json
//! {"text": "{\"a\": 1, \"A\": 2}"}
//! ```
//!
//! Source: work-landing specification, section 1.

use crate::code::Code;
use crate::json::FaultKind;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_JSON_DUPLICATE_KEY"),
    source: include_str!("json_duplicate_key.rs"),
    always_with: &[],
    checks: &[Check::Text(judge)],
};

fn judge(fault: &FaultKind) -> bool {
    matches!(fault, FaultKind::DuplicateKey)
}
