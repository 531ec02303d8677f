//! # WORK_LANDING_CORPUS_BODY_UNDECLARED
//!
//! ## Refuses
//!
//! A file under `source_modules/` that no row's `path` names.
//!
//! ## Why it matters
//!
//! A body nobody accounts for travels without digest, class or review.
//!
//! ## Evidence it reads
//!
//! The files below `source_modules/` in the bundle.
//!
//! ## Smallest refused
//!
//! ```json corpus
//! {
//!   "kind": "copied_bodies",
//!   "manifest": {
//!     "modules": [
//!       {
//!         "path": "source_modules/a.py"
//!       }
//!     ]
//!   },
//!   "files": {
//!     "source_modules/a.py": "",
//!     "source_modules/b.py": ""
//!   },
//!   "acceptance": null
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json corpus
//! {
//!   "kind": "copied_bodies",
//!   "manifest": {
//!     "modules": [
//!       {
//!         "path": "source_modules/a.py"
//!       }
//!     ]
//!   },
//!   "files": {
//!     "source_modules/a.py": ""
//!   },
//!   "acceptance": null
//! }
//! ```
//!
//! Source: work-landing specification, section 11.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_CORPUS_BODY_UNDECLARED"),
    source: include_str!("corpus_body_undeclared.rs"),
    always_with: &[],
    checks: &[Check::BodyFile(judge)],
};

fn judge(declared: bool) -> Option<Refusal> {
    (!declared).then(|| {
        Refusal::new(
            Support::NotShown,
            "bodies accounted for",
            "a file that no module row names",
            "a row for every file below source_modules",
        )
    })
}
