//! The built binary over a ledger file, and what is said of that ledger by everything that watches it.

use landfall::edge::ledger::LedgerFile;
use landfall::edge::surroundings::Real;
use landfall::ledger::{Ledger, Record};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const LANDFALL: &str = env!("CARGO_BIN_EXE_landfall");

/// The ledger's name in a folder.
pub(crate) const DB: &str = "ledger.db";

pub(crate) fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(LANDFALL);
    command.args(line.split(' ')).args(["--db-path", DB]);
    command.current_dir(folder).env_remove("LANDFALL_LEDGER").stdin(Stdio::null());
    command
}

pub(crate) fn landfall(folder: &Path, line: &str) -> Output {
    command(folder, line).output().expect("the binary starts")
}

/// The one JSON value that a command prints, whatever its exit.
#[track_caller]
pub(crate) fn said(output: &Output) -> Json {
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!err.contains("panicked"), "{err}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {err}"))
}

/// A folder without links in its path, with a workspace and a ledger file of these records.
pub(crate) fn folder_of(records: Vec<Record>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("it is there");
    std::fs::create_dir(root.join("ws")).expect("a folder");
    publish(&root.join(DB), records);
    (folder, root)
}

pub(crate) fn publish(db: &Path, records: Vec<Record>) {
    let mut ledger = LedgerFile::open(db, "test").expect("it opens");
    for record in records {
        ledger.publish(record, &mut Real).expect("it is published");
    }
}

/// The records of a ledger file.
pub(crate) fn records_of(db: &Path) -> Vec<Record> {
    crate::scene::records(&LedgerFile::open_to_read(db).expect("the ledger opens"))
}
