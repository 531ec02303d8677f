//! # WORK_LANDING_CLAIMED_PATHS_DIFFER
//!
//! ## Refuses
//!
//! Under a landed claim, a claimed path that is not among the paths that the commit holds, nor a folder of one of
//! them.
//!
//! ## Why it matters
//!
//! A commit landed, but not of the work that is claimed.
//!
//! ## Evidence it reads
//!
//! `claimed_path_refs` against `evidence.paths`: `landed`. Without that list nothing is compared; an empty one
//! holds no path.
//!
//! ## Smallest refused
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "claimed_path_refs": [
//!     "harbour/berths.py"
//!   ],
//!   "evidence": {
//!     "paths": {
//!       "depth": "derived",
//!       "landed": [
//!         "README.md"
//!       ]
//!     }
//!   }
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {
//!   "landing_status": "scoped_commit_landed",
//!   "claimed_path_refs": [
//!     "harbour/berths.py"
//!   ],
//!   "evidence": {
//!     "paths": {
//!       "depth": "derived",
//!       "landed": [
//!         "README.md",
//!         "harbour/berths.py"
//!       ]
//!     }
//!   }
//! }
//! ```
//!
//! Source: transcript specification, sections 2.2 and 6.

use super::evidence::landed_fact;
use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::Value;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};
use std::collections::BTreeSet;

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_CLAIMED_PATHS_DIFFER"),
    source: include_str!("claimed_paths_differ.rs"),
    always_with: &[],
    checks: &[Check::Row(judge)],
};

fn judge(row: &RunRow<'_>) -> Option<Refusal> {
    let landed = landed_fact(row, "paths")?.get("landed").and_then(Value::elements)?;
    let landed: BTreeSet<&str> = landed.iter().filter_map(Value::as_str).map(trimmed).collect();
    let holds = |claimed: &str| {
        let folder = format!("{claimed}/");
        landed.contains(claimed) || landed.range(folder.as_str()..).next().is_some_and(|path| path.starts_with(&folder))
    };
    (!row.claimed_path_refs.usable().all(|claimed| holds(trimmed(claimed)))).then(|| {
        Refusal::new(
            Support::Contradicted,
            "a landed commit of the claimed paths",
            "a claimed path that the commit does not hold",
            "claimed paths that are all among the landed ones",
        )
    })
}

/// A path without what may stand around it.
fn trimmed(path: &str) -> &str {
    let path = path.trim();
    path.strip_prefix("./").unwrap_or(path).trim_end_matches('/')
}
