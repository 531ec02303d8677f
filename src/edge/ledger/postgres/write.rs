//! Writing: one lock and one transaction around whatever belongs together.

use super::super::store::{Work, Writing};
use super::super::terms;
use super::connect::Session;
use super::read::{self, LONGEST};
use super::schema::is_termed;
use crate::ledger::memory::operation_of;
use crate::ledger::operation::{Kind, NO_PAYLOAD, Operation};
use crate::ledger::replica::{Observed, two_of_one_name};
use crate::ledger::{Entry, LedgerError, Record, Surroundings};
use std::collections::BTreeMap;

/// Does `work` in one transaction; the last row afterwards, and how many entries others had put behind `horizon`.
pub(super) fn in_one(session: &mut Session, node_id: &str, horizon: i64, work: &mut Work<'_>) -> Result<(i64, u64), LedgerError> {
    // The lock holds off other software, too, and no reader.
    session
        .script("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '30s'; LOCK TABLE ops IN SHARE ROW EXCLUSIVE MODE")
        .inspect_err(|_| undo(session))?;
    let done = begun(session, node_id, horizon, work);
    match done {
        Ok(done) => {
            // What the server did not answer is not acknowledged, though it may last.
            session.script("COMMIT")?;
            Ok(done)
        }
        Err(error) => {
            undo(session);
            Err(error)
        }
    }
}

fn undo(session: &mut Session) {
    // Where the connection is gone, the server takes it back.
    let _ = session.script("ROLLBACK");
}

fn begun(session: &mut Session, node_id: &str, horizon: i64, work: &mut Work<'_>) -> Result<(i64, u64), LedgerError> {
    let before = read::last_row(session)?;
    let missed = read::entries_between(session, horizon, before)?;
    absorb(session)?;
    let clock: Option<i64> = session.row("SELECT max(clock) FROM ops", &[])?.get(0);
    let clock = clock.and_then(|clock| u64::try_from(clock).ok()).unwrap_or(0);
    let mut batch = Batch { session, node_id, clock, seen: BTreeMap::new() };
    work(&mut batch)?;
    let Batch { session, seen, .. } = batch;
    for (node_id, clock) in &seen {
        let sql = "INSERT INTO version_vector AS v (node_id, clock) VALUES ($1, $2)
                   ON CONFLICT (node_id) DO UPDATE SET clock = greatest(v.clock, excluded.clock)";
        session.execute(sql, &[&node_id.as_bytes(), clock])?;
    }
    Ok((read::last_row(session)?, missed))
}

/// Gives terms to the rows that have none, or those of another release.
fn absorb(session: &mut Session) -> Result<(), LedgerError> {
    if !is_termed(session)? {
        session.execute("UPDATE ops SET terms = NULL WHERE terms IS NOT NULL", &[])?;
        let sql = "INSERT INTO ops_termed (key, fields) VALUES (1, $1) ON CONFLICT (key) DO UPDATE SET fields = excluded.fields";
        session.execute(sql, &[&terms::fields()])?;
    }
    loop {
        let sql =
            "SELECT row, kind, CASE WHEN octet_length(payload) <= $1 THEN payload END FROM ops WHERE terms IS NULL ORDER BY row LIMIT 32";
        let rows = session.rows(sql, &[&LONGEST])?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            let (number, kind, payload): (i64, String, Option<String>) = (row.get(0), row.get(1), row.get(2));
            let found = payload.map_or_else(|| vec![terms::UNREAD], |payload| terms::of_row(&kind, &payload));
            session.execute("UPDATE ops SET terms = $2 WHERE row = $1", &[&number, &found])?;
        }
    }
}

struct Batch<'b> {
    session: &'b mut Session,
    node_id: &'b str,
    clock: u64,
    /// The greatest clock of each node in this write.
    seen: BTreeMap<String, i64>,
}

impl Batch<'_> {
    fn apply(&mut self, operation: Operation) -> Result<Entry, LedgerError> {
        self.store(&operation)?;
        Ok(super::super::read::entry_of(operation))
    }

    fn store(&mut self, of: &Operation) -> Result<Observed, LedgerError> {
        let (op_id, node_id, gid) = (of.op_id.as_bytes(), of.node_id.as_bytes(), of.gid.as_bytes());
        // The bounds keep a clock to 53 bits.
        let (clock, kind) = (of.clock.cast_signed(), of.kind.as_str());
        let found = terms::of_row(kind, &of.payload);
        let sql = "INSERT INTO ops (op_id, node_id, clock, kind, gid, payload, ts, terms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                   ON CONFLICT (op_id) DO NOTHING RETURNING row";
        let added = self.session.rows(sql, &[&op_id, &node_id, &clock, &kind, &gid, &of.payload, &of.ts, &found])?;
        let Some(row) = added.first().map(|row| row.get::<_, i64>(0)) else {
            let sql =
                "SELECT node_id = $2 AND clock = $3 AND kind = $4 AND gid = $5 AND payload = $6 AND ts = $7 FROM ops WHERE op_id = $1";
            let same = self.session.row(sql, &[&op_id, &node_id, &clock, &kind, &gid, &of.payload, &of.ts])?.get(0);
            return if same { Ok(Observed::Known) } else { Err(two_of_one_name()) };
        };
        self.clock = self.clock.max(of.clock);
        let seen = self.seen.entry(of.node_id.clone()).or_default();
        *seen = (*seen).max(clock);
        let sql = "SELECT row FROM ops WHERE gid = $1 ORDER BY clock DESC, node_id DESC, op_id LIMIT 1";
        if self.session.row(sql, &[&gid])?.get::<_, i64>(0) != row {
            return Ok(Observed::Outranked);
        }
        let deleted = of.kind == Kind::Delete;
        let payload = if deleted { NO_PAYLOAD } else { &of.payload };
        let sql = "INSERT INTO records (gid, payload, clock, node_id, deleted, ts) VALUES ($1, $2, $3, $4, $5, $6)
                   ON CONFLICT (gid) DO UPDATE SET payload = excluded.payload, clock = excluded.clock, node_id = excluded.node_id,
                   deleted = excluded.deleted, ts = excluded.ts";
        self.session.execute(sql, &[&gid, &payload, &clock, &node_id, &deleted, &of.ts])?;
        Ok(Observed::Applied)
    }

    /// Whether a live record of the type has the text, in what is stored now.
    fn has(&mut self, record_type: &str, field: &str, said: &str) -> Result<bool, LedgerError> {
        let rows = read::rows_with(self.session, i64::MAX, &super::super::read::terms_of(record_type, field, said))?;
        for rows in rows.chunks(read::STEP_ROWS) {
            let step = read::rows_step(self.session, rows)?;
            let mut records = step.iter().flatten().filter_map(super::super::read::record_of);
            if records.any(|record| record.record_type() == record_type && record.text(field) == said) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Writing for Batch<'_> {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        let operation = operation_of(record, self.node_id, self.clock + 1, around)?;
        self.apply(operation)
    }

    fn publish_unless(
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

    fn delete(&mut self, gid: &str, around: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError> {
        let live = self.session.rows("SELECT 1 FROM records WHERE gid = $1 AND NOT deleted", &[&gid.as_bytes()])?;
        if live.is_empty() {
            return Ok(None);
        }
        self.apply(Operation::new(self.node_id, self.clock + 1, Kind::Delete, gid, NO_PAYLOAD.to_owned(), around.now())).map(Some)
    }

    fn observe(&mut self, operation: &Operation) -> Result<Observed, LedgerError> {
        operation.within_bounds()?;
        operation.reads()?;
        self.store(operation)
    }
}
