//! `record-fixture`: records the first wave of landing rows, so that none of them is typed.
//!
//! The control plane under `fixtures/control-plane/` is run for real, over a scratch repository, three times: once so
//! that the work lands, once while a ref lock is held so that Git refuses, once with a credential in an owned file.
//! Clock, identity, branch and environment are handed in; what comes out has the same bytes on every run, which
//! `check` relies on.
//!
//! Left out on purpose: judging. The recorder only refuses when a step did not end the way its row is about.
//!
//! The file is long because it ends with the texts of the recorded project; they have no other reader.

#![expect(clippy::disallowed_methods, reason = "an xtask is an edge of its own: it reads and writes this repository")]

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use xshell::{Cmd, Shell, TempDir, cmd};

type Failure = Box<dyn Error>;
/// File contents by path relative to the fixture's folder, `/`-separated.
type Recording = BTreeMap<String, Vec<u8>>;

const ENTRYPOINT: &str = "fixtures/control-plane/system/lib/workitem_runtime_entrypoint.py";
const RUN_TABLE: &str = "work_landing_runs.json";
const EVIDENCE: &str = "evidence";
const TARGET_REF: &str = "refs/heads/main";
const REF_LOCK: &str = ".git/refs/heads/main.lock";
const VALIDATION: [&str; 6] = ["python3", "-m", "unittest", "discover", "-s", "tests"];

const LANDED: Expected = Expected { run_id: "scoped-commit-landed", status: "scoped_commit_landed", landed: true, attempted: true };
const BLOCKED: Expected =
    Expected { run_id: "metadata-blocked-by-held-lock", status: "metadata_blocked_patch_bundle", landed: false, attempted: true };
const STOPPED: Expected = Expected { run_id: "hard-stopped-by-secret", status: "hard_stop", landed: false, attempted: false };

/// What a row has to say; the recording is thrown away if it says anything else.
struct Expected {
    run_id: &'static str,
    status: &'static str,
    landed: bool,
    attempted: bool,
}

/// Records the first wave into `out`, or with `check` compares a new recording with what lies there.
///
/// A relative `out` is taken from `root`, the repository's root.
pub(crate) fn run(root: &Path, out: &Path, check: bool) -> Result<(), Failure> {
    let recording = record(root)?;
    let out = root.join(out);
    if check { compare(&recording, &out) } else { write(&recording, &out) }
}

fn record(root: &Path) -> Result<Recording, Failure> {
    let scratch = Scratch::new(root)?;
    scratch.begin_project()?;
    let rows = [record_landed(&scratch)?, record_blocked(&scratch)?, record_stopped(&scratch)?];
    scratch.keep_history()?;

    let mut recording = Recording::new();
    collect(&scratch.evidence(), EVIDENCE, &mut recording)?;
    for (expected, row) in [LANDED, BLOCKED, STOPPED].iter().zip(&rows) {
        check_row(expected, row, &recording)?;
    }
    recording.insert(RUN_TABLE.to_owned(), run_table(&rows).into_bytes());
    refuse_leaks(&recording, root, &scratch)?;
    Ok(recording)
}

/// A fix lands: its test fails without it, validation passes before the attempt, HEAD moves.
fn record_landed(scratch: &Scratch) -> Result<String, Failure> {
    let owned = ["harbour/berths.py", "tests/test_berths.py"];
    scratch.claim(&LANDED, "2026-01-05T09:00:00Z", &owned)?;
    scratch.write("tests/test_berths.py", TEST_BERTHS_EXACT)?;
    scratch.expect_red_tests()?;
    scratch.write("harbour/berths.py", BERTHS_EXACT)?;
    let before = scratch.head()?;
    scratch.land(&LANDED, "2026-01-05T09:10:00Z", "Give a vessel of the berth's exact length its berth", 0)?;
    if scratch.head()? == before {
        return Err("the landed row left HEAD where it was; a scoped commit that moves it is needed".into());
    }
    scratch.row(&LANDED)
}

