//! A run table as a stream, in `.json` and in `.jsonl`, against the same rows read whole and judged one by one.

use landfall::code::Code;
use landfall::json::{Value, parse};
use landfall::landing::judge::RuleSet;
use landfall::landing::row::RunRow;
use landfall::landing::runs::{LIST_LIMIT, RunsOutcome, judge_blocks, judge_line_blocks};
use landfall::landing::shard::Shard;
use landfall::landing::table::{ROWS_KEY, row_codes};
use landfall::stream::with_blocks;
use std::collections::BTreeSet;

/// The target.
pub fn feed(bytes: &[u8]) {
    let rules = RuleSet::all();
    let (table, digested) = with_blocks(bytes, |blocks| judge_blocks(blocks, &rules, "runs", Shard::WHOLE)).expect("memory reads");
    assert_eq!(digested.size, bytes.len() as u64);
    let whole = parse(bytes);
    match whole.as_ref().map(|value| value.get(ROWS_KEY).and_then(Value::elements)) {
        Ok(Some(rows)) => agree(&table, &rows.iter().map(Some).collect::<Vec<_>>(), &rules),
        _ => assert!(table.findings.total() > 0, "a table that is none, or does not read, was accepted"),
    }
    let (lines, _) = with_blocks(bytes, |blocks| judge_line_blocks(blocks, &rules, Shard::WHOLE)).expect("memory reads");
    let texts: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').filter(|line| !is_blank(line)).collect();
    let rows: Vec<_> = texts.iter().map(|line| parse(line)).collect();
    agree(&lines, &rows.iter().map(|row| row.as_ref().ok()).collect::<Vec<_>>(), &rules);
}

fn is_blank(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| line.trim().is_empty())
}

/// The outcome has each row with exactly the codes that it has alone; one that does not read is refused.
fn agree(outcome: &RunsOutcome, rows: &[Option<&Value<'_>>], rules: &RuleSet) {
    assert_eq!(outcome.rows.counts.runs, rows.len() as u64, "rows were lost or made up");
    assert!(!rows.is_empty() || outcome.findings.total() > 0, "a table without rows was accepted");
    let mut seen = BTreeSet::new();
    let wanted: Vec<Option<Vec<Code>>> = rows
        .iter()
        .map(|row| {
            let row = RunRow::from_value((*row)?);
            let repeats = row.usable_id().is_some_and(|id| !seen.insert(id.to_owned()));
            Some(row_codes(rules, &row, repeats))
        })
        .collect();
    let listed = outcome.rows.clone().into_listed();
    assert_eq!(listed.len(), rows.len().min(LIST_LIMIT), "the list is not as long as it should be");
    for entry in &listed {
        match &wanted[usize::try_from(entry.index).expect("an index of a row")] {
            Some(codes) => assert_eq!(entry.codes, *codes, "row {} is judged otherwise in a stream than alone", entry.index),
            None => assert!(!entry.codes.is_empty(), "row {} does not read, and was accepted", entry.index),
        }
    }
}
