//! Trials of a run table: one for the table as such, and one a row.

use super::named::{Asked, Named, Outcome, silent};
use super::part_name;
use crate::edge::disk::DiskFolder;
use crate::folder::Folder;
use crate::json::{Fault, Place};
use crate::landing::RuleSet;
use crate::landing::build::{RUNS_FILE, RUNS_LINES_FILE};
use crate::landing::row::RunRow;
use crate::landing::rule::InputState;
use crate::landing::table::{self, TableRead, TakeRow, Wanted};
use crate::stream::with_unhashed_blocks;
use memchr::memmem;
use std::collections::HashSet;
use std::io::Read;

/// The trials of the run table in `folder`.
pub(super) fn row_trials(named: &mut Named, name: &str, folder: &DiskFolder, rules: &RuleSet) {
    let (whole, below) = (format!("landing::{name}::rows"), format!("landing::{name}::accepts::"));
    if named.wants_below(&below) && named.sought().is_some() {
        // A name is an id in plain letters, or a position, which any row can have.
        let part = named.first().strip_prefix(&*below).filter(|id| !id.is_empty() && !id.ends_with(']')).map(memmem::Finder::new);
        let part = part.map(memmem::Finder::into_owned);
        let mut one = OneRow { named, below, part, rules, seen: HashSet::new() };
        // A table that cannot be read has no rows that could be asked for.
        let _ = read(folder, rules, &mut one);
    } else if named.wants_below(&whole) {
        let mut rows = AllRows { rules, judge: *named.asked() == Asked::Everything, seen: HashSet::new(), made: Vec::new() };
        let outcome = read(folder, rules, &mut rows);
        let rows = if outcome.is_unreadable { Vec::new() } else { rows.made };
        named.add(whole, || outcome.table);
        for (row, outcome) in rows {
            named.add(format!("{below}{row}"), || outcome);
        }
    }
}

/// What reading a table came to.
struct TableOutcome {
    /// Whether its text is not acceptable: then it has no rows.
    is_unreadable: bool,
    table: Outcome,
}

/// Reads the table in `folder`, whichever it is.
fn read(folder: &DiskFolder, rules: &RuleSet, rows: &mut impl TakeRow) -> TableOutcome {
    let read = match (folder.open(RUNS_FILE), folder.open(RUNS_LINES_FILE)) {
        (Ok(_), Ok(_)) => Err(format!("both {RUNS_FILE} and {RUNS_LINES_FILE} are there")),
        (Ok(input), _) => return read_table(input, rules, rows),
        (Err(InputState::Absent), Ok(input)) => read_lines(input, rows),
        (Err(state), _) => Err(format!("{RUNS_FILE}: {state:?} where a regular file is due")),
    };
    TableOutcome { is_unreadable: false, table: read }
}

fn read_table(input: impl Read + Send, rules: &RuleSet, rows: &mut impl TakeRow) -> TableOutcome {
    let (is_unreadable, table) = match with_unhashed_blocks(input, |blocks| table::read_table(blocks, rows)) {
        Err(error) => (false, Err(error.to_string())),
        Ok(TableRead::Left) => (false, Ok(())),
        Ok(TableRead::Fault(fault, place)) => (true, Err(format!("{RUNS_FILE}: {} at {place}", fault.describe()))),
        Ok(TableRead::Whole(shape, beside)) => {
            let findings = rules.table_findings(shape);
            let findings = findings.iter().map(|finding| format!("{}: {}", finding.error_code, finding.message));
            // What the rows themselves leak is theirs to answer for.
            (false, silent(findings.chain(beside.iter().map(|term| format!("{} beside the rows: {}", term.id, term.remediation)))))
        }
    };
    TableOutcome { is_unreadable, table }
}

fn read_lines(input: impl Read + Send, rows: &mut impl TakeRow) -> Outcome {
    let (count, _) = with_unhashed_blocks(input, |blocks| table::read_lines(blocks, rows)).map_err(|error| error.to_string())?;
    if count == 0 { Err("WORK_LANDING_RUN_ROWS_MISSING: no row".to_owned()) } else { Ok(()) }
}

fn judge_row(rules: &RuleSet, row: &RunRow<'_>, repeats: bool) -> Outcome {
    let mut lines = Vec::new();
    rules.row(row, repeats, |code, refusal| lines.push(format!("{code} ({}): {}", refusal.support.as_str(), refusal.message())));
    silent(lines.into_iter())
}

/// Whether an earlier row has the id. Every row becomes a trial of its own name: the ids are kept anyway.
fn repeats(seen: &mut HashSet<String>, row: &RunRow<'_>) -> bool {
    row.usable_id().is_some_and(|id| !seen.insert(id.to_owned()))
}

fn name_of(row: &RunRow<'_>, index: u64) -> String {
    part_name(&row.shown_id(index), || at(index))
}

fn at(index: u64) -> String {
    format!("row[{index}]")
}

fn unreadable(fault: &Fault, place: Place) -> Outcome {
    Err(format!("{} at {place}", fault.describe()))
}

/// Every row becomes a trial as it is read.
struct AllRows<'r> {
    rules: &'r RuleSet,
    judge: bool,
    seen: HashSet<String>,
    made: Vec<(String, Outcome)>,
}

impl TakeRow for AllRows<'_> {
    fn wanted(&self) -> Wanted<'_> {
        if self.judge { Wanted::Row } else { Wanted::Unscreened }
    }

    fn row(&mut self, index: u64, row: &RunRow<'_>) {
        let outcome = if self.judge { judge_row(self.rules, row, repeats(&mut self.seen, row)) } else { Ok(()) };
        self.made.push((name_of(row, index), outcome));
    }

    fn unreadable(&mut self, index: u64, fault: &Fault, place: Place) {
        self.made.push((at(index), unreadable(fault, place)));
    }
}

/// The one row asked for becomes a trial; those before it are read, not judged, and no more is read.
struct OneRow<'r> {
    named: &'r mut Named,
    below: String,
    /// What its text holds, unless it is asked for by its position.
    part: Option<memmem::Finder<'static>>,
    rules: &'r RuleSet,
    /// The ids before it that can be its own.
    seen: HashSet<String>,
}

impl TakeRow for OneRow<'_> {
    fn wanted(&self) -> Wanted<'_> {
        self.part.as_ref().map_or(Wanted::Row, Wanted::Holding)
    }

    fn row(&mut self, index: u64, row: &RunRow<'_>) {
        let name = format!("{}{}", self.below, name_of(row, index));
        // Rows of one id have one name. What is named by its position can have any id.
        let by_position = self.named.sought().is_some_and(|name| name.ends_with(']'));
        let repeats = (by_position || self.named.concerns(&name)) && repeats(&mut self.seen, row);
        let rules = self.rules;
        self.named.add(name, || judge_row(rules, row, repeats));
    }

    fn unreadable(&mut self, index: u64, fault: &Fault, place: Place) {
        self.named.add(format!("{}{}", self.below, at(index)), || unreadable(fault, place));
    }

    fn is_done(&self) -> bool {
        self.named.sought().is_none()
    }
}
