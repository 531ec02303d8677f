//! The global brief of a ledger: Security, simulation and memory looked at together.

use super::brief::{Brief, Snapshot, brief};
use super::watch::{Watched, watch};
use crate::contract::trail::Filters;
use crate::contract::value::text;
use crate::experience::memory_summary::MemorySummary;
use crate::experience::simulation_metrics::SimulationMetrics;
use crate::ledger::{Ledger, LedgerError, Select, each_record};
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// How many evidence ids a brief names.
const EVIDENCE: usize = 1000;

/// The brief of what the filters pick, and what it was made from. Memory and simulation records belong
/// to no proposal: with a filter they are left out.
///
/// # Errors
/// The storage failed.
pub fn overview(ledger: &dyn Ledger, filters: Filters<'_>, brief_id: &str, now: f64) -> Result<(Brief, Watched), LedgerError> {
    let watched = watch(ledger, filters)?;
    let whole = filters.proposal_id.is_none() && filters.approval_id.is_none() && filters.plan_id.is_none();
    let (mut memory, mut simulation) = (MemorySummary::default(), SimulationMetrics::default());
    let mut evidence_ids = Vec::new();
    if whole {
        memory = MemorySummary::of(ledger, &|_| true)?;
        simulation = SimulationMetrics::of(ledger)?;
        each_record(ledger, Select { types: &["evidence_record"] }, &mut |_, record| {
            let id = text(record.get("evidence_id"));
            if evidence_ids.len() < EVIDENCE && !id.is_empty() {
                evidence_ids.push(id.into_owned());
            }
        })?;
    }
    let snapshot = Snapshot {
        security: &map(&watched.heartbeat),
        simulation: &map(&simulation),
        memory: &map(&memory),
        degraded: memory.degraded,
        soundness: Some(&watched.soundness),
        open_attempts: watched.heartbeat.execution.open_attempts(),
        evidence_ids: &evidence_ids,
    };
    let brief = brief(&snapshot, brief_id, now);
    Ok((brief, watched))
}

/// The brief of a whole ledger, for nodes that report it.
///
/// # Errors
/// The storage failed.
pub fn brief_of_ledger(ledger: &dyn Ledger) -> Result<Json, LedgerError> {
    let (brief, _) = overview(ledger, Filters::default(), "cluster", 0.0)?;
    Ok(Json::Object(map(&brief)))
}

fn map(metrics: &impl Serialize) -> Map<String, Json> {
    match serde_json::to_value(metrics) {
        Ok(Json::Object(members)) => members,
        _ => Map::new(),
    }
}
