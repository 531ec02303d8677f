//! # WORK_LANDING_SOURCE_IMPORT_CLASS_MISMATCH
//!
//! ## Refuses
//!
//! A manifest whose `source_import_class` is not exactly `copied_non_secret_macro_body`.
//!
//! ## Why it matters
//!
//! Only non-secret copies may travel in a bundle, and the manifest must say that this is what they are.
//!
//! ## Evidence it reads
//!
//! `source_import_class` of the manifest.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"source_import_class": "copied"}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"source_import_class": "copied_non_secret_macro_body"}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::manifest::{IMPORT_CLASS, Manifest};
use crate::landing::policy::describe;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_IMPORT_CLASS_MISMATCH"),
    source: include_str!("source_import_class_mismatch.rs"),
    always_with: &[],
    checks: &[Check::Manifest(judge)],
};

fn judge(manifest: &Manifest<'_>) -> Option<Refusal> {
    let class = manifest.get("source_import_class");
    (class.and_then(Value::as_str) != Some(IMPORT_CLASS)).then(|| {
        let found = format!("{} that is another class in source_import_class", describe(class));
        Refusal::new(Support::NotShown, "copied control files", found, IMPORT_CLASS)
    })
}
