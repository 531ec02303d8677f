//! `loop observe`: checks that Security, the inspector and the brief see a trail.

use super::answer::{OfProposal, Output, exit_of, filter, to_read, trouble};
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::contract::execution_readiness::{ReadinessOptions, controlled_observability};
use crate::execution::observe::{Observing, family, observe as observe_family};
use crate::execution::records::with_records;
use crate::governance::observe::observe;
use crate::governance::watch::watch;
use clap::Args;
use serde_json::{Map, Value as Json};

/// Arguments of `loop observe`.
#[derive(Debug, Args)]
pub struct ObserveArguments {
    /// What to observe: governance, controlled, or a sandbox family by its record type
    #[arg(value_name = "WHAT", default_value = "governance")]
    what: String,
    #[command(flatten)]
    proposal: OfProposal,
    /// Only records of this rendered command, or of none
    #[arg(long, value_name = "ID")]
    rendered_command_id: Option<String>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &ObserveArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let filters = arguments.proposal.filters()?;
    let rendered_command_id = filter("--rendered-command-id", arguments.rendered_command_id.as_deref())?;
    let contract = family(&arguments.what);
    if contract.is_none() && !matches!(arguments.what.as_str(), "governance" | "controlled") {
        return Err(Trouble::Usage(
            "nothing of that name can be observed; say governance, controlled, or a sandbox record type".to_owned(),
        ));
    }
    let ledger = to_read(&arguments.ledger, world)?;
    if let Some(contract) = contract {
        let watched = watch(&ledger, filters).map_err(trouble)?;
        let what = Observing { proposal_id: filters.proposal_id, rendered_command_id };
        let (keys, passed) = with_records(&ledger, |records, _| observe_family(&records, &watched, contract, what)).map_err(trouble)?;
        arguments.output.print(&keys, || text(&keys), world)?;
        return Ok(exit_of(passed));
    }
    if arguments.what == "controlled" {
        let options = ReadinessOptions { proposal_id: filters.proposal_id, rendered_command_id, ..ReadinessOptions::default() };
        let report = with_records(&ledger, |records, rows_unreadable| {
            controlled_observability(&records, &ReadinessOptions { rows_unreadable, ..options })
        });
        let report = report.map_err(trouble)?;
        arguments.output.print(&report, || controlled_text(&report), world)?;
        return Ok(exit_of(report["status"] == "passed"));
    }
    let watched = watch(&ledger, filters).map_err(trouble)?;
    let observability = observe(&watched, filters.proposal_id);
    arguments.output.print(&observability, || observability.to_text(), world)?;
    Ok(exit_of(observability.passed()))
}

/// The plain members on one line; what failed is named, and breakdowns are left to JSON.
fn text(keys: &Map<String, Json>) -> String {
    let failed = keys.get("failed_checks").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
    let failed: Vec<_> = failed.collect();
    let plain = keys.iter().filter_map(|(key, value)| match value {
        Json::Bool(flag) => Some(format!("{key}={flag}")),
        Json::Number(count) => Some(format!("{key}={count}")),
        _ => None,
    });
    let failed = if failed.is_empty() { "none".to_owned() } else { failed.join(",") };
    let status = keys.get("status").and_then(Json::as_str).unwrap_or_default();
    format!("status={status} failed_checks={failed} {}\n", plain.collect::<Vec<_>>().join(" "))
}

fn controlled_text(report: &Json) -> String {
    let said = |key: &str| report.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).unwrap_or_default();
    format!(
        "status={} controlled_execution_observed={} controlled_execution_results={} rejected={} executed={} \
         controlled_execution_not_implemented={} controlled_execution_enabled={}\n",
        said("status"),
        said("controlled_execution_observed"),
        said("controlled_execution_results"),
        said("controlled_execution_rejected"),
        said("controlled_execution_executed"),
        said("controlled_execution_not_implemented"),
        said("controlled_execution_enabled"),
    )
}
