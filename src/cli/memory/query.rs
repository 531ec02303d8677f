//! `memory query`: asks the evidence that the latest run left in the ledger.

use super::super::exit::Trouble;
use super::super::ledger::LedgerPath;
use super::super::{Exit, World};
use super::{FilterArguments, ResultArguments};
use crate::edge::disk;
use crate::edge::ledger::{Location, Store};
use crate::landing::rule::InputState;
use crate::ledger::record::owned;
use crate::ledger::{LedgerError, Select, each_record};
use crate::memory::{LocalMemory, REMEMBERED_TYPES};
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
    let mut memory = LocalMemory::new(arguments.recent_limit as usize);
    let read = open_if_there(&arguments.ledger.resolve(world)).and_then(|ledger| match ledger {
        None => Ok(0),
        Some(ledger) => each_record(&ledger, Select { types: &REMEMBERED_TYPES }, &mut |_, record| memory.take_in(&owned(record))),
    });
    if let Err(error) = read {
        return Err(Trouble::Failed(super::printable(&error.to_string())));
    }
    if memory.rejected > 0 {
        writeln!(world.err, "landfall: {} evidence records of the ledger could not be ingested", memory.rejected)?;
    }
    let result = memory.ask(&arguments.filters.filters(), arguments.filters.top_items_limit, &arguments.node_id);
    arguments.result.give(&result, world)
}
