//! The ledger file: one SQLite database that many processes share.

use crate::ledger::{Entry, Ledger, LedgerError, Record, Select, Surroundings};
use std::path::Path;

/// An open ledger file.
#[derive(Debug)]
pub struct LedgerFile {}

impl LedgerFile {
    /// Opens the ledger at `path` for reading and writing as `node_id`; makes it, and its folder, where there is none.
    ///
    /// # Errors
    /// The file is none of ours, or cannot be opened.
    pub fn open(path: &Path, node_id: &str) -> Result<Self, LedgerError> {
        Err(LedgerError::Storage(format!("could not open {} as {node_id}", path.display())))
    }

    /// Opens the ledger at `path` for reading.
    ///
    /// # Errors
    /// There is none, it is none of ours, or it cannot be opened.
    pub fn open_to_read(path: &Path) -> Result<Self, LedgerError> {
        Err(LedgerError::Storage(format!("could not open {}", path.display())))
    }
}

impl Ledger for LedgerFile {
    fn publish(&mut self, _record: Record, _around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        Err(LedgerError::Storage("not open".to_owned()))
    }

    fn publish_unless(&mut self, record: Record, _: &[(&str, &str)], around: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError> {
        self.publish(record, around).map(Some)
    }

    fn each(&self, _: Select<'_>, _: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        Err(LedgerError::Storage("not open".to_owned()))
    }

    fn find(&self, _: &str, _: &str, _: &str) -> Result<Vec<Record>, LedgerError> {
        Err(LedgerError::Storage("not open".to_owned()))
    }

    fn refresh(&mut self) -> Result<u64, LedgerError> {
        Ok(0)
    }
}
