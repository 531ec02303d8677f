//! Writing: one lock and one transaction around whatever belongs together.

use super::open::Open;
use super::read::{marks, rows_in, rows_step, terms_of};
use super::terms::{self, NOTED, UNREAD};
use super::{LedgerFile, fault};
use crate::ledger::memory::operation_of;
use crate::ledger::operation::{Kind, NO_PAYLOAD, Operation};
use crate::ledger::replica::{Observed, two_of_one_name};
use crate::ledger::{Entry, LedgerError, Record, Surroundings};
use rusqlite::{CachedStatement, Connection, OptionalExtension};
use std::collections::BTreeMap;
use std::fmt;

/// A write that has begun: no other writer comes between its steps, and all of them last or none does.
pub struct Batch<'b> {
    open: &'b Open,
    node_id: &'b str,
    clock: u64,
    insert: CachedStatement<'b>,
    term: CachedStatement<'b>,
    winner: CachedStatement<'b>,
    entry: CachedStatement<'b>,
    /// The greatest clock of each node in this write.
    seen: BTreeMap<String, i64>,
}

impl fmt::Debug for Batch<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Batch").field("node_id", &self.node_id).field("clock", &self.clock).finish_non_exhaustive()
    }
}

impl<'b> Batch<'b> {
    fn begin(open: &'b Open, node_id: &'b str) -> rusqlite::Result<Self> {
        let connection = &open.connection;
        terms::absorb(connection, &|| open.refuel())?;
        let clock: Option<i64> = connection.prepare_cached("SELECT max(clock) FROM ops")?.query_row([], |row| row.get(0))?;
        Ok(Self {
            open,
            node_id,
            clock: clock.and_then(|clock| u64::try_from(clock).ok()).unwrap_or(0),
            insert: connection.prepare_cached(
                "INSERT INTO ops (op_id, node_id, clock, kind, gid, payload, ts) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
                 ON CONFLICT (op_id) DO NOTHING",
            )?,
            term: connection.prepare_cached(terms::INSERT)?,
            winner: connection.prepare_cached(
                "SELECT rowid FROM ops INDEXED BY ops_by_gid WHERE gid = ?1 ORDER BY clock DESC, node_id DESC, op_id LIMIT 1",
            )?,
            entry: connection.prepare_cached(
                "INSERT INTO records (gid, payload, clock, node_id, deleted, ts) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                 ON CONFLICT (gid) DO UPDATE SET payload = excluded.payload, clock = excluded.clock, node_id = excluded.node_id, \
                 deleted = excluded.deleted, ts = excluded.ts",
            )?,
            seen: BTreeMap::new(),
        })
    }

    /// Stores what is stored once a write: the vector, and how far the terms go.
    fn end(self) -> rusqlite::Result<()> {
        let connection = &self.open.connection;
        let mut seen = connection.prepare_cached(
            "INSERT INTO version_vector (node_id, clock) VALUES (?1, ?2) \
             ON CONFLICT (node_id) DO UPDATE SET clock = max(clock, excluded.clock)",
        )?;
        for (node_id, clock) in &self.seen {
            seen.execute((node_id, clock))?;
        }
        if self.seen.is_empty() { Ok(()) } else { terms::set_covered(connection) }
    }

