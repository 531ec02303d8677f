//! `loop inspect`: summarises a retry governance trail.

use super::answer::{Output, exit_of, filter, to_read, trouble};
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::contract::trail::Filters;
use crate::governance::watch::watch;
use clap::Args;

/// Arguments of `loop inspect`.
#[derive(Debug, Args)]
pub struct InspectArguments {
    /// Only records of this proposal
    #[arg(long, value_name = "ID")]
    proposal_id: Option<String>,
    /// Only records of this approval
    #[arg(long, value_name = "ID")]
    approval_id: Option<String>,
    /// Only records of this plan
    #[arg(long, value_name = "ID")]
    plan_id: Option<String>,
    /// Exit with 1 when a stage is missing
    #[arg(long)]
    require_complete: bool,
    /// Exit with 1 when the chain does not hold together
    #[arg(long)]
    require_sound: bool,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &InspectArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let filters = Filters {
        proposal_id: filter("--proposal-id", arguments.proposal_id.as_deref())?,
        approval_id: filter("--approval-id", arguments.approval_id.as_deref())?,
        plan_id: filter("--plan-id", arguments.plan_id.as_deref())?,
    };
    let summary = watch(&to_read(&arguments.ledger, world)?, filters).map_err(trouble)?.summary;
    arguments.output.print(&summary, || summary.to_text(), world)?;
    let lacks = arguments.require_complete && !summary.chain_complete;
    Ok(exit_of(!lacks && (!arguments.require_sound || summary.chain_sound)))
}
