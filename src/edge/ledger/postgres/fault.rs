//! What can be wrong with a ledger on a server, each by its name. The server's own messages are not shown:
//! they may quote what others wrote, or how one connected.

use crate::ledger::LedgerError;
use postgres::Error;
use postgres::error::SqlState;

/// What is there is no ledger, or a hostile one.
pub(super) fn foreign(shown: &str, name: &str, what: &str) -> LedgerError {
    LedgerError::Foreign(format!("{name}: {shown} {what}"))
}

/// The server or a lock stands in the way.
pub(super) fn storage(shown: &str, name: &str, what: &str) -> LedgerError {
    LedgerError::Storage(format!("{name}: {shown} {what}"))
}

/// An error of the server or of the connection.
pub(super) fn of_server(shown: &str, error: &Error) -> LedgerError {
    let Some(code) = error.code() else {
        return storage(shown, "LEDGER_SERVER", "could not be reached, or ended the connection");
    };
    if *code == SqlState::UNDEFINED_TABLE || *code == SqlState::UNDEFINED_COLUMN || *code == SqlState::INVALID_COLUMN_REFERENCE {
        return foreign(shown, "LEDGER_SCHEMA", "lacks what every ledger has: a table, a column or a key");
    }
    if *code == SqlState::LOCK_NOT_AVAILABLE || *code == SqlState::QUERY_CANCELED {
        return storage(shown, "LEDGER_LOCKED", "has been held by another writer for too long; try again");
    }
    if *code == SqlState::DISK_FULL {
        return storage(shown, "LEDGER_DISK_FULL", "could not be written: the server's disk is full");
    }
    if *code == SqlState::READ_ONLY_SQL_TRANSACTION || *code == SqlState::INSUFFICIENT_PRIVILEGE {
        return storage(shown, "LEDGER_READ_ONLY", "cannot be used so by this user");
    }
    if code.code().starts_with("28") {
        return storage(shown, "LEDGER_LOGIN", "refuses this user or password");
    }
    storage(shown, "LEDGER_SERVER", &format!("could not be used (SQLSTATE {})", code.code()))
}
