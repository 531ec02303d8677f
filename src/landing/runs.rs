//! What a run table came to: counts, the capped lists of the record, every code.

use super::commit_id::CommitId;
use super::ids::{Ids, Rows};
use super::judge::{ROW_CASE, ROW_KIND, RuleSet};
use super::record::{Hit, RunRowEntry};
use super::row::{BLOCKED, Field, LANDED, RunRow, STOPPED};
use super::rule::TableShape;
use super::shard::Shard;
use super::table::{self, TableRead, TakeRow};
use crate::code::Code;
use crate::finding::{FindingList, Refusal, Support};
use crate::folder::{Scratch, scratch_in_memory};
use crate::json::{Fault, Place};
use crate::leak::TermSet;
use crate::stream::{Blocks, with_blocks};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// The most rows and the most findings that a record lists.
pub const LIST_LIMIT: usize = FindingList::LIMIT;

/// The counts of a run table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunCounts {
    /// Rows of the table.
    pub runs: u64,
    /// Rows whose `commit_claimed_landed` is exactly `true`.
    pub landed: u64,
    /// Rows with a commit-path status.
    pub order_required: u64,
    /// Of those, rows whose order flag is exactly `true`.
    pub order_passed: u64,
    /// Rows with the status `metadata_blocked_patch_bundle`.
    pub blocked: u64,
}

impl std::ops::AddAssign for RunCounts {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.landed += other.landed;
        self.order_required += other.order_required;
        self.order_passed += other.order_passed;
        self.blocked += other.blocked;
    }
}

/// What judging rows gave: all rows of a table, or those of some shards.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedRows {
    /// All rows.
    pub counts: RunCounts,
    /// Rows without a finding.
    pub supported: RunCounts,
    /// Rows by their worst finding.
    pub support: BTreeMap<Support, u64>,
    /// The findings.
    pub findings: FindingList,
    /// The first refused rows, at most [`LIST_LIMIT`], in table order.
    pub refused: Vec<RunRowEntry>,
    /// The first rows that were not, alike.
    pub accepted: Vec<RunRowEntry>,
    /// What the scan found in the rows, those before a fault of the text included.
    pub hits: BTreeSet<Hit>,
}

impl JudgedRows {
    /// The rows of both, which must not be the same: in any order and grouping with the same outcome.
    #[must_use]
    pub fn merged(mut self, other: Self) -> Self {
        self.counts += other.counts;
        self.supported += other.supported;
        for (support, count) in other.support {
            *self.support.entry(support).or_default() += count;
        }
        self.findings.append(other.findings);
        self.hits.extend(other.hits);
        for (list, others) in [(&mut self.refused, other.refused), (&mut self.accepted, other.accepted)] {
            list.extend(others);
            list.sort_by_key(|row| row.index);
            list.truncate(LIST_LIMIT);
        }
        self
    }

    /// Rows for the record, refused ones first, at most [`LIST_LIMIT`].
    pub fn into_listed(self) -> Vec<RunRowEntry> {
        self.refused.into_iter().chain(self.accepted).take(LIST_LIMIT).collect()
    }
}

/// What judging a run table gave.
#[derive(Debug, Clone, Default)]
pub struct RunsOutcome {
    /// The rows; none where the text of the table could not be read.
    pub rows: JudgedRows,
    /// Credential terms in the rows that were judged, those before a fault of the text included.
    pub row_terms: TermSet,
    /// The findings on the table itself.
    pub findings: FindingList,
    /// Credential terms beside the rows.
    pub terms: TermSet,
    /// How many rows there are, those of other shards included; none where the text could not be read.
    pub row_count: u64,
    /// Blank lines of a `.jsonl` table.
    pub blank_lines: u64,
}

impl RunsOutcome {
    /// The findings on the table and on its rows.
    pub fn all_findings(self) -> FindingList {
        let mut findings = self.findings;
        findings.append(self.rows.findings);
        findings
    }
}

/// Judges the blocks of `work_landing_runs.json`. `shown` is the file's display path. What is known of the ids is kept
/// in memory, some forty bytes a row, since the blocks can be read but once.
///
/// # Errors
/// What reading met.
pub fn judge_blocks(blocks: &mut Blocks, rules: &RuleSet, shown: &str, shard: Shard) -> io::Result<RunsOutcome> {
    Ok(judge_table(blocks, (false, false), rules, shown, shard, SeenIds::unbounded())?.0)
}

