//! The ledger on a PostgreSQL server: the same operations, rules and searches as the file, for machines that
//! share no disk.
//!
//! Names are kept as bytes: they are then compared as the file and the replica compare them, whatever the
//! server's collation, and none is refused for a character that PostgreSQL has no room for. A writer holds a
//! lock on `ops` from its first look to its commit, so that nobody, other software neither, comes between. The terms of a row
//! ([`super::terms`]) stand in it; a row without any was put by somebody else, and every search looks at it.

mod connect;
mod fault;
mod read;
mod schema;
mod sound;
mod write;

pub(super) use connect::Turn;

use super::{Soundness, Store, store::Work};
use crate::ledger::operation::{Kind, NAME_LIMIT, Operation};
use crate::ledger::replica::VersionVector;
use crate::ledger::{Entry, Ledger, LedgerError, Record, Select, Surroundings};
use connect::Session;
use std::cell::{Cell, RefCell};

/// A ledger on a server.
#[derive(Debug)]
pub struct PostgresLedger {
    session: RefCell<Session>,
    /// The node that writes; none when it was opened for reading.
    node_id: Option<String>,
    /// The last row that is known of.
    horizon: i64,
    /// Entries of others that became known by writing, and that no refresh has counted.
    missed: u64,
    unreadable: Cell<u64>,
}

impl PostgresLedger {
    /// Connects to the database that `said` names and opens the ledger in its first schema: for writing as a
    /// node, made where there is none if asked for, or for reading.
    ///
    /// # Errors
    /// The connection string does not read or asks for what is not built, the server cannot be reached, or
    /// what is there is no ledger.
    pub fn to(said: &str, writer: Option<(&str, bool)>) -> Result<Self, LedgerError> {
        if writer.is_some_and(|(node_id, _)| node_id.trim().is_empty() || node_id.len() > NAME_LIMIT) {
            return Err(LedgerError::Unpublishable(format!("the node's id is blank or has more than {NAME_LIMIT} bytes")));
        }
        let mut session = Session::connect(said)?;
        schema::ready(&mut session, writer.is_some_and(|(_, make)| make))?;
        let horizon = read::last_row(&mut session)?;
        let node_id = writer.map(|(node_id, _)| node_id.to_owned());
        Ok(Self { session: RefCell::new(session), node_id, horizon, missed: 0, unreadable: Cell::new(0) })
    }

    fn show(&self, held: Option<Operation>, seen: &mut dyn FnMut(Operation) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        match held {
            Some(operation) => seen(operation),
            None => {
                self.unreadable.set(self.unreadable.get() + 1);
                Ok(())
            }
        }
    }

    fn each_row(&self, rows: &[i64], seen: &mut dyn FnMut(Operation) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        for rows in rows.chunks(read::STEP_ROWS) {
            let step = read::rows_step(&mut self.session.borrow_mut(), rows)?;
            step.into_iter().try_for_each(|held| self.show(held, seen))?;
        }
        Ok(())
    }
}

impl Ledger for PostgresLedger {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        let (mut record, mut entry) = (Some(record), None);
        self.write(&mut |batch| {
            entry = Some(batch.publish(record.take().unwrap_or_default(), around)?);
            Ok(())
        })?;
        Ok(entry.expect("the work was done once"))
    }

    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        let (mut record, mut entry) = (Some(record), None);
        self.write(&mut |batch| {
            entry = batch.publish_unless(record.take().unwrap_or_default(), same, around)?;
            Ok(())
        })?;
        Ok(entry)
    }

    fn each(&self, select: Select<'_>, seen: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        let mut show = |operation: Operation| if operation.kind == Kind::Delete { Ok(()) } else { seen(&super::read::entry_of(operation)) };
        if !select.types.is_empty() {
            let types: Vec<_> = select.types.iter().map(|record_type| super::terms::of_type(record_type)).collect();
            let rows = read::rows_with(&mut self.session.borrow_mut(), self.horizon, &types)?;
            let asked = |operation: &Operation| {
                super::read::record_of(operation).is_some_and(|record| select.types.contains(&record.record_type()))
            };
            return self.each_row(&rows, &mut |operation| if asked(&operation) { show(operation) } else { Ok(()) });
        }
        let mut from = Some(read::Cursor::default());
        while let Some(start) = from {
            let (step, next) = read::state_step(&mut self.session.borrow_mut(), self.horizon, &start)?;
            step.into_iter().try_for_each(|held| self.show(held, &mut show))?;
            from = next;
        }
        Ok(())
    }

    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError> {
        let terms = super::read::terms_of(record_type, field, said);
        let rows = read::rows_with(&mut self.session.borrow_mut(), self.horizon, &terms)?;
        let mut found = Vec::new();
        self.each_row(&rows, &mut |operation| {
            let record = super::read::record_of(&operation);
            found.extend(record.filter(|record| record.record_type() == record_type && record.text(field) == said));
            Ok(())
        })?;
        Ok(found)
    }

    fn passed_over(&self) -> u64 {
        self.unreadable.get()
    }

    fn refresh(&mut self) -> Result<u64, LedgerError> {
        let session = self.session.get_mut();
        let last = read::last_row(session)?;
        let new = read::entries_between(session, self.horizon, last)?;
        self.horizon = last.max(self.horizon);
        Ok(std::mem::take(&mut self.missed) + new)
    }
}

impl Store for PostgresLedger {
    fn write(&mut self, work: &mut Work<'_>) -> Result<(), LedgerError> {
        let session = self.session.get_mut();
        let Some(node_id) = &self.node_id else {
            return Err(session.storage("LEDGER_READ_ONLY", "was opened for reading only"));
        };
        let (after, missed) = write::in_one(session, node_id, self.horizon, work)?;
        self.horizon = after;
        self.missed += missed;
        Ok(())
    }

    fn vector(&self) -> Result<VersionVector, LedgerError> {
        read::vector(&mut self.session.borrow_mut())
    }

    fn each_operation(&self, seen: &mut dyn FnMut(&Operation) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        let mut from = Some((read::Cursor::default(), Vec::new()));
        while let Some(start) = from {
            let (step, next) = read::operations_step(&mut self.session.borrow_mut(), self.horizon, &start)?;
            step.into_iter().try_for_each(|held| self.show(held, &mut |operation| seen(&operation)))?;
            from = next;
        }
        Ok(())
    }

    fn check(&self) -> Result<Soundness, LedgerError> {
        sound::check(&mut self.session.borrow_mut())
    }
}
