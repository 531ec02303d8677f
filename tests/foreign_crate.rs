//! Somebody else's crate (`examples/foreign-crate`), built offline as theirs would be: what its tests
//! say of its own corpus, and of the same corpus broken in one respect.
//!
//! The crate is built once into a target folder of its own below this workspace's; every broken
//! corpus is a copy in a scratch folder in which the built test binary runs, as cargo would run it.
//!
//! Longer than most files for its table of broken corpora.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "the test builds a crate and says what it could not check")]

#[path = "commands/process.rs"]
mod process;

use process::{Ran, run};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Building from nothing takes half a minute on two cores.
const BUILD_TIME: Duration = Duration::from_secs(900);
/// One run of a built test binary takes milliseconds.
const RUN_TIME: Duration = Duration::from_secs(20);

#[test]
fn its_own_corpus_passes_and_every_trial_has_a_name() {
    let scratch = Scratch::new();
    let ran = scratch.trials(&["--test-threads", "2"]).ends_with(0);
    for name in [
        "landing::landing::policy",
        "landing::landing::protocol",
        "landing::landing::rows",
        "landing::landing::scan",
        "landing::landing::accepts::count-loaves",
        "landing::landing::accepts::oven-was-locked",
        "landing::landing::refuses::uncaptured_blocker",
        "landing::landing::floor::private_path_leakage",
    ] {
        assert!(ran.out.lines().any(|line| line == format!("test {name} ... ok")), "{name} is not among\n{}", ran.out);
    }
    // Policy, protocol, table, scan, two rows, nine cases, nine of the floor.
    assert!(ran.out.contains("24 passed; 0 failed"), "{}", ran.out);
}

#[test]
fn what_is_broken_fails_the_process_and_is_named() {
    let mut wrong = Vec::new();
    for broken in BROKEN {
        let scratch = Scratch::new();
        (broken.make)(&scratch);
        let ran = scratch.trials(&[]);
        let named: Vec<_> = broken.named.iter().filter(|named| !ran.out.contains(**named)).collect();
        if ran.code != Some(101) || !named.is_empty() || ran.said().contains("panicked") {
            wrong.push(format!("{}: exit {:?}, unnamed {named:?}\n{}", broken.what, ran.code, ran.said()));
        }
    }
    assert!(wrong.is_empty(), "{} of {} broken corpora:\n{}", wrong.len(), BROKEN.len(), wrong.join("\n"));
}

/// A corpus broken in one respect, and what its failing output must name.
struct Broken {
    what: &'static str,
    make: fn(&Scratch),
    named: &'static [&'static str],
}

