//! Test reports as JSON: libtest and nextest, pytest, `go test -json`.

use super::summary::{Counts, Shown};
use crate::import::milliseconds;
use crate::json::{Value, parse};
use std::collections::{BTreeMap, BTreeSet};

/// What a report file shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What the run shows; `None` where the report is incomplete.
    pub shown: Option<Shown>,
    /// Counts from the single results.
    pub counts: Counts,
    /// A sum in the file disagrees with its single results.
    pub inconsistent: bool,
    /// When the run ended, in milliseconds since 1970, where the file says so.
    pub at: Option<i64>,
}

impl Report {
    pub(super) fn of_counts(counts: Counts) -> Self {
        let shown = if counts.failed > 0 {
            Shown::Failed
        } else if counts.passed == 0 {
            Shown::Vacuous
        } else {
            Shown::Passed
        };
        Self { shown: Some(shown), counts, ..Self::default() }
    }
}

fn number(value: &Value<'_>, key: &str) -> Option<u64> {
    value.get(key)?.as_number()?.as_integer()?.try_into().ok()
}

fn text<'v>(value: &'v Value<'_>, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

/// A libtest JSON stream: one pair of suite events a binary. A suite that was not closed was aborted.
pub(super) fn libtest(lines: &str) -> Option<Report> {
    let (mut started, mut closed, mut failed_suite) = (0u64, 0u64, false);
    let mut counts = Counts::default();
    let mut claimed = Counts::default();
    for line in lines.lines() {
        let line = line.trim();
        if !line.starts_with('{') {
            continue;
        }
        let Ok(value) = parse(line.as_bytes()) else { continue };
        match (text(&value, "type"), text(&value, "event")) {
            (Some("suite"), Some("started")) => started += 1,
            (Some("suite"), Some(event @ ("ok" | "failed"))) => {
                closed += 1;
                failed_suite |= event == "failed";
                claimed.passed += number(&value, "passed").unwrap_or(0).min(1 << 40);
                claimed.failed += number(&value, "failed").unwrap_or(0).min(1 << 40);
                claimed.filtered += number(&value, "filtered_out").unwrap_or(0).min(1 << 40);
            }
            (Some("test"), Some("ok")) => counts.passed += 1,
            (Some("test"), Some("failed" | "timeout")) => counts.failed += 1,
            (Some("test"), Some("ignored")) => counts.skipped += 1,
            _ => {}
        }
    }
    if started == 0 && closed == 0 {
        return None;
    }
    counts.filtered = claimed.filtered;
    let inconsistent = counts.failed != claimed.failed && counts.passed + counts.failed > 0 && closed >= started;
    if failed_suite {
        counts.failed = counts.failed.max(1);
    }
    let mut report = Report { inconsistent, ..Report::of_counts(counts) };
    if closed < started && counts.failed == 0 {
        report.shown = None;
    }
    Some(report)
}

/// A pytest JSON report.
pub(super) fn pytest(value: &Value<'_>) -> Option<Report> {
    let code = value.get("exitcode")?.as_number()?.as_integer()?;
    let mut counts = Counts::default();
    let tests = value.get("tests").and_then(Value::elements);
    for test in tests.unwrap_or_default() {
        match text(test, "outcome") {
            Some("passed" | "xpassed") => counts.passed += 1,
            Some("failed" | "error") => counts.failed += 1,
            Some("skipped" | "xfailed") => counts.skipped += 1,
            _ => {}
        }
    }
    let summary = value.get("summary");
    let sum = |key: &str| summary.and_then(|summary| number(summary, key)).unwrap_or(0);
    if tests.is_none() {
        counts = Counts {
            passed: sum("passed"),
            failed: sum("failed").saturating_add(sum("error")),
            skipped: sum("skipped"),
            filtered: sum("deselected"),
        };
    }
    let inconsistent = summary.is_some() && tests.is_some() && sum("failed").saturating_add(sum("error")) != counts.failed
        || (code == 0) != (counts.failed == 0) && code < 2;
    let at = value.get("created").and_then(Value::as_number).map(|created| (created.as_f64() * 1000.0) as i64);
    let mut report = Report { inconsistent, at, ..Report::of_counts(counts) };
    match code {
        0 => {}
        5 => report.shown = Some(Shown::Vacuous),
        1 => report.shown = Some(Shown::Failed),
        _ if counts.failed > 0 => {}
        _ => report.shown = None,
    }
    Some(report)
}

