//! Reading: the state as the operations make it, up to the row that the reader knows of.
//!
//! The state is read from the operations; the `records` table is their view for other readers, which
//! `check` holds to them. A row that an index lacks is shown as unreadable, not left out. A read is done in short steps, so that no reader keeps the writers waiting.

use super::schema::{BY_TYPE, NO_STRING, index_name, text_of, type_of};
use crate::ledger::operation::{Kind, Operation, PAYLOAD_LIMIT};
use crate::ledger::{Entry, Record};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result, Row, ffi, params_from_iter};
use std::collections::BTreeSet;

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

/// The operation of a row with [`COLUMNS`].
pub(super) fn held(row: &Row<'_>) -> Result<Held> {
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
    let whole = || -> Result<Option<Operation>> {
        let (Some(op_id), Some(node_id), Some(kind)) = (text(0)?, text(1)?, text(3)?) else { return Ok(None) };
        let (Some(gid), Some(payload)) = (text(4)?, text(5)?) else { return Ok(None) };
        let (Some(clock), Some(ts), Some(kind)) = (clock, ts, Kind::of(&kind)) else { return Ok(None) };
        Ok(Some(Operation { op_id, node_id, clock, kind, gid, payload, ts })
            .filter(|operation| operation.within_bounds().and_then(|()| operation.reads()).is_ok()))
    };
    Ok(whole()?.map_or(Held::Unreadable, Held::Whole))
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
    let mut statement = connection.prepare(&format!(
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

/// Which rows a selection is about.
pub(super) enum Wanted<'w> {
    /// Records of these types.
    Types(&'w [&'w str]),
    /// Records of a type whose field has, or may have, this text; the field has an index.
    Text { record_type: &'w str, field: &'w str, said: &'w str },
}

/// The rows of the operations that set the wanted live records, in state order, and all that SQLite
/// finds no plain type in: whose they are, only reading them tells. Eight bytes a record.
pub(super) fn rows_of(connection: &Connection, horizon: i64, wanted: &Wanted<'_>) -> Result<Vec<i64>> {
    let type_of = type_of("o.");
    match wanted {
        Wanted::Types(types) => {
            let marks = (0..=types.len()).map(|place| format!("?{}", place + 3)).collect::<Vec<_>>().join(", ");
            let values: Vec<_> = types.iter().copied().chain([NO_STRING]).collect();
            rows_where(connection, horizon, BY_TYPE, &format!("{type_of} IN ({marks})"), &values)
        }
        Wanted::Text { record_type, field, said } => {
            let text_of = text_of(field).replace("(payload", "(o.payload");
            let condition = format!("{text_of} IN (?3, ?4) AND {type_of} = ?5");
            let mut rows = rows_where(connection, horizon, &index_name(field), &condition, &[said, NO_STRING, record_type])?;
            // What does not read is in no index of texts. The last row of a plain type stands among the others.
            let known: BTreeSet<i64> = rows.iter().copied().collect();
            let marked = rows_where(connection, horizon, BY_TYPE, &format!("{type_of} = ?3"), &[NO_STRING])?;
            rows.extend(marked.into_iter().filter(|row| !known.contains(row)));
            Ok(rows)
        }
    }
}

fn rows_where(connection: &Connection, horizon: i64, index: &str, condition: &str, values: &[&str]) -> Result<Vec<i64>> {
    let mut statement = connection.prepare(&format!(
        "SELECT coalesce({LAST}, o.rowid) FROM ops o INDEXED BY {index} LEFT JOIN ops f ON f.rowid = {FIRST} \
         WHERE ?1 AND {condition} AND o.rowid <= ?2 \
         ORDER BY f.clock, f.node_id, o.gid"
    ))?;
    let values = values.iter().map(|value| (*value).to_owned().into());
    let bound = [rusqlite::types::Value::from(1), horizon.into()].into_iter().chain(values);
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
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM ops w WHERE w.rowid = ?2"))?;
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
    let mut statement = connection.prepare(&format!(
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
