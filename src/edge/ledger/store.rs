//! A ledger that keeps operations, whatever keeps them: memory, a file, a server. What commands ask of one.

use super::{Batch, LedgerFile, Soundness};
use crate::ledger::replica::{Observed, VersionVector};
use crate::ledger::{Entry, Kind, Ledger, LedgerError, MemoryLedger, Operation, Record, Select, Surroundings};
use std::fmt::Debug;
use std::path::Path;

/// A write that has begun: no other writer comes between its steps, and all of them last or none does.
pub trait Writing {
    /// Publishes a record as this ledger's node.
    ///
    /// # Errors
    /// As [`Ledger::publish`].
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError>;

    /// Publishes a record unless a live one of its type has one of these fields with that text.
    ///
    /// # Errors
    /// As [`Ledger::publish_unless`].
    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError>;

    /// Leaves a tombstone for a key; `None` when no live entry has it.
    ///
    /// # Errors
    /// The storage failed.
    fn delete(&mut self, gid: &str, around: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError>;

    /// Takes in an operation: stores it, the entry if it changed, and the vector.
    ///
    /// # Errors
    /// It is out of its bounds or does not read, its `op_id` is another's, or the storage failed.
    fn observe(&mut self, operation: &Operation) -> Result<Observed, LedgerError>;
}

/// What is done in one write.
pub type Work<'w> = dyn FnMut(&mut dyn Writing) -> Result<(), LedgerError> + 'w;

/// A ledger with its operations.
pub trait Store: Ledger + Debug {
    /// Does `work` in one write, and returns when it lasts.
    ///
    /// What others wrote before is known from then on; [`Ledger::refresh`] still counts it.
    ///
    /// # Errors
    /// What `work` answers, or that the storage failed; then nothing was written.
    fn write(&mut self, work: &mut Work<'_>) -> Result<(), LedgerError>;

    /// The greatest clock seen of each node.
    ///
    /// # Errors
    /// The storage failed.
    fn vector(&self) -> Result<VersionVector, LedgerError>;

    /// Shows every operation that is known, by clock, node, key and name.
    ///
    /// # Errors
    /// The storage failed, or `seen` did.
    fn each_operation(&self, seen: &mut dyn FnMut(&Operation) -> Result<(), LedgerError>) -> Result<(), LedgerError>;

    /// Holds operations, records, vector and index to each other.
    ///
    /// # Errors
    /// It cannot be read to its end.
    fn check(&self) -> Result<Soundness, LedgerError>;

    /// Whether `path` is this ledger's file.
    fn is_at(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Leaves a tombstone for a key; `None` when no live entry has it.
    ///
    /// # Errors
    /// The storage failed.
    fn delete(&mut self, gid: &str, around: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError> {
        let mut left = None;
        self.write(&mut |batch| {
            left = batch.delete(gid, around)?;
            Ok(())
        })?;
        Ok(left)
    }
}

impl Ledger for Box<dyn Store> {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        (**self).publish(record, around)
    }

    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        (**self).publish_unless(record, same, around)
    }

    fn each(&self, select: Select<'_>, seen: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        (**self).each(select, seen)
    }

    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError> {
        (**self).find(record_type, field, said)
    }

    fn refresh(&mut self) -> Result<u64, LedgerError> {
        (**self).refresh()
    }

    fn passed_over(&self) -> u64 {
        (**self).passed_over()
    }
}

impl Writing for Batch<'_> {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        Batch::publish(self, record, around)
    }

    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        Batch::publish_unless(self, record, same, around)
    }

    fn delete(&mut self, gid: &str, around: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError> {
        Batch::delete(self, gid, around)
    }

    fn observe(&mut self, operation: &Operation) -> Result<Observed, LedgerError> {
        Batch::observe(self, operation)
    }
}

impl Store for LedgerFile {
    fn write(&mut self, work: &mut Work<'_>) -> Result<(), LedgerError> {
        self.in_one_write(|batch| work(batch))
    }

    fn vector(&self) -> Result<VersionVector, LedgerError> {
        Self::vector(self)
    }

    fn each_operation(&self, seen: &mut dyn FnMut(&Operation) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        Self::each_operation(self, seen)
    }

    fn check(&self) -> Result<Soundness, LedgerError> {
        Self::check(self)
    }

    fn is_at(&self, path: &Path) -> bool {
        Self::is_at(self, path)
    }
}

impl Writing for MemoryLedger {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        Ledger::publish(self, record, around)
    }

    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        Ledger::publish_unless(self, record, same, around)
    }

    fn delete(&mut self, gid: &str, around: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError> {
        Self::delete(self, gid, around)
    }

    fn observe(&mut self, operation: &Operation) -> Result<Observed, LedgerError> {
        Self::observe(self, operation.clone())
    }
}

impl Store for MemoryLedger {
    fn write(&mut self, work: &mut Work<'_>) -> Result<(), LedgerError> {
        let mut written = self.clone();
        work(&mut written)?;
        *self = written;
        Ok(())
    }

    fn vector(&self) -> Result<VersionVector, LedgerError> {
        Ok(self.replica().vector().clone())
    }

    fn each_operation(&self, seen: &mut dyn FnMut(&Operation) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        let mut operations: Vec<_> = self.replica().operations().iter().collect();
        operations.sort_by_key(|operation| (operation.clock, &operation.node_id, &operation.gid, &operation.op_id));
        operations.into_iter().try_for_each(seen)
    }

    fn check(&self) -> Result<Soundness, LedgerError> {
        // A replica keeps nothing beside its operations that could differ from them.
        let operations = self.replica().operations();
        let mut seen =
            Soundness { operations: operations.len() as u64, nodes: self.replica().vector().len() as u64, ..Soundness::default() };
        let keys: std::collections::BTreeSet<_> = operations.iter().map(|operation| &operation.gid).collect();
        for winner in keys.into_iter().filter_map(|gid| self.replica().winner(gid)) {
            match (winner.kind, Record::parse(&winner.payload)) {
                (Kind::Upsert, Ok(record)) => seen.live(record.record_type()),
                _ => seen.tombstones += 1,
            }
        }
        Ok(seen)
    }
}
