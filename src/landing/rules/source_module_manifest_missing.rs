//! # WORK_LANDING_SOURCE_MODULE_MANIFEST_MISSING
//!
//! ## Refuses
//!
//! A bundle without a regular file `source_module_manifest.json`; nothing else of it is checked.
//!
//! ## Why it matters
//!
//! Copied bodies without a manifest have no provenance.
//!
//! ## Evidence it reads
//!
//! The bundle folder.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": null, "files": {}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {}, "files": {}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_MANIFEST_MISSING"),
    source: include_str!("source_module_manifest_missing.rs"),
    always_with: &[],
    checks: &[Check::ManifestFile(judge)],
};

fn judge(present: bool) -> Option<Refusal> {
    (!present).then(|| {
        Refusal::new(Support::NotShown, "copied control files", "no regular file source_module_manifest.json", "a manifest in the bundle")
    })
}
