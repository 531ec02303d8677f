//! `cluster`: runs nodes as supervised workers over one ledger.

use super::exit::Trouble;
use super::ledger::LedgerPath;
use super::loops::said;
use super::{Exit, Format, World};
use crate::edge::cluster::{Cluster, ClusterEnd, NodeEnd, up};
use crate::edge::interrupt;
use crate::edge::workers::{EndedBy, Limits};
use crate::experience::LoopError;
use crate::experience::profile::{PROFILES, Profile};
use crate::governance::metrics::of_ledger;
use crate::ledger::Ledger;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};
use std::time::Duration;

/// The commands of `cluster`.
#[derive(Debug, Subcommand)]
pub enum ClusterCommand {
    /// Run the nodes of a profile in this process, until the duration is over or Ctrl-C
    ///
    /// It clears nothing: ledgers and artifacts of earlier runs stay. Nothing is executed, and no public source
    /// is read unless a build with the network is told to.
    Up(UpArguments),
    /// List the profiles
    Profiles(ProfilesArguments),
}

/// Arguments of `cluster up`.
#[derive(Debug, Args)]
pub struct UpArguments {
    /// Which nodes
    #[arg(long, default_value = PROFILES[0].name, value_parser = PossibleValuesParser::new(Profile::names()))]
    profile: String,
    /// How long, in seconds; 0 is until Ctrl-C
    #[arg(long, value_name = "S", default_value = "120", value_parser = said::seconds)]
    duration: f64,
    /// Start a node that failed again, instead of ending with 1
    #[arg(long)]
    no_strict: bool,
    /// Let simulation nodes reject every replay
    #[arg(long)]
    without_executor: bool,
    #[command(flatten)]
    ledger: LedgerPath,
    #[cfg(feature = "explore")]
    #[command(flatten)]
    network: super::explore::NetworkArguments,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Arguments of `cluster profiles`.
#[derive(Debug, Args)]
pub struct ProfilesArguments {
    /// How to print the list
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(command: &ClusterCommand, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        ClusterCommand::Up(arguments) => run_up(arguments, world),
        ClusterCommand::Profiles(arguments) => profiles(arguments, world),
    }
}

fn run_up(arguments: &UpArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let Some(profile) = Profile::named(&arguments.profile) else {
        return Err(Trouble::Usage("there is no such profile; see landfall cluster profiles".to_owned()));
    };
    let interrupted = interrupt::flag().map_err(|error| Trouble::Failed(format!("could not listen for Ctrl-C: {}", error.kind())))?;
    let limits = Limits {
        duration: (arguments.duration > 0.0).then(|| Duration::from_secs_f64(arguments.duration)),
        strict: !arguments.no_strict,
        ..Limits::default()
    };
    let open = |name: &str| path.open(name).map(|ledger| Box::new(ledger) as Box<dyn Ledger>);
    #[cfg(feature = "explore")]
    let open_sources = sources(arguments, world)?;
    #[cfg(feature = "explore")]
    let sources = open_sources.as_deref();
    #[cfg(not(feature = "explore"))]
    let sources = None;
    let cluster = Cluster {
        nodes: profile.nodes(),
        executor: !arguments.without_executor,
        limits,
        open: &open,
        metrics: &of_ledger,
        sources,
        remembers_older: profile.remembers_older,
    };
    writeln!(world.err, "landfall: {} nodes of {} over {}; Ctrl-C ends them", cluster.nodes.len(), profile.name, path)?;
    said::settle(up(&cluster, &interrupted).map_err(LoopError::from), world, |end, world| {
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

fn profiles(arguments: &ProfilesArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    for profile in PROFILES {
        let names: Vec<_> = profile.nodes().into_iter().map(|(name, _)| name).collect();
        match arguments.format {
            Format::Json => {
                let told = json!({"profile": profile.name, "about": profile.about, "nodes": names});
                writeln!(world.out, "{}", crate::json::to_line(&told))?;
            }
            Format::Text => writeln!(world.out, "{}: {}; {}", profile.name, profile.about, names.join(" "))?,
        }
    }
    Ok(Exit::Pass)
}
