//! What the texts say of a record.

use super::evaluate::holds;
use super::transcript::{Of, Row, Section, sections};
use super::value::{at, text};
use landfall::json::Value;

/// What the reference says of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it is accepted.
    pub valid: bool,
    /// `info`, `warning` or `critical`.
    pub severity: String,
    /// Every reason, as an answer has them.
    pub reasons: Vec<String>,
    /// Whether the texts name the reasons; if not, only `valid` says anything.
    pub named: bool,
}

/// Judges a record.
pub fn check(record: &Value<'_>) -> Verdict {
    let refused = |severity: &str, reason: &str| Verdict {
        valid: false,
        severity: severity.to_owned(),
        reasons: vec![reason.to_owned()],
        named: true,
    };
    if !matches!(record, Value::Object(_)) {
        return refused("critical", "record_not_mapping");
    }
    let Some(section) = section_of(record) else { return refused("warning", "unsupported_record_type") };
    let mut verdict = Verdict { valid: true, severity: "info".to_owned(), reasons: Vec::new(), named: section.named };
    let mut worst = |severity: &str| {
        let rank = |severity: &str| ["info", "warning", "critical"].iter().position(|known| *known == severity);
        if rank(severity) > rank(&verdict.severity) {
            severity.clone_into(&mut verdict.severity);
        }
    };
    for row in &section.rows {
        let found = reasons(row, record);
        let structured = row.of == Of::RecordStructured && found.iter().all(|reason| reason != UNREADABLE);
        if !found.is_empty() {
            worst(if structured { "warning" } else { &section.severity });
            verdict.valid &= structured;
        }
        verdict.reasons.extend(found);
    }
    if section.sorted {
        verdict.reasons.sort();
        verdict.reasons.dedup();
    }
    verdict
}

/// The section that is about a record.
pub fn section_of(record: &Value<'_>) -> Option<&'static Section> {
    let Some(Value::String(record_type)) = at(record, "type") else { return None };
    sections().iter().find(|section| section.record_type == *record_type && section.guard.as_ref().is_none_or(|guard| holds(guard, record)))
}

const UNREADABLE: &str = "structured_failure_reason_unreadable";

/// The reasons that a row gives.
fn reasons(row: &Row, record: &Value<'_>) -> Vec<String> {
    let list = |name: &str| if let Some(Value::Array(items)) = at(record, name) { items.as_slice() } else { &[] };
    match &row.of {
        Of::Record if !holds(&row.when, record) => Vec::new(),
        Of::Record => vec![row.reason.clone()],
        Of::RecordStructured if !holds(&row.when, record) => Vec::new(),
        Of::RecordStructured => {
            let said = text(at(record, row.reason.trim_matches(['<', '>'])));
            let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
            vec![if said.chars().all(plain) && said.chars().count() <= 80 { said } else { UNREADABLE.to_owned() }]
        }
        Of::Each(name) => {
            let objects = list(name).iter().filter(|item| matches!(item, Value::Object(_)));
            objects.filter(|item| holds(&row.when, item)).map(|item| named(&row.reason, item)).collect()
        }
        Of::EachOther(name) => list(name).iter().filter(|item| !matches!(item, Value::Object(_))).map(|_| row.reason.clone()).collect(),
    }
}

/// A reason with the name of the item in it, where it is one that may be shown.
fn named(reason: &str, item: &Value<'_>) -> String {
    let Some((head, field)) = reason.split_once(":<") else { return reason.to_owned() };
    let said = text(at(item, field.trim_end_matches('>')));
    let plain = said.len() <= 200 && said.chars().all(|letter| letter.is_ascii_alphanumeric() || "._:-".contains(letter));
    let shown = if said.is_empty() { "unknown" } else { said.as_str() };
    format!("{head}:{}", if plain { shown } else { "unreadable" })
}
