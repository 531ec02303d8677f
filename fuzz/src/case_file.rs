//! A case of any kind: policy, protocol, manifest with its bodies, row, table, corpus. Judging is a function.

use landfall::corpus::input::{Kind, judge_input};
use landfall::json::{Value, parse};
use landfall::landing::judge::{ROW_CASE, RuleSet};

/// The target.
pub fn feed(bytes: &[u8]) {
    let Ok(case) = parse(bytes) else { return };
    let Some(kind) = case.get("kind").and_then(Value::as_str).and_then(Kind::named) else { return };
    let input = case.get("input").unwrap_or(&Value::Null);
    let rules = RuleSet::all();
    let (once, again) = (judge_input(kind, input, &rules, ROW_CASE), judge_input(kind, input, &rules, ROW_CASE));
    assert_eq!(once.codes(), again.codes(), "equal inputs are judged alike");
    for finding in once.findings.into_sorted() {
        assert!(!finding.message.contains(|letter: char| letter.is_control()), "a finding drives the terminal");
    }
}
