//! `artifacts`: indexes local artifacts, and cleans up what is too old where that is allowed.

use super::exit::Trouble;
use super::{Exit, World};
use crate::artifacts::{Cleanup, Retention, check_cleanup, index};
use crate::edge::artifacts::DiskArtifacts;
use crate::landing::row::is_unprintable;
use crate::memory::value::{clean, field, list, shown, truthy};
use clap::{Args, Subcommand};
use serde_json::Value as Json;
use std::io::{self, Write};

/// Where the artifacts of the latest run lie, and the one folder in which any may be deleted.
pub(super) const DEFAULT_ROOT: &str = "data/cluster_runtime/latest/artifacts";

/// The commands of `artifacts`.
#[derive(Debug, Subcommand)]
pub enum ArtifactsCommand {
    /// List the artifacts, whether each keeps its contract, and how old it is; deletes nothing
    Index(IndexArguments),
    /// Show what retention would delete, and delete it when told to
    Cleanup(CleanupArguments),
}

/// Where artifacts are, how long they are kept, and how the outcome is printed.
#[derive(Debug, Args)]
struct Common {
    /// The folder of artifacts
    #[arg(long, value_name = "DIR", default_value = DEFAULT_ROOT)]
    artifacts_root: String,
    /// How many days artifacts are kept; 0 keeps them for ever
    #[arg(long, value_name = "DAYS", default_value_t = 0.0, value_parser = age, allow_negative_numbers = true)]
    retention_max_age_days: f64,
    /// The same in seconds, which win where they are positive
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = age, allow_negative_numbers = true)]
    retention_max_age_seconds: f64,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
    /// Exit with 1 unless the contract is kept
    #[arg(long, alias = "require-contract")]
    check_contract: bool,
}

fn age(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|age: &f64| age.is_finite()).ok_or_else(|| "a finite number is meant".to_owned())
}

impl Common {
    fn retention(&self) -> Retention {
        Retention::new(self.retention_max_age_seconds, self.retention_max_age_days)
    }
}

/// Arguments of `artifacts index`.
#[derive(Debug, Args)]
pub struct IndexArguments {
    #[command(flatten)]
    common: Common,
}

/// Arguments of `artifacts cleanup`.
#[derive(Debug, Args)]
pub struct CleanupArguments {
    #[command(flatten)]
    common: Common,
    /// Delete nothing; this is so without it, too
    #[arg(long, conflicts_with = "execute_delete_local_artifacts")]
    dry_run: bool,
    /// Delete what retention names, in the default folder alone and only if every artifact keeps its contract
    #[arg(long)]
    execute_delete_local_artifacts: bool,
}

pub(super) fn run(command: &ArtifactsCommand, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        ArtifactsCommand::Index(arguments) => run_index(&arguments.common, world),
        ArtifactsCommand::Cleanup(arguments) => run_cleanup(arguments, world),
    }
}

fn run_index(common: &Common, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let now = world.around.now();
    let index = index(&DiskArtifacts::new(&world.root), &common.artifacts_root, common.retention(), now);
    if common.json {
        write!(world.out, "{}", crate::json::to_canonical_text(&index.summary))?;
    } else {
        let keys = ["status", "artifacts_root", "artifact_count", "invalid_artifact_count", "stale_artifact_count", "contract_ok"];
        say(&index.summary, &keys, world.out)?;
        for artifact in list(field(&index.summary, "artifacts")) {
            say(artifact, &["name", "type", "status", "age_seconds", "stale", "contract_ok"], world.out)?;
            for error in list(field(artifact, "contract_errors")) {
                writeln!(world.out, "  - {}", printable(&clean(error)))?;
            }
        }
    }
    end(common, index.contract_ok(), "\u{2705} cluster latest artifacts contract OK", world)
}

fn run_cleanup(arguments: &CleanupArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let common = &arguments.common;
    let execute = arguments.execute_delete_local_artifacts;
    let cleanup = Cleanup {
        root: &common.artifacts_root,
        default_root: DEFAULT_ROOT,
        retention: common.retention(),
        now: world.around.now(),
        execute,
    };
    let result = cleanup.run(&mut DiskArtifacts::new(&world.root));
    if common.json {
        write!(world.out, "{}", crate::json::to_canonical_text(&result))?;
    } else {
        let keys = ["mode", "status", "artifacts_root", "artifacts_root_allowed", "would_delete_count", "deleted_count", "contract_ok"];
        say(&result, &keys, world.out)?;
        for (label, name, keys) in [
            ("would delete", "would_delete", ["path", "age_seconds"]),
            ("deleted", "deleted", ["path", "age_seconds"]),
            ("error", "deletion_errors", ["path", "reason"]),
        ] {
            for entry in list(field(&result, name)) {
                write!(world.out, "  {label}: ")?;
                say(entry, &keys, world.out)?;
            }
        }
    }
    let errors = check_cleanup(&result);
    if !errors.is_empty() {
        writeln!(world.err, "cluster latest artifacts cleanup contract failed:")?;
        for error in &errors {
            writeln!(world.err, "- {}", printable(error))?;
        }
        return Ok(Exit::Blocked);
    }
    let fine = if execute {
        "\u{2705} cluster latest artifacts cleanup execute-local-artifacts contract OK"
    } else {
        "\u{2705} cluster latest artifacts cleanup dry-run contract OK"
    };
    end(common, truthy(field(&result, "contract_ok")), fine, world)
}

/// The end of a command: the contract decides only when it is asked for.
fn end(common: &Common, holds: bool, fine: &str, world: &mut World<'_>) -> Result<Exit, Trouble> {
    if !common.check_contract {
        return Ok(Exit::Pass);
    }
    if !holds {
        return Ok(Exit::Blocked);
    }
    writeln!(world.out, "{fine}")?;
    Ok(Exit::Pass)
}

fn printable(text: &str) -> String {
    text.replace(is_unprintable, "?")
}

/// One line of `key=value`, for the keys that are there.
fn say(object: &Json, keys: &[&str], out: &mut dyn Write) -> io::Result<()> {
    let said = keys.iter().filter_map(|key| object.get(key).map(|value| format!("{key}={}", printable(&shown(value)))));
    writeln!(out, "{}", said.collect::<Vec<_>>().join(" "))
}
