//! `cluster status`: what the latest run is, whether it still runs, and what its nodes said last.

use super::super::exit::Trouble;
use super::super::loops::said;
use super::super::{Exit, Format, World};
use super::{RunDirectory, folder_fault};
use crate::edge::run_folder::{described, is_running, tail};
use clap::Args;
use serde_json::{Map, Value as Json, json};

/// Arguments of `cluster status`.
#[derive(Debug, Args)]
pub struct StatusArguments {
    #[command(flatten)]
    run: RunDirectory,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(arguments: &StatusArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let run_dir = &arguments.run.run_dir;
    let folder = world.at(run_dir);
    let fault = |error: std::io::Error| folder_fault(run_dir, &error);
    let Some(run) = described(&folder).map_err(fault)? else {
        writeln!(world.err, "landfall: no cluster has run in {}", super::super::shipped::printable(run_dir))?;
        return Ok(Exit::NothingSelected);
    };
    let mut told: Map<String, Json> = run.into_iter().map(|(name, value)| (name.to_lowercase(), value.into())).collect();
    let names = told.remove("services").unwrap_or_default();
    told.insert("status".to_owned(), if is_running(&folder).map_err(fault)? { "running" } else { "ended" }.into());
    let services = names.as_str().unwrap_or_default().split_whitespace().map(|name| {
        let last = tail(&folder, name, 1).ok().and_then(|mut lines| lines.pop());
        let last = last.and_then(|line| serde_json::from_str::<Json>(&line).ok()).unwrap_or_default();
        json!({"name": name, "last": last})
    });
    let services: Vec<Json> = services.collect();
    if arguments.format == Format::Json {
        told.insert("services".to_owned(), services.into());
        writeln!(world.out, "{}", crate::json::to_line(&Json::Object(told)))?;
        return Ok(Exit::Pass);
    }
    said::line(world.out, &told, &["status", "profile", "run_dir", "ledger_path", "safe", "execution_enabled", "dry_run"])?;
    for service in &services {
        let mut line = Map::new();
        line.insert("name".to_owned(), service["name"].clone());
        for key in ["event", "ts", "why"] {
            line.insert(key.to_owned(), service["last"].get(key).cloned().unwrap_or_default());
        }
        said::line(world.out, &line, &["name", "event", "ts", "why"])?;
    }
    Ok(Exit::Pass)
}
