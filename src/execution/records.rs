//! The records of the chain as values, for what judges a whole trail at once.

use super::trail::chain_types;
use crate::json::Value;
use crate::ledger::{Ledger, LedgerError, Select};

/// Calls `judge` with the records of the chain that a ledger holds, in state order, and with the number of rows that
/// did not read: whoever judges must not pass over them in silence.
///
/// # Errors
/// The storage failed.
pub fn with_records<R>(ledger: &dyn Ledger, judge: impl FnOnce(Vec<Value<'_>>, u64) -> R) -> Result<R, LedgerError> {
    let mut texts = Vec::new();
    let before = ledger.passed_over();
    ledger.each(Select { types: &chain_types() }, &mut |entry| {
        texts.push(entry.payload.clone());
        Ok(())
    })?;
    let records: Vec<_> = texts.iter().filter_map(|text| crate::json::parse(text.as_bytes()).ok()).collect();
    let unreadable = ledger.passed_over().saturating_sub(before) + (texts.len() - records.len()) as u64;
    Ok(judge(records, unreadable))
}
