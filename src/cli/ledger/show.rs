//! `ledger show`: the live entries in state order, one a line.

use super::super::exit::Trouble;
use super::super::{Exit, World};
use super::{LedgerPath, Output, refused};
use crate::contract::table::contracts;
use crate::json::{Value, parse};
use crate::landing::row::is_unprintable;
use crate::ledger::{Entry, Ledger, LedgerError, Select};
use clap::Args;
use std::io;

/// Arguments of `ledger show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    #[command(flatten)]
    ledger: LedgerPath,
    /// Only records of this type; may be given several times
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(arguments: &ShowArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let ledger = match arguments.ledger.resolve(world).open_to_read() {
        Ok(ledger) => ledger,
        Err(error) => return refused(error, world),
    };
    let types: Vec<_> = arguments.types.iter().map(String::as_str).collect();
    let (mut shown, mut unreadable) = (0_u64, 0_u64);
    let mut broken: Option<io::Error> = None;
    let out = &mut *world.out;
    let read = ledger.each(Select { types: &types }, &mut |entry| {
        let Ok(record) = parse(entry.payload.as_bytes()) else {
            unreadable += 1;
            return Ok(());
        };
        shown += 1;
        let line = if arguments.output.is_json() { json_line(entry, &record) } else { text_line(entry, &record) };
        writeln!(out, "{line}").map_err(|error| {
            broken = Some(error);
            LedgerError::Storage(String::new())
        })
    });
    match (read, broken) {
        (_, Some(error)) => return Err(Trouble::Output(error)),
        (Err(error), None) => return refused(error, world),
        (Ok(()), None) => {}
    }
    unreadable += ledger.passed_over();
    if unreadable > 0 {
        writeln!(world.err, "landfall: {unreadable} rows do not read and are not shown; see `ledger check`")?;
        return Ok(Exit::Blocked);
    }
    if shown == 0 {
        writeln!(world.err, "landfall: the ledger has no such entry")?;
        return Ok(Exit::NothingSelected);
    }
    Ok(Exit::Pass)
}

/// The entry as JSON; the record's numbers stay as they are written.
fn json_line(entry: &Entry, record: &Value<'_>) -> String {
    let around = crate::json::to_line(&serde_json::json!({
        "clock": entry.clock, "gid": entry.gid, "node_id": entry.node_id, "payload": null, "ts": entry.ts,
    }));
    // No key before it and no text of the line holds this, since quotes inside of strings are escaped.
    around.replacen("\"payload\":null", &format!("\"payload\":{}", ascii(&record.to_text())), 1)
}

/// JSON text with everything beyond ASCII escaped: it can only stand inside of strings.
fn ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, ' '..='~') {
            ascii.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                ascii.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    ascii
}

/// Clock, node, key, type and the record's own id.
fn text_line(entry: &Entry, record: &Value<'_>) -> String {
    let said = |key: &str| crate::contract::value::text(record.get(key)).into_owned();
    let record_type = said("type");
    let own = contracts().of_type(&record_type).iter().find_map(|contract| contract.id.as_deref());
    let id = own.map(|field| format!(" {field}={}", said(field))).unwrap_or_default();
    let status = said("status");
    let status = if status.is_empty() { status } else { format!(" status={status}") };
    let line = format!("{} {} {} {record_type}{id}{status}", entry.clock, entry.node_id, entry.gid);
    line.replace(is_unprintable, "?")
}
