//! The result of an execution plan: skipped, or rejected. It was not run.

use super::refusal::Asked;
use super::{Refusal, Stamp, is_enabled, object, outcome_of, repeated};
use crate::governance::id;
use crate::governance::terms::{PLAN, RESULT};
use crate::ledger::Record;
use serde_json::Value as Json;

/// The result of `plan`; it may name the rendered command it speaks of.
///
/// # Errors
/// Every reason why not.
pub fn execution_result(plan: &Record, rendered_command_id: Option<&str>, stamp: &Stamp<'_>) -> Result<Record, Vec<Refusal>> {
    let mut asked = Asked::default();
    asked.is_a(plan, PLAN);
    let plan_id = asked.text(plan, "plan_id");
    asked.done()?;
    let enabled = is_enabled(plan);
    let (status, reason) = outcome_of(enabled);
    let copied = ["plan_id", "proposal_id", "approval_id", "timeout_profile", "decision_mode", "command_template"];
    let mut payload = repeated(plan, &copied);
    payload.extend(object([("execution_enabled", Json::from(enabled)), ("executed", Json::from(false))]));
    let mut record = Record::new(RESULT)
        .with("result_id", stamp.id_or(|| id::execution_result(&plan_id)))
        .with("plan_id", plan_id)
        .with("proposal_id", plan.text("proposal_id"))
        .with("approval_id", plan.text("approval_id"))
        .with("status", status)
        .with("reason", reason)
        .with("execution_enabled", enabled)
        .with("executed", false);
    if let Some(rendered) = rendered_command_id {
        record.set("rendered_command_id", rendered);
        payload.insert("rendered_command_id".to_owned(), Json::from(rendered));
    }
    stamp.seal(record, payload)
}
