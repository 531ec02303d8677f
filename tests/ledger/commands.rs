//! The commands of `ledger`, as a shell sees them.
#![expect(clippy::disallowed_methods, reason = "these tests are about files")]

use crate::landfall_binary::landfall;
use crate::process::Ran;
use landfall::edge::ledger::LedgerFile;
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Ledger, Record};
use std::path::{Path, PathBuf};

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A ledger of this node with two directives, one of them set twice, and a tombstone.
    fn ledger(&self, name: &str, node: &str) -> PathBuf {
        let path = self.path(name);
        let mut around = Scripted::new(1.0, 1.0);
        let mut ledger = LedgerFile::open(&path, node).expect("it opens");
        for (id, gid) in [("d1", "1"), ("d2", "2"), ("d3", "3"), ("d4", "1")] {
            let record = Record::new("swarm_directive").with("directive_id", id).with("gid", format!("{node}-{gid}")).with("u", "\u{fc}");
            ledger.publish(record, &mut around).expect("it publishes");
        }
        ledger.delete(&format!("{node}-3"), &mut around).expect("it deletes");
        ledger.publish(Record::new("evidence_record").with("gid", format!("{node}-5")), &mut around).expect("it publishes");
        path
    }
}

fn on(ledger: &Path, arguments: &[&str]) -> crate::landfall_binary::Landfall {
    arguments.iter().fold(landfall(&["ledger"]), |command, argument| command.arg(argument)).with("--db-path", ledger)
}

fn shown(ledger: &Path) -> String {
    on(ledger, &["show", "--json"]).ends_with(0).out
}

fn sound(ledger: &Path) -> Ran {
    on(ledger, &["check", "--format", "json"]).ends_with(0)
}

#[test]
fn show_prints_entries_in_state_order_and_says_when_there_is_none() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("a.db", "n1");
    let all = shown(&ledger);
    let gids: Vec<_> =
        all.lines().map(|line| line.split("\"gid\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("")).collect();
    assert_eq!(gids, ["n1-1", "n1-2", "n1-5"], "{all}");
    assert!(all.lines().all(|line| landfall::json::parse(line.as_bytes()).is_ok() && line.is_ascii()), "{all}");
    assert!(all.contains("\"clock\":4,\"gid\":\"n1-1\",\"node_id\":\"n1\",\"payload\":{\"directive_id\":\"d4\""), "{all}");
    let text = on(&ledger, &["show", "--type", "swarm_directive"]).ends_with(0).out;
    assert_eq!(text, "4 n1 n1-1 swarm_directive directive_id=d4\n2 n1 n1-2 swarm_directive directive_id=d2\n");
    assert_eq!(on(&ledger, &["show", "--type", "swarm_directive", "--type", "evidence_record"]).ends_with(0).out.lines().count(), 3);
    assert_eq!(on(&ledger, &["show", "--type", "none"]).ends_with(4).out, "");
    let none = on(&scratch.path("none.db"), &["show"]).ends_with(3);
    assert!(none.err.contains("LEDGER_MISSING"), "{}", none.err);
    assert!(!scratch.path("none.db").exists() && !scratch.path("none.db.lock").exists());
    landfall(&["ledger", "show"]).env("LANDFALL_LEDGER", ledger.to_str().expect("a plain path")).ends_with(0);
}

#[test]
fn what_is_exported_and_imported_is_an_equal_ledger() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("a.db", "n1");
    let lines = on(&ledger, &["export"]).ends_with(0).out;
    assert_eq!(lines.lines().count(), 6);
    let file = scratch.path("lines.jsonl");
    let said = on(&ledger, &["export", "--json"]).arg(&file).ends_with(0).out;
    assert_eq!(said, "{\"operations\":6,\"unreadable\":0}\n");
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), lines);
    let copy = scratch.path("b.db");
    let said = on(&copy, &["import", "--json"]).arg(&file).ends_with(0).out;
    assert_eq!(
        said,
        "{\"blank_lines\":0,\"operations_applied\":6,\"operations_known\":0,\"operations_outranked\":0,\"records_published\":0}\n"
    );
    assert_eq!(shown(&copy), shown(&ledger));
    assert_eq!(on(&copy, &["export"]).ends_with(0).out, lines);
    assert_eq!(sound(&copy).out, sound(&ledger).out);
    // In the reverse order too, and from a pipe; and once more, which changes nothing.
    let reverse: String = lines.lines().rev().map(|line| format!("{line}\n\n")).collect();
    let other = scratch.path("c.db");
    on(&other, &["import"]).input(reverse.clone()).ends_with(0);
    assert_eq!(shown(&other), shown(&ledger));
    let again = on(&other, &["import"]).input(reverse).ends_with(0).out;
    assert!(again.contains("operations_known=6") && again.contains("blank_lines=6"), "{again}");
    assert_eq!(sound(&other).out, sound(&ledger).out);
    let onto_itself = on(&ledger, &["export"]).arg(&ledger).ends_with(2);
    assert!(onto_itself.err.contains("itself"), "{}", onto_itself.err);
    sound(&ledger);
}

