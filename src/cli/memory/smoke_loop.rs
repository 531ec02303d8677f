//! `memory replay-smoke` without a recorded loop: one is run, replayed and asked.
//!
//! The two steps are the commands `explore run` and `memory replay-query`, in this process: nothing is
//! started. What each said is kept for the case that it fails.

use super::super::explore::{GoalArguments, NetworkArguments, RunArguments, check as check_loop};
use super::super::ledger::LedgerPath;
use super::super::{Exit, World};
use super::check::{QUERY, SMOKE, holds, read_json};
use super::replay::ReplayQueryArguments;
use super::smoke::ReplaySmokeArguments;
use super::{FilterArguments, ResultArguments, Trouble, write_json};
use crate::cli::exit::settle;
use crate::cli::explore::ExploreCommand;
use crate::cli::memory::MemoryCommand;
use crate::explore::run::{ADAPTERS, DEFAULT_ADAPTERS};
use crate::memory::clear_flags;
use crate::memory::ingest::put;
use crate::memory::smoke::summary_from_results;
use crate::memory::value::{Object, members};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value as Json, json};
use std::path::Path;

/// What a loop that is run first looks for.
#[derive(Debug, Args)]
pub(super) struct LoopArguments {
    /// The research goal
    #[arg(long, value_name = "TEXT", default_value = "autonomous agents memory systems", conflicts_with = "explorer_result")]
    goal: String,
    /// The run's id
    #[arg(long, value_name = "ID", default_value = "exp-run-memory-replay-smoke", conflicts_with = "explorer_result")]
    exploration_run_id: String,
    /// How many times node and meta agent take their turn
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "explorer_result")]
    ticks: u64,
    /// An adapter that finds sources for the goal; repeat for more. Default: github, arxiv, search, sitemap
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(ADAPTERS), conflicts_with = "explorer_result")]
    source_adapter: Vec<String>,
    /// Make no source plan
    #[arg(long, conflicts_with = "explorer_result")]
    no_source_plan: bool,
    /// The most records of the replay artifact; 0 embeds none
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "explorer_result")]
    memory_replay_artifact_limit: usize,
    /// Keep the temporary folder
    #[arg(long, conflicts_with = "explorer_result")]
    keep_artifacts: bool,
    #[command(flatten)]
    network: NetworkArguments,
}

/// Where the latest artifact is written.
const LATEST: &str = "data/cluster_runtime/latest/artifacts/explorer_memory_replay_smoke.json";

/// What a step said and how it ended.
struct Step {
    exit: Exit,
    command: Vec<String>,
    out: String,
    err: String,
}

/// Runs a step with streams of its own.
fn step(command: Vec<String>, world: &mut World<'_>, act: impl FnOnce(&mut World<'_>) -> Result<Exit, Trouble>) -> Step {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut inner = World {
        root: world.root.clone(),
        out: &mut out,
        err: &mut err,
        input: &mut std::io::empty(),
        around: &mut *world.around,
        starter: &mut *world.starter,
        host: world.host,
        ledger_variable: None,
        variables: world.variables,
    };
    let ended = act(&mut inner);
    let exit = settle(ended, &mut inner);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Step { exit, command, out: text(out), err: text(err) }
}

pub(super) fn run(arguments: &ReplaySmokeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    // Asked here first: that the network was not asked for is no failure of a step.
    arguments.explorer.network.client(world)?;
    let (folder, temporary) = match &arguments.work_dir {
        Some(folder) => (world.at(folder), None),
        None => {
            let made = tempfile::tempdir().map_err(|error| Trouble::Failed(format!("could not make a temporary folder: {error}")))?;
            (made.path().to_owned(), Some(made))
        }
    };
    let ended = in_folder(arguments, &folder, world);
    if let Some(made) = temporary
        && arguments.explorer.keep_artifacts
    {
        let kept = made.keep();
        writeln!(world.err, "landfall: the files of the steps are kept in {}", super::super::shipped::printable(&kept))?;
    }
    ended
}

