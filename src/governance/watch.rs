//! One pass over a ledger for everything that watches a trail: inspector, heartbeat, brief.

use super::execution_metrics::ExecutionMetrics;
use super::inspect::{Inspector, TrailSummary};
use super::metrics::Heartbeat;
use super::scan::{Scanned, scanned_types};
use super::soundness::Soundness;
use crate::contract::trail::Filters;
use crate::json::{Parser, Value};
use crate::ledger::{Ledger, LedgerError, Select};
use crate::stream::spread::each_stretch;

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
        if let Some(scanned) = Scanned::of(record) {
            self.add_scanned(&scanned);
        }
    }

    /// Takes in records by their texts, in order. They are read and checked on every core.
    pub fn add_texts<T: AsRef<[u8]> + Sync>(&mut self, texts: &[T]) {
        let read = each_stretch(texts, |_, texts| {
            let mut parser = Parser::default();
            texts.iter().map(|text| parser.parse(text.as_ref()).ok()).collect::<Vec<_>>()
        });
        let records: Vec<_> = read.into_iter().flatten().collect();
        self.unreadable(records.iter().filter(|record| record.is_none()).count() as u64);
        let scanned = each_stretch(&records, |_, records| records.iter().flatten().filter_map(Scanned::of).collect::<Vec<_>>());
        scanned.iter().flatten().for_each(|scanned| self.add_scanned(scanned));
    }

    fn add_scanned(&mut self, scanned: &Scanned<'_, '_>) {
        let picked = self.filters.match_record(&scanned.fields);
        self.inspector.add(scanned, picked);
        if picked {
            self.heartbeat.count(scanned);
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
    let mut batch = Batch::default();
    let before = ledger.passed_over();
    ledger.each(Select { types: &scanned_types() }, &mut |entry| {
        batch.push(&entry.payload);
        if batch.is_full() {
            watch.add_texts(&batch.texts);
            batch = Batch::default();
        }
        Ok(())
    })?;
    watch.add_texts(&batch.texts);
    watch.unreadable(ledger.passed_over().saturating_sub(before));
    Ok(watch.finish())
}

/// Texts of records that are read together.
#[derive(Debug, Default)]
struct Batch {
    texts: Vec<String>,
    bytes: usize,
}

impl Batch {
    fn push(&mut self, text: &str) {
        self.bytes += text.len();
        self.texts.push(text.to_owned());
    }

    /// Whether it is time to look at them: many, or long ones.
    fn is_full(&self) -> bool {
        self.texts.len() >= 1024 || self.bytes >= 1 << 20
    }
}