/// The same flow while the target ref's lock is held: Git refuses, the work is kept as a patch, HEAD stays.
fn record_blocked(scratch: &Scratch) -> Result<String, Failure> {
    let owned = ["harbour/berths.py", "tests/test_berths.py"];
    scratch.claim(&BLOCKED, "2026-01-05T10:00:00Z", &owned)?;
    scratch.write("harbour/berths.py", BERTHS_REFUSING)?;
    scratch.write("tests/test_berths.py", TEST_BERTHS_REFUSING)?;
    let before = scratch.head()?;
    scratch.write(REF_LOCK, "")?;
    scratch.land(&BLOCKED, "2026-01-05T10:10:00Z", "Refuse a vessel without a length", 1)?;
    scratch.shell.remove_path(scratch.project().join(REF_LOCK))?;
    if scratch.head()? != before {
        return Err("HEAD moved while its lock was held; a refusal is needed".into());
    }
    // The patch now is the only place the work is in: put the tree back, and prove the patch still applies to it.
    scratch.git(&["checkout", "-q", "--", "harbour", "tests"])?;
    let patch = scratch.evidence().join("blocker").join(format!("{}.patch", BLOCKED.run_id));
    scratch.run(cmd!(scratch.shell, "git apply --check {patch}"))?;
    scratch.row(&BLOCKED)
}

/// Validated work gets a credential pasted into an owned file: preflight stops it before any commit attempt.
fn record_stopped(scratch: &Scratch) -> Result<String, Failure> {
    let owned = ["harbour/radio.py", "tests/test_radio.py"];
    scratch.claim(&STOPPED, "2026-01-05T11:00:00Z", &owned)?;
    scratch.write("harbour/radio.py", RADIO)?;
    scratch.write("tests/test_radio.py", TEST_RADIO)?;
    let mut validate = vec!["--"];
    validate.extend(VALIDATION);
    scratch.workitem(&STOPPED, "validate", Some("2026-01-05T11:05:00Z"), &validate, 0)?;
    scratch.write("harbour/radio.py", &format!("{RADIO}\nACCESS_KEY_ID = \"{}\"\n", example_key()))?;
    let before = scratch.head()?;
    scratch.land(&STOPPED, "2026-01-05T11:10:00Z", "Name the harbour's radio channel", 1)?;
    if scratch.head()? != before {
        return Err("HEAD moved with a credential in an owned file; a stop is needed".into());
    }
    scratch.row(&STOPPED)
}

/// AWS's documented example key, put together here so that no file of the tree carries it.
fn example_key() -> String {
    ["AKIA", "IOSFODNN7", "EXAMPLE"].concat()
}

