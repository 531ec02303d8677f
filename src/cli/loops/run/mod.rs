//! `loop run`: checks and runners. A module a subcommand.

mod controlled;
mod guarded;
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
    /// Publish the controlled result of each rendered command that has none; no command is run
    Controlled(controlled::ControlledArguments),
    /// Start the noop harness for each dry-run envelope that has no result
    Noop(guarded::GuardedArguments),
    /// Start the evidence check for each read-only readiness gate that no run was started for
    ReadOnly(guarded::ReadOnlyArguments),
    /// Start the repair noop harness for each repair envelope that has no result
    RepairNoop(guarded::GuardedArguments),
    /// Start the guarded repair harness for each repair readiness gate that has no result; it repairs nothing real
    Repair(guarded::RepairArguments),
    /// Compare the targets of each guarded repair that succeeded
    PostRepair(guarded::PostRepairArguments),
}

pub(super) fn run(arguments: &RunArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match &arguments.command {
        RunCommand::ReplayCheck(arguments) => replay_check::run(arguments, world),
        RunCommand::Nodes(arguments) => nodes::run(arguments, world),
        RunCommand::Plans(arguments) => plans::run(arguments, world),
        RunCommand::Rendered(arguments) => rendered::run(arguments, world),
        RunCommand::Controlled(arguments) => controlled::run(arguments, world),
        RunCommand::Noop(arguments) => guarded::noop("noop", arguments, world),
        RunCommand::ReadOnly(arguments) => guarded::read_only(arguments, world),
        RunCommand::RepairNoop(arguments) => guarded::noop("repair-noop", arguments, world),
        RunCommand::Repair(arguments) => guarded::repair(arguments, world),
        RunCommand::PostRepair(arguments) => guarded::post_repair(arguments, world),
    }
}
