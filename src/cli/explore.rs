//! `explore`: the network-read loop. It reads public sources, and only where it is told to.

use super::exit::Trouble;
use super::ledger::LedgerPath;
use super::memory::{printable, read_text, write_json};
use super::{Exit, World};
use crate::edge::http::HttpClient;
use crate::edge::ledger::LedgerFile;
use crate::edge::waiting::RealTime;
use crate::explore::fetch::{Limits, Reader};
use crate::explore::policy::{SourcePolicy, Windows};
use crate::explore::run::{ADAPTERS, Done, Hands, RunSettings, plan, run as run_loop, seed};
use crate::json::{Place, parse};
use crate::ledger::{Ledger, LedgerError, Record, Surroundings};
use crate::memory::ingest::{build_candidate, to_memory_record};
use crate::memory::loop_contract;
use crate::memory::value::{Object, clean, field};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use serde_json::Value as Json;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The commands of `explore`.
#[derive(Debug, Subcommand)]
pub enum ExploreCommand {
    /// Run the loop: seeds, reads, findings, classification, memory records in the ledger
    ///
    /// What may be read is set by EXPLORER_ALLOW_DOMAINS, EXPLORER_BLOCK_DOMAINS, EXPLORER_ALLOW_URL_PREFIXES,
    /// EXPLORER_BLOCK_URL_PREFIXES, EXPLORER_RESPECT_ROBOTS, EXPLORER_USER_AGENT, EXPLORER_DOMAIN_WINDOW_SECONDS and
    /// EXPLORER_MAX_FETCHES_PER_DOMAIN_WINDOW.
    Run(Box<RunArguments>),
    /// Publish what a run begins with, for explorer nodes that are up elsewhere; nothing is read
    Seed(SeedArguments),
    /// Print the source plan for a goal; nothing is read
    Plan(PlanArguments),
    /// Check a loop result against the contract of source-planned loops
    Check(CheckArguments),
}

/// What a run looks for, and where.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct GoalArguments {
    /// The research goal
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) goal: String,
    /// A seed URL; repeat for more
    #[arg(long, value_name = "URL")]
    pub(super) url: Vec<String>,
    /// An adapter that finds sources for the goal; repeat for more
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(ADAPTERS))]
    pub(super) source_adapter: Vec<String>,
    /// The most candidates of the source plan
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) source_plan_limit: usize,
}

/// How a run may reach the network.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct NetworkArguments {
    /// Read public sources over the network; without it nothing is read
    #[arg(long)]
    pub(super) network: bool,
    /// Read everything from this loopback address instead, whatever the URL; for tests. Records say so
    #[arg(long, hide = true, value_name = "ADDRESS", value_parser = loopback)]
    pub(super) loopback_site: Option<SocketAddr>,
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text.parse().map_err(|_| "an address and a port are meant".to_owned())?;
    if address.ip().is_loopback() { Ok(address) } else { Err("only an address of this machine's loopback is taken".to_owned()) }
}

/// Arguments of `explore run`.
#[derive(Debug, Clone, Args)]
pub struct RunArguments {
    #[command(flatten)]
    pub(super) ledger: LedgerPath,
    #[command(flatten)]
    pub(super) goal: GoalArguments,
    #[command(flatten)]
    pub(super) network: NetworkArguments,
    /// A URL that is evidence before all others; repeat for more
    #[arg(long, value_name = "URL")]
    pub(super) evidence_url: Vec<String>,
    /// The most targets of adapters without a plan
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) source_limit: usize,
    /// Make a source plan
    #[arg(long)]
    pub(super) source_plan: bool,
    /// The run's id; made from goal, URLs and time where none is given
    #[arg(long, value_name = "ID")]
    pub(super) exploration_run_id: Option<String>,
    /// How many times node and meta agent take their turn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) ticks: u64,
    /// Seconds between two ticks
    #[arg(long, value_name = "S", default_value = "0.0", value_parser = delay, allow_negative_numbers = true)]
    pub(super) tick_delay_seconds: f64,
    /// Where the node keeps what it learned of sites
    #[arg(long, value_name = "FILE", default_value = "data/explorer_node_memory.local.db")]
    pub(super) node_memory_db: PathBuf,
    /// Where the meta agent keeps the evidence it handed on
    #[arg(long, value_name = "FILE", default_value = "data/explorer_meta_memory.local.db")]
    pub(super) meta_memory_db: PathBuf,
    /// The node's id
    #[arg(long, value_name = "ID", default_value = "exp-node-network-read-loop")]
    pub(super) node_id: String,
    /// The meta agent's id
    #[arg(long, value_name = "ID", default_value = "exp-meta-network-read-loop")]
    pub(super) meta_agent_id: String,
    /// Only read: leave the meta agent out
    #[arg(long)]
    pub(super) skip_meta: bool,
    /// The most records of the replay artifact; 0 embeds none
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) memory_replay_artifact_limit: usize,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Write the result as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json_output: Option<PathBuf>,
}

