//! `cluster up`: runs the nodes of a profile.

use super::super::exit::Trouble;
use super::super::ledger::LedgerPath;
use super::super::loops::said;
use super::super::shipped::printable;
use super::super::{Exit, Format, World};
use super::{RUN_DIR, folder_fault};
use crate::edge::cluster::{Cluster, ClusterEnd, NodeEnd, Work, up};
use crate::edge::interrupt;
use crate::edge::ledger::Location;
use crate::edge::run_folder::RunFolder;
use crate::edge::surroundings::Real;
use crate::edge::workers::{EndedBy, Event, Limits};
use crate::experience::LoopError;
use crate::experience::node::{NodeKind, Views};
use crate::experience::profile::{Asked, PROFILES, Profile};
use crate::governance::metrics::of_ledger;
use crate::governance::overview::brief_of_ledger;
use crate::landing::row::is_unprintable;
use crate::ledger::{Ledger, Surroundings as _};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The most nodes of one kind.
const MOST: i64 = 64;

/// Arguments of `cluster up`.
#[derive(Debug, Args)]
pub struct UpArguments {
    /// Which nodes
    #[arg(long, default_value = PROFILES[0].name, value_parser = PossibleValuesParser::new(Profile::names()))]
    profile: String,
    /// How many trade nodes, where the profile has any
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=MOST))]
    trade_nodes: Option<u8>,
    /// How many memory nodes, where the profile may have any; those about memory have one at least
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=MOST))]
    memory_nodes: Option<u8>,
    /// Sum up what trade nodes were told and answered, where the profile has any
    #[arg(long)]
    with_trade_meta: bool,
    /// List the actions that the global brief recommends; none is taken
    #[arg(long)]
    with_improver: bool,
    /// The folder of the run: its description, its logs and, unless another is named, its ledger
    #[arg(long, value_name = "DIR")]
    run_dir: Option<PathBuf>,
    /// Leave what earlier runs left; this is so without it, too
    #[arg(long)]
    no_clean: bool,
    /// How long, in seconds, once the last node has started; 0 is until Ctrl-C
    #[arg(long, value_name = "S", default_value = "120", value_parser = said::seconds)]
    duration: f64,
    /// Seconds between the starts of one node and the next
    #[arg(long, value_name = "S", default_value = "1.5", value_parser = said::seconds)]
    start_delay_seconds: f64,
    /// End with 1 when a node fails; this is so without it, too
    #[arg(long, conflicts_with = "no_strict")]
    strict: bool,
    /// Start a node that failed again, instead of ending with 1
    #[arg(long)]
    no_strict: bool,
    /// Overruled: a cluster executes nothing
    #[arg(long)]
    execution_enabled: bool,
    /// Only pretend; this is so without it, too
    #[arg(long)]
    dry_run: bool,
    /// Refused: there is no other mode than the safe one
    #[arg(long = "unsafe")]
    without_safety: bool,
    /// Let simulation nodes reject every replay
    #[arg(long)]
    without_executor: bool,
    #[command(flatten)]
    ledger: LedgerPath,
    #[cfg(feature = "explore")]
    #[command(flatten)]
    network: super::super::explore::NetworkArguments,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(arguments: &UpArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    if arguments.without_safety {
        let said = "a cluster executes nothing, so there is no mode but the safe one; leave --unsafe out";
        return Err(Trouble::Usage(said.to_owned()));
    }
    let Some(profile) = Profile::named(&arguments.profile) else {
        return Err(Trouble::Usage("there is no such profile; see landfall cluster profiles".to_owned()));
    };
    let nodes = profile.nodes(Asked {
        trade: arguments.trade_nodes,
        memory: arguments.memory_nodes,
        trade_meta: arguments.with_trade_meta,
        improver: arguments.with_improver,
    });
    if nodes.is_empty() {
        return Err(Trouble::Usage("no node is left of the profile; ask for one at least".to_owned()));
    }
    let run_dir = arguments.run_dir.clone().unwrap_or_else(|| PathBuf::from(RUN_DIR));
    if run_dir.to_str().is_none_or(|path| path.contains(is_unprintable)) {
        return Err(Trouble::Usage("--run-dir is written down, and this one is no printable text".to_owned()));
    }
    let path = ledger_of(arguments, world);
    #[cfg(feature = "explore")]
    let open_sources = sources(arguments, world)?;
    #[cfg(feature = "explore")]
    let sources = open_sources.as_deref();
    #[cfg(not(feature = "explore"))]
    let sources = None;
    let interrupted = interrupt::flag().map_err(|error| Trouble::Failed(format!("could not listen for Ctrl-C: {}", error.kind())))?;
    let limits = Limits {
        duration: (arguments.duration > 0.0).then(|| Duration::from_secs_f64(arguments.duration)),
        start_delay: Duration::from_secs_f64(arguments.start_delay_seconds),
        strict: !arguments.no_strict,
        ..Limits::default()
    };
    let open = |name: &str| path.open(name).map(|ledger| Box::new(ledger) as Box<dyn Ledger>);
    // Before anything of the run is written: a ledger that cannot be had leaves the last run described.
    if let Err(error) = open("cluster") {
        return said::settle(Err::<(), _>(LoopError::from(error)), world, |(), _| Ok(Exit::Pass));
    }
    let folder = world.at(&run_dir);
    let Some(run) = RunFolder::take(&folder).map_err(|error| folder_fault(&run_dir, &error))? else {
        let said = format!("a cluster runs in {} already; end it, or name another folder with --run-dir", printable(&run_dir));
        return Err(Trouble::Failed(said));
    };
    run.describe(&description(&run_dir, profile, &nodes, &path)).map_err(|error| folder_fault(&run_dir, &error))?;
    let unlogged = AtomicU64::new(0);
    let told = |name: &str, event: Event<'_>, work: &Work| {
        if run.log(name, &logged(event, work)).is_err() {
            unlogged.fetch_add(1, Ordering::SeqCst);
        }
    };
    let cluster = Cluster {
        nodes,
        executor: !arguments.without_executor,
        limits,
        open: &open,
        views: Views { metrics: &of_ledger, brief: &brief_of_ledger },
        sources,
        remembers_older: profile.remembers_older,
        told: &told,
    };
    if arguments.execution_enabled {
        writeln!(world.err, "landfall: a cluster executes nothing; --execution-enabled is overruled")?;
    }
    writeln!(world.err, "landfall: {} nodes of {} over {}; Ctrl-C ends them", cluster.nodes.len(), profile.name, path)?;
    let ended = up(&cluster, &interrupted);
    let lost = unlogged.load(Ordering::SeqCst);
    if lost > 0 {
        writeln!(world.err, "landfall: {lost} lines could not be logged")?;
    }
    said::settle(ended.map_err(LoopError::from), world, |end, world| {
        match arguments.format {
            Format::Json => {
                let mut told = json!(end);
                told["profile"] = profile.name.into();
                writeln!(world.out, "{}", crate::json::to_line(&told))?;
            }
            Format::Text => show(&end, profile, world.out)?,
        }
        Ok(if end.ended_by == EndedBy::Failure { Exit::Blocked } else { Exit::Pass })
    })
}

