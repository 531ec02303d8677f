//! `loop seed`.

use super::super::exit::Trouble;
use super::super::ledger::LedgerPath;
use super::super::{Exit, World};
use clap::Args;

/// Arguments of `loop seed`.
#[derive(Debug, Args)]
pub struct SeedArguments {
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &SeedArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    Err(Trouble::Failed(format!("{} is not read yet", arguments.ledger.resolve(world).display())))
}
