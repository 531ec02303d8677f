//! A trail: which stages of the governance chain a list of records has.

use super::check::contract_of;
use super::fields::Fields;
use super::table::{Contract, Stage, contracts};
use super::value::text;
use crate::json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Which records of a ledger belong to the trail; every filter given must match.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filters<'f> {
    /// Of this proposal.
    pub proposal_id: Option<&'f str>,
    /// Of this approval.
    pub approval_id: Option<&'f str>,
    /// Of this plan.
    pub plan_id: Option<&'f str>,
}

/// The stages of a trail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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

/// Counts stages as records come.
#[derive(Debug, Clone)]
pub struct StageCounter {
    order: Vec<(&'static Contract, &'static Stage)>,
    counts: Vec<u64>,
}

impl Default for StageCounter {
    fn default() -> Self {
        let order = contracts().stages();
        Self { counts: vec![0; order.len()], order }
    }
}

impl StageCounter {
    /// Counts a record of this contract; the place of its stage from 0, or nothing for another type.
    pub fn add(&mut self, contract: &Contract) -> Option<usize> {
        self.add_times(contract, 1)
    }

    /// Counts so many records of this contract, as [`StageCounter::add`] does one.
    pub fn add_times(&mut self, contract: &Contract, times: u64) -> Option<usize> {
        let stage = contract.stage.as_ref()?;
        let place = self.order.iter().position(|(_, other)| other.order == stage.order)?;
        self.counts[place] += times;
        Some(place)
    }

    /// What was counted.
    pub fn finish(&self) -> Stages {
        let stages = || self.order.iter().map(|(_, stage)| *stage).zip(&self.counts);
        Stages {
            counts: stages().map(|(stage, count)| (stage.count.clone(), *count)).collect(),
            missing: stages().filter(|(_, count)| **count == 0).map(|(stage, _)| stage.missing.clone()).collect(),
        }
    }
}

/// Counts the stages of `records`, in one pass.
pub fn stages(records: &[Value<'_>], filters: &Filters<'_>) -> Stages {
    let mut counter = StageCounter::default();
    for record in records.iter().filter(|record| filters.match_record(record)) {
        if let Some(contract) = contract_of(record) {
            counter.add(contract);
        }
    }
    counter.finish()
}

/// The text of a field, at the top or, failing that, in the payload.
pub fn linked<'r, 'v: 'r>(record: &'r impl Fields<'v>, field: &str) -> Cow<'r, str> {
    let top = text(record.get(field));
    if top.is_empty() { text(record.get("payload").and_then(|payload| payload.get(field))) } else { top }
}

impl Filters<'_> {
    /// Whether a record belongs to the trail.
    pub fn match_record<'v>(&self, record: &impl Fields<'v>) -> bool {
        let wanted = [("proposal_id", self.proposal_id), ("approval_id", self.approval_id), ("plan_id", self.plan_id)];
        wanted.into_iter().all(|(field, wanted)| wanted.is_none_or(|wanted| linked(record, field) == wanted))
    }
}
