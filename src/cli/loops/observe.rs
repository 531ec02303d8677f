//! `loop observe`.

use super::super::exit::Trouble;
use super::super::ledger::LedgerPath;
use super::super::{Exit, World};
use clap::Args;

/// Arguments of `loop observe`.
#[derive(Debug, Args)]
pub struct ObserveArguments {
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &ObserveArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    Err(Trouble::Failed(format!("{} is not read yet", arguments.ledger.resolve(world).display())))
}
