//! One run: made, watched, cleared up.

use super::sweep::Sweep;
use super::tap::Taps;
use crate::execution::start::{Confinement, Ended, Enforced, Start, StartError, TIMED_OUT};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long nothing is looked at while the child is silent.
const GLANCE: Duration = Duration::from_millis(10);
/// How long clearing up may take; what resists a hard kill for so long is said to be left behind.
const CLEARING: Duration = Duration::from_millis(1200);
/// How long the rest of the output is waited for when everything that could write it is gone.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Why watching ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Exited,
    Deadline,
    OutputLimit,
}

/// Makes the process that `start` describes and returns when nothing of it is left.
pub(super) fn run(start: &Start) -> Result<Ended, StartError> {
    let mut sweep = Sweep::prepare();
    let no_new_privileges = no_new_privileges();
    let begun = Instant::now();
    let mut child = spawn(start).map_err(|error| StartError::NotStarted(error.to_string()))?;
    let pid = Pid::from_child(&child);
    sweep.follow(pid);
    let mut taps = Taps::of(&mut child, start.marker(), start.requested().is_any());

    let why = watch(pid, &mut taps, begun, Duration::from_secs_f64(start.deadline()));
    let left_behind = clear(pid, &mut sweep);
    let last = Instant::now() + LAST_WORDS;
    while !taps.ended() && !taps.exceeded() && Instant::now() < last {
        taps.drain(GLANCE);
    }
    let status = reap(&mut child, pid)?;
    let output_limit_exceeded = taps.exceeded();
    let (out, err, report) = taps.finish();
    let mut enforced = report.unwrap_or_else(Enforced::nothing);
    enforced.no_new_privileges |= no_new_privileges;
    let timed_out = why == Why::Deadline;
    Ok(Ended {
        exit_code: if timed_out { TIMED_OUT } else { exit_code(status) },
        timed_out,
        output_limit_exceeded,
        stdout_tail: out.tail,
        stderr_tail: err.tail,
        stdout_truncated: out.truncated,
        stderr_truncated: err.truncated,
        marker_seen: out.marker_seen,
        duration_seconds: begun.elapsed().as_secs_f64(),
        strays: sweep.strays(),
        left_behind,
        confinement: Confinement { requested: start.requested().clone(), enforced },
    })
}

fn spawn(start: &Start) -> std::io::Result<Child> {
    // Whatever else is open here closes when the program is entered. Nothing of ours is meant to be inherited.
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    Command::new(start.program())
        .args(start.arguments())
        .env_clear()
        .envs(start.environment().iter().map(|(key, value)| (key, value)))
        .current_dir(start.folder())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
}

/// Takes from this thread, and so from the child, the right to gain privileges by a program's set-user-id bit.
fn no_new_privileges() -> bool {
    #[cfg(target_os = "linux")]
    return rustix::thread::set_no_new_privs(true).is_ok();
    #[cfg(not(target_os = "linux"))]
    false
}

fn watch(pid: Pid, taps: &mut Taps, begun: Instant, deadline: Duration) -> Why {
    loop {
        let left = deadline.saturating_sub(begun.elapsed());
        taps.drain(GLANCE.min(left));
        if taps.exceeded() {
            return Why::OutputLimit;
        }
        if has_exited(pid) {
            return Why::Exited;
        }
        if left.is_zero() {
            return Why::Deadline;
        }
    }
}

/// Kills the group and everything that descends from the child. The child is not reaped before, so that its number
/// cannot belong to another process or group meanwhile.
fn clear(pid: Pid, sweep: &mut Sweep) -> Option<u32> {
    let until = Instant::now() + CLEARING;
    let mut clean_rounds = 0;
    loop {
        // Fails when nobody is left to kill.
        let _ = kill_process_group(pid, Signal::KILL);
        let alive = sweep.round();
        let exited = has_exited(pid);
        // One clean look may have passed by a process while it changed hands; two in a row have not.
        clean_rounds = if exited && alive.unwrap_or(0) == 0 { clean_rounds + 1 } else { 0 };
        if clean_rounds == 2 {
            return alive;
        }
        if Instant::now() >= until {
            return Some(alive.unwrap_or(0) + u32::from(!exited));
        }
        sleep(Duration::from_millis(1));
    }
}

fn has_exited(pid: Pid) -> bool {
    let looks = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error means that there is no such child any more.
    !matches!(waitid(WaitId::Pid(pid), looks), Ok(None) | Err(rustix::io::Errno::INTR))
}

/// `None` when the child resists even a hard kill: waiting for it could take for ever.
fn reap(child: &mut Child, pid: Pid) -> Result<Option<ExitStatus>, StartError> {
    if !has_exited(pid) {
        return Ok(None);
    }
    child.wait().map(Some).map_err(|error| StartError::Lost(error.to_string()))
}

fn exit_code(status: Option<ExitStatus>) -> i32 {
    const KILLED: i32 = 128 + 9;
    let of = |status: ExitStatus| status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    status.and_then(of).unwrap_or(KILLED)
}
