//! Test results in a program's output: the last summary of each runner.
//!
//! Runners sum up in their own words. A table of shapes is held against each line that could be one;
//! a word like *failed* outside a summary means nothing, since tests are named after failures.
//!
//! Longer than most files, for the table of shapes.

use super::any_of;
use aho_corasick::AhoCorasick;
use regex::{Regex, RegexSet};
use std::sync::{LazyLock, OnceLock};

/// What a run's output shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Tests ran, and none failed.
    Passed,
    /// A test failed, or the run did.
    Failed,
    /// No test ran.
    Vacuous,
    /// Every result is that of an earlier run.
    Cached,
    /// Runs of one output disagree: a failure, and a pass of the same runner behind it.
    Mixed,
}

/// Counts of a run, as far as they were printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed, errors included.
    pub failed: u64,
    /// Tests that were skipped or ignored.
    pub skipped: u64,
    /// Tests that were left out by a filter.
    pub filtered: u64,
}

impl Counts {
    /// Tests that the run knows of.
    pub fn total(&self) -> u64 {
        self.passed.saturating_add(self.failed).saturating_add(self.skipped)
    }
}

/// A summary of one output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// What it shows.
    pub shown: Shown,
    /// Its counts.
    pub counts: Counts,
}

/// How summaries of one shape in one output go together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// One a test binary: added up, any failure fails the run.
    Add,
    /// The last one counts.
    Last,
}

struct Shape {
    rule: Rule,
    pattern: &'static str,
}

