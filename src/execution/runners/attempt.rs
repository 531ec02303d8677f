//! The entries around a start: one before it, so that no start goes unseen, and one after.

use super::table::Runner;
use crate::contract::value::text;
use crate::governance::id::h16;
use crate::json::Value;
use crate::ledger::{Ledger, LedgerError, Record, Select, each_record};
use std::collections::HashMap;

/// The type of an entry.
pub const ATTEMPT: &str = "execution_attempt";

/// What an entry says in place of a result when nothing was started after all.
pub(super) const NOT_STARTED: &str = "not_started";

/// What the ledger says of the attempts for one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// None, or only such as started nothing: so many.
    Free(u64),
    /// One was begun and has no end.
    Open,
    /// One started something.
    Used,
}

/// The attempts of a ledger, by runner and source record.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    /// Of each attempt: begun, ended with a start, ended without.
    by_source: HashMap<(String, String), HashMap<String, [bool; 3]>>,
}

impl Attempts {
    /// Every attempt that a ledger holds.
    pub(super) fn of(ledger: &dyn Ledger) -> Result<Self, LedgerError> {
        let mut attempts = Self::default();
        each_record(ledger, Select { types: &[ATTEMPT] }, &mut |_, entry| attempts.add(entry))?;
        Ok(attempts)
    }

    fn add(&mut self, entry: &Value<'_>) {
        let said = |field: &str| text(entry.get(field)).into_owned();
        let of_source = self.by_source.entry((said("runner"), said("source_record_id"))).or_default();
        let phases = of_source.entry(said("execution_attempt_id")).or_default();
        let phase = match (&*said("phase"), &*said("result_record_id")) {
            ("after", NOT_STARTED) => 2,
            ("after", _) => 1,
            // Whatever else it says: something was begun.
            _ => 0,
        };
        phases[phase] = true;
    }

    /// What they say of a runner and a source.
    pub(super) fn state(&self, runner: &Runner, source: &str) -> State {
        let Some(of_source) = self.by_source.get(&(runner.name.to_owned(), source.to_owned())) else { return State::Free(0) };
        if of_source.values().any(|[begun, started, not]| *begun && !started && !not) {
            return State::Open;
        }
        if of_source.values().any(|[_, started, _]| *started) {
            return State::Used;
        }
        State::Free(of_source.len() as u64)
    }
}

/// The entry before a start.
pub(super) fn before(runner: &Runner, source: &Record, source_id: &str, digest: &str, number: u64) -> Record {
    let id = format!("execution-attempt-{}", h16(&[runner.name, source_id, &number.to_string()]));
    let mut entry = Record::new(ATTEMPT)
        .with("execution_attempt_id", id)
        .with("phase", "before")
        .with("runner", runner.name)
        .with("source_record_type", source.record_type())
        .with("source_record_id", source_id)
        .with("argv_digest", digest);
    for link in ["proposal_id", "plan_id", "rendered_command_id"] {
        let said = source.linked(link);
        if !said.is_empty() {
            entry.set(link, said);
        }
    }
    entry
}

/// The entry after it.
pub(super) fn after(before: &Record, exit_code: i32, result_id: &str) -> Record {
    before.clone().with("phase", "after").with("exit_code", exit_code).with("result_record_id", result_id)
}
