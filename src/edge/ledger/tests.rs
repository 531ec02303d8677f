//! The file against the replica, which is the rule it must follow.

use super::LedgerFile;
use crate::ledger::surroundings::Scripted;
use crate::ledger::{Kind, Ledger, MemoryLedger, Operation, Record, Select, each_record};
use proptest::prelude::*;
use std::path::PathBuf;

struct Scratch {
    folder: tempfile::TempDir,
    around: Scripted,
}

impl Scratch {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a scratch folder"), around: Scripted::new(1.0, 1.0) }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("deep/ledger.db")
    }

    fn open(&self, node: &str) -> LedgerFile {
        LedgerFile::open(&self.path(), node).expect("it opens")
    }
}

fn gids(ledger: &impl Ledger, types: &[&str]) -> Vec<String> {
    let mut gids = Vec::new();
    ledger
        .each(Select { types }, &mut |entry| {
            gids.push(entry.gid.clone());
            Ok(())
        })
        .expect("it reads");
    gids
}

fn proposal(id: &str, gid: &str) -> Record {
    Record::new("replay_lifecycle_retry_proposal").with("proposal_id", id).with("gid", gid)
}

#[test]
fn what_is_published_is_there_for_the_next_who_opens() {
    let mut scratch = Scratch::new();
    let entry = scratch.open("n1").publish(proposal("p1", "g1"), &mut scratch.around).expect("it publishes");
    assert_eq!((entry.clock, entry.node_id.as_str(), entry.gid.as_str()), (1, "n1", "g1"));
    let reader = LedgerFile::open_to_read(&scratch.path()).expect("it opens");
    let mut seen = Vec::new();
    let unread =
        each_record(&reader, Select::default(), &mut |entry, record| seen.push((entry.clone(), record.to_text()))).expect("it reads");
    assert_eq!((seen.len(), unread), (1, 0));
    assert_eq!(seen[0].0, entry);
    assert!(seen[0].1.contains("\"node_id\":\"n1\""), "{}", seen[0].1);
    assert_eq!(reader.vector().expect("it reads"), [("n1".to_owned(), 1)].into());
}

#[test]
fn a_reader_sees_nothing_new_until_it_refreshes() {
    let mut scratch = Scratch::new();
    let mut writer = scratch.open("n1");
    writer.publish(proposal("p1", "g1"), &mut scratch.around).expect("it publishes");
    let mut reader = LedgerFile::open_to_read(&scratch.path()).expect("it opens");
    let mut other = scratch.open("n2");
    writer.publish(proposal("p2", "g1"), &mut scratch.around).expect("it publishes");
    writer.publish(proposal("p3", "g2"), &mut scratch.around).expect("it publishes");
    assert_eq!(gids(&reader, &[]), ["g1"]);
    let ids = |reader: &LedgerFile, id: &str| reader.find("replay_lifecycle_retry_proposal", "proposal_id", id).expect("it reads").len();
    assert_eq!((ids(&reader, "p1"), ids(&reader, "p2")), (1, 0), "the payload is that of its time too");
    assert_eq!(gids(&reader, &["replay_lifecycle_retry_proposal"]), ["g1"]);
    assert_eq!(reader.refresh().expect("it reads"), 2);
    assert_eq!(reader.refresh().expect("it reads"), 0);
    assert_eq!((ids(&reader, "p1"), ids(&reader, "p2")), (0, 1));
    assert_eq!(gids(&reader, &[]), ["g1", "g2"]);
    // A writer knows what was there when it wrote, and its refresh still counts it.
    other.publish(proposal("p4", "g3"), &mut scratch.around).expect("it publishes");
    assert_eq!(gids(&other, &[]), ["g1", "g2", "g3"]);
    assert_eq!(other.refresh().expect("it reads"), 2);
    assert_eq!(writer.refresh().expect("it reads"), 1);
}

#[test]
fn a_repeat_is_not_published_and_a_tombstone_is_no_record() {
    let mut scratch = Scratch::new();
    let (mut one, mut two) = (scratch.open("n1"), scratch.open("n2"));
    let around = &mut scratch.around;
    let same = |id: &'static str| [("proposal_id", id), ("plan_id", "x")];
    assert!(one.publish_unless(proposal("p1", "g1"), &same("p1"), around).expect("it works").is_some());
    assert!(two.publish_unless(proposal("p1", "g2"), &same("p1"), around).expect("it works").is_none());
    assert!(two.publish_unless(proposal(" p2 ", "g3"), &same("p2"), around).expect("it works").is_some());
    assert!(one.publish_unless(proposal("p2", "g4"), &same("p2"), around).expect("it works").is_none());
    let number = Record::new("replay_lifecycle_retry_proposal").with("proposal_id", 12).with("gid", "g5");
    assert!(one.publish_unless(number, &same("12"), around).expect("it works").is_some());
    assert!(one.publish_unless(proposal("12", "g6"), &same("12"), around).expect("it works").is_none(), "a number is its text");
    let deleted = one.delete("g1", around).expect("it works").expect("it was live");
    assert_eq!(deleted.payload, "{}");
    assert!(one.delete("g1", around).expect("it works").is_none());
    assert_eq!(gids(&one, &[]), ["g3", "g5"]);
    assert!(two.publish_unless(proposal("p1", "g2"), &same("p1"), around).expect("it works").is_some());
    assert_eq!(gids(&two, &["replay_lifecycle_retry_proposal"]), ["g3", "g5", "g2"]);
}

