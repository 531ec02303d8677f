//! The inverted index: whose record is of a type, and whose has a text in a field, by one number each.
//!
//! An index over an expression costs every row that is written, whether it has the field or not. Here a
//! row costs what it has: for each a term, the digest of type, field and text, and the row's number.
//! Two texts may share a digest, so whoever looks reads the record too; what matters is that no row
//! is missed. Other software writes `ops` and knows nothing of this. So the index says up to which row it
//! goes, with the name of the operation there, and triggers note each row that changes otherwise than by being added last. Our own
//! connections run no trigger. What is noted, or stands behind the last row, is looked at by itself until
//! the next write of ours takes it in; an index that does not fit its rows is not used, and made anew.

use super::schema::indexed_fields;
use crate::json::{Value, parse};
use crate::ledger::Record;
use crate::ledger::operation::{Kind, NO_PAYLOAD, PAYLOAD_LIMIT};
use crate::ledger::record::owned;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Result, Row};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// The term of a row whose type only reading it tells, if that.
pub(super) const UNREAD: i64 = 0;
/// The term under which the triggers note a row that other software changed.
pub(super) const NOTED: i64 = -1;

/// What the file has of it, by name: tables first.
pub(super) const PARTS: [(&str, &str); 5] = [
    ("ops_terms", "CREATE TABLE ops_terms (term INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (term, row)) STRICT, WITHOUT ROWID"),
    (
        "ops_termed",
        "CREATE TABLE ops_termed (key INTEGER NOT NULL PRIMARY KEY, row INTEGER NOT NULL, op_id TEXT NOT NULL, \
         fields INTEGER NOT NULL) STRICT",
    ),
    (
        "ops_note_insert",
        "CREATE TRIGGER ops_note_insert AFTER INSERT ON ops WHEN NEW.rowid < (SELECT max(rowid) FROM ops) \
         OR NEW.rowid <= (SELECT row FROM ops_termed WHERE key = 1) \
         BEGIN INSERT OR IGNORE INTO ops_terms (term, row) VALUES (-1, NEW.rowid); END",
    ),
    (
        "ops_note_update",
        "CREATE TRIGGER ops_note_update AFTER UPDATE ON ops \
         BEGIN INSERT OR IGNORE INTO ops_terms (term, row) VALUES (-1, NEW.rowid); END",
    ),
    (
        "ops_note_delete",
        "CREATE TRIGGER ops_note_delete AFTER DELETE ON ops \
         BEGIN INSERT OR IGNORE INTO ops_terms (term, row) VALUES (-1, OLD.rowid); END",
    ),
];

/// The fields whose texts have terms, sorted, and their digest: another release may have others.
static FIELDS: LazyLock<(BTreeSet<&'static str>, i64)> = LazyLock::new(|| {
    let fields = indexed_fields();
    let parts: Vec<_> = fields.iter().copied().collect();
    let digest = digest(&parts);
    (fields, digest)
});

/// The digest of the fields whose texts have terms.
#[cfg(feature = "postgres")]
pub(super) fn fields() -> i64 {
    FIELDS.1
}

/// Whether the texts of a field have terms.
pub(super) fn is_indexed(field: &str) -> bool {
    FIELDS.0.contains(field)
}

fn digest(parts: &[&str]) -> i64 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let bytes: [u8; 8] = hasher.finalize()[..8].try_into().expect("a digest has eight bytes");
    // Terms are not negative, and the least is taken.
    (i64::from_le_bytes(bytes) & i64::MAX).max(1)
}

/// The term of a type.
pub(super) fn of_type(record_type: &str) -> i64 {
    digest(&[record_type])
}

/// The term of a text in a field of a record of a type.
pub(super) fn of_text(record_type: &str, field: &str, said: &str) -> i64 {
    digest(&[record_type, field, said])
}

/// The terms of an operation's row, by what stands in it.
pub(super) fn of_row(kind: &str, payload: &str) -> Vec<i64> {
    if kind == Kind::Delete.as_str() && matches!(payload, "" | NO_PAYLOAD) {
        return Vec::new();
    }
    match (kind == Kind::Upsert.as_str()).then(|| parse(payload.as_bytes())) {
        Some(Ok(record)) => of_record(&record),
        _ => vec![UNREAD],
    }
}

/// The terms of a record that reads.
pub(super) fn of_record(record: &Value<'_>) -> Vec<i64> {
    let (Value::Object(members), Some(record_type)) = (record, record.get("type").and_then(Value::as_str)) else { return vec![UNREAD] };
    if record_type.is_empty() {
        return vec![UNREAD];
    }
    let texts = members.iter().filter(|(field, _)| is_indexed(field)).filter_map(|(field, value)| {
        let said = text(field, value);
        (!said.is_empty()).then(|| of_text(record_type, field, &said))
    });
    std::iter::once(of_type(record_type)).chain(texts).collect()
}

