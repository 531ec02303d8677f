//! Lines of operations and records: what is taken in converges whatever the order, and is the greatest of its key.

use landfall::ledger::lines::{Item, Lines};
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Entry, Kind, Ledger, MemoryLedger, Operation, Replica};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The target.
pub fn feed(bytes: &[u8]) {
    let mut lines = Lines::new(bytes);
    let (mut operations, mut records) = (Vec::new(), Vec::new());
    while let Some(item) = lines.next_item().expect("memory reads") {
        match item {
            Ok(Item::Operation(operation)) => operations.push(operation),
            Ok(Item::Record(record)) => records.push(record),
            Err(fault) => assert!(!fault.what.contains(char::is_control) && fault.line >= 1 && fault.column >= 1),
        }
    }
    // Two operations of one name are refused, so only the first of each is told to the others.
    let mut forward = Replica::new();
    operations.retain(|operation| forward.observe(operation.clone()).is_ok());
    let mut backward = Replica::new();
    for operation in operations.iter().rev() {
        backward.observe(operation.clone()).expect("what one replica takes, another takes");
    }
    let state: Vec<_> = forward.state().collect();
    assert_eq!(state, backward.state().collect::<Vec<_>>(), "two orders of the same operations end in two states");
    assert_eq!(forward.vector(), backward.vector());
    greatest(&operations, &state);
    for operation in &operations {
        let line = operation.to_line();
        let read = Lines::new(line.as_bytes()).next_item().expect("memory reads");
        assert_eq!(read, Some(Ok(Item::Operation(operation.clone()))), "an operation's line reads as another");
    }
    let mut ledger = MemoryLedger::new("n");
    let mut around = Scripted::new(1000.0, 1.0);
    for record in records {
        // A record that cannot be published leaves no trace.
        let before = ledger.len();
        assert!(ledger.publish(record, &mut around).is_ok() || ledger.len() == before);
    }
}

/// The state by the rule itself: of each key the operation of the highest clock stands, then that of the greatest node, then
/// that of the least operation id.
fn greatest(operations: &[Operation], state: &[Entry]) {
    let mut wanted: BTreeMap<&str, &Operation> = BTreeMap::new();
    for operation in operations {
        let standing = wanted.entry(&operation.gid).or_insert(operation);
        let rank = |operation: &Operation| (operation.clock, operation.node_id.clone(), Reverse(operation.op_id.clone()));
        if rank(operation) > rank(standing) {
            *standing = operation;
        }
    }
    wanted.retain(|_, operation| operation.kind == Kind::Upsert);
    assert_eq!(state.len(), wanted.len(), "keys were lost or made up");
    for entry in state {
        let standing = wanted.get(entry.gid.as_str()).map(|operation| (operation.clock, &operation.node_id, &operation.payload));
        assert_eq!(standing, Some((entry.clock, &entry.node_id, &entry.payload)), "another operation stands than the greatest");
    }
}
