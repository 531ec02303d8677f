//! The four tables, their indexes and the table of terms: how they are made, and how those of a file are held to them.
//!
//! A file may come from elsewhere. Its tables may be written in another layout, but not mean anything
//! else: no word beyond those of ours may stand in them, since a CHECK, a UNIQUE, a collation or an ON
//! CONFLICT would lose operations without a word. An index is exactly one of ours, and so is what belongs to the terms.

use super::terms;
use crate::contract::table::contracts;
use rusqlite::{Connection, Result};
use std::collections::BTreeSet;

/// A column: its name and type.
type Column = (&'static str, &'static str);

/// A table: its name, its columns, the first one the primary key.
pub(super) struct Table {
    name: &'static str,
    columns: &'static [Column],
    /// Whether columns beside the key may be null.
    nullable: bool,
}

/// The tables of every ledger.
const TABLES: [Table; 4] = [
    Table {
        name: "ops",
        columns: &[
            ("op_id", "TEXT"),
            ("node_id", "TEXT"),
            ("clock", "INTEGER"),
            ("kind", "TEXT"),
            ("gid", "TEXT"),
            ("payload", "TEXT"),
            ("ts", "REAL"),
        ],
        nullable: false,
    },
    Table {
        name: "records",
        columns: &[("gid", "TEXT"), ("payload", "TEXT"), ("clock", "INTEGER"), ("node_id", "TEXT"), ("deleted", "INTEGER"), ("ts", "REAL")],
        nullable: false,
    },
    Table { name: "version_vector", columns: &[("node_id", "TEXT"), ("clock", "INTEGER")], nullable: false },
    Table { name: "memory_snapshots", columns: &[("key", "TEXT"), ("data", "BLOB"), ("updated_at", "REAL")], nullable: true },
];

/// The type of an operation's record as the index by type of the version before had it.
fn early_type() -> String {
    let payload = "payload";
    format!(
        "CASE WHEN kind = 'delete' AND {payload} IN ('', '{{}}') THEN NULL WHEN kind <> 'upsert' THEN char(1) \
         WHEN NOT json_valid({payload}) THEN char(1) WHEN json_type({payload}, '$.type') IS NOT 'text' THEN char(1) \
         WHEN json_type(json_remove({payload}, '$.type'), '$.type') IS NOT NULL THEN char(1) \
         WHEN json_extract({payload}, '$.type') = '' OR json_extract({payload}, '$.type') GLOB '*[^a-z0-9_]*' THEN char(1) \
         ELSE json_extract({payload}, '$.type') END"
    )
}

/// White space as Rust trims it.
const SPACE: &str = "char(9,10,11,12,13,32,133,160,5760,8192,8193,8194,8195,8196,8197,8198,8199,8200,8201,8202,8232,8233,8239,8287,12288)";

/// The text of a top-level field as an index of the version before had it.
fn early_text(field: &str) -> String {
    format!(
        "CASE WHEN json_valid(payload) THEN CASE json_type(payload, '$.{field}') \
         WHEN 'text' THEN trim(json_extract(payload, '$.{field}'), {SPACE}) \
         WHEN 'integer' THEN char(1) WHEN 'real' THEN char(1) WHEN 'true' THEN char(1) \
         WHEN 'array' THEN char(1) WHEN 'object' THEN char(1) END END"
    )
}

/// The indexes every query needs, by name.
const CORE: [&str; 2] = ["ops_by_state", "ops_by_gid"];

/// The index by type of a version before the terms.
const BY_TYPE: &str = "ops_by_plain_type";

/// The index by type of a still earlier version, which hid what SQLite could not read.
const EARLY_BY_TYPE: &str = "ops_by_type";

