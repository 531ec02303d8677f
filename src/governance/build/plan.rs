//! An execution plan: what was approved, ready to be rendered, with execution disabled.

use super::refusal::Asked;
use super::{Refusal, Stamp, is_enabled, object};
use crate::governance::id;
use crate::governance::terms::{APPROVAL, PLAN, PROPOSAL};
use crate::ledger::Record;
use serde_json::Value as Json;

/// The plan of an approved `proposal`.
///
/// # Errors
/// Every reason why not.
pub fn plan(proposal: &Record, approval: &Record, stamp: &Stamp<'_>) -> Result<Record, Vec<Refusal>> {
    let mut asked = Asked::default();
    asked.is_a(proposal, PROPOSAL);
    asked.is_a(approval, APPROVAL);
    let proposal_id = asked.text(proposal, "proposal_id");
    let approval_id = asked.text(approval, "approval_id");
    asked.that(proposal.text("status").to_lowercase() == "pending", Refusal::ProposalNotPending);
    asked.that(approval.text("status").to_lowercase() == "approved", Refusal::NotApproved);
    asked.that(approval.text("proposal_id") == proposal_id, Refusal::OtherProposal);
    asked.that(!is_enabled(approval), Refusal::ExecutionEnabled);
    let profile = proposal.text("timeout_profile");
    asked.safe(&profile);
    let template = asked.text(proposal, "command_template");
    // What was approved is what is planned: a proposal that changed since then has no approval.
    for (field, said) in [("timeout_profile", &profile), ("command_template", &template)] {
        let approved = approval.text(&format!("payload.{field}"));
        asked.that(approved.is_empty() || approved == *said, Refusal::OtherTerms(field));
    }
    let mode = asked.mode(&approval.text("decision_mode"));
    asked.done()?;
    let payload = object([
        ("proposal_id", Json::from(proposal_id.as_str())),
        ("approval_id", Json::from(approval_id.as_str())),
        ("proposal_reason", Json::from(proposal.text("reason"))),
        ("approval_reason", Json::from(approval.text("reason"))),
        ("timeout_profile", Json::from(profile.as_str())),
        ("command_template", Json::from(template.as_str())),
        ("decision_mode", Json::from(mode.as_str())),
        ("execution_enabled", Json::from(false)),
    ]);
    let record = Record::new(PLAN)
        .with("plan_id", stamp.id_or(|| id::plan(&proposal_id, &approval_id, &profile, &mode)))
        .with("proposal_id", proposal_id)
        .with("approval_id", approval_id)
        .with("status", "planned")
        .with("execution_enabled", false)
        .with("timeout_profile", profile)
        .with("command_template", template)
        .with("decision_mode", mode);
    stamp.seal(record, payload)
}
