//! # WORK_LANDING_SOURCE_MODULE_ROW_NOT_OBJECT
//!
//! ## Refuses
//!
//! An element of `modules` that is no object; nothing else of it is checked.
//!
//! ## Why it matters
//!
//! Junk among the rows is somebody's mistake or cover, and is named.
//!
//! ## Evidence it reads
//!
//! The elements of `modules`.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": ["work_ledger.py too"]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_ROW_NOT_OBJECT"),
    source: include_str!("source_module_row_not_object.rs"),
    always_with: &[],
    checks: &[Check::ModuleElement(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    (!module.is_object()).then(|| {
        Refusal::new(
            Support::NotShown,
            "a copied control file",
            "an element that is no object",
            "an object with the fields of a module row",
        )
    })
}
