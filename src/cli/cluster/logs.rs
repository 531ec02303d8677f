//! `cluster logs`: the last lines that nodes logged.

use super::super::exit::Trouble;
use super::super::{Exit, World};
use super::{RunDirectory, folder_fault};
use crate::edge::run_folder::{logged, tail};
use crate::landing::row::is_unprintable;
use clap::Args;

/// Arguments of `cluster logs`.
#[derive(Debug, Args)]
pub struct LogsArguments {
    #[command(flatten)]
    run: RunDirectory,
    /// Only this node; repeat for more
    #[arg(long, value_name = "NAME")]
    service: Vec<String>,
    /// The most lines of each node
    #[arg(long, value_name = "N", default_value_t = 20)]
    lines: usize,
}

pub(super) fn run(arguments: &LogsArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let run_dir = &arguments.run.run_dir;
    let folder = world.at(run_dir);
    let mut nodes = logged(&folder).map_err(|error| folder_fault(run_dir, &error))?;
    // What is asked for is one of those that are there, so no name leads elsewhere.
    nodes.retain(|node| arguments.service.is_empty() || arguments.service.contains(node));
    if nodes.is_empty() {
        writeln!(world.err, "landfall: no such node has logged anything in {}", super::super::shipped::printable(run_dir))?;
        return Ok(Exit::NothingSelected);
    }
    for node in nodes {
        for line in tail(&folder, &node, arguments.lines).map_err(|error| folder_fault(run_dir, &error))? {
            writeln!(world.out, "{} {}", node.replace(is_unprintable, "?"), line.replace(is_unprintable, "?"))?;
        }
    }
    Ok(Exit::Pass)
}
