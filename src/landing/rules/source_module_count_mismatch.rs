//! # WORK_LANDING_SOURCE_MODULE_COUNT_MISMATCH
//!
//! ## Refuses
//!
//! A manifest whose `module_count` is not an integer equal to the number of elements of `modules`, whatever
//! they are.
//!
//! ## Why it matters
//!
//! A count that counts only what fits hides what does not.
//!
//! ## Evidence it reads
//!
//! `module_count`, `modules`.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"module_count": 2, "modules": [{}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"module_count": 1, "modules": [{}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::{Number, Value};
use crate::landing::manifest::Manifest;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_COUNT_MISMATCH"),
    source: include_str!("source_module_count_mismatch.rs"),
    always_with: &[],
    checks: &[Check::Manifest(judge)],
};

fn judge(manifest: &Manifest<'_>) -> Option<Refusal> {
    let declared = manifest.get("module_count").and_then(Value::as_number).and_then(Number::as_integer);
    let found = manifest.module_count();
    (declared != i64::try_from(found).ok()).then(|| {
        let said = declared.map_or_else(|| "no integer".to_owned(), |count| count.to_string());
        Refusal::new(
            Support::Contradicted,
            "a counted list of modules",
            format!("{said} in module_count beside {found} elements"),
            "the number of elements",
        )
    })
}
