//! `memory replay-smoke`: a recorded explorer loop, taken to an answered query in one command.
//!
//! It reads nothing from a network: the loop's result is handed in.

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
    /// The result of an explorer loop, as JSON
    #[arg(long, value_name = "FILE")]
    explorer_result: PathBuf,
    /// What is asked of the replayed evidence
    #[arg(long, value_name = "TEXT", default_value = "agents memory")]
    text_query: String,
    /// The most results; 0 counts and returns none
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: u64,
    /// Write the replayed query's result, too
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Write the summary as JSON
    #[arg(long, value_name = "FILE")]
    json_output: Option<PathBuf>,
    /// Write the summary as the latest artifact
    #[arg(long)]
    write_latest: bool,
    /// Say that the contract of the summary holds; it is checked in any case
    #[arg(long)]
    check_contract: bool,
}

pub(super) fn run(arguments: &ReplaySmokeArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let named = printable_path(&arguments.explorer_result);
    let bytes = disk::read_file(&world.at(&arguments.explorer_result), CONTROL_LIMIT)
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
    done.summary["explorer_result_path"] = texts(Some(&arguments.explorer_result)).into();
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
