//! Reading, in short steps, up to the row that the reader knows of. As the file's reader does it.

use super::super::terms::UNREAD;
use super::connect::Session;
use super::schema::is_termed;
use crate::ledger::LedgerError;
use crate::ledger::operation::{Kind, Operation, PAYLOAD_LIMIT};
use crate::ledger::replica::VersionVector;
use postgres::Row;
use std::collections::HashMap;

/// Rows that one step reads at most: all of them may be as long as a payload can be.
pub(super) const STEP_ROWS: usize = 32;
/// The longest payload that is loaded.
pub(super) const LONGEST: i32 = PAYLOAD_LIMIT as i32;

/// The operation of a row that begins with its columns, within its bounds; whether its payload reads is not asked.
pub(super) fn shaped(row: &Row) -> Option<Operation> {
    let name = |column: usize| String::from_utf8(row.get(column)).ok();
    let (kind, payload): (String, Option<String>) = (row.get(3), row.get(5));
    let clock = u64::try_from(row.get::<_, i64>(2)).ok()?;
    let operation =
        Operation { op_id: name(0)?, node_id: name(1)?, clock, kind: Kind::of(&kind)?, gid: name(4)?, payload: payload?, ts: row.get(6) };
    operation.within_bounds().is_ok().then_some(operation)
}

/// The operation of a row, if it reads.
fn held(row: &Row) -> Option<Operation> {
    shaped(row).filter(|operation| operation.reads().is_ok())
}

/// What one step read; none for what does not read.
pub(super) type Step = Vec<Option<Operation>>;

/// Where a reading in state order stands: behind this clock, node and key.
#[derive(Debug, Clone, Default)]
pub(super) struct Cursor {
    clock: i64,
    node_id: Vec<u8>,
    gid: Vec<u8>,
}

/// The last row of the operations.
pub(super) fn last_row(session: &mut Session) -> Result<i64, LedgerError> {
    Ok(session.row("SELECT coalesce(max(row), 0) FROM ops", &[])?.get(0))
}

/// How many keys have operations in the rows behind `after`, up to `last`.
pub(super) fn entries_between(session: &mut Session, after: i64, last: i64) -> Result<u64, LedgerError> {
    if after >= last {
        return Ok(0);
    }
    let counted = "SELECT count(DISTINCT gid) FROM ops WHERE row > $1 AND row <= $2";
    Ok(session.row(counted, &[&after, &last])?.get::<_, i64>(0).unsigned_abs())
}

/// The greatest clock seen of each node.
pub(super) fn vector(session: &mut Session) -> Result<VersionVector, LedgerError> {
    let rows = session.rows("SELECT node_id, clock FROM version_vector", &[])?;
    let seen = rows.iter().filter_map(|row| Some((String::from_utf8(row.get(0)).ok()?, row.get::<_, i64>(1).unsigned_abs())));
    Ok(seen.collect())
}

/// Reads on in state order: for each key the operation that sets it, tombstones too.
pub(super) fn state_step(session: &mut Session, horizon: i64, from: &Cursor) -> Result<(Step, Option<Cursor>), LedgerError> {
    let sql = "SELECT w.op_id, w.node_id, w.clock, w.kind, w.gid, CASE WHEN octet_length(w.payload) <= $1 THEN w.payload END, w.ts,
                      o.clock, o.node_id, o.gid
               FROM ops o CROSS JOIN LATERAL (
                   SELECT x.* FROM ops x WHERE x.gid = o.gid AND x.row <= $2 ORDER BY x.clock DESC, x.node_id DESC, x.op_id LIMIT 1) w
               WHERE (o.clock, o.node_id, o.gid) > ($3, $4, $5) AND o.row <= $2 AND o.row = (
                   SELECT x.row FROM ops x WHERE x.gid = o.gid AND x.row <= $2 ORDER BY x.clock, x.node_id, x.op_id DESC LIMIT 1)
               ORDER BY o.clock, o.node_id, o.gid LIMIT 32";
    let rows = session.rows(sql, &[&LONGEST, &horizon, &from.clock, &from.node_id, &from.gid])?;
    let next = rows.last().filter(|_| rows.len() == STEP_ROWS);
    let next = next.map(|row| Cursor { clock: row.get(7), node_id: row.get(8), gid: row.get(9) });
    Ok((rows.iter().map(held).collect(), next))
}

