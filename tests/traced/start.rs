//! Starts a program under `ptrace`, so that the kernel tells of it from its first instruction on.

use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::process::{Command, Stdio};

/// A shell that stops itself and then becomes `program`: nothing of the program runs before it is traced.
pub(crate) fn stopped(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "kill -STOP $$; exec \"$0\" \"$@\"", program]).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts what [`stopped`] made, traces it for what `options` name, and lets it go on. It is gone when the test is.
#[expect(clippy::zombie_processes, reason = "whoever traces waits for it by `waitpid`, and for whatever it starts")]
pub(crate) fn traced(command: &mut Command, options: Options) -> Pid {
    let child = command.spawn().expect("the shell starts");
    let first = Pid::from_raw(i32::try_from(child.id()).expect("a process id"));
    let stopped = waitpid(first, Some(WaitPidFlag::WUNTRACED)).expect("the shell stops");
    assert_eq!(stopped, WaitStatus::Stopped(first, Signal::SIGSTOP));
    ptrace::seize(first, options | Options::PTRACE_O_EXITKILL).expect("the kernel lets us trace our own child");
    kill(first, Signal::SIGCONT).expect("it goes on");
    first
}
