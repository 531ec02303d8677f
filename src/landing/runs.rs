//! What a run table came to: counts, the capped lists of the record, every code.

use super::commit_id::CommitId;
use super::judge::{ROW_CASE, ROW_KIND, RuleSet};
use super::record::RunRowEntry;
use super::row::{BLOCKED, Field, LANDED, RunRow, STOPPED};
use super::table::{self, TableRead, TakeRow};
use crate::code::Code;
use crate::finding::{FindingList, Support};
use crate::json::{Fault, Place};
use crate::leak::TermSet;
use crate::stream::{Blocks, with_blocks};
use std::collections::{BTreeMap, HashSet};
use std::io;

/// The most rows and the most findings that a record lists.
pub const LIST_LIMIT: usize = FindingList::LIMIT;

/// The counts of a run table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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

/// What judging a run table gave.
#[derive(Debug, Clone, Default)]
pub struct RunsOutcome {
    /// All rows.
    pub counts: RunCounts,
    /// Rows without a finding.
    pub supported: RunCounts,
    /// The findings.
    pub findings: FindingList,
    /// Rows by their worst finding.
    pub support: BTreeMap<Support, u64>,
    /// Rows for the record, refused ones first, at most [`LIST_LIMIT`].
    pub rows: Vec<RunRowEntry>,
    /// Credential terms found anywhere in the file.
    pub terms: TermSet,
    /// Blank lines of a `.jsonl` table.
    pub blank_lines: u64,
}

/// Judges the blocks of `work_landing_runs.json`. `shown` is the file's display path.
///
/// # Errors
/// What reading met.
pub fn judge_blocks(blocks: &mut Blocks, rules: &RuleSet, shown: &str) -> io::Result<RunsOutcome> {
    let mut judge = RunsJudge::new(rules);
    Ok(match table::read_table(blocks, &mut judge)? {
        TableRead::Fault(fault, place) => {
            // A file that cannot be read contributes no other findings; what its rows leak is still a hit.
            let findings = rules.text_findings(&fault, place, super::judge::INPUT_CASE, "input_file", shown);
            RunsOutcome { findings: findings.into(), terms: judge.outcome.terms, ..RunsOutcome::default() }
        }
        TableRead::Left => unreachable!("every row is wanted"),
        TableRead::Whole(shape, terms) => judge.finish(rules.table_findings(shape), terms),
    })
}

/// Judges the blocks of `work_landing_runs.jsonl`.
///
/// # Errors
/// What reading met.
pub fn judge_line_blocks(blocks: &mut Blocks, rules: &RuleSet) -> io::Result<RunsOutcome> {
    let mut judge = RunsJudge::new(rules);
    let (rows, blank) = table::read_lines(blocks, &mut judge)?;
    judge.outcome.blank_lines = blank;
    Ok(judge.finish(rules.table_findings(super::rule::TableShape::Rows(rows)), TermSet::default()))
}

/// The findings on a run table in memory.
pub fn judge_text(bytes: &[u8], rules: &RuleSet) -> FindingList {
    let judged = with_blocks(bytes, |blocks| judge_blocks(blocks, rules, super::build::RUNS_FILE));
    judged.expect("memory reads without error").0.findings
}

struct RunsJudge<'r> {
    rules: &'r RuleSet,
    outcome: RunsOutcome,
    seen: HashSet<[u8; 16]>,
    accepted: Vec<RunRowEntry>,
}

impl<'r> RunsJudge<'r> {
    fn new(rules: &'r RuleSet) -> Self {
        Self { rules, outcome: RunsOutcome::default(), seen: HashSet::new(), accepted: Vec::new() }
    }

    fn finish(mut self, table_findings: Vec<crate::finding::Finding>, terms: TermSet) -> RunsOutcome {
        self.outcome.findings.extend(table_findings);
        self.outcome.terms = self.outcome.terms.union(terms);
        let room = LIST_LIMIT - self.outcome.rows.len();
        self.outcome.rows.extend(self.accepted.into_iter().take(room));
        self.outcome
    }

