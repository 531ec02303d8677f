//! # WORK_LANDING_CLAIMED_PATH_INVALID
//!
//! ## Refuses
//!
//! A claimed path that leaves the repository or cannot be in one: absolute, `~`, a drive letter, `file:`, a
//! `..` segment, a control character.
//!
//! ## Why it matters
//!
//! Work can only own paths of its own repository; a claim on another tree is a claim nobody can check here.
//!
//! ## Evidence it reads
//!
//! The usable items of `claimed_path_refs`, trimmed.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"claimed_path_refs": ["src/../../other/lib.rs"]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"claimed_path_refs": ["src/..hidden/mod.rs"]}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_CLAIMED_PATH_INVALID"),
    source: include_str!("claimed_path_invalid.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let found = row.claimed_path_refs.usable().find_map(|path| fault_of(path.trim()))?;
    Some(Refusal::new(Support::NotShown, "paths owned by this work", found, "paths relative to the repository's root, without .. segments"))
}

fn fault_of(path: &str) -> Option<&'static str> {
    let bytes = path.as_bytes();
    if path.starts_with(['/', '\\', '~']) {
        return Some("a path from the root or a home");
    }
    if bytes[0].is_ascii_alphabetic() && bytes.get(1) == Some(&b':') {
        return Some("a path with a drive letter");
    }
    if bytes.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"file:")) {
        return Some("a file: URL");
    }
    if bytes.split(|byte| matches!(byte, b'/' | b'\\')).any(|segment| segment == b"..") {
        return Some("a path with a .. segment");
    }
    bytes.iter().any(u8::is_ascii_control).then_some("a path with a control character")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_repository() {
        for bad in ["/etc/hosts", "\\\\x", "~/x", "~", "C:x", "FILE:x", "a/..", "..\\x", "a\u{7f}", "a\tb", "a\u{1f}b"] {
            assert!(fault_of(bad).is_some(), "{bad:?}");
        }
        for good in ["a", "a...b/c", ".config/x", "..a/b", "a~", "ab:c", "profile:x", "\u{e9}/x", "a b", "a~b", "[:x"] {
            assert_eq!(fault_of(good), None, "{good:?}");
        }
    }
}
