//! The shared scenarios of sessions: each is audited where it lies, and its answers are compared by the rules
//! of its README. Where the folder is absent this says so, and is no evidence of anything.

#![cfg(feature = "cli")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a test reads its cases, runs their generator and says what it could not check"
)]

#[path = "sessions/in_process.rs"]
mod in_process;

use in_process::{Printed, landfall};
use landfall::cli::Exit;
use landfall::json::{Value, parse};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Runs `landfall audit …` with `root` as its folder.
fn audit(root: &Path, arguments: &[String], format: &str) -> Printed {
    let given = arguments.iter().map(String::as_str);
    landfall(root, &["audit"].into_iter().chain(given).chain(["--format", format]).collect::<Vec<_>>(), b"")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("it lists") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a kind").is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::write(&target, std::fs::read(entry.path()).expect("it reads")).expect("it writes");
        }
    }
}

fn listing(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(root).expect("it lists") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(listing(&path));
        } else {
            let bytes = std::fs::read(&path).expect("it reads");
            all.insert(path, bytes);
        }
    }
    all
}

fn texts(value: Option<&Value<'_>>) -> Vec<String> {
    value.and_then(Value::elements).unwrap_or_default().iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn number(value: &Value<'_>) -> Option<i64> {
    value.as_number().and_then(|number| number.as_integer())
}

struct Claim {
    file: String,
    line: i64,
    kind: String,
    answer: String,
    codes: Vec<String>,
}

fn text(value: &Value<'_>, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn claims(answer: &Value<'_>) -> Vec<Claim> {
    let of = |claim: &Value<'_>| {
        for key in ["file", "line", "kind", "answer", "codes", "evidence", "would_show"] {
            assert!(claim.get(key).is_some(), "a claim without {key}");
        }
        let line = number(claim.get("line").expect("checked")).expect("a number");
        Claim {
            file: text(claim, "file"),
            line,
            kind: text(claim, "kind"),
            answer: text(claim, "answer"),
            codes: texts(claim.get("codes")),
        }
    };
    answer.get("claims").and_then(Value::elements).expect("a list of claims").iter().map(of).collect()
}

/// What one reading finds wrong.
fn against(reading: &Value<'_>, answered: &[Claim], whole: &Value<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    let expected = reading.get("claims").and_then(Value::elements).unwrap_or_default();
    let lines = |value: Option<&Value<'_>>| match value {
        Some(Value::Array(lines)) => Some(lines.iter().filter_map(number).collect::<Vec<_>>()),
        Some(value) => number(value).map(|line| vec![line]),
        None => None,
    };
    let at = |claim: &Claim, wanted: &Value<'_>| {
        let file = wanted.get("file").and_then(Value::as_str);
        let folder = |file: &str| file.starts_with(&format!("{}/", claim.file));
        lines(wanted.get("line")).is_none_or(|lines| lines.contains(&claim.line))
            && file.is_none_or(|file| file == claim.file || folder(file))
    };
    for wanted in expected {
        let (kind, answer) = (text(wanted, "kind"), text(wanted, "answer"));
        let found = answered.iter().find(|claim| claim.kind == kind && at(claim, wanted));
        match found {
            None => wrong.push(format!("no claim {kind}, wanted {answer}")),
            Some(claim) if claim.answer != answer => wrong.push(format!("{kind} is {}, wanted {answer} {:?}", claim.answer, claim.codes)),
            Some(claim) => {
                for code in texts(wanted.get("codes")).iter().filter(|code| !claim.codes.contains(code)) {
                    wrong.push(format!("{kind} lacks {code}, has {:?}", claim.codes));
                }
            }
        }
    }
    let silent = lines(reading.get("no_claims_on_lines")).unwrap_or_default();
    let silent_files = texts(whole.get("no_claims_in_files"));
    for claim in answered {
        let wanted = expected.iter().any(|wanted| text(wanted, "kind") == claim.kind && at(claim, wanted));
        if wanted || claim.kind == "blocked" && claim.answer != "contradicted" {
            continue;
        }
        if claim.answer == "contradicted" {
            wrong.push(format!("FALSE ACCUSATION: {} at {}:{}", claim.kind, claim.file, claim.line));
        }
        if silent.contains(&claim.line) || silent_files.contains(&claim.file) {
            wrong.push(format!("a claim {} where none is, at {}:{}", claim.kind, claim.file, claim.line));
        }
    }
    wrong
}