/// Judges the blocks of `work_landing_runs.jsonl`, alike.
///
/// # Errors
/// What reading met.
pub fn judge_line_blocks(blocks: &mut Blocks, rules: &RuleSet, shard: Shard) -> io::Result<RunsOutcome> {
    Ok(judge_table(blocks, (true, false), rules, "", shard, SeenIds::unbounded())?.0)
}

/// Judges the blocks of a run table, one row a line or not, marked by the leak screen if `screened`, with what is known of its ids. Where rows are left over that
/// repeat an id, which was not known when they were judged, the table must be read again and [`SeenIds::Told`] of them.
///
/// # Errors
/// What reading met, or writing ids out.
pub(super) fn judge_table(
    blocks: &mut Blocks,
    (by_line, screened): (bool, bool),
    rules: &RuleSet,
    shown: &str,
    shard: Shard,
    ids: SeenIds<'_>,
) -> io::Result<(RunsOutcome, Rows)> {
    let mut judge =
        RunsJudge { rules, shard, rows: JudgedRows::default(), terms: TermSet::default(), ids, refusals: Vec::new(), unlisted: Vec::new() };
    if by_line {
        let (rows, blank) = table::read_lines(blocks, &mut judge)?;
        return judge.finish(TableShape::Rows(rows), TermSet::default(), blank);
    }
    let read = if screened { table::read_screened_table(blocks, &mut judge)? } else { table::read_table(blocks, &mut judge)? };
    match read {
        TableRead::Left => unreachable!("every row is wanted"),
        TableRead::Fault(fault, place) => {
            // A file that cannot be read contributes no other findings; what its rows leak is still a hit.
            let findings = rules.text_findings(&fault, place, super::judge::INPUT_CASE, "input_file", shown);
            Ok((RunsOutcome { findings: findings.into(), row_terms: judge.terms, ..RunsOutcome::default() }, Rows::default()))
        }
        TableRead::Whole(shape, terms) => judge.finish(shape, terms, 0),
    }
}

/// The findings on a run table in memory.
pub fn judge_text(bytes: &[u8], rules: &RuleSet) -> FindingList {
    let judged = with_blocks(bytes, |blocks| judge_blocks(blocks, rules, super::build::RUNS_FILE, Shard::WHOLE));
    judged.expect("memory reads without error").0.all_findings()
}

/// What is known of the ids of a table.
pub(super) enum SeenIds<'r> {
    /// Those of the rows read so far, and a file for what is too much to keep.
    SoFar(Box<Ids>, &'r dyn Fn() -> io::Result<Box<dyn Scratch>>),
    /// Which rows repeat an id, from an earlier reading.
    Told(Rows),
}

impl SeenIds<'_> {
    fn unbounded() -> Self {
        Self::SoFar(Box::new(Ids::unbounded()), &scratch_in_memory)
    }

    fn repeats(&mut self, index: u64, row: &RunRow<'_>) -> bool {
        match self {
            Self::SoFar(ids, scratch) => ids.repeats(index, row.usable_id(), scratch),
            Self::Told(rows) => rows.contains(index),
        }
    }
}

struct RunsJudge<'r> {
    rules: &'r RuleSet,
    shard: Shard,
    rows: JudgedRows,
    terms: TermSet,
    ids: SeenIds<'r>,
    /// What the rules refuse of a row; empty between rows.
    refusals: Vec<(Code, Refusal)>,
    /// How many refusals no list has room for, by code.
    unlisted: Vec<(Code, Support, u64)>,
}