/// Shapes of summary lines. Groups: `p` passed, `f` and `e` failed, `s` skipped, `x` filtered, `t` total,
/// `bad` and `good` words that say it without a count, `none` words for no test at all.
const SHAPES: &[Shape] = &[
    Shape {
        rule: Rule::Add,
        pattern: r"^(?:[\w./@:+-]+[:|-]|[\w.-]+\s+\|\s*|\S*\d\S*Z\s+|\[[^\]]*\]\s*|\s*)test result: (?:(?P<bad>FAILED)|ok)\. (?P<p>\d+) passed; (?P<f>\d+) failed; (?P<s>\d+) ignored; \d+ measured; (?P<x>\d+) filtered out",
    },
    Shape {
        rule: Rule::Last,
        pattern: r"Summary \[[^\]]*\] +(?:\d+/)?(?P<t>\d+) tests? run: (?P<p>\d+) passed(?: \([^)]*\))?(?:, (?P<f>\d+) failed)?(?:, (?P<e>\d+) (?:exec failed|timed out))?(?:, (?P<s>\d+) skipped)?",
    },
    Shape {
        rule: Rule::Last,
        pattern: r"^=*\s*(?:\d+ (?:xfailed|xpassed|warnings?|rerun|subtests passed|skipped|deselected), )*(?:(?P<f>\d+) failed(?:, )?)?(?:(?P<p>\d+) passed(?:, )?)?(?:(?P<s>\d+) skipped(?:, )?)?(?:(?P<x>\d+) deselected(?:, )?)?(?:\d+ (?:xfailed|xpassed|warnings?|rerun|subtests passed)(?:, )?)*(?:(?P<e>\d+) errors?)?(?:, )? in [\d.:]+ ?s?(?:econds)?(?: \([\d:]+\))?\s*=*$",
    },
    Shape { rule: Rule::Last, pattern: r"^=*\s*(?P<none>no tests ran)(?: in [\d.]+s)?" },
    Shape {
        rule: Rule::Last,
        pattern: r"^(?:(?P<good>OK)|(?P<bad>FAILED))(?: \((?:failures=(?P<f>\d+))?(?:, )?(?:errors=(?P<e>\d+))?(?:, )?(?:skipped=(?P<s>\d+))?(?:, )?(?:expected failures=\d+)?\))?$",
    },
    Shape {
        rule: Rule::Last,
        pattern: r"^\s*Tests:\s+(?:(?P<f>\d+) failed, )?(?:(?P<s>\d+) (?:skipped|todo), )*(?:(?P<p>\d+) passed, )?(?P<t>\d+) total",
    },
    Shape {
        rule: Rule::Last,
        pattern: r"^\s*Test Suites:\s+(?:(?P<f>\d+) failed, )?(?:\d+ skipped, )?(?:\d+ passed, )?\d+ (?:of \d+ )?total",
    },
    Shape {
        rule: Rule::Last,
        pattern: r"^\s*Tests\s+(?:(?P<f>\d+) failed(?: \| )?)?(?:(?P<p>\d+) passed(?: \| )?)?(?:(?P<s>\d+) skipped)?(?: \| \d+ todo)?\s*\((?P<t>\d+)\)",
    },
    Shape {
        rule: Rule::Last,
        pattern: r"^\s*Test Files\s+(?:(?P<f>\d+) failed(?: \| )?)?(?:\d+ passed(?: \| )?)?(?:\d+ skipped)?\s*\(\d+\)",
    },
    Shape { rule: Rule::Last, pattern: r"^\s*(?P<p>\d+) passing(?: \(|$)" },
    Shape { rule: Rule::Last, pattern: r"^\s*(?P<f>\d+) failing\s*$" },
    Shape { rule: Rule::Last, pattern: r"^\s*(?:#|ℹ) pass (?P<p>\d+)\s*$" },
    Shape { rule: Rule::Last, pattern: r"^\s*(?:#|ℹ) fail (?P<f>\d+)\s*$" },
    Shape { rule: Rule::Last, pattern: r"^\s*(?P<p>\d+) pass\s*$" },
    Shape { rule: Rule::Last, pattern: r"^\s*(?P<f>\d+) fail\s*$" },
    Shape { rule: Rule::Last, pattern: r"^(?:ok|(?P<bad>FAILED)) \| (?P<p>\d+) passed(?: \(\d+ steps?\))? \| (?P<f>\d+) failed" },
    Shape { rule: Rule::Last, pattern: r"^\s+(?P<p>\d+) passed \([\d.]+m?s?\)\s*$" },
    Shape { rule: Rule::Last, pattern: r"^\s+(?P<f>\d+) failed\s*$" },
    Shape {
        rule: Rule::Last,
        pattern: r"^(?P<t>\d+) examples?, (?P<f>\d+) failures?(?:, (?P<e>\d+) errors? occurred[^,]*)?(?:, (?P<s>\d+) pending)?",
    },
    Shape {
        rule: Rule::Last,
        pattern: r"^(?P<t>\d+) (?:runs|tests), \d+ assertions, (?P<f>\d+) failures, (?P<e>\d+) errors(?:, (?P<s>\d+) (?:skips|pendings))?",
    },
    Shape { rule: Rule::Last, pattern: r"^OK \((?P<p>\d+) tests?, \d+ assertions?\)" },
    Shape {
        rule: Rule::Last,
        pattern: r"^Tests: (?P<t>\d+), Assertions: \d+(?:, Errors: (?P<e>\d+))?(?:, Failures: (?P<f>\d+))?(?:, Warnings: \d+)?(?:, Skipped: (?P<s>\d+))?",
    },
    // Automake: counts on lines of their own.
    Shape { rule: Rule::Add, pattern: r"^# PASS:\s+(?P<p>\d+)$" },
    Shape { rule: Rule::Add, pattern: r"^# (?:FAIL|XPASS|ERROR):\s+(?P<f>\d+)$" },
    // Meson.
    Shape { rule: Rule::Last, pattern: r"^Ok:\s{6,}(?P<p>\d+)\s*$" },
    Shape { rule: Rule::Last, pattern: r"^Fail:\s{6,}(?P<f>\d+)\s*$" },
    Shape { rule: Rule::Last, pattern: r"^Timeout:\s{6,}(?P<f>\d+)\s*$" },
    // The terminal logger of `dotnet test`.
    Shape {
        rule: Rule::Add,
        pattern: r"^\s*Test summary: total: (?P<t>\d+), failed: (?P<f>\d+), succeeded: (?P<p>\d+), skipped: (?P<s>\d+)",
    },
    // Karma.
    Shape { rule: Rule::Last, pattern: r"^TOTAL: (?:(?P<f>\d+) FAILED(?:, )?)?(?:(?P<p>\d+) SUCCESS)?$" },
    Shape {
        rule: Rule::Last,
        pattern: r": Executed \d+ of (?P<t>\d+)(?: \((?P<f>\d+) FAILED\))?(?: \(skipped (?P<s>\d+)\))?(?: SUCCESS)? \([\d.]+ (?:m?secs?|mins?)",
    },
    // Cypress: a run's own box, and the line below all of them.
    Shape { rule: Rule::Last, pattern: r"^\s*(?:✔|√)\s+(?P<good>All specs passed!)" },
    Shape { rule: Rule::Last, pattern: r"^\s*(?:✖|×)\s+(?P<f>\d+) of \d+ failed \(\d+%\)" },
    // AVA.
    Shape { rule: Rule::Last, pattern: r"^\s*(?P<p>\d+) tests? passed$" },
    Shape { rule: Rule::Last, pattern: r"^\s*(?P<f>\d+) tests? failed$" },
    // Zig.
    Shape {
        rule: Rule::Last,
        pattern: r"^Build Summary: .*; (?P<p>\d+)/(?P<t>\d+) tests passed(?:; (?P<s>\d+) skipped)?(?:; (?P<f>\d+) failed)?",
    },
    // Pest, and Laravel's runner.
    Shape {
        rule: Rule::Last,
        pattern: r"^\s*Tests:\s+(?:(?P<f>\d+) failed, )?(?:\d+ (?:risky|warnings?|incomplete|deprecated|todos?|notices?), )*(?:(?P<s>\d+) skipped, )?(?:(?P<p>\d+) passed )?\(\d+ assertions\)",
    },
    // ScalaTest below sbt.
    Shape {
        rule: Rule::Add,
        pattern: r"^(?:\[info\] )?Tests: succeeded (?P<p>\d+), failed (?P<f>\d+), canceled \d+, ignored (?P<s>\d+), pending \d+",
    },
    // SymPy.
    Shape {
        rule: Rule::Last,
        pattern: r"^=+ tests finished: (?P<p>\d+) passed(?:, (?P<f>\d+) failed)?(?:, (?P<s>\d+) skipped)?(?:, \d+ expected to fail)?(?:, \d+ expected to fail but passed)?(?:, (?P<e>\d+) exceptions?)?,? in ",
    },
    // xcbeautify, behind xcodebuild.
    Shape { rule: Rule::Last, pattern: r"^Tests (?:Passed|Failed): (?P<f>\d+) failed, (?P<s>\d+) skipped, (?P<t>\d+) total" },
    // Bazel.
    Shape {
        rule: Rule::Last,
        pattern: r"^Executed \d+ out of (?P<t>\d+) tests?: (?:(?P<p>\d+) tests? pass(?:es)?)?(?:(?: and|,) (?P<f>\d+) fails?)?",
    },
    Shape { rule: Rule::Last, pattern: r"^Executed \d+ out of (?P<t>\d+) tests?: .*?(?P<f>\d+) fails? (?:locally|remotely)" },
    Shape {
        rule: Rule::Add,
        pattern: r"^\s*(?:Passed!|(?P<bad>Failed!))\s+- Failed:\s+(?P<f>\d+), Passed:\s+(?P<p>\d+), Skipped:\s+(?P<s>\d+)",
    },
    Shape { rule: Rule::Last, pattern: r"Tests run: (?P<t>\d+), Failures: (?P<f>\d+), Errors: (?P<e>\d+), Skipped: (?P<s>\d+)" },
    Shape { rule: Rule::Last, pattern: r"^(?P<t>\d+) tests? completed, (?P<f>\d+) failed" },
    Shape { rule: Rule::Last, pattern: r"\d+% tests passed, (?P<f>\d+) tests failed out of (?P<t>\d+)" },
    Shape {
        rule: Rule::Last,
        pattern: r"^(?:\d+ doctests?, )?(?:\d+ properties, )?(?P<t>\d+) tests?, (?P<f>\d+) failures?(?:, (?P<s>\d+) (?:skipped|excluded))?",
    },
    Shape { rule: Rule::Last, pattern: r"Executed (?P<t>\d+) tests?, with (?:\d+ tests? skipped and )?(?P<f>\d+) failures?" },
    Shape { rule: Rule::Last, pattern: r"(?:^|\d: |\+\d+: )(?:(?P<good>All tests passed!)|(?P<bad>Some tests failed\.))" },
    Shape { rule: Rule::Last, pattern: r"^(?P<good>All tests successful\.)" },
    Shape { rule: Rule::Last, pattern: r"^Result: (?:(?P<good>PASS)|(?P<bad>FAIL)|(?P<none>NOTESTS))$" },
    Shape { rule: Rule::Last, pattern: r"^(?P<good>All tests passed) \(\d+ assertions? in \d+ test cases?\)" },
    Shape { rule: Rule::Last, pattern: r"^test cases:\s*(?P<t>\d+) \|\s*(?P<p>\d+) passed(?: \|\s*(?P<f>\d+) failed)?" },
    Shape { rule: Rule::Add, pattern: r"^\[  PASSED  \] (?P<p>\d+) tests?\." },
    Shape { rule: Rule::Add, pattern: r"^\[  FAILED  \] (?P<f>\d+) tests?, listed below" },
    Shape { rule: Rule::Last, pattern: r"^All (?P<p>\d+) tests passed\." },
    Shape { rule: Rule::Last, pattern: r"^(?P<p>\d+) success(?:es)? / (?P<f>\d+) failures? / (?P<e>\d+) errors?" },
    Shape { rule: Rule::Last, pattern: r"^\s*(?P<t>\d+) specs?, (?P<f>\d+) failures?(?:, (?P<s>\d+) pending)?" },
    // gotestsum. With several runs, what failed in one may have passed in the next.
    Shape {
        rule: Rule::Last,
        pattern: r"^DONE (?P<t>\d+) tests?(?:, (?P<s>\d+) skipped)?(?:, (?P<f>\d+) failures?)?(?:, (?P<e>\d+) errors?)? in [\d.]+m?s$",
    },
    // Ginkgo.
    Shape {
        rule: Rule::Add,
        pattern: r"^(?:SUCCESS!|(?P<bad>FAIL!)) -- (?P<p>\d+) Passed \| (?P<f>\d+) Failed \| (?:\d+ Flaked \| )?\d+ Pending \| (?P<s>\d+) Skipped",
    },
    // Forge.
    Shape { rule: Rule::Add, pattern: r"^Suite result: (?:ok|(?P<bad>FAILED))\. (?P<p>\d+) passed; (?P<f>\d+) failed; (?P<s>\d+) skipped" },
    Shape { rule: Rule::Last, pattern: r"^Ran \d+ test suites? in .*: (?P<p>\d+) tests? passed, (?P<f>\d+) failed, (?P<s>\d+) skipped" },
    Shape { rule: Rule::Last, pattern: r"^Encountered a total of (?P<f>\d+) failing tests?, (?P<p>\d+) tests? succeeded" },
    // clojure.test, below its count.
    Shape { rule: Rule::Last, pattern: r"^(?:(?P<good>0 failures, 0 errors\.)|(?P<f>\d+) failures?, (?P<e>\d+) errors?\.)$" },
    // Cabal and Stack.
    Shape { rule: Rule::Last, pattern: r"^(?P<p>\d+) of (?P<n>\d+) test suites? \(\d+ of \d+ test cases?\) passed\." },
    Shape { rule: Rule::Add, pattern: r"^Test suite [\w.-]+: (?:(?P<good>PASS)|(?P<bad>FAIL))$" },
    Shape { rule: Rule::Add, pattern: r"^[\w.-]+\s*> Test suite [\w.-]+ (?:(?P<good>passed)|(?P<bad>failed))$" },
    // WebdriverIO
    Shape {
        rule: Rule::Last,
        pattern: r"^\s*Spec Files:\s+(?:(?:(?P<p>\d+) passed|(?P<f>\d+) failed|(?P<s>\d+) skipped|\d+ retries), )+(?P<t>\d+) total",
    },
    // Swift Testing.
    Shape {
        rule: Rule::Add,
        pattern: r"^(?:\S+ )?Test run with (?P<t>\d+) tests?(?: in \d+ suites?)? (?:passed|(?P<bad>failed)) after [\d.]+ seconds",
    },
    // Robot Framework, behave, Cucumber.
    Shape { rule: Rule::Last, pattern: r"^(?P<t>\d+) tests?, (?P<p>\d+) passed, (?P<f>\d+) failed(?:, (?P<s>\d+) skipped)?$" },
    Shape { rule: Rule::Last, pattern: r"^(?P<p>\d+) features? passed, (?P<f>\d+) failed(?:, (?P<e>\d+) errors?)?, (?P<s>\d+) skipped" },
    Shape { rule: Rule::Last, pattern: r"^(?P<p>\d+) scenarios? passed, (?P<f>\d+) failed(?:, (?P<e>\d+) errors?)?, (?P<s>\d+) skipped" },
    Shape {
        rule: Rule::Last,
        pattern: r"^\d+ [Ss]cenarios? \((?:(?P<f>\d+) failed)?(?:, )?(?:\d+ flaky(?:, )?)?(?:(?P<s>\d+) skipped)?(?:, )?(?:(?P<p>\d+) passed)?\)$",
    },
    // Julia. A column of its table stands only where there is something in it.
    Shape { rule: Rule::Add, pattern: r"^Test Summary:\s+\|\s+(?:(?:Pass\s+)?(?P<bad>Fail|Error)\b|(?P<good>Pass)\b)" },
    Shape { rule: Rule::Last, pattern: r"^\s+Testing \S+ tests (?P<good>passed)\s*$" },
    Shape { rule: Rule::Last, pattern: r"^ERROR: Package \S+ (?P<bad>errored) during testing" },
    // testthat
    Shape { rule: Rule::Last, pattern: r"^\[ FAIL (?P<f>\d+) \| WARN \d+ \| SKIP (?P<s>\d+) \| PASS (?P<p>\d+) \]" },
    // Terraform.
    Shape { rule: Rule::Last, pattern: r"^(?:Success!|(?P<bad>Failure!)) (?P<p>\d+) passed, (?P<f>\d+) failed(?:, (?P<s>\d+) skipped)?\." },
    // Mill and sbt, with the frameworks below them.
    Shape { rule: Rule::Add, pattern: r"^(?:\[\w+\] )?Tests: (?P<t>\d+), Passed: (?P<p>\d+), Failed: (?P<f>\d+)" },
    Shape { rule: Rule::Last, pattern: r"^(?:\[\S+\] )?[\w.]+\.test(?:\.\w+)? (?P<f>\d+) tests? failed:" },
    Shape {
        rule: Rule::Add,
        pattern: r"^\[\w+\] (?:Passed|Failed|Error): Total (?P<t>\d+), Failed (?P<f>\d+), Errors (?P<e>\d+), Passed (?P<p>\d+)",
    },
    // Unity, the one for C, and the one for games.
    Shape { rule: Rule::Add, pattern: r"^(?P<t>\d+) Tests (?P<f>\d+) Failures (?P<s>\d+) Ignored\s*$" },
    Shape { rule: Rule::Last, pattern: r"^Test run completed\. Exiting with code \d+ \((?:(?P<good>Ok)|(?P<bad>Failed))\)" },
];

