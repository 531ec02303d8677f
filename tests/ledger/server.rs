//! A ledger on a server in the hands of others: rows that are none, tables that are not ours, writers that are
//! killed; and its commands.

use crate::killed::survives_killed_writers;
use crate::landfall_binary::landfall;
use crate::suite::server::Schemas;
use landfall::edge::ledger::{Location, Store};
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Ledger, Record, Select};
use std::path::Path;

fn located(said: &str) -> Location {
    Location::server(Path::new(said)).expect("it names a server")
}

fn filled(said: &str) -> Box<dyn Store> {
    let mut ledger = located(said).open("n1").expect("it opens");
    for plan in ["p1", "p2", "p3"] {
        let record = Record::new("swarm_directive").with("directive_id", plan).with("gid", plan);
        ledger.publish(record, &mut Scripted::new(1.0, 1.0)).expect("it publishes");
    }
    ledger
}

#[test]
fn rows_that_others_put_are_found_or_told() {
    let Some(schemas) = Schemas::here() else { return };
    let said = schemas.new_schema();
    let mut ledger = filled(&said);
    let columns = "INSERT INTO ops (op_id, node_id, clock, kind, gid, payload, ts) VALUES";
    Schemas::run(
        &said,
        &format!("{columns} ('o1', 'm', 9, 'upsert', 'h1', '{{\"type\": \"swarm_directive\", \"directive_id\": \" p9 \"}}', 1)"),
    );
    assert_eq!(ledger.refresh().expect("it reads"), 1);
    let found = |ledger: &dyn Store| ledger.find("swarm_directive", "directive_id", "p9").expect("it reads").len();
    assert_eq!((found(&*ledger), ledger.passed_over()), (1, 0));
    let again = Record::new("swarm_directive").with("directive_id", "p9");
    assert!(ledger.publish_unless(again, &[("directive_id", "p9")], &mut Scripted::new(1.0, 1.0)).expect("it looks").is_none());
    for (index, (odd, payload)) in [
        ("'o', 'm', 9, 'upsert'", "'x'"),
        ("'o', 'm', 9, 'drop'", "'{\"type\": \"t\"}'"),
        ("'\\xff', 'm', 9, 'upsert'", "'{\"type\": \"t\"}'"),
        ("'o', '', 9, 'upsert'", "'{\"type\": \"t\"}'"),
        ("'o', 'm', 9, 'upsert'", "repeat(' ', 1100000) || '{\"type\": \"t\"}'"),
        ("'o', 'm', 9, 'delete'", "'{\"type\": \"t\"}'"),
    ]
    .into_iter()
    .enumerate()
    {
        let said = schemas.new_schema();
        let mut ledger = filled(&said);
        Schemas::run(&said, &format!("{columns} ({odd}, 'odd', {payload}, 1)"));
        Schemas::run(&said, "INSERT INTO records VALUES ('odd', '{}', 9, 'm', false, 1)");
        ledger.refresh().expect("it reads");
        let mut seen = 0;
        ledger
            .each(Select::default(), &mut |_| {
                seen += 1;
                Ok(())
            })
            .expect("it reads");
        assert_eq!((seen, ledger.passed_over()), (3, 1), "{index}");
        assert!(found(&*ledger) == 0 && ledger.find("swarm_directive", "directive_id", "p2").expect("it reads").len() == 1);
        let checked = landfall(&["ledger", "check", "--json", "--ledger"]).arg(&said).ends_with(1).out;
        assert!(checked.contains("\"LEDGER_OPERATION_UNREADABLE\":1"), "{index}: {checked}");
        landfall(&["ledger", "show", "--ledger"]).arg(&said).ends_with(1);
    }
}

