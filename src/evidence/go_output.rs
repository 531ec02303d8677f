//! What `go test` prints: one line a package.

use super::summary::Shown;

/// Lines seen so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    fresh: bool,
    cached: bool,
    failed: bool,
    empty: bool,
    bare_pass: bool,
    bare_fail: bool,
}

impl Lines {
    /// Takes in a line.
    pub(super) fn line(&mut self, line: &str) {
        let (first, package) = line.split_once('\t').map_or((line, None), |(first, rest)| (first, Some(rest)));
        let last = package.map_or("", |rest| rest.rsplit('\t').next().unwrap_or_default());
        match (first, package) {
            ("ok  ", Some(_)) if last.contains("[no tests to run]") => self.empty = true,
            ("ok  ", Some(_)) if last.starts_with("(cached)") => self.cached = true,
            ("ok  ", Some(_)) => self.fresh = true,
            ("?   ", Some(_)) => self.empty = true,
            ("FAIL", Some(_)) => self.failed = true,
            ("FAIL", None) => self.bare_fail = true,
            ("PASS", None) => self.bare_pass = true,
            _ if line.starts_with("--- FAIL: ") || line.ends_with("[build failed]") => self.failed = true,
            _ => {}
        }
    }

    /// What they show together. A bare word is Go's only in Go's output: beside its other lines, or where `of_go` says so.
    pub(super) fn shown(&self, of_go: bool) -> Option<Shown> {
        let go = of_go || self.failed || self.fresh || self.cached || self.empty;
        if self.failed || self.bare_fail && go {
            Some(Shown::Failed)
        } else if self.fresh || self.bare_pass && go {
            Some(Shown::Passed)
        } else if self.cached {
            Some(Shown::Cached)
        } else {
            self.empty.then_some(Shown::Vacuous)
        }
    }
}
