//! `ledger export`: every operation, tombstones and outranked ones too, one JSON object a line.

use super::super::exit::Trouble;
use super::super::{Exit, World};
use super::{LedgerPath, Output, refused};
use crate::edge::ledger::{Store, write_file};
use crate::ledger::{Ledger, LedgerError};
use clap::Args;
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;

/// Arguments of `ledger export`.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// The file to write; `-` is standard output
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    #[command(flatten)]
    ledger: LedgerPath,
    #[command(flatten)]
    output: Output,
}

/// Why an export ended.
enum Ended {
    Ledger(LedgerError),
    Disk(io::Error),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

pub(super) fn run(arguments: &ExportArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let ledger = match arguments.ledger.resolve(world).open_to_read() {
        Ok(ledger) => ledger,
        Err(error) => return refused(error, world),
    };
    let standard = arguments.file.as_os_str() == "-";
    let file = world.at(&arguments.file);
    let mut count = 0;
    let written = if standard {
        write(&*ledger, &mut count, world.out)
    } else if ledger.is_at(&file) {
        return Err(Trouble::Usage("that file is the ledger itself; name another".to_owned()));
    } else {
        write_file(&file, |out| write(&*ledger, &mut count, out))
    };
    match written {
        Ok(()) => {}
        Err(Ended::Ledger(error)) => return refused(error, world),
        Err(Ended::Disk(error)) if standard => return Err(Trouble::Output(error)),
        Err(Ended::Disk(error)) => return Err(Trouble::Failed(format!("could not write {}: {error}", file.display()))),
    }
    let unreadable = ledger.passed_over();
    let outcome = json!({"operations": count, "unreadable": unreadable});
    arguments.output.print(&outcome, if standard { world.err } else { world.out })?;
    if unreadable > 0 {
        writeln!(world.err, "landfall: {unreadable} rows do not read and were not exported; see `ledger check`")?;
        return Ok(Exit::Blocked);
    }
    Ok(if count == 0 { Exit::NothingSelected } else { Exit::Pass })
}

fn write(ledger: &dyn Store, count: &mut u64, out: &mut dyn Write) -> Result<(), Ended> {
    let mut broken = None;
    let read = ledger.each_operation(&mut |operation| {
        *count += 1;
        writeln!(out, "{}", operation.to_line()).map_err(|error| {
            broken = Some(error);
            LedgerError::Storage(String::new())
        })
    });
    match broken {
        Some(error) => Err(Ended::Disk(error)),
        None => read.map_err(Ended::Ledger),
    }
}
