//! # WORK_LANDING_SOURCE_MODULE_TARGET_MISSING
//!
//! ## Refuses
//!
//! A module row without a `path`, or without a regular file there. The remaining checks of the body are
//! skipped, and the row is not counted.
//!
//! ## Why it matters
//!
//! A digest of nothing verifies nothing.
//!
//! ## Evidence it reads
//!
//! `path` of a module row, and what lies there.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "b.py"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "a.py"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::{Module, Target};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_TARGET_MISSING"),
    source: include_str!("source_module_target_missing.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    (module.target == Target::Missing).then(|| {
        let found = if module.text("path").is_none_or(str::is_empty) {
            "no path"
        } else {
            "no readable regular file of at most 8 MiB at path (64 MiB for all rows)"
        };
        Refusal::new(Support::NotShown, "a body copied into the bundle", found, "the body at path")
    })
}
