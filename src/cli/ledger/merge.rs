//! `ledger merge`: every operation of one ledger into another.

use super::super::exit::Trouble;
use super::super::{Exit, World};
use super::{Output, located, refused};
use crate::edge::ledger::{Location, Store};
use crate::ledger::{Ledger, LedgerError, Observed};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// The name under which the receiving ledger is opened; a merge makes no operation of its own.
const MERGER: &str = "ledger-merge";

/// Arguments of `ledger merge`.
#[derive(Debug, Args)]
pub struct MergeArguments {
    /// The ledger that receives, a file or postgres://…
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

/// Ledgers that are read and stay as they are.
type Givers = Vec<Box<dyn Store>>;

/// How many operations did what.
#[derive(Debug, Default)]
struct Counts {
    applied: u64,
    outranked: u64,
    known: u64,
}

pub(super) fn run(arguments: &MergeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let [first, giver] = [&arguments.receiver, &arguments.giver].map(|path| located(path, world));
    let into = arguments.into.as_ref().map(|path| located(path, world));
    let opened = || -> Result<(Box<dyn Store>, Givers), LedgerError> {
        Ok(match &into {
            // Those that give first: a missing one makes nothing.
            Some(into) => {
                let givers = vec![first.open_to_read()?, giver.open_to_read()?];
                (into.open(MERGER)?, givers)
            }
            None => {
                let givers = vec![giver.open_to_read()?];
                (first.open_existing(MERGER)?, givers)
            }
        })
    };
    let (mut receiver, givers) = match opened() {
        Ok(opened) => opened,
        Err(error) => return refused(error, world),
    };
    let receives = |other: &Location| match other {
        Location::File(path) => receiver.is_at(path),
        // Two strings may name one database; a merge with itself then finds every operation known.
        server @ Location::Server(_) => into.as_ref().unwrap_or(&first) == server,
    };
    let gives_to_itself = receives(&giver) || (into.is_some() && receives(&first));
    if gives_to_itself {
        return Err(Trouble::Usage("a ledger cannot be merged into itself; name two files".to_owned()));
    }
    let mut counts = Counts::default();
    let merged = receiver.write(&mut |batch| {
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
    let unreadable: u64 = givers.iter().map(Ledger::passed_over).sum();
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
