//! # WORK_LANDING_SECRET_MATERIAL
//!
//! ## Refuses
//!
//! A credential shape (cloud and forge keys and tokens, private keys, web tokens, a password in a URL) or a
//! declared sentinel, in any key or string of a row, the policy, the protocol, the manifest, or in a copied
//! body. `docs/secrets.md` lists the kinds with their forms.
//!
//! ## Why it matters
//!
//! A credential in a record is a leak that spreads with every copy. The finding names its kind and place, never
//! the text.
//!
//! ## Evidence it reads
//!
//! All keys and strings, decoded; the bytes of copied bodies.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"note": "key AKIAIOSFODNN7EXAMPLE used"}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"note": "AKIA1234 is a board id"}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::{Body, Manifest, Module};
use crate::landing::policy::Policy;
use crate::landing::protocol::Protocol;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};
use crate::leak::{Leaks, TermSet};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SECRET_MATERIAL"),
    source: include_str!("secret_material.rs"),
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
    // A body that is no text has its own code, and its remaining checks are skipped.
    let in_body = module.body().filter(|body| body.is_utf8()).map(Body::credentials).unwrap_or_default();
    refuse(&module.leaks).or_else(|| (!in_body.is_empty()).then(|| refusal(in_body, "in the copied body")))
}

fn refuse(leaks: &Leaks) -> Option<Refusal> {
    leaks.credential.as_ref().map(|place| refusal(leaks.credentials, &format!("at {place}")))
}

fn refusal(terms: TermSet, place: &str) -> Refusal {
    let kinds = terms.iter().map(|term| term.id).collect::<Vec<_>>().join(", ");
    Refusal::new(
        Support::Forbidden,
        "metadata only",
        format!("{kinds} {place}"),
        "no credential: revoke it, and refer to it without its text",
    )
}
