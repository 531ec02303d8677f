//! `loop publish evidence`: what became of one directive.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::said;
use crate::cli::{Exit, Format, World};
use crate::experience::LoopError;
use crate::experience::evidence::publish_for_directive;
use crate::ledger::Record;
use clap::Args;
use std::io::{self, Write};

/// Arguments of `loop publish evidence`.
#[derive(Debug, Args)]
pub(crate) struct EvidenceArguments {
    /// The directive
    #[arg(long)]
    directive_id: String,
    /// Who checks
    #[arg(long, default_value = "manual-runtime-check")]
    source: String,
    #[command(flatten)]
    ledger: LedgerPath,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const KEYS: [&str; 5] = ["evidence_id", "subject", "status", "confidence", "directive_id"];

pub(super) fn run(arguments: &EvidenceArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let blank = arguments.directive_id.trim().is_empty();
    let published =
        if blank { Err(LoopError::Refused("the directive id is blank".to_owned())) } else { said::open(&path, &arguments.source) }
            .and_then(|mut ledger| publish_for_directive(&arguments.directive_id, &arguments.source, &mut ledger, world.around));
    said::settle(published, world, |evidence, world| {
        show(&evidence, arguments.format, world.out)?;
        Ok(Exit::Pass)
    })
}

/// A line about the evidence, and one for each of its checks.
pub(super) fn show(evidence: &Record, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let mut told = said::members(evidence, &KEYS);
    match format {
        Format::Text => {
            said::line(out, &told, &KEYS)?;
            said::check_lines(out, said::checks(evidence))
        }
        Format::Json => {
            told.insert("checks".to_owned(), said::checks(evidence).to_vec().into());
            writeln!(out, "{}", crate::json::to_line(&told))
        }
    }
}
