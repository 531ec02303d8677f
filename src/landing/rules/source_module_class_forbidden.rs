//! # WORK_LANDING_SOURCE_MODULE_CLASS_FORBIDDEN
//!
//! ## Refuses
//!
//! A module row whose `material_class` is not one of the three public classes.
//!
//! ## Why it matters
//!
//! A body of any other class is not public material.
//!
//! ## Evidence it reads
//!
//! `material_class` of a module row.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"material_class": "private_tool_body"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"material_class": "public_macro_tool_body"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::{MATERIAL_CLASSES, Module};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_CLASS_FORBIDDEN"),
    source: include_str!("source_module_class_forbidden.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    (!module.text("material_class").is_some_and(|found| MATERIAL_CLASSES.contains(&found))).then(|| {
        let found = format!("{} that is not it in material_class", module.describe("material_class"));
        Refusal::new(Support::NotShown, "a copied control file", found, MATERIAL_CLASSES.join(", "))
    })
}
