//! Killed at any point, on a full disk, on a ledger that somebody else holds: the ledger says what is known, an attempt
//! without its end is seen by everything that watches and reads as no success, and what comes next works.

use crate::binary::{DB, LANDFALL, command, folder_of, landfall, publish, records_of, said};
use crate::scene::{PROPOSAL, Tripwire, ledger_of, reasons, records, trail, trail_of};
use landfall::edge::ledger::LedgerFile;
use landfall::edge::process::{GuardedStarter, host};
use landfall::edge::surroundings::Real;
use landfall::edge::turn::turn;
use landfall::execution::runners::{Means, run, runner_of};
use landfall::execution::start::Host;
use landfall::execution::tier::Policy;
use landfall::governance::next::Wishes;
use landfall::ledger::{Entry, Ledger, LedgerError, Record, Select, Surroundings};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const OTHER: &str = "proposal-2";

/// Two trails that both wait for their noop, in one ledger file.
fn two_trails() -> (tempfile::TempDir, std::path::PathBuf) {
    let (folder, root) = folder_of(trail(7));
    let other = trail_of(OTHER, 7).into_iter().map(|record| record.with("gid", "")).collect();
    publish(&root.join(DB), other);
    (folder, root)
}

fn noop(root: &Path, proposal: &str) -> String {
    format!("loop run noop --json --proposal-id {proposal} --workspace {}", root.join("ws").display())
}

/// What the ledger knows of the noop of a proposal: entries before, entries after, results.
fn known(root: &Path, proposal: &str) -> (usize, usize, usize) {
    let all = records_of(&root.join(DB));
    let of = |record: &&Record| record.linked("proposal_id") == proposal;
    let count = |holds: &dyn Fn(&Record) -> bool| all.iter().filter(of).filter(|record| holds(record)).count();
    (
        count(&|record| record.text("phase") == "before"),
        count(&|record| record.text("phase") == "after"),
        count(&|record| record.record_type().ends_with("_execution_noop_result")),
    )
}

/// Everything that watches says the same of this ledger, and nobody calls it a success.
#[track_caller]
fn tells_the_truth(root: &Path, exit: Option<i32>) -> (usize, usize, usize) {
    let checked = landfall(root, "ledger check");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    let known = known(root, PROPOSAL);
    assert!([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)].contains(&known), "{known:?}");
    if known == (1, 1, 1) {
        return known;
    }
    assert_ne!(exit, Some(0), "the runner called it a success: {known:?}");
    let open = u64::from(known == (1, 0, 0));
    let readiness = landfall(root, &format!("loop readiness execution --json --proposal-id {PROPOSAL}"));
    assert_eq!(readiness.status.code(), Some(1), "{known:?}");
    let readiness = said(&readiness);
    assert_eq!(readiness["ready_for_mock_execution"], false);
    assert_eq!(readiness["ready_for_real_execution"], false);
    let blocking = readiness["blocking_reasons"].to_string();
    assert_eq!(blocking.contains("execution_attempt_left_open"), open == 1, "{known:?}: {blocking}");
    let inspected = said(&landfall(root, &format!("loop inspect --json --proposal-id {PROPOSAL}")));
    assert_eq!(inspected["execution_attempts_left_open"].as_u64().unwrap_or(0), open, "{known:?}");
    assert_eq!(inspected["counts"]["real_execution_noop_results"].as_u64().unwrap_or(0), 0);
    let brief = said(&landfall(root, &format!("loop brief --json --proposal-id {PROPOSAL}")));
    let risk = brief["risks"].as_array().expect("a list").iter().any(|risk| risk["payload"]["execution_attempts_left_open"] == open);
    assert_eq!((risk, brief["status"] == "degraded"), (open == 1, open == 1), "{brief:#}");
    // Nothing is built on it.
    let built = said(&landfall(root, &format!("loop build real_execution_read_only_promotion --json --proposal-id {PROPOSAL}")));
    assert_eq!(built["published"].as_array().map(Vec::len), Some(0));
    known
}

/// What was left of one run stands in the way of that run only; without a trace, not even of that.
#[track_caller]
fn goes_on(root: &Path, known: (usize, usize, usize)) {
    let again = landfall(root, &noop(root, PROPOSAL));
    let refused = said(&again)["refused"].to_string();
    let (exit, reason) = match known {
        (0, 0, 0) => (0, "[]"),
        (1, 0, 0) => (1, "execution_attempt_left_open"),
        (1, 1, 0) => (1, "execution_attempt_without_result"),
        _ => (1, "[]"),
    };
    assert_eq!(again.status.code(), Some(exit), "{known:?}: {refused}");
    assert!(refused.contains(reason), "{known:?}: {refused}");
    let other = landfall(root, &noop(root, OTHER));
    assert!(other.status.success(), "{}", String::from_utf8_lossy(&other.stderr));
    assert_eq!(self::known(root, OTHER), (1, 1, 1));
}

