//! `loop publish`: what the ledger gives rise to. A module a subcommand.

mod evidence;
mod execution_evidence;
mod scenarios;

use crate::cli::exit::Trouble;
use crate::cli::{Exit, World};
use clap::{Args, Subcommand};

/// Arguments of `loop publish`.
#[derive(Debug, Args)]
pub struct PublishArguments {
    #[command(subcommand)]
    command: PublishCommand,
}

/// The commands of `loop publish`.
#[derive(Debug, Subcommand)]
pub(crate) enum PublishCommand {
    /// Publish evidence about one directive: seeded, answered, applied
    Evidence(evidence::EvidenceArguments),
    /// Publish evidence about replay executions: present, completed, a dry run
    ExecutionEvidence(execution_evidence::ExecutionEvidenceArguments),
    /// Publish a pending replay scenario for each passed runtime memory
    Scenarios(scenarios::ScenariosArguments),
}

pub(super) fn run(arguments: &PublishArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match &arguments.command {
        PublishCommand::Evidence(arguments) => evidence::run(arguments, world),
        PublishCommand::ExecutionEvidence(arguments) => execution_evidence::run(arguments, world),
        PublishCommand::Scenarios(arguments) => scenarios::run(arguments, world),
    }
}
