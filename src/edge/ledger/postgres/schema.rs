//! The tables of a ledger on a server: how they are made, and how what is there is held to them.

use super::super::terms;
use super::connect::Session;
use crate::ledger::LedgerError;
use crate::ledger::operation::CLOCK_LIMIT;

/// Makes what is not there. The terms of a row are null where somebody else put it.
const MAKE: &str = "
    CREATE TABLE IF NOT EXISTS ops (
        row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        op_id bytea NOT NULL UNIQUE, node_id bytea NOT NULL, clock bigint NOT NULL, kind text NOT NULL,
        gid bytea NOT NULL, payload text NOT NULL, ts double precision NOT NULL, terms bigint[]);
    CREATE TABLE IF NOT EXISTS records (
        gid bytea PRIMARY KEY, payload text NOT NULL, clock bigint NOT NULL, node_id bytea NOT NULL,
        deleted boolean NOT NULL, ts double precision NOT NULL);
    CREATE TABLE IF NOT EXISTS version_vector (node_id bytea PRIMARY KEY, clock bigint NOT NULL);
    CREATE TABLE IF NOT EXISTS ops_termed (key integer PRIMARY KEY, fields bigint NOT NULL);
    CREATE INDEX IF NOT EXISTS ops_by_state ON ops (clock, node_id, gid, op_id);
    CREATE INDEX IF NOT EXISTS ops_by_gid ON ops (gid, clock, node_id, op_id DESC);
    CREATE INDEX IF NOT EXISTS ops_by_terms ON ops USING gin (terms) WITH (fastupdate = off);
    CREATE INDEX IF NOT EXISTS ops_without_terms ON ops (row) WHERE terms IS NULL;";

/// The columns of the tables, in order.
const COLUMNS: [(&str, &[(&str, &str)]); 4] = [
    (
        "ops",
        &[
            ("row", "bigint"),
            ("op_id", "bytea"),
            ("node_id", "bytea"),
            ("clock", "bigint"),
            ("kind", "text"),
            ("gid", "bytea"),
            ("payload", "text"),
            ("ts", "double precision"),
            ("terms", "bigint[]"),
        ],
    ),
    (
        "records",
        &[
            ("gid", "bytea"),
            ("payload", "text"),
            ("clock", "bigint"),
            ("node_id", "bytea"),
            ("deleted", "boolean"),
            ("ts", "double precision"),
        ],
    ),
    ("version_vector", &[("node_id", "bytea"), ("clock", "bigint")]),
    ("ops_termed", &[("key", "integer"), ("fields", "bigint")]),
];

const LOOK: &str = "SELECT c.relkind::text || CASE WHEN c.relhasrules OR c.relhastriggers OR c.relrowsecurity THEN '!' ELSE '' END,
                           a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod)
                    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
                    WHERE c.relname = $1 AND c.relnamespace = pg_catalog.current_schema()::pg_catalog.regnamespace
                      AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

/// Holds what is there to a ledger's tables and bounds; makes it where there is nothing, if asked for.
pub(super) fn ready(session: &mut Session, make: bool) -> Result<(), LedgerError> {
    if session.row("SELECT pg_catalog.current_schema() IS NULL", &[])?.get(0) {
        return Err(session.foreign("LEDGER_SCHEMA", "has no schema to keep a ledger in; name one by search_path"));
    }
    let there = examine(session)?;
    if there < COLUMNS.len() {
        if !make && there == 0 {
            return Err(session.storage("LEDGER_MISSING", "has no ledger"));
        }
        if there > 0 {
            return Err(session.foreign("LEDGER_SCHEMA", "has some of a ledger's tables and lacks others"));
        }
        // Whoever is first makes all of it; the others wait.
        session.script(&format!("BEGIN; SELECT pg_catalog.pg_advisory_xact_lock(7809632417712); {MAKE} COMMIT"))?;
        if examine(session)? < COLUMNS.len() {
            return Err(session.foreign("LEDGER_SCHEMA", "lacks one of a ledger's tables"));
        }
    }
    within_bounds(session)
}

/// How many of the tables are there, in one look: another may be making them.
fn examine(session: &mut Session) -> Result<usize, LedgerError> {
    session.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
    let there = look(session);
    session.script("ROLLBACK")?;
    there
}

fn look(session: &mut Session) -> Result<usize, LedgerError> {
    let mut there = 0;
    for (table, columns) in COLUMNS {
        let rows = session.rows(LOOK, &[&table])?;
        if rows.is_empty() {
            continue;
        }
        let said: Vec<(String, String, String)> = rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
        let same = said
            .iter()
            .map(|(kind, name, of)| (kind.as_str(), name.as_str(), of.as_str()))
            .eq(columns.iter().map(|(name, of)| ("r", *name, *of)));
        if !same {
            let what = format!("has another table {table} than a ledger's: its columns, their types or its rules differ");
            return Err(session.foreign("LEDGER_SCHEMA", &what));
        }
        there += 1;
    }
    Ok(there)
}

fn within_bounds(session: &mut Session) -> Result<(), LedgerError> {
    let bounds = "SELECT (SELECT min(clock) FROM ops), (SELECT max(clock) FROM ops), (SELECT max(clock) FROM version_vector)";
    let row = session.row(bounds, &[])?;
    let clocks = 1..=i64::try_from(CLOCK_LIMIT).expect("the limit has 53 bits");
    let odd = (0..3).any(|column| row.get::<_, Option<i64>>(column).is_some_and(|clock| !clocks.contains(&clock)));
    if odd { Err(session.foreign("LEDGER_CLOCK", &format!("has a clock that is not between 1 and {CLOCK_LIMIT}"))) } else { Ok(()) }
}

/// Whether the terms in the rows are those of this release's fields.
pub(super) fn is_termed(session: &mut Session) -> Result<bool, LedgerError> {
    let rows = session.rows("SELECT fields FROM ops_termed WHERE key = 1", &[])?;
    Ok(rows.first().is_some_and(|row| row.get::<_, i64>(0) == terms::fields()))
}
