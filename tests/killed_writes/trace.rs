//! Runs the binary and kills it at the very moment when it is about to write.
//!
//! The kernel stops a traced process before each system call. Whatever makes, fills, names, flushes or removes a file
//! counts as a write, standard output too; killed there, the call does not happen. A test counts up from the first
//! write until the run comes to its end by itself, so no write is left out, those of libraries among them.

use crate::start::{stopped, traced};
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::path::Path;

/// How a run ended that was to be killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It was killed before that write.
    Killed,
    /// It had no such write, and ended by itself.
    Exited(i32),
}

/// Runs the binary in `folder` and kills it before its write number `write`, from 0. What it says goes into `said`.
pub(crate) fn killed_before(write: usize, arguments: &[&str], folder: &Path, said: &Path) -> Ended {
    let options = Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_TRACESYSGOOD;
    let mut command = stopped(env!("CARGO_BIN_EXE_landfall"), arguments);
    let first = traced(command.current_dir(folder).stdout(std::fs::File::create(said).expect("a file")), options);
    let (mut left, mut is_ours) = (write, false);
    loop {
        // Of this thread alone: another test traces its own runs.
        let status = waitpid(None, Some(WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD)).expect("the traced run can be waited for");
        let going_on = match status {
            WaitStatus::Exited(pid, exit) if pid == first => return Ended::Exited(exit),
            WaitStatus::Signaled(pid, Signal::SIGKILL, _) if pid == first => return Ended::Killed,
            WaitStatus::Signaled(pid, signal, _) if pid == first => panic!("it was killed by {signal}"),
            WaitStatus::PtraceSyscall(pid) => {
                if is_ours && is_about_to_write(pid) {
                    if left == 0 {
                        kill(first, Signal::SIGKILL).expect("it is killed");
                        is_ours = false;
                        continue;
                    }
                    left -= 1;
                }
                ptrace::syscall(pid, None)
            }
            WaitStatus::PtraceEvent(pid, _, event) => {
                is_ours |= event == ptrace::Event::PTRACE_EVENT_EXEC as i32;
                ptrace::syscall(pid, None)
            }
            WaitStatus::Stopped(pid, Signal::SIGSTOP | Signal::SIGTRAP | Signal::SIGCONT) => ptrace::syscall(pid, None),
            WaitStatus::Stopped(pid, signal) => ptrace::syscall(pid, signal),
            _ => Ok(()),
        };
        // A thread may be gone by the time it is told to go on.
        assert!(matches!(going_on, Ok(()) | Err(nix::Error::ESRCH)), "{going_on:?}");
    }
}

/// Whether a stopped thread is on its way into a call that changes a file; not on its way out of one.
fn is_about_to_write(pid: Pid) -> bool {
    let Ok(registers) = ptrace::getregs(pid) else { return false };
    // Until the call has been made, its answer is this one.
    if registers.rax.cast_signed() != -i64::from(libc::ENOSYS) {
        return false;
    }
    let makes = |flags: u64| flags & u64::from(libc::O_CREAT.cast_unsigned()) != 0;
    match registers.orig_rax.cast_signed() {
        libc::SYS_open => makes(registers.rsi),
        libc::SYS_openat => makes(registers.rdx),
        libc::SYS_write
        | libc::SYS_pwrite64
        | libc::SYS_writev
        | libc::SYS_pwritev
        | libc::SYS_ftruncate
        | libc::SYS_fallocate
        | libc::SYS_fsync
        | libc::SYS_fdatasync
        | libc::SYS_chmod
        | libc::SYS_fchmod
        | libc::SYS_fchmodat
        | libc::SYS_rename
        | libc::SYS_renameat
        | libc::SYS_renameat2
        | libc::SYS_link
        | libc::SYS_linkat
        | libc::SYS_symlink
        | libc::SYS_symlinkat
        | libc::SYS_unlink
        | libc::SYS_unlinkat
        | libc::SYS_mkdir
        | libc::SYS_mkdirat
        | libc::SYS_rmdir
        | libc::SYS_copy_file_range
        | libc::SYS_sendfile => true,
        _ => false,
    }
}