/// A ledger file whose owner stops for ever before its n-th write.
struct Stops {
    file: LedgerFile,
    left: u32,
}

impl Stops {
    fn write(&mut self) {
        if self.left == 0 {
            std::fs::write("stopped", "").expect("it is told");
            loop {
                sleep(Duration::from_secs(60));
            }
        }
        self.left -= 1;
    }
}

impl Ledger for Stops {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        self.write();
        self.file.publish(record, around)
    }

    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        self.write();
        self.file.publish_unless(record, same, around)
    }

    fn each(&self, select: Select<'_>, seen: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        self.file.each(select, seen)
    }

    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError> {
        self.file.find(record_type, field, said)
    }

    fn refresh(&mut self) -> Result<u64, LedgerError> {
        self.file.refresh()
    }
}

/// What the runner of the tests below is told: before which write it stops.
const STOPS: &str = "LANDFALL_TEST_STOPS_BEFORE_WRITE";

#[test]
#[ignore = "a child of the test below"]
fn child_runner() {
    let left = std::env::var(STOPS).expect("it is told").parse().expect("a number");
    let root = std::env::current_dir().expect("a folder");
    let db = root.join(DB);
    let mut ledger = Stops { file: LedgerFile::open(&db, "test").expect("it opens"), left };
    let _turn = turn(&db).expect("nobody else runs");
    let host = Host { program: LANDFALL.into(), ..host().expect("a host") };
    let (policy, workspace) = (Policy::shipped(), root.join("ws"));
    let mut means = Means { starter: &mut GuardedStarter, host: &host, workspace: &workspace, timeout: None, policy: &policy };
    let wishes = Wishes::of("test").linked("proposal_id", Some(PROPOSAL));
    let report = run(runner_of("noop").expect("a runner"), &mut ledger, &wishes, &mut means, &mut Real).expect("it works");
    assert!(report.passed(), "{report:?}");
}

#[track_caller]
fn within(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        sleep(Duration::from_millis(10));
    }
}

fn kill(mut child: Child) -> ExitStatus {
    child.kill().expect("it is killed");
    child.wait().expect("it ends")
}

#[test]
fn a_runner_that_is_killed_before_any_of_its_writes_leaves_what_it_knew() {
    // Before the first entry; when the child has ended; when that is written; and the control, which is not stopped.
    for (writes, left) in [(0, (0, 0, 0)), (1, (1, 0, 0)), (2, (1, 1, 0)), (3, (1, 1, 1))] {
        let (_folder, root) = two_trails();
        let mut runner = Command::new(std::env::current_exe().expect("a test knows its program"));
        runner.args(["--exact", "killed::child_runner", "--ignored"]).env(STOPS, writes.to_string()).current_dir(&root);
        let mut runner = runner.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let exit = if writes == 3 {
            runner.wait().expect("it ends").code()
        } else {
            within("the runner never came so far", || root.join("stopped").exists());
            kill(runner).code()
        };
        assert_eq!(tells_the_truth(&root, exit), left, "killed before write {writes}");
        goes_on(&root, left);
    }
}

#[test]
fn a_child_that_is_killed_from_outside_is_recorded_as_killed() {
    let (tripwire, mut ledger) = (Tripwire::saying("echo $$ > number; sleep 60"), ledger_of(trail(25)));
    let number = tripwire.root().join("number");
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            let read = || std::fs::read_to_string(&number).ok().and_then(|text| text.trim().parse().ok());
            within("the child never began", || read().is_some());
            let child = rustix::process::Pid::from_raw(read().expect("a number")).expect("a process");
            rustix::process::kill_process(child, rustix::process::Signal::KILL).expect("it is killed");
        });
        tripwire.run("repair", &mut ledger, &["allow_guarded_repair_execution"])
    });
    assert!(report.passed(), "a run that failed is an outcome, and was recorded: {report:?}");
    let result = &report.ran[0].result;
    assert_eq!((result.text("repair_execution_status").as_str(), result.text("exit_code").as_str()), ("failed", "137"));
    let attempts: Vec<_> = records(&ledger).into_iter().filter(|record| record.text("runner") == "run_guarded_repair_execution").collect();
    assert_eq!(attempts.iter().map(|entry| entry.text("phase")).collect::<Vec<_>>(), ["before", "after"]);
    assert_eq!(attempts[1].text("exit_code"), "137");
    let next = tripwire.run("post-repair", &mut ledger, &["allow_post_repair_evidence_check"]);
    assert!(next.ran.is_empty() && reasons(&next.outcome).contains("lineage_status_mismatch:guarded_repair_execution_result"), "{next:?}");
}