/// The ledger that is named, or else the one in the run's folder.
fn ledger_of(arguments: &UpArguments, world: &World<'_>) -> Location {
    match &arguments.run_dir {
        Some(folder) if arguments.ledger.db_path.is_none() && world.ledger_variable.is_none() => {
            Location::File(world.at(folder.join("ledgers/swarm_crdt.local.db")))
        }
        _ => arguments.ledger.resolve(world),
    }
}

/// What `cluster_run.env` says of a run.
fn description(run_dir: &Path, profile: &Profile, nodes: &[(String, NodeKind)], ledger: &Location) -> Vec<(&'static str, String)> {
    let count = |wanted: NodeKind| nodes.iter().filter(|(_, kind)| *kind == wanted).count().to_string();
    let services: Vec<&str> = nodes.iter().map(|(name, _)| name.as_str()).collect();
    vec![
        ("RUN_DIR", printable(run_dir)),
        ("PROFILE", profile.name.to_owned()),
        ("SAFE", "true".to_owned()),
        ("EXECUTION_ENABLED", "false".to_owned()),
        ("DRY_RUN", "true".to_owned()),
        ("TRADE_NODES", count(NodeKind::Trade)),
        ("MEMORY_NODES", count(NodeKind::Memory)),
        ("SIMULATION_NODES", count(NodeKind::Simulation)),
        ("MEMORY_INGEST_SINCE_START", (!profile.remembers_older).to_string()),
        ("LEDGER_PATH", ledger.to_string()),
        ("SERVICES", services.join(" ")),
    ]
}

