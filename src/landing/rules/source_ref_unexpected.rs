//! # WORK_LANDING_SOURCE_REF_UNEXPECTED
//!
//! ## Refuses
//!
//! A module row whose `source_ref` lies outside the three folders of control files, or is not canonical: an
//! empty, `.` or `..` segment, a backslash.
//!
//! ## Why it matters
//!
//! A prefix that is met and then left names a file outside the control plane.
//!
//! ## Evidence it reads
//!
//! `source_ref` of a module row.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"source_ref": "system/lib/../../x.py"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"source_ref": "system/lib/x.py"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::{Module, SOURCE_FOLDERS};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_REF_UNEXPECTED"),
    source: include_str!("source_ref_unexpected.rs"),
    always_with: &[Code::named("WORK_LANDING_SOURCE_MODULE_SET_MISMATCH")],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    let canonical = |source: &str| {
        SOURCE_FOLDERS.iter().any(|folder| source.starts_with(folder))
            && !source.contains('\\')
            && source.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
    };
    (!module.source_ref().is_some_and(canonical)).then(|| {
        let found = format!("{} that is no canonical path there in source_ref", module.describe("source_ref"));
        Refusal::new(Support::NotShown, "a control file", found, format!("a path below {}", SOURCE_FOLDERS.join(", ")))
    })
}
