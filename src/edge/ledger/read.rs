//! Reading: the state as the operations make it, up to the row that the reader knows of.
//!
//! The state is read from the operations; the `records` table is their view for other readers, which
//! `check` holds to them. A row that an index lacks is shown as unreadable, not left out. A read is done in short steps, so that no reader keeps the writers waiting.

use super::terms;
use crate::ledger::operation::{Kind, Operation, PAYLOAD_LIMIT};
use crate::ledger::{Entry, Record};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result, Row, ffi, params_from_iter};

/// Rows that one step reads at most.
const STEP_ROWS: i64 = 256;
/// Bytes after which a step ends.
const STEP_BYTES: usize = 4 << 20;

/// The longest payload that is loaded.
pub(super) const LONGEST: i64 = PAYLOAD_LIMIT as i64;

/// An operation's columns. A payload that is too long is not loaded.
pub(super) const COLUMNS: &str = "w.op_id, w.node_id, w.clock, w.kind, w.gid, \
                       CASE WHEN octet_length(w.payload) <= ?1 THEN w.payload END, w.ts";

/// The first operation of a key, as far as is known; it gives the key its place.
const FIRST: &str = "(SELECT x.rowid FROM ops x INDEXED BY ops_by_gid WHERE x.gid = o.gid AND x.rowid <= ?2 \
                     ORDER BY x.clock, x.node_id, x.op_id DESC LIMIT 1)";
/// The operation that sets a key, as far as is known.
const LAST: &str = "(SELECT x.rowid FROM ops x INDEXED BY ops_by_gid WHERE x.gid = o.gid AND x.rowid <= ?2 \
                    ORDER BY x.clock DESC, x.node_id DESC, x.op_id LIMIT 1)";

/// What a row holds.
#[derive(Debug)]
pub(super) enum Held {
    /// An operation.
    Whole(Operation),
    /// Something that no operation is.
    Unreadable,
}

/// The operation of a row with [`COLUMNS`], if it reads.
pub(super) fn held(row: &Row<'_>) -> Result<Held> {
    Ok(shaped(row)?.filter(|operation| operation.reads().is_ok()).map_or(Held::Unreadable, Held::Whole))
}

/// The operation of a row with [`COLUMNS`], within its bounds; whether its payload reads is not yet asked.
pub(super) fn shaped(row: &Row<'_>) -> Result<Option<Operation>> {
    let text = |column: usize| -> Result<Option<String>> {
        Ok(match row.get_ref(column)? {
            ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok().map(str::to_owned),
            _ => None,
        })
    };
    let clock = match row.get_ref(2)? {
        ValueRef::Integer(clock) => u64::try_from(clock).ok(),
        _ => None,
    };
    let ts = match row.get_ref(6)? {
        ValueRef::Real(ts) => Some(ts),
        _ => None,
    };
    let (Some(op_id), Some(node_id), Some(kind)) = (text(0)?, text(1)?, text(3)?) else { return Ok(None) };
    let (Some(gid), Some(payload)) = (text(4)?, text(5)?) else { return Ok(None) };
    let (Some(clock), Some(ts), Some(kind)) = (clock, ts, Kind::of(&kind)) else { return Ok(None) };
    Ok(Some(Operation { op_id, node_id, clock, kind, gid, payload, ts }).filter(|operation| operation.within_bounds().is_ok()))
}

/// Where a reading in state order stands: behind this clock, node and key.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cursor {
    clock: i64,
    node_id: Vec<u8>,
    gid: Vec<u8>,
}

/// What one step read.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) operations: Vec<Operation>,
    pub(super) unreadable: u64,
    /// Where to go on; `None` at the end.
    pub(super) next: Option<Cursor>,
}

impl Step {
    /// Takes a row in; its bytes.
    fn take(&mut self, held: Held) -> usize {
        match held {
            Held::Whole(operation) => {
                let size = operation.payload.len();
                self.operations.push(operation);
                size
            }
            Held::Unreadable => {
                self.unreadable += 1;
                0
            }
        }
    }
}

/// Reads on in state order: for each key the operation that sets it, tombstones too.
pub(super) fn state_step(connection: &Connection, horizon: i64, from: &Cursor) -> Result<Step> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS}, o.clock, o.node_id, o.gid FROM ops o INDEXED BY ops_by_state LEFT JOIN ops w ON w.rowid = {LAST} \
         WHERE (o.clock, o.node_id, o.gid) > (?3, CAST(?4 AS TEXT), CAST(?5 AS TEXT)) AND o.rowid <= ?2 AND o.rowid = coalesce({FIRST}, o.rowid) \
         ORDER BY o.clock, o.node_id, o.gid LIMIT {STEP_ROWS}"
    ))?;
    let mut rows = statement.query((LONGEST, horizon, from.clock, &from.node_id, &from.gid))?;
    let (mut step, mut bytes, mut count) = (Step::default(), 0, 0);
    let mut before = from.clone();
    while let Some(row) = rows.next()? {
        count += 1;
        before = onwards(&before, cursor_of(row)?)?;
        bytes += step.take(held(row)?);
        if bytes >= STEP_BYTES || count == STEP_ROWS {
            step.next = Some(before);
            return Ok(step);
        }
    }
    Ok(step)
}