/// A count is written in ASCII; a class of all digits of the world would make the table ten times as large. The end of a word
/// of all the world's letters would take the fast engine away from every line with a letter outside of ASCII.
fn narrow(shape: &Shape) -> String {
    shape.pattern.replace(r"\d", "[0-9]").replace(r"\b", r"(?-u:\b)")
}

/// The groups of each shape, made ready when a line of it is met.
static PATTERNS: [OnceLock<Regex>; SHAPES.len()] = [const { OnceLock::new() }; SHAPES.len()];

/// All shapes in one pass: most lines match none of them.
static SET: LazyLock<RegexSet> = LazyLock::new(|| RegexSet::new(SHAPES.iter().map(narrow)).expect("the table holds patterns"));

/// Only lines with one of these can be a summary or a line of `go test`.
const HINTS: [&str; 29] = [
    "pass",
    "fail",
    "PASS",
    "FAIL",
    "test",
    "OK",
    "Tests",
    "Summary",
    "ok ",
    "examples",
    "runs,",
    "no tests",
    "Passed",
    "Failed",
    "specs",
    "success",
    "All ",
    "skipped",
    "error in",
    "errors in",
    "deselected",
    "?  ",
    "# ERROR:",
    "Ok: ",
    "Fail:",
    "Timeout:",
    "TOTAL: ",
    "Executed ",
    "SUCCESS",
];