#[test]
fn a_ledger_that_another_process_holds_is_left_as_it_is() {
    let (_folder, root) = two_trails();
    let before = records_of(&root.join(DB)).len();
    let refused = |what: &str| {
        let ran = landfall(&root, &noop(&root, PROPOSAL));
        let err = String::from_utf8_lossy(&ran.stderr).to_lowercase();
        assert!([Some(1), Some(3)].contains(&ran.status.code()), "{what}: {:?} {err}", ran.status);
        assert!(err.contains("lock") || err.contains("audit_record_not_writable"), "{what}: {err}");
        ran.status.code()
    };
    // By the lock of our own writers; readers go on meanwhile.
    let held = std::fs::File::options().write(true).create(true).truncate(false).open(root.join("ledger.db.lock")).expect("a file");
    held.lock().expect("it is free");
    let exit = refused("our lock");
    assert!(landfall(&root, "ledger check").status.success());
    drop(held);
    assert_eq!(tells_the_truth(&root, exit), (0, 0, 0));
    // By another program that knows SQLite and not our lock.
    let other = rusqlite::Connection::open(root.join(DB)).expect("it opens");
    other.execute_batch("BEGIN EXCLUSIVE").expect("it is free");
    let exit = refused("an exclusive transaction");
    other.execute_batch("ROLLBACK").expect("it ends");
    drop(other);
    assert_eq!(tells_the_truth(&root, exit), (0, 0, 0));
    assert_eq!(records_of(&root.join(DB)).len(), before);
    goes_on(&root, (0, 0, 0));
}

/// A file system of its own, small enough to be full; taken away with the value.
struct Small(std::path::PathBuf);

impl Small {
    /// `None` where nobody may mount.
    fn mount(at: &Path, bytes: u64) -> Option<Self> {
        let size = format!("size={bytes}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).stderr(Stdio::null()).status();
        mounted.is_ok_and(|status| status.success()).then(|| Self(at.to_owned()))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        // A test that fails must not leave it: lazily, so that whoever still looks does not keep it.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Runs the noop with ever more room, until it succeeds; every ledger on the way tells the truth. What was seen.
fn with_ever_more_room(root: &Path, step: u64, mut run: impl FnMut(u64) -> Option<i32>) -> Vec<(usize, usize, usize)> {
    let mut seen = Vec::new();
    for room in 0..200 {
        let exit = run(room * step);
        let known = known(root, PROPOSAL);
        if seen.last() != Some(&known) {
            tells_the_truth(root, exit);
            seen.push(known);
        } else {
            assert_ne!(exit, Some(0), "a success that was not recorded");
        }
        if known == (1, 1, 1) && exit == Some(0) {
            return seen;
        }
    }
    panic!("it never succeeded: {seen:?}");
}

#[test]
fn on_a_full_disk_the_ledger_keeps_what_it_had() {
    let (_folder, root) = two_trails();
    let full = std::fs::read(root.join(DB)).expect("it reads");
    let room = u64::try_from(full.len()).expect("it is small") + (1 << 20);
    let disk = root.join("disk");
    std::fs::create_dir(&disk).expect("a folder");
    let Some(_small) = Small::mount(&disk, room) else {
        println!("SKIPPED: nobody may mount here; the limit on a file's size stands for the full disk in the test below");
        return;
    };
    std::fs::create_dir(disk.join("ws")).expect("a folder");
    let seen = with_ever_more_room(&disk, 4096, |left| {
        for name in [DB, "ledger.db-journal", "ledger.db.lock", "ledger.db.runners.lock", "filler"] {
            let _ = std::fs::remove_file(disk.join(name));
        }
        std::fs::write(disk.join(DB), &full).expect("it fits");
        let free = rustix::fs::statvfs(&disk).map(|disk| disk.f_bavail * disk.f_frsize).expect("a disk");
        std::fs::write(disk.join("filler"), vec![0; usize::try_from(free.saturating_sub(left)).expect("it is small")]).expect("it fits");
        landfall(&disk, &noop(&disk, PROPOSAL)).status.code()
    });
    assert!(seen.len() > 1 && seen[0] == (0, 0, 0), "the disk was never full: {seen:?}");
    println!("seen on the way from a full disk: {seen:?}");
    std::fs::remove_file(disk.join("filler")).expect("it goes");
    goes_on(&disk, (1, 1, 1));
}

#[test]
fn where_no_file_may_grow_the_ledger_keeps_what_it_had() {
    let (_folder, root) = two_trails();
    let full = std::fs::read(root.join(DB)).expect("it reads");
    let seen = with_ever_more_room(&root, 8, |more| {
        std::fs::write(root.join(DB), &full).expect("it fits");
        let _ = std::fs::remove_file(root.join("ledger.db-journal"));
        // In blocks of 512 bytes; first none that a journal would fit in, then as much as is there and ever more. The
        // signal is ignored, so that the write itself fails.
        let blocks = if more == 0 { 1 } else { full.len() as u64 / 512 + more - 8 };
        let mut limited = Command::new("sh");
        limited.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""), LANDFALL]);
        let line = noop(&root, PROPOSAL);
        limited.args(line.split(' ')).args(["--db-path", DB]).current_dir(&root).env_remove("LANDFALL_LEDGER");
        limited.stdin(Stdio::null()).output().expect("the shell starts").status.code()
    });
    assert!(seen.len() > 1 && seen[0] == (0, 0, 0), "no file was ever held to the limit: {seen:?}");
    println!("seen on the way from a limit that nothing fits in: {seen:?}");
    goes_on(&root, (1, 1, 1));
}