const BROKEN: &[Broken] = &[
    Broken {
        what: "a row that claims a landing on a still head",
        make: |scratch| scratch.edit(RUNS, "\"head_after\": \"c94be07d13a2f586\"", "\"head_after\": \"5f1c0d2e8b7a4963\""),
        named: &["accepts::count-loaves ... FAILED", "WORK_LANDING_HEAD_ADVANCE_MISSING (contradicted)"],
    },
    Broken {
        what: "a dropped case that is not refused",
        make: |scratch| scratch.drop_case("oven_door_open", "\"validation_refs\": [\"ci/count-loaves.log\"]"),
        named: &["refuses::oven_door_open ... FAILED", "CASE_CODE_MISSING", "WORK_LANDING_EVIDENCE_REF_MISSING"],
    },
    Broken {
        what: "an empty run table",
        make: |scratch| scratch.write(RUNS, "{\"work_landing_runs\": []}"),
        named: &["landing::landing::rows ... FAILED", "WORK_LANDING_RUN_ROWS_MISSING"],
    },
    Broken {
        what: "a run table of blank lines",
        make: |scratch| {
            scratch.remove(RUNS);
            scratch.write("landing/work_landing_runs.jsonl", "\n \n");
        },
        named: &["landing::landing::rows ... FAILED", "WORK_LANDING_RUN_ROWS_MISSING"],
    },
    Broken {
        what: "no run table",
        make: |scratch| scratch.remove(RUNS),
        named: &["landing::landing::rows ... FAILED", "work_landing_runs.json"],
    },
    Broken {
        what: "two run tables",
        make: |scratch| scratch.write("landing/work_landing_runs.jsonl", "{}\n"),
        named: &["landing::landing::rows ... FAILED", "work_landing_runs.jsonl"],
    },
    Broken {
        what: "a table that is a link, beside one that is read",
        make: |scratch| {
            scratch.write("elsewhere.json", &scratch.read(RUNS));
            scratch.write("landing/work_landing_runs.jsonl", &scratch.row("another-run"));
            scratch.remove(RUNS);
            std::os::unix::fs::symlink("../elsewhere.json", scratch.path(RUNS)).expect("a link");
        },
        named: &["landing::landing::rows ... FAILED", "work_landing_runs.json"],
    },
    Broken {
        what: "a run_id twice",
        make: |scratch| scratch.edit(RUNS, "oven-was-locked\",", "count-loaves\","),
        named: &["accepts::count-loaves::again_2 ... FAILED", "another trial has the same name", "WORK_LANDING_RUN_ID_DUPLICATE"],
    },
    Broken {
        what: "a key twice",
        make: |scratch| scratch.edit(RUNS, "\"run_id\": \"count-loaves\"", "\"run_id\": \"a\", \"run_id\": \"b\""),
        named: &["landing::landing::rows ... FAILED", "a key its object already has at line 5"],
    },
    Broken {
        what: "a secret beside the rows",
        make: |scratch| scratch.edit(RUNS, "\"body_in_receipt\": false", &format!("\"note\": \"{}IAIOSFODNN7EXAMPLE\"", "AK")),
        named: &["landing::landing::rows ... FAILED", "aws_access_key_id"],
    },
    Broken {
        what: "a folder of cases without a case",
        make: |scratch| {
            fs::remove_dir_all(scratch.path(CASES)).expect("it is there");
            fs::create_dir(scratch.path(CASES)).expect("a folder");
        },
        named: &["CASES_MISSING", "floor::uncaptured_blocker ... FAILED", "WORK_LANDING_NEGATIVE_CASE_MISSING"],
    },
    Broken {
        what: "one of the nine missing",
        make: |scratch| scratch.remove(&format!("{CASES}/release_overclaim.json")),
        named: &["floor::release_overclaim ... FAILED", "WORK_LANDING_NEGATIVE_CASE_MISSING"],
    },
    Broken {
        what: "one of the nine that is not broken",
        make: |scratch| scratch.edit(&format!("{CASES}/release_overclaim.json"), "_authorized\": true", "_authorized\": false"),
        named: &["floor::release_overclaim ... FAILED", "WORK_LANDING_NEGATIVE_CASE_NOT_CAUGHT", "CASE_CODE_MISSING"],
    },
    Broken {
        what: "a case that is no JSON",
        make: |scratch| scratch.write(&format!("{CASES}/half_a_case.json"), "{\"case_id\": "),
        named: &["refuses::half_a_case ... FAILED", "CASE_UNREADABLE"],
    },
    Broken {
        what: "a case that is a link",
        make: |scratch| {
            let link = scratch.path(&format!("{CASES}/linked.json"));
            std::os::unix::fs::symlink("uncaptured_blocker.json", link).expect("a link");
        },
        named: &["refuses::linked ... FAILED", "CASE_UNREADABLE"],
    },
    Broken {
        what: "a case of another name",
        make: |scratch| scratch.edit(&format!("{CASES}/uncaptured_blocker.json"), "\"case_id\": \"uncaptured", "\"case_id\": \"captured"),
        named: &["refuses::uncaptured_blocker ... FAILED", "CASE_ID_MISMATCH"],
    },
    Broken {
        what: "a file among the cases that is none",
        make: |scratch| scratch.write(&format!("{CASES}/notes.txt"), "remember the rye"),
        named: &["refuses::notes.txt ... FAILED", "CASE_FILE_UNREAD"],
    },
    Broken {
        what: "two cases of one name",
        make: |scratch| {
            let case = scratch.read(&format!("{CASES}/uncaptured_blocker.json"));
            scratch.write(&format!("{CASES}/again/uncaptured_blocker.json"), &case);
        },
        named: &["refuses::uncaptured_blocker::again_2 ... FAILED", "another trial has the same name"],
    },
    Broken {
        what: "a policy without a lane",
        make: |scratch| scratch.edit("landing/landing_policy.json", "\"hard_stop\"", "\"soft_stop\""),
        named: &["landing::landing::policy ... FAILED", "WORK_LANDING_LANE_TABLE_INCOMPLETE", "WORK_LANDING_LANE_UNKNOWN"],
    },
    Broken {
        what: "a thin protocol",
        make: |scratch| scratch.edit("landing/projection_protocol.json", "\"Cargo.toml\"", "\"src/lib.rs\""),
        named: &["landing::landing::protocol ... FAILED", "WORK_LANDING_PROJECTION_PROTOCOL_DENSITY_MISSING"],
    },
    Broken {
        what: "no corpus at all",
        make: |scratch| fs::remove_dir_all(scratch.path("landing")).expect("it is there"),
        named: &["landing::landing::corpus ... FAILED", "no corpus folder"],
    },
];