static HINTED: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(HINTS));

/// What other lines of interest begin with.
const STARTS: [&str; 5] = ["\nRan ", "\n1..", "\nBail out!", "\nnot ok", "\nok"];

static MARKED: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(HINTS.into_iter().chain(STARTS)));

/// The lines of `output` that may be of interest.
fn lines_of_interest(output: &str) -> impl Iterator<Item = &str> {
    let bytes = output.as_bytes();
    let mut at = 0;
    let mut first = true;
    std::iter::from_fn(move || {
        if at >= bytes.len() {
            return None;
        }
        // Nothing is in front of the first line, which may begin with anything.
        let hit = if std::mem::take(&mut first) { at } else { at + search(&bytes[at - 1..])? };
        let start = memchr::memrchr(b'\n', &bytes[at..hit]).map_or(at, |end| at + end + 1);
        let end = memchr::memchr(b'\n', &bytes[hit..]).map_or(bytes.len(), |end| hit + end);
        at = end + 1;
        Some(&output[start..end])
    })
}

/// How far into `bytes`, which begin with the end of the line before, the next mark leads: behind its own line's end.
fn search(bytes: &[u8]) -> Option<usize> {
    let found = MARKED.find(bytes)?;
    let start = found.start() + usize::from(bytes[found.start()] == b'\n');
    Some(start - 1)
}