/// The statement that makes the index of this name, if it is one of ours or of a version before: an
/// index over an expression for the type and for each field. Those are known, not used, and taken away by
/// the next writer.
pub(super) fn index_sql(name: &str) -> Option<String> {
    match name {
        "ops_by_state" => return Some("CREATE INDEX ops_by_state ON ops (clock, node_id, gid, op_id)".to_owned()),
        "ops_by_gid" => return Some("CREATE INDEX ops_by_gid ON ops (gid, clock, node_id, op_id DESC)".to_owned()),
        BY_TYPE => return Some(format!("CREATE INDEX {BY_TYPE} ON ops ({})", early_type())),
        EARLY_BY_TYPE => {
            let early = "CASE WHEN json_valid(payload) THEN json_extract(payload, '$.type') END";
            return Some(format!("CREATE INDEX {EARLY_BY_TYPE} ON ops ({early})"));
        }
        _ => {}
    }
    let field = name.strip_prefix("ops_by_field_")?;
    is_plain(field).then(|| {
        let text = early_text(field);
        format!("CREATE INDEX {name} ON ops ({text}) WHERE {text} IS NOT NULL")
    })
}

fn is_plain(field: &str) -> bool {
    (1..=64).contains(&field.len()) && field.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The fields by which records are looked for: ids, parents, and what makes a second record a repeat.
pub(super) fn indexed_fields() -> BTreeSet<&'static str> {
    let mut fields = BTreeSet::new();
    for contract in contracts().all() {
        fields.extend(contract.id.as_deref());
        fields.extend(contract.idempotent_by.iter().map(String::as_str));
        fields.extend(contract.parents.iter().map(|parent| parent.field.as_str()));
    }
    fields.retain(|field| is_plain(field));
    fields
}

/// Makes the tables in an empty file.
pub(super) fn create(connection: &Connection) -> Result<()> {
    for table in &TABLES {
        connection.execute_batch(&table.sql())?;
    }
    missing(&BTreeSet::new()).iter().try_for_each(|sql| connection.execute_batch(sql))
}

impl Table {
    fn sql(&self) -> String {
        let columns = self.columns.iter().enumerate().map(|(place, (name, kind))| match (place, self.nullable) {
            (0, _) => format!("{name} {kind} NOT NULL PRIMARY KEY"),
            (_, true) => format!("{name} {kind}"),
            (_, false) => format!("{name} {kind} NOT NULL"),
        });
        format!("CREATE TABLE {} ({}) STRICT", self.name, columns.collect::<Vec<_>>().join(", "))
    }

    /// Whether the statement that made a table has no word but those that such a table needs.
    fn has_only_its_words(&self, sql: &str) -> bool {
        const WORDS: [&str; 8] = ["create", "table", "not", "null", "primary", "key", "strict", self::MAIN];
        let lower = sql.to_ascii_lowercase();
        lower
            .split(|character: char| character.is_ascii_whitespace() || "(),\"`[]".contains(character))
            .filter(|word| !word.is_empty())
            .all(|word| {
                WORDS.contains(&word)
                    || word == self.name
                    || self.columns.iter().any(|(name, kind)| word == *name || word.eq_ignore_ascii_case(kind))
            })
    }