fn cursor_of(row: &Row<'_>) -> Result<Cursor> {
    Ok(Cursor { clock: row.get(7)?, node_id: bytes_of(row.get_ref(8)?), gid: bytes_of(row.get_ref(9)?) })
}

/// The next place, which lies behind the one before. A damaged index may lead back, and then for ever.
fn onwards<P: Ord>(before: &P, next: P) -> Result<P> {
    if next > *before { Ok(next) } else { Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), None)) }
}

fn bytes_of(value: ValueRef<'_>) -> Vec<u8> {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    }
}

/// The terms among whose rows every live record of the type with that text is.
pub(super) fn terms_of(record_type: &str, field: &str, said: &str) -> [i64; 1] {
    // A blank text has no term.
    let indexed = !said.is_empty() && terms::is_indexed(field);
    [if indexed { terms::of_text(record_type, field, said) } else { terms::of_type(record_type) }]
}

/// As many marks as there are terms, from the third.
pub(super) fn marks(terms: usize) -> String {
    (0..terms).map(|place| format!("?{}", place + 3)).collect::<Vec<_>>().join(", ")
}

/// The rows of the operations that set the keys whose rows `source` names, in state order, by the marks of
/// these terms; and all that nobody finds a type in: whose they are, only reading them tells. Eight
/// bytes a record.
pub(super) fn rows_in(connection: &Connection, horizon: i64, source: &str, terms: &[i64]) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT coalesce({LAST}, o.rowid) FROM {source} t CROSS JOIN ops o ON o.rowid = t.row LEFT JOIN ops f ON f.rowid = {FIRST} \
         WHERE ?1 AND o.rowid <= ?2 ORDER BY f.clock, f.node_id, o.gid"
    ))?;
    let bound = [1, horizon].into_iter().chain(terms.iter().copied());
    let mut rows = Vec::new();
    // A key's operations stand together; what set it last may be of another type, or not read at all.
    for row in statement.query_map(params_from_iter(bound), |row| row.get(0))? {
        let row: i64 = row?;
        if rows.last() != Some(&row) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The operations of the first of these rows, as many as a step takes; how many rows that were.
pub(super) fn rows_step(connection: &Connection, rows: &[i64]) -> Result<(Step, usize)> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM ops w WHERE w.rowid = ?2"))?;
    let (mut step, mut bytes, mut count) = (Step::default(), 0, 0);
    for row in rows.iter().take(STEP_ROWS as usize) {
        count += 1;
        bytes += statement.query_row((LONGEST, row), |row| Ok(step.take(held(row)?)))?;
        if bytes >= STEP_BYTES {
            break;
        }
    }
    Ok((step, count))
}

/// Reads on in the order of export: every operation, by clock, node, key and name.
pub(super) fn operations_step(connection: &Connection, horizon: i64, from: &(Cursor, Vec<u8>)) -> Result<(Step, Vec<u8>)> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS}, w.clock, w.node_id, w.gid, w.op_id FROM ops w INDEXED BY ops_by_state \
         WHERE (w.clock, w.node_id, w.gid, w.op_id) > (?3, CAST(?4 AS TEXT), CAST(?5 AS TEXT), CAST(?6 AS TEXT)) AND w.rowid <= ?2 \
         ORDER BY w.clock, w.node_id, w.gid, w.op_id LIMIT {STEP_ROWS}"
    ))?;
    let (cursor, op_id) = from;
    let mut rows = statement.query((LONGEST, horizon, cursor.clock, &cursor.node_id, &cursor.gid, op_id))?;
    let (mut step, mut bytes, mut count) = (Step::default(), 0, 0);
    let mut before = from.clone();
    while let Some(row) = rows.next()? {
        count += 1;
        before = onwards(&before, (cursor_of(row)?, bytes_of(row.get_ref(10)?)))?;
        bytes += step.take(held(row)?);
        if bytes >= STEP_BYTES || count == STEP_ROWS {
            let (cursor, op_id) = before;
            step.next = Some(cursor);
            return Ok((step, op_id));
        }
    }
    Ok((step, Vec::new()))
}

/// The record of an operation, if it reads.
pub(super) fn record_of(operation: &Operation) -> Option<Record> {
    Record::parse(&operation.payload).ok()
}

/// The entry of a live operation.
pub(super) fn entry_of(operation: Operation) -> Entry {
    Entry { gid: operation.gid, payload: operation.payload, clock: operation.clock, node_id: operation.node_id, ts: operation.ts }
}
