//! The fixed programs that landfall starts of itself. Hidden: nobody types them.
//!
//! Each confines itself first of all and says so in its first line; the starter takes that line out.

use super::exit::Trouble;
use super::{Arguments, Exit, World};
use crate::edge::confine::confine;
use crate::execution::harness::reply::{self, NOOP_MARKER, REPAIR_NOOP_MARKER, Reply, WordsError};
use crate::execution::start::Requested;
use clap::{Args, Parser, Subcommand};

/// The fixed programs.
#[derive(Debug, Subcommand)]
pub enum HarnessChild {
    /// Print the marker of the noop harness
    #[command(hide = true, disable_help_flag = true)]
    Noop {
        /// The marker
        word: String,
    },
    /// Print the marker of the repair noop harness
    #[command(hide = true, disable_help_flag = true)]
    RepairNoop {
        /// The marker
        word: String,
    },
    /// Name each target as completed; change nothing
    #[command(hide = true, disable_help_flag = true)]
    GuardedRepair {
        /// The targets
        #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
        targets: Vec<String>,
    },
    /// Compare the targets that were to be repaired with those that are said to be
    #[command(hide = true, disable_help_flag = true)]
    PostRepairEvidence {
        /// An object with the lists `expected` and `completed`
        #[arg(allow_hyphen_values = true)]
        lists: String,
    },
    /// Check that evidence followed, with the five options that the allowlist knows
    #[command(hide = true, disable_help_flag = true)]
    ReadOnlyCheck(ReadOnlyCheckArguments),
}

/// The five options, all required.
#[derive(Debug, Args)]
pub struct ReadOnlyCheckArguments {
    #[arg(long, allow_hyphen_values = true)]
    scenario_id: String,
    #[arg(long, allow_hyphen_values = true)]
    action: String,
    #[arg(long, allow_hyphen_values = true)]
    directive_id: String,
    #[arg(long, allow_hyphen_values = true)]
    timeout_profile: String,
    #[arg(long, allow_hyphen_values = true)]
    db_path: String,
}

impl ReadOnlyCheckArguments {
    /// The command line of landfall's own evidence check.
    fn words(&self) -> Vec<String> {
        let options = [
            ("--scenario-id", &self.scenario_id),
            ("--action", &self.action),
            ("--directive-id", &self.directive_id),
            ("--timeout-profile", &self.timeout_profile),
            ("--db-path", &self.db_path),
        ];
        let check = ["landfall", "loop", "run", "replay-check"].map(str::to_owned);
        // In one word each, so that no value is taken for an option.
        check.into_iter().chain(options.into_iter().map(|(option, value)| format!("{option}={value}"))).collect()
    }
}

pub(super) fn run(child: &HarnessChild, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let requested = match child {
        HarnessChild::ReadOnlyCheck(_) => Requested::in_folder(),
        _ => Requested::alone(),
    };
    writeln!(world.out, "{}", confine(&requested).report())?;
    // At once: whoever is killed later has said it all the same.
    world.out.flush()?;
    let reply = match child {
        HarnessChild::Noop { word } => reply::noop(word, NOOP_MARKER),
        HarnessChild::RepairNoop { word } => reply::noop(word, REPAIR_NOOP_MARKER),
        HarnessChild::GuardedRepair { targets } => reply::guarded_repair(targets),
        HarnessChild::PostRepairEvidence { lists } => reply::post_repair_evidence(lists),
        HarnessChild::ReadOnlyCheck(arguments) => return evidence_check(arguments, world),
    };
    say(reply, world)
}

fn say(reply: Result<Reply, WordsError>, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let reply = reply.map_err(|error| Trouble::Usage(error.to_string()))?;
    world.out.write_all(reply.text.as_bytes())?;
    Ok(if reply.passed { Exit::Pass } else { Exit::Blocked })
}

/// The evidence check is landfall's own command, with the same options; it is what anybody may run by hand.
fn evidence_check(arguments: &ReadOnlyCheckArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match Arguments::try_parse_from(arguments.words()) {
        Ok(arguments) => Ok(super::run(&arguments.command, world)),
        Err(error) => Ok(super::exit::of_clap(&error, world)),
    }
}
