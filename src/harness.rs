//! Generated tests over a corpus: one trial a row, a broken case, a module, the policy, the protocol.
//!
//! A test target of three lines (`harness = false`) is all it takes, in this repository and in any
//! other crate:
//!
//! ```no_run
//! use landfall::harness::{Corpus, run};
//! fn main() -> std::process::ExitCode {
//!     run(&Corpus::at("landing"))
//! }
//! ```
//!
//! Trials assert and write nothing, so they may run one a process (nextest) or many a process. A process
//! that is asked for one name opens nothing that cannot hold it: of a table the rows up to its own are read
//! and no other is judged; the table's own faults are those of the trial `rows`. What would be green by
//! absence fails: no row, no case, equal names, an unknown name under `--exact`.

mod bundle;
mod cases;
mod loops;
mod named;
mod rows;

use crate::corpus::builtin;
use crate::corpus::families::Families;
use crate::corpus::input::judge_input;
use crate::edge::disk::DiskFolder;
use crate::folder::Folder;
use crate::json::Place;
use crate::landing::RuleSet;
use crate::landing::build::{POLICY_FILE, PROTOCOL_FILE};
use cases::case_trials;
use libtest_mimic::{Arguments, Trial};
use named::{Asked, Named, Outcome, silent};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where a corpus lies and how strictly its cases are judged.
#[derive(Debug, Clone)]
pub struct Corpus {
    corpus: PathBuf,
    negatives: Option<PathBuf>,
    bundle: Option<PathBuf>,
    fixtures: Option<PathBuf>,
    exact: bool,
    ledgers: bool,
}

impl Corpus {
    /// The corpus in `folder`: the three files, and its own `negative-cases/` if there are any. The
    /// path is relative to the package, as cargo runs its tests.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { corpus: folder.into(), negatives: None, bundle: None, fixtures: None, exact: false, ledgers: false }
    }

    /// Broken cases in another folder.
    #[must_use]
    pub fn negatives(mut self, folder: impl Into<PathBuf>) -> Self {
        self.negatives = Some(folder.into());
        self
    }

    /// A bundle too: a trial a module.
    #[must_use]
    pub fn bundle(mut self, folder: impl Into<PathBuf>) -> Self {
        self.bundle = Some(folder.into());
        self
    }

    /// Each case must yield exactly its codes, and its twin, named below `fixtures`, nothing.
    #[must_use]
    pub fn exact(mut self, fixtures: impl Into<PathBuf>) -> Self {
        self.fixtures = Some(fixtures.into());
        self.exact = true;
        self
    }

    /// As [`Corpus::exact`], and the recorded ledgers below `loop/` of the fixtures: a trial a record, and
    /// a trial a way to break a clause of a contract.
    #[must_use]
    pub fn ledgers(mut self, fixtures: impl Into<PathBuf>) -> Self {
        self.ledgers = true;
        self.exact(fixtures)
    }
}

/// Runs the trials of a corpus with the process's arguments; the exit code is libtest's (101 for a
/// failure).
#[expect(clippy::disallowed_methods, reason = "a test target's main has nobody to hand it the arguments")]
pub fn run(corpus: &Corpus) -> ExitCode {
    run_with(corpus, &Arguments::from_iter(std::env::args_os()))
}

/// Runs the trials of a corpus.
pub fn run_with(corpus: &Corpus, arguments: &Arguments) -> ExitCode {
    if arguments.test_threads == Some(0) {
        return refuse("--test-threads 0 would wait for ever; give at least 1");
    }
    if arguments.list && arguments.ignored {
        // No trial is ever ignored; a runner asks for these beside the list of all.
        return libtest_mimic::run(arguments, Vec::new()).exit_code();
    }
    let trials = trials_asked(corpus, Asked::of(arguments));
    let all = trials.len();
    let conclusion = libtest_mimic::run(arguments, trials);
    // One name was asked for and nothing has it: the run that looks green ran nothing. Other filters
    // may be meant for another test binary.
    if !arguments.list && arguments.exact && conclusion.num_filtered_out == all as u64 {
        return refuse("FILTER_MATCHED_NOTHING: no trial has this name; list them with --list");
    }
    conclusion.exit_code()
}

