//! # WORK_LANDING_SOURCE_MODULE_TARGET_NAME_MISMATCH
//!
//! ## Refuses
//!
//! A module row whose `path`, without `.` segments, does not end in its `source_ref`.
//!
//! ## Why it matters
//!
//! A row whose body is another file's shows a reader the wrong code, with a matching digest.
//!
//! ## Evidence it reads
//!
//! `path` and `source_ref` of a module row whose body was found.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "a.py", "source_ref": "system/lib/b.py"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "./a.py", "source_ref": "a.py"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_TARGET_NAME_MISMATCH"),
    source: include_str!("source_module_target_name_mismatch.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    module.body()?;
    // A row that names no source has a code of its own for that.
    let (path, source) = (module.path()?, module.source_ref().filter(|source| !source.is_empty())?);
    let ends_in_it = path.strip_suffix(source).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'));
    (!ends_in_it).then(|| {
        Refusal::new(
            Support::Contradicted,
            "a copy of its source",
            "a path that does not end in source_ref",
            "the body at <folder>/<source_ref>",
        )
    })
}
