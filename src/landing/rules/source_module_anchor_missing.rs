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

/// The most bytes that are searched for all anchors of a row: a handful in a large body, or many in a
/// small one. A manifest of half a million anchors must not hold us for hours.
const SEARCH_BUDGET: usize = 256 << 20;

fn judge(module: &Module<'_>) -> Option<Refusal> {
    let body = module.body().filter(|body| body.is_utf8())?;
    let affordable = SEARCH_BUDGET / body.bytes.len().max(1);
    let absent = |anchor: &&str| memchr::memmem::find(&body.bytes, anchor.as_bytes()).is_none();
    let found = if module.usable_anchors().nth(affordable).is_some() {
        "more anchors than are looked for in a body of this size"
    } else if module.usable_anchors().any(|anchor| absent(&anchor)) {
        "an anchor nowhere in the body"
    } else {
        return None;
    };
    Some(Refusal::new(Support::Contradicted, "an anchored body", found, "every anchor in the bytes as digested"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use crate::landing::manifest::{Body, Manifest, Target};

    #[test]
    fn anchors_are_looked_for_as_far_as_the_body_allows() {
        // Of this length an anchor more or less decides.
        let body = Body { bytes: vec![b'x'; 64 << 20], digest: String::new() };
        let refused = |anchors: usize| {
            let row = serde_json::json!({"path": "a.py", "required_anchors": vec!["x"; anchors]});
            let text = serde_json::json!({"modules": [row]}).to_string();
            let value = parse(text.as_bytes()).expect("it is JSON");
            let manifest = Manifest::from_value(&value);
            let module = manifest.modules(|_| Target::Found(Box::new(body.clone()))).next().expect("a row");
            judge(&module).is_some()
        };
        assert_eq!([4, 5].map(refused), [false, true]);
    }
}
