//! opencode's database, read without leaving a trace: no lock, no write-ahead file, nothing beside it.

use crate::import::{Row, Rows};
use rusqlite::{Connection, OpenFlags};
use std::io;
use std::path::{Path, PathBuf};

/// A database of sessions.
pub struct SessionDatabase {
    connection: Connection,
    shown: String,
    /// Holds a copy where a write-ahead file had newer rows.
    _copy: Option<tempfile::TempDir>,
}

/// The most bytes of a database with a write-ahead file that is copied to be read.
const COPY_LIMIT: u64 = 512 << 20;
const ROW_LIMIT: usize = 200_000;

impl SessionDatabase {
    /// Opens the database at `path`, which is shown as `shown`.
    ///
    /// # Errors
    /// When it is none, or cannot be read.
    pub fn open(path: &Path, shown: &str) -> io::Result<Self> {
        let log = PathBuf::from(format!("{}-wal", path.display()));
        let newer = std::fs::metadata(&log).is_ok_and(|log| log.len() > 0);
        let mut copy = None;
        let connection = if newer && std::fs::metadata(path)?.len() + std::fs::metadata(&log)?.len() <= COPY_LIMIT {
            // Reading the log means writing beside it: so a copy is read.
            let folder = tempfile::tempdir()?;
            let target = folder.path().join("copy.db");
            std::fs::copy(path, &target)?;
            std::fs::copy(&log, folder.path().join("copy.db-wal"))?;
            copy = Some(folder);
            Connection::open_with_flags(&target, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        } else {
            let name: String = path
                .to_string_lossy()
                .bytes()
                .map(|byte| {
                    if byte.is_ascii_alphanumeric() || b"-_./".contains(&byte) {
                        char::from(byte).to_string()
                    } else {
                        format!("%{byte:02x}")
                    }
                })
                .collect();
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)
        };
        let connection = connection.map_err(io::Error::other)?;
        connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;").map_err(io::Error::other)?;
        Ok(Self { connection, shown: shown.to_owned(), _copy: copy })
    }

    fn columns(&self, table: &str) -> Vec<String> {
        let names = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))?;
            statement.query_map([], |row| row.get(0))?.collect()
        };
        names().unwrap_or_default()
    }

    /// Rows of `table`; columns that this database does not have are empty.
    fn rows(&self, table: &str, parent: &str, wanted: Option<(&str, &str)>) -> Vec<Row> {
        let columns = self.columns(table);
        let has = |name: &str| columns.iter().any(|column| column == name);
        let or = |name: &str, other: &'static str| if has(name) { name.to_owned() } else { other.to_owned() };
        let filter = match wanted {
            Some((column, _)) if has(column) => format!(" WHERE {column} = ?1"),
            Some(_) => return Vec::new(),
            None => String::new(),
        };
        let directory = if table == "session" { or("directory", "NULL") } else { "NULL".to_owned() };
        let sql = format!(
            "SELECT {}, {}, {}, {}, {directory} FROM {table}{filter} LIMIT {ROW_LIMIT}",
            or("id", "''"),
            or(parent, "NULL"),
            or("time_created", "NULL"),
            or("data", "NULL")
        );
        let read = || -> rusqlite::Result<Vec<Row>> {
            let mut statement = self.connection.prepare(&sql)?;
            let take = |row: &rusqlite::Row<'_>| {
                let data: Option<String> = row.get::<_, Option<String>>(3).unwrap_or_default();
                let directory: Option<String> = row.get::<_, Option<String>>(4).unwrap_or_default();
                let json =
                    data.filter(|data| !data.is_empty()).unwrap_or_else(|| serde_json::json!({ "directory": directory }).to_string());
                Ok(Row {
                    shown: self.shown.clone(),
                    id: row.get(0)?,
                    parent: row.get::<_, Option<String>>(1).unwrap_or_default().unwrap_or_default(),
                    created: row.get::<_, Option<i64>>(2).unwrap_or_default(),
                    json,
                })
            };
            match wanted {
                Some((_, value)) => statement.query_map([value], take)?.collect(),
                None => statement.query_map([], take)?.collect(),
            }
        };
        read().unwrap_or_default()
    }
}

impl Rows for SessionDatabase {
    fn sessions(&mut self) -> Vec<Row> {
        self.rows("session", "parent_id", None)
    }
    fn messages(&mut self, session: &str) -> Vec<Row> {
        self.rows("message", "session_id", Some(("session_id", session)))
    }
    fn parts(&mut self, message: &str) -> Vec<Row> {
        self.rows("part", "message_id", Some(("message_id", message)))
    }
}
