//! `loop readiness`: scores a trail. It enables nothing.

use super::answer::{OfProposal, Output, exit_of, filter, to_read, trouble};
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::contract::execution_readiness::{ReadinessOptions, ReadinessReport, report};
use crate::execution::records::with_records;
use crate::governance::readiness::of_watched;
use crate::governance::watch::watch;
use clap::{Args, ValueEnum};

/// What can be ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ready {
    /// The baseline for designing a controlled runner: 16 checks
    Runner,
    /// A controlled execution: every stage of its chain; a mock at most
    Execution,
}

/// Arguments of `loop readiness`.
#[derive(Debug, Args)]
pub struct ReadinessArguments {
    /// What should be ready
    #[arg(value_enum, default_value = "runner")]
    what: Ready,
    #[command(flatten)]
    proposal: OfProposal,
    /// Of an execution: only records of this rendered command, or of none
    #[arg(long, value_name = "ID")]
    rendered_command_id: Option<String>,
    /// Of an execution: an operator must have authorized it
    #[arg(long)]
    require_operator_authorized: bool,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &ReadinessArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let filters = arguments.proposal.filters()?;
    let ledger = to_read(&arguments.ledger, world)?;
    match arguments.what {
        Ready::Runner => {
            let readiness = of_watched(&watch(&ledger, filters).map_err(trouble)?, filters.proposal_id);
            arguments.output.print(&readiness, || readiness.to_text(), world)?;
            Ok(exit_of(readiness.passed()))
        }
        Ready::Execution => {
            let options = ReadinessOptions {
                proposal_id: filters.proposal_id,
                rendered_command_id: filter("--rendered-command-id", arguments.rendered_command_id.as_deref())?,
                require_operator_authorized: arguments.require_operator_authorized,
                ..ReadinessOptions::default()
            };
            let readiness =
                with_records(&ledger, |records, rows_unreadable| report(&records, &ReadinessOptions { rows_unreadable, ..options }));
            let readiness = readiness.map_err(trouble)?;
            arguments.output.print(&readiness.keys, || text(&readiness), world)?;
            Ok(exit_of(readiness.passed() && readiness.is_well_formed()))
        }
    }
}

/// The seed's numbers under its names, then what failed.
fn text(readiness: &ReadinessReport) -> String {
    let said = |key: &str| {
        readiness.keys.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).unwrap_or_default()
    };
    let failed = readiness.failed();
    let failed = if failed.is_empty() { "none".to_owned() } else { failed.join(",") };
    format!(
        "Controlled execution readiness: status={} checks={} failed_checks={failed} ready_for_mock_execution={} ready_for_real_execution={} \
         mock_performed={} mock_subprocess_invoked={} mock_summary_performed={} mock_summary_subprocess_invoked={} schema_valid={}\n",
        said("status"),
        readiness.checks.len(),
        said("ready_for_mock_execution"),
        said("ready_for_real_execution"),
        said("mock_execution_performed"),
        said("mock_subprocess_invoked"),
        said("mock_execution_summary_performed"),
        said("mock_summary_subprocess_invoked"),
        readiness.is_well_formed(),
    )
}
