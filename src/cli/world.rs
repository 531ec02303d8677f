//! What a command gets from the process: its root, its streams.
#![expect(clippy::disallowed_methods, reason = "the one place that asks the process for its folder and arguments")]

use super::Exit;
use crate::edge::process::{GuardedStarter, host};
use crate::edge::surroundings::Real;
use crate::execution::start::{Host, Starter};
use crate::ledger::Surroundings;
use std::ffi::OsString;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// What a command works with.
pub struct World<'w> {
    /// Relative paths are below this folder.
    pub root: PathBuf,
    /// Results.
    pub out: &'w mut dyn Write,
    /// Talk.
    pub err: &'w mut dyn Write,
    /// Standard input.
    pub input: &'w mut (dyn Read + Send),
    /// The clock and the generator, for commands that publish.
    pub around: &'w mut dyn Surroundings,
    /// Makes processes, for the five runners.
    pub starter: &'w mut dyn Starter,
    /// The program that they start, and the environment that it may see a little of.
    pub host: fn() -> std::io::Result<Host>,
    /// The `LANDFALL_LEDGER` variable.
    pub ledger_variable: Option<OsString>,
    /// The other variables, by name; none in tests that set none.
    pub variables: fn(&str) -> Option<String>,
}

impl World<'_> {
    /// `path` below the root.
    pub fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// A variable of the environment that is text.
    pub fn variable(&self, name: &str) -> Option<String> {
        (self.variables)(name)
    }
}

/// Runs `command` with the process's own streams and current folder.
pub(super) fn with_process(command: impl FnOnce(&mut World<'_>, Vec<OsString>) -> Exit) -> std::process::ExitCode {
    let root = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    with_streams(root, |world| command(world, std::env::args_os().collect()))
}

/// Runs `command` with the process's own streams below `root`; xtask comes in here.
pub(crate) fn with_streams(root: PathBuf, command: impl FnOnce(&mut World<'_>) -> Exit) -> std::process::ExitCode {
    // Colour only on a terminal and never with NO_COLOR: anstream strips it otherwise.
    let mut out = BufWriter::with_capacity(64 << 10, anstream::AutoStream::auto(std::io::stdout()));
    let mut err = anstream::AutoStream::auto(std::io::stderr());
    let mut input = std::io::stdin();
    let ledger_variable = std::env::var_os("LANDFALL_LEDGER").filter(|path| !path.is_empty());
    let variables = |name: &str| std::env::var(name).ok();
    let exit = command(&mut World {
        root,
        out: &mut out,
        err: &mut err,
        input: &mut input,
        around: &mut Real,
        starter: &mut GuardedStarter,
        host,
        ledger_variable,
        variables,
    });
    if out.flush().is_err() && exit == Exit::Pass {
        return Exit::CouldNotWork.into();
    }
    exit.into()
}

impl World<'_> {
    /// Runs `command` with the process's streams below `root`.
    pub fn run(root: PathBuf, command: impl FnOnce(&mut World<'_>) -> Exit) -> std::process::ExitCode {
        with_streams(root, command)
    }
}
