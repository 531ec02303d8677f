//! The ledger file: one SQLite database that many processes share.
//!
//! A writer holds the lock file `<db>.lock` over everything that belongs together, and writes the
//! operation, the entry and the vector in one transaction. What it acknowledges is on the disk.
//! A reader sees what was there when it opened, refreshed or wrote. Every file is taken to be hostile.

mod check;
mod export;
mod fault;
#[cfg(test)]
mod foreign;
mod location;
mod open;
mod opened;
mod place;
#[cfg(test)]
mod plans;
#[cfg(feature = "postgres")]
mod postgres;
mod read;
mod schema;
mod store;
mod terms;
#[cfg(test)]
mod tests;
mod write;

pub use check::{Fault, Soundness};
pub use export::{spool, write_file};
pub use location::Location;
#[cfg(feature = "postgres")]
pub use postgres::PostgresLedger;
pub use store::{Store, Work, Writing};
pub use write::Batch;

use crate::ledger::operation::{Kind, NAME_LIMIT, Operation};
use crate::ledger::replica::VersionVector;
use crate::ledger::{Entry, Ledger, LedgerError, Record, Select, Surroundings};
use open::Open;
use read::{Cursor, Step};
use rusqlite::Connection;
use std::cell::Cell;
use std::path::Path;

/// An open ledger file.
#[derive(Debug)]
pub struct LedgerFile {
    open: Open,
    /// The node that writes; none when it was opened for reading.
    node_id: Option<String>,
    /// The last row that is known of.
    horizon: i64,
    /// Entries of others that became known by writing, and that no refresh has counted.
    missed: u64,
    unreadable: Cell<u64>,
}

impl LedgerFile {
    /// Opens the ledger at `path` for reading and writing as `node_id`; makes it, and its folder, where there is none.
    ///
    /// # Errors
    /// The file is none of ours, or cannot be opened.
    pub fn open(path: &Path, node_id: &str) -> Result<Self, LedgerError> {
        Self::to_write(path, node_id, true)
    }

    /// As [`LedgerFile::open`], but makes nothing.
    ///
    /// # Errors
    /// As there, and when there is none.
    pub fn open_existing(path: &Path, node_id: &str) -> Result<Self, LedgerError> {
        Self::to_write(path, node_id, false)
    }

    /// Opens the ledger at `path` for reading. Nothing is made, not even beside it; only what a killed
    /// writer left half done is undone.
    ///
    /// # Errors
    /// There is none, it is none of ours, or it cannot be opened.
    pub fn open_to_read(path: &Path) -> Result<Self, LedgerError> {
        Self::of(open::to_read(path)?, None)
    }

    fn to_write(path: &Path, node_id: &str, make: bool) -> Result<Self, LedgerError> {
        if node_id.trim().is_empty() || node_id.len() > NAME_LIMIT {
            return Err(LedgerError::Unpublishable(format!("the node's id is blank or has more than {NAME_LIMIT} bytes")));
        }
        Self::of(open::to_write(path, make)?, Some(node_id.to_owned()))
    }

    fn of(open: Open, node_id: Option<String>) -> Result<Self, LedgerError> {
        let horizon = open.tried(last_row)?;
        Ok(Self { open, node_id, horizon, missed: 0, unreadable: Cell::new(0) })
    }

    /// Whether `path` is this ledger's file.
    pub fn is_at(&self, path: &Path) -> bool {
        let here = opened::inode(&self.open.place.file);
        here.is_some() && here == path.canonicalize().ok().and_then(|path| opened::inode(&path))
    }

    /// How many rows were passed over so far because they hold nothing that reads.
    pub fn unreadable(&self) -> u64 {
        self.unreadable.get()
    }

