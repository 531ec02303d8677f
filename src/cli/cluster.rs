//! `cluster`: runs nodes as supervised workers over one ledger.

use super::exit::Trouble;
use super::{Exit, World};
use clap::Subcommand;

/// The commands of `cluster`.
#[derive(Debug, Subcommand)]
pub enum ClusterCommand {
    /// List the profiles
    Profiles,
}

pub(super) fn run(command: &ClusterCommand, _world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        ClusterCommand::Profiles => Err(Trouble::Failed("no profile is known yet".to_owned())),
    }
}
