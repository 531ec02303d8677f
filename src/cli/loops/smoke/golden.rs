//! `loop smoke golden-path`: walks the golden path on a temporary ledger, or verifies a finished trail.

use crate::cli::exit::Trouble;
use crate::cli::loops::answer::{Output, exit_of, filter, trouble};
use crate::cli::loops::build::environment_keys;
use crate::cli::loops::said::shown;
use crate::cli::{Exit, World};
use crate::edge::ledger::LedgerFile;
use crate::execution::golden::{CONTOUR, Golden, STEPS, report, walk};
use crate::execution::records::with_records;
use crate::execution::runners::Means;
use crate::execution::tier::Policy;
use crate::experience::publishing::LoopError;
use clap::Args;
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Arguments of `loop smoke golden-path`.
#[derive(Debug, Args)]
pub(super) struct GoldenArguments {
    /// The proposal of the trail
    #[arg(long, value_name = "ID", default_value = "replay-retry-real-observe-smoke-1")]
    proposal_id: String,
    /// Verify the trail that this ledger holds, and publish nothing
    #[arg(long, value_name = "FILE")]
    db_path: Option<PathBuf>,
    /// Walk on through the thirteen families behind the path
    #[arg(long, conflicts_with = "db_path")]
    contour: bool,
    /// Make the temporary ledger and its workspace in this folder, and leave them there
    #[arg(long, value_name = "DIR", conflicts_with = "db_path")]
    keep: Option<PathBuf>,
    /// Exit with 0 also when a check failed
    #[arg(long)]
    no_fail: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(arguments: &GoldenArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let proposal_id = filter("--proposal-id", Some(&arguments.proposal_id))?.unwrap_or_default();
    let (golden, steps) = match &arguments.db_path {
        Some(path) => {
            let ledger = LedgerFile::open_to_read(&world.at(path)).map_err(trouble)?;
            (with_records(&ledger, |records, unread| report(&records, unread, proposal_id)).map_err(trouble)?, Vec::new())
        }
        None => walked(arguments, proposal_id, world)?,
    };
    let mut keys = golden.keys.clone();
    if !steps.is_empty() {
        keys.insert("steps".to_owned(), Json::Array(steps));
    }
    arguments.output.print(&keys, || text(&golden, proposal_id), world)?;
    Ok(exit_of(golden.passed() || arguments.no_fail))
}

fn walked(arguments: &GoldenArguments, proposal_id: &str, world: &mut World<'_>) -> Result<(Golden, Vec<Json>), Trouble> {
    let failed = |error: std::io::Error| Trouble::Failed(format!("could not make a temporary folder: {error}"));
    let temporary = tempfile::tempdir().map_err(failed)?;
    let folder = arguments.keep.as_ref().map_or_else(|| temporary.path().to_owned(), |keep| world.at(keep));
    let workspace = folder.join("workspace");
    crate::edge::disk::make_folder(&workspace).map_err(failed)?;
    let mut ledger = LedgerFile::open(&folder.join("golden-path.db"), "golden-path").map_err(trouble)?;
    if !ledger.vector().map_err(trouble)?.is_empty() {
        return Err(Trouble::Usage(
            "--keep names a folder with a golden-path.db that holds records; the path begins on an empty one".to_owned(),
        ));
    }
    let host = (world.host)().map_err(failed)?;
    let env_keys = environment_keys(world);
    let policy = Policy::shipped();
    let mut means = Means { starter: &mut *world.starter, host: &host, workspace: &workspace, timeout: None, policy: &policy };
    let contour: &[_] = if arguments.contour { &CONTOUR } else { &[] };
    let steps: Vec<_> = STEPS.iter().chain(contour).copied().collect();
    let (mut told, mut lost) = (Vec::new(), None);
    let err = &mut *world.err;
    walk(&steps, proposal_id, &env_keys, &mut ledger, &mut means, world.around, &mut |step| {
        told.push(json!({"step": told.len() + 1, "record": step.what, "signal": step.signal, "passed": step.passed}));
        let line = writeln!(err, "step={} {} {}", told.len(), step.what, step.signal);
        lost = lost.take().or(line.err());
    })
    .map_err(|error| match error {
        LoopError::Ledger(error) => trouble(error),
        LoopError::Refused(why) => Trouble::Failed(why),
    })?;
    if let Some(error) = lost {
        return Err(error.into());
    }
    let golden = with_records(&ledger, |records, unread| report(&records, unread, proposal_id)).map_err(trouble)?;
    Ok((golden, told))
}

fn text(golden: &Golden, proposal_id: &str) -> String {
    let said =
        |key: &str| golden.keys.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).unwrap_or_default();
    let failed: Vec<_> = golden.checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str()).collect();
    let failed = if failed.is_empty() { "none".to_owned() } else { failed.join(",") };
    format!(
        "Golden path: status={} proposal_id={} checks={} failed={} failed_checks={failed} post_repair_status={} repair_outcome_verified={} \
         recommended_next_action={} ready_for_real_execution=false real_execution_enabled=false\n",
        said("status"),
        shown(proposal_id),
        said("total_check_count"),
        said("failed_check_count"),
        said("post_repair_status"),
        said("repair_outcome_verified"),
        said("recommended_next_action"),
    )
}
