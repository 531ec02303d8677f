//! A trail up to a step, harmed or not, and a runner with a tripwire for its program.

use landfall::edge::process::GuardedStarter;
use landfall::edge::surroundings::Real;
use landfall::execution::golden::{BEGINNING, STEPS, walk};
use landfall::execution::harness::reply;
use landfall::execution::runners::{Means, Report, run, runner_of};
use landfall::execution::start::{Confinement, Ended, Enforced, Host, Refusal, Start, StartError, Starter};
use landfall::execution::tier::Policy;
use landfall::governance::next::{Outcome, Wishes, build, builder_of};
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Ledger, MemoryLedger, Record, Select};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) const PROPOSAL: &str = "proposal-1";
pub(crate) const T: &str = "replay_lifecycle_retry_";

/// Answers as the fixed programs do, and starts nothing; the evidence check fails and names the nine markers.
struct Actor;

impl Starter for Actor {
    fn folder(&mut self, configured: &Path) -> Result<PathBuf, Refusal> {
        Ok(configured.to_owned())
    }

    fn start(&mut self, start: &Start) -> Result<Ended, StartError> {
        let words = start.arguments();
        let (text, exit_code) = match words[0].as_str() {
            "guarded-repair" => (reply::guarded_repair(&words[1..]).expect("targets").text, 0),
            "post-repair-evidence" => (reply::post_repair_evidence(&words[1]).expect("lists").text, 0),
            "read-only-check" => {
                let names = landfall::execution::build::target::TARGETS.map(|target| format!("{}=failed\n", target.name));
                (names.concat(), 1)
            }
            _ => (format!("{}\n", words[1]), 0),
        };
        let marker_seen = start.marker().is_some_and(|marker| text.contains(marker));
        Ok(Ended {
            exit_code,
            timed_out: false,
            output_limit_exceeded: false,
            stdout_tail: text,
            stderr_tail: String::new(),
            stdout_truncated: false,
            stderr_truncated: false,
            marker_seen,
            duration_seconds: 0.1,
            strays: 0,
            left_behind: Some(0),
            confinement: Confinement { requested: start.requested().clone(), enforced: Enforced::nothing() },
        })
    }
}

/// The records of a trail up to, and with, the step of this number in the specification, whose first is all of
/// governance. What led to governance is left out: it is in no trail of a proposal.
pub(crate) fn trail(steps: usize) -> Vec<Record> {
    trail_of(PROPOSAL, steps)
}

/// The same of another proposal.
pub(crate) fn trail_of(proposal: &str, steps: usize) -> Vec<Record> {
    let mut ledger = MemoryLedger::new("test");
    let host = Host { program: "/landfall".into(), environment: Vec::new() };
    let policy = Policy::shipped();
    let mut means = Means { starter: &mut Actor, host: &host, workspace: Path::new("/ws"), timeout: None, policy: &policy };
    let mut around = Scripted::new(1.0, 1.0);
    let mut last = String::new();
    let done = walk(&STEPS[..BEGINNING + steps - 1], proposal, "PATH,TZ", &mut ledger, &mut means, &mut around, &mut |step| {
        last = step.signal.clone()
    });
    assert!(done.expect("the ledger works"), "{last}");
    let mut records = records(&ledger);
    records.retain(|record| record.record_type().starts_with(T) || record.record_type() == "execution_attempt");
    records
}

pub(crate) fn records(ledger: &dyn Ledger) -> Vec<Record> {
    let mut records = Vec::new();
    ledger
        .each(Select { types: &[] }, &mut |entry| {
            records.push(Record::parse(&entry.payload).expect("a record"));
            Ok(())
        })
        .expect("the ledger reads");
    records
}

pub(crate) fn ledger_of(records: Vec<Record>) -> MemoryLedger {
    let (mut ledger, mut around) = (MemoryLedger::new("test"), Scripted::new(1000.0, 1.0));
    for record in records {
        ledger.publish(record, &mut around).expect("it is published");
    }
    ledger
}

/// The place of the record of a type, given without its prefix.
pub(crate) fn place(records: &[Record], short: &str) -> usize {
    let of_type = |record: &Record| record.record_type() == format!("{T}{short}");
    records.iter().position(of_type).unwrap_or_else(|| panic!("no {short}"))
}

/// Sets a field of the record of a type, in the payload too.
pub(crate) fn alter(records: &mut [Record], short: &str, field: &str, value: impl Into<serde_json::Value>) {
    let (place, value) = (place(records, short), value.into());
    records[place].set(field, value.clone());
    if let Some(serde_json::Value::Object(mut payload)) = records[place].get("payload").cloned() {
        payload.insert(field.to_owned(), value);
        records[place].set("payload", payload);
    }
}

/// A program that leaves a mark each time it runs, and a workspace for it.
pub(crate) struct Tripwire {
    folder: tempfile::TempDir,
    host: Host,
    _alone: MutexGuard<'static, ()>,
}

