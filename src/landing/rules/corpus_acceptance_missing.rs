//! # WORK_LANDING_CORPUS_ACCEPTANCE_MISSING
//!
//! ## Refuses
//!
//! No readable coverage record.
//!
//! ## Why it matters
//!
//! Sign-off of the projection rests on a replay that caught all nine; without its record there is none.
//!
//! ## Evidence it reads
//!
//! The coverage record that `check-corpus` is given.
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
//!     "source_modules/a.py": ""
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
//!   "acceptance": {}
//! }
//! ```
//!
//! Source: work-landing specification, section 11.

use crate::code::Code;
use crate::corpus::coverage::CoverageSeen;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_CORPUS_ACCEPTANCE_MISSING"),
    source: include_str!("corpus_acceptance_missing.rs"),
    always_with: &[],
    checks: &[Check::Coverage(judge)],
};

fn judge(seen: &CoverageSeen) -> Option<Refusal> {
    matches!(seen, CoverageSeen::Missing).then(|| {
        Refusal::new(
            Support::NotShown,
            "a replay that caught every case",
            "no readable coverage record",
            "the negative-coverage record of a replay",
        )
    })
}
