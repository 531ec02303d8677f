//! One pass over a ledger for everything that watches a trail: inspector, heartbeat, brief.

use super::execution_metrics::ExecutionMetrics;
use super::inspect::{Inspector, TrailSummary};
use super::metrics::Heartbeat;
use super::scan::{scan, scanned_types};
use super::soundness::Soundness;
use crate::contract::trail::Filters;
use crate::json::Value;
use crate::ledger::{Ledger, LedgerError, Select, each_record};

/// Gathers records, in state order.
#[derive(Debug)]
pub struct Watch<'f> {
    filters: Filters<'f>,
    inspector: Inspector<'f>,
    heartbeat: Heartbeat,
    unreadable: u64,
}

/// What a watch saw.
#[derive(Debug, Clone)]
pub struct Watched {
    /// The trail.
    pub summary: TrailSummary,
    /// Whether it holds together.
    pub soundness: Soundness,
    /// The Security metrics of the filtered records.
    pub heartbeat: Heartbeat,
    /// Entries that were passed over since they do not read: nobody knows whose they are.
    pub unreadable: u64,
}

impl<'f> Watch<'f> {
    /// A watch over the records that the filters pick.
    pub fn new(filters: Filters<'f>) -> Self {
        Self {
            inspector: Inspector::new(filters),
            filters,
            heartbeat: Heartbeat { execution: ExecutionMetrics::with_ids(), ..Heartbeat::default() },
            unreadable: 0,
        }
    }

    /// Takes a record in.
    pub fn add(&mut self, record: &Value<'_>) {
        let Some(entry) = scan(record) else { return };
        let picked = self.filters.match_record(record);
        self.inspector.add(record, &entry, picked);
        if picked {
            self.heartbeat.count(record, &entry);
        }
    }

    /// Takes note of entries that could not be read: nothing that was watched passes then.
    pub fn unreadable(&mut self, entries: u64) {
        self.unreadable += entries;
        self.inspector.unreadable(entries);
    }

    /// What was seen.
    pub fn finish(self) -> Watched {
        let (mut summary, soundness) = self.inspector.finish();
        summary.extend(&self.heartbeat.execution);
        Watched { summary, soundness, heartbeat: self.heartbeat, unreadable: self.unreadable }
    }
}

/// Watches the records of a ledger.
///
/// # Errors
/// The storage failed.
pub fn watch(ledger: &dyn Ledger, filters: Filters<'_>) -> Result<Watched, LedgerError> {
    let mut watch = Watch::new(filters);
    let unreadable = each_record(ledger, Select { types: &scanned_types() }, &mut |_, record| watch.add(record))?;
    watch.unreadable(unreadable);
    Ok(watch.finish())
}
