//! `memory query`: asks the evidence that the latest run left in the ledger.

use super::super::exit::Trouble;
use super::super::ledger::LedgerPath;
use super::super::{Exit, World};
use super::{FilterArguments, ResultArguments};
use crate::edge::disk;
use crate::edge::evidence::evidence;
use crate::edge::ledger::{Location, Store};
use crate::landing::rule::InputState;
use crate::ledger::LedgerError;
use crate::memory::LocalMemory;
use clap::Args;

/// Arguments of `memory query`.
#[derive(Debug, Args)]
pub struct QueryArguments {
    #[command(flatten)]
    ledger: LedgerPath,
    /// The node's name in the result
    #[arg(long, value_name = "ID", default_value = "memory-query-cli")]
    node_id: String,
    /// The most recent records that are asked
    #[arg(long, value_name = "N", default_value_t = 1000)]
    recent_limit: u32,
    #[command(flatten)]
    filters: FilterArguments,
    #[command(flatten)]
    result: ResultArguments,
}

/// The ledger; none where there is no file.
pub(super) fn open_if_there(ledger: &Location) -> Result<Option<Box<dyn Store>>, LedgerError> {
    match ledger.file().map(disk::open_file) {
        Some(Err(InputState::Absent)) => Ok(None),
        _ => ledger.open_to_read().map(Some),
    }
}

pub(super) fn run(arguments: &QueryArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let failed = |why: &str| Trouble::Failed(super::printable(why));
    let found = evidence(&arguments.ledger.resolve(world)).map_err(|error| failed(&error.to_string()))?;
    let (filters, recent) = (arguments.filters.filters(), arguments.recent_limit as usize);
    let (top_items, node_id) = (arguments.filters.top_items_limit, &arguments.node_id);
    let result = match found {
        None => LocalMemory::new(recent).ask(&filters, top_items, node_id),
        Some(mut found) => {
            if found.rejected() > 0 {
                writeln!(world.err, "landfall: {} evidence records of the ledger could not be ingested", found.rejected())?;
            }
            found.ask(recent, &filters, top_items, node_id).map_err(|error| failed(&format!("the evidence could not be read: {error}")))?
        }
    };
    arguments.result.give(&result, world)
}
