//! `loop seed directive`: publishes one directive.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::said;
use crate::cli::{Exit, Format, World};
use crate::experience::directive::{self, DirectiveRequest};
use crate::ledger::Ledger;
use clap::Args;

/// Arguments of `loop seed directive`.
#[derive(Debug, Args)]
pub(crate) struct DirectiveArguments {
    /// OBSERVE, REDUCE_RISK, SET_DRY_RUN, PROMOTE_GOLD_CANDIDATES or RUN_REPLAY
    #[arg(long, default_value = "REDUCE_RISK")]
    action: String,
    /// Whom it is for
    #[arg(long, default_value = "trade")]
    target: String,
    /// What kind of target that is
    #[arg(long, default_value = "swarm", value_parser = ["global", "swarm", "node", "capability"])]
    target_type: String,
    /// Who seeds it
    #[arg(long, default_value = "manual-seed")]
    source: String,
    /// How long it holds, in milliseconds
    #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..=9_007_199_254_740_991))]
    ttl_ms: u64,
    /// Its id; a random one when empty
    #[arg(long, default_value = "")]
    directive_id: String,
    /// JSON object to lay over the safe payload; it cannot turn execution on, nor dry-run off where the action needs it
    #[arg(long, value_name = "JSON")]
    payload_json: Option<String>,
    #[command(flatten)]
    ledger: LedgerPath,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(arguments: &DirectiveArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let request = DirectiveRequest {
        action: &arguments.action,
        target: &arguments.target,
        target_type: &arguments.target_type,
        source: &arguments.source,
        ttl_ms: Some(arguments.ttl_ms),
        directive_id: &arguments.directive_id,
        payload_json: arguments.payload_json.as_deref(),
    };
    let seeded = directive::prepare(&request, world.around).and_then(|directive| {
        let mut ledger = said::open(&path, &arguments.source)?;
        ledger.publish(directive.clone(), world.around)?;
        Ok(directive)
    });
    said::settle(seeded, world, |directive, world| {
        let mut told = serde_json::Map::new();
        told.insert("id".to_owned(), directive.text("directive_id").into());
        told.insert("action".to_owned(), directive.text("action").into());
        told.insert("target".to_owned(), format!("{}:{}", directive.text("target_type"), directive.text("target")).into());
        told.insert("db".to_owned(), path.to_string().into());
        match arguments.format {
            Format::Json => writeln!(world.out, "{}", crate::json::to_line(&told))?,
            Format::Text => said::line(world.out, &told, &["id", "action", "target", "db"])?,
        }
        Ok(Exit::Pass)
    })
}
