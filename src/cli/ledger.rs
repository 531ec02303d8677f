//! `ledger`: shows, checks, merges, exports and imports ledgers.

use super::exit::Trouble;
use super::{Exit, World};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// The commands of `ledger`.
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Print the live entries, in state order
    Show(ShowArguments),
}

/// Where the ledger is.
#[derive(Debug, Clone, Args)]
pub(super) struct LedgerPath {
    /// The ledger file; default: the variable LANDFALL_LEDGER, else data/cluster_runtime/latest/ledgers/swarm_crdt.local.db
    #[arg(long, value_name = "FILE")]
    pub db_path: Option<PathBuf>,
}

impl LedgerPath {
    /// The file meant.
    pub(super) fn resolve(&self, world: &World<'_>) -> PathBuf {
        let said = self.db_path.clone().or_else(|| world.ledger_variable.clone().map(PathBuf::from));
        world.at(said.unwrap_or_else(|| PathBuf::from("data/cluster_runtime/latest/ledgers/swarm_crdt.local.db")))
    }
}

/// Arguments of `ledger show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(command: &LedgerCommand, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        LedgerCommand::Show(arguments) => Err(Trouble::Failed(format!("{} is not read yet", arguments.ledger.resolve(world).display()))),
    }
}
