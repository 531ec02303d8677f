//! `loop run noop`, `read-only`, `repair-noop`, `repair` and `post-repair`: the five runners that start a process.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::answer::{Output, exit_of, filter, to_write, trouble};
use crate::cli::loops::built;
use crate::cli::{Exit, World};
use crate::execution::runners::{Means, Report, Runner, run as walk, runner_of};
use crate::execution::tier::Policy;
use crate::governance::next::Wishes;
use clap::Args;
use std::path::PathBuf;

/// What all five have in common.
#[derive(Debug, Args)]
pub(crate) struct GuardedArguments {
    /// Only parents of this proposal
    #[arg(long, value_name = "ID")]
    proposal_id: Option<String>,
    /// Only parents of this rendered command
    #[arg(long, value_name = "ID")]
    rendered_command_id: Option<String>,
    /// Who publishes
    #[arg(long, default_value = "landfall")]
    source: String,
    /// The workspace root, the child's folder; default: the current one
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Seconds until everything is killed; it may only lower the runner's cap
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    timeout_seconds: Option<f64>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

/// Arguments of `loop run read-only`.
#[derive(Debug, Args)]
pub(crate) struct ReadOnlyArguments {
    /// An operator stands behind this run
    #[arg(long)]
    operator_authorized: bool,
    /// Allow the guarded read-only run
    #[arg(long)]
    allow_guarded_read_only_execution: bool,
    #[command(flatten)]
    common: GuardedArguments,
}

/// Arguments of `loop run repair`.
#[derive(Debug, Args)]
pub(crate) struct RepairArguments {
    /// Allow the guarded repair
    #[arg(long)]
    allow_guarded_repair_execution: bool,
    #[command(flatten)]
    common: GuardedArguments,
}

/// Arguments of `loop run post-repair`.
#[derive(Debug, Args)]
pub(crate) struct PostRepairArguments {
    /// Allow the evidence check after a repair
    #[arg(long)]
    allow_post_repair_evidence_check: bool,
    #[command(flatten)]
    common: GuardedArguments,
}

pub(super) fn noop(command: &str, arguments: &GuardedArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    run(command, arguments, &[], world)
}

pub(super) fn read_only(arguments: &ReadOnlyArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let flags = [
        ("operator_authorized", arguments.operator_authorized),
        ("allow_guarded_read_only_execution", arguments.allow_guarded_read_only_execution),
    ];
    run("read-only", &arguments.common, &flags, world)
}

pub(super) fn repair(arguments: &RepairArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    run("repair", &arguments.common, &[("allow_guarded_repair_execution", arguments.allow_guarded_repair_execution)], world)
}

pub(super) fn post_repair(arguments: &PostRepairArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    run("post-repair", &arguments.common, &[("allow_post_repair_evidence_check", arguments.allow_post_repair_evidence_check)], world)
}

fn run(command: &str, arguments: &GuardedArguments, flags: &[(&str, bool)], world: &mut World<'_>) -> Result<Exit, Trouble> {
    let runner: &Runner = runner_of(command).expect("each of the five is in the table");
    if arguments.timeout_seconds.is_some_and(|seconds| !seconds.is_finite() || seconds <= 0.0) {
        return Err(Trouble::Usage("--timeout-seconds is a positive number of seconds".to_owned()));
    }
    let source = filter("--source", Some(&arguments.source))?.unwrap_or_default();
    let mut wishes = Wishes::of(source)
        .linked("proposal_id", filter("--proposal-id", arguments.proposal_id.as_deref())?)
        .linked("rendered_command_id", filter("--rendered-command-id", arguments.rendered_command_id.as_deref())?);
    for (flag, given) in flags {
        wishes = wishes.with(flag, given.then_some("given"));
    }
    let host = (world.host)().map_err(|error| Trouble::Failed(format!("could not tell the path of this program: {error}")))?;
    let workspace = arguments.workspace.clone().unwrap_or_else(|| world.root.clone());
    let mut ledger = to_write(&arguments.ledger, source, world)?;
    // Held until the result is published: select, check and start are one step.
    let _turn = arguments.ledger.resolve(world).turn().map_err(trouble)?;
    crate::ledger::Ledger::refresh(&mut ledger).map_err(trouble)?;
    let policy = Policy::shipped();
    let mut means =
        Means { starter: &mut *world.starter, host: &host, workspace: &workspace, timeout: arguments.timeout_seconds, policy: &policy };
    let report = walk(runner, &mut ledger, &wishes, &mut means, world.around).map_err(trouble)?;
    print(&report, arguments.output, world)
}

fn print(report: &Report, output: Output, world: &mut World<'_>) -> Result<Exit, Trouble> {
    built::print(&report.outcome, "results", output, world)?;
    for ran in &report.ran {
        for reason in &ran.trouble {
            writeln!(world.err, "landfall: the result of the run is not as it should be: {reason}")?;
        }
    }
    if report.ran.is_empty() && report.outcome.refused.is_empty() {
        writeln!(world.err, "landfall: nothing was started: no parent waits for it")?;
    }
    Ok(exit_of(report.passed()))
}
