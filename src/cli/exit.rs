//! Exit codes, and how a command ends.

use super::World;
use std::io;

/// How a command ended; the number is the process's exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Everything that was asked was judged and accepted.
    Pass = 0,
    /// Something was read and refused.
    Blocked = 1,
    /// The arguments make no sense.
    Usage = 2,
    /// Could not work: no such folder, disk full.
    CouldNotWork = 3,
    /// Nothing was selected: no case file, empty input, a filter without a match.
    NothingSelected = 4,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not give a verdict.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// The arguments make no sense together.
    #[error("{0}")]
    Usage(String),
    /// What to do next stands behind the semicolon.
    #[error("{0}")]
    Failed(String),
    /// The result could not be written out.
    #[error("could not write the result: {0}")]
    Output(#[from] io::Error),
}

/// Turns trouble into a message on standard error and its exit code.
pub(super) fn settle(ended: Result<Exit, Trouble>, world: &mut World<'_>) -> Exit {
    let (exit, trouble) = match ended {
        Ok(exit) => match world.out.flush() {
            Ok(()) => return exit,
            Err(error) => (Exit::CouldNotWork, Trouble::Output(error)),
        },
        Err(trouble @ Trouble::Usage(_)) => (Exit::Usage, trouble),
        Err(trouble) => (Exit::CouldNotWork, trouble),
    };
    // A reader that has gone away wants no message; nobody is left to read a failure to write one.
    if !matches!(&trouble, Trouble::Output(error) if error.kind() == io::ErrorKind::BrokenPipe) {
        let _ = writeln!(world.err, "landfall: {trouble}");
    }
    exit
}

/// Prints clap's own message and gives its exit code: help and version are a pass. The message may
/// quote an argument, and an argument may be a file's name: what drives a terminal is taken out.
pub(super) fn of_clap(error: &clap::Error, world: &mut World<'_>) -> Exit {
    let drives = |character: char| character != '\n' && crate::landing::row::is_unprintable(character);
    let text = error.render().to_string().replace(drives, "?");
    let (out, exit): (&mut dyn io::Write, Exit) = if error.use_stderr() { (world.err, Exit::Usage) } else { (world.out, Exit::Pass) };
    match write!(out, "{text}") {
        Ok(()) => exit,
        Err(_) => exit.max(Exit::CouldNotWork),
    }
}
