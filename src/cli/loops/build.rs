//! `loop build`: builds the next record of a chain from its parents, and says every reason why not.

use super::answer::{Output, filter, to_write, trouble};
use super::built;
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::contract::table::{Family, contracts};
use crate::execution::start::ALLOWED_KEYS;
use crate::governance::build::Refusal;
use crate::governance::next::{Builder, Outcome, Refused, Wishes, build, builder_of, builders};
use clap::Args;

/// Arguments of `loop build`.
#[derive(Debug, Args)]
pub struct BuildArguments {
    /// The record type to build, or its short name: proposal, approval, plan, rendered_command, rendered_command_result,
    /// eligibility, result, or a type of guarded execution without `replay_lifecycle_retry_`
    #[arg(value_name = "TYPE")]
    record_type: String,
    /// Who publishes; each type has its own default
    #[arg(long)]
    source: Option<String>,
    /// The id of the record built; default: it follows from what the record says
    #[arg(long)]
    id: Option<String>,
    /// Only from parents of this proposal
    #[arg(long, value_name = "ID")]
    proposal_id: Option<String>,
    /// Only from parents of this approval
    #[arg(long, value_name = "ID")]
    approval_id: Option<String>,
    /// Only from parents of this plan
    #[arg(long, value_name = "ID")]
    plan_id: Option<String>,
    /// Only from parents of this rendered command
    #[arg(long, value_name = "ID")]
    rendered_command_id: Option<String>,
    /// Of an execution approval: pending, approved or rejected; default: pending
    #[arg(long, value_name = "STATUS", value_parser = ["pending", "approved", "rejected"])]
    approval_status: Option<String>,
    /// Of an approval transition: approved or rejected; default: approved
    #[arg(long, value_name = "STATUS", value_parser = ["approved", "rejected"])]
    to_status: Option<String>,
    /// Of a bundle review: pending, approved or rejected; default: pending
    #[arg(long, value_name = "STATUS", value_parser = ["pending", "approved", "rejected"])]
    review_status: Option<String>,
    /// An operator stands behind a decision other than pending
    #[arg(long)]
    operator_authorized: bool,
    /// Of a preflight: from results that ask for no real execution too
    #[arg(long)]
    allow_missing_real_execution_request: bool,
    /// Of an approval: who decides
    #[arg(long)]
    approved_by: Option<String>,
    /// Of an approval: approved or rejected; default: approved
    #[arg(long)]
    status: Option<String>,
    /// Of an approval: why; default: operator_approved_retry
    #[arg(long)]
    reason: Option<String>,
    /// Of an approval: manual or policy; default: manual
    #[arg(long)]
    decision_mode: Option<String>,
    /// Of a rendered command: the scenario to replay
    #[arg(long, value_name = "ID")]
    scenario_id: Option<String>,
    /// Of a rendered command: the id of the new directive
    #[arg(long, value_name = "ID")]
    new_directive_id: Option<String>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &BuildArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let Some(builder) = builder_of(&arguments.record_type) else {
        let known: Vec<_> = builders().map(|builder| builder.short).collect();
        return Err(Trouble::Usage(format!("no builder for that record type; there are {}", known.join(", "))));
    };
    let wishes = arguments.wishes()?.with("env_keys", Some(&environment_keys(world)));
    for need in builder.needs {
        let said = wishes.links.get(*need).or_else(|| wishes.terms.get(*need));
        if said.is_none_or(|said| said.trim().is_empty()) {
            return Err(Trouble::Usage(format!("{} needs --{}", builder.short, need.replace('_', "-"))));
        }
    }
    let outcome = published(builder, &wishes, &arguments.ledger, world)?;
    let exit = built::print(&outcome, "records", arguments.output, world)?;
    if !builder.sweeps && outcome == Outcome::default() {
        writeln!(world.err, "landfall: the ledger has no parent to build from")?;
        return Ok(Exit::NothingSelected);
    }
    // Of guarded execution one parent that has its child is enough, unless a record broke its own contract.
    let execution = contracts().of_type(builder.record_type).iter().any(|contract| contract.family == Family::Execution);
    let qualified = !outcome.published.is_empty() || !outcome.skipped.is_empty();
    let broken = |refused: &Refused| refused.reasons.iter().any(|reason| matches!(reason, Refusal::Contract(_)));
    Ok(if execution && qualified && !outcome.refused.iter().any(broken) { Exit::Pass } else { exit })
}

/// The names of the environment's keys. Values are never looked at.
pub(in crate::cli::loops) fn environment_keys(world: &World<'_>) -> String {
    let host = (world.host)().ok();
    let keys = host.iter().flat_map(|host| &host.environment).map(|(key, _)| key.as_str());
    keys.filter(|key| ALLOWED_KEYS.contains(key)).collect::<Vec<_>>().join(",")
}

/// Builds and publishes.
pub(super) fn published(builder: &Builder, wishes: &Wishes, path: &LedgerPath, world: &mut World<'_>) -> Result<Outcome, Trouble> {
    let mut ledger = to_write(path, if wishes.source.is_empty() { builder.source } else { &wishes.source }, world)?;
    build(&mut ledger, builder, wishes, world.around).map_err(trouble)
}

impl BuildArguments {
    fn wishes(&self) -> Result<Wishes, Trouble> {
        let id = |said, flag| filter(flag, Option::as_deref(said));
        Ok(Wishes { id: id(&self.id, "--id")?.map(str::to_owned), ..Wishes::of(id(&self.source, "--source")?.unwrap_or_default()) }
            .linked("proposal_id", id(&self.proposal_id, "--proposal-id")?)
            .linked("approval_id", id(&self.approval_id, "--approval-id")?)
            .linked("plan_id", id(&self.plan_id, "--plan-id")?)
            .linked("rendered_command_id", id(&self.rendered_command_id, "--rendered-command-id")?)
            .with("approved_by", self.approved_by.as_deref())
            .with("status", self.status.as_deref())
            .with("reason", self.reason.as_deref())
            .with("decision_mode", self.decision_mode.as_deref())
            .with("scenario_id", self.scenario_id.as_deref())
            .with("new_directive_id", self.new_directive_id.as_deref())
            .with("approval_status", id(&self.approval_status, "--approval-status")?)
            .with("to_status", id(&self.to_status, "--to-status")?)
            .with("review_status", id(&self.review_status, "--review-status")?)
            .with("operator_authorized", self.operator_authorized.then_some("given"))
            .with("allow_missing_real_execution_request", self.allow_missing_real_execution_request.then_some("given")))
    }
}
