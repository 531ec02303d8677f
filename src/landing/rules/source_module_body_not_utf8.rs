//! # WORK_LANDING_SOURCE_MODULE_BODY_NOT_UTF8
//!
//! ## Refuses
//!
//! A copied body that is not UTF-8; its anchors and credentials are not looked for.
//!
//! ## Why it matters
//!
//! Control files are text. What cannot be read cannot be reviewed.
//!
//! ## Evidence it reads
//!
//! The bytes of a body.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "b.py"}]}, "files": {"b.py": {"base64": "/w=="}}}
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
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_BODY_NOT_UTF8"),
    source: include_str!("source_module_body_not_utf8.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    (!module.body()?.is_utf8())
        .then(|| Refusal::new(Support::NotShown, "a control file in text", "bytes that are not UTF-8", "a body in UTF-8"))
}
