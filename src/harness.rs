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
//! Trials assert and write nothing, so they may run one a process (nextest) or many a process. What
//! would be green by absence fails: no row, no case, equal names, an unknown name under `--exact`.

mod loops;

use crate::corpus::audit::{Audit, audit};
use crate::corpus::builtin;
use crate::corpus::case::CaseFile;
use crate::corpus::coverage::NINE;
use crate::corpus::families::Families;
use crate::corpus::input::{body_in, judge_input};
use crate::edge::disk::DiskFolder;
use crate::folder::{Folder, OneFile};
use crate::json::{Fault, Place};
use crate::landing::RuleSet;
use crate::landing::build::{POLICY_FILE, PROTOCOL_FILE, RUNS_FILE, RUNS_LINES_FILE, run_fixture};
use crate::landing::judge::ROW_CASE;
use crate::landing::manifest::{MANIFEST_FILE, Manifest};
use crate::landing::row::RunRow;
use crate::landing::rule::InputState;
use crate::landing::table::{self, TableRead, TakeRow};
use crate::stream::with_blocks;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::{BTreeMap, HashSet};
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

/// What a trial comes to: nothing, or why it fails.
type Outcome = Result<(), String>;

/// The trials of a corpus, with unique names. What keeps a trial from being made is a failing trial.
pub fn trials(corpus: &Corpus) -> Vec<Trial> {
    trials_asked(corpus, Asked::Everything)
}

/// What a run wants of the trials. A runner that starts one process a trial asks for the names once and
/// for one trial a time: judging the whole corpus each time would be quadratic.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Asked {
    /// Every outcome.
    Everything,
    /// The names alone.
    Names,
    /// The outcome of one.
    Only(String),
}

impl Asked {
    fn of(arguments: &Arguments) -> Self {
        match &arguments.filter {
            _ if arguments.list => Self::Names,
            Some(name) if arguments.exact => Self::Only(name.clone()),
            _ => Self::Everything,
        }
    }

    /// Whether the outcome of this trial is asked for; the others will not be run.
    fn wants(&self, name: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Names => false,
            Self::Only(wanted) => wanted == name,
        }
    }
}

fn trials_asked(corpus: &Corpus, asked: Asked) -> Vec<Trial> {
    let mut named = Named { names: HashSet::new(), trials: Vec::new(), asked };
    let name = module_name(&corpus.corpus);
    match DiskFolder::open(&corpus.corpus) {
        Ok(folder) => corpus_trials(&mut named, &name, corpus, &folder),
        Err(error) => named.add(format!("landing::{name}::corpus"), Err(format!("no corpus folder: {error}"))),
    }
    if let Some(path) = &corpus.bundle {
        let name = module_name(path);
        match DiskFolder::open(path) {
            Ok(folder) => {
                file_trials(&mut named, &name, &folder, &RuleSet::all());
                module_trials(&mut named, &name, &folder);
            }
            Err(error) => named.add(format!("landing::{name}::bundle"), Err(format!("no bundle folder: {error}"))),
        }
    }
    if let Some(fixtures) = corpus.fixtures.as_deref().filter(|_| corpus.ledgers) {
        loops::loop_trials(&mut named, fixtures);
    }
    named.trials
}

struct Named {
    names: HashSet<String>,
    trials: Vec<Trial>,
    asked: Asked,
}

impl Named {
    /// Adds a trial whose outcome is known already; judging a row costs less than a thread's turn.
    fn add(&mut self, name: String, outcome: Outcome) {
        let (name, outcome) = if self.names.insert(name.clone()) {
            (name, outcome)
        } else {
            // nextest folds equal names into one test: the second must not vanish.
            let again = (2..).map(|count| format!("{name}::again_{count}")).find(|name| !self.names.contains(name)).unwrap_or_default();
            self.names.insert(again.clone());
            let same = "another trial has the same name";
            (again, Err(outcome.map_or_else(|why| format!("{same}\n{why}"), |()| same.to_owned())))
        };
        self.trials.push(Trial::test(name, move || outcome.map_err(Failed::from)));
    }
}

/// The three files of a fixture or a bundle.
fn file_trials(named: &mut Named, name: &str, folder: &DiskFolder, rules: &RuleSet) {
    for (part, file, kind) in [("policy", POLICY_FILE, "policy"), ("protocol", PROTOCOL_FILE, "protocol")] {
        named.add(format!("landing::{name}::{part}"), judge_file(folder, file, kind, rules));
    }
    row_trials(named, name, folder, rules);
}

