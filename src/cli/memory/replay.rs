//! `memory replay-query`: recorded explorer evidence, from a file and a ledger, asked again.

use super::super::exit::Trouble;
use super::super::ledger::LedgerPath;
use super::super::{Exit, World};
use super::query::open_if_there;
use super::{FilterArguments, ResultArguments, printable};
use crate::corpus::case::CONTROL_LIMIT;
use crate::edge::disk;
use crate::json::{Place, parse};
use crate::ledger::{Select, each_record};
use crate::memory::replay::{extract, replay};
use clap::Args;
use serde_json::Value as Json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Arguments of `memory replay-query`.
#[derive(Debug, Args)]
pub struct ReplayQueryArguments {
    /// The ledger file, as for `ledger`; an empty one leaves ledgers out
    #[arg(long, value_name = "FILE")]
    pub(super) db_path: Option<OsString>,
    /// A recorded result to look through, as JSON; comes before the ledger
    #[arg(long, value_name = "FILE")]
    pub(super) json_input: Option<PathBuf>,
    /// The most records of the ledger that are looked through
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pub(super) max_rows_per_table: u64,
    #[command(flatten)]
    pub(super) filters: FilterArguments,
    #[command(flatten)]
    pub(super) result: ResultArguments,
}

pub(super) fn run(arguments: &ReplayQueryArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let mut records = Vec::new();
    if let Some(path) = &arguments.json_input {
        match from_file(&world.at(path))? {
            Ok(found) => records.extend(found),
            Err(why) => {
                writeln!(world.err, "landfall: {why}")?;
                return Ok(Exit::Blocked);
            }
        }
    }
    if arguments.db_path.as_ref().is_none_or(|path| !path.is_empty()) {
        let mut rows = 0;
        let ledger = LedgerPath { db_path: arguments.db_path.as_ref().map(PathBuf::from) };
        let read = open_if_there(&ledger.resolve(world)).and_then(|ledger| match ledger {
            None => Ok(0),
            Some(ledger) => each_record(&ledger, Select::default(), &mut |_, record| {
                rows += 1;
                if rows <= arguments.max_rows_per_table {
                    records.extend(extract(record));
                }
            }),
        });
        read.map_err(|error| Trouble::Failed(printable(&error.to_string())))?;
    }
    let result = replay(&records, &arguments.filters.filters(), i128::from(arguments.filters.top_items_limit));
    arguments.result.give(&result, world)
}

/// The evidence records of a file, in its order; what it says when it was read and refused.
fn from_file(path: &Path) -> Result<Result<Vec<Json>, String>, Trouble> {
    let named = super::super::shipped::printable(path);
    let bytes = disk::read_file(path, CONTROL_LIMIT)
        .map_err(|_| Trouble::Failed(format!("{named} is no file that can be read; name one with --json-input")))?;
    if bytes.len() > CONTROL_LIMIT {
        return Ok(Err(format!("{named} has more than {CONTROL_LIMIT} bytes")));
    }
    Ok(match parse(&bytes) {
        Ok(value) => Ok(extract(&value)),
        Err(fault) => Err(format!("{named} is no JSON: {} at {}", fault.describe(), Place::in_text(&bytes, fault.offset))),
    })
}
