//! `memory replay-latest`: what the latest replay smoke artifact holds. It only reads.

use super::super::artifacts::DEFAULT_ROOT;
use super::super::exit::Trouble;
use super::super::{Exit, World};
use super::printable;
use crate::artifacts::latest;
use crate::edge::artifacts::DiskArtifacts;
use crate::memory::value::{clean, field, list, truthy};
use clap::Args;

/// Arguments of `memory replay-latest`.
#[derive(Debug, Args)]
pub struct ReplayLatestArguments {
    /// The artifact itself, whatever it is called; nothing else is looked for
    #[arg(long, value_name = "FILE")]
    json_path: Option<String>,
    /// A folder to look in, with its `artifacts`; repeat for more. Default: the latest run
    #[arg(long, value_name = "DIR")]
    search_root: Vec<String>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Exit with 1 unless the artifact is there and keeps its contract
    #[arg(long, alias = "require-contract")]
    check_contract: bool,
}

pub(super) fn run(arguments: &ReplayLatestArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let mut roots = arguments.search_root.clone();
    if roots.is_empty() {
        roots = vec!["data/cluster_runtime/latest".to_owned(), DEFAULT_ROOT.to_owned()];
    }
    let summary = latest(&DiskArtifacts::new(&world.root), arguments.json_path.as_deref().filter(|path| !path.is_empty()), &roots);
    if arguments.json {
        write!(world.out, "{}", crate::json::to_canonical_text(&summary))?;
    } else {
        for name in ["status", "artifact_path", "contract_ok"] {
            writeln!(world.out, "{name}={}", printable(&crate::memory::value::shown(field(&summary, name))))?;
        }
        for error in list(field(&summary, "contract_errors")) {
            writeln!(world.out, "- {}", printable(&clean(error)))?;
        }
    }
    if !arguments.check_contract {
        return Ok(Exit::Pass);
    }
    if !truthy(field(&summary, "contract_ok")) {
        return Ok(Exit::Blocked);
    }
    writeln!(world.out, "\u{2705} latest memory replay smoke artifact contract OK")?;
    Ok(Exit::Pass)
}
