//! `ledger check`: whether a ledger is sound.

use super::super::exit::Trouble;
use super::super::report::word;
use super::super::{Exit, World};
use super::{LedgerPath, Output, refused};
use crate::edge::ledger::Soundness;
use crate::ledger::LedgerError;
use clap::Args;
use serde_json::json;

/// Arguments of `ledger check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    #[command(flatten)]
    ledger: LedgerPath,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(arguments: &CheckArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let ledger = match arguments.ledger.resolve(world).open_to_read() {
        Ok(ledger) => ledger,
        Err(LedgerError::Foreign(what)) => {
            // It is no ledger that any command reads: the answer says so, and so does the exit code.
            unchecked(&what, arguments.output, world)?;
            return Err(Trouble::Failed(what));
        }
        Err(error) => return refused(error, world),
    };
    match ledger.check() {
        Ok(seen) => print(&seen, arguments.output, world),
        Err(LedgerError::Storage(what)) => Err(Trouble::Failed(what)),
        Err(LedgerError::Foreign(what) | LedgerError::Unpublishable(what)) => {
            unchecked(&what, arguments.output, world)?;
            writeln!(world.err, "landfall: {what}")?;
            Ok(Exit::Blocked)
        }
    }
}

/// The answer about a file that could not be checked to its end.
fn unchecked(what: &str, output: Output, world: &mut World<'_>) -> Result<(), Trouble> {
    // The name stands before the colon.
    let name = what.split_once(": ").map_or("LEDGER_FOREIGN", |(name, _)| name);
    if output.is_json() {
        let answer = json!({"status": "blocked", "faults": {name: 1}, "checked": false});
        writeln!(world.out, "{}", crate::json::to_line(&answer))?;
    } else {
        writeln!(world.out, "ledger: {}\n  {name}", word("blocked"))?;
    }
    Ok(())
}

fn print(seen: &Soundness, output: Output, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let status = if seen.is_sound() { "pass" } else { "blocked" };
    if output.is_json() {
        let faults: std::collections::BTreeMap<_, _> = seen.faults.iter().map(|(fault, count)| (fault.name(), count)).collect();
        let answer = json!({
            "status": status, "checked": true, "operations": seen.operations, "entries": seen.entries, "tombstones": seen.tombstones,
            "nodes": seen.nodes, "by_type": seen.by_type, "faults": faults,
        });
        writeln!(world.out, "{}", crate::json::to_line(&answer))?;
    } else {
        writeln!(world.out, "ledger: {}", word(status))?;
        for (name, count) in
            [("operations", seen.operations), ("entries", seen.entries), ("tombstones", seen.tombstones), ("nodes", seen.nodes)]
        {
            writeln!(world.out, "  {name:<50}{count}")?;
        }
        for (record_type, count) in &seen.by_type {
            writeln!(world.out, "    {record_type:<48}{count}")?;
        }
        for (fault, count) in &seen.faults {
            writeln!(world.out, "  {:<50}{count}", fault.name())?;
        }
    }
    Ok(if seen.is_sound() { Exit::Pass } else { Exit::Blocked })
}
