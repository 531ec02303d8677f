//! # WORK_LANDING_NEGATIVE_CASE_NOT_CAUGHT
//!
//! ## Refuses
//!
//! One of the nine whose input does not produce the code it stands for. Extra codes are allowed.
//!
//! ## Why it matters
//!
//! Caught for another reason shows nothing about its rule; not caught at all shows that the rule is gone.
//!
//! ## Evidence it reads
//!
//! The codes that the case's input produces.
//!
//! ## Smallest refused
//!
//! ```json corpus
//! {
//!   "kind": "negative_cases",
//!   "negative_cases": {
//!     "release_overclaim.json": {
//!       "expected_negative_case_id": "release_overclaim",
//!       "release_claim_authorized": false
//!     }
//!   }
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json corpus
//! {
//!   "kind": "negative_cases",
//!   "negative_cases": {
//!     "release_overclaim.json": {
//!       "expected_negative_case_id": "release_overclaim",
//!       "release_claim_authorized": true
//!     }
//!   }
//! }
//! ```
//!
//! Source: work-landing specification, section 4.

use crate::code::Code;
use crate::corpus::coverage::CaseSeen;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_NEGATIVE_CASE_NOT_CAUGHT"),
    source: include_str!("negative_case_not_caught.rs"),
    always_with: &[],
    checks: &[Check::Case(judge)],
};

fn judge(case: &CaseSeen<'_>) -> Option<Refusal> {
    let CaseSeen::Judged { expected, codes, .. } = case else { return None };
    let missing: Vec<_> = expected.iter().filter(|code| !codes.contains(code)).map(|code| code.as_str()).collect();
    if expected.is_empty() {
        return Some(Refusal::new(
            Support::NotShown,
            "a broken case that is refused",
            "no code it expects",
            "expected_codes with at least one code",
        ));
    }
    (!missing.is_empty()).then(|| {
        let found = if codes.is_empty() {
            "no code at all".to_owned()
        } else {
            codes.iter().map(|code| code.as_str()).collect::<Vec<_>>().join(", ")
        };
        Refusal::new(Support::NotShown, "a broken case that is refused", found, missing.join(", "))
    })
}
