//! A proposal, from an action that the brief recommends. It proposes; it never runs anything.

use super::refusal::Asked;
use super::{Refusal, Stamp, object};
use crate::governance::id;
use crate::governance::terms::{PROPOSAL, RETRY};
use crate::ledger::Record;
use serde_json::Value as Json;

/// The proposal of an action's `payload`.
///
/// # Errors
/// Every reason why not: the action asks for no retry, lacks its reason, profile or template, or
/// names what no proposal may name.
pub fn proposal(payload: &Record, stamp: &Stamp<'_>) -> Result<Record, Vec<Refusal>> {
    if payload.text("recommendation") != RETRY {
        return Err(vec![Refusal::NotARetry]);
    }
    let mut asked = Asked::default();
    let reason = asked.text(payload, "reason");
    let profile = asked.text(payload, "timeout_profile");
    let template = asked.text(payload, "command_template");
    asked.done()?;
    let mut copied = object([
        ("recommendation", Json::from(RETRY)),
        ("reason", Json::from(reason.as_str())),
        ("timeout_profile", Json::from(profile.as_str())),
        ("command_template", Json::from(template.as_str())),
        ("execution_enabled", Json::from(false)),
        ("executed", Json::from(false)),
    ]);
    for field in ["suggested_wait_seconds", "suggested_poll_interval", "security_replay_lifecycle_timeouts"] {
        if let Some(number) = payload.get(field).filter(|value| value.is_number()) {
            copied.insert(field.to_owned(), number.clone());
        }
    }
    let record = Record::new(PROPOSAL)
        .with("proposal_id", stamp.id_or(|| id::proposal(RETRY, &reason, &profile, &template)))
        .with("status", "pending")
        .with("recommendation", RETRY)
        .with("reason", reason)
        .with("timeout_profile", profile)
        .with("command_template", template)
        .with("execution_enabled", false);
    stamp.seal(record, copied)
}