/// One at a time: a program that another thread's start holds open for writing cannot be started.
static ALONE: Mutex<()> = Mutex::new(());

impl Tripwire {
    pub(crate) fn new() -> Self {
        Self::saying("exit 0")
    }

    /// One that goes on with this.
    pub(crate) fn saying(body: &str) -> Self {
        // A test that holds one must drop it before it makes the next.
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it is there");
        std::fs::create_dir(root.join("ws")).expect("a folder");
        let program = root.join("tripwire");
        std::fs::write(&program, format!("#!/bin/sh\necho ran >> '{}'\n{body}\n", root.join("mark").display())).expect("a file");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
        Self { folder, host: Host { program, environment: Vec::new() }, _alone: alone }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("it is there").join("ws")
    }

    /// How often it ran.
    pub(crate) fn times(&self) -> usize {
        std::fs::read_to_string(self.folder.path().join("mark")).map_or(0, |text| text.lines().count())
    }

    /// Runs a runner that would start it.
    pub(crate) fn run(&self, command: &str, ledger: &mut dyn Ledger, flags: &[&str]) -> Report {
        self.run_with(command, ledger, flags, &Policy::shipped(), None)
    }

    pub(crate) fn run_with(&self, command: &str, ledger: &mut dyn Ledger, flags: &[&str], policy: &Policy, timeout: Option<f64>) -> Report {
        let root = self.root();
        let mut means = Means { starter: &mut GuardedStarter, host: &self.host, workspace: &root, timeout, policy };
        let wishes = flags.iter().fold(Wishes::of("test"), |wishes, flag| wishes.with(flag, Some("given")));
        let runner = runner_of(command).expect("a runner");
        run(runner, ledger, &wishes, &mut means, &mut Real).expect("the ledger works")
    }
}

/// Every reason of a report.
pub(crate) fn reasons(outcome: &Outcome) -> BTreeSet<String> {
    outcome.refused.iter().flat_map(|refused| refused.reasons.iter().map(|reason| reason.code().into_owned())).collect()
}

/// Runs over `records` and wants a refusal with all of `expected`: nothing ran, nothing was begun, and a
/// second time adds nothing. The tripwire's positive control is [`runs_once`].
#[track_caller]
pub(crate) fn refused(command: &str, records: Vec<Record>, flags: &[&str], expected: &[&str]) -> BTreeSet<String> {
    let tripwire = Tripwire::new();
    let mut ledger = ledger_of(records);
    let before = self::records(&ledger);
    let report = tripwire.run(command, &mut ledger, flags);
    let said = reasons(&report.outcome);
    for reason in expected {
        assert!(said.contains(*reason), "{command}: {reason} is not among {said:?}");
    }
    assert!(report.ran.is_empty() && !report.passed());
    assert_eq!(tripwire.times(), 0, "the tripwire ran");
    let after = self::records(&ledger);
    let new: Vec<_> = after.iter().filter(|record| !before.contains(record)).collect();
    assert!(new.len() <= 1, "more than one record for a refusal");
    for record in new {
        assert!(record.record_type() != "execution_attempt" && !record.is_set("subprocess_invoked"), "{}", record.to_line());
        assert!(record.verdict().valid, "{:?}", record.verdict());
    }
    tripwire.run(command, &mut ledger, flags);
    assert_eq!(self::records(&ledger).len(), after.len(), "a second refusal adds nothing");
    assert_eq!(tripwire.times(), 0);
    said
}

/// The positive control: over these records the runner starts its program once, and not again.
#[track_caller]
pub(crate) fn runs_once(command: &str, records: Vec<Record>, flags: &[&str]) {
    let tripwire = Tripwire::new();
    let mut ledger = ledger_of(records);
    let report = tripwire.run(command, &mut ledger, flags);
    assert_eq!(tripwire.times(), 1, "{command}: {:?}", reasons(&report.outcome));
    assert_eq!(report.ran.len(), 1);
    tripwire.run(command, &mut ledger, flags);
    assert_eq!(tripwire.times(), 1, "a parent that was used is not used again");
}

/// What a builder refuses over these records.
pub(crate) fn unbuilt(short: &str, records: Vec<Record>) -> BTreeSet<String> {
    let mut ledger = ledger_of(records);
    let before = self::records(&ledger).len();
    let outcome = built(short, &mut ledger, &[]);
    assert_eq!(self::records(&ledger).len(), before, "{short} published something");
    reasons(&outcome)
}

pub(crate) fn built(short: &str, ledger: &mut dyn Ledger, terms: &[(&str, &str)]) -> Outcome {
    let wishes = terms.iter().fold(Wishes::of("test"), |wishes, (term, said)| wishes.with(term, Some(said)));
    build(ledger, builder_of(short).expect("a builder"), &wishes, &mut Real).expect("the ledger works")
}

/// The flags of the read-only run.
pub(crate) const BOTH: [&str; 2] = ["operator_authorized", "allow_guarded_read_only_execution"];
