//! No command starts a process: shown by tracing it, not by a comment.
//!
//! The built binary runs under `ptrace`; the kernel reports every fork and every program that is
//! started, of it and of all its threads. Linux only; elsewhere the target has no test and says so.
#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "this test is about processes, and waits for them as a tracer does")]

#[path = "traced/start.rs"]
mod start;

use clap::CommandFactory;
use landfall::cli::Arguments;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::path::Path;

/// What the kernel told of a run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Traced {
    /// Programs started, the first by the tracer itself.
    programs: u32,
    /// Processes forked; threads are none.
    processes: u32,
    /// How the first process ended.
    exit: i32,
}

/// Runs a program under trace, in `folder`.
fn trace(program: &str, arguments: &[&str], folder: &Path) -> Traced {
    let options = Options::PTRACE_O_TRACEFORK | Options::PTRACE_O_TRACEVFORK | Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_TRACEEXEC;
    let first = start::traced(start::stopped(program, arguments).current_dir(folder).env("LANDFALL_LEDGER", "loop.db"), options);
    let mut traced = Traced::default();
    loop {
        let status = waitpid(None, Some(WaitPidFlag::__WALL)).expect("the traced run can be waited for");
        let going_on = match status {
            WaitStatus::Exited(pid, exit) if pid == first => {
                traced.exit = exit;
                return traced;
            }
            WaitStatus::Signaled(pid, signal, _) if pid == first => panic!("{program} was killed by {signal}"),
            WaitStatus::PtraceEvent(pid, _, event) => {
                count(event, pid, &mut traced);
                ptrace::cont(pid, None)
            }
            WaitStatus::Stopped(pid, Signal::SIGSTOP | Signal::SIGTRAP | Signal::SIGCONT) => ptrace::cont(pid, None),
            WaitStatus::Stopped(pid, signal) => ptrace::cont(pid, signal),
            _ => Ok(()),
        };
        // A thread may be gone by the time it is told to go on.
        assert!(matches!(going_on, Ok(()) | Err(nix::Error::ESRCH)), "{going_on:?}");
    }
}

fn count(event: i32, pid: Pid, traced: &mut Traced) {
    const FORK: i32 = ptrace::Event::PTRACE_EVENT_FORK as i32;
    const VFORK: i32 = ptrace::Event::PTRACE_EVENT_VFORK as i32;
    const CLONE: i32 = ptrace::Event::PTRACE_EVENT_CLONE as i32;
    const EXEC: i32 = ptrace::Event::PTRACE_EVENT_EXEC as i32;
    match event {
        EXEC => traced.programs += 1,
        FORK | VFORK => traced.processes += 1,
        CLONE => {
            let new = ptrace::getevent(pid).expect("the kernel names what was cloned");
            let status = std::fs::read_to_string(format!("/proc/{new}/status")).unwrap_or_default();
            let group = status.lines().find_map(|line| line.strip_prefix("Tgid:")).map(str::trim);
            // A thread belongs to another's group.
            traced.processes += u32::from(group == Some(new.to_string().as_str()));
        }
        _ => {}
    }
}

/// The only test that starts something, since it waits for any child of this process.
#[test]
fn no_command_starts_a_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let forks = trace("sh", &["-c", "true & wait; exit 3"], folder.path());
    assert_eq!(forks, Traced { programs: 1, processes: 1, exit: 3 }, "the trace sees a process that is started");
    let execs = trace("sh", &["-c", "env true"], folder.path());
    assert!(execs.programs >= 2, "the trace sees a program that is started: {execs:?}");
    let out = folder.path().join("out").display().to_string();
    let commands: &[(&[&str], i32)] = &[(&["replay", "--out", &out], 0), (&["check-corpus"], 0), (&["explain"], 0)];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (arguments, exit) in commands {
        starts_nothing(arguments, *exit, root);
    }
    for (line, exit) in LEDGER_COMMANDS {
        starts_nothing(&line.split(' ').collect::<Vec<_>>(), *exit, folder.path());
    }
}

