//! Soundness: whether SQLite finds its file whole, and whether operations, records and vector agree.
//!
//! Everything is read in the order of keys, one key at a time, so that memory does not grow with the
//! ledger; of each key the rule of the replica ([`Operation::rank`]) says which operation wins.

use super::LedgerFile;
use super::read::{COLUMNS, LONGEST, shaped};
use super::terms::{self, Tally};
use crate::contract::table::contracts;
use crate::json::{Value, parse};
use crate::ledger::LedgerError;
use crate::ledger::operation::{Kind, NO_PAYLOAD, Operation};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::collections::{BTreeMap, HashMap};

/// Types that are counted by name, beside those with a contract.
const TYPE_NAMES: usize = 1000;
/// The name under which all others are counted.
const OTHER: &str = "(other)";

/// What can be wrong inside a ledger that opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// SQLite finds pages or indexes damaged.
    Damaged,
    /// An operation's row holds no operation, or its payload is no record.
    OperationUnreadable,
    /// A record's row holds no record.
    RecordUnreadable,
    /// A record is another than its operations make.
    RecordDiffers,
    /// A key has operations and no record.
    RecordMissing,
    /// A record has no operation.
    RecordWithoutOperation,
    /// The vector is another than the operations make.
    VectorDiffers,
    /// The index lacks what a row has: a search would pass it over.
    IndexDiffers,
}

impl Fault {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Damaged => "LEDGER_DAMAGED",
            Self::OperationUnreadable => "LEDGER_OPERATION_UNREADABLE",
            Self::RecordUnreadable => "LEDGER_RECORD_UNREADABLE",
            Self::RecordDiffers => "LEDGER_RECORD_DIFFERS",
            Self::RecordMissing => "LEDGER_RECORD_MISSING",
            Self::RecordWithoutOperation => "LEDGER_RECORD_WITHOUT_OPERATION",
            Self::VectorDiffers => "LEDGER_VECTOR_DIFFERS",
            Self::IndexDiffers => "LEDGER_INDEX_DIFFERS",
        }
    }
}

/// What a check saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Soundness {
    /// Operations that read.
    pub operations: u64,
    /// Live entries.
    pub entries: u64,
    /// Deleted entries.
    pub tombstones: u64,
    /// Nodes that wrote.
    pub nodes: u64,
    /// Live entries by record type.
    pub by_type: BTreeMap<String, u64>,
    /// What is wrong, and how often.
    pub faults: BTreeMap<Fault, u64>,
}

impl Soundness {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    pub(super) fn add(&mut self, fault: Fault, count: u64) {
        if count > 0 {
            *self.faults.entry(fault).or_default() += count;
        }
    }

    pub(super) fn live(&mut self, record_type: &str) {
        self.entries += 1;
        let plain = (1..=80).contains(&record_type.len())
            && record_type.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        let known = || self.by_type.contains_key(record_type) || !contracts().of_type(record_type).is_empty();
        let named = plain && (self.by_type.len() < TYPE_NAMES || known());
        let name = if named { record_type } else { OTHER };
        match self.by_type.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(self.by_type.insert(name.to_owned(), 1)),
        }
    }

    /// Counts the entry that an operation makes, and holds the record's row to it.
    fn judge(&mut self, winner: &Winner, row: Option<&Stored>) {
        let deleted = winner.operation.kind == Kind::Delete;
        if deleted {
            self.tombstones += 1;
        } else {
            self.live(&winner.record_type);
        }
        match row {
            None => self.add(Fault::RecordMissing, 1),
            // The winner reads, so what says the same does too.
            Some(row) if row.says(&winner.operation, deleted) => {}
            Some(row) if row.reads() => self.add(Fault::RecordDiffers, 1),
            Some(_) => self.add(Fault::RecordUnreadable, 1),
        }
    }
}

/// The operation that sets a key, as far as was read, and its record's type.
pub(super) struct Winner {
    pub(super) operation: Operation,
    pub(super) record_type: String,
}

/// A row of `records`. What no such row holds is none.
pub(super) struct Stored {
    pub(super) gid: Vec<u8>,
    pub(super) payload: Option<String>,
    pub(super) clock: Option<i64>,
    pub(super) node_id: Option<String>,
    pub(super) deleted: Option<i64>,
    pub(super) ts: Option<f64>,
}

impl Stored {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let text =
            |column| -> rusqlite::Result<Option<String>> { Ok(row.get_ref(column)?.as_str_or_null().ok().flatten().map(str::to_owned)) };
        let number = |column| -> rusqlite::Result<Option<i64>> { Ok(row.get_ref(column)?.as_i64_or_null().ok().flatten()) };
        let gid = match row.get_ref(0)? {
            ValueRef::Text(bytes) => bytes.to_vec(),
            _ => Vec::new(),
        };
        let ts = row.get_ref(5)?.as_f64_or_null().ok().flatten();
        Ok(Self { gid, payload: text(1)?, clock: number(2)?, node_id: text(3)?, deleted: number(4)?, ts })
    }

    fn reads(&self) -> bool {
        let object = |payload: &str| parse(payload.as_bytes()).is_ok_and(|record| record.is_object());
        let payload = self.payload.as_deref().is_some_and(|payload| self.deleted == Some(1) || object(payload));
        payload && self.clock.is_some() && self.node_id.is_some() && self.ts.is_some() && matches!(self.deleted, Some(0 | 1))
    }

    fn says(&self, winner: &Operation, deleted: bool) -> bool {
        let said = self.payload.as_deref();
        let payload = said == Some(&winner.payload) || (deleted && matches!(said, Some("" | NO_PAYLOAD)));
        let clock = self.clock.and_then(|clock| u64::try_from(clock).ok()) == Some(winner.clock);
        let stamp = clock && self.node_id.as_ref() == Some(&winner.node_id);
        payload && stamp && self.deleted == Some(i64::from(deleted)) && self.ts.map(f64::to_bits) == Some(winner.ts.to_bits())
    }
}

