//! # WORK_LANDING_PRIVATE_PATH_LEAKAGE
//!
//! ## Refuses
//!
//! A key that names a body (`raw_diff_body`, `secret_value`, … in any spelling, whatever its value) or a path
//! of a private machine, in any key or string of a row, the policy, the protocol, the manifest or a module row.
//!
//! ## Why it matters
//!
//! Evidence travels. A home directory names a person, and a body in a record outlives every decision to keep it
//! private.
//!
//! ## Evidence it reads
//!
//! All keys and strings, decoded. `required_anchors`, `path` and `target_ref` of a module row are left out.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"note": "built in /home/mira/wip"}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"note": "built in docs/home/index.md"}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::{Manifest, Module};
use crate::landing::policy::Policy;
use crate::landing::protocol::Protocol;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};
use crate::leak::Leaks;

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_PRIVATE_PATH_LEAKAGE"),
    source: include_str!("private_path_leakage.rs"),
    always_with: &[],
    checks: &[
        Check::Row(judge_row),
        Check::Policy(judge_policy),
        Check::Protocol(judge_protocol),
        Check::Manifest(judge_manifest),
        Check::Module(judge_module),
    ],
};

fn judge_row(row: &RunRow<'_>) -> Option<Refusal> {
    refuse(&row.leaks)
}

fn judge_policy(policy: &Policy<'_>) -> Option<Refusal> {
    refuse(&policy.leaks)
}

fn judge_protocol(protocol: &Protocol<'_>) -> Option<Refusal> {
    refuse(&protocol.leaks)
}

fn judge_manifest(manifest: &Manifest<'_>) -> Option<Refusal> {
    refuse(&manifest.leaks)
}

fn judge_module(module: &Module<'_>) -> Option<Refusal> {
    refuse(&module.leaks)
}

fn refuse(leaks: &Leaks) -> Option<Refusal> {
    let found = match (&leaks.private_path, &leaks.body_key) {
        (Some(place), Some(key)) => format!("a private path at {place} and a body under the key at {key}"),
        (Some(place), None) => format!("a private path at {place}"),
        (None, Some(key)) => format!("a body under the key at {key}"),
        (None, None) => return None,
    };
    Some(Refusal::new(Support::Forbidden, "metadata only", found, "repository-relative paths, and bodies referred to by digest"))
}