fn corpus_trials(named: &mut Named, name: &str, corpus: &Corpus, folder: &DiskFolder) {
    let rules = RuleSet::all();
    file_trials(named, name, folder, &rules);
    let own = corpus.corpus.join("negative-cases");
    let path = corpus.negatives.clone().or_else(|| own.is_dir().then_some(own));
    match path.as_deref().map(DiskFolder::open) {
        None => case_trials(named, name, corpus, folder, &builtin::nine(), &rules),
        Some(Ok(cases)) => match Families::of(cases) {
            Ok(cases) => case_trials(named, name, corpus, folder, &cases, &rules),
            Err(beside) => named.add(format!("landing::{name}::cases_in_one_folder"), Err(beside.to_string())),
        },
        Some(Err(error)) => named.add(format!("landing::{name}::refuses"), Err(format!("no folder of negative cases: {error}"))),
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

fn silent(findings: impl Iterator<Item = String>) -> Outcome {
    let lines: Vec<_> = findings.collect();
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

/// Rows become trials as they are read.
struct RowTrials<'r> {
    rules: &'r RuleSet,
    seen: HashSet<[u8; 16]>,
    made: Vec<(String, Outcome)>,
}

impl TakeRow for RowTrials<'_> {
    fn row(&mut self, index: u64, row: &RunRow<'_>) {
        let repeats = table::repeats(&mut self.seen, row);
        let mut lines = Vec::new();
        self.rules.row(row, repeats, |code, refusal| lines.push(format!("{code} ({}): {}", refusal.support.as_str(), refusal.message())));
        self.made.push((part_name(&row.shown_id(index), || format!("row[{index}]")), silent(lines.into_iter())));
    }

    fn unreadable(&mut self, index: u64, fault: &Fault, place: Place) {
        self.made.push((format!("row[{index}]"), Err(format!("{} at {place}", fault.describe()))));
    }
}

fn row_trials(named: &mut Named, name: &str, folder: &DiskFolder, rules: &RuleSet) {
    let mut rows = RowTrials { rules, seen: HashSet::new(), made: Vec::new() };
    let outcome =
        match (folder.open(RUNS_FILE), folder.open(RUNS_LINES_FILE)) {
            (Ok(_), Ok(_)) => Err(format!("both {RUNS_FILE} and {RUNS_LINES_FILE} are there")),
            (Ok(input), _) => with_blocks(input, |blocks| table::read_table(blocks, &mut rows))
                .map_err(|error| error.to_string())
                .and_then(|(read, _)| match read {
                    TableRead::Whole(shape, beside) => {
                        let findings = rules.table_findings(shape);
                        let findings = findings.iter().map(|finding| format!("{}: {}", finding.error_code, finding.message));
                        // What the rows themselves leak is theirs to answer for.
                        silent(findings.chain(beside.iter().map(|term| format!("{} beside the rows: {}", term.id, term.remediation))))
                    }
                    TableRead::Fault(fault, place) => {
                        rows.made.clear();
                        Err(format!("{RUNS_FILE}: {} at {place}", fault.describe()))
                    }
                }),
            (Err(InputState::Absent), Ok(input)) => with_blocks(input, |blocks| table::read_lines(blocks, &mut rows))
                .map_err(|error| error.to_string())
                .and_then(|((count, _), _)| if count == 0 { Err("WORK_LANDING_RUN_ROWS_MISSING: no row".to_owned()) } else { Ok(()) }),
            (Err(state), _) => Err(format!("{RUNS_FILE}: {state:?} where a regular file is due")),
        };
    named.add(format!("landing::{name}::rows"), outcome);
    for (row, outcome) in rows.made {
        named.add(format!("landing::{name}::accepts::{row}"), outcome);
    }
}

/// What the scan of a replay blocks: credentials and private paths in inputs, cases and evidence.
fn scan_outcome(folder: &dyn Folder, cases: &dyn Folder, rules: &RuleSet) -> Outcome {
    let result = run_fixture(folder, cases, rules).map_err(|error| error.to_string())?.result;
    let hits = result.secret_exclusion_scan.hits.iter().filter(|hit| !hit.expected_negative_case);
    silent(hits.map(|hit| format!("{} in {}: {}", hit.term_id, hit.path, hit.remediation)))
}

fn case_trials(named: &mut Named, name: &str, corpus: &Corpus, folder: &dyn Folder, cases: &dyn Folder, rules: &RuleSet) {
    let scan = format!("landing::{name}::scan");
    let outcome = if named.asked.wants(&scan) { scan_outcome(folder, cases, rules) } else { Ok(()) };
    named.add(scan, outcome);
    let fixtures = corpus.fixtures.as_deref().map(DiskFolder::open);
    let fixtures: Option<&dyn Folder> = match &fixtures {
        None => None,
        Some(Ok(folder)) => Some(folder),
        Some(Err(error)) => {
            return named.add(format!("landing::{name}::refuses"), Err(format!("no folder of fixtures: {error}")));
        }
    };
    let audited = |cases: &dyn Folder| {
        let mut by_place: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for fault in audit(&Audit { cases, fixtures, exact: corpus.exact, cover: &[], contracts: None, rules }).faults {
            by_place.entry(fault.place).or_default().push(format!("{}: {}", fault.code, fault.message));
        }
        by_place
    };
    // One audit over all, where all is asked for: its faults carry the file they belong to.
    let everything = named.asked == Asked::Everything;
    let mut by_place = if everything { audited(cases) } else { BTreeMap::new() };
    let mut found = 0;
    let files = match CaseFile::each(cases) {
        Ok(files) => files,
        Err(error) => return named.add(format!("landing::{name}::refuses"), Err(format!("the cases cannot be listed: {error}"))),
    };
    let mut floor: BTreeMap<&str, Outcome> = BTreeMap::new();
    for (index, file) in files.enumerate() {
        let trial = part_name(&file.stem, || format!("case[{index}]"));
        // A case of another family lies in a folder of that name; the rest is the landing family's.
        let of_loop = file.path.strip_prefix("loop/").and_then(|path| path.rsplit_once('/'));
        let trial = match of_loop {
            Some((of, _)) => format!("loop::{}::refuses::{trial}", part_name(&of.replace('/', "::"), || "cases".to_owned())),
            None => format!("landing::{name}::refuses::{trial}"),
        };
        if !everything && named.asked.wants(&trial) {
            by_place = audited(&OneFile { folder: cases, path: &file.path });
        }
        found += usize::from(file.is_json());
        named.add(trial, silent(by_place.remove(&file.shown).unwrap_or_default().into_iter()));
        if let Some((id, code)) = NINE.iter().find(|(id, _)| file.is_top() && file.is_json() && *id == file.stem) {
            floor.insert(id, floor_outcome(&file, *code, rules));
        }
    }
    if found == 0 && !everything {
        // The audit of no case at all costs nothing, and its fault is a trial too.
        by_place = audited(cases);
    }
    for (place, lines) in by_place {
        named.add(format!("landing::{name}::refuses::{}", part_name(&place, || "cases".to_owned())), Err(lines.join("\n")));
    }
    for (id, _) in NINE {
        let missing = || Err(format!("WORK_LANDING_NEGATIVE_CASE_MISSING: no {id}.json among the cases"));
        named.add(format!("landing::{name}::floor::{id}"), floor.remove(id).unwrap_or_else(missing));
    }
}

/// Whether one of the nine produces the code it stands for.
fn floor_outcome(file: &CaseFile, code: crate::code::Code, rules: &RuleSet) -> Outcome {
    let case = file.read().map_err(|(fault, place)| format!("{} at {place}", fault.describe()))?;
    let findings = rules.row_findings(&RunRow::from_value(case.input()), 0, ROW_CASE);
    if findings.iter().any(|finding| finding.error_code == code) {
        return Ok(());
    }
    Err(format!("WORK_LANDING_NEGATIVE_CASE_NOT_CAUGHT: the input does not produce {code}"))
}

fn module_trials(named: &mut Named, name: &str, folder: &dyn Folder) {
    let rules = RuleSet::all();
    let whole = format!("landing::{name}::manifest");
    let loaded = crate::folder::load(folder, MANIFEST_FILE, crate::corpus::case::CONTROL_LIMIT).ok().and_then(|loaded| loaded.bytes);
    let Some(bytes) = loaded else {
        return named.add(whole, Err("WORK_LANDING_SOURCE_MODULE_MANIFEST_MISSING".to_owned()));
    };
    let value = match crate::json::parse(&bytes) {
        Ok(value) => value,
        Err(fault) => return named.add(whole, Err(format!("{} at {}", fault.describe(), Place::in_text(&bytes, fault.offset)))),
    };
    let manifest = Manifest::from_value(&value);
    let line = |finding: &crate::finding::Finding| format!("{} {}: {}", finding.error_code, finding.subject_id, finding.message);
    named.add(whole, silent(rules.manifest_findings(&manifest, MANIFEST_FILE).iter().map(line)));
    for module in manifest.modules(|path| body_in(folder, path)) {
        let trial = part_name(&module.shown_id(), || format!("module[{}]", module.index));
        named.add(format!("landing::{name}::module::{trial}"), silent(rules.module_findings(&module).iter().map(line)));
    }
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
