//! `memory replay-smoke`: an explorer loop, taken to an answered query in one command.
//!
//! With the result of a recorded loop nothing is read from a network. Without one the loop is run first,
//! by builds that have the network; see `smoke_loop`.

use super::super::artifacts::DEFAULT_ROOT;
use super::super::exit::Trouble;
use super::super::shipped::printable as printable_path;
use super::super::{Exit, World};
use super::{check, printable, write_json};
use crate::corpus::case::CONTROL_LIMIT;
use crate::edge::disk;
use crate::json::{Place, parse, to_canonical_text};
use crate::memory::{Filters, smoke_run};
use clap::Args;
use serde_json::Value as Json;
use std::path::PathBuf;

/// Arguments of `memory replay-smoke`.
#[derive(Debug, Args)]
pub struct ReplaySmokeArguments {
    /// The result of a recorded explorer loop, as JSON; without it the loop is run
    #[arg(long, value_name = "FILE")]
    explorer_result: Option<PathBuf>,
    #[cfg(feature = "explore")]
    #[command(flatten)]
    pub(super) explorer: super::smoke_loop::LoopArguments,
    /// What is asked of the replayed evidence
    #[arg(long, value_name = "TEXT", default_value = "agents memory")]
    pub(super) text_query: String,
    /// The most results; 0 counts and returns none
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(super) limit: u64,
    /// Where the results of the steps go; a loop that is run has a temporary folder otherwise
    #[arg(long, value_name = "DIR")]
    pub(super) work_dir: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Write the summary as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json_output: Option<PathBuf>,
    /// Write the summary as the latest artifact
    #[arg(long)]
    pub(super) write_latest: bool,
    /// Say that the contract of the summary holds; it is checked in any case
    #[arg(long)]
    pub(super) check_contract: bool,
}

pub(super) fn run(arguments: &ReplaySmokeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match &arguments.explorer_result {
        Some(recorded) => of_recorded(recorded, arguments, world),
        #[cfg(feature = "explore")]
        None => super::smoke_loop::run(arguments, world),
        #[cfg(not(feature = "explore"))]
        None => Err(Trouble::Usage("this build runs no loop; name the result of one with --explorer-result".to_owned())),
    }
}

/// The smoke over a loop that was run before.
fn of_recorded(recorded: &PathBuf, arguments: &ReplaySmokeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let named = printable_path(recorded);
    let bytes = disk::read_file(&world.at(recorded), CONTROL_LIMIT)
        .map_err(|_| Trouble::Failed(format!("{named} is no file that can be read; name one with --explorer-result")))?;
    let explorer = match parse(&bytes) {
        _ if bytes.len() > CONTROL_LIMIT => return refused(&format!("{named} has more than {CONTROL_LIMIT} bytes"), world),
        Err(fault) => {
            return refused(&format!("{named} is no JSON: {} at {}", fault.describe(), Place::in_text(&bytes, fault.offset)), world);
        }
        Ok(explorer) if !explorer.is_object() => return refused(&format!("{named} is no object"), world),
        Ok(explorer) => explorer,
    };
    let filters = Filters { text_query: arguments.text_query.clone(), limit: arguments.limit, ..Filters::default() };
    let mut done = match smoke_run(&explorer, &filters) {
        Ok(done) => done,
        Err(broken) => {
            writeln!(world.err, "{} contract failed:", broken.contract)?;
            for reason in &broken.reasons {
                writeln!(world.err, "- {}", printable(reason))?;
            }
            return Ok(Exit::Blocked);
        }
    };
    let replay_path = arguments.work_dir.as_ref().map(|folder| folder.join("explorer_memory_replay_query.json"));
    let texts = |path: Option<&PathBuf>| path.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    done.summary["explorer_result_path"] = texts(Some(recorded)).into();
    done.summary["memory_replay_result_path"] = texts(replay_path.as_ref()).into();
    // Nothing was run for the loop here, and a replay is this program's own.
    done.summary["explorer_command"] = Json::Array(Vec::new());
    done.summary["memory_replay_command"] = serde_json::json!([
        "landfall",
        "memory",
        "replay-query",
        "--json-input",
        done.summary["explorer_result_path"],
        "--db-path",
        "",
        "--text-query",
        arguments.text_query,
        "--limit",
        arguments.limit.to_string(),
        "--json",
        "--check-contract",
    ]);
    if let Some(path) = &replay_path {
        write_json(&world.at(path), &done.replay)?;
    }
    if arguments.write_latest {
        let path = PathBuf::from(DEFAULT_ROOT).join("explorer_memory_replay_smoke.json");
        done.summary["latest_artifact_path"] = texts(Some(&path)).into();
        write_json(&world.at(&path), &done.summary)?;
    }
    if let Some(path) = &arguments.json_output {
        write_json(&world.at(path), &done.summary)?;
    }
    if arguments.json {
        write!(world.out, "{}", to_canonical_text(&done.summary))?;
    }
    writeln!(world.out, "\u{2705} explorer source-planned evidence loop contract OK\n{}", check::QUERY.fine)?;
    writeln!(world.out, "\u{2705} explorer memory replay smoke OK")?;
    if arguments.check_contract {
        writeln!(world.out, "{}", check::SMOKE.fine)?;
    }
    Ok(Exit::Pass)
}

fn refused(why: &str, world: &mut World<'_>) -> Result<Exit, Trouble> {
    writeln!(world.err, "explorer source-planned evidence loop contract failed:\n- {why}")?;
    Ok(Exit::Blocked)
}
