//! `loop seed scenario`: publishes one pending replay scenario.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::said;
use crate::cli::{Exit, Format, World};
use crate::experience::publishing::Written;
use crate::experience::scenario::{self, ScenarioRequest};
use clap::Args;

/// Arguments of `loop seed scenario`.
#[derive(Debug, Args)]
pub(crate) struct ScenarioArguments {
    /// Its id
    #[arg(long, default_value = "replay-runtime-reduce-risk-1")]
    scenario_id: String,
    /// The action to replay: OBSERVE, REDUCE_RISK, SET_DRY_RUN or PROMOTE_GOLD_CANDIDATES
    #[arg(long, default_value = "REDUCE_RISK")]
    action: String,
    /// The result status that the action should have
    #[arg(long, default_value = "applied")]
    expected_result_status: String,
    /// Who seeds it
    #[arg(long, default_value = "scenario-seed")]
    source: String,
    /// The directive it belongs to
    #[arg(long, default_value = "runtime-reduce-risk-1")]
    directive_id: String,
    #[command(flatten)]
    ledger: LedgerPath,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const KEYS: [&str; 7] = ["scenario_id", "status", "action", "expected_result_status", "directive_id", "published", "db"];

pub(super) fn run(arguments: &ScenarioArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let request = ScenarioRequest {
        scenario_id: &arguments.scenario_id,
        action: &arguments.action,
        expected_result_status: &arguments.expected_result_status,
        source: &arguments.source,
        directive_id: &arguments.directive_id,
    };
    let seeded = scenario::prepare(&request, world.around).and_then(|prepared| {
        let mut ledger = said::open(&path, &arguments.source)?;
        scenario::publish(prepared, &mut ledger, world.around)
    });
    said::settle(seeded, world, |written, world| {
        let published = matches!(written, Written::Published(_));
        let (Written::Published(scenario) | Written::Kept(scenario) | Written::Refused(scenario, _)) = written;
        if !published {
            writeln!(world.err, "landfall: a scenario with this id is there already, and stays as it is")?;
        }
        let mut told = said::members(&scenario, &KEYS[..5]);
        told.insert("published".to_owned(), published.into());
        told.insert("db".to_owned(), path.to_string().into());
        match arguments.format {
            Format::Json => writeln!(world.out, "{}", crate::json::to_line(&told))?,
            Format::Text => said::line(world.out, &told, &KEYS)?,
        }
        Ok(Exit::Pass)
    })
}
