//! Soundness of a ledger on a server: operations, records, vector and terms held to each other, in one snapshot.

use super::super::check::{Stored, Winner, agree};
use super::super::terms;
use super::super::{Fault, Soundness};
use super::connect::Session;
use super::read::{LONGEST, shaped};
use super::schema::is_termed;
use crate::json::Value;
use crate::ledger::{LedgerError, Operation};
use postgres::{Error, IsolationLevel, Row};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// Rows that come at once.
const STEP_ROWS: i32 = 32;

pub(super) fn check(session: &mut Session) -> Result<Soundness, LedgerError> {
    let termed = is_termed(session)?;
    let seen = snapshot(session, termed);
    seen.map_err(|error| session.failed(&error))
}

fn snapshot(session: &mut Session, termed: bool) -> Result<Soundness, Error> {
    let transaction = session.client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start()?;
    let transaction = RefCell::new(transaction);
    let operations = "SELECT op_id, node_id, clock, kind, gid, CASE WHEN octet_length(payload) <= $1 THEN payload END, ts, terms
                      FROM ops ORDER BY gid";
    let records =
        "SELECT gid, CASE WHEN octet_length(payload) <= $1 THEN payload END, clock, node_id, deleted, ts FROM records ORDER BY gid";
    let portals = [operations, records].map(|sql| transaction.borrow_mut().bind(sql, &[&LONGEST]));
    let [operations, records] = portals;
    let (operations, records) = (operations?, records?);
    let (mut waiting, mut stored) = (VecDeque::<Row>::new(), VecDeque::<Row>::new());
    let lacks = Cell::new(0_u64);
    let mut seen = Soundness::default();
    let mut vector = agree(
        &mut seen,
        &mut || {
            if waiting.is_empty() {
                waiting.extend(transaction.borrow_mut().query_portal(&operations, STEP_ROWS)?);
            }
            Ok::<_, Error>(waiting.pop_front().map(|row| read(&row, termed, &lacks)))
        },
        &mut || {
            if stored.is_empty() {
                stored.extend(transaction.borrow_mut().query_portal(&records, STEP_ROWS)?);
            }
            Ok(stored.pop_front().map(|row| Stored {
                gid: row.get(0),
                payload: row.get(1),
                clock: Some(row.get(2)),
                node_id: String::from_utf8(row.get(3)).ok(),
                deleted: Some(i64::from(row.get::<_, bool>(4))),
                ts: Some(row.get(5)),
            }))
        },
    )?;
    for row in transaction.borrow_mut().query("SELECT node_id, clock FROM version_vector", &[])? {
        let clock = String::from_utf8(row.get(0)).ok().and_then(|node| vector.remove(&node));
        let same = clock.is_some() && clock == u64::try_from(row.get::<_, i64>(1)).ok();
        seen.add(Fault::VectorDiffers, u64::from(!same));
    }
    seen.add(Fault::VectorDiffers, vector.len() as u64);
    seen.add(Fault::IndexDiffers, lacks.get());
    Ok(seen)
}

/// The operation of a row, if it reads, with its record's type. A row whose terms lack one is counted.
fn read(row: &Row, termed: bool, lacks: &Cell<u64>) -> Option<Winner> {
    let operation = shaped(row);
    let record = operation.as_ref().map(Operation::record);
    let (due, read) = match &record {
        Some(Ok(Some(record))) => {
            let record_type = record.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
            (terms::of_record(record), Some(record_type))
        }
        Some(Ok(None)) => (Vec::new(), Some(String::new())),
        _ => {
            let (kind, payload): (String, Option<String>) = (row.get(3), row.get(5));
            (payload.map_or_else(|| vec![terms::UNREAD], |payload| terms::of_row(&kind, &payload)), None)
        }
    };
    drop(record);
    let there: Option<Vec<Option<i64>>> = row.get(7);
    if let Some(there) = there.filter(|_| termed) {
        lacks.set(lacks.get() + u64::from(due.iter().any(|term| !there.contains(&Some(*term)))));
    }
    operation.zip(read).map(|(operation, record_type)| Winner { operation, record_type })
}
