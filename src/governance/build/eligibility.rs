//! An execution eligibility: why a rendered command may not run. It is always blocked.

use super::refusal::Asked;
use super::{Refusal, Stamp, is_enabled, is_executed, object, repeated};
use crate::governance::id;
use crate::governance::terms::{DISABLED, ELIGIBILITY, NO_COMMAND, NO_COMMAND_RESULT, NOT_SUPPORTED, RENDERED, RENDERED_RESULT};
use crate::ledger::Record;
use serde_json::Value as Json;

/// The eligibility of a rendered command, or of the lack of one; `result` is the rendered command's
/// result, found by its id or its plan.
///
/// # Errors
/// Every reason why not.
pub fn eligibility(rendered: Option<&Record>, result: Option<&Record>, stamp: &Stamp<'_>) -> Result<Record, Vec<Refusal>> {
    let mut asked = Asked::default();
    if let Some(rendered) = rendered {
        asked.is_a(rendered, RENDERED);
    }
    if let Some(result) = result {
        asked.is_a(result, RENDERED_RESULT);
    }
    asked.done()?;
    let reason = match (rendered, result) {
        (None, _) => NO_COMMAND,
        (Some(_), None) => NO_COMMAND_RESULT,
        (Some(_), Some(result)) if is_executed(result) => NOT_SUPPORTED,
        (Some(rendered), Some(_)) if !is_enabled(rendered) => DISABLED,
        _ => NOT_SUPPORTED,
    };
    let nothing = Record::default();
    let of = rendered.unwrap_or(&nothing);
    let fields = ["rendered_command_id", "plan_id", "proposal_id", "approval_id", "timeout_profile", "decision_mode", "command"];
    let mut said = repeated(of, &fields);
    for field in ["timeout_profile", "decision_mode"] {
        if said[field] == "" {
            said.insert(field.to_owned(), Json::from("unknown"));
        }
    }
    said.extend(object([
        ("status", Json::from("blocked")),
        ("reason", Json::from(reason)),
        ("execution_supported", Json::from(false)),
        ("execution_enabled", Json::from(false)),
        ("executed", Json::from(false)),
    ]));
    let own = stamp.id_or(|| id::eligibility(&of.text("rendered_command_id"), &of.text("plan_id"), reason));
    let mut record = Record::new(ELIGIBILITY).with("eligibility_id", own);
    for (field, value) in &said {
        record.set(field, value.clone());
    }
    stamp.seal(record, said)
}
