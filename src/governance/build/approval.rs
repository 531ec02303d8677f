//! An approval or a rejection of a proposal: a decision with a name under it.

use super::refusal::Asked;
use super::{Refusal, Stamp, object};
use crate::governance::id;
use crate::governance::terms::{APPROVAL, PROPOSAL};
use crate::ledger::Record;
use serde_json::Value as Json;

/// What was decided.
#[derive(Debug, Clone, Copy)]
pub struct Decision<'d> {
    /// Who decided.
    pub approved_by: &'d str,
    /// `approved` or `rejected`.
    pub status: &'d str,
    /// Why.
    pub reason: &'d str,
    /// Must be false: there is nothing that an approval may enable.
    pub execution_enabled: bool,
    /// `manual` or `policy`.
    pub decision_mode: &'d str,
}

impl<'d> Decision<'d> {
    /// The defaults: approved by hand.
    pub fn by(approved_by: &'d str) -> Self {
        let (status, reason) = ("approved", "operator_approved_retry");
        Self { approved_by, status, reason, execution_enabled: false, decision_mode: "manual" }
    }
}

/// The record of a decision about `proposal`.
///
/// # Errors
/// Every reason why not.
pub fn approval(proposal: &Record, decision: &Decision<'_>, stamp: &Stamp<'_>) -> Result<Record, Vec<Refusal>> {
    let mut asked = Asked::default();
    asked.is_a(proposal, PROPOSAL);
    let proposal_id = asked.text(proposal, "proposal_id");
    let status = decision.status.trim().to_lowercase();
    asked.that(matches!(status.as_str(), "approved" | "rejected"), Refusal::StatusUnknown);
    let approved_by = decision.approved_by.trim();
    asked.said(approved_by, "approved_by");
    let mode = asked.mode(decision.decision_mode);
    asked.that(!decision.execution_enabled, Refusal::ExecutionEnabled);
    asked.done()?;
    let reason = decision.reason.trim();
    let payload = object([
        ("proposal_id", Json::from(proposal_id.as_str())),
        ("proposal_type", Json::from(PROPOSAL)),
        ("proposal_status", Json::from(proposal.text("status"))),
        ("proposal_reason", Json::from(proposal.text("reason"))),
        ("timeout_profile", Json::from(proposal.text("timeout_profile"))),
        ("command_template", Json::from(proposal.text("command_template"))),
        ("approval_status", Json::from(status.as_str())),
        ("approved_by", Json::from(approved_by)),
        ("reason", Json::from(reason)),
        ("execution_enabled", Json::from(false)),
        ("decision_mode", Json::from(mode.as_str())),
    ]);
    let record = Record::new(APPROVAL)
        .with("approval_id", stamp.id_or(|| id::approval(&proposal_id, &status, approved_by, &mode, reason)))
        .with("proposal_id", proposal_id)
        .with("status", status)
        .with("approved_by", approved_by)
        .with("reason", reason)
        .with("execution_enabled", false)
        .with("decision_mode", mode);
    stamp.seal(record, payload)
}
