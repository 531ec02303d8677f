//! Builders of the seven governance records: each a function from its parents to a record, or to
//! every reason why not (loop governance, section 6.1).
//!
//! No builder looks into a ledger, and none hands out a record that its contract refuses.

pub mod approval;
pub mod eligibility;
pub mod execution_result;
pub mod plan;
pub mod proposal;
pub mod refusal;
pub mod rendered;
pub mod rendered_result;
#[cfg(test)]
mod tests;

pub use refusal::Refusal;

use crate::ledger::Record;
use refusal::Refusals;
use serde_json::{Map, Value as Json};

/// Who makes a record, when, and under which id.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stamp<'s> {
    /// The record's source.
    pub source: &'s str,
    /// Seconds since 1970.
    pub now: f64,
    /// The record's own id, where it is given; else it follows from what the record says.
    pub id: Option<&'s str>,
}

impl Stamp<'_> {
    fn id_or(&self, made: impl FnOnce() -> String) -> String {
        self.id.map(str::trim).filter(|id| !id.is_empty()).map_or_else(made, str::to_owned)
    }

    /// The record with its stamp and payload, if its contract accepts it.
    fn seal(&self, record: Record, payload: Map<String, Json>) -> Result<Record, Refusals> {
        let record = record.with("source", self.source.trim()).with("created_at", self.now).with("payload", payload);
        refusal::sealed(record)
    }
}

/// An object of these members.
fn object<const N: usize>(members: [(&str, Json); N]) -> Map<String, Json> {
    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The members of `record` with these names, as texts, for a payload that repeats them.
fn repeated(record: &Record, fields: &[&str]) -> Map<String, Json> {
    fields.iter().map(|field| ((*field).to_owned(), Json::from(record.text(field)))).collect()
}

/// Whether a record claims that its execution is enabled, at the top or in the payload.
fn is_enabled(record: &Record) -> bool {
    record.is_set("execution_enabled") || record.is_set("payload.execution_enabled")
}

/// Whether a record claims that something was executed.
fn is_executed(record: &Record) -> bool {
    record.is_set("executed") || record.is_set("payload.executed")
}

/// Status and reason of what must not run: an enabled one is rejected, for nothing supports it.
fn outcome_of(enabled: bool) -> (&'static str, &'static str) {
    use super::terms::{DISABLED, NOT_SUPPORTED};
    if enabled { ("rejected", NOT_SUPPORTED) } else { ("skipped", DISABLED) }
}
