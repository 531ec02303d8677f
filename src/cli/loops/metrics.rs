//! `loop metrics`.

use super::super::exit::Trouble;
use super::super::ledger::LedgerPath;
use super::super::{Exit, World};
use clap::Args;

/// Arguments of `loop metrics`.
#[derive(Debug, Args)]
pub struct MetricsArguments {
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &MetricsArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    Err(Trouble::Failed(format!("{} is not read yet", arguments.ledger.resolve(world).display())))
}
