//! A trail: which stages of the governance chain a list of records has.

use super::table::contracts;
use super::value::text;
use crate::json::Value;
use std::collections::BTreeMap;

/// Which records of a ledger belong to the trail; every filter given must match.
#[derive(Debug, Clone, Default)]
pub struct Filters<'f> {
    /// Of this proposal.
    pub proposal_id: Option<&'f str>,
    /// Of this approval.
    pub approval_id: Option<&'f str>,
    /// Of this plan.
    pub plan_id: Option<&'f str>,
}

/// The stages of a trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stages {
    /// Records by count key.
    pub counts: BTreeMap<String, u64>,
    /// The stages without a record, in stage order.
    pub missing: Vec<String>,
}

impl Stages {
    /// Whether no stage is missing.
    pub fn complete(&self) -> bool {
        self.missing.is_empty()
    }
}

/// Counts the stages of `records`, in one pass.
pub fn stages(records: &[Value<'_>], filters: &Filters<'_>) -> Stages {
    let order = contracts().stages();
    let mut counts: BTreeMap<String, u64> = order.iter().map(|(_, stage)| (stage.count.clone(), 0)).collect();
    for record in records {
        let Some(record_type) = record.get("type").and_then(Value::as_str) else { continue };
        let Some((_, stage)) = order.iter().find(|(contract, _)| contract.record_type == record_type) else { continue };
        if filters.match_record(record) {
            *counts.entry(stage.count.clone()).or_default() += 1;
        }
    }
    let missing = order.iter().filter(|(_, stage)| counts[&stage.count] == 0).map(|(_, stage)| stage.missing.clone()).collect();
    Stages { counts, missing }
}

/// The text of a field, at the top or, failing that, in the payload.
pub(super) fn linked<'r>(record: &'r Value<'r>, field: &str) -> std::borrow::Cow<'r, str> {
    let top = text(record.get(field));
    if top.is_empty() { text(record.get("payload").and_then(|payload| payload.get(field))) } else { top }
}

impl Filters<'_> {
    /// Whether a record belongs to the trail.
    pub fn match_record(&self, record: &Value<'_>) -> bool {
        let wanted = [("proposal_id", self.proposal_id), ("approval_id", self.approval_id), ("plan_id", self.plan_id)];
        wanted.into_iter().all(|(field, wanted)| wanted.is_none_or(|wanted| linked(record, field) == wanted))
    }
}
