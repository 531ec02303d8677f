//! What the governance commands share: opening a ledger, printing an answer, filters.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, Format, World};
use crate::contract::trail::Filters;
use crate::edge::ledger::Store;
use crate::landing::row::is_unprintable;
use crate::ledger::LedgerError;
use clap::Args;
use serde::Serialize;

/// How an answer is printed.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Output {
    /// The same as --format json
    #[arg(long)]
    json: bool,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Output {
    /// Prints an answer: the record as canonical JSON, or its text.
    pub(super) fn print(self, answer: &impl Serialize, text: impl FnOnce() -> String, world: &mut World<'_>) -> Result<(), Trouble> {
        let printed = if self.json || self.format == Format::Json { crate::json::to_canonical_text(answer) } else { text() };
        Ok(world.out.write_all(printed.as_bytes())?)
    }
}

/// The ledger, opened for reading; one that is missing is an error.
pub(super) fn to_read(path: &LedgerPath, world: &World<'_>) -> Result<Box<dyn Store>, Trouble> {
    path.resolve(world).open_to_read().map_err(trouble)
}

/// The ledger, opened for writing as this node.
pub(super) fn to_write(path: &LedgerPath, node_id: &str, world: &World<'_>) -> Result<Box<dyn Store>, Trouble> {
    if node_id.trim().is_empty() {
        return Err(Trouble::Usage("--source is blank; say who publishes".to_owned()));
    }
    path.resolve(world).open(node_id.trim()).map_err(trouble)
}

/// What a ledger could not do.
pub(super) fn trouble(error: LedgerError) -> Trouble {
    Trouble::Failed(error.to_string().replace(is_unprintable, "?"))
}

/// The exit of a check.
pub(super) fn exit_of(passed: bool) -> Exit {
    if passed { Exit::Pass } else { Exit::Blocked }
}

/// A filter by proposal.
#[derive(Debug, Clone, Args)]
pub(crate) struct OfProposal {
    /// Only records of this proposal
    #[arg(long, value_name = "ID")]
    proposal_id: Option<String>,
}

impl OfProposal {
    /// The proposal's id.
    pub(super) fn id(&self) -> Result<Option<&str>, Trouble> {
        filter("--proposal-id", self.proposal_id.as_deref())
    }

    /// The filters of a trail.
    pub(super) fn filters(&self) -> Result<Filters<'_>, Trouble> {
        Ok(Filters { proposal_id: self.id()?, ..Filters::default() })
    }
}

/// A text that must say something where it is given: a blank id would pick the records without one.
pub(super) fn filter<'f>(flag: &str, said: Option<&'f str>) -> Result<Option<&'f str>, Trouble> {
    match said.map(str::trim) {
        Some("") => Err(Trouble::Usage(format!("{flag} is blank; say something, or leave it out"))),
        said => Ok(said),
    }
}
