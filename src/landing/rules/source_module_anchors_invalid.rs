//! # WORK_LANDING_SOURCE_MODULE_ANCHORS_INVALID
//!
//! ## Refuses
//!
//! A module row whose `required_anchors` are absent, no list, empty, or hold an item that is no non-blank
//! string. Usable items are still looked for.
//!
//! ## Why it matters
//!
//! An anchor that is always found anchors nothing.
//!
//! ## Evidence it reads
//!
//! `required_anchors` of a module row.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"required_anchors": ["def main(", 1]}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"required_anchors": ["def main("]}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_ANCHORS_INVALID"),
    source: include_str!("source_module_anchors_invalid.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    let items = module.get("required_anchors").and_then(Value::elements);
    let usable = |item: &Value<'_>| item.as_str().is_some_and(|anchor| !anchor.trim().is_empty());
    (!items.is_some_and(|items| !items.is_empty() && items.iter().all(usable))).then(|| {
        let found = items.map_or("no list in required_anchors", |items| {
            if items.is_empty() { "an empty list in required_anchors" } else { "an item that is no text in required_anchors" }
        });
        Refusal::new(Support::NotShown, "an anchored body", found, "a list of non-blank strings, at least one")
    })
}
