//! The rule of a replica: the state depends on the set of operations, not on their order.

use landfall::ledger::{Entry, Kind, MemoryLedger, Observed, Operation, Replica};
use proptest::prelude::*;

/// An operation of few nodes, keys and clocks, so that they meet. Its name is apart from its content, so
/// that two operations of equal clock, node and key come often.
fn operation() -> impl Strategy<Value = (u8, u64, u8, bool, u8)> {
    (0..3_u8, 1..5_u64, 0..3_u8, prop::bool::weighted(0.2), 0..4_u8)
}

fn made(parts: &[(u8, u64, u8, bool, u8)]) -> Vec<Operation> {
    let of = |(index, &(node, clock, gid, deleted, said)): (usize, &(u8, u64, u8, bool, u8))| {
        let payload = if deleted { "{}".to_owned() } else { format!("{{\"said\":{said},\"type\":\"t\"}}") };
        let kind = if deleted { Kind::Delete } else { Kind::Upsert };
        let mut operation = Operation::new(&format!("n{node}"), clock, kind, &format!("g{gid}"), payload, f64::from(said));
        // A digest would give the same act the same name.
        operation.op_id = format!("{:02x}-{index}", (index * 37) % 251);
        operation
    };
    parts.iter().enumerate().map(of).collect()
}

fn replica(operations: &[Operation]) -> Replica {
    let mut replica = Replica::new();
    for operation in operations {
        replica.observe(operation.clone()).expect("it observes");
    }
    replica
}

fn state(replica: &Replica) -> Vec<Entry> {
    replica.state().collect()
}

fn merged(one: &Replica, other: &Replica) -> Replica {
    let mut merged = one.clone();
    merged.merge(other).expect("it merges");
    merged
}

/// Some operations, and the same in another order.
fn shuffled() -> impl Strategy<Value = (Vec<Operation>, Vec<Operation>)> {
    prop::collection::vec(operation(), 0..30).prop_flat_map(|parts| {
        let operations = made(&parts);
        (Just(operations.clone()), Just(operations).prop_shuffle())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_operations_does_not_matter((operations, other) in shuffled()) {
        let (one, other) = (replica(&operations), replica(&other));
        prop_assert_eq!(state(&one), state(&other));
        prop_assert_eq!(one.vector(), other.vector());
        prop_assert_eq!(one.clock(), other.clock());
        for gid in ["g0", "g1", "g2"] {
            prop_assert_eq!(one.winner(gid), other.winner(gid));
        }
    }

    #[test]
    fn merging_is_commutative_associative_and_idempotent((operations, _) in shuffled(), cuts in (0..30_usize, 0..30_usize, 0..30_usize)) {
        let end = operations.len();
        let (low, high) = (cuts.0.min(end), cuts.1.min(end));
        // Parts overlap: an operation may come from two sides.
        let [a, b, c] = [&operations[..low.max(high)], &operations[low.min(high)..], &operations[..cuts.2.min(end)]].map(replica);
        prop_assert_eq!(state(&merged(&a, &b)), state(&merged(&b, &a)));
        prop_assert_eq!(state(&merged(&merged(&a, &b), &c)), state(&merged(&a, &merged(&b, &c))));
        let both = merged(&a, &b);
        prop_assert_eq!(both.clone().merge(&b).expect("it merges"), 0);
        prop_assert_eq!(state(&merged(&both, &both)), state(&both));
        prop_assert_eq!(both.operations().len(), operations.len());
    }

    #[test]
    fn replicas_that_write_and_exchange_by_vector_converge(script in prop::collection::vec((0..3_usize, 0..3_usize, 0..4_u8, any::<bool>()), 0..40)) {
        let mut replicas: [Replica; 3] = Default::default();
        for (step, (from, to, gid, exchange)) in script.into_iter().enumerate() {
            if exchange && from != to {
                let missing: Vec<_> = replicas[from].missing_for(replicas[to].vector()).cloned().collect();
                for operation in missing {
                    let wanted = replicas[to].observe(operation).expect("it observes");
                    prop_assert_ne!(wanted, Observed::Known, "a vector asks for nothing that is there");
                }
            } else {
                let clock = replicas[from].clock() + 1;
                let write = Operation::new(&format!("n{from}"), clock, Kind::Upsert, &format!("g{gid}"), format!("{{\"type\":\"t{step}\"}}"), 0.0);
                let won = replicas[from].observe(write).expect("it observes");
                prop_assert_eq!(won, Observed::Applied, "a local write wins over all that its node has seen");
            }
        }
        // Two rounds along a line carry everything everywhere.
        for _ in 0..2 {
            for (from, to) in [(0, 1), (1, 2), (2, 1), (1, 0)] {
                let missing: Vec<_> = replicas[from].missing_for(replicas[to].vector()).cloned().collect();
                for operation in missing {
                    replicas[to].observe(operation).expect("it observes");
                }
            }
        }
        prop_assert_eq!(state(&replicas[0]), state(&replicas[1]));
        prop_assert_eq!(state(&replicas[1]), state(&replicas[2]));
        prop_assert_eq!(replicas[0].vector(), replicas[2].vector());
    }
}

#[test]
fn clocks_decide_then_nodes_and_wall_time_never() {
    let set = |node: &str, clock, said: &str, ts| {
        Operation::new(node, clock, Kind::Upsert, "g", format!("{{\"said\":\"{said}\",\"type\":\"t\"}}"), ts)
    };
    let mut ledger = MemoryLedger::new("here");
    let said = |ledger: &MemoryLedger| ledger.replica().winner("g").map(|winner| winner.payload.clone()).unwrap_or_default();
    for (operation, wanted, now) in [
        (set("b", 2, "one", 9.0), Observed::Applied, "one"),
        (set("c", 1, "two", 99.0), Observed::Outranked, "one"),
        (set("a", 2, "three", 99.0), Observed::Outranked, "one"),
        (set("c", 2, "four", 1.0), Observed::Applied, "four"),
        (set("a", 3, "five", 0.0), Observed::Applied, "five"),
        (set("a", 3, "five", 0.0), Observed::Known, "five"),
    ] {
        assert_eq!(ledger.observe(operation).expect("it observes"), wanted);
        assert!(said(&ledger).contains(now), "{}", said(&ledger));
    }
    assert_eq!(ledger.replica().vector().get("c"), Some(&2), "an operation that lost counts in the vector");
}

#[test]
fn a_second_operation_under_a_known_name_changes_nothing_and_is_told() {
    let mut replica = Replica::new();
    let one = Operation::new("n", 1, Kind::Upsert, "g", "{\"type\":\"t\"}".to_owned(), 0.0);
    let forged = Operation { clock: 9, ..one.clone() };
    replica.observe(one.clone()).expect("it observes");
    assert!(replica.observe(forged).is_err_and(|error| error.to_string().contains("LEDGER_OPERATION_FORGED")));
    assert_eq!((replica.clock(), replica.winner("g")), (1, Some(&one)));
}