/// A stream of `go test -json`. A result without a time is an earlier run's.
pub(super) fn go(lines: &str) -> Option<Report> {
    let mut counts = Counts::default();
    let mut packages: BTreeMap<String, bool> = BTreeMap::new();
    let mut open: BTreeSet<String> = BTreeSet::new();
    let (mut fresh, mut cached, mut failed, mut at) = (false, false, false, None);
    let mut seen = false;
    for line in lines.lines() {
        let line = line.trim();
        if !line.starts_with('{') {
            continue;
        }
        let Ok(value) = parse(line.as_bytes()) else { continue };
        let Some(action) = text(&value, "Action") else { continue };
        let package = text(&value, "Package").or_else(|| text(&value, "ImportPath")).unwrap_or_default();
        seen = true;
        let time = text(&value, "Time").and_then(milliseconds);
        at = at.max(time);
        let single = value.get("Test").is_some();
        match (action, single) {
            ("pass", true) => counts.passed += 1,
            ("fail", true) => counts.failed += 1,
            ("skip", true) => counts.skipped += 1,
            ("start" | "run", _) if packages.len() < 100_000 => {
                open.insert(package.to_owned());
            }
            ("pass", false) => {
                open.remove(package);
                fresh |= time.is_some();
                cached |= time.is_none();
                packages.insert(package.to_owned(), true);
            }
            ("fail" | "build-fail", false) => {
                open.remove(package);
                failed = true;
            }
            ("skip", false) => {
                open.remove(package);
            }
            _ => {}
        }
    }
    if !seen {
        return None;
    }
    let shown = if failed || counts.failed > 0 {
        Some(Shown::Failed)
    } else if !open.is_empty() {
        None
    } else if fresh {
        Some(Shown::Passed)
    } else if cached {
        Some(Shown::Cached)
    } else {
        Some(Shown::Vacuous)
    };
    Some(Report { shown, counts, inconsistent: false, at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libtest_streams() {
        let whole = r#"{"type":"suite","event":"started","test_count":1}
{"type":"test","name":"m::a","event":"ok"}
{"type":"suite","event":"ok","passed":1,"failed":0,"ignored":0,"measured":0,"filtered_out":0}"#;
        assert_eq!(libtest(whole).and_then(|report| report.shown), Some(Shown::Passed));
        let aborted = whole.lines().take(2).collect::<Vec<_>>().join("\n");
        assert_eq!(libtest(&aborted).expect("it is one").shown, None);
        assert_eq!(libtest("hello"), None);
    }

    #[test]
    fn pytest_reports() {
        let of = |text: &str| pytest(&parse(text.as_bytes()).expect("it reads")).and_then(|report| report.shown);
        assert_eq!(of(r#"{"created":1.5,"exitcode":1,"summary":{"failed":1},"tests":[{"outcome":"failed"}]}"#), Some(Shown::Failed));
        assert_eq!(of(r#"{"exitcode":0,"summary":{"passed":2},"tests":[{"outcome":"passed"},{"outcome":"passed"}]}"#), Some(Shown::Passed));
        assert_eq!(of(r#"{"exitcode":5,"tests":[]}"#), Some(Shown::Vacuous));
    }

    #[test]
    fn go_streams() {
        let cached = r#"{"Action":"start","Package":"demo/wire"}
{"Action":"pass","Package":"demo/wire","Elapsed":0}"#;
        assert_eq!(go(cached).and_then(|report| report.shown), Some(Shown::Cached));
        let fresh = cached.replace(r#""Action":"pass""#, r#""Time":"2026-01-02T03:04:06Z","Action":"pass""#);
        assert_eq!(go(&fresh).and_then(|report| report.shown), Some(Shown::Passed));
        assert_eq!(go(cached.lines().next().expect("a line")).expect("it is one").shown, None);
    }
}
