//! `ledger import`: operations of an export, or records to publish, one JSON object a line.
//!
//! A line with `op_id` and `kind` and without `type` is an operation and keeps its node and clock; an
//! object with a `type` is a record and is published by `--source`. All lines are read before any is
//! taken in, and all are taken in or none is. Only `--acknowledge` goes line by line.

use super::super::exit::Trouble;
use super::super::shipped::printable;
use super::super::{Exit, World};
use super::{LedgerPath, Output, refused};
use crate::edge::disk;
use crate::edge::ledger::{Writing, spool};
use crate::ledger::lines::{Item, LineFault, Lines};
use crate::ledger::{LedgerError, Observed, Surroundings};
use clap::Args;
use serde_json::json;
use std::io::{Read, Seek, Write};
use std::path::PathBuf;

/// The most bad lines that are told.
const TOLD: u64 = 20;

/// Arguments of `ledger import`.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// The file to read; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    #[command(flatten)]
    ledger: LedgerPath,
    /// The node that publishes records; operations keep theirs
    #[arg(long, value_name = "NODE", default_value = "ledger-import")]
    source: String,
    /// Take in each line as it comes, and answer its gid once it is on the disk; lines before a bad one stay
    #[arg(long)]
    acknowledge: bool,
    #[command(flatten)]
    output: Output,
}

/// How many lines did what.
#[derive(Debug, Clone, Default)]
struct Counts {
    records: u64,
    applied: u64,
    outranked: u64,
    known: u64,
    blank: u64,
}

impl Counts {
    fn lines(&self) -> u64 {
        self.records + self.applied + self.outranked + self.known
    }
}

pub(super) fn run(arguments: &ImportArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let standard = arguments.file.as_os_str() == "-";
    let unreadable = |what: String| Trouble::Failed(format!("could not read {}: {what}", printable(&arguments.file)));
    let opened = if standard {
        None
    } else {
        Some(disk::open_file(&world.at(&arguments.file)).map_err(|_| unreadable("it is no readable file".to_owned()))?)
    };
    if arguments.acknowledge {
        return one_by_one(arguments, opened, world);
    }
    let mut input = match opened {
        Some(file) => file,
        None => spool(&mut *world.input).map_err(|error| unreadable(error.to_string()))?,
    };
    let mut counts = Counts::default();
    if !read_through(&input, &mut counts, world).map_err(|error| unreadable(error.to_string()))? {
        return Ok(Exit::Blocked);
    }
    if counts.lines() == 0 {
        writeln!(world.err, "landfall: the input is empty; nothing was imported")?;
        return Ok(Exit::NothingSelected);
    }
    input.rewind().map_err(|error| unreadable(error.to_string()))?;
    let blank = counts.blank;
    let mut counts = Counts { blank, ..Counts::default() };
    let taken =
        path.open(&arguments.source).and_then(|mut ledger| ledger.write(&mut |batch| take_all(&input, batch, &mut counts, world.around)));
    if let Err(error) = taken {
        return refused(error, world);
    }
    print(&counts, arguments.output, world.out)?;
    Ok(Exit::Pass)
}

fn print(counts: &Counts, output: Output, out: &mut dyn Write) -> Result<(), Trouble> {
    let outcome = json!({
        "operations_applied": counts.applied, "operations_known": counts.known, "operations_outranked": counts.outranked,
        "records_published": counts.records, "blank_lines": counts.blank,
    });
    output.print(&outcome, out)
}

/// Reads every line and tells what is wrong; whether nothing is.
fn read_through(input: impl Read, counts: &mut Counts, world: &mut World<'_>) -> std::io::Result<bool> {
    let mut lines = Lines::new(input);
    let mut bad = 0;
    while let Some(item) = lines.next_item()? {
        match item {
            Ok(_) => counts.records += 1,
            Err(fault) => {
                bad += 1;
                if bad <= TOLD {
                    writeln!(world.err, "landfall: {}", told(&fault))?;
                }
            }
        }
    }
    counts.blank = lines.blank();
    if bad > 0 {
        writeln!(world.err, "landfall: {bad} bad lines; nothing was imported")?;
    }
    Ok(bad == 0)
}

fn told(fault: &LineFault) -> String {
    format!("LEDGER_LINE_UNREADABLE: line {}, column {}: {}", fault.line, fault.column, fault.what)
}

fn take_all(input: impl Read, batch: &mut dyn Writing, counts: &mut Counts, around: &mut dyn Surroundings) -> Result<(), LedgerError> {
    let mut lines = Lines::new(input);
    while let Some(item) = lines.next_item().map_err(|error| LedgerError::Storage(error.to_string()))? {
        let item = item.map_err(|fault| LedgerError::Unpublishable(told(&fault)))?;
        take(item, batch, counts, around).map_err(|error| at_line(error, lines.number()))?;
    }
    Ok(())
}

fn at_line(error: LedgerError, line: u64) -> LedgerError {
    match error {
        LedgerError::Unpublishable(what) => LedgerError::Unpublishable(format!("line {line}: {what}")),
        LedgerError::Foreign(what) => LedgerError::Foreign(format!("{what}; line {line}, nothing was imported")),
        storage => storage,
    }
}

/// Takes in one line; the key it is about.
fn take(item: Item, batch: &mut dyn Writing, counts: &mut Counts, around: &mut dyn Surroundings) -> Result<String, LedgerError> {
    match item {
        Item::Record(record) => {
            let entry = batch.publish(record, around)?;
            counts.records += 1;
            Ok(entry.gid)
        }
        Item::Operation(operation) => {
            match batch.observe(&operation)? {
                Observed::Applied => counts.applied += 1,
                Observed::Outranked => counts.outranked += 1,
                Observed::Known => counts.known += 1,
            }
            Ok(operation.gid)
        }
    }
}

/// Takes in each line by itself and answers its key.
fn one_by_one(arguments: &ImportArguments, file: Option<std::fs::File>, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let mut ledger = match path.open(&arguments.source) {
        Ok(ledger) => ledger,
        Err(error) => return refused(error, world),
    };
    let input: &mut dyn Read = match file {
        Some(file) => &mut { file },
        None => &mut *world.input,
    };
    let mut lines = Lines::new(input);
    let mut counts = Counts::default();
    let bad = loop {
        let item = match lines.next_item() {
            Ok(Some(Ok(item))) => item,
            Ok(Some(Err(fault))) => break Some(LedgerError::Unpublishable(told(&fault))),
            Ok(None) => break None,
            Err(error) => break Some(LedgerError::Storage(format!("could not read the input: {error}"))),
        };
        // Only what is on the disk is counted.
        let mut taken = counts.clone();
        let (mut item, mut gid) = (Some(item), String::new());
        let written = ledger.write(&mut |batch| {
            if let Some(item) = item.take() {
                gid = take(item, batch, &mut taken, world.around)?;
            }
            Ok(())
        });
        match written {
            Ok(()) => {
                counts = taken;
                writeln!(world.out, "{}", crate::json::to_line(&json!({"gid": gid})))?;
                world.out.flush()?;
            }
            Err(error) => break Some(at_line(error, lines.number())),
        }
    };
    counts.blank = lines.blank();
    print(&counts, arguments.output, world.err)?;
    match bad {
        Some(error) => refused(error, world),
        None if counts.lines() == 0 => Ok(Exit::NothingSelected),
        None => Ok(Exit::Pass),
    }
}
