//! The preflight of a real run: blocked, with every reason that holds.

use super::{From, Made, is_true};
use crate::ledger::Record;

/// Reasons that hold of every preflight, for there is no real adapter.
const ALWAYS: [&str; 4] =
    ["real_execution_not_supported", "subprocess_not_supported", "real_adapter_not_runnable", "real_adapter_requires_explicit_pr"];

pub(super) fn preflight(from: &From<'_>, record: Record) -> Made {
    let result = from.parent;
    let requested = is_true(result, "real_execution_requested");
    if !requested && !from.terms.contains_key("allow_missing_real_execution_request") {
        return Err(vec!["real_execution_request_missing".to_owned()]);
    }
    let holds = [
        (!requested, "real_execution_request_missing"),
        (!is_true(result, "operator_authorized"), "operator_authorization_missing"),
        (!is_true(result, "allowlist_matched"), "command_not_allowlisted"),
        (!is_true(result, "command_parse.valid"), "command_parse_invalid"),
        (!is_true(result, "command_parse.allowlist_matched"), "command_parse_not_allowlisted"),
    ];
    let reasons: Vec<_> = holds.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).chain(ALWAYS).collect();
    Ok(record.with("real_execution_requested", requested).with("reason", reasons[0]).with("reasons", reasons))
}