fn in_folder(arguments: &ReplaySmokeArguments, folder: &Path, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let explored = folder.join("explorer_plan_result.json");
    let replayed = folder.join("explorer_memory_replay_query.json");
    let run = run_arguments(arguments, folder, &explored);
    if run.ledger.db_path.as_deref().is_some_and(|ledger| ledger.symlink_metadata().is_ok()) {
        // What an earlier run published there is published already, and would count for nothing now.
        return Err(Trouble::Usage("the work folder holds the ledger of an earlier smoke; name another one with --work-dir".to_owned()));
    }
    let first =
        step(command_of_run(&run, arguments), world, |world| super::super::explore::run(&ExploreCommand::Run(Box::new(run)), world));
    if first.exit != Exit::Pass {
        return failed("explorer_runtime", &first, arguments, world);
    }
    if check_loop(&explored, world)? != Exit::Pass {
        return Ok(Exit::Blocked);
    }
    let query = query_arguments(arguments, &explored, &replayed);
    let command = command_of_query(arguments, &explored, &replayed);
    let second = step(command, world, |world| super::run(&MemoryCommand::ReplayQuery(query), world));
    if second.exit != Exit::Pass {
        return failed("memory_replay_query", &second, arguments, world);
    }
    let (explorer, replay) = (result_of(&explored)?, result_of(&replayed)?);
    if !holds(&QUERY, &replay, world)? {
        return Ok(Exit::Blocked);
    }
    writeln!(world.out, "{}", QUERY.fine)?;
    let mut summary = members(&summary_from_results(&explorer, &replay));
    put(
        &mut summary,
        json!({
            "explorer_result_path": explored.to_string_lossy(),
            "memory_replay_result_path": replayed.to_string_lossy(),
            "explorer_command": first.command,
            "memory_replay_command": second.command,
        }),
    );
    if arguments.explorer.network.loopback_site.is_some() {
        summary.insert("loopback_site".to_owned(), Json::Bool(true));
    }
    if arguments.write_latest {
        summary.insert("latest_artifact_path".to_owned(), LATEST.into());
    }
    let summary = Json::Object(summary);
    if !holds(&SMOKE, &summary, world)? {
        return Ok(Exit::Blocked);
    }
    if arguments.write_latest {
        write_json(&world.at(LATEST), &summary)?;
    }
    if let Some(path) = &arguments.json_output {
        write_json(&world.at(path), &summary)?;
    }
    if arguments.json {
        write!(world.out, "{}", crate::json::to_canonical_text(&summary))?;
    }
    writeln!(world.out, "\u{2705} explorer memory replay smoke OK")?;
    if arguments.check_contract {
        writeln!(world.out, "{}", SMOKE.fine)?;
    }
    Ok(Exit::Pass)
}

/// A step failed: what it said is printed, and nothing is written.
fn failed(stage: &str, step: &Step, arguments: &ReplaySmokeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let mut result = Object::new();
    put(
        &mut result,
        json!({
            "type": "explorer_memory_replay_smoke_result",
            "status": "failed",
            "failure_stage": stage,
            "returncode": step.exit as u8,
            "command": step.command,
            "stdout": step.out,
            "stderr": step.err,
        }),
    );
    clear_flags(&mut result);
    if arguments.json {
        write!(world.out, "{}", crate::json::to_canonical_text(&result))?;
    }
    writeln!(world.err, "explorer memory replay smoke failed in {stage}:\n{}", super::printable_lines(&step.err))?;
    Ok(Exit::Blocked)
}

fn result_of(path: &Path) -> Result<Json, Trouble> {
    read_json(path)?.map_err(Trouble::Failed)
}