#[test]
fn a_secret_in_evidence_fails_too() {
    let scratch = Scratch::new();
    scratch.write("landing/evidence/ci.log", &format!("key {}IAIOSFODNN7EXAMPLE used", "AK"));
    let ran = scratch.trials(&[]).ends_with(101);
    assert!(ran.out.contains("aws_access_key_id") && ran.out.contains("evidence/ci.log"), "{}", ran.out);
}

#[test]
fn a_dropped_case_file_is_a_test_of_its_name() {
    let scratch = Scratch::new();
    scratch.drop_case("oven_door_open", "\"validation_refs\": [\"pending\"]");
    let ran = scratch.trials(&[]).ends_with(0);
    assert!(ran.out.contains("test landing::landing::refuses::oven_door_open ... ok"), "{}", ran.out);
    assert!(ran.out.contains("25 passed; 0 failed"), "{}", ran.out);
}

#[test]
fn a_corpus_without_cases_of_its_own_takes_the_nine_built_in() {
    let scratch = Scratch::new();
    fs::remove_dir_all(scratch.path(CASES)).expect("it is there");
    let ran = scratch.trials(&[]).ends_with(0);
    assert!(ran.out.contains("24 passed; 0 failed"), "{}", ran.out);
}

#[test]
fn names_are_listed_for_nextest_and_selected_by_it() {
    let scratch = Scratch::new();
    let listed = scratch.trials(&["--list", "--format", "terse"]).ends_with(0);
    let names: Vec<_> =
        listed.out.lines().map(|line| line.strip_suffix(": test").unwrap_or_else(|| panic!("no test line: {line}"))).collect();
    assert_eq!(names.len(), 24, "{names:#?}");
    assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 24, "names are unique");
    assert_eq!(listed.err, "");
    let ignored = scratch.trials(&["--list", "--format", "terse", "--ignored"]).ends_with(0);
    assert_eq!(ignored.out, "", "nothing is ignored");
    for name in names {
        let ran = scratch.trials(&[name, "--exact", "--nocapture"]).ends_with(0);
        assert!(ran.out.contains("1 passed; 0 failed"), "{name}: {}", ran.out);
    }
}

#[test]
fn a_run_of_nothing_is_refused() {
    let scratch = Scratch::new();
    let ran = scratch.trials(&["--exact", "no_such_name"]).ends_with(101);
    assert!(ran.err.contains("no trial has this name"), "{}", ran.err);
    let ran = scratch.trials(&["--exact", "landing::landing::row"]).ends_with(101);
    assert!(ran.err.contains("no trial has this name"), "{}", ran.err);
    // It would wait for ever.
    let ran = scratch.trials(&["--test-threads", "0"]).ends_with(101);
    assert!(ran.err.contains("--test-threads 0"), "{}", ran.err);
    assert_eq!(ran.out, "");
}

#[test]
fn names_that_cannot_be_trial_names_are_positions() {
    for id in ["oven was locked", "oven=locked", "\\u00f6fen", "oven\\n", "oven \\u001b]0;owned\\u0007\\u202e"] {
        let scratch = Scratch::new();
        scratch.edit(RUNS, "oven-was-locked\",", &format!("{id}\","));
        scratch.write(&format!("{CASES}/oven = locked.json"), "{}");
        let ran = scratch.trials(&["--list"]).ends_with(0);
        for name in ["accepts::row[1]", "refuses::case[5]"] {
            assert!(ran.out.contains(&format!("landing::landing::{name}: test")), "{}", ran.out);
        }
        assert!(!ran.said().contains(['\u{1b}', '\u{7}', '\u{202e}', '=']), "{:?}", ran.said());
    }
}

