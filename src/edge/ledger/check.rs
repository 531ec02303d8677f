//! Soundness: whether SQLite finds its file whole, and whether operations, records and vector agree.
//!
//! Everything is read in the order of keys, one key at a time, so that memory does not grow with the
//! ledger; of each key the rule of the replica ([`Operation::rank`]) says which operation wins.

use super::LedgerFile;
use super::read::{COLUMNS, Held, LONGEST, held};
use crate::contract::table::contracts;
use crate::ledger::operation::{Kind, NO_PAYLOAD, Operation};
use crate::ledger::{LedgerError, Record};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result, Row, Rows};
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

    fn add(&mut self, fault: Fault, count: u64) {
        if count > 0 {
            *self.faults.entry(fault).or_default() += count;
        }
    }

    fn live(&mut self, record: Option<&Record>) {
        self.entries += 1;
        let record_type = record.map_or("", Record::record_type);
        let plain = (1..=80).contains(&record_type.len())
            && record_type.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        let known = || self.by_type.contains_key(record_type) || !contracts().of_type(record_type).is_empty();
        let named = plain && (self.by_type.len() < TYPE_NAMES || known());
        *self.by_type.entry(if named { record_type } else { OTHER }.to_owned()).or_default() += 1;
    }

    /// Counts the entry that an operation makes, and holds the record's row to it.
    fn judge(&mut self, winner: &Operation, row: Option<&Stored>) {
        let deleted = winner.kind == Kind::Delete;
        if deleted {
            self.tombstones += 1;
        } else {
            self.live(Record::parse(&winner.payload).ok().as_ref());
        }
        match row {
            None => self.add(Fault::RecordMissing, 1),
            Some(row) if row.unreadable => self.add(Fault::RecordUnreadable, 1),
            Some(row) if !row.says(winner, deleted) => self.add(Fault::RecordDiffers, 1),
            Some(_) => {}
        }
    }
}

/// A row of `records`.
struct Stored {
    gid: Vec<u8>,
    payload: String,
    clock: i64,
    node_id: String,
    deleted: bool,
    ts: f64,
    unreadable: bool,
}

impl Stored {
    fn of(row: &Row<'_>) -> Result<Self> {
        let text = |column| -> Result<Option<String>> { Ok(row.get_ref(column)?.as_str_or_null().ok().flatten().map(str::to_owned)) };
        let number = |column| -> Result<Option<i64>> { Ok(row.get_ref(column)?.as_i64_or_null().ok().flatten()) };
        let gid = match row.get_ref(0)? {
            ValueRef::Text(bytes) => bytes.to_vec(),
            _ => Vec::new(),
        };
        let (payload, clock, node_id, deleted) = (text(1)?, number(2)?, text(3)?, number(4)?);
        let ts = row.get_ref(5)?.as_f64_or_null().ok().flatten();
        let reads = payload.as_deref().is_some_and(|payload| deleted == Some(1) || Record::parse(payload).is_ok());
        let unreadable = !reads || clock.is_none() || node_id.is_none() || ts.is_none() || !matches!(deleted, Some(0 | 1));
        Ok(Self {
            gid,
            payload: payload.unwrap_or_default(),
            clock: clock.unwrap_or_default(),
            node_id: node_id.unwrap_or_default(),
            deleted: deleted == Some(1),
            ts: ts.unwrap_or_default(),
            unreadable,
        })
    }

    fn says(&self, winner: &Operation, deleted: bool) -> bool {
        let payload = self.payload == winner.payload || (deleted && matches!(self.payload.as_str(), "" | NO_PAYLOAD));
        let stamp = u64::try_from(self.clock) == Ok(winner.clock) && self.node_id == winner.node_id;
        payload && stamp && self.deleted == deleted && self.ts.to_bits() == winner.ts.to_bits()
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
            sound(connection)
        })
    }
}

fn sound(connection: &Connection) -> Result<Soundness> {
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
    let mut vector: HashMap<String, u64> = HashMap::new();
    let mut operations = connection.prepare(&format!("SELECT {COLUMNS} FROM ops w INDEXED BY ops_by_gid WHERE ?2 ORDER BY w.gid"))?;
    let mut operations = operations.query((LONGEST, 1))?;
    let mut records = connection.prepare(
        "SELECT gid, CASE WHEN octet_length(payload) <= ?1 THEN payload END, clock, node_id, deleted, ts FROM records ORDER BY gid",
    )?;
    let mut records = records.query([LONGEST])?;
    let mut stored = next(&mut records)?;
    let mut winner: Option<Operation> = None;
    loop {
        let operation = match operations.next()?.map(held).transpose()? {
            Some(Held::Unreadable) => {
                seen.add(Fault::OperationUnreadable, 1);
                continue;
            }
            Some(Held::Whole(operation)) => Some(operation),
            None => None,
        };
        if let Some(operation) = &operation {
            seen.operations += 1;
            let clock = vector.entry(operation.node_id.clone()).or_default();
            *clock = (*clock).max(operation.clock);
            let reads = operation.kind == Kind::Delete || Record::parse(&operation.payload).is_ok();
            seen.add(Fault::OperationUnreadable, u64::from(!reads));
        }
        match (&mut winner, operation) {
            (Some(best), Some(operation)) if best.gid == operation.gid => {
                if operation.rank() > best.rank() {
                    *best = operation;
                }
            }
            (_, operation) => {
                let ended = operation.is_none();
                if let Some(best) = std::mem::replace(&mut winner, operation) {
                    // Records before this key have no operation.
                    while stored.as_ref().is_some_and(|row| row.gid.as_slice() < best.gid.as_bytes()) {
                        seen.add(Fault::RecordWithoutOperation, 1);
                        stored = next(&mut records)?;
                    }
                    let same = stored.take_if(|row| row.gid == best.gid.as_bytes());
                    seen.judge(&best, same.as_ref());
                    if same.is_some() {
                        stored = next(&mut records)?;
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
        stored = next(&mut records)?;
    }
    seen.nodes = vector.len() as u64;
    let mut statement = connection.prepare("SELECT node_id, clock FROM version_vector")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let clock = row.get_ref(0)?.as_str().ok().and_then(|node| vector.remove(node));
        let same = clock.is_some() && clock == row.get_ref(1)?.as_i64().ok().and_then(|clock| u64::try_from(clock).ok());
        seen.add(Fault::VectorDiffers, u64::from(!same));
    }
    seen.add(Fault::VectorDiffers, vector.len() as u64);
    Ok(seen)
}

fn next(rows: &mut Rows<'_>) -> Result<Option<Stored>> {
    rows.next()?.map(Stored::of).transpose()
}
