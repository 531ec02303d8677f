//! `loop run plans`: publishes the result of each retry execution plan that has none. No plan is run.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::answer::{Output, filter};
use crate::cli::loops::{build, built};
use crate::cli::{Exit, World};
use crate::governance::next::{Wishes, builder_of};
use crate::governance::terms::RESULT;
use clap::Args;

/// Arguments of `loop run plans`.
#[derive(Debug, Args)]
pub(crate) struct PlansArguments {
    /// Who publishes
    #[arg(long, default_value = "retry-plan-runner")]
    source: String,
    /// Only this plan
    #[arg(long, value_name = "ID")]
    plan_id: Option<String>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &PlansArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let source = filter("--source", Some(&arguments.source))?.unwrap_or_default();
    let wishes = Wishes::of(source).linked("plan_id", filter("--plan-id", arguments.plan_id.as_deref())?);
    let builder = builder_of(RESULT).expect("execution results have a builder");
    let outcome = build::published(builder, &wishes, &arguments.ledger, world)?;
    built::print(&outcome, "results", arguments.output, world)
}
