//! The summary of a mock run: derived from the controlled result that holds it.

use super::{From, Made, is_true};
use crate::ledger::Record;

/// What a mock envelope shows: performed, and no process invoked; or nothing observed.
pub(super) fn summary(from: &From<'_>, record: Record) -> Made {
    let envelope = "mock_execution.mock_execution";
    let performed = is_true(from.parent, &format!("{envelope}.performed"));
    let observed = performed && !from.parent.is_set(&format!("{envelope}.subprocess_invoked"));
    let (status, reason) =
        if observed { ("mock_executed", "mock_execution_completed") } else { ("blocked", "mock_execution_not_observed") };
    Ok(record
        .with("status", status)
        .with("reason", reason)
        .with("mock_performed", observed)
        .with("mock_status", from.parent.text("mock_execution.status"))
        .with("mock_reason", from.parent.text("mock_execution.reason"))
        .with("payload_executed", false)
        .with("executed", false)
        .with("subprocess_invoked", false)
        .with("real_execution_enabled", false))
}
