//! TAP 12 to 14: a plan, and one line a test.

use super::summary::{Counts, Shown};

/// Lines seen so far; subtests, which are indented, are summed up by the line that follows them.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    plan: Option<u64>,
    passed: u64,
    failed: u64,
    skipped: u64,
    todo: u64,
    bailed: bool,
}

impl Lines {
    /// Takes in a line.
    pub fn line(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("1..") {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            if rest[digits.len()..].trim().is_empty() || rest[digits.len()..].trim_start().starts_with('#') {
                self.plan = digits.parse().ok().or(self.plan);
            }
            return;
        }
        if line.starts_with("Bail out!") {
            self.bailed = true;
            return;
        }
        let (ok, rest) = match (line.strip_prefix("not ok"), line.strip_prefix("ok")) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => return,
        };
        // `ok  \tpackage` is Go's, `ok | 3 passed` Deno's.
        let numbered = rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit() || first == '-'));
        if !numbered {
            return;
        }
        let directive = rest.rsplit_once('#').map_or(String::new(), |(_, directive)| directive.trim().to_ascii_uppercase());
        if directive.starts_with("TODO") {
            self.todo += 1;
        } else if directive.starts_with("SKIP") {
            self.skipped += 1;
        } else if ok {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }

    /// Counts so far.
    pub fn counts(&self) -> Counts {
        Counts { passed: self.passed, failed: self.failed, skipped: self.skipped + self.todo, filtered: 0 }
    }

    /// What they show together; nothing without a plan that was kept.
    pub fn shown(&self) -> Option<Shown> {
        let seen = self.passed + self.failed + self.skipped + self.todo;
        if self.failed > 0 && self.plan.is_some() || self.bailed && seen > 0 {
            return Some(Shown::Failed);
        }
        match self.plan? {
            0 => Some(Shown::Vacuous),
            planned if seen < planned => None,
            _ if self.passed + self.todo == 0 => Some(Shown::Vacuous),
            _ => Some(Shown::Passed),
        }
    }
}

/// What a TAP file shows; nothing where it is incomplete.
pub fn of_file(text: &str) -> Option<(Shown, Counts)> {
    let mut lines = Lines::default();
    text.lines().for_each(|line| lines.line(line.trim_end()));
    lines.shown().map(|shown| (shown, lines.counts()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_and_directives() {
        let of = |text: &str| of_file(text).map(|(shown, _)| shown);
        assert_eq!(of("TAP version 13\n1..4\nok 1 - a\nok 2 # SKIP x\nnot ok 3 - c # TODO later\nok 4"), Some(Shown::Passed));
        assert_eq!(of("1..3\nok 1\nok 2"), None, "fewer than planned");
        assert_eq!(of("ok 1\nok 2"), None, "no plan");
        assert_eq!(of("1..0"), Some(Shown::Vacuous));
        assert_eq!(of("ok 1\nnot ok 2\n1..2"), Some(Shown::Failed));
        assert_eq!(of("1..1\nok 1\nBail out! broken"), Some(Shown::Failed));
        assert_eq!(of("1..2\n    not ok 1\nok 1\nok 2"), Some(Shown::Passed));
    }
}