#[test]
fn a_row_asked_for_alone_comes_to_what_it_comes_to_among_all() {
    let plain = |id: &str| Scratch::new().row(id);
    let leaking = plain("leaks").replace("ci/count-loaves.log", "/home/baker/count-loaves.log");
    let rows = [
        plain("first"),
        leaking,
        plain("spelled").replace("\"spelled\"", "\"sp\\u0065lled\""),
        plain("first").replace("\"first\"", "\"f\\u0069rst\""),
        plain("a/slash").replace("a/slash", "a\\/slash"),
        plain("names first and last"),
        plain("first"),
        plain("last"),
    ];
    let table = format!("{{\"work_landing_runs\": [{}]}}", rows.join(", "));
    for (file, text) in [(RUNS, table), ("landing/work_landing_runs.jsonl", rows.join("\n") + "\n")] {
        let scratch = Scratch::new();
        scratch.remove(RUNS);
        scratch.write(file, &text);
        let all = scratch.trials(&["accepts"]).ends_with(101);
        let listed = scratch.trials(&["--list", "accepts"]).ends_with(0);
        let names: Vec<_> = listed.out.lines().filter_map(|line| line.strip_suffix(": test")).collect();
        for name in ["leaks", "spelled", "first", "first::again_2", "first::again_3", "a/slash", "row[5]", "last"] {
            assert!(names.contains(&&*format!("landing::landing::accepts::{name}")), "{name}: {names:?}");
        }
        for name in names {
            let ended = ["ok", "FAILED"].map(|end| all.out.lines().any(|line| line == format!("test {name} ... {end}")));
            let ran = scratch.trials(&["--exact", name]);
            let alone = ["1 passed; 0 failed", "0 passed; 1 failed"].map(|end| ran.out.contains(end));
            assert_eq!(alone, ended, "{file} {name}: {}", ran.said());
            assert_eq!(ended[1], ["leaks", "again_2", "again_3"].iter().any(|end| name.ends_with(end)), "{file} {name}: {}", ran.said());
        }
    }
}

#[test]
fn nothing_is_written() {
    let scratch = Scratch::new();
    let before = scratch.tree();
    scratch.trials(&[]).ends_with(0);
    assert_eq!(before, scratch.tree());
    scratch.edit(RUNS, "\"release_claim_authorized\": false", "\"release_claim_authorized\": true");
    let before = scratch.tree();
    scratch.trials(&[]).ends_with(101);
    assert_eq!(before, scratch.tree());
}

#[test]
fn cargo_test_says_the_same() {
    let built = Built::named("cargo-test");
    built.cargo(&["test"]).ends_with(0);
    let runs = built.folder.join(RUNS);
    fs::write(&runs, read(&runs).replace("\"unrelated_dirty_paths_staged\": false", "\"unrelated_dirty_paths_staged\": true"))
        .expect("it writes");
    let ran = built.cargo(&["test"]);
    assert!(ran.code.is_some_and(|code| code != 0), "{ran:#?}");
    assert!(ran.out.contains("WORK_LANDING_DIRTY_TREE_BOUNDARY_MISSING"), "{}", ran.out);
}

#[test]
fn nextest_says_the_same() {
    let built = Built::named("nextest");
    if built.cargo(&["nextest", "--version"]).code != Some(0) {
        // Nothing was checked; the rest of this file ran the same trials one by one.
        return eprintln!("SKIPPED: cargo-nextest is not installed; its run of the foreign crate was not checked");
    }
    // A passing test's output is kept back unless asked for; both are asked for here.
    let ran = built.cargo(&["nextest", "run", "--no-fail-fast"]).ends_with(0);
    assert!(ran.err.contains("24 tests run: 24 passed"), "{}", ran.err);
    // 4: nothing was selected.
    built.cargo(&["nextest", "run", "no_such_name"]).ends_with(4);
    let runs = built.folder.join(RUNS);
    fs::write(&runs, read(&runs).replace("c94be07d13a2f586\",\n      \"validation", "5f1c0d2e8b7a4963\",\n      \"validation"))
        .expect("it writes");
    let ran = built.cargo(&["nextest", "run", "--no-fail-fast"]).ends_with(100);
    assert!(ran.err.contains("24 tests run: 23 passed, 1 failed"), "{}", ran.err);
    assert!(ran.said().contains("WORK_LANDING_HEAD_ADVANCE_MISSING (contradicted)"), "{}", ran.said());
    fs::write(&runs, "{\"work_landing_runs\": []}").expect("it writes");
    let ran = built.cargo(&["nextest", "run", "--no-fail-fast"]).ends_with(100);
    assert!(ran.said().contains("WORK_LANDING_RUN_ROWS_MISSING"), "{}", ran.said());
}

const RUNS: &str = "landing/work_landing_runs.json";
const CASES: &str = "landing/negative-cases";

