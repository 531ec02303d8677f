//! What a command's text and output settle: read once, kept in place of both.

use super::polled::is_preview;
use super::shell::runners::RELEASE_TARGET;
use super::shell::{self, Analysis, Filter};
use super::timeline::{Facts, TouchKind};
use crate::evidence::{build_output, git_output, gradle_output, summary, task_output, terminal};

/// The most bytes of a path that are kept.
pub(super) const PATH_LIMIT: usize = 300;

/// Paths of a patch in the form `*** Update File: path`.
pub(super) fn patched_paths(text: &str) -> Vec<(String, TouchKind)> {
    if !text.contains("*** ") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for line in text.lines() {
        let (kind, path) = if let Some(path) = line.strip_prefix("*** Add File: ") {
            (TouchKind::Create, path)
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            (TouchKind::Edit, path)
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            (TouchKind::Delete, path)
        } else {
            continue;
        };
        if found.len() < 1000 {
            found.push((path.trim().to_owned(), kind));
        }
    }
    found
}

/// What `output` settles for a command of this kind.
pub(super) fn facts(shell: &Analysis, output: &str) -> Facts {
    let mut facts = Facts { empty: output.trim().is_empty(), ..Facts::default() };
    if shell.reads_only {
        return facts;
    }
    let output = &*terminal::shown(output);
    let lands = shell.commit.is_some() || shell.push.is_some() || shell.replays && !shell.unseen || shell.reset.is_some();
    let alone = lands && shell.test.is_none() && shell.build.is_none();
    if !alone || shell.commit.is_some() {
        let filter = if is_preview(output) { Filter::Head } else { shell.test.as_ref().map_or(Filter::Open, |check| check.filter) };
        let runner = shell.test.as_ref().map_or("", |check| check.name);
        facts.summary = summary::of_runner(output, filter == Filter::Open, runner);
    }
    if shell.commit.is_some() || output.starts_with('[') || output.contains("\n[") || output.contains("Merge made by") {
        facts.commits = git_output::commits(output);
    }
    // A target or a script may push: git's own words say so.
    let made = shell.build.as_ref().is_some_and(|build| build.name == "make");
    if shell.resets_to_remote.is_some() {
        let now = output.lines().find_map(|line| line.trim().strip_prefix("HEAD is now at ")?.split(' ').next());
        facts.head_now = now.filter(|hash| git_output::is_hash(hash)).map(str::to_ascii_lowercase);
    }
    if shell.push.is_some() || shell.test.is_none() && (shell.build.is_none() || made) && output.contains(" -> ") {
        facts.pushes = git_output::pushes(output);
    }
    let release = shell.release.is_some_and(|(name, _)| name == RELEASE_TARGET);
    if shell.build.is_some() || shell.test.is_some() || release {
        facts.built = build_output::of_build(output);
        facts.could_not_run = build_output::could_not_run(output);
        let name = |check: &Option<shell::Check>| check.as_ref().map_or("", |check| check.name);
        facts.tasks = match (name(&shell.test), name(&shell.build)) {
            ("gradle test", _) => gradle_output::of_output(output),
            ("", "gradle") => gradle_output::of_named_tasks(output),
            ("", _) => None,
            _ => task_output::of_tests(output),
        };
        facts.compile_error = (shell.test.is_some() || release) && build_output::compile_error(output);
        facts.did_not_compile = shell.test.is_some() && build_output::did_not_compile(output);
    }
    if shell.release.is_some() {
        facts.not_published = build_output::not_published(output);
        facts.published = build_output::published(output);
        facts.already_out = build_output::already_out(output);
    }
    if let Some(prefix) = &shell.echoes_status {
        facts.echoed_status = output.lines().rev().find_map(|line| {
            let rest = line.trim().strip_prefix(prefix.as_str())?.trim();
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        });
    }
    if facts.summary.is_some_and(|found| found.shown == summary::Shown::Failed) {
        facts.failing_files = failing_files(output);
        facts.failing_tests = failing_tests(output);
    }
    facts
}

/// The most names of failing tests that are kept.
const NAMES_LIMIT: usize = 24;

/// Tests that a runner names as failing, by the last part of their names.
fn failing_tests(output: &str) -> Vec<String> {
    const MARKS: [&str; 10] = ["FAILED ", "FAIL: ", "ERROR: ", "FAIL ", "--- FAIL: ", "✕ ", "✗ ", "× ", "● ", "✘ "];
    let mut names: Vec<String> = Vec::new();
    for line in output.lines().filter(|line| line.len() <= 600) {
        let line = line.trim();
        // `test parser::empty ... FAILED`, of libtest; `test_x (tests.A.test_x) ... FAIL`, of unittest.
        let whole = line.strip_suffix(" ... FAILED").or_else(|| line.strip_suffix(" ... FAIL")).or_else(|| line.strip_suffix(" ... ERROR"));
        let marked = MARKS.iter().find_map(|mark| line.strip_prefix(mark));
        let Some(name) = whole.map(|line| line.strip_prefix("test ").unwrap_or(line)).or(marked) else { continue };
        let name = name.split(" - ").next().unwrap_or(name).split(['(', '[']).next().unwrap_or(name).trim();
        let last = name.rsplit("::").next().unwrap_or(name).rsplit([' ', '.', '/', '>']).next().unwrap_or(name);
        let last = last.to_lowercase();
        if last.len() >= 4 && last.len() <= PATH_LIMIT && !names.contains(&last) && names.len() < NAMES_LIMIT {
            names.push(last);
        }
    }
    names
}

/// Test files that a runner names beside a failure.
fn failing_files(output: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in output.lines() {
        let Some(rest) = line.trim_start().strip_prefix("FAILED ").or_else(|| line.trim_start().strip_prefix("FAIL ")) else { continue };
        let file = rest.trim_start().split([' ', ':', '>']).next().unwrap_or_default();
        let name = shell::program::base(file).to_owned();
        if name.contains('.') && name.len() <= PATH_LIMIT && !files.contains(&name) && files.len() < 16 {
            files.push(name);
        }
    }
    files
}
