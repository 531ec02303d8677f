//! `ledger merge`: every operation of one ledger into another.

use super::super::exit::Trouble;
use super::super::{Exit, World};
use super::{Output, refused};
use crate::edge::ledger::LedgerFile;
use crate::ledger::{LedgerError, Observed};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// The name under which the receiving ledger is opened; a merge makes no operation of its own.
const MERGER: &str = "ledger-merge";

/// Arguments of `ledger merge`.
#[derive(Debug, Args)]
pub struct MergeArguments {
    /// The ledger that receives
    #[arg(value_name = "A")]
    receiver: PathBuf,
    /// The ledger that gives; it stays as it is
    #[arg(value_name = "B")]
    giver: PathBuf,
    /// Another ledger that receives both; A stays as it is too
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// How many operations did what.
#[derive(Debug, Default)]
struct Counts {
    applied: u64,
    outranked: u64,
    known: u64,
}

pub(super) fn run(arguments: &MergeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let [first, giver] = [&arguments.receiver, &arguments.giver].map(|path| world.at(path));
    let into = arguments.into.as_ref().map(|path| world.at(path));
    let opened = || -> Result<(LedgerFile, Vec<LedgerFile>), LedgerError> {
        Ok(match &into {
            // Those that give first: a missing one makes nothing.
            Some(into) => {
                let givers = vec![LedgerFile::open_to_read(&first)?, LedgerFile::open_to_read(&giver)?];
                (LedgerFile::open(into, MERGER)?, givers)
            }
            None => {
                let givers = vec![LedgerFile::open_to_read(&giver)?];
                (LedgerFile::open_existing(&first, MERGER)?, givers)
            }
        })
    };
    let (mut receiver, givers) = match opened() {
        Ok(opened) => opened,
        Err(error) => return refused(error, world),
    };
    let gives_to_itself = receiver.is_at(&giver) || (into.is_some() && receiver.is_at(&first));
    if gives_to_itself {
        return Err(Trouble::Usage("a ledger cannot be merged into itself; name two files".to_owned()));
    }
    let mut counts = Counts::default();
    let merged = receiver.in_one_write(|batch| {
        for giver in &givers {
            giver.each_operation(&mut |operation| {
                match batch.observe(operation)? {
                    Observed::Applied => counts.applied += 1,
                    Observed::Outranked => counts.outranked += 1,
                    Observed::Known => counts.known += 1,
                }
                Ok(())
            })?;
        }
        Ok(())
    });
    if let Err(error) = merged {
        return refused(error, world);
    }
    let unreadable: u64 = givers.iter().map(LedgerFile::unreadable).sum();
    let outcome = json!({
        "applied": counts.applied, "known": counts.known, "outranked": counts.outranked, "unreadable": unreadable,
    });
    arguments.output.print(&outcome, world.out)?;
    if unreadable > 0 {
        writeln!(world.err, "landfall: {unreadable} rows do not read and were not merged; see `ledger check`")?;
        return Ok(Exit::Blocked);
    }
    Ok(Exit::Pass)
}