/// Longer lines are no summaries.
const LINE_LIMIT: usize = 600;

#[derive(Debug, Clone, Copy, Default)]
struct Found {
    counts: Counts,
    bad: bool,
    good: bool,
    seen: bool,
    failed_before: bool,
}

/// The summary of `output`, if it holds one. `shown_whole` is false where the beginning only, or chosen lines, were kept.
pub fn of_output(output: &str, shown_whole: bool) -> Option<Summary> {
    of_runner(output, shown_whole, "")
}

/// The same for the output of a runner that is known by name.
pub fn of_runner(output: &str, shown_whole: bool, runner: &str) -> Option<Summary> {
    let mut plain = Reading::default();
    // A workspace's packages each have lines of their own: what one of them failed in, another's pass does not undo.
    let mut packages: Vec<(String, Reading)> = Vec::new();
    for line in lines_of_interest(&super::terminal::shown(output)) {
        if line.len() > LINE_LIMIT {
            continue;
        }
        let line = line.trim_end();
        let hinted = HINTED.is_match(line);
        if let Some((package, rest)) = hinted.then(|| package_of(line)).flatten() {
            let at = packages.iter().position(|(known, _)| known == package);
            let at = at.unwrap_or_else(|| {
                if packages.len() < PACKAGES_LIMIT {
                    packages.push((package.to_owned(), Reading::default()));
                }
                packages.len() - 1
            });
            packages[at].1.line(rest, hinted);
        } else {
            plain.line(line, hinted);
        }
    }
    let mut all: Vec<Summary> = packages.into_iter().filter_map(|(_, reading)| reading.summed_up(shown_whole, runner)).collect();
    all.extend(plain.summed_up(shown_whole, runner));
    together(&all)
}

