//! What runners of tasks say at their end: tox, nox, Turborepo, Nx, pnpm and Lerna.
//!
//! They start what tests or builds, and sum up by task: which of them failed. That says no more than a status does, so a
//! summary of tests in the same output counts before it.

use super::any_of;
use super::summary::Shown;
use super::terminal;
use aho_corasick::AhoCorasick;
use regex::Regex;
use std::sync::LazyLock;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the table holds patterns")
}

/// A task by name, in a line that says that it failed.
static FAILED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\s*(?:Failed:\s+(?P<turbo>\S+?#[\w:.-]+(?:,\s+\S+?#[\w:.-]+)*)|-\s+(?:nx run )?[\w@./-]+:(?P<nx>[\w.-]+)(?::[\w.-]+)?|(?:\[?ERR_PNPM_RECURSIVE\w*\]?|ERR_PNPM_RECURSIVE\w*)\s+\S+ (?P<pnpm>[\w:.-]+): .*|[\w@./-]+ (?P<step>[\w:.-]+): Failed|npm (?:error|ERR!) Lifecycle script `(?P<npm>[^`]+)` failed with error:?)\s*$",
    )
});
/// The heads under which Nx lists what failed.
static LISTED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(?:Failed tasks:|(?:✖|×)\s+\d+/\d+ (?:targets )?failed, including the following:)\s*$"));
static TURBO: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*Tasks:\s+(\d+) successful, (\d+) total\s*$"));
static TURBO_CACHE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*Cached:\s+(\d+) cached, (\d+) total\s*$"));
static NX: LazyLock<Regex> = LazyLock::new(|| pattern(r"Successfully ran targets? (.+?) for (?:\d+ projects?|project \S+)"));
static NX_CACHE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"read the output from the cache instead of running the command for (\d+) out of (\d+) tasks"));
/// An environment of tox, a session of nox: its name and how it ended.
static ENVIRONMENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:ERROR:)?\s{2,}(?P<tox>[\w.-]+): (?:(?P<bad>FAIL code \d+|commands failed)|(?P<good>OK|commands succeeded))(?: \(.*\))?|nox > (?:Session|\*) (?P<nox>[\w.()='/-]+)(?::)? (?:was )?(?:(?P<failed>failed)|(?P<passed>successful|success))(?: in .*)?\.?)$",
    )
});

/// Most outputs hold none of these, and are passed over.
static MARKED: LazyLock<AhoCorasick> = LazyLock::new(|| {
    any_of([
        "ERR_PNPM_RECURSIVE",
        "Lifecycle script",
        "Failed:",
        ": Failed",
        "Failed tasks:",
        "failed, including",
        "Tasks:",
        "Successfully ran target",
        ": FAIL code",
        "commands failed",
        "commands succeeded",
        ": OK",
        "nox > ",
        ": Done",
    ])
});

/// Longer lines are none of theirs.
const LINE_LIMIT: usize = 600;

/// Whether a name is that of a task that tests.
fn is_test(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.split(|each: char| !each.is_ascii_alphanumeric())
        .any(|word| matches!(word, "test" | "tests" | "unit" | "e2e" | "spec" | "specs" | "integration"))
}

