//! # WORK_LANDING_SOURCE_BODY_IN_RECEIPT_FORBIDDEN
//!
//! ## Refuses
//!
//! A manifest whose `body_in_receipt` is not exactly `false`.
//!
//! ## Why it matters
//!
//! Records are metadata only.
//!
//! ## Evidence it reads
//!
//! `body_in_receipt` of the manifest.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"body_in_receipt": true}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"body_in_receipt": false}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::Manifest;
use crate::landing::policy::describe;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_BODY_IN_RECEIPT_FORBIDDEN"),
    source: include_str!("source_body_in_receipt_forbidden.rs"),
    always_with: &[],
    checks: &[Check::Manifest(judge)],
};

fn judge(manifest: &Manifest<'_>) -> Option<Refusal> {
    let flag = manifest.get("body_in_receipt");
    (!flag.is_some_and(|flag| flag.is_bool(false))).then(|| {
        Refusal::new(Support::Forbidden, "metadata-only records", format!("{} in body_in_receipt", describe(flag)), "false, said outright")
    })
}
