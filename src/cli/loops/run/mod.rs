//! `loop run`: checks and runners. A module a subcommand.

mod nodes;
mod plans;
mod rendered;
mod replay_check;

use crate::cli::exit::Trouble;
use crate::cli::{Exit, World};
use clap::{Args, Subcommand};

/// Arguments of `loop run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    #[command(subcommand)]
    command: RunCommand,
}

/// The commands of `loop run`.
#[derive(Debug, Subcommand)]
pub(crate) enum RunCommand {
    /// Seed a scenario and its replay, wait for the dry run, and check that evidence and memory followed
    ReplayCheck(replay_check::ReplayCheckArguments),
    /// Let the nodes answer what the ledger holds
    Nodes(nodes::NodesArguments),
    /// Publish the result of each retry execution plan that has none
    Plans(plans::PlansArguments),
    /// Publish the result of each rendered retry command that has none
    Rendered(rendered::RenderedArguments),
}

pub(super) fn run(arguments: &RunArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match &arguments.command {
        RunCommand::ReplayCheck(arguments) => replay_check::run(arguments, world),
        RunCommand::Nodes(arguments) => nodes::run(arguments, world),
        RunCommand::Plans(arguments) => plans::run(arguments, world),
        RunCommand::Rendered(arguments) => rendered::run(arguments, world),
    }
}
