//! # WORK_LANDING_SOURCE_MODULE_TARGET_OUTSIDE_BUNDLE
//!
//! ## Refuses
//!
//! A module row whose `path` or `target_ref` leaves the bundle (no string, absolute, a drive letter, a `..`
//! segment, a NUL), or whose file or a folder on the way is a symbolic link. The remaining checks of the body
//! are skipped.
//!
//! ## Why it matters
//!
//! A reader opens the bundle's body; a link or a path outside makes the digest somebody else's.
//!
//! ## Evidence it reads
//!
//! `path` and `target_ref` of a module row, and what lies at `path`.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "../x.py"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "./x..py"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::{Module, Target};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_TARGET_OUTSIDE_BUNDLE"),
    source: include_str!("source_module_target_outside_bundle.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    (module.target == Target::Outside).then(|| {
        Refusal::new(
            Support::NotShown,
            "a body copied into the bundle",
            "a path or a link that leaves it",
            "a path below the bundle without links on the way",
        )
    })
}
