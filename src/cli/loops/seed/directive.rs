//! `loop seed directive`.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use clap::Args;

/// Arguments of `loop seed directive`.
#[derive(Debug, Args)]
pub(crate) struct DirectiveArguments {
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &DirectiveArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    Err(Trouble::Failed(format!("{} is not read yet", arguments.ledger.resolve(world).display())))
}