fn run_arguments(arguments: &ReplaySmokeArguments, folder: &Path, explored: &Path) -> RunArguments {
    let named = &arguments.explorer.source_adapter;
    let adapters = if named.is_empty() { DEFAULT_ADAPTERS.map(str::to_owned).to_vec() } else { named.clone() };
    RunArguments {
        ledger: LedgerPath { db_path: Some(folder.join("explorer_plan_crdt.sqlite3")) },
        goal: GoalArguments { goal: arguments.explorer.goal.clone(), url: Vec::new(), source_adapter: adapters, source_plan_limit: 20 },
        network: arguments.explorer.network.clone(),
        evidence_url: Vec::new(),
        source_limit: 20,
        source_plan: !arguments.explorer.no_source_plan,
        exploration_run_id: Some(arguments.explorer.exploration_run_id.clone()),
        ticks: arguments.explorer.ticks,
        tick_delay_seconds: 0.0,
        node_memory_db: folder.join("explorer_plan_node.sqlite3"),
        meta_memory_db: folder.join("explorer_plan_meta.sqlite3"),
        node_id: "exp-node-network-read-loop".to_owned(),
        meta_agent_id: "exp-meta-network-read-loop".to_owned(),
        skip_meta: false,
        memory_replay_artifact_limit: arguments.explorer.memory_replay_artifact_limit,
        json: false,
        json_output: Some(explored.to_owned()),
    }
}

/// The command line that does the same as the first step.
fn command_of_run(run: &RunArguments, arguments: &ReplaySmokeArguments) -> Vec<String> {
    let mut words: Vec<String> = ["landfall", "explore", "run"].map(str::to_owned).to_vec();
    let mut add = |name: &str, value: String| words.extend([name.to_owned(), value]);
    let path = |path: &Path| path.to_string_lossy().into_owned();
    add("--goal", run.goal.goal.clone());
    run.goal.source_adapter.iter().for_each(|adapter| add("--source-adapter", adapter.clone()));
    add("--exploration-run-id", arguments.explorer.exploration_run_id.clone());
    add("--ticks", run.ticks.to_string());
    add("--memory-replay-artifact-limit", run.memory_replay_artifact_limit.to_string());
    add("--db-path", run.ledger.db_path.as_deref().map(path).unwrap_or_default());
    add("--node-memory-db", path(&run.node_memory_db));
    add("--meta-memory-db", path(&run.meta_memory_db));
    add("--json-output", run.json_output.as_deref().map(path).unwrap_or_default());
    if let Some(site) = run.network.loopback_site {
        add("--loopback-site", site.to_string());
    }
    words.extend(
        [(run.source_plan, "--source-plan"), (run.network.network, "--network")].iter().filter(|word| word.0).map(|word| word.1.to_owned()),
    );
    words
}

fn query_arguments(arguments: &ReplaySmokeArguments, explored: &Path, replayed: &Path) -> ReplayQueryArguments {
    ReplayQueryArguments {
        db_path: Some("".into()),
        json_input: Some(explored.to_owned()),
        max_rows_per_table: 5000,
        filters: FilterArguments {
            domain: String::new(),
            category: String::new(),
            tag: Vec::new(),
            text_query: arguments.text_query.clone(),
            min_ranking_score: 0.0,
            limit: arguments.limit,
            top_items_limit: 100,
        },
        result: ResultArguments { json: false, json_output: Some(replayed.to_owned()), check_contract: true },
    }
}

/// The command line that does the same as the second step.
fn command_of_query(arguments: &ReplaySmokeArguments, explored: &Path, replayed: &Path) -> Vec<String> {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let limit = arguments.limit.to_string();
    let words = [
        "landfall",
        "memory",
        "replay-query",
        "--db-path",
        "",
        "--json-input",
        &path(explored),
        "--text-query",
        &arguments.text_query,
        "--limit",
        &limit,
        "--json-output",
        &path(replayed),
        "--check-contract",
    ];
    words.map(str::to_owned).to_vec()
}
