//! # WORK_LANDING_SOURCE_MODULE_ID_INVALID
//!
//! ## Refuses
//!
//! A module row whose `module_id` is no string, blank, or the id of an earlier row.
//!
//! ## Why it matters
//!
//! Provenance must tell bodies apart.
//!
//! ## Evidence it reads
//!
//! `module_id` of all rows.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"module_id": "a"}, {"module_id": "a"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"module_id": "a"}, {"module_id": "b"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_ID_INVALID"),
    source: include_str!("source_module_id_invalid.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    let found = if module.repeats_id {
        "the id of an earlier row in module_id"
    } else if module.text("module_id").is_none_or(|id| id.trim().is_empty()) {
        "no name in module_id"
    } else {
        return None;
    };
    Some(Refusal::new(Support::NotShown, "a copied control file", found, "a string no other row has"))
}
