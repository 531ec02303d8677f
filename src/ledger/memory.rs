//! A ledger in memory, for snapshots and tests: a replica with an index over its records.

use super::operation::{Kind, NO_PAYLOAD, Operation};
use super::replica::{Observed, Place, Replica};
use super::surroundings::random_gid;
use super::{Entry, Ledger, LedgerError, Record, Select, Surroundings};
use std::collections::{BTreeSet, HashMap};

/// A ledger of one node that nobody else writes.
#[derive(Debug, Clone, Default)]
pub struct MemoryLedger {
    node_id: String,
    replica: Replica,
    live: usize,
    by_type: HashMap<String, BTreeSet<Place>>,
    /// Type, field and text of live records that have them.
    by_text: HashMap<(String, String, String), BTreeSet<Place>>,
}

impl MemoryLedger {
    /// An empty ledger of this node.
    pub fn new(node_id: &str) -> Self {
        Self { node_id: node_id.to_owned(), ..Self::default() }
    }

    /// How many live entries it has.
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// The operations behind it.
    pub fn replica(&self) -> &Replica {
        &self.replica
    }

    /// Takes in an operation, another node's or its own.
    ///
    /// # Errors
    /// As [`Replica::observe`].
    pub fn observe(&mut self, operation: Operation) -> Result<Observed, LedgerError> {
        let gid = operation.gid.clone();
        let before = self.replica.place(&gid).zip(self.replica.winner(&gid).map(Indexed::of));
        let observed = self.replica.observe(operation)?;
        let after = self.replica.place(&gid);
        if let Some((place, indexed)) = before
            && (observed.changed() || after.as_ref() != Some(&place))
        {
            self.forget(&place, &indexed);
            self.remember(&gid);
        } else if observed.changed() {
            self.remember(&gid);
        }
        Ok(observed)
    }

    /// Leaves a tombstone for a key; `None` when no live entry has it.
    ///
    /// # Errors
    /// The clock is used up.
    pub fn delete(&mut self, gid: &str, around: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError> {
        if self.replica.winner(gid).is_none_or(|winner| winner.kind == Kind::Delete) {
            return Ok(None);
        }
        let operation = Operation::new(&self.node_id, self.replica.clock() + 1, Kind::Delete, gid, NO_PAYLOAD.to_owned(), around.now());
        let entry = operation.entry();
        self.observe(operation)?;
        Ok(Some(entry))
    }

    fn forget(&mut self, place: &Place, indexed: &Indexed) {
        let Indexed::Live { record_type, texts } = indexed else { return };
        self.live -= 1;
        if let Some(places) = self.by_type.get_mut(record_type) {
            places.remove(place);
        }
        for (field, said) in texts {
            let key = (record_type.clone(), field.clone(), said.clone());
            if let Some(places) = self.by_text.get_mut(&key) {
                places.remove(place);
                if places.is_empty() {
                    self.by_text.remove(&key);
                }
            }
        }
    }

    fn remember(&mut self, gid: &str) {
        let (Some(place), Some(indexed)) = (self.replica.place(gid), self.replica.winner(gid).map(Indexed::of)) else { return };
        let Indexed::Live { record_type, texts } = indexed else { return };
        self.live += 1;
        for (field, said) in texts {
            self.by_text.entry((record_type.clone(), field, said)).or_default().insert(place.clone());
        }
        self.by_type.entry(record_type).or_default().insert(place);
    }

    fn at(&self, place: &Place) -> Option<&Operation> {
        self.replica.winner(&place.2)
    }
}

/// What is indexed of an operation.
enum Indexed {
    Live { record_type: String, texts: Vec<(String, String)> },
    Deleted,
}

impl Indexed {
    fn of(operation: &Operation) -> Self {
        if operation.kind == Kind::Delete {
            return Self::Deleted;
        }
        let record = Record::parse(&operation.payload).unwrap_or_default();
        // Long texts are no ids; who asks for one has its type read through.
        let texts = record.members().keys().map(|field| (field.clone(), record.text(field)));
        let texts = texts.filter(|(_, said)| !said.is_empty() && said.len() <= TEXT_LIMIT).collect();
        Self::Live { record_type: record.record_type().to_owned(), texts }
    }
}

/// The longest text that is indexed, in bytes.
const TEXT_LIMIT: usize = 256;

/// Fills what a published record must have, where absent; its key and the time.
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

/// The operation that publishes a record: filled, within its bounds, and read back strictly.
pub(crate) fn operation_of(mut record: Record, node_id: &str, clock: u64, around: &mut dyn Surroundings) -> Result<Operation, LedgerError> {
    let (gid, ts) = fill(&mut record, node_id, around)?;
    let operation = Operation::new(node_id, clock, Kind::Upsert, &gid, record.to_line(), ts);
    operation.within_bounds()?;
    // What was built in code may nest deeper than any reader follows.
    operation.reads()?;
    Ok(operation)
}

impl Ledger for MemoryLedger {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        let operation = operation_of(record, &self.node_id, self.replica.clock() + 1, around)?;
        let entry = operation.entry();
        self.observe(operation)?;
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
        if select.types.is_empty() {
            return self.replica.state().try_for_each(|entry| seen(&entry));
        }
        // Places of several types, in one order.
        let places: BTreeSet<&Place> = select.types.iter().filter_map(|wanted| self.by_type.get(*wanted)).flatten().collect();
        places.into_iter().filter_map(|place| self.at(place)).try_for_each(|winner| seen(&winner.entry()))
    }

    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError> {
        let indexed = !said.is_empty() && said.len() <= TEXT_LIMIT && !field.contains('.');
        let places = if indexed {
            self.by_text.get(&(record_type.to_owned(), field.to_owned(), said.to_owned()))
        } else {
            self.by_type.get(record_type)
        };
        let records = places.into_iter().flatten().filter_map(|place| Record::parse(&self.at(place)?.payload).ok());
        Ok(records.filter(|record| record.text(field) == said).collect())
    }

    fn refresh(&mut self) -> Result<u64, LedgerError> {
        Ok(0)
    }
}