    fn count(&mut self, row: &RunRow<'_>, accepted: bool) {
        let status = row.landing_status.as_str();
        let on_path = matches!(status, Some(LANDED | BLOCKED));
        let ordered = row.validation_precedes_commit_attempt.is(true);
        for counts in [Some(&mut self.outcome.counts), accepted.then_some(&mut self.outcome.supported)].into_iter().flatten() {
            counts.runs += 1;
            counts.landed += u64::from(row.commit_claimed_landed.is(true));
            counts.order_required += u64::from(on_path);
            counts.order_passed += u64::from(on_path && ordered);
            counts.blocked += u64::from(status == Some(BLOCKED));
        }
    }

    fn list(&mut self, entry: impl FnOnce() -> RunRowEntry, accepted: bool) {
        let list = if accepted { &mut self.accepted } else { &mut self.outcome.rows };
        if list.len() < LIST_LIMIT {
            list.push(entry());
        }
    }
}

impl TakeRow for RunsJudge<'_> {
    fn row(&mut self, index: u64, row: &RunRow<'_>) {
        let repeats = table::repeats(&mut self.seen, row);
        let mut refusals = Vec::new();
        self.rules.row(row, repeats, |code, refusal| refusals.push((code, refusal)));
        self.count(row, refusals.is_empty());
        self.outcome.terms = self.outcome.terms.union(row.terms);
        let support = refusals.iter().map(|(_, refusal)| refusal.support).max().unwrap_or(Support::Supported);
        *self.outcome.support.entry(support).or_default() += 1;
        if refusals.is_empty() {
            self.list(|| entry(index, row, support, Vec::new()), true);
            return;
        }
        let shown = row.shown_id(index);
        for (code, refusal) in &refusals {
            self.outcome.findings.refuse(*code, refusal, ROW_CASE, ROW_KIND, &shown);
        }
        let codes = || {
            let mut codes: Vec<_> = refusals.iter().map(|(code, _)| *code).collect();
            codes.sort();
            codes
        };
        self.list(|| entry(index, row, support, codes()), false);
    }

    fn unreadable(&mut self, index: u64, fault: &Fault, place: Place) {
        let findings = self.rules.text_findings(fault, place, ROW_CASE, ROW_KIND, &format!("row[{index}]"));
        let support = crate::finding::worst(&findings);
        *self.outcome.support.entry(support).or_default() += 1;
        self.count(&RunRow::default(), findings.is_empty());
        let codes: Vec<_> = findings.iter().map(|finding| finding.error_code).collect();
        self.outcome.findings.extend(findings);
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
        with_blocks(text.as_bytes(), |blocks| judge_blocks(blocks, &RuleSet::all(), "x")).expect("memory reads").0
    }

    #[test]
    fn lists_are_capped_and_totals_are_true() {
        let outcome = judged(&table((0..3000).rev().map(|index| format!("{{\"run_id\": \"r{index:04}\"}}"))));
        assert_eq!(outcome.counts.runs, 3000);
        assert!(outcome.findings.total() > 3000 * 5);
        let findings = outcome.findings.into_sorted();
        assert_eq!((outcome.rows.len(), findings.len()), (LIST_LIMIT, LIST_LIMIT));
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
        let (by_line, _) = with_blocks(lines.as_bytes(), |blocks| judge_line_blocks(blocks, &RuleSet::all())).expect("memory reads");
        assert_eq!(outcome.counts.runs, 4000);
        assert_eq!(outcome.findings.totals(), by_line.findings.totals());
        assert_eq!(outcome.findings.into_sorted(), by_line.findings.into_sorted());
    }

    #[test]
    fn a_fault_of_the_file_takes_the_rows_findings_with_it() {
        let outcome = judged("{\"work_landing_runs\": [{}, {\"a\": 1, \"a\": 2}]}");
        assert_eq!(outcome.counts, RunCounts::default());
        let findings = outcome.findings.into_sorted();
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].error_code.as_str(), "WORK_LANDING_JSON_DUPLICATE_KEY");
        assert!(findings[0].message.contains("line 1, column 37"), "{}", findings[0].message);
    }

    #[test]
    fn encoding_then_depth_outrank_the_first_fault() {
        let code = |bytes: &[u8]| {
            let (outcome, _) = with_blocks(bytes, |blocks| judge_blocks(blocks, &RuleSet::all(), "x")).expect("memory reads");
            outcome.findings.into_sorted()[0].error_code.slug()
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
