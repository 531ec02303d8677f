//! # WORK_LANDING_SOURCE_MODULE_BODY_BOUNDARY_INVALID
//!
//! ## Refuses
//!
//! A module row without exactly `body_copied` true, `body_in_receipt` false, `body_text_in_receipt` false.
//!
//! ## Why it matters
//!
//! The row must say where the body is and where it is not.
//!
//! ## Evidence it reads
//!
//! The three flags of a module row.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {
//!   "manifest": {
//!     "modules": [
//!       {
//!         "body_copied": true,
//!         "body_in_receipt": 0,
//!         "body_text_in_receipt": false
//!       }
//!     ]
//!   },
//!   "files": {
//!     "a.py": "x\n"
//!   }
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {
//!   "manifest": {
//!     "modules": [
//!       {
//!         "body_copied": true,
//!         "body_in_receipt": false,
//!         "body_text_in_receipt": false
//!       }
//!     ]
//!   },
//!   "files": {
//!     "a.py": "x\n"
//!   }
//! }
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_BODY_BOUNDARY_INVALID"),
    source: include_str!("source_module_body_boundary_invalid.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    let flags = [("body_copied", true), ("body_in_receipt", false), ("body_text_in_receipt", false)];
    let (flag, wanted) = flags.into_iter().find(|(flag, wanted)| !module.get(flag).is_some_and(|value| value.is_bool(*wanted)))?;
    let found = format!("{} in {flag}", module.describe(flag));
    Some(Refusal::new(Support::NotShown, "a body in the bundle and in no record", found, format!("{wanted}, said outright")))
}
