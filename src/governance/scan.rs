//! The Security scan: one entry for each record that it looks at (loop governance, section 7).

use super::counter::UNKNOWN;
use super::terms::{APPROVAL, CHAIN, ELIGIBILITY, PLAN, PROPOSAL, RENDERED, RENDERED_RESULT, RESULT};
use crate::contract::check::{RecordVerdict, check_against, contract_of};
use crate::contract::fields::Indexed;
use crate::contract::table::{Contract, Severity, contracts};
use crate::contract::trail::linked;
use crate::contract::value::text;
use crate::json::Value;
use serde::Serialize;
use std::borrow::Cow;

/// What the scan says of one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScanEntry<'r> {
    /// `security_validation_result`.
    #[serde(rename = "type")]
    pub entry_type: &'static str,
    /// The record's type.
    pub record_type: &'static str,
    /// Whether its contract accepts it.
    pub valid: bool,
    /// How bad it is.
    pub severity: Severity,
    /// Why, in table order.
    pub reasons: Vec<String>,
    /// What names it.
    pub record_id: Option<Cow<'r, str>>,
    /// The directive it belongs to.
    pub directive_id: Option<Cow<'r, str>>,
    /// Who says so.
    pub source: Option<Cow<'r, str>>,
    /// Of a governance record.
    #[serde(flatten)]
    pub governance: Option<Governance<'r>>,
}

/// What an entry of a governance record has besides; a field is there where the type has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Governance<'r> {
    /// The proposal that the record is about.
    pub subject: Cow<'r, str>,
    /// Its status, folded.
    pub status: Cow<'r, str>,
    /// Its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'r, str>>,
    /// Its timeout profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_profile: Option<Cow<'r, str>>,
    /// Its decision mode, folded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_mode: Option<Cow<'r, str>>,
}

/// The types that the scan looks at.
pub fn scanned_types() -> Vec<&'static str> {
    let mut types: Vec<_> = contracts().all().filter(|contract| contract.scanned).map(|contract| contract.record_type.as_str()).collect();
    types.sort_unstable();
    types.dedup();
    types
}

/// A record that the scan looks at, checked once for all who ask about it.
#[derive(Debug)]
pub struct Scanned<'r, 'v> {
    /// The record, by its fields.
    pub fields: Indexed<'r, 'v>,
    /// Its contract.
    pub contract: &'static Contract,
    /// What its contract says of it.
    pub verdict: RecordVerdict,
}

impl<'r, 'v> Scanned<'r, 'v> {
    /// Checks a record; nothing for what the scan passes over.
    pub fn of(record: &'r Value<'v>) -> Option<Self> {
        let contract = contract_of(record).filter(|contract| contract.scanned)?;
        let fields = Indexed::of(record);
        let verdict = check_against(contract, &fields, |_| true);
        Some(Self { fields, contract, verdict })
    }
}

/// The scan's entry for a record; nothing for what it passes over.
pub fn scan<'r>(record: &'r Value<'r>) -> Option<ScanEntry<'r>> {
    let Scanned { contract, verdict, .. } = Scanned::of(record)?;
    let record_type = contract.record_type.as_str();
    let governed = CHAIN.contains(&record_type);
    let own: &[&str] = if governed {
        // Its own id first, then what it is a result of.
        match record_type {
            RENDERED | RENDERED_RESULT | ELIGIBILITY | RESULT => &["rendered_command_id", "plan_id"],
            _ => &[],
        }
    } else {
        &["directive_id", "scenario_id", "execution_id", "evidence_id", "memory_id", "id", "result_id"]
    };
    let own_id = contract.id.as_deref().filter(|_| governed).map(|field| text(record.get(field)));
    let record_id = own_id.filter(|id| !id.is_empty()).or_else(|| first_said(record, own));
    let source = ["source", "node_id"].into_iter().map(|field| text(record.get(field))).find(|said| !said.is_empty());
    Some(ScanEntry {
        entry_type: "security_validation_result",
        record_type,
        valid: verdict.valid,
        severity: verdict.severity,
        reasons: verdict.reasons,
        record_id,
        directive_id: Some(linked(record, "directive_id")).filter(|id| !id.is_empty()),
        source,
        governance: governed.then(|| governance(record, record_type)),
    })
}

fn governance<'r>(record: &'r Value<'r>, record_type: &str) -> Governance<'r> {
    let said = |field: &str| known(text(record.get(field)));
    let folded = |field: &str| Cow::Owned(said(field).to_lowercase());
    let has_reason = matches!(record_type, PROPOSAL | APPROVAL | RENDERED_RESULT | ELIGIBILITY | RESULT);
    let has_profile = matches!(record_type, PROPOSAL | PLAN | RENDERED | RENDERED_RESULT | ELIGIBILITY);
    let has_mode = matches!(record_type, APPROVAL | PLAN | RENDERED | RENDERED_RESULT | ELIGIBILITY);
    Governance {
        subject: known(linked(record, "proposal_id")),
        status: folded("status"),
        reason: has_reason.then(|| said("reason")),
        timeout_profile: has_profile.then(|| said("timeout_profile")),
        decision_mode: has_mode.then(|| folded("decision_mode")),
    }
}

fn known(said: Cow<'_, str>) -> Cow<'_, str> {
    if said.is_empty() { Cow::Borrowed(UNKNOWN) } else { said }
}

/// The first of the fields that says something: at the top, then in the payload.
fn first_said<'r>(record: &'r Value<'r>, fields: &[&str]) -> Option<Cow<'r, str>> {
    let payload = record.get("payload");
    let at = |holder: Option<&'r Value<'r>>, field: &str| text(holder.and_then(|holder| holder.get(field)));
    let top = fields.iter().map(|field| at(Some(record), field));
    top.chain(fields.iter().map(|field| at(payload, field))).find(|said| !said.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn an_entry_is_named_after_the_record_or_what_it_is_a_result_of() {
        let named = |text: &str| {
            let record = parse(text.as_bytes()).expect("the test's text is JSON");
            scan(&record).map(|entry| entry.record_id.map(Cow::into_owned))
        };
        let result = |ids: &str| format!(r#"{{"type": "replay_lifecycle_retry_execution_result", {ids}}}"#);
        assert_eq!(named(&result(r#""result_id": "r", "plan_id": "p""#)), Some(Some("r".to_owned())));
        assert_eq!(named(&result(r#""rendered_command_id": "c", "plan_id": "p""#)), Some(Some("c".to_owned())));
        assert_eq!(named(&result(r#""plan_id": "p""#)), Some(Some("p".to_owned())));
        assert_eq!(named(r#"{"type": "evidence_record", "payload": {"directive_id": "d"}}"#), Some(Some("d".to_owned())));
        assert_eq!(named(r#"{"type": "evidence_record"}"#), Some(None));
        assert_eq!(named(r#"{"type": "memory_record", "kind": "note"}"#), None);
        assert_eq!(named(r#"{"type": "simulation_replay_scenario"}"#), None, "it is no part of the scan");
        assert_eq!(named("[]"), None);
    }

    #[test]
    fn governance_entries_say_what_their_type_has() {
        let record = parse(br#"{"type": "replay_lifecycle_retry_approval", "approval_id": "a", "status": " Approved ", "node_id": "n"}"#)
            .expect("the test's text is JSON");
        let entry = serde_json::to_value(scan(&record)).expect("an entry is JSON");
        assert_eq!(entry["status"], "approved");
        assert_eq!(entry["decision_mode"], "unknown");
        assert_eq!(entry["source"], "n");
        assert_eq!(entry["record_id"], "a");
        assert!(entry.get("timeout_profile").is_none());
    }
}