    /// Publishes a record as this ledger's node.
    ///
    /// # Errors
    /// As [`crate::ledger::Ledger::publish`].
    pub fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        let operation = operation_of(record, self.node_id, self.clock + 1, around)?;
        self.apply(operation)
    }

    /// Publishes a record unless a live one of its type has one of these fields with that text.
    ///
    /// # Errors
    /// As [`crate::ledger::Ledger::publish_unless`].
    pub fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        for (field, said) in same {
            if self.has(record.record_type(), field, said)? {
                return Ok(None);
            }
        }
        self.publish(record, around).map(Some)
    }

    /// Leaves a tombstone for a key; `None` when no live entry has it.
    ///
    /// # Errors
    /// The storage failed.
    pub fn delete(&mut self, gid: &str, around: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError> {
        let live = self.open.connection.query_row("SELECT 1 FROM records WHERE gid = ?1 AND deleted = 0", [gid], |_| Ok(())).optional();
        if live.map_err(|error| self.failed(&error))?.is_none() {
            return Ok(None);
        }
        self.apply(Operation::new(self.node_id, self.clock + 1, Kind::Delete, gid, NO_PAYLOAD.to_owned(), around.now())).map(Some)
    }

    fn failed(&self, error: &rusqlite::Error) -> LedgerError {
        fault::of_sqlite(&self.open.place.file, error)
    }

    fn apply(&mut self, operation: Operation) -> Result<Entry, LedgerError> {
        self.observe(&operation)?;
        Ok(super::read::entry_of(operation))
    }

    /// Takes in an operation: stores it, the entry if it changed, and the vector.
    ///
    /// # Errors
    /// It is out of its bounds or does not read, its `op_id` is another's, or the storage failed.
    pub fn observe(&mut self, operation: &Operation) -> Result<Observed, LedgerError> {
        operation.within_bounds()?;
        operation.reads()?;
        // A write may have any number of steps; each has enough.
        self.open.refuel();
        let observed = self.store(operation).map_err(|error| self.failed(&error))?;
        let Some(observed) = observed else { return Err(two_of_one_name()) };
        self.clock = self.clock.max(operation.clock);
        Ok(observed)
    }

    /// `None` when another operation has the name.
    fn store(&mut self, of: &Operation) -> rusqlite::Result<Option<Observed>> {
        // The bounds keep a clock to 53 bits.
        let clock = of.clock.cast_signed();
        let added = self.insert.execute((&of.op_id, &of.node_id, clock, of.kind.as_str(), &of.gid, &of.payload, of.ts))?;
        if added == 0 {
            return Ok(self.is_stored(of)?.then_some(Observed::Known));
        }
        let row = self.open.connection.last_insert_rowid();
        match self.seen.get_mut(&of.node_id) {
            Some(seen) => *seen = (*seen).max(clock),
            None => drop(self.seen.insert(of.node_id.clone(), clock)),
        }
        for term in terms::of_row(of.kind.as_str(), &of.payload) {
            self.term.execute([term, row])?;
        }
        let winner: i64 = self.winner.query_row([&of.gid], |row| row.get(0))?;
        if winner != row {
            return Ok(Some(Observed::Outranked));
        }
        let payload = if of.kind == Kind::Delete { NO_PAYLOAD } else { &of.payload };
        self.entry.execute((&of.gid, payload, clock, &of.node_id, of.kind == Kind::Delete, of.ts))?;
        Ok(Some(Observed::Applied))
    }

    fn is_stored(&self, of: &Operation) -> rusqlite::Result<bool> {
        let same = "SELECT node_id = ?2 AND clock = ?3 AND kind = ?4 AND gid = ?5 AND payload = ?6 AND ts = ?7 FROM ops WHERE op_id = ?1";
        let clock = of.clock.cast_signed();
        self.open
            .connection
            .query_row(same, (&of.op_id, &of.node_id, clock, of.kind.as_str(), &of.gid, &of.payload, of.ts), |row| row.get(0))
    }

    /// Whether a live record of the type has the text, in what is stored now.
    fn has(&self, record_type: &str, field: &str, said: &str) -> Result<bool, LedgerError> {
        self.open.refuel();
        let search = || -> rusqlite::Result<bool> {
            // All that was there is taken in.
            let source = format!("(SELECT row FROM main.ops_terms WHERE term IN ({}, {UNREAD}, {NOTED}))", marks(1));
            let mut rows = &*rows_in(&self.open.connection, i64::MAX, &source, &terms_of(record_type, field, said))?;
            while !rows.is_empty() {
                let (step, taken) = rows_step(&self.open.connection, rows)?;
                if step
                    .operations
                    .iter()
                    .filter_map(super::read::record_of)
                    .any(|record| record.record_type() == record_type && record.text(field) == said)
                {
                    return Ok(true);
                }
                rows = &rows[taken..];
            }
            Ok(false)
        };
        search().map_err(|error| self.failed(&error))
    }
}

impl LedgerFile {
    /// Does `work` under the writers' lock in one transaction, and returns when it is on the disk.
    ///
    /// What others wrote before is known from then on; [`crate::ledger::Ledger::refresh`] still counts it.
    ///
    /// # Errors
    /// What `work` answers, or that the storage failed; then nothing was written.
    pub fn in_one_write<T>(&mut self, work: impl FnOnce(&mut Batch<'_>) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        let path = &self.open.place.file;
        let Some(node_id) = &self.node_id else {
            return Err(fault::storage(path, "LEDGER_READ_ONLY", "was opened for reading only"));
        };
        let _lock = self.open.place.lock()?;
        self.open.refuel();
        self.open.tried(|connection| connection.execute_batch("BEGIN IMMEDIATE"))?;
        let undo = Undo(&self.open.connection);
        let fail = |error: rusqlite::Error| fault::of_sqlite(path, &error);
        let before = super::last_row(&self.open.connection).map_err(fail)?;
        let missed = super::entries_between(&self.open.connection, self.horizon, before).map_err(fail)?;
        let mut batch = Batch::begin(&self.open, node_id).map_err(fail)?;
        let done = work(&mut batch)?;
        batch.end().map_err(fail)?;
        let after = super::last_row(&self.open.connection).map_err(fail)?;
        self.open.tried(|connection| connection.execute_batch("COMMIT"))?;
        drop(undo);
        self.horizon = after;
        self.missed += missed;
        Ok(done)
    }
}

/// Takes a transaction back that was not committed.
struct Undo<'c>(&'c Connection);

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        if !self.0.is_autocommit() {
            // What cannot be rolled back now is by the next one who opens the file.
            let _ = self.0.execute_batch("ROLLBACK");
        }
    }
}