#[test]
fn nothing_is_written_when_a_part_fails() {
    let mut scratch = Scratch::new();
    let mut ledger = scratch.open("n1");
    let around = &mut scratch.around;
    let failed = ledger.in_one_write(|batch| {
        batch.publish(proposal("p1", "g1"), around)?;
        batch.publish(Record::default(), around)
    });
    assert!(failed.is_err());
    assert_eq!(gids(&ledger, &[]), [""; 0]);
    let long = Record::new("t").with("text", "x".repeat(1 << 20));
    assert!(ledger.publish(long, around).is_err());
    let deep = (0..200).fold(serde_json::Value::Null, |inner, _| serde_json::Value::Array(vec![inner]));
    assert!(ledger.publish(Record::new("t").with("deep", deep), around).is_err());
    ledger.publish(proposal("p1", "g1"), around).expect("it publishes");
    assert_eq!(ledger.publish(proposal("p2", "g2"), around).expect("it publishes").clock, 2);
    assert!(LedgerFile::open_to_read(&scratch.path()).expect("it opens").publish(proposal("p3", "g3"), &mut scratch.around).is_err());
}

#[test]
fn long_entries_come_in_steps_and_all_of_them() {
    let mut scratch = Scratch::new();
    let mut ledger = scratch.open("n1");
    let around = &mut scratch.around;
    ledger
        .in_one_write(|batch| {
            for index in 0..700 {
                let text = "x".repeat(if index % 100 == 0 { 900_000 } else { 10 });
                batch.publish(Record::new(["a", "b"][index % 2]).with("gid", format!("{index:03}")).with("text", text), around)?;
            }
            Ok(())
        })
        .expect("it publishes");
    let all: Vec<_> = (0..700).map(|index| format!("{index:03}")).collect();
    assert_eq!(gids(&ledger, &[]), all);
    assert_eq!(gids(&ledger, &["b", "a"]), all);
    assert_eq!(gids(&ledger, &["b"]).len(), 350);
    let mut operations = 0;
    ledger
        .each_operation(&mut |_| {
            operations += 1;
            Ok(())
        })
        .expect("it reads");
    assert_eq!(operations, 700);
}

/// An operation of few nodes, keys and clocks, so that they meet; the name says the content.
fn operation() -> impl Strategy<Value = Operation> {
    (0..3_usize, 1..6_u64, 0..4_usize, 0..5_usize, 0..8_u32).prop_map(|(node, clock, gid, kind, said)| {
        let payload = format!("{{\"plan_id\":\"{}\",\"type\":\"{}\"}}", said % 3, ["t", "u"][said as usize % 2]);
        let (kind, payload) = if kind == 0 { (Kind::Delete, "{}".to_owned()) } else { (Kind::Upsert, payload) };
        Operation::new(["a", "b", "\u{fc}"][node], clock, kind, ["g", "h", "i", "j"][gid], payload, f64::from(said))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_file_is_the_replica(operations in proptest::collection::vec(operation(), 0..40)) {
        let scratch = Scratch::new();
        let mut file = scratch.open("n");
        let mut memory = MemoryLedger::new("n");
        file.in_one_write(|batch| {
            for operation in &operations {
                let (one, other) = (batch.observe(operation)?, memory.observe(operation.clone())?);
                assert_eq!(one, other);
            }
            Ok(())
        }).expect("it observes");
        let state = |ledger: &dyn Ledger, types: &[&str]| {
            let mut state = Vec::new();
            ledger.each(Select { types }, &mut |entry| { state.push(entry.clone()); Ok(()) }).expect("it reads");
            state
        };
        for types in [&[][..], &["t"], &["u"], &["u", "t"], &["none"]] {
            prop_assert_eq!(state(&file, types), state(&memory, types));
        }
        for said in ["0", "1", ""] {
            prop_assert_eq!(file.find("t", "plan_id", said).expect("it reads"), memory.find("t", "plan_id", said).expect("it reads"));
        }
        prop_assert_eq!(&file.vector().expect("it reads"), memory.replica().vector());
    }
}
