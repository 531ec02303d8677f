//! `loop observe`: checks that Security and the brief see a trail.

use super::answer::{OfProposal, Output, exit_of, to_read, trouble};
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::governance::observe::observe;
use crate::governance::watch::watch;
use clap::{Args, ValueEnum};

/// What can be observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Observed {
    /// The retry governance trail: 22 checks
    Governance,
}

/// Arguments of `loop observe`.
#[derive(Debug, Args)]
pub struct ObserveArguments {
    /// What to observe
    #[arg(value_enum, default_value = "governance")]
    what: Observed,
    #[command(flatten)]
    proposal: OfProposal,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &ObserveArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let filters = arguments.proposal.filters()?;
    let ledger = to_read(&arguments.ledger, world)?;
    match arguments.what {
        Observed::Governance => {
            let watched = watch(&ledger, filters).map_err(trouble)?;
            let observability = observe(&watched, filters.proposal_id);
            arguments.output.print(&observability, || observability.to_text(), world)?;
            Ok(exit_of(observability.passed()))
        }
    }
}