#[test]
fn a_ledger_without_permission_starts_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, root) = two_trails();
    let mode = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    // Root may do all: who tries is somebody else then, with a copy of the program where it may be read.
    let own = rustix::process::geteuid();
    let program = root.join("landfall");
    std::fs::copy(LANDFALL, &program).expect("it is copied");
    mode(&program, 0o755);
    let run = |ledger: u32, folder: u32| {
        mode(&root.join(DB), ledger);
        mode(&root, folder);
        let mut command = Command::new(&program);
        let line = noop(&root, PROPOSAL);
        command.args(line.split(' ')).args(["--db-path", DB]).current_dir(&root).env_remove("LANDFALL_LEDGER").stdin(Stdio::null());
        if own.is_root() {
            command.uid(65534);
        }
        let ran = command.output().expect("it starts");
        mode(&root, 0o755);
        mode(&root.join(DB), 0o644);
        ran
    };
    for (ledger, folder) in [(0o000, 0o755), (0o444, 0o555), (0o444, 0o755), (0o644, 0o555)] {
        let ran = run(ledger, folder);
        let err = String::from_utf8_lossy(&ran.stderr);
        if own.is_root() || (ledger, folder) != (0o644, 0o555) {
            assert!([Some(1), Some(3)].contains(&ran.status.code()), "{ledger:o} {folder:o}: {:?} {err}", ran.status);
        }
        assert_eq!(tells_the_truth(&root, ran.status.code()), (0, 0, 0), "{ledger:o} {folder:o}");
    }
    goes_on(&root, (0, 0, 0));
}

#[test]
fn a_killed_command_leaves_no_child() {
    let (_folder, root) = folder_of(trail(13));
    let flags = "--operator-authorized --allow-guarded-read-only-execution";
    let line = format!("loop run read-only {flags} --workspace {}", root.join("ws").display());
    let runner = command(&root, &line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    // It waits for its evidence, which nobody gives it.
    let child = || {
        let pids = std::fs::read_dir("/proc").expect("a table").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
        let of = |pid: &u32| std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == root.join("ws"));
        pids.filter(of).count()
    };
    within("the child never began", || child() > 0);
    assert_eq!(kill(runner).code(), None);
    within("the child goes on alone", || child() == 0);
    let all = records_of(&root.join(DB));
    assert_eq!(all.iter().filter(|record| record.text("runner") == "run_guarded_read_only_execution").count(), 1);
    let inspected = said(&landfall(&root, "loop inspect --json"));
    assert_eq!(inspected["execution_attempts_left_open"], 1);
    let text = landfall(&root, "loop inspect");
    assert!(String::from_utf8_lossy(&text.stdout).contains(" execution_attempts_left_open=1"));
    let brief = said(&landfall(&root, "loop brief --json"));
    assert_eq!(brief["status"], "degraded");
    assert!(brief["summary"].as_str().is_some_and(|text| text.contains("nobody recorded how it ended")));
}
