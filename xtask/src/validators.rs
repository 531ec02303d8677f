//! The step of `ci` that lets other people's validators read the committed reports.
//!
//! They are Python libraries that landfall had no part in. `.ci/run` installs them into a folder of its own and
//! names its interpreter in `LANDFALL_VALIDATORS`; elsewhere the plain `python3` is asked for what it has. What is
//! not installed is said to be skipped, with what it leaves unchecked; where the interpreter was named, everything
//! must be there.

use std::error::Error;
use xshell::{Shell, cmd};

/// The variable that names a Python with the validators.
const VARIABLE: &str = "LANDFALL_VALIDATORS";

/// Runs the validators that are installed.
pub(crate) fn run(shell: &Shell) -> Result<(), Box<dyn Error>> {
    let named = std::env::var(VARIABLE).ok().filter(|python| !python.is_empty());
    let there = |python: &str| cmd!(shell, "{python} --version").quiet().ignore_stdout().ignore_stderr().run().is_ok();
    match named {
        Some(python) if !there(&python) => Err(format!("{VARIABLE} names no Python that runs").into()),
        // A validator that was installed and has vanished is a fault; one that nobody promised is a gap.
        Some(python) => Ok(cmd!(shell, "{python} -B tests/report/validate.py --all").run()?),
        None if !there("python3") => {
            println!("SKIPPED: no python3; no report was read by a foreign validator");
            Ok(())
        }
        None => Ok(cmd!(shell, "python3 -B tests/report/validate.py").run()?),
    }
}
