//! Publishing and looking up never read a whole table, however large the ledger is: SQLite is asked how
//! it runs every statement that they ran, and how much work that was.

use super::LedgerFile;
use crate::contract::table::contracts;
use crate::experience::publishing::{Written, publish_once};
use crate::governance::next::Outcome;
use crate::governance::seed::{SeedTrail, publish_trail};
use crate::ledger::surroundings::Scripted;
use crate::ledger::{Ledger, Record};
use rusqlite::trace::{TraceEvent, TraceEventCodes};
use rusqlite::{Connection, StatementStatus};
use std::collections::BTreeSet;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What a connection ran.
#[derive(Debug, Default)]
struct Ran {
    statements: BTreeSet<String>,
    /// Rows stepped over in reading a whole table.
    scanned: i64,
    /// Steps of SQLite's machine.
    steps: i64,
}

struct Traced {
    path: PathBuf,
    ledger: LedgerFile,
    around: Scripted,
    ran: Arc<Mutex<Ran>>,
    _folder: tempfile::TempDir,
}

impl Traced {
    /// A ledger with so many proposals, traced from then on.
    fn with(records: usize) -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("ledger.db");
        let mut ledger = LedgerFile::open(&path, "n1").expect("it opens");
        let mut around = Scripted::new(1.0, 1.0);
        let filled = ledger.in_one_write(|batch| {
            (0..records).try_for_each(|number| batch.publish(proposal(&format!("p{number}")), &mut around).map(|_| ()))
        });
        filled.expect("it publishes");
        // What a statement did before it is traced would be counted with it.
        ledger.open.connection.flush_prepared_statement_cache();
        let ran = Arc::new(Mutex::new(Ran::default()));
        let told = Arc::clone(&ran);
        let traced = ledger.open.connection.trace_v2(
            TraceEventCodes::SQLITE_TRACE_PROFILE,
            Some(move |event: TraceEvent<'_>| {
                let TraceEvent::Profile(statement, _) = event else { return };
                let mut ran = told.lock().expect("no trace fails");
                ran.statements.insert(statement.sql().into_owned());
                ran.scanned += i64::from(statement.get_status(StatementStatus::FullscanStep));
                ran.steps += i64::from(statement.get_status(StatementStatus::VmStep));
            }),
        );
        traced.expect("it is traced");
        Self { path, ledger, around, ran, _folder: folder }
    }

    fn ran(&self) -> Ran {
        take(&mut *self.ran.lock().expect("no trace fails"))
    }

    /// Publishes one record and looks it up; the steps that took.
    fn steps_of_a_round(&mut self) -> i64 {
        self.ran();
        let new = self.ledger.publish_unless(proposal("new"), &[("proposal_id", "new")], &mut self.around).expect("it publishes");
        assert!(new.is_some());
        let again = self.ledger.publish_unless(proposal("new"), &[("proposal_id", "new")], &mut self.around).expect("it looks");
        assert!(again.is_none());
        assert_eq!(self.ledger.find(PROPOSAL, "proposal_id", "new").expect("it looks").len(), 1);
        let ran = self.ran();
        assert_eq!(ran.scanned, 0);
        assert!(ran.statements.len() > 5, "{ran:?}");
        ran.steps
    }
}

const PROPOSAL: &str = "replay_lifecycle_retry_proposal";

fn proposal(id: &str) -> Record {
    Record::new(PROPOSAL).with("proposal_id", id)
}

/// The parts of a statement's plan that read a table or an index from end to end.
fn scans(path: &Path, statement: &str) -> Vec<String> {
    let connection = Connection::open(path).expect("it opens");
    let mut explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).expect("what ran can be explained");
    let (mut rows, mut scans) = (explained.raw_query(), Vec::new());
    while let Some(row) = rows.next().expect("it explains") {
        let part: String = row.get(3).expect("a plan is text");
        if part.starts_with("SCAN ") && part != "SCAN CONSTANT ROW" {
            scans.push(part);
        }
    }
    scans
}

#[test]
fn no_statement_of_publishing_or_finding_reads_a_whole_table() {
    let mut traced = Traced::with(3);
    let Traced { path, ledger, around, .. } = &mut traced;
    assert_eq!(scans(path, "SELECT 1 FROM ops WHERE payload = ''"), ["SCAN ops"], "a scan is seen");
    assert!(!scans(path, "SELECT count(*) FROM records").is_empty(), "that of an index too");
    // What another writer left is counted by the next write, and by a refresh.
    let mut other = LedgerFile::open(path, "n2").expect("it opens");
    other.publish(proposal("p6"), around).expect("it publishes");
    ledger.publish(proposal("p7"), around).expect("it publishes");
    other.publish(proposal("p8"), around).expect("it publishes");
    assert_eq!(ledger.refresh().expect("it reads"), 2);
    let trail = SeedTrail::named("s", "seed").records(around).expect("it builds");
    for published in [5, 0] {
        let outcome: Outcome = publish_trail(ledger, trail.clone(), around).expect("it publishes");
        assert_eq!(outcome.published.len(), published);
    }
    let result = trail[4].clone().with("result_id", "other");
    for kept in [false, true] {
        let written = publish_once(result.clone(), "result_id", ledger, around).expect("it publishes");
        assert_eq!(matches!(written, Written::Kept(_)), kept);
    }
    let mut keys = 0;
    for contract in contracts().all() {
        let linked = contract.parents.iter().map(|parent| &parent.field);
        for field in contract.id.iter().chain(&contract.idempotent_by).chain(linked) {
            let found = ledger.find(&contract.record_type, field, "nobody").expect("it looks");
            assert!(found.is_empty());
            keys += 1;
        }
        let same: Vec<_> = contract.idempotent_by.iter().map(|field| (field.as_str(), "nobody")).collect();
        ledger.publish_unless(Record::new(&contract.record_type), &same, around).expect("it publishes");
    }
    assert!(keys > 100, "only {keys} keys were looked up");
    let ran = traced.ran();
    assert_eq!(ran.scanned, 0);
    for wanted in [
        "INTO ops",
        "INTO records",
        "INTO version_vector",
        "INDEXED BY ops_by_gid",
        "max(clock)",
        "max(rowid)",
        "INTO main.ops_terms",
        "FROM main.ops_terms WHERE term IN",
        "DISTINCT gid",
    ] {
        assert!(ran.statements.iter().any(|statement| statement.contains(wanted)), "{wanted} was not traced");
    }
    for statement in &ran.statements {
        assert_eq!(scans(&traced.path, statement), [""; 0], "{statement}");
    }
}

#[test]
fn publishing_into_a_large_ledger_is_no_more_work() {
    let [small, large] = [8, 2048].map(|records| Traced::with(records).steps_of_a_round());
    assert!(small > 0 && large < small + small / 2, "{small} steps became {large}");
}
