//! A session of any format, by its content, with its audit and the landing row that is made of it.

use landfall::audit::{AuditRecord, audit, landing_row};
use landfall::finding::Support;
use landfall::import::{Format, Limits, Timeline, import_file};
use landfall::json::{parse, to_line};
use landfall::landing::judge::{ROW_CASE, RuleSet};
use landfall::landing::row::RunRow;

/// The target.
pub fn feed(bytes: &[u8]) {
    if let Ok((format, timeline)) = import_file(bytes, "session", Limits::default()) {
        judged(format, &timeline);
    }
}

/// No claim is answered with yes or no without evidence, and the row that is made of the session reads.
pub(super) fn judged(format: Format, timeline: &Timeline) {
    let judgements = audit(timeline, &[]);
    for judgement in &judgements {
        let answer = &judgement.answer;
        assert!(answer.support == Support::NotShown || !answer.evidence.is_empty(), "{:?} without evidence", answer.support);
        assert!(answer.support != Support::Contradicted || !answer.codes.is_empty(), "contradicted without a code");
    }
    let mut record = AuditRecord::new(&[]);
    record.add(format, timeline, &[], &judgements);
    assert!(parse(to_line(&record).as_bytes()).is_ok(), "the answer of an audit reads");
    if let Some(row) = landing_row(format, timeline, &[]) {
        let text = to_line(&row);
        let value = parse(text.as_bytes()).expect("a row that is made of a session reads");
        RuleSet::all().row_findings(&RunRow::from_value(&value), 0, ROW_CASE);
    }
}
