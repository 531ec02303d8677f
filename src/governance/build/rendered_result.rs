//! The result of a rendered command: it was skipped, or rejected. It was not run.

use super::refusal::Asked;
use super::{Refusal, Stamp, is_enabled, object, outcome_of, repeated};
use crate::governance::id;
use crate::governance::terms::{RENDERED, RENDERED_RESULT};
use crate::ledger::Record;
use serde_json::Value as Json;

/// The result of the rendered command `rendered`.
///
/// # Errors
/// Every reason why not.
pub fn rendered_result(rendered: &Record, stamp: &Stamp<'_>) -> Result<Record, Vec<Refusal>> {
    let mut asked = Asked::default();
    asked.is_a(rendered, RENDERED);
    let rendered_id = asked.text(rendered, "rendered_command_id");
    let plan_id = asked.text(rendered, "plan_id");
    let command = asked.text(rendered, "command");
    asked.done()?;
    let enabled = is_enabled(rendered);
    let (status, reason) = outcome_of(enabled);
    let own = stamp.id_or(|| id::rendered_result(&rendered_id, &plan_id, status, reason));
    let copied = ["rendered_command_id", "plan_id", "proposal_id", "approval_id", "timeout_profile", "decision_mode", "command"];
    let mut payload = repeated(rendered, &copied);
    payload.extend(object([("execution_enabled", Json::from(enabled)), ("executed", Json::from(false))]));
    let record = Record::new(RENDERED_RESULT)
        .with("rendered_command_result_id", own)
        .with("rendered_command_id", rendered_id)
        .with("plan_id", plan_id)
        .with("proposal_id", rendered.text("proposal_id"))
        .with("approval_id", rendered.text("approval_id"))
        .with("status", status)
        .with("reason", reason)
        .with("execution_enabled", enabled)
        .with("executed", false)
        .with("timeout_profile", rendered.text("timeout_profile"))
        .with("decision_mode", rendered.text("decision_mode"))
        .with("command", command);
    stamp.seal(record, payload)
}
