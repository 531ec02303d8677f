//! A replica in memory: every operation it observed, and what they make together.
//!
//! Pure: the state depends on the set of operations and not on their order.

use super::operation::{Kind, Operation};
use super::{Entry, LedgerError};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Where an entry stands in the state: the least clock and node of its operations, and its key.
pub type Place = (u64, String, String);

/// The greatest clock seen of each node.
pub type VersionVector = BTreeMap<String, u64>;

/// What observing an operation did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observed {
    /// It sets its key now.
    Applied,
    /// It lost to what its key has.
    Outranked,
    /// It was here before.
    Known,
}

impl Observed {
    /// Whether the state changed.
    pub fn changed(self) -> bool {
        self == Self::Applied
    }
}

/// What is known of a key.
#[derive(Debug, Clone, PartialEq)]
struct Held {
    /// The operation that sets it, by index.
    winner: usize,
    /// Its place's clock and node.
    first: (u64, String),
}

/// Operations, and the state they make.
#[derive(Debug, Clone, Default)]
pub struct Replica {
    operations: Vec<Operation>,
    by_id: HashMap<String, usize>,
    held: HashMap<String, Held>,
    order: BTreeSet<Place>,
    vector: VersionVector,
    clock: u64,
}

impl Replica {
    /// A replica that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes an operation in.
    ///
    /// # Errors
    /// It is out of its bounds or does not read, or its `op_id` is that of another operation. Then nothing changed.
    pub fn observe(&mut self, operation: Operation) -> Result<Observed, LedgerError> {
        operation.within_bounds()?;
        operation.reads()?;
        if let Some(&known) = self.by_id.get(&operation.op_id) {
            return if self.operations[known] == operation { Ok(Observed::Known) } else { Err(two_of_one_name()) };
        }
        let index = self.operations.len();
        self.clock = self.clock.max(operation.clock);
        let seen = self.vector.entry(operation.node_id.clone()).or_default();
        *seen = (*seen).max(operation.clock);
        self.by_id.insert(operation.op_id.clone(), index);
        let first = (operation.clock, operation.node_id.clone());
        let place = |first: &(u64, String)| (first.0, first.1.clone(), operation.gid.clone());
        let observed = match self.held.get_mut(&operation.gid) {
            None => {
                self.order.insert(place(&first));
                self.held.insert(operation.gid.clone(), Held { winner: index, first });
                Observed::Applied
            }
            Some(held) => {
                if first < held.first {
                    self.order.remove(&place(&held.first));
                    self.order.insert(place(&first));
                    held.first = first;
                }
                if operation.rank() > self.operations[held.winner].rank() {
                    held.winner = index;
                    Observed::Applied
                } else {
                    Observed::Outranked
                }
            }
        };
        self.operations.push(operation);
        Ok(observed)
    }

    /// Takes in every operation of another replica; how many changed the state.
    ///
    /// # Errors
    /// As [`Replica::observe`]; what came before stays.
    pub fn merge(&mut self, other: &Self) -> Result<u64, LedgerError> {
        let mut changed = 0;
        for operation in &other.operations {
            changed += u64::from(self.observe(operation.clone())?.changed());
        }
        Ok(changed)
    }

    /// The greatest clock observed; a local write uses the next.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// The greatest clock seen of each node.
    pub fn vector(&self) -> &VersionVector {
        &self.vector
    }

    /// The operations that a peer with this vector lacks.
    pub fn missing_for<'r>(&'r self, peer: &'r VersionVector) -> impl Iterator<Item = &'r Operation> {
        self.operations.iter().filter(|operation| peer.get(&operation.node_id).is_none_or(|&seen| operation.clock > seen))
    }

    /// The operation that sets a key; a tombstone too.
    pub fn winner(&self, gid: &str) -> Option<&Operation> {
        self.held.get(gid).map(|held| &self.operations[held.winner])
    }

    /// The place of a key.
    pub fn place(&self, gid: &str) -> Option<Place> {
        self.held.get(gid).map(|held| (held.first.0, held.first.1.clone(), gid.to_owned()))
    }

    /// The live entries in state order.
    pub fn state(&self) -> impl Iterator<Item = Entry> {
        let winners = self.order.iter().filter_map(|(_, _, gid)| self.winner(gid));
        winners.filter(|winner| winner.kind == Kind::Upsert).map(Operation::entry)
    }

    /// Every operation, in the order it was observed.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }
}

/// The refusal of a second operation under a known name.
pub(crate) fn two_of_one_name() -> LedgerError {
    LedgerError::Unpublishable(
        "LEDGER_OPERATION_FORGED: two different operations have one op_id; one of them is not what its node made".to_owned(),
    )
}
