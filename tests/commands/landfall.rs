//! The built binary, run with arguments.
#![expect(clippy::disallowed_methods, reason = "these tests are about a process")]

use crate::process::{Ran, run};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Nothing here takes long; on a busy machine everything does.
const LIMIT: Duration = Duration::from_secs(60);

/// A run of the binary, to be started.
pub(crate) struct Landfall {
    command: Command,
    input: Vec<u8>,
}

/// The binary with these arguments, in the repository's root.
pub(crate) fn landfall(arguments: &[&str]) -> Landfall {
    of(Command::new(env!("CARGO_BIN_EXE_landfall")), arguments)
}

/// The same, and no more than `kib` KiB of address space beside what the program itself takes.
///
/// Linux alone keeps a process to that; elsewhere the same inputs are judged without the bound.
pub(crate) fn landfall_within(kib: u64, arguments: &[&str]) -> Landfall {
    if !cfg!(target_os = "linux") {
        return landfall(arguments);
    }
    of(bounded(program_kib() + kib), arguments)
}

fn bounded(kib: u64) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {kib}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_landfall")]);
    // The C library reserves 64 MiB of addresses for each thread's arena, used or not.
    command.env("MALLOC_ARENA_MAX", "1");
    command
}

/// The address space that the program takes to say its version, in KiB: its code differs from build to build.
fn program_kib() -> u64 {
    static PROGRAM: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *PROGRAM.get_or_init(|| {
        let starts = |kib: &u64| bounded(*kib).arg("--version").output().is_ok_and(|output| output.status.success());
        (8..512).map(|mib| mib << 10).find(starts).expect("half a GiB is enough to say a version")
    })
}

fn of(mut command: Command, arguments: &[&str]) -> Landfall {
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    Landfall { command, input: Vec::new() }
}

impl Landfall {
    /// One more argument.
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// An option and its value.
    pub(crate) fn with(self, option: &str, value: impl AsRef<OsStr>) -> Self {
        self.arg(option).arg(value)
    }

    /// In another folder.
    pub(crate) fn at(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// A variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Standard input.
    pub(crate) fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Ran {
        run(self.command, &self.input, LIMIT)
    }

    /// Runs it to its end, which must be this exit code.
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Ran {
        self.run().ends_with(code)
    }
}