/// The folder a recording is made in, with everything that may influence it fixed.
struct Scratch {
    shell: Shell,
    folder: TempDir,
    entrypoint: PathBuf,
    environment: Vec<(&'static str, OsString)>,
}

impl Scratch {
    fn new(root: &Path) -> Result<Self, Failure> {
        let shell = Shell::new()?;
        let folder = shell.create_temp_dir()?;
        shell.create_dir(folder.path().join("project"))?;
        shell.create_dir(folder.path().join(EVIDENCE))?;
        shell.change_dir(folder.path().join("project"));
        let path = std::env::var_os("PATH").ok_or("no PATH is set; one that leads to git and python3 is needed")?;
        let mut environment = vec![("PATH", path)];
        environment.extend(FIXED_ENVIRONMENT.iter().map(|(key, value)| (*key, OsString::from(value))));
        Ok(Self { entrypoint: root.join(ENTRYPOINT), shell, folder, environment })
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn evidence(&self) -> PathBuf {
        self.folder.path().join(EVIDENCE)
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Failure> {
        Ok(self.shell.write_file(path, text)?)
    }

    /// Runs a command that has to work, in the fixed environment, and gives its standard output.
    fn run(&self, command: Cmd<'_>) -> Result<String, Failure> {
        self.run_expecting(command, 0)
    }

    fn run_expecting(&self, command: Cmd<'_>, code: i32) -> Result<String, Failure> {
        let shown = command.to_string();
        let command = command.env_clear().envs(self.environment.iter().map(|(key, value)| (key, value)));
        let done = command.quiet().ignore_status().output()?;
        if done.status.code() != Some(code) {
            let said = String::from_utf8_lossy(&done.stderr);
            return Err(format!("`{shown}` ended with {}; exit code {code} is needed\n{said}", done.status).into());
        }
        Ok(String::from_utf8(done.stdout)?)
    }

    fn git(&self, args: &[&str]) -> Result<String, Failure> {
        self.run(cmd!(self.shell, "git {args...}"))
    }

    fn head(&self) -> Result<String, Failure> {
        self.git(&["rev-parse", "HEAD"])
    }

    fn begin_project(&self) -> Result<(), Failure> {
        self.git(&["init", "-q", "--template=", "-b", "main"])?;
        for (key, value) in REPOSITORY_SETTINGS {
            self.git(&["config", key, value])?;
        }
        self.write("harbour/berths.py", BERTHS)?;
        self.write("tests/test_berths.py", TEST_BERTHS)?;
        self.git(&["add", "--", "harbour", "tests"])?;
        self.git(&["commit", "-q", "-m", "Say which vessel fits which berth"])?;
        Ok(())
    }

    /// The new test must fail while the fix is not there, or it shows nothing.
    fn expect_red_tests(&self) -> Result<(), Failure> {
        let [program, args @ ..] = VALIDATION;
        self.run_expecting(cmd!(self.shell, "{program} {args...}"), 1).map(drop)
    }

    fn claim(&self, row: &Expected, now: &str, owned: &[&str]) -> Result<(), Failure> {
        let args: Vec<&str> = owned.iter().flat_map(|path| ["--path", path]).collect();
        self.workitem(row, "claim", Some(now), &args, 0).map(drop)
    }

    fn land(&self, row: &Expected, now: &str, message: &str, code: i32) -> Result<(), Failure> {
        let mut args = vec!["--message", message, "--"];
        args.extend(VALIDATION);
        self.workitem(row, "land", Some(now), &args, code).map(drop)
    }

    fn row(&self, row: &Expected) -> Result<String, Failure> {
        self.workitem(row, "row", None, &[], 0)
    }

    /// One command of the control plane. `-I` and `-B` keep the caller's Python settings and caches out.
    fn workitem(&self, row: &Expected, command: &str, now: Option<&str>, args: &[&str], code: i32) -> Result<String, Failure> {
        let (entrypoint, project, evidence, item) = (&self.entrypoint, self.project(), self.evidence(), row.run_id);
        let now: Vec<&str> = now.into_iter().flat_map(|time| ["--now", time]).collect();
        let started =
            cmd!(self.shell, "python3 -I -B {entrypoint} {command} --repo {project} --records {evidence} --item {item} {now...} {args...}");
        self.run_expecting(started, code)
    }

    /// Keeps what Git itself recorded: the reflogs as written, and all history as a bundle.
    fn keep_history(&self) -> Result<(), Failure> {
        let mut reflog = String::new();
        for name in ["HEAD", TARGET_REF] {
            let lines = self.shell.read_file(self.project().join(".git/logs").join(name))?;
            reflog += &format!("# {name}\n{lines}");
        }
        self.shell.write_file(self.evidence().join("reflog.txt"), reflog)?;
        let bundle = self.evidence().join("history.bundle");
        self.run(cmd!(self.shell, "git bundle create -q {bundle} HEAD {TARGET_REF}"))?;
        self.run(cmd!(self.shell, "git bundle verify -q {bundle}"))?;
        Ok(())
    }
}

/// Nothing of the caller's environment but `PATH` reaches a recording.
const FIXED_ENVIRONMENT: [(&str, &str); 13] = [
    ("LC_ALL", "C"),
    ("TZ", "UTC"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_DEFAULT_HASH", "sha1"),
    ("GIT_DEFAULT_REF_FORMAT", "files"),
    ("GIT_AUTHOR_NAME", "Landfall Recorder"),
    ("GIT_AUTHOR_EMAIL", "recorder@landfall.invalid"),
    ("GIT_AUTHOR_DATE", "2026-01-05T08:00:00+0000"),
    ("GIT_COMMITTER_NAME", "Landfall Recorder"),
    ("GIT_COMMITTER_EMAIL", "recorder@landfall.invalid"),
    ("GIT_COMMITTER_DATE", "2026-01-05T08:00:00+0000"),
];

/// Stored, undeltified, single-threaded: the bundle's bytes then depend on the objects, not on a compressor.
const REPOSITORY_SETTINGS: [(&str, &str); 7] = [
    ("core.compression", "0"),
    ("pack.compression", "0"),
    ("pack.window", "0"),
    ("pack.threads", "1"),
    ("gc.auto", "0"),
    ("core.autocrlf", "false"),
    ("core.logAllRefUpdates", "true"),
];

/// The run table around the rows, each kept in the control plane's own spelling and field order.
fn run_table(rows: &[String]) -> String {
    let rows: Vec<String> =
        rows.iter().map(|row| row.trim_end().lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")).collect();
    format!(
        "{{\n  \"$schema\": \"../../schemas/work-landing-runs.schema.json\",\n  \"body_in_receipt\": false,\n  \
         \"work_landing_runs\": [\n{}\n  ]\n}}\n",
        rows.join(",\n")
    )
}

/// A row has to say what its recording was about, and everything it cites has to be in the evidence.
fn check_row(expected: &Expected, row: &str, recording: &Recording) -> Result<(), Failure> {
    let row: Value = serde_json::from_str(row)?;
    let id = expected.run_id;
    for (field, wanted) in [
        ("run_id", Value::from(id)),
        ("landing_status", Value::from(expected.status)),
        ("commit_claimed_landed", Value::from(expected.landed)),
        ("validation_precedes_commit_attempt", Value::from(expected.attempted)),
        ("live_git_mutation_authorized", Value::from(false)),
        ("unrelated_dirty_paths_staged", Value::from(false)),
        ("release_claim_authorized", Value::from(false)),
    ] {
        if row[field] != wanted {
            return Err(format!("row {id} has {field} = {}; {wanted} is needed", row[field]).into());
        }
    }
    if (row["head_before"] != row["head_after"]) != expected.landed {
        return Err(format!("row {id} shows heads {} and {}", row["head_before"], row["head_after"]).into());
    }
    let validations = row["validation_refs"].as_array().into_iter().flatten();
    let refs: Vec<&str> = validations
        .chain([&row["blocker_capture_ref"], &row["work_ledger_closeout_ref"]])
        .filter_map(Value::as_str)
        .filter(|cited| !cited.is_empty())
        .collect();
    match refs.iter().find(|cited| !is_recorded(cited, recording)) {
        Some(cited) => Err(format!("row {id} cites {cited}, which was not recorded; an evidence file is needed").into()),
        None => Ok(()),
    }
}

/// Whether a ref (`path` or `path#L<line>`) names a recorded file, and a line it has.
fn is_recorded(cited: &str, recording: &Recording) -> bool {
    let (path, line) = cited.split_once("#L").unwrap_or((cited, "1"));
    let lines = recording.get(path).map_or(0, |bytes| bytes.split_inclusive(|byte| *byte == b'\n').count());
    line.parse::<usize>().is_ok_and(|line| 0 < line && line <= lines)
}

/// No file of a recording may carry the credential or a path of the machine it was made on.
fn refuse_leaks(recording: &Recording, root: &Path, scratch: &Scratch) -> Result<(), Failure> {
    let folder = scratch.folder.path();
    let leaks = [
        example_key(),
        folder.display().to_string(),
        folder.canonicalize()?.display().to_string(),
        root.canonicalize()?.display().to_string(),
    ];
    for (path, bytes) in recording {
        if leaks.iter().any(|leak| bytes.windows(leak.len()).any(|window| window == leak.as_bytes())) {
            return Err(format!("{path} carries a credential or a host path; neither may be recorded").into());
        }
    }
    Ok(())
}

/// Reads a folder's files into `found`, under the name `prefix`.
fn collect(folder: &Path, prefix: &str, found: &mut Recording) -> Result<(), Failure> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|_| "a file name is not UTF-8; a plain name is needed")?;
        let path = format!("{prefix}/{name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &path, found)?;
        } else {
            found.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Replaces the recorded files of `out`; what is written by hand beside them stays.
fn write(recording: &Recording, out: &Path) -> Result<(), Failure> {
    let evidence = out.join(EVIDENCE);
    if evidence.exists() {
        fs::remove_dir_all(&evidence)?;
    }
    for (path, bytes) in recording {
        let place = out.join(path);
        fs::create_dir_all(place.parent().expect("a recorded path lies below its folder"))?;
        fs::write(place, bytes)?;
    }
    Ok(())
}

/// Byte for byte, in the order of paths; the first difference is the error.
fn compare(recording: &Recording, out: &Path) -> Result<(), Failure> {
    let mut kept = Recording::new();
    if out.join(EVIDENCE).is_dir() {
        collect(&out.join(EVIDENCE), EVIDENCE, &mut kept)?;
    }
    if let Ok(table) = fs::read(out.join(RUN_TABLE)) {
        kept.insert(RUN_TABLE.to_owned(), table);
    }
    let mut paths: Vec<&String> = recording.keys().chain(kept.keys()).collect();
    paths.sort();
    for path in paths {
        let found = match (recording.get(path), kept.get(path)) {
            (Some(new), Some(old)) if new == old => continue,
            (Some(_), Some(_)) => "differs from a new recording",
            (Some(_), None) => "is missing",
            (None, _) => "is not part of a new recording",
        };
        return Err(format!("{path} {found}; record the fixture again and review what changed").into());
    }
    Ok(())
}

const BERTHS: &str = r#""""Which vessel fits which berth."""


def fits(vessel_length: int, berth_length: int) -> bool:
    """Whether a vessel can lie at a berth."""
    return vessel_length < berth_length
"#;

const BERTHS_EXACT: &str = r#""""Which vessel fits which berth."""


def fits(vessel_length: int, berth_length: int) -> bool:
    """Whether a vessel can lie at a berth. A vessel as long as the berth can."""
    return vessel_length <= berth_length
"#;

const BERTHS_REFUSING: &str = r#""""Which vessel fits which berth."""


def fits(vessel_length: int, berth_length: int) -> bool:
    """Whether a vessel can lie at a berth. A vessel as long as the berth can."""
    if vessel_length <= 0:
        raise ValueError("a vessel has a length")
    return vessel_length <= berth_length
"#;

const TEST_BERTHS: &str = r"import unittest

from harbour.berths import fits


class Berths(unittest.TestCase):
    def test_a_longer_vessel_does_not_fit(self):
        self.assertFalse(fits(81, 80))
";

const TEST_BERTHS_EXACT: &str = r"import unittest

from harbour.berths import fits


class Berths(unittest.TestCase):
    def test_a_longer_vessel_does_not_fit(self):
        self.assertFalse(fits(81, 80))

    def test_a_vessel_of_exact_length_fits(self):
        self.assertTrue(fits(80, 80))
";

const TEST_BERTHS_REFUSING: &str = r"import unittest

from harbour.berths import fits


class Berths(unittest.TestCase):
    def test_a_longer_vessel_does_not_fit(self):
        self.assertFalse(fits(81, 80))

    def test_a_vessel_of_exact_length_fits(self):
        self.assertTrue(fits(80, 80))

    def test_a_vessel_without_length_is_refused(self):
        with self.assertRaises(ValueError):
            fits(0, 80)
";

const RADIO: &str = r#""""Where the harbour listens."""

CHANNEL = 12
"#;

const TEST_RADIO: &str = r"import unittest

from harbour.radio import CHANNEL


class Radio(unittest.TestCase):
    def test_the_channel_is_a_marine_channel(self):
        self.assertIn(CHANNEL, range(1, 89))
";

#[cfg(test)]
mod tests {
    use super::{EVIDENCE, RUN_TABLE, Recording, compare, is_recorded, run_table, write};
    use xshell::{Shell, TempDir};

    fn recording() -> Recording {
        let files = [(RUN_TABLE, "{}\n"), ("evidence/log", "one\ntwo\n")];
        files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).into()
    }

    /// A shell in a folder that holds the recording, written.
    fn written() -> (Shell, TempDir) {
        let shell = Shell::new().expect("a current folder is there");
        let folder = shell.create_temp_dir().expect("a temporary folder can be made");
        shell.change_dir(folder.path());
        write(&recording(), folder.path()).expect("a fresh folder can be written");
        (shell, folder)
    }

    fn difference(folder: &TempDir) -> String {
        compare(&recording(), folder.path()).expect_err("the folder was changed").to_string()
    }

    #[test]
    fn a_written_recording_is_equal_to_itself() {
        let (shell, folder) = written();
        shell.write_file("landing_policy.json", "by hand").expect("the folder can be written");
        compare(&recording(), folder.path()).expect("files beside the recording do not count");
    }

    #[test]
    fn an_edited_a_missing_and_an_undeclared_file_are_named() {
        let (shell, folder) = written();
        shell.write_file("evidence/stray", "").expect("the folder can be written");
        assert!(difference(&folder).starts_with("evidence/stray is not part of a new recording"));
        shell.write_file("evidence/log", "one\n").expect("the folder can be written");
        assert!(difference(&folder).starts_with("evidence/log differs from a new recording"));
        shell.remove_path(EVIDENCE).expect("the folder can be removed");
        assert!(difference(&folder).starts_with("evidence/log is missing"));
    }

    #[test]
    fn writing_again_leaves_nothing_of_an_older_recording() {
        let (shell, folder) = written();
        shell.write_file("evidence/older", "").expect("the folder can be written");
        write(&recording(), folder.path()).expect("the folder can be written");
        compare(&recording(), folder.path()).expect("the older file is gone");
    }

    #[test]
    fn a_ref_needs_its_file_and_its_line() {
        for cited in ["evidence/log", "evidence/log#L1", "evidence/log#L2"] {
            assert!(is_recorded(cited, &recording()), "{cited}");
        }
        for cited in ["evidence/other", "evidence/log#L0", "evidence/log#L3", "evidence/log#Lx", ""] {
            assert!(!is_recorded(cited, &recording()), "{cited}");
        }
    }

    #[test]
    fn the_run_table_keeps_each_rows_own_spelling() {
        let table = run_table(&["{\n  \"b\": 1,\n  \"a\": 2\n}\n".to_owned()]);
        assert!(table.ends_with("    {\n      \"b\": 1,\n      \"a\": 2\n    }\n  ]\n}\n"));
        assert!(serde_json::from_str::<serde_json::Value>(&table).is_ok());
    }
}