fn starts_nothing(arguments: &[&str], exit: i32, folder: &Path) {
    let traced = trace(env!("CARGO_BIN_EXE_landfall"), arguments, folder);
    assert_eq!(traced, Traced { programs: 1, processes: 0, exit }, "{arguments:?}");
}

/// Every command over a ledger, in the order of a walk over one, and how it ends.
const LEDGER_COMMANDS: &[(&str, i32)] = &[
    ("ledger show", 3),
    ("loop seed directive --directive-id d1", 0),
    ("loop seed scenario --scenario-id s1", 0),
    ("loop seed trail", 0),
    ("loop publish evidence --directive-id d1", 0),
    ("loop run nodes --once", 0),
    ("loop publish evidence --directive-id d1", 0),
    ("loop bridge", 0),
    ("loop publish scenarios", 0),
    ("loop run replay-check --with-nodes --scenario-id replay-d1 --directive-id r1", 0),
    ("loop publish execution-evidence", 0),
    ("loop run replay-check --scenario-id s1 --directive-id r2 --wait-seconds 0.1", 1),
    ("loop build proposal", 0),
    ("loop build approval --proposal-id replay-retry-349f847a54dd6077 --approved-by op-ana", 0),
    ("loop build plan", 0),
    ("loop build rendered_command --proposal-id replay-retry-349f847a54dd6077 --scenario-id s1 --new-directive-id r3", 0),
    ("loop run rendered", 0),
    ("loop build eligibility", 0),
    ("loop run plans", 0),
    ("loop inspect --proposal-id replay-retry-349f847a54dd6077 --require-complete --require-sound", 0),
    ("loop observe governance", 0),
    ("loop readiness runner", 0),
    ("loop smoke governance", 0),
    ("loop smoke governance --require-clean", 1),
    ("loop smoke runtime", 0),
    ("loop run controlled --allow-controlled-execution --mock-execution", 0),
    ("loop run controlled --real-execution", 0),
    ("loop build real_execution_preflight --allow-missing-real-execution-request", 0),
    ("loop build real_execution_approval", 0),
    ("loop observe controlled", 0),
    ("loop readiness execution", 0),
    ("loop metrics", 0),
    ("loop brief", 0),
    ("loop build no_such_type", 2),
    ("loop build approval --proposal-id none --approved-by op-ana", 4),
    ("ledger show", 0),
    ("ledger check", 0),
    ("ledger export exported.jsonl", 0),
    ("ledger import exported.jsonl --db-path other.db", 0),
    ("ledger merge loop.db other.db", 0),
    ("cluster profiles", 0),
    ("cluster up --duration 1 --start-delay-seconds 0", 0),
    ("cluster status", 0),
    ("cluster logs", 0),
    ("cluster memory-query", 0),
    ("cluster memory-replay-query", 0),
    ("cluster memory-replay-smoke --explorer-result none.json", 3),
    ("cluster memory-replay-latest", 0),
    ("cluster latest-artifacts", 0),
    ("cluster latest-artifacts-cleanup", 0),
    ("ledger check", 0),
];

/// Commands that do start a process, the program that confines itself first: `tests/guarded_process` is about them.
const STARTERS: &[&str] =
    &["loop run noop", "loop run read-only", "loop run repair-noop", "loop run repair", "loop run post-repair", "loop smoke golden-path"];

#[test]
fn the_table_has_every_command_over_a_ledger() {
    let mut open: Vec<_> = Arguments::command()
        .get_subcommands()
        .filter(|command| ["loop", "ledger", "cluster"].contains(&command.get_name()))
        .map(|command| (command.get_name().to_owned(), command.clone()))
        .collect();
    assert_eq!(open.len(), 3);
    while let Some((path, command)) = open.pop() {
        let mut below = command.get_subcommands().map(|below| (format!("{path} {}", below.get_name()), below.clone())).peekable();
        if below.peek().is_none() {
            let traced = LEDGER_COMMANDS.iter().any(|(line, _)| *line == path || line.starts_with(&format!("{path} ")));
            assert!(traced != STARTERS.contains(&path.as_str()), "`{path}` is traced here, or else named among the starters");
        }
        open.extend(below);
    }
}