/// The text of a value exactly as [`Record::text`] has it, since that is asked for.
fn text<'v>(field: &str, value: &'v Value<'_>) -> Cow<'v, str> {
    match value {
        Value::String(said) => Cow::Borrowed(said.trim()),
        value => Cow::Owned(Record::default().with(field, owned(value)).text(field)),
    }
}

/// What of a row decides its terms. A payload that is too long is not loaded, and reads as none.
pub(super) const TERM_COLUMNS: &str = "kind, CASE WHEN octet_length(payload) <= ?1 THEN payload END";

/// The terms of a row whose kind and payload are in these columns.
pub(super) fn of_columns(row: &Row<'_>, kind: usize, payload: usize) -> Result<Vec<i64>> {
    let text = |column| -> Result<Option<&str>> {
        Ok(match row.get_ref(column)? {
            ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        })
    };
    Ok(match (text(kind)?, text(payload)?) {
        (Some(kind), Some(payload)) => of_row(kind, payload),
        _ => vec![UNREAD],
    })
}

/// The last row to which the file's index goes; 0 when it does not fit its rows, or has other fields.
pub(super) fn covered(connection: &Connection) -> Result<i64> {
    let sql = "SELECT t.row FROM main.ops_termed t WHERE t.key = 1 AND t.fields = ?1 \
               AND t.op_id = (SELECT o.op_id FROM main.ops o WHERE o.rowid = t.row)";
    Ok(connection.prepare_cached(sql)?.query_row([FIELDS.1], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Says that the index goes to the last row there is.
pub(super) fn set_covered(connection: &Connection) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO main.ops_termed (key, row, op_id, fields) \
               SELECT 1, rowid, op_id, ?1 FROM main.ops WHERE rowid = (SELECT max(rowid) FROM main.ops)";
    connection.prepare_cached(sql)?.execute([FIELDS.1]).map(drop)
}

/// Takes in what others wrote, in a transaction that is begun; `refuel` is called as it goes on.
pub(super) fn absorb(connection: &Connection, refuel: &dyn Fn()) -> Result<()> {
    let covered = covered(connection)?;
    if covered == 0 {
        connection.execute_batch("DELETE FROM main.ops_terms; DELETE FROM main.ops_termed")?;
    }
    let mut insert = connection.prepare_cached(INSERT)?;
    let mut take = |rows: &mut rusqlite::Rows<'_>| -> Result<bool> {
        let mut any = false;
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(2)?;
            if number % STEP_ROWS == 0 {
                refuel();
            }
            for term in of_columns(row, 0, 1)? {
                insert.execute([term, number])?;
            }
            any = true;
        }
        Ok(any)
    };
    let noted =
        format!("SELECT {TERM_COLUMNS}, o.rowid FROM main.ops_terms t CROSS JOIN main.ops o ON o.rowid = t.row WHERE t.term = {NOTED}");
    take(&mut connection.prepare_cached(&noted)?.query([PAYLOAD_LIMIT as i64])?)?;
    connection.prepare_cached("DELETE FROM main.ops_terms WHERE term = ?1")?.execute([NOTED])?;
    let behind = format!("SELECT {TERM_COLUMNS}, rowid FROM main.ops WHERE rowid > ?2 ORDER BY rowid");
    if take(&mut connection.prepare_cached(&behind)?.query([PAYLOAD_LIMIT as i64, covered])?)? {
        set_covered(connection)?;
    }
    Ok(())
}

/// Enters a term of a row.
pub(super) const INSERT: &str = "INSERT OR IGNORE INTO main.ops_terms (term, row) VALUES (?1, ?2)";

/// Rows that one step takes.
const STEP_ROWS: i64 = 256;

/// The terms of rows that the file's index does not have, kept beside the connection.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Late {
    made: bool,
    /// They go from behind this row ...
    from: i64,
    /// ... to this one ...
    to: i64,
    /// ... which had this operation, by the digest of its name.
    last: Option<i64>,
}

/// Whether there are rows behind `after`, up to `last`.
fn are_rows_between(connection: &Connection, after: i64, last: i64) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM ops WHERE rowid > ?1 AND rowid <= ?2)";
    connection.prepare_cached(sql)?.query_row([after, last], |row| row.get(0))
}

/// The operation of a row, by the digest of its name.
fn operation_at(connection: &Connection, row: i64) -> Result<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT op_id FROM ops WHERE rowid = ?1")?;
    statement.query_row([row], |row| Ok(digest(&[&String::from_utf8_lossy(row.get_ref(0)?.as_bytes()?)]))).optional()
}