fn scenario(folder: &Path) -> Vec<String> {
    let bytes = std::fs::read(folder.join("expect.json")).expect("expectations");
    let expect = parse(&bytes).expect("expectations read");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let root = scratch.path();
    copy(folder, root);
    if root.join("make.py").is_file() {
        let made = std::process::Command::new("python3").arg("make.py").current_dir(root).status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("SKIPPED: {}: python3 is needed to make it", folder.display());
            return Vec::new();
        }
    }
    std::fs::remove_file(root.join("expect.json")).expect("it goes");
    let before = listing(root);
    let arguments: Vec<String> = texts(expect.get("session")).into_iter().chain(texts(expect.get("args"))).collect();
    let printed = audit(root, &arguments, "json");
    let page = audit(root, &arguments, "text");
    let mut wrong = Vec::new();
    if listing(root) != before {
        wrong.push("the folder was changed".to_owned());
    }
    for secret in texts(expect.get("must_not_contain")) {
        for (name, stream) in [("json", &printed.out), ("page", &page.out), ("talk", &printed.err), ("talk", &page.err)] {
            if stream.contains(&secret) {
                wrong.push(format!("{name} shows what it must not"));
            }
        }
    }
    if text(&expect, "exit") == "nonzero" {
        if printed.exit == Exit::Pass {
            wrong.push("exit 0 where nothing can be read".to_owned());
        }
        return wrong;
    }
    let Ok(answer) = parse(printed.out.as_bytes()) else {
        wrong.push(format!("exit {:?}, no answer: {}", printed.exit, printed.err.trim()));
        return wrong;
    };
    let answered = claims(&answer);
    let contradicted = answered.iter().any(|claim| claim.answer == "contradicted");
    let judged = matches!(printed.exit, Exit::Pass | Exit::Blocked);
    if !judged || (printed.exit == Exit::Pass) == contradicted || page.exit != printed.exit {
        wrong.push(format!("exit {:?} with contradicted = {contradicted}", printed.exit));
    }
    let readings = if expect.get("undecided").is_some_and(|undecided| undecided.is_bool(true)) {
        expect.get("readings").and_then(Value::elements)
    } else {
        None
    };
    let found: Vec<Vec<String>> = match readings {
        Some(readings) => readings.iter().map(|reading| against(reading, &answered, &expect)).collect(),
        None => vec![against(&expect, &answered, &expect)],
    };
    if !found.iter().any(Vec::is_empty) {
        wrong.extend(found.into_iter().next().unwrap_or_default());
    }
    wrong
}

#[test]
fn every_scenario_has_its_answers() {
    let sessions = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/sessions");
    if !sessions.is_dir() {
        eprintln!("SKIPPED: ../shared/cases/sessions is not there; nothing of it was checked");
        return;
    }
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&sessions)
        .expect("it lists")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("expect.json").is_file())
        .collect();
    folders.sort();
    assert!(!folders.is_empty(), "no scenario in {}", sessions.display());
    let mut failures = Vec::new();
    for folder in &folders {
        let wrong = scenario(folder);
        if !wrong.is_empty() {
            failures.push(format!("{}: {}", folder.file_name().expect("a name").to_string_lossy(), wrong.join("; ")));
        }
    }
    eprintln!("{} of {} scenarios have their answers", folders.len() - failures.len(), folders.len());
    assert!(failures.is_empty(), "{} of {} differ:\n{}", failures.len(), folders.len(), failures.join("\n"));
}