/// Where a reading of all operations stands.
pub(super) type Place = (Cursor, Vec<u8>);

/// Reads on in the order of export: every operation, by clock, node, key and name.
pub(super) fn operations_step(session: &mut Session, horizon: i64, from: &Place) -> Result<(Step, Option<Place>), LedgerError> {
    let sql = "SELECT w.op_id, w.node_id, w.clock, w.kind, w.gid, CASE WHEN octet_length(w.payload) <= $1 THEN w.payload END, w.ts
               FROM ops w WHERE (w.clock, w.node_id, w.gid, w.op_id) > ($3, $4, $5, $6) AND w.row <= $2
               ORDER BY w.clock, w.node_id, w.gid, w.op_id LIMIT 32";
    let (cursor, op_id) = from;
    let rows = session.rows(sql, &[&LONGEST, &horizon, &cursor.clock, &cursor.node_id, &cursor.gid, op_id])?;
    let next = rows.last().filter(|_| rows.len() == STEP_ROWS);
    let next = next.map(|row| (Cursor { clock: row.get(2), node_id: row.get(1), gid: row.get(4) }, row.get(0)));
    Ok((rows.iter().map(held).collect(), next))
}

/// The rows of the operations that set the keys of which an operation has one of these terms, or may have,
/// in state order. Eight bytes a record.
pub(super) fn rows_with(session: &mut Session, horizon: i64, terms: &[i64]) -> Result<Vec<i64>, LedgerError> {
    let sql = "SELECT coalesce(l.row, o.row) FROM ops o
               LEFT JOIN LATERAL (SELECT x.row FROM ops x WHERE x.gid = o.gid AND x.row <= $2
                                  ORDER BY x.clock DESC, x.node_id DESC, x.op_id LIMIT 1) l ON true
               LEFT JOIN LATERAL (SELECT x.clock, x.node_id FROM ops x WHERE x.gid = o.gid AND x.row <= $2
                                  ORDER BY x.clock, x.node_id, x.op_id DESC LIMIT 1) f ON true
               WHERE (o.terms && $1 OR o.terms IS NULL) AND o.row <= $2 ORDER BY f.clock, f.node_id, o.gid";
    let all = "SELECT coalesce(l.row, o.row) FROM ops o
               LEFT JOIN LATERAL (SELECT x.row FROM ops x WHERE x.gid = o.gid AND x.row <= $1
                                  ORDER BY x.clock DESC, x.node_id DESC, x.op_id LIMIT 1) l ON true
               LEFT JOIN LATERAL (SELECT x.clock, x.node_id FROM ops x WHERE x.gid = o.gid AND x.row <= $1
                                  ORDER BY x.clock, x.node_id, x.op_id DESC LIMIT 1) f ON true
               WHERE o.row <= $1 ORDER BY f.clock, f.node_id, o.gid";
    let wanted: Vec<i64> = terms.iter().copied().chain([UNREAD]).collect();
    let rows = if is_termed(session)? { session.rows(sql, &[&wanted, &horizon])? } else { session.rows(all, &[&horizon])? };
    let mut found: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    // A key's operations stand together.
    found.dedup();
    Ok(found)
}

/// The operations of these rows, in their order.
pub(super) fn rows_step(session: &mut Session, rows: &[i64]) -> Result<Step, LedgerError> {
    let sql = "SELECT w.op_id, w.node_id, w.clock, w.kind, w.gid, CASE WHEN octet_length(w.payload) <= $1 THEN w.payload END, w.ts, w.row
               FROM ops w WHERE w.row = ANY ($2)";
    let mut there: HashMap<i64, Option<Operation>> =
        session.rows(sql, &[&LONGEST, &rows])?.iter().map(|row| (row.get(7), held(row))).collect();
    Ok(rows.iter().filter_map(|row| there.remove(row)).collect())
}
