//! # WORK_LANDING_PROTOCOL_BODY_EXPORT_FORBIDDEN
//!
//! ## Refuses
//!
//! A protocol whose `body_in_receipt` or `credential_or_account_bound_bodies_exported` is present and not
//! exactly `false`.
//!
//! ## Why it matters
//!
//! Records are metadata only; a protocol that exports bodies makes every later record unsafe to share.
//!
//! ## Evidence it reads
//!
//! The two flags, if present.
//!
//! ## Smallest refused
//!
//! ```json protocol
//! {"body_in_receipt": true}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json protocol
//! {"body_in_receipt": false}
//! ```
//!
//! Source: work-landing specification, section 3.3.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::policy::describe;
use crate::landing::protocol::Protocol;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_PROTOCOL_BODY_EXPORT_FORBIDDEN"),
    source: include_str!("protocol_body_export_forbidden.rs"),
    always_with: &[],
    checks: &[Check::Protocol(judge)],
};

fn judge(protocol: &Protocol<'_>) -> Option<Refusal> {
    let flags = ["body_in_receipt", "credential_or_account_bound_bodies_exported"];
    let raised = flags.into_iter().find(|flag| protocol.get(flag).is_some_and(|value| !value.is_bool(false)))?;
    let found = format!("{} in {raised}", describe(protocol.get(raised)));
    Some(Refusal::new(Support::Forbidden, "metadata-only records", found, "false, or the flag left out"))
}
