//! # WORK_LANDING_SOURCE_MODULE_IMPORT_CLASS_MISMATCH
//!
//! ## Refuses
//!
//! A module row whose `source_import_class` is not exactly `copied_non_secret_macro_body`.
//!
//! ## Why it matters
//!
//! Each body must say that it is a non-secret copy; the manifest cannot say it for all.
//!
//! ## Evidence it reads
//!
//! `source_import_class` of a module row.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"source_import_class": "copied"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {
//!   "manifest": {
//!     "modules": [
//!       {
//!         "source_import_class": "copied_non_secret_macro_body"
//!       }
//!     ]
//!   },
//!   "files": {
//!     "a.py": "x\n"
//!   }
//! }
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::{IMPORT_CLASS, Module};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_IMPORT_CLASS_MISMATCH"),
    source: include_str!("source_module_import_class_mismatch.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    module.text("source_import_class").is_none_or(|found| found != IMPORT_CLASS).then(|| {
        let found = format!("{} that is not it in source_import_class", module.describe("source_import_class"));
        Refusal::new(Support::NotShown, "a copied control file", found, IMPORT_CLASS)
    })
}
