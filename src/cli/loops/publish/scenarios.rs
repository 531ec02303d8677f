//! `loop publish scenarios`: a replay scenario for each passed runtime memory.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::said;
use crate::cli::{Exit, Format, World};
use crate::experience::scenario::publish_from_memory;
use clap::Args;

/// Arguments of `loop publish scenarios`.
#[derive(Debug, Args)]
pub(crate) struct ScenariosArguments {
    /// Who builds them
    #[arg(long, default_value = "simulation-replay-builder")]
    source: String,
    /// Only memory of this directive
    #[arg(long, default_value = "", hide_default_value = true)]
    directive_id: String,
    #[command(flatten)]
    ledger: LedgerPath,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const KEYS: [&str; 7] = ["scenario_id", "status", "action", "expected_result_status", "directive_id", "evidence_id", "memory_id"];

pub(super) fn run(arguments: &ScenariosArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let published = said::open(&path, &arguments.source)
        .and_then(|mut ledger| publish_from_memory(&arguments.source, &arguments.directive_id, &mut ledger, world.around));
    said::settle(published, world, |batch, world| {
        for scenario in &batch.published {
            let told = said::members(scenario, &KEYS);
            match arguments.format {
                Format::Json => writeln!(world.out, "{}", crate::json::to_line(&told))?,
                Format::Text => said::line(world.out, &told, &KEYS)?,
            }
        }
        said::left_out(&batch, "scenario_id", world.err)?;
        if batch.published.is_empty() {
            writeln!(world.err, "landfall: warning: no new scenario; each passed runtime memory gives one, once")?;
        }
        // Memory that makes no scenario is left out, and that is no error (5.5).
        Ok(Exit::Pass)
    })
}
