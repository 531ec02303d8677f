//! What can be wrong with a ledger file, each by its name, and SQLite's errors in these words.
//!
//! SQLite's own messages are not shown: they may quote a hostile file.

use crate::landing::row::is_unprintable;
use crate::ledger::LedgerError;
use rusqlite::{Error, ErrorCode};
use std::path::Path;

/// The file is none of ours, damaged or hostile.
pub(super) fn foreign(path: &Path, name: &str, what: &str) -> LedgerError {
    LedgerError::Foreign(said(path, name, what))
}

/// The disk or a lock stands in the way.
pub(super) fn storage(path: &Path, name: &str, what: &str) -> LedgerError {
    LedgerError::Storage(said(path, name, what))
}

fn said(path: &Path, name: &str, what: &str) -> String {
    format!("{name}: {} {what}", path.to_string_lossy().replace(is_unprintable, "?"))
}

/// An error of the system, where a file or a folder could not be used.
pub(super) fn of_io(path: &Path, error: &std::io::Error) -> LedgerError {
    storage(path, "LEDGER_UNREADABLE", &format!("could not be used: {}", error.kind()))
}

/// Whether somebody else holds the file just now.
pub(super) fn is_busy(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// An error of SQLite.
pub(super) fn of_sqlite(path: &Path, error: &Error) -> LedgerError {
    let Some(code) = error.sqlite_error_code() else {
        return foreign(path, "LEDGER_VALUE_ODD", "holds a value of another kind than its column's");
    };
    match code {
        ErrorCode::NotADatabase => foreign(path, "LEDGER_NOT_SQLITE", "is no SQLite database"),
        ErrorCode::DatabaseCorrupt => foreign(path, "LEDGER_DAMAGED", "is damaged; restore it, or export what still reads"),
        ErrorCode::TooBig => foreign(path, "LEDGER_VALUE_TOO_LONG", "holds a value longer than any ledger's"),
        ErrorCode::OperationInterrupted => {
            foreign(path, "LEDGER_DAMAGED", "leads a reader round and round; restore it, or export what still reads")
        }
        ErrorCode::TypeMismatch | ErrorCode::ConstraintViolation => {
            foreign(path, "LEDGER_VALUE_ODD", "holds a value of another kind than its column's")
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            storage(path, "LEDGER_LOCKED", "has been held by another process for too long; try again")
        }
        ErrorCode::ReadOnly => storage(path, "LEDGER_READ_ONLY", "cannot be written"),
        ErrorCode::DiskFull => storage(path, "LEDGER_DISK_FULL", "could not be written: the disk is full"),
        ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
            storage(path, "LEDGER_UNREADABLE", "could not be opened, nor a file made beside it")
        }
        ErrorCode::OutOfMemory => storage(path, "LEDGER_STORAGE", "needs more memory than there is"),
        _ => {
            let code = error.sqlite_error().map_or(0, |error| error.extended_code);
            storage(path, "LEDGER_STORAGE", &format!("could not be used (SQLite code {code})"))
        }
    }
}
