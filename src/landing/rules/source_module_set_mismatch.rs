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
