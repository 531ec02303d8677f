//! `cluster`: runs nodes as supervised workers over one ledger, and tells of the last run. A module a verb.

mod logs;
mod profiles;
mod status;
mod tools;
mod up;

use super::exit::Trouble;
use super::{Exit, World};
use clap::Subcommand;
use std::path::PathBuf;

/// Where the latest run lies.
const RUN_DIR: &str = "data/cluster_runtime/latest";

/// The commands of `cluster`.
#[derive(Debug, Subcommand)]
pub enum ClusterCommand {
    /// Run the nodes of a profile in this process, until the duration is over or Ctrl-C
    ///
    /// It clears nothing: ledgers and artifacts of earlier runs stay. Nothing is executed, and no public source
    /// is read unless a build with the network is told to.
    Up(Box<up::UpArguments>),
    /// List the profiles
    Profiles(profiles::ProfilesArguments),
    /// Say what the latest run is, whether it still runs, and what its nodes said last
    Status(status::StatusArguments),
    /// Print the last lines that the nodes of the latest run logged
    Logs(logs::LogsArguments),
    #[command(flatten)]
    Tool(tools::Tool),
}

/// Which run is meant.
#[derive(Debug, Clone, clap::Args)]
struct RunDirectory {
    /// The folder of the run
    #[arg(long, value_name = "DIR", default_value = RUN_DIR)]
    run_dir: PathBuf,
}

pub(super) fn run(command: &ClusterCommand, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        ClusterCommand::Up(arguments) => up::run(arguments, world),
        ClusterCommand::Profiles(arguments) => profiles::run(arguments, world),
        ClusterCommand::Status(arguments) => status::run(arguments, world),
        ClusterCommand::Logs(arguments) => logs::run(arguments, world),
        ClusterCommand::Tool(tool) => tools::run(tool, world),
    }
}

/// A fault of the run's folder.
fn folder_fault(folder: &std::path::Path, error: &std::io::Error) -> Trouble {
    Trouble::Failed(format!("{}: {error}", super::shipped::printable(folder)))
}
