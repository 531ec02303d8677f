//! `loop run nodes`: one pass of the nodes over the ledger, without a process that stays.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::said;
use crate::cli::{Exit, Format, World};
use crate::edge::ledger::Location;
use crate::experience::LoopError;
use crate::experience::node::{Node, NodeKind};
use crate::experience::profile::{Asked, EXPERIENCE, Profile};
use crate::ledger::Record;
use clap::Args;
use clap::builder::PossibleValuesParser;

/// Arguments of `loop run nodes`.
#[derive(Debug, Args)]
pub(crate) struct NodesArguments {
    /// Read what the ledger holds, answer it, and end; `cluster up` goes on
    #[arg(long, required = true)]
    once: bool,
    /// Which nodes
    #[arg(long, default_value = EXPERIENCE, value_parser = PossibleValuesParser::new(Profile::names()))]
    profile: String,
    /// Let simulation nodes reject every replay
    #[arg(long)]
    without_executor: bool,
    #[command(flatten)]
    ledger: LedgerPath,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const KEYS: [&str; 4] = ["node_id", "directive_id", "status", "reason"];

pub(super) fn run(arguments: &NodesArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let nodes = Profile::named(&arguments.profile).map(|profile| profile.nodes(Asked::default())).unwrap_or_default();
    let answered = pass(&nodes, !arguments.without_executor, &path, world);
    said::settle(answered, world, |results, world| {
        for result in &results {
            let told = said::members(result, &KEYS);
            match arguments.format {
                Format::Json => writeln!(world.out, "{}", crate::json::to_line(&told))?,
                Format::Text => said::line(world.out, &told, &KEYS)?,
            }
        }
        if results.is_empty() {
            writeln!(world.err, "landfall: no node had anything new to answer")?;
        }
        Ok(Exit::Pass)
    })
}

fn pass(nodes: &[(String, NodeKind)], executor: bool, ledger: &Location, world: &mut World<'_>) -> Result<Vec<Record>, LoopError> {
    let mut results = Vec::new();
    for (name, kind) in nodes.iter().filter(|(_, kind)| kind.answers()) {
        let mut ledger = said::open(ledger, name)?;
        results.extend(Node::new(*kind, name, executor).tick(&mut ledger, world.around)?);
    }
    Ok(results)
}
