//! Other software writes the same file: it knows the four tables and nothing of an index, and no search
//! misses what it wrote, changed or removed. What a search answers is held to a reading of everything.

use super::{LedgerFile, schema};
use crate::ledger::surroundings::Scripted;
use crate::ledger::{Entry, Ledger, Record, Select};
use proptest::prelude::*;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

const TYPES: [&str; 2] = ["t", "u"];

fn scratch() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("ledger.db");
    (folder, path)
}

fn run(path: &Path, script: &str) {
    Connection::open(path).expect("it opens").execute_batch(script).expect("the test's SQL runs");
}

fn entries(ledger: &LedgerFile, types: &[&str]) -> Vec<Entry> {
    let mut entries = Vec::new();
    ledger
        .each(Select { types }, &mut |entry| {
            entries.push(entry.clone());
            Ok(())
        })
        .expect("it reads");
    entries
}

/// Holds every search to what a reading of everything finds; how much that was.
fn agrees(ledger: &LedgerFile) -> usize {
    let all: Vec<_> = entries(ledger, &[]).into_iter().map(|entry| (Record::parse(&entry.payload).expect("it reads"), entry)).collect();
    for record_type in TYPES {
        let of_type: Vec<_> = all.iter().filter(|(record, _)| record.record_type() == record_type).collect();
        assert_eq!(entries(ledger, &[record_type]), of_type.iter().map(|(_, entry)| entry.clone()).collect::<Vec<_>>());
        for said in ["0", "1", "2", ""] {
            let wanted: Vec<_> = of_type.iter().map(|(record, _)| record).filter(|record| record.text("plan_id") == said).collect();
            let found = ledger.find(record_type, "plan_id", said).expect("it reads");
            assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{record_type} {said}");
        }
    }
    all.len()
}

fn payload(said: u8) -> String {
    let text = if said.is_multiple_of(2) { format!("\" {}\"", said % 3) } else { format!("{}", said % 3) };
    format!("{{\"plan_id\":{text},\"type\":\"{}\"}}", TYPES[usize::from(said / 3) % 2])
}

/// What somebody does to the file.
#[derive(Debug, Clone)]
enum Act {
    Ours(u8, u8),
    Appended(u8, u8),
    Changed(u8, u8),
    Removed(u8),
    RemovedLast,
    Placed(u8, u8),
    WithoutTriggers,
    Refreshed,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (0..4_u8, 0..12_u8).prop_map(|(gid, said)| Act::Ours(gid, said)),
        (0..4_u8, 0..12_u8).prop_map(|(gid, said)| Act::Appended(gid, said)),
        (0..9_u8, 0..12_u8).prop_map(|(row, said)| Act::Changed(row, said)),
        (0..9_u8).prop_map(Act::Removed),
        Just(Act::RemovedLast),
        (0..9_u8, 0..12_u8).prop_map(|(row, said)| Act::Placed(row, said)),
        Just(Act::WithoutTriggers),
        Just(Act::Refreshed),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_search_misses_what_other_software_wrote(acts in prop::collection::vec(act(), 1..14)) {
        let (_folder, path) = scratch();
        let mut around = Scripted::new(1.0, 1.0);
        let mut writer = LedgerFile::open(&path, "n").expect("it opens");
        let mut reader = LedgerFile::open_to_read(&path).expect("it opens");
        for (turn, act) in acts.iter().enumerate() {
            match act {
                Act::Ours(gid, said) => {
                    let record = Record::parse(&payload(*said)).expect("it reads").with("gid", format!("g{gid}"));
                    writer.publish(record, &mut around).expect("it publishes");
                }
                Act::Appended(gid, said) => run(&path, &format!(
                    "INSERT INTO ops VALUES ('o{turn}', 'm', {turn} + 1, 'upsert', 'g{gid}', '{}', 1.0)", payload(*said))),
                Act::Changed(row, said) => run(&path, &format!("UPDATE ops SET payload = '{}' WHERE rowid = {row}", payload(*said))),
                Act::Removed(row) => run(&path, &format!("DELETE FROM ops WHERE rowid = {row}")),
                Act::RemovedLast => run(&path, "DELETE FROM ops WHERE rowid = (SELECT max(rowid) FROM ops)"),
                Act::Placed(row, said) => run(&path, &format!(
                    "INSERT OR REPLACE INTO ops (rowid, op_id, node_id, clock, kind, gid, payload, ts) \
                     VALUES ({row} + 1, 'o{turn}', 'm', {turn} + 1, 'upsert', 'g9', '{}', 1.0)", payload(*said))),
                // Who writes without triggers only ever adds.
                Act::WithoutTriggers => {
                    let connection = Connection::open(&path).expect("it opens");
                    connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false).expect("it is set");
                    let row = format!("INSERT INTO ops VALUES ('o{turn}', 'm', {turn} + 1, 'upsert', 'g7', '{}', 1.0)", payload(4));
                    connection.execute_batch(&row).expect("it adds");
                }
                Act::Refreshed => drop(reader.refresh().expect("it reads")),
            }
            agrees(&reader);
            writer.refresh().expect("it reads");
            agrees(&writer);
        }
        // Whoever opens it next sees the same, before and after another write.
        let count = agrees(&LedgerFile::open_to_read(&path).expect("it opens"));
        prop_assert_eq!(agrees(&LedgerFile::open(&path, "m").expect("it opens")), count);
        writer.publish(Record::new("t"), &mut around).expect("it publishes");
        prop_assert_eq!(agrees(&writer), count + 1);
        let seen = writer.check().expect("it reads");
        prop_assert!(!seen.faults.contains_key(&super::Fault::IndexDiffers), "{:?}", seen);
    }
}