    /// Leaves a tombstone for a key; `None` when no live entry has it.
    ///
    /// # Errors
    /// The storage failed.
    pub fn delete(&mut self, gid: &str, around: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError> {
        self.in_one_write(|batch| batch.delete(gid, around))
    }

    /// The greatest clock seen of each node.
    ///
    /// # Errors
    /// The storage failed.
    pub fn vector(&self) -> Result<VersionVector, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare("SELECT node_id, clock FROM version_vector")?;
            let seen = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))?;
            seen.collect()
        })
    }

    /// Shows every operation that is known, by clock, node, key and name.
    ///
    /// # Errors
    /// The storage failed, or `seen` did.
    pub fn each_operation(&self, seen: &mut dyn FnMut(&Operation) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        let mut from = Some((Cursor::default(), Vec::new()));
        while let Some(start) = from {
            let (step, op_id) = self.read(|connection| read::operations_step(connection, self.horizon, &start))?;
            self.count_unreadable(&step);
            step.operations.iter().try_for_each(&mut *seen)?;
            from = step.next.map(|cursor| (cursor, op_id));
        }
        Ok(())
    }

    /// Shows the operations that a peer with this vector lacks.
    ///
    /// Two files in which one node wrote apart have vectors that hide operations from each other; a
    /// merge of files goes by [`LedgerFile::each_operation`].
    ///
    /// # Errors
    /// As [`LedgerFile::each_operation`].
    pub fn missing_for(
        &self,
        peer: &VersionVector,
        seen: &mut dyn FnMut(&Operation) -> Result<(), LedgerError>,
    ) -> Result<(), LedgerError> {
        self.each_operation(&mut |operation| {
            if peer.get(&operation.node_id).is_none_or(|&known| operation.clock > known) { seen(operation) } else { Ok(()) }
        })
    }

    fn read<T>(&self, step: impl Fn(&Connection) -> rusqlite::Result<T>) -> Result<T, LedgerError> {
        self.open.refuel();
        self.open.tried(step)
    }

    /// The rows that set the keys of which an operation has one of these terms, or may have.
    fn rows_with(&self, wanted: &[i64]) -> Result<Vec<i64>, LedgerError> {
        let open = &self.open;
        loop {
            // What the index does not have is entered in short steps.
            while !self.read(|connection| {
                let step = connection.unchecked_transaction()?;
                let mut late = open.late.get();
                let done = late.step(connection, open.termed, self.horizon)?;
                step.commit()?;
                open.late.set(late);
                Ok(done)
            })? {}
            let rows = self.read(|connection| {
                let _snapshot = connection.unchecked_transaction()?;
                let source = open.late.get().source(connection, open.termed, self.horizon, &read::marks(wanted.len()))?;
                source.map(|source| read::rows_in(connection, self.horizon, &source, wanted)).transpose()
            })?;
            // None: meanwhile another writer made the index anew.
            if let Some(rows) = rows {
                return Ok(rows);
            }
        }
    }

    fn count_unreadable(&self, step: &Step) {
        self.unreadable.set(self.unreadable.get() + step.unreadable);
    }

    fn each_row(&self, mut rows: &[i64], seen: &mut dyn FnMut(Operation) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        while !rows.is_empty() {
            let (step, taken) = self.read(|connection| {
                // One look at the lock for the whole step.
                let _snapshot = connection.unchecked_transaction()?;
                read::rows_step(connection, rows)
            })?;
            self.count_unreadable(&step);
            step.operations.into_iter().try_for_each(&mut *seen)?;
            rows = &rows[taken..];
        }
        Ok(())
    }
}

/// The last row of the operations.
fn last_row(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("SELECT coalesce(max(rowid), 0) FROM ops", [], |row| row.get(0))
}

/// How many keys have operations in the rows behind `after`, up to `last`.
fn entries_between(connection: &Connection, after: i64, last: i64) -> rusqlite::Result<u64> {
    if after >= last {
        return Ok(0);
    }
    let counted = "SELECT count(DISTINCT gid) FROM ops WHERE rowid > ?1 AND rowid <= ?2";
    connection.query_row(counted, [after, last], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
}

impl Ledger for LedgerFile {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        self.in_one_write(|batch| batch.publish(record, around))
    }

    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        self.in_one_write(|batch| batch.publish_unless(record, same, around))
    }

    fn each(&self, select: Select<'_>, seen: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        let mut show = |operation: Operation| if operation.kind == Kind::Delete { Ok(()) } else { seen(&read::entry_of(operation)) };
        if !select.types.is_empty() {
            let types: Vec<_> = select.types.iter().map(|record_type| terms::of_type(record_type)).collect();
            let rows = self.rows_with(&types)?;
            // Among them are rows whose type no term tells.
            let asked = |operation: &Operation| {
                let record = operation.record().ok().flatten();
                record.and_then(|record| Some(select.types.contains(&record.get("type")?.as_str()?))).unwrap_or(false)
            };
            return self.each_row(&rows, &mut |operation| if asked(&operation) { show(operation) } else { Ok(()) });
        }
        let mut from = Some(Cursor::default());
        while let Some(start) = from {
            let step = self.read(|connection| read::state_step(connection, self.horizon, &start))?;
            self.count_unreadable(&step);
            step.operations.into_iter().try_for_each(&mut show)?;
            from = step.next;
        }
        Ok(())
    }

    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError> {
        let rows = self.rows_with(&read::terms_of(record_type, field, said))?;
        let mut found = Vec::new();
        self.each_row(&rows, &mut |operation| {
            let record = read::record_of(&operation);
            found.extend(record.filter(|record| record.record_type() == record_type && record.text(field) == said));
            Ok(())
        })?;
        Ok(found)
    }

    fn passed_over(&self) -> u64 {
        self.unreadable()
    }

    fn refresh(&mut self) -> Result<u64, LedgerError> {
        self.open.catch_up()?;
        let horizon = self.horizon;
        let (last, new) = self.read(|connection| {
            let last = last_row(connection)?;
            Ok((last, entries_between(connection, horizon, last)?))
        })?;
        self.horizon = last.max(horizon);
        Ok(std::mem::take(&mut self.missed) + new)
    }
}
