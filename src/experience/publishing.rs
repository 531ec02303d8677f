//! Publishing: only what keeps its contract, and a logical record only once.
//!
//! The ledger itself knows no uniqueness. Section 14 b of the specification lets evidence, memory and
//! scenario writers skip what is there under the same own id; ids that are made from a scenario's id
//! are shared by every directive that replays it, so there the directive must be the same too.

use crate::ledger::{Ledger, LedgerError, Record, Surroundings};

/// Why a writer of the loop published nothing.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    /// The arguments, or the record they make, are refused.
    #[error("{0}")]
    Refused(String),
    /// The ledger could not answer.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What became of one record.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// It was published.
    Published(Record),
    /// One with its id is there already; this is the stored one, left as it is.
    Kept(Record),
    /// It breaks its contract, for these reasons, and was not published.
    Refused(Record, Vec<String>),
}

/// What became of the records of one writer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batch {
    /// Published in this run.
    pub published: Vec<Record>,
    /// There already.
    pub kept: Vec<Record>,
    /// Not published, with the reasons.
    pub refused: Vec<(Record, Vec<String>)>,
}

impl Batch {
    /// Adds one outcome.
    pub fn add(&mut self, written: Written) {
        match written {
            Written::Published(record) => self.published.push(record),
            Written::Kept(record) => self.kept.push(record),
            Written::Refused(record, reasons) => self.refused.push((record, reasons)),
        }
    }

    /// Published and kept: what the ledger has of them now.
    pub fn at_hand(&self) -> usize {
        self.published.len() + self.kept.len()
    }
}

/// Publishes a record that keeps its contract.
///
/// # Errors
/// It does not, or the ledger failed; nothing is published then.
pub fn publish(record: Record, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Record, LoopError> {
    let record = checked(record)?;
    ledger.publish(record.clone(), around)?;
    Ok(record)
}

/// The record, if it keeps its contract.
///
/// # Errors
/// It does not.
pub fn checked(record: Record) -> Result<Record, LoopError> {
    let verdict = record.verdict();
    if verdict.valid {
        return Ok(record);
    }
    Err(LoopError::Refused(format!("the {} would break its contract: {}", record.record_type(), verdict.reasons.join(", "))))
}

/// Publishes a record unless one of its type has the same own id.
///
/// # Errors
/// The ledger failed.
pub fn publish_once(
    record: Record,
    id_field: &str,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
) -> Result<Written, LedgerError> {
    let verdict = record.verdict();
    if !verdict.valid {
        return Ok(Written::Refused(record, verdict.reasons));
    }
    let id = record.text(id_field);
    match ledger.publish_unless(record.clone(), &[(id_field, &id)], around) {
        Ok(Some(_)) => return Ok(Written::Published(record)),
        Ok(None) => {}
        // One record that the ledger does not take, say an overlong one, is no reason to leave out the others.
        Err(LedgerError::Unpublishable(reason)) => return Ok(Written::Refused(record, vec![reason])),
        Err(error) => return Err(error),
    }
    let stored = ledger.find(record.record_type(), id_field, &id)?.into_iter().next();
    Ok(Written::Kept(stored.unwrap_or(record)))
}

/// Publishes a record unless one of its type has the same own id and the same directive, both at the top level.
///
/// Looked up by the directive, of which there is little; many directives may share the own id.
///
/// # Errors
/// The ledger failed.
pub fn publish_once_per_directive(
    record: Record,
    id_field: &str,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
) -> Result<Written, LedgerError> {
    let (id, directive) = (record.text(id_field), record.text("directive_id"));
    let of_directive = ledger.find(record.record_type(), "directive_id", &directive)?;
    match of_directive.into_iter().find(|stored| stored.text(id_field) == id) {
        Some(same) => Ok(Written::Kept(same)),
        None => publish_checked(record, ledger, around),
    }
}

/// Publishes a record that is known to be new, if it keeps its contract and the ledger takes it.
///
/// # Errors
/// The ledger failed.
pub(super) fn publish_checked(record: Record, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Written, LedgerError> {
    let verdict = record.verdict();
    if !verdict.valid {
        return Ok(Written::Refused(record, verdict.reasons));
    }
    match ledger.publish(record.clone(), around) {
        Ok(_) => Ok(Written::Published(record)),
        Err(LedgerError::Unpublishable(reason)) => Ok(Written::Refused(record, vec![reason])),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;
    use serde_json::json;

    fn execution(directive: &str) -> Record {
        Record::new("simulation_replay_execution")
            .with("execution_id", "exec-a")
            .with("scenario_id", "a")
            .with("directive_id", directive)
            .with("status", "completed")
            .with("dry_run", true)
    }

    #[test]
    fn two_directives_over_one_scenario_each_keep_their_record() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        let mut write = |directive| {
            publish_once_per_directive(execution(directive), "execution_id", &mut ledger, &mut around).expect("memory takes it")
        };
        assert!(matches!(write("d1"), Written::Published(_)));
        assert!(matches!(write("d1"), Written::Kept(_)));
        assert!(matches!(write("d2"), Written::Published(_)));
        assert!(matches!(write("d2"), Written::Kept(_)));
        assert_eq!(ledger.len(), 2);
    }

    #[test]
    fn an_own_id_is_published_once_and_stays_as_it_was() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        publish_once(execution("d1"), "execution_id", &mut ledger, &mut around).expect("memory takes it");
        let again = publish_once(execution("d2"), "execution_id", &mut ledger, &mut around).expect("memory takes it");
        assert!(matches!(again, Written::Kept(stored) if stored.text("directive_id") == "d1"));
    }

    #[test]
    fn what_breaks_its_contract_is_not_published() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        let live = execution("d1").with("dry_run", json!("yes"));
        let written = publish_once(live.clone(), "execution_id", &mut ledger, &mut around).expect("memory answers");
        assert!(matches!(written, Written::Refused(_, reasons) if reasons == ["replay_execution_not_dry_run"]));
        assert!(matches!(publish(live, &mut ledger, &mut around), Err(LoopError::Refused(_))));
        assert!(ledger.is_empty());
    }
}