/// The most packages of one output that are told from each other.
const PACKAGES_LIMIT: usize = 64;

/// What stands in front of a line of a package of a workspace, or of a container: its name, and that of the script.
static PACKAGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?:
            (?P<pnpm>[\w@.-]*[/@.][\w@./-]*\ [\w:.-]*(?:test|spec|unit|e2e)[\w:.-]*:\ )
            | (?P<turbo>[\w@./-]+:[\w:.-]*(?:test|spec|unit|e2e)[\w:.-]*:\ )
            | (?P<scoped>@[\w.-]+/[\w.-]+:\ )
            | (?P<container>[\w.-]+[-_][0-9]+\s+\|\ )
            | (?P<yarn>\x{27a4}\ YN0000:\ (?:\x{2502}\ )?\[[\w@/.-]+\]:\ )
        )",
    )
    .expect("the table holds patterns")
});

/// The package that a line is of, and the line without its name.
fn package_of(line: &str) -> Option<(&str, &str)> {
    if !line.contains(": ") && !line.contains("| ") {
        return None;
    }
    let found = PACKAGE.find(line)?;
    Some((found.as_str(), &line[found.end()..]))
}

/// What runs that know nothing of each other come to.
fn together(all: &[Summary]) -> Option<Summary> {
    let mut counts = Counts::default();
    for summary in all {
        counts.passed = counts.passed.saturating_add(summary.counts.passed);
        counts.failed = counts.failed.saturating_add(summary.counts.failed);
        counts.skipped = counts.skipped.saturating_add(summary.counts.skipped);
        counts.filtered = counts.filtered.saturating_add(summary.counts.filtered);
    }
    let order = [Shown::Failed, Shown::Mixed, Shown::Passed, Shown::Cached, Shown::Vacuous];
    let shown = order.into_iter().find(|shown| all.iter().any(|summary| summary.shown == *shown))?;
    Some(Summary { shown, counts })
}