impl RunsJudge<'_> {
    fn finish(mut self, shape: TableShape, terms: TermSet, blank_lines: u64) -> io::Result<(RunsOutcome, Rows)> {
        for (code, support, refusals) in self.unlisted.drain(..) {
            self.rows.findings.add(code, support, refusals);
        }
        let row_count = if let TableShape::Rows(count) = shape { count } else { 0 };
        let findings = self.rules.table_findings(shape).into();
        let late = match self.ids {
            SeenIds::SoFar(ids, _) => ids.late_repeats()?,
            SeenIds::Told(_) => Rows::default(),
        };
        Ok((RunsOutcome { rows: self.rows, row_terms: self.terms, findings, terms, row_count, blank_lines }, late))
    }

    fn count(&mut self, row: &RunRow<'_>, accepted: bool) {
        let status = row.landing_status.as_str();
        let on_path = matches!(status, Some(LANDED | BLOCKED));
        let ordered = row.validation_precedes_commit_attempt.is(true);
        for counts in [Some(&mut self.rows.counts), accepted.then_some(&mut self.rows.supported)].into_iter().flatten() {
            counts.runs += 1;
            counts.landed += u64::from(row.commit_claimed_landed.is(true));
            counts.order_required += u64::from(on_path);
            counts.order_passed += u64::from(on_path && ordered);
            counts.blocked += u64::from(status == Some(BLOCKED));
        }
    }

    /// Whether no list has room for this row, refused, however it may be shown.
    fn is_unlisted(&self, row: &RunRow<'_>) -> bool {
        // A position begins with these letters.
        let shown = row.usable_id().into_iter().chain(["row["]);
        self.rows.refused.len() == LIST_LIMIT && shown.into_iter().all(|id| !self.rows.findings.may_list(ROW_CASE, ROW_KIND, id))
    }

    fn count_unlisted(&mut self, code: Code, support: Support) {
        // There are few, and a code is written down in one place: comparing places is enough to find most.
        let same = |other: &Code| std::ptr::eq(code.as_str(), other.as_str());
        match self.unlisted.iter_mut().find(|(other, of, _)| same(other) && *of == support) {
            Some((_, _, refusals)) => *refusals += 1,
            None => self.unlisted.push((code, support, 1)),
        }
    }

    fn list(&mut self, entry: impl FnOnce() -> RunRowEntry, accepted: bool) {
        let list = if accepted { &mut self.rows.accepted } else { &mut self.rows.refused };
        if list.len() < LIST_LIMIT {
            list.push(entry());
        }
    }
}

impl TakeRow for RunsJudge<'_> {
    fn row(&mut self, index: u64, row: &RunRow<'_>) {
        let repeats = self.ids.repeats(index, row);
        if !self.shard.holds(index) {
            return;
        }
        let mut refusals = std::mem::take(&mut self.refusals);
        self.rules.row(row, repeats, |code, refusal| refusals.push((code, refusal)));
        self.count(row, refusals.is_empty());
        self.terms = self.terms.union(row.terms);
        let support = refusals.iter().map(|(_, refusal)| refusal.support).max().unwrap_or(Support::Supported);
        *self.rows.support.entry(support).or_default() += 1;
        if refusals.is_empty() {
            self.list(|| entry(index, row, support, Vec::new()), true);
            self.refusals = refusals;
            return;
        }
        if self.is_unlisted(row) {
            for (code, refusal) in refusals.drain(..) {
                self.count_unlisted(code, refusal.support);
            }
            self.refusals = refusals;
            return;
        }
        let shown = row.shown_id(index);
        for (code, refusal) in &refusals {
            self.rows.findings.refuse(*code, refusal, ROW_CASE, ROW_KIND, &shown);
        }
        let codes = || {
            let mut codes: Vec<_> = refusals.iter().map(|(code, _)| *code).collect();
            codes.sort();
            codes
        };
        self.list(|| entry(index, row, support, codes()), false);
        refusals.clear();
        self.refusals = refusals;
    }

    fn unreadable(&mut self, index: u64, fault: &Fault, place: Place) {
        if !self.shard.holds(index) {
            return;
        }
        let findings = self.rules.text_findings(fault, place, ROW_CASE, ROW_KIND, &format!("row[{index}]"));
        let support = crate::finding::worst(&findings);
        *self.rows.support.entry(support).or_default() += 1;
        self.count(&RunRow::default(), findings.is_empty());
        let codes: Vec<_> = findings.iter().map(|finding| finding.error_code).collect();
        self.rows.findings.extend(findings);
        self.list(|| entry(index, &RunRow::default(), support, codes), false);
    }
}

