//! # WORK_LANDING_SOURCE_MODULE_RELATION_UNVERIFIED
//!
//! ## Refuses
//!
//! A module row whose `source_to_target_relation` is not exactly `exact_copy`.
//!
//! ## Why it matters
//!
//! A summary or an excerpt cannot be verified by a digest.
//!
//! ## Evidence it reads
//!
//! `source_to_target_relation` of a module row.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"source_to_target_relation": "summary"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"source_to_target_relation": "exact_copy"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_RELATION_UNVERIFIED"),
    source: include_str!("source_module_relation_unverified.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    module.text("source_to_target_relation").is_none_or(|found| found != "exact_copy").then(|| {
        let found = format!("{} that is not it in source_to_target_relation", module.describe("source_to_target_relation"));
        Refusal::new(Support::NotShown, "a copied control file", found, "exact_copy")
    })
}