/// The lines of one run, as they come.
struct Reading {
    found: Vec<Found>,
    go: super::go_output::Lines,
    tap: super::tap::Lines,
    ran: Option<u64>,
}

impl Default for Reading {
    fn default() -> Self {
        Self { found: vec![Found::default(); SHAPES.len()], go: Default::default(), tap: Default::default(), ran: None }
    }
}

impl Reading {
    /// `hinted`: a line may be a summary.
    fn line(&mut self, line: &str, hinted: bool) {
        self.tap.line(line);
        // A report of unittest says how many ran on a line of its own.
        if let Some(count) = line.strip_prefix("Ran ").and_then(|rest| rest.split(' ').next()) {
            self.ran = count.parse().ok();
        }
        if !hinted {
            return;
        }
        self.go.line(line);
        // Whether any matches is told much sooner than which.
        if !SET.is_match(line) {
            return;
        }
        for index in SET.matches(line) {
            let (slot, shape) = (&mut self.found[index], &SHAPES[index]);
            let pattern = PATTERNS[index].get_or_init(|| Regex::new(&narrow(shape)).expect("the table holds patterns"));
            let Some(groups) = pattern.captures(line) else { continue };
            // Every count of pytest's line, and of Cucumber's, may be absent, but not all of them.
            if groups.iter().skip(1).all(|group| group.is_none())
                && shape.rule == Rule::Last
                && (shape.pattern.contains("deselected") || shape.pattern.contains("flaky"))
            {
                continue;
            }
            let number = |name: &str| groups.name(name).map(|digits| digits.as_str().parse::<u64>().unwrap_or(u64::MAX));
            let short = number("n").map_or(0, |all| all.saturating_sub(number("p").unwrap_or(0)));
            let failed = number("f").unwrap_or(0).saturating_add(number("e").unwrap_or(0)).saturating_add(short);
            let skipped = number("s").unwrap_or(0);
            let passed = number("p").unwrap_or_else(|| number("t").unwrap_or(0).saturating_sub(failed).saturating_sub(skipped));
            let counts = Counts { passed, failed, skipped, filtered: number("x").unwrap_or(0) };
            let bad = groups.name("bad").is_some() || failed > 0;
            let good = groups.name("good").is_some();
            if slot.seen && shape.rule == Rule::Add {
                slot.counts.passed = slot.counts.passed.saturating_add(counts.passed);
                slot.counts.failed = slot.counts.failed.saturating_add(counts.failed);
                slot.counts.skipped = slot.counts.skipped.saturating_add(counts.skipped);
                slot.counts.filtered = slot.counts.filtered.saturating_add(counts.filtered);
                slot.bad |= bad;
                slot.good |= good;
            } else {
                let failed_before = slot.failed_before || slot.seen && slot.bad;
                *slot = Found { counts, bad, good, seen: true, failed_before };
            }
        }
    }