/// The crate's corpus in a scratch folder, in which its built test binary runs.
struct Scratch {
    folder: tempfile::TempDir,
    tests: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let built = Built::named("crate");
        let folder = tempfile::tempdir().expect("a scratch folder");
        copy(&source().join("landing"), &folder.path().join("landing"));
        Self { tests: built.tests(), folder }
    }

    /// Runs the test binary as `cargo test -- ARGUMENTS` would.
    fn trials(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(&self.tests);
        command.args(arguments).current_dir(self.folder.path());
        let ran = run(command, b"", RUN_TIME);
        // Names are padded to one width.
        let single =
            |line: &str| if line.contains("... ") { line.split_whitespace().collect::<Vec<_>>().join(" ") } else { line.to_owned() };
        Ran { out: ran.out.lines().map(single).collect::<Vec<_>>().join("\n"), ..ran }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        read(&self.path(path))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folders");
        fs::write(path, text).expect("it writes");
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).expect("it is there");
    }

    /// Replaces the first `old`; the text must be there, or the test would break nothing.
    fn edit(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} has no {old}");
        self.write(path, &text.replacen(old, new, 1));
    }

    /// The accepted row with another id.
    fn row(&self, run_id: &str) -> String {
        let table: serde_json::Value = serde_json::from_str(&read(&source().join(RUNS))).expect("the table is JSON");
        let mut row = table["work_landing_runs"][0].clone();
        row["run_id"] = run_id.into();
        row.to_string()
    }

    /// Drops in a case that expects to be refused for its evidence: the accepted row with `refs`.
    fn drop_case(&self, id: &str, refs: &str) {
        let row = self.row(id).replace("\"validation_refs\":[\"ci/count-loaves.log\"]", refs);
        let code = "WORK_LANDING_EVIDENCE_REF_MISSING";
        let why = "a dropped file is judged like any other";
        let case =
            format!("{{\"case_id\": \"{id}\", \"kind\": \"row\", \"expected_codes\": [\"{code}\"], \"why\": \"{why}\", \"input\": {row}}}");
        self.write(&format!("{CASES}/{id}.json"), &case);
    }

    fn tree(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.folder.path().to_owned()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).expect("it lists") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let bytes = fs::read(&path).expect("it reads");
                    files.insert(path, bytes);
                }
            }
        }
        files
    }
}

/// A copy of the crate that cargo builds; it stays below the workspace's target folder, so that a
/// warm run builds nothing.
struct Built {
    folder: PathBuf,
    target: PathBuf,
    /// Held while cargo or a test works in the copy: nextest runs each test in a process of its own.
    _lock: File,
}

impl Built {
    fn named(name: &str) -> Self {
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign-crate");
        let folder = all.join(name);
        fs::create_dir_all(&folder).expect("a folder below the target folder");
        let lock = File::create(all.join(format!("{name}.lock"))).expect("a lock file");
        lock.lock().expect("the lock is to be had");
        copy(&source(), &folder);
        let manifest = read(&source().join("Cargo.toml"));
        let here = format!("path = {:?}", env!("CARGO_MANIFEST_DIR"));
        assert!(manifest.contains("path = \"../..\""), "the crate depends on landfall by its path");
        write_if_other(&folder.join("Cargo.toml"), manifest.replace("path = \"../..\"", &here).as_bytes());
        // The versions that this repository has downloaded already. Cargo drops what the crate does not need.
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock"), folder.join("Cargo.lock")).expect("the repository has a lock");
        Self { folder, target: all.join("target"), _lock: lock }
    }

    /// Builds the crate's tests and returns the binary of `tests/landing.rs`.
    fn tests(&self) -> PathBuf {
        let ran = self.cargo(&["test", "--no-run", "--message-format", "json"]).ends_with(0);
        let messages = ran.out.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let mut binaries = messages.filter(|message| message["target"]["name"] == "landing").filter_map(|message| {
            let path = message["executable"].as_str()?;
            Some(PathBuf::from(path))
        });
        binaries.next().unwrap_or_else(|| panic!("cargo built no tests: {ran:#?}"))
    }

    /// Runs cargo in the copy, offline.
    fn cargo(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(&self.folder);
        // What the outer cargo or nextest says of the outer package is not meant for this one.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "NEXTEST"].iter().any(|prefix| text.starts_with(prefix))
                || text == "CARGO_MAKEFLAGS"
            {
                command.env_remove(name);
            }
        }
        command.env("CARGO_NET_OFFLINE", "true").env("CARGO_TARGET_DIR", &self.target).env("CARGO_TERM_COLOR", "never");
        run(command, b"", BUILD_TIME)
    }
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/foreign-crate")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Copies what git keeps of a folder; a file that is the same already keeps its time, so that cargo finds it fresh.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("folders");
    for entry in fs::read_dir(from).expect("it lists") {
        let entry = entry.expect("an entry");
        let name = entry.file_name();
        if ["target", "Cargo.lock", "Cargo.toml"].iter().any(|own| name == *own) {
            continue;
        }
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(name));
        } else {
            write_if_other(&to.join(name), &fs::read(entry.path()).expect("it reads"));
        }
    }
}

fn write_if_other(path: &Path, bytes: &[u8]) {
    if fs::read(path).ok().as_deref() != Some(bytes) {
        fs::write(path, bytes).expect("it writes");
    }
}
