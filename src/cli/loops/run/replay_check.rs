//! `loop run replay-check`: the whole walk in one command.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::said;
use crate::cli::{Exit, Format, World};
use crate::edge::waiting::RealTime;
use crate::experience::node::{Node, NodeKind};
use crate::experience::replay_check::{self, Means, ReplayCheck};
use crate::experience::timeout::{TimeoutProfile, timeout};
use crate::governance::metrics::of_ledger;
use crate::ledger::ROWS_UNREADABLE;
use clap::{Args, ValueEnum};

/// Arguments of `loop run replay-check`.
#[derive(Debug, Args)]
pub(crate) struct ReplayCheckArguments {
    /// The scenario to seed and replay
    #[arg(long, default_value = "replay-runtime-reduce-risk-1")]
    scenario_id: String,
    /// The action that the scenario replays
    #[arg(long, default_value = "REDUCE_RISK")]
    action: String,
    /// The id of the RUN_REPLAY directive
    #[arg(long, default_value = "runtime-run-replay-e2e-1")]
    directive_id: String,
    /// Who checks
    #[arg(long, default_value = "replay-evidence-check")]
    source: String,
    /// The result status that the scenario expects
    #[arg(long, default_value = "applied")]
    expected_result_status: String,
    /// How long to wait and how often to look; default: 10 seconds, twice a second
    #[arg(long, value_enum)]
    timeout_profile: Option<Profile>,
    /// The longest wait; wins over the profile
    #[arg(long, value_name = "S", value_parser = said::seconds)]
    wait_seconds: Option<f64>,
    /// The pause between two looks; wins over the profile
    #[arg(long, value_name = "S", value_parser = said::seconds)]
    poll_interval: Option<f64>,
    /// Let a simulation node of this process answer; without it some other process must
    #[arg(long)]
    with_nodes: bool,
    #[command(flatten)]
    ledger: LedgerPath,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A timeout profile by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Profile {
    /// 3 seconds
    Fast,
    /// 15 seconds
    Standard,
    /// 60 seconds
    Patient,
}

impl From<Profile> for TimeoutProfile {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Fast => Self::Fast,
            Profile::Standard => Self::Standard,
            Profile::Patient => Self::Patient,
        }
    }
}

pub(super) fn run(arguments: &ReplayCheckArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let path = arguments.ledger.resolve(world);
    let check = ReplayCheck {
        scenario_id: &arguments.scenario_id,
        action: &arguments.action,
        directive_id: &arguments.directive_id,
        source: &arguments.source,
        expected_result_status: &arguments.expected_result_status,
        timeout: timeout(arguments.timeout_profile.map(Into::into), arguments.wait_seconds, arguments.poll_interval),
    };
    let checked = replay_check::prepare(&check, world.around).and_then(|seeds| {
        let mut ledger = said::open(&path, &arguments.source)?;
        let mut node = arguments.with_nodes.then(|| Node::new(NodeKind::Simulation, "simulation-1", true));
        let mut means = Means {
            waiting: &mut RealTime::start(),
            metrics: &of_ledger,
            nodes: &mut |ledger, around| match &mut node {
                Some(node) => node.tick(ledger, around).map(|_| ()),
                None => Ok(()),
            },
        };
        replay_check::run(&check, seeds, &mut ledger, world.around, &mut means)
    });
    said::settle(checked, world, |checked, world| {
        match arguments.format {
            Format::Json => writeln!(world.out, "{}", checked.result.to_line())?,
            Format::Text => {
                let keys = ["status", "scenario_id", "directive_id"];
                said::line(world.out, &said::members(&checked.result, &keys), &keys)?;
                said::check_lines(world.out, said::checks(&checked.result))?;
            }
        }
        if let Some(reason) = checked.result.get("payload.failure_reason").and_then(|reason| reason.as_str()) {
            let help = match reason {
                ROWS_UNREADABLE => "landfall ledger check counts them",
                _ => "a simulation node must run: landfall cluster up, or --with-nodes",
            };
            writeln!(world.err, "landfall: {reason}; {help}")?;
        }
        Ok(if checked.passed() { Exit::Pass } else { Exit::Blocked })
    })
}