#[expect(clippy::disallowed_macros, reason = "a test target's main has nobody to hand it a stream")]
fn refuse(why: &str) -> ExitCode {
    eprintln!("landfall: {why}");
    ExitCode::from(101)
}

/// The trials of a corpus, with unique names. What keeps a trial from being made is a failing trial.
pub fn trials(corpus: &Corpus) -> Vec<Trial> {
    trials_asked(corpus, Asked::Everything)
}

fn trials_asked(corpus: &Corpus, asked: Asked) -> Vec<Trial> {
    let mut named = Named::new(asked);
    let name = module_name(&corpus.corpus);
    let opened = DiskFolder::open(&corpus.corpus);
    match &opened {
        Ok(folder) => corpus_trials(&mut named, &name, corpus, folder),
        Err(error) => named.add(format!("landing::{name}::corpus"), || Err(format!("no corpus folder: {error}"))),
    }
    if let Some(path) = &corpus.bundle {
        let name = module_name(path);
        match DiskFolder::open(path) {
            Ok(folder) => {
                file_trials(&mut named, &name, &folder, &RuleSet::all());
                bundle::module_trials(&mut named, &name, &folder);
            }
            Err(error) => named.add(format!("landing::{name}::bundle"), || Err(format!("no bundle folder: {error}"))),
        }
    }
    if let Some(fixtures) = corpus.fixtures.as_deref().filter(|_| corpus.ledgers) {
        loops::loop_trials(&mut named, fixtures);
    }
    named.into_trials()
}

/// The three files of a fixture or a bundle.
fn file_trials(named: &mut Named, name: &str, folder: &DiskFolder, rules: &RuleSet) {
    for (part, file, kind) in [("policy", POLICY_FILE, "policy"), ("protocol", PROTOCOL_FILE, "protocol")] {
        named.add(format!("landing::{name}::{part}"), || judge_file(folder, file, kind, rules));
    }
    rows::row_trials(named, name, folder, rules);
}

fn corpus_trials(named: &mut Named, name: &str, corpus: &Corpus, folder: &DiskFolder) {
    let rules = RuleSet::all();
    file_trials(named, name, folder, &rules);
    if !cases::may_hold(named, name) {
        return;
    }
    let own = corpus.corpus.join("negative-cases");
    let path = corpus.negatives.clone().or_else(|| own.is_dir().then_some(own));
    match path.as_deref().map(DiskFolder::open) {
        None => case_trials(named, name, corpus, folder, &builtin::nine(), &rules),
        Some(Ok(cases)) => match Families::of(cases) {
            Ok(cases) => case_trials(named, name, corpus, folder, &cases, &rules),
            Err(beside) => named.add(format!("landing::{name}::cases_in_one_folder"), || Err(beside.to_string())),
        },
        Some(Err(error)) => named.add(format!("landing::{name}::refuses"), || Err(format!("no folder of negative cases: {error}"))),
    }
}

fn judge_file(folder: &dyn Folder, file: &str, kind: &str, rules: &RuleSet) -> Outcome {
    let loaded = crate::folder::load(folder, file, crate::corpus::case::CONTROL_LIMIT)
        .map_err(|state| format!("{file}: {state:?} where a regular file is due"))?;
    let bytes = loaded.bytes.ok_or_else(|| format!("{file}: too large"))?;
    let value =
        crate::json::parse(&bytes).map_err(|fault| format!("{file}: {} at {}", fault.describe(), Place::in_text(&bytes, fault.offset)))?;
    let kind = crate::corpus::input::Kind::named(kind).expect("a kind that is named here");
    let findings = judge_input(kind, &value, rules, "fixture").findings.into_sorted();
    silent(findings.iter().map(|finding| format!("{} {}: {}", finding.error_code, finding.subject_id, finding.message)))
}

/// Trial names use letters, digits and `_ . : / -`; anything else is named by its position.
fn part_name(id: &str, position: impl FnOnce() -> String) -> String {
    let plain = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:/-".contains(&byte));
    if plain { id.to_owned() } else { position() }
}

fn module_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().replace('-', "_")).unwrap_or_default();
    part_name(&name, || "corpus".to_owned())
}