#[test]
fn an_import_with_a_bad_line_takes_nothing_and_says_where() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("a.db", "n1");
    let before = shown(&ledger);
    let good = "{\"type\":\"swarm_directive\",\"directive_id\":\"x\"}";
    for (bad, place) in [
        ("{\"type\":\"t\",}", "line 3, column 13: "),
        ("{\"type\":\"t\",\"type\":\"t\"}", "line 3, column 13: "),
        ("[]", "line 3, column 1: "),
        ("{\"op_id\":\"x\",\"kind\":\"upsert\"}", "line 3, column 1: "),
    ] {
        let refused = on(&ledger, &["import"]).input(format!("{good}\n\n{bad}\n{good}\n")).ends_with(1);
        assert!(refused.err.contains(&format!("LEDGER_LINE_UNREADABLE: {place}")), "{bad}: {}", refused.err);
        assert_eq!(shown(&ledger), before);
    }
    // A line that reads and cannot be taken in undoes those before it.
    let forged =
        on(&ledger, &["export"]).ends_with(0).out.lines().next().map(|line| line.replace("\"clock\":1", "\"clock\":77")).expect("a line");
    let refused = on(&ledger, &["import"]).input(format!("{good}\n{forged}\n")).ends_with(1);
    assert!(refused.err.contains("LEDGER_OPERATION_FORGED") && refused.err.contains("line 2"), "{}", refused.err);
    assert_eq!(shown(&ledger), before);
    for empty in ["", "\n \n"] {
        on(&ledger, &["import"]).input(empty).ends_with(4);
    }
    on(&scratch.path("none.db"), &["import"]).input("x").ends_with(1);
    assert!(!scratch.path("none.db").exists(), "a bad import makes no ledger");
    on(&ledger, &["import", "no-such-file"]).ends_with(3);
}

#[test]
fn records_are_published_by_the_source_and_acknowledged_one_by_one() {
    let scratch = Scratch::new();
    let ledger = scratch.path("a.db");
    let lines = "{\"type\":\"t\",\"gid\":\"g1\"}\n{\"type\":\"t\",\"gid\":\"g2\",\"node\":\"other\"}\n";
    let said = on(&ledger, &["import", "--source", "n7"]).input(lines).ends_with(0).out;
    assert!(said.contains("records_published=2"), "{said}");
    let all = shown(&ledger);
    assert!(all.contains("\"gid\":\"g1\",\"node_id\":\"n7\",\"payload\":{\"gid\":\"g1\",\"node\":\"n7\",\"node_id\":\"n7\""), "{all}");
    assert!(
        all.contains("\"gid\":\"g2\",\"node_id\":\"n7\",\"payload\":{\"gid\":\"g2\",\"node\":\"other\",\"node_id\":\"other\""),
        "{all}"
    );
    let ran = on(&ledger, &["import", "--acknowledge"])
        .input("{\"type\":\"t\",\"gid\":\"g3\"}\nx\n{\"type\":\"t\",\"gid\":\"g4\"}\n")
        .ends_with(1);
    assert_eq!(ran.out, "{\"gid\":\"g3\"}\n");
    assert!(ran.err.contains("line 2, column 1"), "{}", ran.err);
    assert_eq!(shown(&ledger).lines().count(), 3, "what was acknowledged stays");
    assert!(on(&ledger, &["import", "--source", " "]).input(lines).ends_with(1).err.contains("node"));
}

