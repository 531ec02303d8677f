//! Stands where the five runners start landfall itself: answers as the fixed programs do, by the very functions that
//! they answer with, and starts nothing. So a run is recorded without what differs from machine to machine: how long it
//! took, and what the kernel enforced, which is nothing here and recorded as that.

use super::recording::{START, STEP, at};
use clap::Parser;
use landfall::cli::{self, Arguments};
use landfall::execution::harness::reply::{self, Reply, WordsError};
use landfall::execution::start::{Confinement, Ended, Enforced, Host, Refusal, Start, StartError, Starter};
use landfall::ledger::surroundings::Scripted;
use std::io;
use std::path::{Path, PathBuf};

/// How long every run takes, in seconds.
const TAKES: f64 = 0.25;

/// The program as records name it, and an environment of which a few keys pass.
pub(super) fn host() -> io::Result<Host> {
    let environment = [("PATH", "/usr/bin:/bin"), ("LANG", "C"), ("TZ", "UTC"), ("HOME", "/nowhere")];
    let environment = environment.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    Ok(Host { program: "/usr/bin/landfall".into(), environment })
}

/// The starter of recordings.
#[derive(Debug)]
pub(super) struct Actor;

impl Starter for Actor {
    fn folder(&mut self, configured: &Path) -> Result<PathBuf, Refusal> {
        Ok(configured.to_owned())
    }

    fn start(&mut self, start: &Start) -> Result<Ended, StartError> {
        let words: Vec<_> = start.arguments().iter().map(String::as_str).collect();
        let said = match words.as_slice() {
            ["noop" | "repair-noop", word] => Said::of(reply::noop(word, start.marker().unwrap_or_default())),
            ["guarded-repair", ..] => Said::of(reply::guarded_repair(&start.arguments()[1..])),
            ["post-repair-evidence", lists] => Said::of(reply::post_repair_evidence(lists)),
            ["read-only-check", options @ ..] => evidence_check(options, start.folder()),
            _ => Err(format!("no part is written for {words:?}")),
        };
        let said = said.map_err(StartError::NotStarted)?;
        let marker_seen = start.marker().is_some_and(|marker| said.out.contains(marker));
        Ok(Ended {
            exit_code: said.exit_code,
            timed_out: false,
            output_limit_exceeded: false,
            stdout_tail: said.out,
            stderr_tail: said.err,
            stdout_truncated: false,
            stderr_truncated: false,
            marker_seen,
            duration_seconds: TAKES,
            strays: 0,
            left_behind: Some(0),
            confinement: Confinement { requested: start.requested().clone(), enforced: Enforced::nothing() },
        })
    }
}

/// What a program says, and how it ends.
struct Said {
    out: String,
    err: String,
    exit_code: i32,
}

impl Said {
    fn of(reply: Result<Reply, WordsError>) -> Result<Self, String> {
        let reply = reply.map_err(|error| error.to_string())?;
        Ok(Self { out: reply.text, err: String::new(), exit_code: i32::from(!reply.passed) })
    }
}

/// The evidence check itself, in the workspace, over a ledger and a clock of its own. Nobody answers it, so its patience
/// would only cost time.
fn evidence_check(options: &[&str], folder: &Path) -> Result<Said, String> {
    let words = ["landfall", "loop", "run", "replay-check", "--wait-seconds", "0"].into_iter().chain(options.iter().copied());
    let arguments = Arguments::try_parse_from(words).map_err(|error| error.to_string())?;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut around = Scripted::new(START, STEP);
    let exit_code =
        i32::from(cli::run(&arguments.command, &mut at(folder, &mut around, &mut Actor, &mut out, &mut err, &mut io::empty())) as u8);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Said { out: text(out), err: text(err), exit_code })
}
