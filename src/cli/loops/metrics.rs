//! `loop metrics`: prints the Security heartbeat metrics of a ledger.

use super::answer::{OfProposal, Output, to_read, trouble};
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::governance::watch::watch;
use clap::Args;
use serde_json::Value as Json;

/// Arguments of `loop metrics`.
#[derive(Debug, Args)]
pub struct MetricsArguments {
    #[command(flatten)]
    proposal: OfProposal,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &MetricsArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let filters = arguments.proposal.filters()?;
    let watched = watch(&to_read(&arguments.ledger, world)?, filters).map_err(trouble)?;
    let metrics = watched.heartbeat.finish();
    arguments.output.print(&metrics, || text(&metrics), world)?;
    Ok(Exit::Pass)
}

/// A metric a line; a breakdown's words follow its name behind a point.
fn text(metrics: &Json) -> String {
    let mut lines = String::new();
    for (name, value) in metrics.as_object().into_iter().flatten() {
        match value {
            Json::Object(counts) => counts.iter().for_each(|(word, count)| lines.push_str(&format!("{name}.{word}={count}\n"))),
            count => lines.push_str(&format!("{name}={count}\n")),
        }
    }
    lines
}
