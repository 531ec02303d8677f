//! One scenario, run in a folder of its own.

use super::actor::{self, Actor};
use super::scenarios::{Scenario, Step};
use clap::Parser;
use landfall::cli::{self, Arguments, World};
use landfall::edge::ledger::LedgerFile;
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Ledger, Select};
use std::error::Error;
use std::io;
use std::path::Path;
use xshell::Shell;

/// The ledger, below the scenario's folder.
const LEDGER: &str = "ledger.db";
/// When every scenario begins, in seconds since 1970.
pub(super) const START: f64 = 1_700_000_000.0;
/// What passes between two looks at the clock, in seconds.
pub(super) const STEP: f64 = 0.5;

/// Runs a scenario's commands and gives every live record in state order, one a line.
pub(super) fn record(scenario: &Scenario) -> Result<String, Box<dyn Error>> {
    let shell = Shell::new()?;
    let scratch = shell.create_temp_dir()?;
    let folder = scratch.path();
    // One clock and one generator for all its commands, as one machine has.
    let mut around = Scripted::new(START, STEP);
    for step in scenario.steps {
        take(step, folder, &mut around).map_err(|error| format!("{}: landfall {}: {error}", scenario.name, step.line))?;
    }
    let mut lines = String::new();
    LedgerFile::open_to_read(&folder.join(LEDGER))?.each(Select::default(), &mut |entry| {
        lines.push_str(&entry.payload);
        lines.push('\n');
        Ok(())
    })?;
    refuse_host_paths(&lines, folder).map_err(|error| format!("{}: {error}", scenario.name))?;
    Ok(lines)
}

fn take(step: &Step, folder: &Path, around: &mut Scripted) -> Result<(), Box<dyn Error>> {
    let words = ["landfall"].into_iter().chain(step.line.split(' ')).chain(["--db-path", LEDGER]);
    let arguments = Arguments::try_parse_from(words)?;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = cli::run(&arguments.command, &mut at(folder, around, &mut Actor, &mut out, &mut err, &mut io::empty())) as u8;
    if exit != step.exit {
        let said = String::from_utf8_lossy(&err);
        return Err(format!("it ended with {exit}, where {} is expected: {}", step.exit, said.trim()).into());
    }
    Ok(())
}

/// The world of a recorded command: nothing in it is of this machine but the folder.
pub(super) fn at<'w>(
    folder: &Path,
    around: &'w mut Scripted,
    starter: &'w mut Actor,
    out: &'w mut Vec<u8>,
    err: &'w mut Vec<u8>,
    input: &'w mut io::Empty,
) -> World<'w> {
    let root = folder.to_owned();
    World { root, out, err, input, around, starter, host: actor::host, ledger_variable: None, variables: |_| None }
}

/// No record may carry a path of the machine it was made on.
fn refuse_host_paths(lines: &str, folder: &Path) -> Result<(), Box<dyn Error>> {
    for leak in [folder.display().to_string(), folder.canonicalize()?.display().to_string()] {
        if lines.contains(&leak) {
            return Err("a record carries the scenario's own folder; no host path may be recorded".into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(steps: &'static [Step]) -> String {
        record(&Scenario { name: "s", steps }).expect_err("it cannot be recorded").to_string()
    }

    #[test]
    fn a_command_that_ends_otherwise_is_no_recording() {
        let told = failure(&[Step { exit: 1, line: "loop seed directive --directive-id d" }]);
        assert!(told.starts_with("s: landfall loop seed directive --directive-id d: it ended with 0, where 1 is expected"), "{told}");
        assert!(failure(&[Step { exit: 0, line: "loop no-such-verb" }]).starts_with("s: landfall loop no-such-verb: "));
        assert!(!failure(&[]).is_empty(), "a scenario without a command has no ledger");
    }

    #[test]
    fn a_path_of_this_machine_is_refused() {
        let shell = Shell::new().expect("a current folder is there");
        let folder = shell.create_temp_dir().expect("a temporary folder can be made");
        let line = format!("{{\"reason\":\"see {}\"}}\n", folder.path().display());
        assert!(refuse_host_paths(&line, folder.path()).is_err());
        assert!(refuse_host_paths("{}\n", folder.path()).is_ok());
    }
}
