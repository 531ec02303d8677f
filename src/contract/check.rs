//! Checks one record against its contract.

use super::condition::Condition;
use super::fields::{Fields, Indexed};
use super::table::{Clause, Contract, Contracts, Family, Severity, contracts};
use crate::json::{Parser, Value};
use crate::stream::spread::{Tools, each_stretch};
use serde::Serialize;

/// What checking a record gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordVerdict {
    /// Whether the record keeps its contract.
    pub valid: bool,
    /// How bad it is.
    pub severity: Severity,
    /// The reasons: in table order with repeats, or in the execution family sorted, each once.
    pub reasons: Vec<String>,
}

impl RecordVerdict {
    fn refused(severity: Severity, reason: &str) -> Self {
        Self { valid: false, severity, reasons: vec![reason.to_owned()] }
    }
}

/// Checks `record` against the contract of its type.
pub fn check(record: &Value<'_>) -> RecordVerdict {
    if !record.is_object() {
        return RecordVerdict::refused(Severity::Critical, "record_not_mapping");
    }
    match contract_of(record) {
        None => RecordVerdict::refused(Severity::Warning, "unsupported_record_type"),
        Some(contract) => check_against(contract, &Indexed::of(record), |_| true),
    }
}

/// Checks records by their texts, on every core, and hands on what there is to say of each, in order; nothing of a text
/// that is no acceptable JSON.
pub fn check_texts<T: AsRef<str> + Sync>(texts: &[T], mut take: impl FnMut(Option<RecordVerdict>)) {
    let parsers: Tools<Parser> = Tools::default();
    let work = |_, texts: &[T]| {
        parsers
            .with(|parser| texts.iter().map(|text| parser.parse_text(text.as_ref()).ok().map(|record| check(&record))).collect::<Vec<_>>())
    };
    each_stretch(texts, STRETCH, work, |verdicts| verdicts.into_iter().for_each(&mut take));
}

/// The records that a core checks at a time.
const STRETCH: usize = 64;

/// The contract of a record: its type, and its discriminator where there is one.
pub fn contract_of(record: &Value<'_>) -> Option<&'static Contract> {
    contract_in(contracts(), record)
}

/// The contract of a record among these.
pub fn contract_in<'c>(contracts: &'c Contracts, record: &Value<'_>) -> Option<&'c Contract> {
    let of_type = contracts.of_type(record.get("type")?.as_str()?);
    of_type.iter().find(|contract| contract.discriminator.as_ref().is_none_or(|told| record.text_at(&told.field) == told.value))
}

/// Checks `record` against those clauses of `contract` that `asked` names: with one left out, the audit
/// sees whether anything would miss it.
pub fn check_against<'v>(contract: &Contract, record: &impl Fields<'v>, asked: impl Fn(&Clause) -> bool) -> RecordVerdict {
    let mut reasons = Vec::new();
    let mut severity = Severity::Info;
    let mut valid = true;
    for clause in contract.clauses.iter().filter(|clause| asked(clause)) {
        let times = clause.when.times(record);
        if times == 0 {
            continue;
        }
        let (reason, readable) = reason_of(clause, record);
        if clause.structured && readable {
            // A failure that names its cause is a warning about the run, not a fault of the record.
            severity = severity.max(Severity::Warning);
        } else {
            valid = false;
            severity = severity.max(contract.severity);
        }
        match (&clause.reason_item, &clause.when) {
            (Some(field), Condition::EachItem(items)) => {
                reasons.extend(items.faulty(record).map(|item| format!("{reason}:{}", item_name(item, field))));
            }
            _ => reasons.extend(std::iter::repeat_n(reason, times)),
        }
    }
    if contract.family == Family::Execution {
        reasons.sort();
        reasons.dedup();
    }
    RecordVerdict { valid, severity, reasons }
}

/// What an item is called in a reason; a name that does not read like one is not shown.
fn item_name(item: &Value<'_>, field: &str) -> String {
    let said = item.text_at(field);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
    match &*said {
        "" => "unknown".to_owned(),
        name if name.len() <= 200 && name.bytes().all(plain) => name.to_owned(),
        _ => "unreadable".to_owned(),
    }
}

/// The reason of a clause; a reason that the record names is shown only if it reads like one.
pub(super) fn reason_of<'v>(clause: &Clause, record: &impl Fields<'v>) -> (String, bool) {
    if let Some(reason) = &clause.reason {
        return (reason.clone(), true);
    }
    let said = clause.reason_from.as_deref().map(|field| record.text_at(field)).unwrap_or_default();
    let plain =
        (1..=80).contains(&said.len()) && said.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if plain { (said.into_owned(), true) } else { ("structured_failure_reason_unreadable".to_owned(), false) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn records_are_checked_in_order_by_their_texts() {
        let text = |place: usize| match place % 3 {
            0 => format!("{{\"type\": \"evidence_record\", \"subject\": \"of {place}\"}}"),
            1 => format!("{{\"type\": \"unknown {place}\"}}"),
            _ => "{".to_owned(),
        };
        let texts: Vec<_> = (0..5 * STRETCH + 7).map(text).collect();
        let mut taken = Vec::new();
        check_texts(&texts, |verdict| taken.push(verdict));
        let expected: Vec<_> = texts.iter().map(|text| parse(text.as_bytes()).ok().map(|record| check(&record))).collect();
        assert_eq!(taken, expected);
    }

    #[test]
    fn reasons_of_execution_are_sorted_each_once_and_those_of_governance_repeat() {
        let matrix = br#"{"type": "replay_lifecycle_retry_real_execution_capability_policy_matrix", "capabilities": [1, 2, {"capability_id": "a b", "production_paths_allowed": 1}, {"production_paths_allowed": 1}]}"#;
        let reasons = check(&parse(matrix).expect("it is JSON")).reasons;
        assert!(reasons.is_sorted_by(|one, next| one < next), "{reasons:?}");
        let named: Vec<_> = reasons.iter().filter_map(|reason| reason.strip_prefix("capability_production_paths_allowed:")).collect();
        assert_eq!(named, ["unknown", "unreadable"]);
        let longest = format!("a.B_c:d-{}", "1".repeat(192));
        for (name, shown) in [(longest.clone(), &*longest), (format!("{longest}1"), "unreadable"), ("a/b".to_owned(), "unreadable")] {
            let text = format!("{{\"capability_id\": \"{name}\"}}");
            assert_eq!(item_name(&parse(text.as_bytes()).expect("it is JSON"), "capability_id"), shown);
        }
        let results = contracts().all().filter(|contract| contract.family == Family::Governance);
        let repeated = results.flat_map(|contract| contract.clauses.iter().map(move |clause| (contract, clause)));
        let (contract, clause) = repeated
            .filter(|(_, clause)| matches!(&clause.when, Condition::EachItem(_)))
            .min_by_key(|(contract, _)| &contract.record_type)
            .expect("some governance clause asks of each item");
        let Condition::EachItem(items) = &clause.when else { unreachable!("it was asked for") };
        let text = format!("{{\"type\": \"{}\", \"{}\": [1, 2]}}", contract.record_type, items.list);
        let reasons = check(&parse(text.as_bytes()).expect("it is JSON")).reasons;
        assert_eq!(reasons.iter().filter(|reason| Some(*reason) == clause.reason.as_ref()).count(), 2, "{text}");
    }
}
