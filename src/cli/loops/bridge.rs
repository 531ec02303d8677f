//! `loop bridge`.

use super::super::exit::Trouble;
use super::super::ledger::LedgerPath;
use super::super::{Exit, World};
use clap::Args;

/// Arguments of `loop bridge`.
#[derive(Debug, Args)]
pub struct BridgeArguments {
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &BridgeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    Err(Trouble::Failed(format!("{} is not read yet", arguments.ledger.resolve(world).display())))
}
