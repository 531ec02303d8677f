//! A folder to work in, programs to start, and what can be seen of them afterwards.

use landfall::edge::process::GuardedStarter;
use landfall::execution::harness::{Program, TimeoutProfile};
use landfall::execution::start::{Asked, Ended, Host, Refusal, Requested, Start, StartError, Starter};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One test at a time: each counts processes and open files, and a program that is being written cannot be started.
static ALONE: Mutex<()> = Mutex::new(());

/// A workspace root and a folder of programs beside it.
pub(crate) struct Scene {
    whole: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

/// A program that leaves a mark each time it runs.
pub(crate) struct Tripwire {
    pub(crate) program: PathBuf,
    pub(crate) mark: PathBuf,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = tempfile::tempdir().expect("a temporary folder can be made");
        let scene = Self { whole, _alone: alone };
        ["ws", "bin"].iter().for_each(|name| fs::create_dir(scene.at(name)).expect("a folder can be made"));
        scene
    }

    /// A path in the scene, without links.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.whole.path().canonicalize().expect("the scene is there").join(name)
    }

    /// The workspace root.
    pub(crate) fn root(&self) -> PathBuf {
        self.at("ws")
    }

    /// A program of the scene.
    pub(crate) fn script(&self, name: &str, body: &str) -> PathBuf {
        self.file(&self.at("bin").join(name), &format!("#!/bin/sh\n{body}\n"))
    }

    /// An executable file with this text.
    pub(crate) fn file(&self, path: &Path, text: &str) -> PathBuf {
        fs::write(path, text).expect("a file can be written");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a file can be made executable");
        path.to_owned()
    }

    pub(crate) fn tripwire(&self) -> Tripwire {
        let mark = self.at("mark");
        Tripwire { program: self.script("tripwire", &format!("echo ran >> '{}'", mark.display())), mark }
    }

    /// Starts `program` with these words in the root, within `seconds`.
    pub(crate) fn run(&self, program: &Path, words: &[&str], seconds: f64) -> Ended {
        self.run_with(program, words, seconds, None)
    }

    /// The same, with a marker.
    pub(crate) fn run_with(&self, program: &Path, words: &[&str], seconds: f64, marker: Option<&str>) -> Ended {
        start(&ask(&host(program), &self.root(), words, seconds, marker).expect("nothing speaks against it")).expect("it starts")
    }

    /// Runs a script to its end, in twenty seconds at most.
    pub(crate) fn ends(&self, body: &str) -> Ended {
        self.run(&self.script("program", body), &[], 20.0)
    }
}

impl Tripwire {
    /// How often it ran.
    pub(crate) fn times(&self) -> usize {
        fs::read_to_string(&self.mark).map_or(0, |text| text.lines().count())
    }

    /// Nothing was executed: no mark, and no process of it.
    #[track_caller]
    pub(crate) fn assert_untouched(&self) {
        assert_eq!(self.times(), 0, "the tripwire ran");
        assert_eq!(processes_with(&self.program.display().to_string()), [0; 0], "the tripwire runs");
    }
}

/// A host whose program is `program`, with the environment of this test.
pub(crate) fn host(program: &Path) -> Host {
    Host { program: program.to_owned(), ..landfall::edge::process::host().expect("a test knows its own program") }
}

pub(crate) fn ask(host: &Host, folder: &Path, words: &[&str], seconds: f64, marker: Option<&str>) -> Result<Start, Vec<Refusal>> {
    let arguments = words.iter().map(|&word| word.to_owned()).collect();
    Start::build(Asked { host, folder, arguments, timeout: Some(seconds), cap: 60.0, marker, requested: Requested::nothing() })
}

pub(crate) fn start(start: &Start) -> Result<Ended, StartError> {
    GuardedStarter.start(start)
}

/// One of each of the five programs that runners start.
pub(crate) fn five_programs() -> [Program; 5] {
    let [scenario_id, action, directive_id, db_path] = ["s1", "REDUCE_RISK", "d1", "ledger.db"].map(str::to_owned);
    let targets = || vec!["b".to_owned(), "a".to_owned()];
    [
        Program::Noop,
        Program::RepairNoop,
        Program::GuardedRepair { targets: targets() },
        Program::PostRepairEvidence { expected: targets(), completed: targets() },
        Program::ReadOnlyCheck { scenario_id, action, directive_id, timeout_profile: TimeoutProfile::Standard, db_path },
    ]
}

/// Processes whose command line holds `text`, those that have ended left out.
pub(crate) fn processes_with(text: &str) -> Vec<i32> {
    let pids = fs::read_dir("/proc").expect("the table can be read").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let holds = |pid: &i32| fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(text));
    pids.filter(holds).filter(|&pid| is_alive(pid)).collect()
}

/// Whether there is such a process, and it has not ended.
pub(crate) fn is_alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

/// The process numbers that a program wrote into a file, one a line.
pub(crate) fn numbers_in(path: &Path) -> Vec<i32> {
    let text = fs::read_to_string(path).expect("the program wrote its numbers");
    text.lines().map(|line| line.trim().parse().expect("a number")).collect()
}
