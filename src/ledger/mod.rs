//! The record ledger: records, entries, and what a reader and a writer may ask of it.
//!
//! The ledger is an operation-based last-writer-wins map (loop governance, section 2). This module is
//! its value side; the SQLite file that many processes share is in [`crate::edge`].

pub mod lines;
pub mod memory;
pub mod operation;
pub mod record;
pub mod replica;
pub mod surroundings;

pub use memory::MemoryLedger;
pub use operation::{Kind, Operation};
pub use record::Record;
pub use replica::{Observed, Replica, VersionVector};
pub use surroundings::Surroundings;

use crate::json::{Parser, Value};

/// What the ledger holds for one key.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key; not the record's logical id.
    pub gid: String,
    /// The record, as JSON text with sorted keys.
    pub payload: String,
    /// Lamport clock of the operation that last set it.
    pub clock: u64,
    /// The node that made that operation.
    pub node_id: String,
    /// Wall time of the operation, in seconds. It never decides.
    pub ts: f64,
}

/// The reason for building, starting and passing nothing while rows that were asked for do not read: one of
/// them may be the rejection that nobody saw.
pub const ROWS_UNREADABLE: &str = "ledger_rows_unreadable";

/// Which records a reader asks for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Select<'s> {
    /// Of one of these types; all when empty.
    pub types: &'s [&'s str],
}

/// Why the ledger could not answer.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The record cannot be published.
    #[error("the record was not published: {0}")]
    Unpublishable(String),
    /// The file is none of ours, damaged or hostile.
    #[error("{0}")]
    Foreign(String),
    /// The disk, or a lock held too long.
    #[error("{0}")]
    Storage(String),
}

/// A ledger, seen from the code that reads and publishes records.
pub trait Ledger {
    /// Publishes `record` as this ledger's node. Fills `gid`, `node`, `node_id` and `ts` where absent.
    ///
    /// # Errors
    /// The record is none, or the storage failed; then nothing was written.
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError>;

    /// Publishes `record` unless a live record of its type has one of these fields with that text, in
    /// one step: no other writer comes between. `None` when there is one; it stays as it is.
    ///
    /// # Errors
    /// As [`Ledger::publish`].
    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError>;

    /// Shows the live entries that `select` asks for, in state order: first clock, node, gid.
    ///
    /// # Errors
    /// The storage failed, or `seen` did.
    fn each(&self, select: Select<'_>, seen: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError>;

    /// The live records of a type whose top-level `field` has this text, in state order, by index.
    ///
    /// # Errors
    /// The storage failed.
    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError>;

    /// Takes in what other processes wrote; how many entries that were.
    ///
    /// # Errors
    /// The storage failed.
    fn refresh(&mut self) -> Result<u64, LedgerError>;

    /// How many rows were passed over so far because they hold nothing that reads.
    fn passed_over(&self) -> u64 {
        0
    }
}

/// Shows the live records that `select` asks for, as values, in one pass; the number that did not read.
///
/// # Errors
/// The storage failed.
pub fn each_record(ledger: &dyn Ledger, select: Select<'_>, seen: &mut dyn FnMut(&Entry, &Value<'_>)) -> Result<u64, LedgerError> {
    let mut unreadable = 0;
    let mut parser = Parser::default();
    let before = ledger.passed_over();
    ledger.each(select, &mut |entry| {
        match parser.parse(entry.payload.as_bytes()) {
            Ok(record) => seen(entry, &record),
            Err(_) => unreadable += 1,
        }
        Ok(())
    })?;
    Ok(unreadable + ledger.passed_over().saturating_sub(before))
}
