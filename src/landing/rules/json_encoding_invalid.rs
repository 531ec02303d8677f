//! # WORK_LANDING_JSON_ENCODING_INVALID
//!
//! ## Refuses
//!
//! Bytes that are not UTF-8: another encoding, an overlong form, an encoded surrogate.
//!
//! ## Why it matters
//!
//! Two readers that guess differently read two different claims.
//!
//! ## Evidence it reads
//!
//! The bytes of every input file, row and case, in one strict pass.
//!
//! ## Smallest refused
//!
//! ```json json
//! {"base64": "/wA="}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json json
//! {"text": "{}"}
//! ```
//!
//! Source: work-landing specification, section 1.

use crate::code::Code;
use crate::json::FaultKind;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_JSON_ENCODING_INVALID"),
    source: include_str!("json_encoding_invalid.rs"),
    always_with: &[],
    checks: &[Check::Text(judge)],
};

fn judge(fault: &FaultKind) -> bool {
    matches!(fault, FaultKind::Encoding)
}
