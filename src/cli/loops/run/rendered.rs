//! `loop run rendered`: publishes the result of each rendered retry command that has none. No command
//! is run.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::answer::{Output, filter};
use crate::cli::loops::{build, built};
use crate::cli::{Exit, World};
use crate::governance::next::{Wishes, builder_of};
use crate::governance::terms::RENDERED_RESULT;
use clap::Args;

/// Arguments of `loop run rendered`.
#[derive(Debug, Args)]
pub(crate) struct RenderedArguments {
    /// Who publishes
    #[arg(long, default_value = "rendered-retry-command-runner")]
    source: String,
    /// Only this rendered command
    #[arg(long, value_name = "ID")]
    rendered_command_id: Option<String>,
    /// Only rendered commands of this plan
    #[arg(long, value_name = "ID")]
    plan_id: Option<String>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &RenderedArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let source = filter("--source", Some(&arguments.source))?.unwrap_or_default();
    let wishes = Wishes::of(source)
        .linked("plan_id", filter("--plan-id", arguments.plan_id.as_deref())?)
        .linked("rendered_command_id", filter("--rendered-command-id", arguments.rendered_command_id.as_deref())?);
    let builder = builder_of(RENDERED_RESULT).expect("rendered command results have a builder");
    let outcome = build::published(builder, &wishes, &arguments.ledger, world)?;
    built::print(&outcome, "results", arguments.output, world)
}