fn delay(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|seconds: &f64| seconds.is_finite()).ok_or_else(|| "a finite number is meant".to_owned())
}

/// Arguments of `explore seed`.
#[derive(Debug, Args)]
pub struct SeedArguments {
    #[command(flatten)]
    ledger: LedgerPath,
    #[command(flatten)]
    goal: GoalArguments,
    /// A URL that is evidence before all others; repeat for more
    #[arg(long, value_name = "URL")]
    evidence_url: Vec<String>,
    /// Make a source plan
    #[arg(long)]
    source_plan: bool,
    /// The run's id; made from goal, URLs and time where none is given
    #[arg(long, value_name = "ID")]
    exploration_run_id: Option<String>,
}

/// Arguments of `explore plan`.
#[derive(Debug, Args)]
pub struct PlanArguments {
    #[command(flatten)]
    goal: GoalArguments,
    /// Print the plan as JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `explore check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// The loop result, as JSON
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(command: &ExploreCommand, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        ExploreCommand::Run(arguments) => run_run(arguments, world),
        ExploreCommand::Seed(arguments) => run_seed(arguments, world),
        ExploreCommand::Plan(arguments) => run_plan(arguments, world),
        ExploreCommand::Check(arguments) => check(&world.at(&arguments.file), world),
    }
}

impl RunArguments {
    fn settings(&self) -> RunSettings {
        RunSettings {
            goal: self.goal.goal.clone(),
            urls: self.goal.url.clone(),
            evidence_urls: self.evidence_url.clone(),
            adapters: self.goal.source_adapter.clone(),
            source_limit: self.source_limit,
            source_plan: self.source_plan,
            source_plan_limit: self.goal.source_plan_limit,
            run_id: self.exploration_run_id.clone(),
            ticks: self.ticks,
            tick_delay: self.tick_delay_seconds,
            node_id: self.node_id.clone(),
            meta_id: self.meta_agent_id.clone(),
            skip_meta: self.skip_meta,
            artifact_limit: self.memory_replay_artifact_limit,
        }
    }
}

impl NetworkArguments {
    /// The client that these arguments ask for; none when they ask for none.
    pub(super) fn open(&self, policy: &SourcePolicy, limits: Limits) -> Option<HttpClient> {
        match self.loopback_site {
            Some(site) => HttpClient::at_loopback(&policy.user_agent, limits, site),
            None => self.network.then(|| HttpClient::new(&policy.user_agent, limits, Vec::new())),
        }
    }

    /// The client and the policy that these arguments and the environment ask for.
    pub(super) fn client(&self, world: &World<'_>) -> Result<(HttpClient, SourcePolicy, Limits), Trouble> {
        let policy = SourcePolicy::from_environment(&|name| world.variable(name));
        let limits = Limits::default();
        match self.open(&policy, limits) {
            Some(client) => Ok((client, policy, limits)),
            None => {
                let said = "nothing is read unless the network is asked for; say --network, or see landfall explore plan";
                Err(Trouble::Usage(said.to_owned()))
            }
        }
    }
}

fn run_run(arguments: &RunArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let (mut client, policy, limits) = arguments.network.client(world)?;
    let explore = || -> Result<Json, LedgerError> {
        let node_memory = world.at(&arguments.node_memory_db);
        let mut reader = Reader::new(policy, limits);
        let mut local = LedgerFile::open(&node_memory, &arguments.node_id)?;
        reader.remember(recall(&local, &arguments.node_id, world.around.now())?);
        let mut ledger = arguments.ledger.resolve(world).open(&arguments.node_id)?;
        let hands = Hands { ledger: &mut ledger, fetcher: &mut client, waiting: &mut RealTime::start(), around: world.around };
        let done = run_loop(&arguments.settings(), reader, hands)?;
        keep(&done, &mut local, &arguments.node_id, world.around)?;
        let mut evidence = LedgerFile::open(&world.at(&arguments.meta_memory_db), &arguments.meta_agent_id)?;
        keep_evidence(&done, &mut evidence, world.around)?;
        Ok(done.result)
    };
    let result = match explore() {
        Ok(result) => result,
        // Any failure of the loop is exit 1, as its specification has it.
        Err(error) => {
            writeln!(world.err, "landfall: {}", printable(&error.to_string()))?;
            return Ok(Exit::Blocked);
        }
    };
    if let Some(path) = &arguments.json_output {
        write_json(&world.at(path), &result)?;
    }
    if arguments.json {
        write!(world.out, "{}", crate::json::to_canonical_text(&result))?;
    } else {
        say(&result, world)?;
    }
    Ok(Exit::Pass)
}

/// The type of the record in which a node keeps what it learned of sites.
const SNAPSHOT: &str = "explorer_node_snapshot";

fn recall(local: &LedgerFile, node_id: &str, now: f64) -> Result<Windows, LedgerError> {
    let kept = local.find(SNAPSHOT, "node_id", node_id)?;
    Ok(kept.last().and_then(|kept| kept.get("windows")).map(|said| Windows::from_json(said, now)).unwrap_or_default())
}