#[test]
fn two_ledgers_merged_both_ways_are_equal_and_the_giver_stays() {
    let scratch = Scratch::new();
    // One node wrote apart in two files: their vectors hide the one from the other.
    let (one, two) = (scratch.ledger("a.db", "n1"), scratch.ledger("b.db", "n2"));
    let third = scratch.ledger("c.db", "n2");
    let mut around = Scripted::new(50.0, 1.0);
    LedgerFile::open(&third, "n2").expect("it opens").publish(Record::new("t").with("gid", "n1-1"), &mut around).expect("it publishes");
    LedgerFile::open(&two, "n2").expect("it opens").publish(Record::new("u").with("gid", "n1-1"), &mut around).expect("it publishes");
    let bytes = |path: &Path| std::fs::read(path).expect("it is there");
    let merge = |a: &Path, b: &Path| landfall(&["ledger", "merge"]).arg(a).arg(b);
    let (copy_one, copy_two) = (scratch.path("one.db"), scratch.path("two.db"));
    for (from, to) in [(&one, &copy_one), (&two, &copy_two)] {
        std::fs::copy(from, to).expect("it copies");
    }
    let before = bytes(&two);
    let said = merge(&one, &two).ends_with(0).out;
    assert!(said.contains("applied=7"), "{said}");
    assert_eq!(bytes(&two), before);
    merge(&copy_two, &copy_one).ends_with(0);
    assert_eq!(shown(&one), shown(&copy_two));
    assert_eq!(sound(&one).out, sound(&copy_two).out);
    // What the vectors hide comes too, whichever way.
    merge(&one, &third).ends_with(0);
    merge(&third, &copy_two).ends_with(0);
    assert_eq!(shown(&one), shown(&third));
    assert!(merge(&one, &third).ends_with(0).out.contains("applied=0"));
    let into = scratch.path("into.db");
    let before = (bytes(&one), bytes(&two));
    merge(&one, &two).with("--into", &into).ends_with(0);
    assert_eq!((bytes(&one), bytes(&two)), before);
    assert_eq!(shown(&into), shown(&one));
    for (a, b) in [(&one, &one), (&scratch.path("x/../a.db"), &one)] {
        std::fs::create_dir_all(scratch.path("x")).expect("a folder");
        assert!(merge(a, b).ends_with(2).err.contains("itself"));
    }
    merge(&scratch.path("none.db"), &one).ends_with(3);
    merge(&one, &scratch.path("none.db")).ends_with(3);
    assert!(!scratch.path("none.db").exists());
}

#[test]
fn check_names_what_is_wrong() {
    let scratch = Scratch::new();
    let said = sound(&scratch.ledger("a.db", "n1")).out;
    assert_eq!(
        said,
        "{\"by_type\":{\"evidence_record\":1,\"swarm_directive\":2},\"checked\":true,\"entries\":3,\"faults\":{},\"nodes\":1,\"operations\":6,\
         \"status\":\"pass\",\"tombstones\":1}\n"
    );
    for (index, (edit, fault)) in [
        ("UPDATE records SET payload = '{\"type\":\"t\"}' WHERE gid = 'n1-1'", "LEDGER_RECORD_DIFFERS"),
        ("UPDATE records SET deleted = 1 WHERE gid = 'n1-1'", "LEDGER_RECORD_DIFFERS"),
        ("UPDATE records SET clock = 3 WHERE gid = 'n1-1'", "LEDGER_RECORD_DIFFERS"),
        ("UPDATE records SET payload = '{' WHERE gid = 'n1-1'", "LEDGER_RECORD_UNREADABLE"),
        ("DELETE FROM records WHERE gid = 'n1-1'", "LEDGER_RECORD_MISSING"),
        ("DELETE FROM ops WHERE gid = 'n1-5'", "LEDGER_RECORD_WITHOUT_OPERATION"),
        ("DELETE FROM ops WHERE gid = 'n1-1'", "LEDGER_RECORD_WITHOUT_OPERATION"),
        ("UPDATE ops SET payload = 'x' WHERE gid = 'n1-2'", "LEDGER_OPERATION_UNREADABLE"),
        ("UPDATE ops SET kind = 'x' WHERE gid = 'n1-2'", "LEDGER_OPERATION_UNREADABLE"),
        ("UPDATE ops SET payload = replace(hex(zeroblob(600000)), '0', ' ') || '{}' WHERE gid = 'n1-2'", "LEDGER_OPERATION_UNREADABLE"),
        ("UPDATE ops SET gid = CAST(x'ff' AS TEXT) WHERE gid = 'n1-2'", "LEDGER_OPERATION_UNREADABLE"),
        ("UPDATE version_vector SET clock = 5", "LEDGER_VECTOR_DIFFERS"),
        ("DELETE FROM version_vector", "LEDGER_VECTOR_DIFFERS"),
        ("INSERT INTO version_vector VALUES ('n9', 1)", "LEDGER_VECTOR_DIFFERS"),
        ("DELETE FROM ops_terms WHERE row = 6 AND term = (SELECT max(term) FROM ops_terms WHERE row = 6)", "LEDGER_INDEX_DIFFERS"),
    ]
    .into_iter()
    .enumerate()
    {
        let ledger = scratch.ledger(&format!("{index}.db"), "n1");
        rusqlite::Connection::open(&ledger).expect("it opens").execute_batch(edit).expect("it edits");
        let said = on(&ledger, &["check", "--json"]).ends_with(1).out;
        assert!(said.contains(&format!("\"{fault}\":1")) && said.contains("\"blocked\""), "{edit}: {said}");
        let told = on(&ledger, &["check"]).ends_with(1).out;
        assert!(told.contains(fault), "{told}");
        // Readers pass over what does not read, and say so.
        if fault == "LEDGER_OPERATION_UNREADABLE" {
            let ran = on(&ledger, &["show"]).ends_with(1);
            assert!(ran.err.contains("1 rows do not read") && ran.out.lines().count() == 2, "{edit}: {ran:?}");
        }
    }
    rusqlite::Connection::open(scratch.path("a.db")).expect("it opens").execute_batch("DROP TABLE records").expect("it edits");
    let said = on(&scratch.path("a.db"), &["check", "--json"]).ends_with(3);
    assert!(said.out.contains("\"LEDGER_SCHEMA\":1") && said.out.contains("\"blocked\""), "{said:?}");
}

