//! `loop build`: builds the next record of a chain from its parents, and says every reason why not.

use super::answer::{Output, filter, to_write, trouble};
use super::built;
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::governance::next::{BUILDERS, Builder, Wishes, build, builder_of};
use clap::Args;

/// Arguments of `loop build`.
#[derive(Debug, Args)]
pub struct BuildArguments {
    /// The record type to build, or its short name: proposal, approval, plan, rendered_command, rendered_command_result, eligibility, result
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
        let known: Vec<_> = BUILDERS.iter().map(|builder| builder.short).collect();
        return Err(Trouble::Usage(format!("no builder for that record type; there are {}", known.join(", "))));
    };
    let wishes = arguments.wishes()?;
    for (flag, said) in [
        ("proposal-id", &wishes.proposal_id),
        ("approved-by", &wishes.approved_by),
        ("scenario-id", &wishes.scenario_id),
        ("new-directive-id", &wishes.new_directive_id),
    ] {
        if builder.needs.contains(&flag) && said.as_deref().is_none_or(|said| said.trim().is_empty()) {
            return Err(Trouble::Usage(format!("{} needs --{flag}", builder.short)));
        }
    }
    let outcome = published(builder, &wishes, &arguments.ledger, world)?;
    let exit = built::print(&outcome, "records", arguments.output, world)?;
    if !builder.sweeps && outcome == Default::default() {
        writeln!(world.err, "landfall: the ledger has no parent to build from")?;
        return Ok(Exit::NothingSelected);
    }
    Ok(exit)
}

/// Builds and publishes.
pub(super) fn published(
    builder: &Builder,
    wishes: &Wishes,
    path: &LedgerPath,
    world: &mut World<'_>,
) -> Result<crate::governance::next::Outcome, Trouble> {
    let mut ledger = to_write(path, if wishes.source.is_empty() { builder.source } else { &wishes.source }, world)?;
    build(&mut ledger, builder, wishes, world.around).map_err(trouble)
}

impl BuildArguments {
    fn wishes(&self) -> Result<Wishes, Trouble> {
        let id = |flag: &str, said: &Option<String>| filter(flag, said.as_deref()).map(|said| said.map(str::to_owned));
        Ok(Wishes {
            source: id("--source", &self.source)?.unwrap_or_default(),
            id: id("--id", &self.id)?,
            proposal_id: id("--proposal-id", &self.proposal_id)?,
            approval_id: id("--approval-id", &self.approval_id)?,
            plan_id: id("--plan-id", &self.plan_id)?,
            rendered_command_id: id("--rendered-command-id", &self.rendered_command_id)?,
            approved_by: self.approved_by.clone(),
            status: self.status.clone(),
            reason: self.reason.clone(),
            decision_mode: self.decision_mode.clone(),
            scenario_id: self.scenario_id.clone(),
            new_directive_id: self.new_directive_id.clone(),
        })
    }
}