/// The same of an environment: `py311`, `pypy3`, `unit`.
fn is_test_environment(name: &str) -> bool {
    let version = |word: &str| {
        let word = word.strip_prefix("pypy").or_else(|| word.strip_prefix("py")).unwrap_or("-");
        word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let words: Vec<&str> = name.split(|each: char| !each.is_ascii_alphanumeric() && each != '.').collect();
    let other = words.iter().any(|word| {
        matches!(
            *word,
            "lint"
                | "flake8"
                | "mypy"
                | "typing"
                | "type"
                | "style"
                | "format"
                | "fmt"
                | "docs"
                | "doc"
                | "black"
                | "ruff"
                | "pylint"
                | "coverage"
                | "report"
                | "package"
                | "build"
        )
    });
    !other && words.iter().any(|word| version(word) || is_test(word))
}

/// Whether a name is that of a task that builds.
fn is_build(name: &str) -> bool {
    name.split(|each: char| !each.is_ascii_alphanumeric()).any(|word| matches!(word, "build" | "compile" | "bundle"))
}

/// The lines of `output`, which is plain.
fn lines(output: &str) -> impl Iterator<Item = &str> {
    let any = if MARKED.is_match(output) { output } else { "" };
    any.lines().filter(|line| line.len() <= LINE_LIMIT).map(str::trim_end)
}

/// A task that a line says failed. `listed`: the line stands below a head for such tasks.
fn failed(line: &str, listed: bool) -> Option<String> {
    let groups = FAILED.captures(line)?;
    let name = |group: &str| groups.name(group).map(|name| name.as_str().to_owned());
    // Of `package#task, package#task` only the tasks are of interest.
    let turbo = name("turbo").map(|list| list.split(',').filter_map(|one| one.rsplit('#').next()).collect::<Vec<_>>().join(","));
    let other = turbo.or_else(|| ["pnpm", "step", "npm"].iter().find_map(|group| name(group)));
    other.or_else(|| name("nx").filter(|_| listed))
}

/// What the tasks that test come to.
pub fn of_tests(output: &str) -> Option<Shown> {
    let (mut listed, mut bad, mut good, mut cached) = (false, false, false, false);
    let (mut congratulated, mut of_tox, mut of_nox) = (false, false, false);
    for line in lines(&terminal::shown(output)) {
        if LISTED.is_match(line) {
            listed = true;
        } else if failed(line, listed).is_some_and(|name| is_test(&name)) {
            bad = true;
        } else if let Some(groups) = ENVIRONMENT.captures(line) {
            let name = groups.name("tox").or(groups.name("nox")).map_or("", |name| name.as_str());
            if is_test_environment(name) {
                bad |= groups.name("bad").is_some() || groups.name("failed").is_some();
                of_tox |= groups.name("good").is_some();
                of_nox |= groups.name("passed").is_some();
            }
        } else if line.trim() == "congratulations :)" || line.trim_start().starts_with("congratulations :) (") {
            congratulated = true;
        } else if let Some(groups) = TURBO.captures(line) {
            good |= groups[1] == groups[2] && &groups[2] != "0";
        } else if let Some(groups) = NX.captures(line) {
            good |= is_test(&groups[1]);
        } else if let Some(groups) = TURBO_CACHE.captures(line).or_else(|| NX_CACHE.captures(line)) {
            cached |= groups[1] == groups[2];
        }
    }
    // Where all that was asked of tox went well, what failed was allowed to.
    if bad && !congratulated {
        return Some(Shown::Failed);
    }
    if good {
        return Some(if cached { Shown::Cached } else { Shown::Passed });
    }
    (of_nox || of_tox && congratulated).then_some(Shown::Passed)
}

/// Whether the tasks that build failed (`false`) or all went well.
pub fn of_builds(output: &str) -> Option<bool> {
    let (mut listed, mut bad, mut good) = (false, false, false);
    for line in lines(&terminal::shown(output)) {
        if LISTED.is_match(line) {
            listed = true;
        } else if failed(line, listed).is_some_and(|name| is_build(&name)) {
            bad = true;
        } else if let Some(groups) = TURBO.captures(line) {
            good |= groups[1] == groups[2] && &groups[2] != "0";
        } else if let Some(groups) = NX.captures(line) {
            good |= is_build(&groups[1]);
        } else if let Some((name, "Done")) = line.rsplit_once(": ") {
            good |= name.rsplit_once(' ').is_some_and(|(_, script)| is_build(script));
        }
    }
    if bad { Some(false) } else { good.then_some(true) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_test_are_told_from_others() {
        for (output, expected) in [
            (
                "  py310: FAIL code 1 (4.11=setup[1.01]+cmd[3.10] seconds)\n  py311: OK (3.30 seconds)\n  evaluation failed :( (7.55 seconds)",
                Some(Shown::Failed),
            ),
            ("  py310: OK (4.11 seconds)\n  congratulations :) (7.55 seconds)", Some(Shown::Passed)),
            ("  lint: FAIL code 1 (4.11 seconds)\n  evaluation failed :( (7.55 seconds)", None),
            ("  lint: OK (4.11 seconds)\n  congratulations :) (7.55 seconds)", None),
            (
                "  py311: OK (3.30 seconds)\n  py314: IGNORED FAIL code 1 (0.9 seconds)\n  congratulations :) (7.55 seconds)",
                Some(Shown::Passed),
            ),
            ("  unit: OK", None),
            ("  Failed:    test-utils#build, api#lint", None),
            ("  Failed:    api#lint, web#test", Some(Shown::Failed)),
            ("ERROR:   py36: commands failed\n  py37: commands succeeded", Some(Shown::Failed)),
            ("  py37: commands succeeded\n  congratulations :)", Some(Shown::Passed)),
            ("nox > Session tests-3.12 was successful.", Some(Shown::Passed)),
            ("nox > Session tests-3.12 failed.", Some(Shown::Failed)),
            ("nox > Ran multiple sessions:\nnox > * tests-3.12: success\nnox > * lint: failed", Some(Shown::Passed)),
            (" Tasks:    2 successful, 2 total\nCached:    0 cached, 2 total", Some(Shown::Passed)),
            (" Tasks:    2 successful, 2 total\nCached:    2 cached, 2 total", Some(Shown::Cached)),
            (" Tasks:    1 successful, 2 total\n  Failed:    api#test", Some(Shown::Failed)),
            (" Tasks:    1 successful, 2 total\n  Failed:    api#lint", None),
            (" NX   Successfully ran target test for 2 projects (9s)", Some(Shown::Passed)),
            (" NX   Successfully ran target lint for 2 projects (9s)", None),
            (" ✖  1/2 targets failed, including the following:\n\n    - nx run api:test", Some(Shown::Failed)),
            ("- api:test", None),
        ] {
            assert_eq!(of_tests(output), expected, "{output}");
        }
    }
}
