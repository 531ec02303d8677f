//! # WORK_LANDING_SOURCE_MODULE_SET_MISMATCH
//!
//! ## Refuses
//!
//! A manifest whose module rows do not name exactly the six control files, once each.
//!
//! ## Why it matters
//!
//! Five, seven or one six times is not the set that the bundle promises.
//!
//! ## Evidence it reads
//!
//! `source_ref` of all module rows that are objects.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {
//!   "manifest": {
//!     "modules": [
//!       {
//!         "source_ref": "system/lib/workitem_runtime_entrypoint.py"
//!       },
//!       {
//!         "source_ref": "system/lib/work_landing_status.py"
//!       },
//!       {
//!         "source_ref": "tools/meta/control/work_landing.py"
//!       },
//!       {
//!         "source_ref": "tools/meta/control/mission_transaction_preflight.py"
//!       },
//!       {
//!         "source_ref": "tools/meta/control/scoped_commit.py"
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
//!         "source_ref": "system/lib/workitem_runtime_entrypoint.py"
//!       },
//!       {
//!         "source_ref": "system/lib/work_landing_status.py"
//!       },
//!       {
//!         "source_ref": "tools/meta/control/work_landing.py"
//!       },
//!       {
//!         "source_ref": "tools/meta/control/mission_transaction_preflight.py"
//!       },
//!       {
//!         "source_ref": "tools/meta/control/scoped_commit.py"
//!       },
//!       {
//!         "source_ref": "tools/meta/factory/work_ledger.py"
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
use crate::landing::manifest::{Manifest, SOURCE_REFS};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_SET_MISMATCH"),
    source: include_str!("source_module_set_mismatch.rs"),
    always_with: &[],
    checks: &[Check::Manifest(judge)],
};

fn judge(manifest: &Manifest<'_>) -> Option<Refusal> {
    let mut times = [0_usize; SOURCE_REFS.len()];
    let mut other = 0_usize;
    for source in manifest.source_refs() {
        match SOURCE_REFS.iter().position(|wanted| source == Some(*wanted)) {
            Some(at) => times[at] += 1,
            None => other += 1,
        }
    }
    let named = |wanted: fn(usize) -> bool| {
        SOURCE_REFS.into_iter().zip(times).filter(|(_, times)| wanted(*times)).map(|(source, _)| source).collect()
    };
    let (missing, repeated): (Vec<_>, Vec<_>) = (named(|times| times == 0), named(|times| times > 1));
    if missing.is_empty() && repeated.is_empty() && other == 0 {
        return None;
    }
    let mut found = Vec::new();
    for (what, names) in [("without", missing), ("repeating", repeated)] {
        if !names.is_empty() {
            found.push(format!("{what} {}", names.join(", ")));
        }
    }
    if other > 0 {
        found.push(format!("with {other} that are none of the six"));
    }
    Some(Refusal::new(Support::NotShown, "the six control files", format!("rows {}", found.join(", ")), "each of the six, once"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    /// What is found in a manifest whose rows name these.
    fn found(sources: &[&str]) -> Option<String> {
        let rows: Vec<_> = sources.iter().map(|source| serde_json::json!({"source_ref": source})).collect();
        let text = serde_json::json!({"modules": rows}).to_string();
        let value = parse(text.as_bytes()).expect("it is JSON");
        judge(&Manifest::from_value(&value)).map(|refusal| refusal.found.to_string())
    }

    #[test]
    fn each_of_the_six_once_and_whatever_is_not_so_is_named() {
        let [first, second, rest @ ..] = SOURCE_REFS;
        let with = |others: &[&'static str]| [others, &rest].concat();
        assert_eq!(found(&with(&[first, second])), None);
        assert_eq!(found(&with(&[second])), Some(format!("rows without {first}")));
        assert_eq!(found(&with(&[first, second, second])), Some(format!("rows repeating {second}")));
        assert_eq!(found(&with(&[first, second, "a", "b"])), Some("rows with 2 that are none of the six".to_owned()));
        assert_eq!(
            found(&with(&[second, second, "a"])),
            Some(format!("rows without {first}, repeating {second}, with 1 that are none of the six"))
        );
    }
}
