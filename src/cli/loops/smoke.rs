//! `loop smoke`: walks a whole chain in one command.

mod golden;

use super::answer::{Output, exit_of, to_write, trouble};
use super::seed::TrailFlags;
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::edge::ledger::LedgerFile;
use crate::governance::seed::SeedTrail;
use crate::governance::smoke::{RuntimeEntry, SmokeError, smoke};
use clap::{Args, Subcommand};
use serde_json::json;

/// Arguments of `loop smoke`.
#[derive(Debug, Args)]
pub struct SmokeArguments {
    #[command(subcommand)]
    command: SmokeCommand,
}

#[derive(Debug, Subcommand)]
enum SmokeCommand {
    /// Seed a synthetic governance trail, answer it, and check that it is complete and seen
    Governance(GovernanceArguments),
    /// Run the governance smoke on a temporary ledger; the live one is not opened
    Runtime(RuntimeArguments),
    /// Walk from a directive to a closed repair loop on a temporary ledger; given a ledger, verify its trail
    GoldenPath(golden::GoldenArguments),
}

#[derive(Debug, Args)]
struct GovernanceArguments {
    #[command(flatten)]
    trail: Box<TrailFlags>,
    /// Fail, and publish nothing, when the proposal has records already
    #[arg(long)]
    require_clean: bool,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

#[derive(Debug, Args)]
struct RuntimeArguments {
    #[command(flatten)]
    output: Output,
}

const SOURCE: &str = "retry-governance-smoke";

pub(super) fn run(arguments: &SmokeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match &arguments.command {
        SmokeCommand::Governance(arguments) => governance(arguments, world),
        SmokeCommand::Runtime(arguments) => runtime(arguments, world),
        SmokeCommand::GoldenPath(arguments) => golden::run(arguments, world),
    }
}

fn governance(arguments: &GovernanceArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let trail = arguments.trail.trail(SOURCE, "smoke");
    // What cannot be seeded is said before a ledger is made for it.
    trail.records(world.around).map_err(|reasons| of_smoke(SmokeError::Refused(reasons)))?;
    let mut ledger = to_write(&arguments.ledger, &trail.source, world)?;
    let result = smoke(&mut ledger, &trail, arguments.require_clean, world.around).map_err(of_smoke)?;
    arguments.output.print(&result, || result.to_text(), world)?;
    Ok(exit_of(result.passed()))
}

fn runtime(arguments: &RuntimeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let folder = tempfile::tempdir().map_err(|error| Trouble::Failed(format!("could not make a temporary folder: {error}")))?;
    let mut ledger = LedgerFile::open(&folder.path().join("smoke.db"), SOURCE).map_err(trouble)?;
    let result = smoke(&mut ledger, &SeedTrail::named(SOURCE, "smoke"), true, world.around).map_err(of_smoke)?;
    let entry = RuntimeEntry::of(&result);
    let answer = json!({"type": "swarm_runtime_smoke_result", "status": entry.status, "entries": [entry]});
    let text = || {
        format!(
            "Runtime smoke: name={} passed={} status={} records_seeded={} chain_complete={} observability={}\n",
            entry.name, entry.passed, entry.status, entry.records_seeded, entry.chain_complete, entry.observability
        )
    };
    arguments.output.print(&answer, text, world)?;
    Ok(exit_of(entry.passed))
}

fn of_smoke(error: SmokeError) -> Trouble {
    match error {
        SmokeError::Refused(_) => Trouble::Usage(error.to_string()),
        SmokeError::Ledger(error) => trouble(error),
    }
}