#[test]
fn check_names_what_is_wrong_and_other_tables_are_refused() {
    let Some(schemas) = Schemas::here() else { return };
    for (edit, fault) in [
        ("UPDATE records SET payload = '{\"type\":\"t\"}' WHERE gid = 'p1'", "LEDGER_RECORD_DIFFERS"),
        ("UPDATE records SET payload = '{' WHERE gid = 'p1'", "LEDGER_RECORD_UNREADABLE"),
        ("DELETE FROM records WHERE gid = 'p1'", "LEDGER_RECORD_MISSING"),
        ("DELETE FROM ops WHERE gid = 'p1'", "LEDGER_RECORD_WITHOUT_OPERATION"),
        ("UPDATE version_vector SET clock = 5", "LEDGER_VECTOR_DIFFERS"),
        ("UPDATE ops SET terms = '{7}' WHERE gid = 'p1'", "LEDGER_INDEX_DIFFERS"),
    ] {
        let said = schemas.new_schema();
        drop(filled(&said));
        assert!(landfall(&["ledger", "check", "--ledger"]).arg(&said).ends_with(0).out.contains("pass"));
        Schemas::run(&said, edit);
        let told = landfall(&["ledger", "check", "--json", "--ledger"]).arg(&said).ends_with(1).out;
        assert!(told.contains(&format!("\"{fault}\":1")), "{edit}: {told}");
    }
    for (edit, name) in [
        ("ALTER TABLE ops ADD more text", "LEDGER_SCHEMA"),
        ("ALTER TABLE ops ALTER clock TYPE numeric", "LEDGER_SCHEMA"),
        ("DROP TABLE records", "LEDGER_SCHEMA"),
        ("DROP TABLE records; CREATE VIEW records AS SELECT gid, payload, clock, node_id, false AS deleted, ts FROM ops", "LEDGER_SCHEMA"),
        ("CREATE RULE lost AS ON INSERT TO records DO INSTEAD NOTHING", "LEDGER_SCHEMA"),
        ("UPDATE ops SET clock = -1 WHERE gid = 'p1'", "LEDGER_CLOCK"),
    ] {
        let said = schemas.new_schema();
        drop(filled(&said));
        Schemas::run(&said, edit);
        for opened in [located(&said).open_to_read(), located(&said).open("n")] {
            assert!(opened.is_err_and(|error| error.to_string().contains(name)), "{edit}");
        }
        landfall(&["ledger", "check", "--ledger"]).arg(&said).ends_with(3);
    }
}

#[test]
fn what_was_acknowledged_survives_killed_writers_on_a_server() {
    let Some(schemas) = Schemas::here() else { return };
    let said = schemas.new_schema();
    survives_killed_writers(&located(&said), said.as_ref());
}

#[test]
fn the_commands_take_a_server_where_they_take_a_file() {
    let Some(schemas) = Schemas::here() else { return };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (said, file) = (schemas.new_schema(), scratch.path().join("a.db"));
    drop(filled(&said));
    // What is like a password in it is never printed.
    let secret = format!("{said}&password=hunter2");
    let merged = landfall(&["ledger", "merge"]).arg(&file).arg(&secret).with("--into", &file).ends_with(3);
    assert!(!format!("{}{}", merged.out, merged.err).contains("hunter2"), "{merged:?}");
    let seeded = landfall(&["loop", "seed", "directive", "--ledger"]).arg(&secret).ends_with(0);
    assert!(seeded.out.contains("db=postgres://") && !format!("{}{}", seeded.out, seeded.err).contains("hunter2"), "{seeded:?}");
    let lines = landfall(&["ledger", "export"]).env("LANDFALL_LEDGER", &said).ends_with(0).out;
    assert_eq!(lines.lines().count(), 4);
    landfall(&["ledger", "import", "--db-path"]).arg(&file).input(lines.clone()).ends_with(0);
    assert_eq!(landfall(&["ledger", "export", "--db-path"]).arg(&file).ends_with(0).out, lines);
    let again = landfall(&["ledger", "merge"]).arg(&said).arg(&file).ends_with(0).out;
    assert!(again.contains("applied=0") && again.contains("known=4"), "{again}");
    assert!(landfall(&["ledger", "merge"]).arg(&said).arg(&said).ends_with(2).err.contains("itself"));
    let nobody = landfall(&["ledger", "show", "--ledger", "postgres://me:hunter2@127.0.0.1:1/runs"]).ends_with(3);
    assert!(nobody.err.contains("LEDGER_SERVER") && !nobody.err.contains("hunter2"), "{nobody:?}");
}

#[test]
fn a_string_that_asks_for_tls_is_refused_by_name_and_none_shows_its_password() {
    for (said, name) in [
        ("postgres://me:hunter2@db.example/runs?sslmode=require", "LEDGER_TLS_NOT_BUILT"),
        ("postgres://me:hunter2@db.example/runs?sslmode=verify-full", "LEDGER_TLS_NOT_BUILT"),
        ("postgres://me:hunter2@db.example/runs?sslmode=verify-ca", "LEDGER_TLS_NOT_BUILT"),
        ("postgres://me:hunter2@db.example/runs?hunter2=hunter2", "LEDGER_LOCATION"),
        ("postgres://me:hunter2@db.example:hunter2/runs", "LEDGER_LOCATION"),
        // Nobody listens there.
        ("postgres://me:hunter2@127.0.0.1:1/runs", "LEDGER_SERVER"),
    ] {
        let error = located(said).open("n").expect_err(said);
        let told = format!("{error} {error:?}");
        assert!(told.contains(name) && !told.contains("hunter2"), "{told}");
    }
}