    /// Whether the columns are these, in this order.
    fn has_its_columns(&self, connection: &Connection) -> Result<bool> {
        let mut statement = connection.prepare("SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?1) ORDER BY cid")?;
        let mut rows = statement.query([self.name])?;
        let mut place = 0;
        while let Some(row) = rows.next()? {
            let Some((name, kind)) = self.columns.get(place) else { return Ok(false) };
            let said: (String, String, i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
            let key = place == 0;
            let null = said.2 != 0 || key || self.nullable;
            if said.0 != *name || !said.1.eq_ignore_ascii_case(kind) || !null || said.3 != i64::from(key) || said.4 != 0 {
                return Ok(false);
            }
            place += 1;
        }
        Ok(place == self.columns.len())
    }
}

/// The `user_version` of every ledger: what another one means, only whoever wrote it knows.
const VERSION: i64 = 0;

/// A word that some layouts put before a name.
const MAIN: &str = "main";

/// What is odd about the schema of a file; `None` when it is a ledger's. And what it has beside the four tables, by name.
pub(super) fn examine(connection: &Connection) -> Result<(Option<String>, BTreeSet<String>)> {
    let version: i64 = connection.query_row("PRAGMA main.user_version", [], |row| row.get(0))?;
    if version != VERSION {
        return Ok((Some(format!("has version {version} of a schema; this reads version {VERSION}")), BTreeSet::new()));
    }
    let mut indexes = BTreeSet::new();
    let mut tables = 0;
    let mut statement = connection.prepare("SELECT type, name, tbl_name, sql FROM main.sqlite_schema LIMIT 1000")?;
    let mut rows = statement.query([])?;
    let odd = |what: &str| Ok((Some(what.to_owned()), BTreeSet::new()));
    while let Some(row) = rows.next()? {
        let said: (String, String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let (kind, name, of, sql) = (said.0.as_str(), said.1.as_str(), said.2.as_str(), said.3.unwrap_or_default());
        match kind {
            _ if terms::PARTS.iter().any(|(part, ours)| *part == name && *ours == sql) => {
                indexes.insert(name.to_owned());
            }
            "table" if name.starts_with("sqlite_stat") || name == "sqlite_sequence" => {}
            "table" => match TABLES.iter().find(|table| table.name == name) {
                None => return odd("has a table that no ledger has"),
                Some(table) if !table.has_only_its_words(&sql) || !table.has_its_columns(connection)? => {
                    return odd(&format!(
                        "has another table {} than a ledger's: its columns, their types or their rules differ",
                        table.name
                    ));
                }
                Some(_) => tables += 1,
            },
            "index" if sql.is_empty() && TABLES.iter().any(|table| name == format!("sqlite_autoindex_{}_1", table.name)) => {}
            "index" if of == "ops" && index_sql(name).is_some_and(|ours| ours == sql) => {
                indexes.insert(name.to_owned());
            }
            "index" => return odd("has an index that no ledger has"),
            "view" => return odd("has a view, and no ledger has one"),
            _ => return odd("has a trigger, and no ledger has one"),
        }
    }
    let strict: i64 = connection.query_row(
        "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict AND NOT wr \
         AND name IN ('ops', 'records', 'version_vector', 'memory_snapshots')",
        [],
        |row| row.get(0),
    )?;
    match (tables, strict) {
        (4, 4) => Ok((None, indexes)),
        (4, _) => odd("has a table that is not STRICT"),
        (0, _) => odd("has none of a ledger's tables"),
        _ => odd("lacks one of a ledger's tables"),
    }
}

/// Statements for what a writer makes where it is not there, and takes away where it is.
pub(super) fn missing(there: &BTreeSet<String>) -> Vec<String> {
    let ours = CORE.iter().filter_map(|name| index_sql(name).map(|sql| (*name, sql)));
    let ours = ours.chain(terms::PARTS.iter().map(|(name, sql)| (*name, (*sql).to_owned())));
    let made = ours.filter(|(name, _)| !there.contains(*name)).map(|(name, sql)| {
        // Another writer may have been faster.
        sql.replacen(&format!(" {name} "), &format!(" IF NOT EXISTS {name} "), 1)
    });
    let gone = there.iter().filter(|name| name.starts_with("ops_by_") && !CORE.contains(&name.as_str()));
    gone.map(|name| format!("DROP INDEX IF EXISTS {name}")).chain(made).collect()
}

/// Makes the copy of the operations, empty: from then on `ops` means it.
pub(super) fn copy_script() -> String {
    let table = TABLES[0].sql().replacen("CREATE TABLE", "CREATE TEMP TABLE", 1);
    let indexes = CORE.iter().filter_map(|name| index_sql(name)).map(|sql| sql.replacen("CREATE INDEX ", "CREATE INDEX temp.", 1));
    indexes.fold(table, |script, index| format!("{script};\n{index}"))
}

/// Copies the operations that are not in the copy.
pub(super) const COPY_ROWS: &str = "
    INSERT INTO temp.ops (rowid, op_id, node_id, clock, kind, gid, payload, ts)
    SELECT rowid, op_id, node_id, clock, kind, gid, payload, ts FROM main.ops
    WHERE rowid >= (SELECT coalesce(max(rowid) + 1, -9223372036854775808) FROM temp.ops) ORDER BY rowid";

/// Whether all that belongs to the terms is there.
pub(super) fn has_terms(there: &BTreeSet<String>) -> bool {
    terms::PARTS.iter().all(|(name, _)| there.contains(*name))
}

/// Whether the indexes that no query can do without are there.
pub(super) fn has_core(there: &BTreeSet<String>) -> bool {
    CORE.iter().all(|name| there.contains(*name))
}
