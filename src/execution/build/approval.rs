//! Approvals and their transitions: what a person says, recorded. Nothing is enabled by them.

use super::{From, Made};
use crate::ledger::Record;

/// The status asked for; one that decides needs the operator's flag.
fn status<'f>(from: &'f From<'_>) -> Result<&'f str, Vec<String>> {
    match from.term("approval_status", "pending") {
        "pending" => Ok("pending"),
        decided @ ("approved" | "rejected") if from.operator_authorized() => Ok(decided),
        "approved" | "rejected" => Err(vec!["operator_authorization_missing".to_owned()]),
        _ => Err(vec!["invalid_approval_status".to_owned()]),
    }
}

pub(super) fn real(from: &From<'_>, record: Record) -> Made {
    let status = status(from)?;
    let reason =
        if status == "rejected" { "real_execution_explicit_approval_rejected" } else { "real_execution_explicit_approval_required" };
    Ok(record.with("approval_status", status).with("reason", reason))
}

pub(super) fn read_only(from: &From<'_>, record: Record) -> Made {
    Ok(record.with("approval_status", status(from)?))
}

pub(super) fn repair(from: &From<'_>, record: Record) -> Made {
    let status = status(from)?;
    Ok(record
        .with("approval_status", status)
        .with("repair_execution_approved", status == "approved")
        .with("repair_execution_rejected", status == "rejected"))
}

pub(super) fn transition(from: &From<'_>, record: Record) -> Made {
    match from.term("to_status", "approved") {
        decided @ ("approved" | "rejected") => Ok(record.with("to_status", decided)),
        _ => Err(vec!["invalid_to_status".to_owned()]),
    }
}

pub(super) fn repair_transition(from: &From<'_>, record: Record) -> Made {
    let record = transition(from, record)?;
    let to = record.text("to_status");
    Ok(record.with("repair_execution_transition_approved", to == "approved").with("repair_execution_transition_rejected", to == "rejected"))
}
