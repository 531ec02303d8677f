//! `ledger`: shows, checks, merges, exports and imports ledgers.

mod check;
mod export;
mod import;
mod merge;
mod show;

use super::exit::Trouble;
use super::{Exit, Format, World};
use crate::edge::ledger::Location;
use crate::ledger::LedgerError;
use clap::{Args, Subcommand};
use serde_json::Value as Json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The commands of `ledger`.
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Print the live entries, in state order
    Show(show::ShowArguments),
    /// Check that the file is whole, and that operations, records and vector agree
    Check(check::CheckArguments),
    /// Take every operation of one ledger into another
    Merge(merge::MergeArguments),
    /// Write every operation, one JSON object a line
    Export(export::ExportArguments),
    /// Take in operations of an export, or publish records, one JSON object a line
    Import(import::ImportArguments),
}

/// Where the ledger is.
#[derive(Debug, Clone, Args)]
pub(super) struct LedgerPath {
    /// The ledger, a file or postgres://…; default: the variable LANDFALL_LEDGER, else data/cluster_runtime/latest/ledgers/swarm_crdt.local.db
    #[arg(long, visible_alias = "ledger", value_name = "FILE")]
    pub db_path: Option<PathBuf>,
}

impl LedgerPath {
    /// The ledger meant.
    pub(super) fn resolve(&self, world: &World<'_>) -> Location {
        let said = self.db_path.clone().or_else(|| world.ledger_variable.clone().map(PathBuf::from));
        located(&said.unwrap_or_else(|| PathBuf::from("data/cluster_runtime/latest/ledgers/swarm_crdt.local.db")), world)
    }
}

/// The ledger that somebody names: a server, or a file from the root on.
fn located(said: &Path, world: &World<'_>) -> Location {
    Location::server(said).unwrap_or_else(|| Location::File(world.at(said)))
}

/// How the outcome is printed.
#[derive(Debug, Clone, Copy, Args)]
struct Output {
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Output {
    fn is_json(self) -> bool {
        self.json || self.format == Format::Json
    }

    /// Prints an outcome: one JSON object, or its members as `key=value` on one line.
    fn print(self, outcome: &Json, out: &mut dyn Write) -> Result<(), Trouble> {
        if self.is_json() {
            writeln!(out, "{}", crate::json::to_line(outcome))?;
            return Ok(());
        }
        let members = outcome.as_object().into_iter().flatten();
        let said = members.map(|(key, value)| match value {
            Json::String(text) => format!("{key}={text}"),
            other => format!("{key}={other}"),
        });
        writeln!(out, "{}", said.collect::<Vec<_>>().join(" "))?;
        Ok(())
    }
}

/// What was read and refused blocks; a ledger that no command can use could not work, here as in `loop`.
fn refused(error: LedgerError, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match error {
        LedgerError::Storage(what) | LedgerError::Foreign(what) => Err(Trouble::Failed(what)),
        refused @ LedgerError::Unpublishable(_) => {
            writeln!(world.err, "landfall: {refused}")?;
            Ok(Exit::Blocked)
        }
    }
}

pub(super) fn run(command: &LedgerCommand, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        LedgerCommand::Show(arguments) => show::run(arguments, world),
        LedgerCommand::Check(arguments) => check::run(arguments, world),
        LedgerCommand::Merge(arguments) => merge::run(arguments, world),
        LedgerCommand::Export(arguments) => export::run(arguments, world),
        LedgerCommand::Import(arguments) => import::run(arguments, world),
    }
}
