//! The synthetic trail: five records of one chain under given ids, for smoke tests and demonstrations
//! (loop governance, section 12). Each record comes from the builders, so what they refuse is refused.

use super::build::approval::{Decision, approval};
use super::build::execution_result::execution_result;
use super::build::plan::plan;
use super::build::proposal::proposal;
use super::build::rendered::rendered;
use super::build::{Refusal, Stamp};
use super::next::{Outcome, publish_unless};
use super::terms::{DECISION_MODES, RETRY, TIMED_OUT, command_template, safe_profile};
use crate::contract::table::contracts;
use crate::ledger::{Ledger, LedgerError, Record, Surroundings};

/// What a seeded trail is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedTrail {
    /// Source of the records, and approver.
    pub source: String,
    /// Id of the proposal.
    pub proposal_id: String,
    /// Id of the approval.
    pub approval_id: String,
    /// Id of the plan.
    pub plan_id: String,
    /// Id of the rendered command.
    pub rendered_command_id: String,
    /// Id of the execution result.
    pub result_id: String,
    /// `standard` or `patient`.
    pub timeout_profile: String,
    /// `manual` or `policy`.
    pub decision_mode: String,
}

impl SeedTrail {
    /// A trail whose ids have this word in them: `seed` or `smoke`.
    pub fn named(source: &str, word: &str) -> Self {
        let id = |what: &str| format!("replay-retry-{word}-{what}-1");
        Self {
            source: source.to_owned(),
            proposal_id: id("proposal"),
            approval_id: id("approval"),
            plan_id: id("plan"),
            rendered_command_id: id("rendered-command"),
            result_id: id("result"),
            timeout_profile: "standard".to_owned(),
            decision_mode: "manual".to_owned(),
        }
    }

    /// The five records, in stage order.
    ///
    /// # Errors
    /// Every reason why not of the first record that cannot be built.
    pub fn records(&self, around: &mut dyn Surroundings) -> Result<[Record; 5], Vec<Refusal>> {
        let mut refusals = Vec::new();
        for (said, name) in [
            (&self.source, "source"),
            (&self.proposal_id, "proposal_id"),
            (&self.approval_id, "approval_id"),
            (&self.plan_id, "plan_id"),
            (&self.rendered_command_id, "rendered_command_id"),
            (&self.result_id, "result_id"),
        ] {
            if said.trim().is_empty() {
                refusals.push(Refusal::Missing(name));
            }
        }
        let Some(profile) = safe_profile(&self.timeout_profile) else {
            refusals.push(Refusal::UnsafeProfile);
            return Err(refusals);
        };
        if !DECISION_MODES.contains(&self.decision_mode.as_str()) {
            refusals.push(Refusal::DecisionModeUnknown);
        }
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let mut stamp = |id| Stamp { source: &self.source, now: around.now(), id: Some(id) };
        let asked = Record::default()
            .with("recommendation", RETRY)
            .with("reason", TIMED_OUT)
            .with("timeout_profile", profile.name)
            .with("command_template", command_template(profile.name))
            .with("suggested_wait_seconds", profile.wait_seconds)
            .with("suggested_poll_interval", profile.poll_interval);
        let proposal = proposal(&asked, &stamp(&self.proposal_id))?;
        let decision = Decision { reason: "synthetic_governance_smoke", decision_mode: &self.decision_mode, ..Decision::by(&self.source) };
        let approval = approval(&proposal, &decision, &stamp(&self.approval_id))?;
        let plan = plan(&proposal, &approval, &stamp(&self.plan_id))?;
        let named = self.proposal_id.trim();
        let (scenario, directive) = (format!("{named}-scenario"), format!("{named}-directive"));
        let rendered = rendered(&plan, &scenario, &directive, &stamp(&self.rendered_command_id))?;
        let result = execution_result(&plan, Some(self.rendered_command_id.trim()), &stamp(&self.result_id))?;
        Ok([proposal, approval, plan, rendered, result])
    }
}

/// Publishes those of the records whose own id the ledger does not have under their type.
///
/// # Errors
/// The storage failed; what was published before stays.
pub fn publish_trail(ledger: &mut dyn Ledger, records: [Record; 5], around: &mut dyn Surroundings) -> Result<Outcome, LedgerError> {
    let mut outcome = Outcome::default();
    for record in records {
        let id = contracts().of_type(record.record_type()).first().and_then(|contract| contract.id.clone());
        let keys: Vec<_> = id.into_iter().collect();
        publish_unless(ledger, record, &keys, &mut outcome, around)?;
    }
    Ok(outcome)
}