    fn summed_up(mut self, shown_whole: bool, runner: &str) -> Option<Summary> {
        // A bare word is unittest's only below its count; a line of two counts is clojure.test's.
        if self.ran.is_none() {
            for (slot, shape) in self.found.iter_mut().zip(SHAPES).filter(|(slot, _)| slot.seen) {
                slot.seen = !shape.pattern.contains("expected failures") && !shape.pattern.contains(r"0 failures, 0 errors\.");
            }
        }
        summed_up(&self.found, self.ran, self.go.shown(runner == "go test"), &self.tap, shown_whole)
    }
}

fn summed_up(found: &[Found], ran: Option<u64>, of_go: Option<Shown>, tap: &super::tap::Lines, shown_whole: bool) -> Option<Summary> {
    let seen: Vec<&Found> = found.iter().filter(|found| found.seen).collect();
    let mut counts = Counts::default();
    for found in &seen {
        counts.passed = counts.passed.max(found.counts.passed);
        counts.failed = counts.failed.max(found.counts.failed);
        counts.skipped = counts.skipped.max(found.counts.skipped);
        counts.filtered = counts.filtered.max(found.counts.filtered);
    }
    let good = seen.iter().any(|found| found.good);
    if counts.passed == 0 && good {
        counts.passed = ran.unwrap_or(1).saturating_sub(counts.skipped);
    }
    let of_tap = tap.shown();
    let bad = seen.iter().any(|found| found.bad) || of_go == Some(Shown::Failed) || of_tap == Some(Shown::Failed);
    if bad {
        return Some(Summary { shown: Shown::Failed, counts });
    }
    if seen.iter().any(|found| found.failed_before) {
        return Some(Summary { shown: Shown::Mixed, counts });
    }
    if seen.is_empty() {
        let shown = of_go.or(of_tap)?;
        let counts = if of_go.is_some() { Counts { passed: 1, ..counts } } else { tap.counts() };
        // Lines of `go test` are results one by one: what was cut away may have failed.
        return (shown_whole || shown == Shown::Vacuous).then_some(Summary { shown, counts });
    }
    let shown = if counts.passed > 0 { Shown::Passed } else { Shown::Vacuous };
    let adds_up = SHAPES.iter().zip(found).any(|(shape, found)| found.seen && shape.rule == Rule::Add);
    if adds_up && !shown_whole && shown == Shown::Passed {
        return None;
    }
    Some(Summary { shown, counts })
}

#[cfg(test)]
mod tests;