/// What a record may say of a row.
fn entry(index: u64, row: &RunRow<'_>, support: Support, codes: Vec<Code>) -> RunRowEntry {
    let head = |field: &Field<'_>| field.as_str().filter(|id| CommitId::parse(id).is_some()).map(str::to_owned);
    let flag = |field: &Field<'_>| if let Field::Bool(value) = field { Some(*value) } else { None };
    RunRowEntry {
        index,
        run_id: row.shown_id(index),
        landing_status: row.landing_status.as_str().filter(|status| [LANDED, BLOCKED, STOPPED].contains(status)).map(str::to_owned),
        commit_claimed_landed: flag(&row.commit_claimed_landed),
        head_before: head(&row.head_before),
        head_after: head(&row.head_after),
        validation_precedes_commit_attempt: flag(&row.validation_precedes_commit_attempt),
        validation_ref_count: row.validation_refs.len() as u64,
        claimed_path_ref_count: row.claimed_path_refs.len() as u64,
        verdict: if codes.is_empty() { "pass".to_owned() } else { "blocked".to_owned() },
        support,
        codes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landing::judge::RuleSet;

    fn table(rows: impl Iterator<Item = String>) -> String {
        format!("{{\"work_landing_runs\": [{}]}}", rows.collect::<Vec<_>>().join(",\n"))
    }

    fn judged(text: &str) -> RunsOutcome {
        with_blocks(text.as_bytes(), |blocks| judge_blocks(blocks, &RuleSet::all(), "x", Shard::WHOLE)).expect("memory reads").0
    }

    #[test]
    fn lists_are_capped_and_totals_are_true() {
        let outcome = judged(&table((0..3000).rev().map(|index| format!("{{\"run_id\": \"r{index:04}\"}}"))));
        assert_eq!(outcome.rows.counts.runs, 3000);
        let findings = outcome.clone().all_findings();
        assert!(findings.total() > 3000 * 5);
        let findings = findings.into_sorted();
        assert_eq!((outcome.rows.into_listed().len(), findings.len()), (LIST_LIMIT, LIST_LIMIT));
        assert!(findings.is_sorted());
        assert_eq!(findings[0].subject_id, "r0000", "the first in record order, not in file order");
    }

    #[test]
    fn a_row_across_any_border_reads_the_same() {
        // Rows of very different lengths over several blocks, and the same rows one a line.
        let rows: Vec<_> =
            (0..4000).map(|index| format!("{{\"run_id\": \"r{index}\", \"note\": \"{}\u{e9}\"}}", "x".repeat(index * 7 % 3001))).collect();
        let outcome = judged(&table(rows.iter().cloned()));
        let lines = rows.join("\n");
        let (by_line, _) =
            with_blocks(lines.as_bytes(), |blocks| judge_line_blocks(blocks, &RuleSet::all(), Shard::WHOLE)).expect("memory reads");
        assert_eq!(outcome.rows.counts.runs, 4000);
        let (findings, by_line) = (outcome.all_findings(), by_line.all_findings());
        assert_eq!(findings.totals(), by_line.totals());
        assert_eq!(findings.into_sorted(), by_line.into_sorted());
    }

    #[test]
    fn a_fault_of_the_file_takes_the_rows_findings_with_it() {
        let outcome = judged("{\"work_landing_runs\": [{}, {\"a\": 1, \"a\": 2}]}");
        assert_eq!(outcome.rows.counts, RunCounts::default());
        let findings = outcome.all_findings().into_sorted();
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].error_code.as_str(), "WORK_LANDING_JSON_DUPLICATE_KEY");
        assert!(findings[0].message.contains("line 1, column 37"), "{}", findings[0].message);
    }

    #[test]
    fn encoding_then_depth_outrank_the_first_fault() {
        let code = |bytes: &[u8]| {
            let (outcome, _) = with_blocks(bytes, |blocks| judge_blocks(blocks, &RuleSet::all(), "x", Shard::WHOLE)).expect("memory reads");
            outcome.all_findings().into_sorted()[0].error_code.slug()
        };
        let deep = "[".repeat(200);
        let far = " ".repeat(3 << 20);
        assert_eq!(code(format!("{{\"work_landing_runs\": [nope, {far} {deep}").as_bytes()), "json_limit_exceeded");
        assert_eq!(code(format!("{{\"work_landing_runs\": [nope, {far} \"{deep}").as_bytes()), "json_invalid");
        assert_eq!(code(&[format!("{{\"work_landing_runs\": [nope, {far} {deep}").as_bytes(), b"\xff"].concat()), "json_encoding_invalid");
        assert_eq!(
            code(&[format!("{{\"work_landing_runs\": [{{\"a\":\"{}", "x".repeat(5 << 20)).as_bytes(), b"\"}]}"].concat()),
            "json_limit_exceeded"
        );
    }
}
