//! `loop`: the commands of the experience loop and of its governance. A module a verb.

mod answer;
mod bridge;
mod brief;
mod build;
mod built;
mod inspect;
mod metrics;
mod observe;
mod publish;
mod readiness;
mod run;
pub(in crate::cli) mod said;
mod seed;
mod smoke;

use super::exit::Trouble;
use super::{Exit, World};
use clap::Subcommand;

/// The commands of `loop`.
#[derive(Debug, Subcommand)]
pub enum LoopCommand {
    /// Publish a first record: a directive, a replay scenario, a synthetic governance trail
    Seed(seed::SeedArguments),
    /// Publish what the ledger gives rise to: evidence, scenarios
    Publish(publish::PublishArguments),
    /// Bridge evidence records to memory
    Bridge(bridge::BridgeArguments),
    /// Run a check or a runner of the loop; nothing recorded is ever started
    Run(run::RunArguments),
    /// Build the next record of a chain from its parents
    Build(Box<build::BuildArguments>),
    /// Summarise a retry governance trail; publishes nothing
    Inspect(inspect::InspectArguments),
    /// Check that Security and the brief see a trail; publishes nothing
    Observe(observe::ObserveArguments),
    /// Score a trail; publishes and enables nothing
    Readiness(readiness::ReadinessArguments),
    /// Walk a whole chain in one command
    Smoke(smoke::SmokeArguments),
    /// Print the Security heartbeat metrics
    Metrics(metrics::MetricsArguments),
    /// Print the Overseer global brief
    Brief(brief::BriefArguments),
}

pub(super) fn run(command: &LoopCommand, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        LoopCommand::Seed(arguments) => seed::run(arguments, world),
        LoopCommand::Publish(arguments) => publish::run(arguments, world),
        LoopCommand::Bridge(arguments) => bridge::run(arguments, world),
        LoopCommand::Run(arguments) => run::run(arguments, world),
        LoopCommand::Build(arguments) => build::run(arguments, world),
        LoopCommand::Inspect(arguments) => inspect::run(arguments, world),
        LoopCommand::Observe(arguments) => observe::run(arguments, world),
        LoopCommand::Readiness(arguments) => readiness::run(arguments, world),
        LoopCommand::Smoke(arguments) => smoke::run(arguments, world),
        LoopCommand::Metrics(arguments) => metrics::run(arguments, world),
        LoopCommand::Brief(arguments) => brief::run(arguments, world),
    }
}
