//! `loop run controlled`: publishes the controlled result of each rendered command that has none. No
//! command is run, whatever the flags.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::answer::{Output, filter, to_write, trouble};
use crate::cli::loops::built;
use crate::cli::{Exit, World};
use crate::execution::build::controlled::Intent;
use crate::governance::next::Wishes;
use crate::governance::next::controlled::run_controlled;
use clap::Args;

/// Arguments of `loop run controlled`.
#[derive(Debug, Args)]
pub(crate) struct ControlledArguments {
    /// Only this rendered command
    #[arg(long, value_name = "ID")]
    rendered_command_id: Option<String>,
    /// Only rendered commands of this plan
    #[arg(long, value_name = "ID")]
    plan_id: Option<String>,
    /// Only rendered commands of this proposal
    #[arg(long, value_name = "ID")]
    proposal_id: Option<String>,
    /// Who publishes
    #[arg(long, default_value = "landfall")]
    source: String,
    /// Record that an operator allows a controlled execution; it permits nothing
    #[arg(long)]
    allow_controlled_execution: bool,
    /// Attach a mock run
    #[arg(long)]
    mock_execution: bool,
    /// Record that a real execution was asked for, and refuse it; wins over the mock
    #[arg(long)]
    real_execution: bool,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &ControlledArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let source = filter("--source", Some(&arguments.source))?.unwrap_or_default();
    let wishes = Wishes::of(source)
        .linked("plan_id", filter("--plan-id", arguments.plan_id.as_deref())?)
        .linked("proposal_id", filter("--proposal-id", arguments.proposal_id.as_deref())?)
        .linked("rendered_command_id", filter("--rendered-command-id", arguments.rendered_command_id.as_deref())?);
    let intent = Intent {
        operator_authorized: arguments.allow_controlled_execution,
        mock: arguments.mock_execution,
        real: arguments.real_execution,
    };
    let mut ledger = to_write(&arguments.ledger, source, world)?;
    let outcome = run_controlled(&mut ledger, intent, &wishes, world.around).map_err(trouble)?;
    built::print(&outcome, "results", arguments.output, world)
}
