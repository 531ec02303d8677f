//! The records of the chain as values, for what judges a whole trail at once.

use super::trail::chain_types;
use crate::json::Value;
use crate::ledger::{Ledger, LedgerError, Select};

/// Calls `judge` with the records of the chain that a ledger holds, in state order.
///
/// # Errors
/// The storage failed.
pub fn with_records<R>(ledger: &dyn Ledger, judge: impl FnOnce(Vec<Value<'_>>) -> R) -> Result<R, LedgerError> {
    let mut texts = Vec::new();
    ledger.each(Select { types: &chain_types() }, &mut |entry| {
        texts.push(entry.payload.clone());
        Ok(())
    })?;
    let records: Vec<_> = texts.iter().filter_map(|text| crate::json::parse(text.as_bytes()).ok()).collect();
    Ok(judge(records))
}