#[test]
fn an_operation_that_does_not_read_is_neither_merged_nor_exported_and_every_command_counts_it() {
    let scratch = Scratch::new();
    let deep = format!(r#"{{"type":"t","a":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    let odd =
        ["", "{", "[1]", "{}", r#"{"type":"a","type":"b"}"#, r#"{"type":"a","x":{"y":1,"y":2}}"#, r#"{"type":"t","gid":"n9"}"#, &deep];
    let odd = odd.into_iter().map(|payload| ("upsert", payload)).chain([("delete", r#"{"type":"t"}"#), ("drop", r#"{"type":"t"}"#)]);
    for (index, (kind, payload)) in odd.enumerate() {
        let giver = scratch.ledger(&format!("giver{index}.db"), "n1");
        let edit = "INSERT INTO ops VALUES ('odd', 'n1', 50, ?1, 'n1-1', ?2, 1.0)";
        assert_eq!(rusqlite::Connection::open(&giver).expect("it opens").execute(edit, [kind, payload]).expect("it edits"), 1);
        let receiver = scratch.ledger(&format!("receiver{index}.db"), "n2");
        let merged = landfall(&["ledger", "merge", "--json"]).arg(&receiver).arg(&giver).ends_with(1);
        assert!(merged.out.contains("\"unreadable\":1") && merged.out.contains("\"applied\":6"), "{kind} {payload}: {merged:?}");
        sound(&receiver);
        let file = scratch.path("lines.jsonl");
        let exported = on(&giver, &["export", file.to_str().expect("a plain path"), "--json"]).ends_with(1);
        assert!(exported.out.contains("\"operations\":6,\"unreadable\":1"), "{kind} {payload}: {exported:?}");
        on(&scratch.path(&format!("import{index}.db")), &["import", file.to_str().expect("a plain path")]).ends_with(0);
        let checked = on(&giver, &["check", "--json"]).ends_with(1);
        assert!(checked.out.contains("\"LEDGER_OPERATION_UNREADABLE\":1"), "{kind} {payload}: {checked:?}");
    }
}

#[test]
fn a_file_that_is_no_ledger_ends_every_command_alike() {
    let scratch = Scratch::new();
    let odd = scratch.path("odd.db");
    std::fs::write(&odd, "x".repeat(4096)).expect("it is written");
    let newer = scratch.ledger("newer.db", "n1");
    rusqlite::Connection::open(&newer).expect("it opens").execute_batch("PRAGMA user_version = 7").expect("it edits");
    for ledger in [&odd, &newer] {
        for words in [["show"], ["check"], ["export"]] {
            let ran = on(ledger, &words).ends_with(3);
            assert!(ran.err.contains("LEDGER_"), "{words:?} {ran:?}");
        }
        on(ledger, &["import"]).input("{\"type\":\"t\"}\n").ends_with(3);
        landfall(&["loop", "inspect"]).with("--db-path", ledger).ends_with(3);
        landfall(&["loop", "seed", "directive"]).with("--db-path", ledger).ends_with(3);
        landfall(&["ledger", "merge"]).arg(ledger).arg(ledger).ends_with(3);
    }
    assert!(on(&newer, &["check"]).ends_with(3).err.contains("version 7"));
}

#[test]
fn what_is_acknowledged_is_what_is_counted() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("a.db", "n1");
    let forged = on(&ledger, &["export"]).ends_with(0).out.lines().next().expect("a line").replace("d1", "d9");
    let input = format!("{{\"type\":\"t\"}}\n{{\"type\":\"t\",\"x\":\"{}\"}}\n{forged}\n", "y".repeat((1 << 20) - 40));
    let ran = on(&ledger, &["import", "--acknowledge"]).input(input).ends_with(1);
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    assert!(ran.err.contains("records_published=1"), "{}", ran.err);
}

#[test]
fn an_operation_that_names_another_key_than_its_record_is_refused() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("a.db", "n1");
    let line = on(&ledger, &["export"]).ends_with(0).out.lines().next().expect("a line").to_owned();
    let moved = line.replace("\"gid\":\"n1-1\"", "\"gid\":\"n1-9\"").replace("\"op_id\":\"", "\"op_id\":\"0");
    assert_ne!(moved, line);
    assert!(on(&ledger, &["import"]).input(moved).ends_with(1).err.contains("another gid"));
}