/// A line of a node's log.
fn logged(event: Event<'_>, work: &Work) -> String {
    let mut line = json!({"ts": Real.now()});
    match event {
        Event::Starts => line["event"] = "starts".into(),
        Event::Failed(why) => {
            line["event"] = "failed".into();
            line["why"] = why.into();
        }
        Event::Beats | Event::Ended(_) => {
            line["event"] = if event == Event::Beats { "heartbeat" } else { "ended" }.into();
            if let Event::Ended(ticks) = event {
                line["ticks"] = ticks.into();
            }
            line["work"] = json!(work);
            line["said"] = work.said.clone();
        }
    }
    crate::json::to_line(&line)
}

/// How explorer nodes read, if the network was asked for.
#[cfg(feature = "explore")]
fn sources(arguments: &UpArguments, world: &World<'_>) -> Result<Option<Box<crate::edge::cluster::OpenSources<'static>>>, Trouble> {
    use crate::explore::fetch::{Fetcher, Reader};
    let network = arguments.network.clone();
    if !network.network && network.loopback_site.is_none() {
        return Ok(None);
    }
    let (_, policy, limits) = network.client(world)?;
    Ok(Some(Box::new(move || {
        let client: Box<dyn Fetcher> = match network.open(&policy, limits) {
            Some(client) => Box::new(client),
            None => Box::new(crate::explore::fetch::Nowhere),
        };
        (client, Reader::new(policy.clone(), limits))
    })))
}

fn show(end: &ClusterEnd, profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let total = |of: fn(&NodeEnd) -> u64| end.nodes.iter().map(of).sum::<u64>();
    let told = json!({
        "profile": profile.name,
        "ended_by": end.ended_by,
        "nodes": end.nodes.len(),
        "answered": total(|node| node.work.answered),
        "failures": total(|node| node.worker.failures),
        "restarts": total(|node| node.worker.restarts),
    });
    said::line(out, &object(told), &["profile", "ended_by", "nodes", "answered", "failures", "restarts"])?;
    for node in &end.nodes {
        let mut told = object(json!(node));
        let answers = node.work.answers.each().map(|(status, times)| format!("{status}:{times}")).collect::<Vec<_>>();
        told.insert("answers".to_owned(), if answers.is_empty() { Json::Null } else { answers.join(",").into() });
        said::line(out, &told, &["name", "ticks", "read", "answered", "answers", "events", "failures", "restarts", "last_failure"])?;
        let mut beats = Vec::new();
        numbers(&node.heartbeat, &mut beats);
        if !beats.is_empty() {
            writeln!(out, "  {}", beats.join(" "))?;
        }
    }
    Ok(())
}

fn object(value: Json) -> Map<String, Json> {
    if let Json::Object(members) = value { members } else { Map::new() }
}

/// The plain members of a heartbeat and of the objects that wrap it; breakdowns are left to JSON.
fn numbers(beat: &Json, told: &mut Vec<String>) {
    for (key, value) in beat.as_object().into_iter().flatten() {
        match value {
            Json::Object(_) if ["memory_summary", "memory_intelligence", "aggregate", "metrics", "details"].contains(&key.as_str()) => {
                numbers(value, told)
            }
            Json::Object(_) | Json::Array(_) | Json::Null => {}
            plain => told.push(format!("{key}={}", said::shown_value(plain))),
        }
    }
}