#[test]
fn a_writer_sees_a_repeat_that_other_software_put() {
    let (_folder, path) = scratch();
    let mut around = Scripted::new(1.0, 1.0);
    let mut ledger = LedgerFile::open(&path, "n").expect("it opens");
    ledger.publish(Record::new("t").with("plan_id", "0"), &mut around).expect("it publishes");
    run(&path, &format!("INSERT INTO ops VALUES ('o', 'm', 5, 'upsert', 'g', '{}', 1.0)", payload(1)));
    for (plan, there) in [("0", true), ("1", true), ("2", false)] {
        let record = Record::new("t").with("plan_id", plan);
        let published = ledger.publish_unless(record, &[("plan_id", plan)], &mut around).expect("it works");
        assert_eq!(published.is_none(), there, "{plan}");
    }
}

#[test]
fn a_file_of_the_version_before_reads_and_its_next_writer_changes_its_indexes() {
    let (_folder, path) = scratch();
    let mut around = Scripted::new(1.0, 1.0);
    let mut ledger = LedgerFile::open(&path, "n").expect("it opens");
    for said in 0..12 {
        ledger.publish(Record::parse(&payload(said)).expect("it reads"), &mut around).expect("it publishes");
    }
    drop(ledger);
    let early = ["ops_by_plain_type", "ops_by_type", "ops_by_field_plan_id", "ops_by_field_gid"];
    let indexes: Vec<_> = early.iter().filter_map(|name| schema::index_sql(name)).collect();
    assert_eq!(indexes.len(), early.len());
    run(
        &path,
        "DROP TRIGGER ops_note_insert; DROP TRIGGER ops_note_update; DROP TRIGGER ops_note_delete; DROP TABLE ops_terms; DROP TABLE ops_termed",
    );
    run(&path, &indexes.join(";"));
    let before = std::fs::metadata(&path).expect("it is there").len();
    assert_eq!(agrees(&LedgerFile::open_to_read(&path).expect("it opens")), 12);
    assert_eq!(std::fs::metadata(&path).expect("it is there").len(), before, "a reader changes nothing");
    let mut writer = LedgerFile::open(&path, "n").expect("it opens");
    assert_eq!(agrees(&writer), 12);
    writer.publish(Record::new("t"), &mut around).expect("it publishes");
    assert_eq!(agrees(&writer), 13);
    assert!(writer.check().expect("it reads").is_sound());
    let left = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'ops_by_field%' OR name LIKE 'ops_by%type'";
    let left: i64 = Connection::open(&path).expect("it opens").query_row(left, [], |row| row.get(0)).expect("it counts");
    assert_eq!(left, 0);
}

#[test]
fn an_index_for_other_fields_is_made_anew() {
    let (_folder, path) = scratch();
    let mut around = Scripted::new(1.0, 1.0);
    let mut ledger = LedgerFile::open(&path, "n").expect("it opens");
    ledger.publish(Record::parse(&payload(1)).expect("it reads"), &mut around).expect("it publishes");
    // As another release would have left it: without the terms of a field.
    run(&path, "UPDATE ops_termed SET fields = fields + 1; DELETE FROM ops_terms");
    assert_eq!(agrees(&ledger), 1);
    assert_eq!(agrees(&LedgerFile::open_to_read(&path).expect("it opens")), 1);
    ledger.publish(Record::new("t"), &mut around).expect("it publishes");
    assert_eq!(agrees(&ledger), 2);
    assert!(ledger.check().expect("it reads").is_sound());
}