impl Late {
    /// Enters one step of the rows up to `horizon` that neither has; whether none is left.
    pub(super) fn step(&mut self, connection: &Connection, termed: bool, horizon: i64) -> Result<bool> {
        let covered = if termed { covered(connection)? } else { 0 };
        if termed && covered >= horizon {
            return Ok(true);
        }
        if !self.made {
            connection.execute_batch(
                "CREATE TEMP TABLE ops_terms_late (term INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (term, row)) WITHOUT ROWID",
            )?;
            *self = Self { made: true, from: covered, to: covered, last: operation_at(connection, covered)? };
        }
        if covered < self.from || operation_at(connection, self.to)? != self.last {
            connection.execute_batch("DELETE FROM temp.ops_terms_late")?;
            (self.from, self.to) = (covered, covered);
        }
        let after = self.to.max(covered);
        let (count, last) = {
            let sql = format!("SELECT {TERM_COLUMNS}, rowid FROM ops WHERE rowid > ?2 AND rowid <= ?3 ORDER BY rowid LIMIT {STEP_ROWS}");
            let mut statement = connection.prepare_cached(&sql)?;
            let mut insert = connection.prepare_cached("INSERT OR IGNORE INTO temp.ops_terms_late (term, row) VALUES (?1, ?2)")?;
            let mut rows = statement.query([PAYLOAD_LIMIT as i64, after, horizon])?;
            let (mut count, mut last) = (0, after);
            while let Some(row) = rows.next()? {
                last = row.get(2)?;
                for term in of_columns(row, 0, 1)? {
                    insert.execute([term, last])?;
                }
                count += 1;
            }
            (count, last)
        };
        // Always a row that is there, so that its operation tells whether it still is.
        self.to = last;
        self.last = operation_at(connection, last)?;
        Ok(count < STEP_ROWS)
    }

    /// Where the rows of a term are to be looked for, as a table of a statement; `None` when not all are entered.
    pub(super) fn source(&self, connection: &Connection, termed: bool, horizon: i64, marks: &str) -> Result<Option<String>> {
        let main = format!("SELECT row FROM main.ops_terms WHERE term IN ({marks}, {UNREAD}, {NOTED})");
        let late = format!("SELECT row FROM temp.ops_terms_late WHERE term IN ({marks}, {UNREAD})");
        let covered = if termed { covered(connection)? } else { 0 };
        Ok(match (termed, self.made) {
            (true, _) if covered >= horizon => Some(format!("({main})")),
            (_, false) => None,
            _ if covered < self.from || operation_at(connection, self.to)? != self.last => None,
            _ if are_rows_between(connection, self.to.max(covered), horizon)? => None,
            (true, true) => Some(format!("({main} UNION ALL {late})")),
            (false, true) => Some(format!("({late})")),
        })
    }
}

/// What of a file's index is held to its rows, while they are read in any order.
#[derive(Debug, Default)]
pub(super) struct Tally {
    covered: i64,
    noted: bool,
    keys: RandomState,
    /// The sum of all entries that there have to be.
    due: u64,
}

impl Tally {
    /// A tally of the rows to which the index goes.
    pub(super) fn begin(connection: &Connection) -> Result<Self> {
        let noted = connection.query_row("SELECT EXISTS (SELECT 1 FROM main.ops_terms WHERE term = ?1)", [NOTED], |row| row.get(0))?;
        Ok(Self { covered: covered(connection)?, noted, ..Self::default() })
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: i64, terms: impl FnOnce() -> Vec<i64>) {
        if row <= self.covered {
            let mut terms = terms();
            terms.sort_unstable();
            terms.dedup();
            self.due = terms.iter().fold(self.due, |sum, term| sum.wrapping_add(self.keys.hash_one((*term, row))));
        }
    }

    /// How many entries the index lacks. Where it has exactly those that are due, the sums of keyed digests
    /// are equal; else each is looked for, since it may well have more: what a changed row had before.
    pub(super) fn lacks(&self, connection: &Connection) -> Result<u64> {
        if self.covered == 0 {
            return Ok(0);
        }
        if !self.noted {
            let mut statement = connection.prepare("SELECT term, row FROM main.ops_terms")?;
            let (mut rows, mut sum) = (statement.query([])?, 0_u64);
            while let Some(row) = rows.next()? {
                sum = sum.wrapping_add(self.keys.hash_one((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
            }
            if sum == self.due {
                return Ok(0);
            }
        }
        let mut has = connection.prepare("SELECT EXISTS (SELECT 1 FROM main.ops_terms WHERE term IN (?1, ?2) AND row = ?3)")?;
        let sql = format!("SELECT {TERM_COLUMNS}, rowid FROM main.ops WHERE rowid <= ?2");
        let mut statement = connection.prepare(&sql)?;
        let (mut rows, mut lacks) = (statement.query([PAYLOAD_LIMIT as i64, self.covered])?, 0);
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(2)?;
            for term in of_columns(row, 0, 1)? {
                let there: bool = has.query_row([term, NOTED, number], |row| row.get(0))?;
                lacks += u64::from(!there);
            }
        }
        Ok(lacks)
    }
}
