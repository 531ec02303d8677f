//! `loop publish execution-evidence`: what became of replay executions.

use super::evidence::show;
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::said;
use crate::cli::{Exit, Format, World};
use crate::experience::execution_evidence::publish_for_executions;
use clap::Args;

/// Arguments of `loop publish execution-evidence`.
#[derive(Debug, Args)]
pub(crate) struct ExecutionEvidenceArguments {
    /// Who checks
    #[arg(long, default_value = "replay-evidence-publisher")]
    source: String,
    /// Only executions of this scenario
    #[arg(long, default_value = "", hide_default_value = true)]
    scenario_id: String,
    /// Only executions of this directive
    #[arg(long, default_value = "", hide_default_value = true)]
    directive_id: String,
    #[command(flatten)]
    ledger: LedgerPath,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(arguments: &ExecutionEvidenceArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let published = said::open(&path, &arguments.source).and_then(|mut ledger| {
        Ok(publish_for_executions(&arguments.scenario_id, &arguments.directive_id, &arguments.source, &mut ledger, world.around)?)
    });
    said::settle(published, world, |batch, world| {
        batch.published.iter().try_for_each(|evidence| show(evidence, arguments.format, world.out))?;
        said::left_out(&batch, "evidence_id", world.err)?;
        if batch.at_hand() == 0 {
            writeln!(world.err, "landfall: no execution gave evidence")?;
        }
        Ok(if batch.refused.is_empty() { Exit::Pass } else { Exit::Blocked })
    })
}
