//! `loop readiness`: scores a trail. It enables nothing.

use super::answer::{OfProposal, Output, exit_of, to_read, trouble};
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::governance::readiness::of_watched;
use crate::governance::watch::watch;
use clap::{Args, ValueEnum};

/// What can be ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ready {
    /// The baseline for designing a controlled runner: 16 checks
    Runner,
}

/// Arguments of `loop readiness`.
#[derive(Debug, Args)]
pub struct ReadinessArguments {
    /// What should be ready
    #[arg(value_enum, default_value = "runner")]
    what: Ready,
    #[command(flatten)]
    proposal: OfProposal,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &ReadinessArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let filters = arguments.proposal.filters()?;
    let ledger = to_read(&arguments.ledger, world)?;
    match arguments.what {
        Ready::Runner => {
            let readiness = of_watched(&watch(&ledger, filters).map_err(trouble)?, filters.proposal_id);
            arguments.output.print(&readiness, || readiness.to_text(), world)?;
            Ok(exit_of(readiness.passed()))
        }
    }
}
