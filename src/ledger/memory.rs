//! A ledger in memory, for snapshots and tests.

use super::surroundings::random_gid;
use super::{Entry, Ledger, LedgerError, Record, Select, Surroundings};

/// A ledger of one node that nobody else writes.
#[derive(Debug, Clone, Default)]
pub struct MemoryLedger {
    node_id: String,
    entries: Vec<Entry>,
    clock: u64,
}

impl MemoryLedger {
    /// An empty ledger of this node.
    pub fn new(node_id: &str) -> Self {
        Self { node_id: node_id.to_owned(), ..Self::default() }
    }

    /// How many live entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// Fills what a published record must have, where absent; its key.
pub(crate) fn fill(record: &mut Record, node_id: &str, around: &mut dyn Surroundings) -> Result<(String, f64), LedgerError> {
    if record.record_type().is_empty() {
        return Err(LedgerError::Unpublishable("it has no type".to_owned()));
    }
    if record.text("gid").is_empty() {
        record.set("gid", random_gid(around));
    }
    let now = around.now();
    record.set_absent("node", node_id);
    let node = record.text("node");
    record.set_absent("node_id", node);
    record.set_absent("ts", now);
    Ok((record.text("gid"), now))
}

impl Ledger for MemoryLedger {
    fn publish(&mut self, mut record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        let (gid, ts) = fill(&mut record, &self.node_id, around)?;
        self.clock += 1;
        let entry = Entry { gid, payload: record.to_line(), clock: self.clock, node_id: self.node_id.clone(), ts };
        match self.entries.iter_mut().find(|known| known.gid == entry.gid) {
            Some(known) => known.clone_from(&entry),
            None => self.entries.push(entry.clone()),
        }
        Ok(entry)
    }

    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        for (field, said) in same {
            if !self.find(record.record_type(), field, said)?.is_empty() {
                return Ok(None);
            }
        }
        self.publish(record, around).map(Some)
    }

    fn each(&self, select: Select<'_>, seen: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        for entry in &self.entries {
            let wanted =
                select.types.is_empty() || Record::parse(&entry.payload).is_ok_and(|record| select.types.contains(&record.record_type()));
            if wanted {
                seen(entry)?;
            }
        }
        Ok(())
    }

    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError> {
        let records = self.entries.iter().filter_map(|entry| Record::parse(&entry.payload).ok());
        Ok(records.filter(|record| record.record_type() == record_type && record.text(field) == said).collect())
    }

    fn refresh(&mut self) -> Result<u64, LedgerError> {
        Ok(0)
    }
}
