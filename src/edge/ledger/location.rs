//! Where a ledger is: a file, or a database on a server. What a connection string hides is never shown.

use super::{LedgerFile, Store};
use crate::landing::row::is_unprintable;
use crate::ledger::LedgerError;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where a ledger is.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A file.
    File(PathBuf),
    /// A PostgreSQL database, by its connection string, which may hold a password.
    Server(String),
}

/// How the connection string of a server begins.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

impl Location {
    /// What somebody named; `None` for what names no server, and so a file.
    pub fn server(said: &Path) -> Option<Self> {
        let said = said.to_str()?;
        SCHEMES.iter().any(|scheme| said.starts_with(scheme)).then(|| Self::Server(said.to_owned()))
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Server(_) => None,
        }
    }

    /// Opens it for reading and writing as `node_id`; makes it where there is none.
    ///
    /// # Errors
    /// It is no ledger, or cannot be opened.
    pub fn open(&self, node_id: &str) -> Result<Box<dyn Store>, LedgerError> {
        match self {
            Self::File(path) => Ok(Box::new(LedgerFile::open(path, node_id)?)),
            Self::Server(said) => to_server(said, Some((node_id, true))),
        }
    }

    /// As [`Location::open`], but makes nothing.
    ///
    /// # Errors
    /// As there, and when there is none.
    pub fn open_existing(&self, node_id: &str) -> Result<Box<dyn Store>, LedgerError> {
        match self {
            Self::File(path) => Ok(Box::new(LedgerFile::open_existing(path, node_id)?)),
            Self::Server(said) => to_server(said, Some((node_id, false))),
        }
    }

    /// Opens it for reading; nothing is made.
    ///
    /// # Errors
    /// There is none, it is no ledger, or it cannot be opened.
    pub fn open_to_read(&self) -> Result<Box<dyn Store>, LedgerError> {
        match self {
            Self::File(path) => Ok(Box::new(LedgerFile::open_to_read(path)?)),
            Self::Server(said) => to_server(said, None),
        }
    }

    /// Waits for the turn of a runner; it ends when the answer is dropped.
    ///
    /// # Errors
    /// Another runner holds it for too long.
    pub fn turn(&self) -> Result<Box<dyn fmt::Debug>, LedgerError> {
        match self {
            Self::File(path) => Ok(Box::new(crate::edge::turn::turn(path)?)),
            #[cfg(feature = "postgres")]
            Self::Server(said) => Ok(Box::new(super::postgres::Turn::wait(said)?)),
            #[cfg(not(feature = "postgres"))]
            Self::Server(_) => Err(not_built()),
        }
    }
}

#[cfg(feature = "postgres")]
fn to_server(said: &str, writer: Option<(&str, bool)>) -> Result<Box<dyn Store>, LedgerError> {
    Ok(Box::new(super::PostgresLedger::to(said, writer)?))
}

#[cfg(not(feature = "postgres"))]
fn to_server(_: &str, _: Option<(&str, bool)>) -> Result<Box<dyn Store>, LedgerError> {
    Err(not_built())
}

#[cfg(not(feature = "postgres"))]
fn not_built() -> LedgerError {
    let said = "LEDGER_POSTGRES_NOT_BUILT: the ledger is a PostgreSQL database, and this landfall was built without the feature `postgres`";
    LedgerError::Storage(said.to_owned())
}

impl fmt::Display for Location {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => to.write_str(&path.to_string_lossy().replace(is_unprintable, "?")),
            Self::Server(said) => to.write_str(&without_secrets(said)),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Location({self})")
    }
}

/// Host and database of a connection string. Whatever may be a user, a password or an option is left out,
/// and a text that does not read is left out whole.
fn without_secrets(said: &str) -> String {
    // A slash in a password would end what is read as the host, and show the rest of it.
    let url = url::Url::parse(said).ok().filter(|url| !url.path().contains('@') && !url.as_str().contains('#'));
    let Some(url) = url else { return "postgres://(unreadable)".to_owned() };
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("postgres://{host}{port}{}", url.path()).replace(is_unprintable, "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_ever_shown() {
        for said in [
            "postgres://me:hunter2@db.example:5433/runs?sslmode=disable",
            "postgresql://me:hunter2@db.example:5433/runs?password=hunter2&options=hunter2",
            "postgres://me:hunter2@/runs?host=/tmp&password=hunter2",
            "postgres://me:hun/ter2@db.example/runs",
            "postgres://me:12/hunter2@db.example/runs",
            "postgres://me:12#hunter2@db.example/runs",
            "postgres://me:12?hunter2@db.example/runs",
            "postgres://me:hunter2@db.example:port/runs",
            "postgres://:hunter2",
        ] {
            let location = Location::server(Path::new(said)).expect("it names a server");
            for shown in [location.to_string(), format!("{location:?}")] {
                assert!(!shown.contains("hunter2") && !shown.contains("ter2"), "{shown}");
            }
        }
        let shown = Location::Server("postgres://me:x@db.example:5433/runs".to_owned()).to_string();
        assert_eq!(shown, "postgres://db.example:5433/runs");
        assert!(Location::server(Path::new("runs/postgres.db")).is_none());
    }
}
