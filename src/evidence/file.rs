//! One evidence file, whatever it is: its content says, not its name.

use super::attestation::Attested;
use super::git::Repository;
use super::github::Happened;
use super::report::{self, Report};
use super::{attestation, beads, github, junit, reflog, tap};
use crate::json::{Value, parse};

/// What a file shows.
#[derive(Debug)]
pub enum Evidence {
    /// A test report.
    Report(Report),
    /// Statements about commits.
    Attested(Vec<Attested>),
    /// Events.
    Events(Vec<Happened>),
    /// Git records.
    Git(Box<Repository>),
    /// Items of a tracker: how many are closed, of how many.
    Tracker(u64, u64),
    /// Nothing that is known.
    Unknown,
}

/// A file of evidence.
#[derive(Debug)]
pub struct EvidenceFile {
    /// Its name as it may be shown.
    pub shown: String,
    /// Its last name, by which commands mention it.
    pub name: String,
    /// What it shows.
    pub evidence: Evidence,
}

/// The most bytes of one evidence file.
pub const FILE_LIMIT: usize = 64 << 20;
/// The most statements or events of one file.
const RECORD_LIMIT: usize = 10_000;

/// What the file with these bytes shows.
pub fn read_file(bytes: &[u8]) -> Evidence {
    if bytes.starts_with(b"PACK") || bytes.starts_with(b"# v2 git bundle") || bytes.starts_with(b"# v3 git bundle") {
        return Repository::of_pack(bytes).map_or(Evidence::Unknown, |repository| Evidence::Git(Box::new(repository)));
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if let Some(repository) = Repository::of_log(text) {
        return Evidence::Git(Box::new(repository));
    }
    let start = text.trim_start();
    if start.starts_with('<') {
        return junit::read(text).map_or(Evidence::Unknown, Evidence::Report);
    }
    if start.starts_with(['{', '[']) {
        if let Ok(value) = parse(text.as_bytes()) {
            return of_values(std::slice::from_ref(&value));
        }
        return of_lines(text);
    }
    if let Some(movements) = reflog::read(text).filter(|movements| !movements.is_empty()) {
        return Evidence::Git(Box::new(Repository::of_reflog(movements)));
    }
    if text
        .lines()
        .any(|line| line.starts_with("TAP version ") || line.starts_with("1..") || line.starts_with("ok 1") || line.starts_with("not ok 1"))
    {
        let (shown, counts) = tap::of_file(text).map_or((None, Default::default()), |(shown, counts)| (Some(shown), counts));
        return Evidence::Report(Report { shown, counts, ..Report::default() });
    }
    if let Some(summary) = super::summary::of_output(text, true) {
        return Evidence::Report(Report { shown: Some(summary.shown), counts: summary.counts, ..Report::default() });
    }
    of_lines(text)
}

/// JSON lines: a stream of test events, statements, events or items.
fn of_lines(text: &str) -> Evidence {
    if let Some(report) = report::libtest(text).or_else(|| report::go(text)) {
        return Evidence::Report(report);
    }
    let mut attested = Vec::new();
    let mut events = Vec::new();
    let (mut closed, mut items) = (0, 0);
    for line in text.lines().filter(|line| line.trim_start().starts_with('{')).take(RECORD_LIMIT) {
        let Ok(value) = parse(line.as_bytes()) else { continue };
        match of_values(std::slice::from_ref(&value)) {
            Evidence::Attested(more) => attested.extend(more),
            Evidence::Events(more) => events.extend(more),
            Evidence::Tracker(more_closed, more_items) => {
                closed += more_closed;
                items += more_items;
            }
            _ => {}
        }
    }
    if !attested.is_empty() {
        Evidence::Attested(attested)
    } else if !events.is_empty() {
        Evidence::Events(events)
    } else if items > 0 {
        Evidence::Tracker(closed, items)
    } else {
        Evidence::Unknown
    }
}

fn of_values(values: &[Value<'_>]) -> Evidence {
    let value = &values[0];
    if let Some(elements) = value.elements() {
        let events: Vec<Happened> = elements.iter().take(RECORD_LIMIT).filter_map(github::read).collect();
        if !events.is_empty() {
            return Evidence::Events(events);
        }
        let attested: Vec<Attested> = elements.iter().take(RECORD_LIMIT).filter_map(attestation::read).collect();
        return if attested.is_empty() { Evidence::Unknown } else { Evidence::Attested(attested) };
    }
    if let Some(attested) = attestation::read(value) {
        return Evidence::Attested(vec![attested]);
    }
    if let Some(report) = report::pytest(value) {
        return Evidence::Report(report);
    }
    if let Some(happened) = github::read(value) {
        return Evidence::Events(vec![happened]);
    }
    if let Some(closed) = beads::read(value) {
        return Evidence::Tracker(u64::from(closed), 1);
    }
    // One line of a stream is a stream.
    let text = value.to_text();
    report::libtest(&text).or_else(|| report::go(&text)).map_or(Evidence::Unknown, Evidence::Report)
}
