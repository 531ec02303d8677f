//! # WORK_LANDING_SOURCE_MODULE_ANCHOR_MISSING
//!
//! ## Refuses
//!
//! A usable anchor that does not occur in the body, byte for byte.
//!
//! ## Why it matters
//!
//! Anchors say which code must be in the copy; newline translation would look in other bytes than those
//! digested.
//!
//! ## Evidence it reads
//!
//! `required_anchors` of a module row, the bytes of its body.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "a.py", "required_anchors": ["y"]}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "a.py", "required_anchors": ["x"]}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_ANCHOR_MISSING"),
    source: include_str!("source_module_anchor_missing.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    let body = module.body().filter(|body| body.is_utf8())?;
    let absent = module.usable_anchors().filter(|anchor| memchr::memmem::find(&body.bytes, anchor.as_bytes()).is_none()).count();
    (absent > 0).then(|| {
        Refusal::new(
            Support::Contradicted,
            "an anchored body",
            format!("{absent} of the anchors nowhere in the body"),
            "every anchor in the bytes as digested",
        )
    })
}