fn keep(done: &Done, local: &mut LedgerFile, node_id: &str, around: &mut dyn Surroundings) -> Result<(), LedgerError> {
    let now = around.now();
    let reader = done.node.reader();
    let mut snapshot = Object::new();
    crate::memory::clear_flags(&mut snapshot);
    let snapshot = Record::from_map(snapshot)
        .with("type", SNAPSHOT)
        .with("gid", format!("{SNAPSHOT}:{node_id}"))
        .with("node_id", node_id)
        .with("ts", now)
        .with("exploration_run_id", field(&done.result, "exploration_run_id").clone())
        .with("windows", reader.windows().to_json(reader.policy(), now));
    local.publish(snapshot, around).map(drop)
}

/// Keeps what was handed on as records of local memory, each once.
fn keep_evidence(done: &Done, local: &mut LedgerFile, around: &mut dyn Surroundings) -> Result<(), LedgerError> {
    for copy in done.meta.replay_copies() {
        // What ingestion refuses was published all the same; memory says no to it, too.
        let Ok(held) = build_candidate(copy).and_then(|candidate| to_memory_record(&candidate)) else { continue };
        let id = clean(field(&held, "id"));
        let record = Record::from_map(crate::memory::value::members(&held)).with("type", "local_memory_evidence_record");
        local.publish_unless(record, &[("id", &id)], around)?;
    }
    Ok(())
}

fn say(result: &Json, world: &mut World<'_>) -> Result<(), Trouble> {
    writeln!(world.out, "explorer network-read loop: {}", printable(&clean(field(result, "exploration_run_id"))))?;
    for name in [
        "ticks_completed",
        "total_fetches_attempted",
        "total_fetches_failed",
        "total_findings_emitted",
        "total_targets_published",
        "total_meta_targets_published",
        "total_memory_records_published",
        "memory_replay_artifact_record_count",
    ] {
        writeln!(world.out, "  {name}: {}", field(result, name))?;
    }
    for (key, count) in field(field(result, "node"), "source_adapter_rate_limits").as_object().into_iter().flatten() {
        writeln!(world.out, "  held off: {} ({count})", printable(key))?;
    }
    Ok(())
}

fn run_seed(arguments: &SeedArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let GoalArguments { goal, url, source_adapter, source_plan_limit } = arguments.goal.clone();
    let settings = RunSettings {
        goal,
        urls: url,
        evidence_urls: arguments.evidence_url.clone(),
        adapters: source_adapter,
        source_plan: arguments.source_plan,
        source_plan_limit,
        run_id: arguments.exploration_run_id.clone(),
        ..RunSettings::default()
    };
    let path = arguments.ledger.resolve(world);
    let seeded = path.open(&settings.node_id).and_then(|mut ledger| seed(&settings, &mut ledger, world.around));
    let (run_id, gid) = seeded.map_err(|error| Trouble::Failed(printable(&error.to_string())))?;
    writeln!(world.out, "exploration_run_id={} seed_record_gid={}", printable(&run_id), printable(&gid))?;
    Ok(Exit::Pass)
}

fn run_plan(arguments: &PlanArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let GoalArguments { goal, url, source_adapter, source_plan_limit } = arguments.goal.clone();
    let settings =
        RunSettings { goal, urls: url, adapters: source_adapter, source_plan_limit, source_plan: true, ..RunSettings::default() };
    let plan = plan(&settings);
    if arguments.json {
        write!(world.out, "{}", crate::json::to_canonical_text(&plan))?;
        return Ok(Exit::Pass);
    }
    writeln!(world.out, "{}", printable(&clean(field(&plan, "plan_id"))))?;
    for candidate in crate::memory::value::list(field(&plan, "candidates")) {
        let said = |name: &str| printable(&clean(field(candidate, name)));
        writeln!(world.out, "  {} {} {} {}", said("plan_rank"), said("source_score"), said("source_adapter"), said("url"))?;
    }
    Ok(Exit::Pass)
}

/// Checks the loop result of a file, and says so.
pub(super) fn check(path: &Path, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let reasons = match read_text(path)? {
        Err(why) => vec![why],
        Ok(bytes) => match parse(&bytes) {
            Err(fault) => vec![format!("the result is no JSON: {} at {}", fault.describe(), Place::in_text(&bytes, fault.offset))],
            Ok(result) if result.is_object() => loop_contract::check(&result),
            Ok(_) => vec!["the result is no object".to_owned()],
        },
    };
    if reasons.is_empty() {
        writeln!(world.out, "\u{2705} explorer source-planned evidence loop contract OK")?;
        return Ok(Exit::Pass);
    }
    writeln!(world.err, "explorer source-planned evidence loop contract failed:")?;
    for reason in &reasons {
        writeln!(world.err, "- {}", printable(reason))?;
    }
    Ok(Exit::Blocked)
}
