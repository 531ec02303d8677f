//! `loop bridge`: from evidence to memory.

use super::said;
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, Format, World};
use crate::experience::bridge::{BridgeFilter, bridge};
use clap::Args;

/// Arguments of `loop bridge`.
#[derive(Debug, Args)]
pub struct BridgeArguments {
    /// Only evidence about this directive
    #[arg(long, default_value = "", hide_default_value = true)]
    directive_id: String,
    /// Only evidence with this id
    #[arg(long, default_value = "", hide_default_value = true)]
    evidence_id: String,
    /// Only evidence with this subject
    #[arg(long, default_value = "", hide_default_value = true)]
    subject: String,
    /// Who bridges
    #[arg(long, default_value = "evidence-memory-bridge")]
    source: String,
    #[command(flatten)]
    ledger: LedgerPath,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const KEYS: [&str; 5] = ["memory_id", "subject", "status", "evidence_id", "directive_id"];

pub(super) fn run(arguments: &BridgeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let filter = BridgeFilter { directive_id: &arguments.directive_id, evidence_id: &arguments.evidence_id, subject: &arguments.subject };
    let bridged =
        said::open(&path, &arguments.source).and_then(|mut ledger| Ok(bridge(&filter, &arguments.source, &mut ledger, world.around)?));
    said::settle(bridged, world, |batch, world| {
        for memory in &batch.published {
            let told = said::members(memory, &KEYS);
            match arguments.format {
                Format::Json => writeln!(world.out, "{}", crate::json::to_line(&told))?,
                Format::Text => said::line(world.out, &told, &KEYS)?,
            }
        }
        said::left_out(&batch, "memory_id", world.err)?;
        if batch.at_hand() == 0 {
            writeln!(world.err, "landfall: no evidence was bridged")?;
        }
        Ok(if batch.refused.is_empty() { Exit::Pass } else { Exit::Blocked })
    })
}
