//! `loop seed`: first records. A module a subcommand.

mod directive;
mod scenario;
mod trail;

pub(super) use trail::TrailFlags;

use crate::cli::exit::Trouble;
use crate::cli::{Exit, World};
use clap::{Args, Subcommand};

/// Arguments of `loop seed`.
#[derive(Debug, Args)]
pub struct SeedArguments {
    #[command(subcommand)]
    command: SeedCommand,
}

/// The commands of `loop seed`.
#[derive(Debug, Subcommand)]
pub(crate) enum SeedCommand {
    /// Publish one directive, dry-run and with execution disabled
    Directive(directive::DirectiveArguments),
    /// Publish one pending replay scenario
    Scenario(scenario::ScenarioArguments),
    /// Publish a synthetic retry governance trail
    Trail(trail::TrailArguments),
}

pub(super) fn run(arguments: &SeedArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match &arguments.command {
        SeedCommand::Directive(arguments) => directive::run(arguments, world),
        SeedCommand::Scenario(arguments) => scenario::run(arguments, world),
        SeedCommand::Trail(arguments) => trail::run(arguments, world),
    }
}