impl LedgerFile {
    /// Checks the whole file.
    ///
    /// # Errors
    /// It cannot be read to its end.
    pub fn check(&self) -> Result<Soundness, LedgerError> {
        self.read(|connection| {
            let _snapshot = connection.unchecked_transaction()?;
            sound(connection, self.open.termed)
        })
    }
}

fn sound(connection: &Connection, termed: bool) -> rusqlite::Result<Soundness> {
    let mut seen = Soundness::default();
    // The full check counts the rows of an index in one step that no fuel ends; only the quick one may
    // meet pages that lead round and round.
    for check in ["PRAGMA main.quick_check(100)", "PRAGMA main.integrity_check(100)"] {
        let mut statement = connection.prepare(check)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            seen.add(Fault::Damaged, u64::from(row.get_ref(0)?.as_str().ok() != Some("ok")));
        }
        if !seen.is_sound() {
            // What is read through damaged pages says nothing.
            return Ok(seen);
        }
    }
    let mut index = if termed { Tally::begin(connection)? } else { Tally::default() };
    let mut operations =
        connection.prepare(&format!("SELECT {COLUMNS}, w.rowid FROM ops w INDEXED BY ops_by_gid WHERE ?2 ORDER BY w.gid"))?;
    let mut operations = operations.query((LONGEST, 1))?;
    let mut records = connection.prepare(
        "SELECT gid, CASE WHEN octet_length(payload) <= ?1 THEN payload END, clock, node_id, deleted, ts FROM records ORDER BY gid",
    )?;
    let mut records = records.query([LONGEST])?;
    let mut vector = agree(&mut seen, &mut || operations.next()?.map(|row| read(row, &mut index)).transpose(), &mut || {
        records.next()?.map(Stored::of).transpose()
    })?;
    let mut statement = connection.prepare("SELECT node_id, clock FROM version_vector")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let clock = row.get_ref(0)?.as_str().ok().and_then(|node| vector.remove(node));
        let same = clock.is_some() && clock == row.get_ref(1)?.as_i64().ok().and_then(|clock| u64::try_from(clock).ok());
        seen.add(Fault::VectorDiffers, u64::from(!same));
    }
    seen.add(Fault::VectorDiffers, vector.len() as u64);
    if termed {
        seen.add(Fault::IndexDiffers, index.lacks(connection)?);
    }
    Ok(seen)
}

/// Holds the records to the operations, both as they come in the order of keys, none for an operation that does
/// not read; the vector that the operations make.
pub(super) fn agree<E>(
    seen: &mut Soundness,
    next_operation: &mut dyn FnMut() -> Result<Option<Option<Winner>>, E>,
    next_record: &mut dyn FnMut() -> Result<Option<Stored>, E>,
) -> Result<HashMap<String, u64>, E> {
    let mut vector: HashMap<String, u64> = HashMap::new();
    let mut stored = next_record()?;
    let mut winner: Option<Winner> = None;
    loop {
        let operation = match next_operation()? {
            Some(None) => {
                seen.add(Fault::OperationUnreadable, 1);
                continue;
            }
            next => next.flatten(),
        };
        if let Some(Winner { operation, .. }) = &operation {
            seen.operations += 1;
            match vector.get_mut(&operation.node_id) {
                Some(clock) => *clock = (*clock).max(operation.clock),
                None => drop(vector.insert(operation.node_id.clone(), operation.clock)),
            }
        }
        match (&mut winner, operation) {
            (Some(best), Some(other)) if best.operation.gid == other.operation.gid => {
                if other.operation.rank() > best.operation.rank() {
                    *best = other;
                }
            }
            (_, operation) => {
                let ended = operation.is_none();
                if let Some(best) = std::mem::replace(&mut winner, operation) {
                    let gid = best.operation.gid.as_bytes();
                    // Records before this key have no operation.
                    while stored.as_ref().is_some_and(|row| row.gid.as_slice() < gid) {
                        seen.add(Fault::RecordWithoutOperation, 1);
                        stored = next_record()?;
                    }
                    let same = stored.take_if(|row| row.gid == gid);
                    seen.judge(&best, same.as_ref());
                    if same.is_some() {
                        stored = next_record()?;
                    }
                }
                if ended {
                    break;
                }
            }
        }
    }
    while stored.is_some() {
        seen.add(Fault::RecordWithoutOperation, 1);
        stored = next_record()?;
    }
    seen.nodes = vector.len() as u64;
    Ok(vector)
}

/// The operation of a row, if it reads, with its record's type; its terms are tallied whether it does or not.
fn read(row: &Row<'_>, index: &mut Tally) -> rusqlite::Result<Option<Winner>> {
    let number: i64 = row.get(7)?;
    let operation = shaped(row)?;
    let record = operation.as_ref().map(Operation::record);
    let record_type = match &record {
        Some(Ok(Some(record))) => {
            index.add(number, || terms::of_record(record));
            record.get("type").and_then(Value::as_str).unwrap_or_default().to_owned()
        }
        Some(Ok(None)) => String::new(),
        _ => {
            let found = terms::of_columns(row, 3, 5)?;
            index.add(number, || found);
            return Ok(None);
        }
    };
    drop(record);
    Ok(operation.map(|operation| Winner { operation, record_type }))
}
