//! One suite for whatever keeps a ledger: memory, a file, a server. What it answers must be the same.

use landfall::edge::ledger::{LedgerFile, Location, Store};
use landfall::edge::surroundings::Real;
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Entry, Kind, Ledger, LedgerError, MemoryLedger, Observed, Operation, Record, Select};
use std::thread;

/// Where ledgers are kept.
trait Shelf {
    /// A new ledger.
    fn new_ledger(&mut self) -> Location;
}

struct Files(tempfile::TempDir, usize);

impl Shelf for Files {
    fn new_ledger(&mut self) -> Location {
        self.1 += 1;
        Location::File(self.0.path().join(format!("{}.db", self.1)))
    }
}

fn files() -> Files {
    Files(tempfile::tempdir().expect("a scratch folder"), 0)
}

/// The new schemas of a test on the server that the environment names; none where it names none.
#[cfg(feature = "postgres")]
pub(crate) mod server {
    use super::{Location, Shelf};
    use landfall::ledger::surroundings::random_hex;
    use std::io::Write;
    use std::path::Path;

    pub(crate) struct Schemas(pub(crate) String);

    impl Schemas {
        #[expect(clippy::disallowed_methods, reason = "the environment says where a server is")]
        pub(crate) fn here() -> Option<Self> {
            let said = std::env::var("LANDFALL_TEST_POSTGRES").ok();
            assert!(said.is_some() || std::env::var_os("CI").is_none(), "CI without a PostgreSQL server: run cargo xtask postgres-suite");
            if said.is_none() {
                // Not by a macro, which libtest would keep to itself.
                let told = "SKIPPED: no PostgreSQL server is named by LANDFALL_TEST_POSTGRES; cargo xtask postgres-suite starts one\n";
                std::io::stderr().write_all(told.as_bytes()).expect("standard error takes it");
            }
            said.map(Self)
        }

        /// Runs a script in the schema of a ledger.
        pub(crate) fn run(ledger: &str, script: &str) {
            postgres::Client::connect(ledger, postgres::NoTls).expect("it connects").batch_execute(script).expect("the test's SQL runs");
        }

        pub(crate) fn new_schema(&self) -> String {
            let schema = format!("t{}", random_hex(&mut landfall::edge::surroundings::Real));
            Self::run(&self.0, &format!("CREATE SCHEMA {schema}"));
            format!("{}&options=-csearch_path%3D{schema}", self.0)
        }
    }

    impl Shelf for Schemas {
        fn new_ledger(&mut self) -> Location {
            Location::server(Path::new(&self.new_schema())).expect("it names a server")
        }
    }
}

fn proposal(id: &str, gid: &str) -> Record {
    Record::new("replay_lifecycle_retry_proposal").with("proposal_id", id).with("gid", gid)
}

fn entries(ledger: &dyn Ledger, types: &[&str]) -> Vec<Entry> {
    let mut entries = Vec::new();
    ledger
        .each(Select { types }, &mut |entry| {
            entries.push(entry.clone());
            Ok(())
        })
        .expect("it reads");
    entries
}

fn gids(ledger: &dyn Ledger, types: &[&str]) -> Vec<String> {
    entries(ledger, types).into_iter().map(|entry| entry.gid).collect()
}

fn operations(ledger: &dyn Store) -> Vec<Operation> {
    let mut operations = Vec::new();
    ledger
        .each_operation(&mut |operation| {
            operations.push(operation.clone());
            Ok(())
        })
        .expect("it reads");
    operations
}

/// Operations of few nodes, keys and clocks, so that they meet; with odd names and payloads.
fn storm(seed: u64) -> Vec<Operation> {
    let mut random = seed;
    let mut below = move |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    (0..60)
        .map(|_| {
            let node = ["a", "b", "\u{fc}", "A", "\u{1f600}"][below(5) as usize];
            let gid = ["g", "h", "G", "\u{e9}", "nul\u{0}", " i"][below(6) as usize];
            let plan = ["\"0\"", "1", "\" 1 \"", "true", "[1]", "1.50", "null", "\"\u{1f600}\""][below(8) as usize];
            let payload = format!("{{\"plan_id\":{plan},\"type\":\"{}\"}}", ["t", "u", "T t"][below(3) as usize]);
            let (kind, payload) = if below(6) == 0 { (Kind::Delete, "{}".to_owned()) } else { (Kind::Upsert, payload) };
            Operation::new(node, 1 + below(6), kind, gid, payload, below(4) as f64)
        })
        .collect()
}

/// Holds a ledger to the replica, by everything that can be asked of it.
fn same(ledger: &dyn Store, memory: &MemoryLedger) {
    for types in [&[][..], &["t"], &["u", "T t"], &["none"]] {
        assert_eq!(entries(ledger, types), entries(memory, types), "{types:?}");
    }
    for said in ["0", "1", "True", "1.5", "", "\u{1f600}", "none"] {
        for record_type in ["t", "u", "T t"] {
            let found = ledger.find(record_type, "plan_id", said).expect("it reads");
            assert_eq!(found, memory.find(record_type, "plan_id", said).expect("it reads"), "{record_type} {said}");
        }
    }
    assert_eq!(operations(ledger), operations(memory));
    assert_eq!(ledger.vector().expect("it reads"), Store::vector(memory).expect("it reads"));
    assert_eq!(ledger.check().expect("it reads"), Store::check(memory).expect("it reads"));
}

fn follows_the_replica(shelf: &mut dyn Shelf) {
    for seed in 0..4 {
        let mut ledger = shelf.new_ledger().open("n").expect("it opens");
        let mut memory = MemoryLedger::new("n");
        for part in storm(seed).chunks(17) {
            ledger
                .write(&mut |batch| {
                    for operation in part {
                        assert_eq!(batch.observe(operation)?, memory.observe(operation.clone())?);
                    }
                    Ok(())
                })
                .expect("it observes");
            same(&*ledger, &memory);
        }
    }
}

fn publishes_and_finds(ledger: &mut dyn Store) {
    let around = &mut Scripted::new(1.0, 1.0);
    let same = |id: &'static str| [("proposal_id", id), ("plan_id", "x")];
    assert!(ledger.publish_unless(proposal("p1", "g1"), &same("p1"), around).expect("it works").is_some());
    assert!(ledger.publish_unless(proposal("p1", "g2"), &same("p1"), around).expect("it works").is_none());
    let number = Record::new("replay_lifecycle_retry_proposal").with("proposal_id", 12).with("gid", "g5");
    assert!(ledger.publish_unless(number, &same("12"), around).expect("it works").is_some());
    assert!(ledger.publish_unless(proposal("12", "g6"), &same("12"), around).expect("it works").is_none(), "a number is its text");
    assert_eq!(ledger.delete("g1", around).expect("it works").expect("it was live").payload, "{}");
    assert!(ledger.delete("g1", around).expect("it works").is_none());
    assert_eq!(gids(ledger, &[]), ["g5"]);
    assert!(ledger.publish_unless(proposal("p1", "g2"), &same("p1"), around).expect("it works").is_some());
    assert_eq!(gids(ledger, &["replay_lifecycle_retry_proposal"]), ["g5", "g2"]);
    // A write that fails leaves nothing.
    let before = operations(ledger);
    let failed = ledger.write(&mut |batch| {
        batch.publish(proposal("p7", "g7"), around)?;
        batch.publish(Record::default(), around).map(drop)
    });
    assert!(failed.is_err());
    let forged = Operation { clock: 99, ..before[0].clone() };
    let failed = ledger.write(&mut |batch| batch.observe(&forged).map(drop));
    assert!(failed.is_err_and(|error| error.to_string().contains("LEDGER_OPERATION_FORGED")));
    assert_eq!(operations(ledger), before);
    let mut observed = None;
    let watched = ledger.write(&mut |batch| batch.observe(&before[0]).map(|how| observed = Some(how)));
    watched.expect("it observes");
    assert_eq!(observed, Some(Observed::Known));
    assert!(ledger.check().expect("it reads").is_sound());
}

fn is_shared(shelf: &mut dyn Shelf) {
    let location = shelf.new_ledger();
    assert!(location.open_to_read().is_err_and(|error| error.to_string().contains("LEDGER_MISSING")));
    assert!(location.open_existing("n").is_err_and(|error| error.to_string().contains("LEDGER_MISSING")));
    assert!(location.open(" ").is_err_and(|error| matches!(error, LedgerError::Unpublishable(_))));
    let around = &mut Scripted::new(1.0, 1.0);
    let mut writer = location.open("n1").expect("it opens");
    writer.publish(proposal("p1", "g1"), around).expect("it publishes");
    let (mut reader, mut other) = (location.open_to_read().expect("it opens"), location.open("n2").expect("it opens"));
    writer.publish(proposal("p2", "g1"), around).expect("it publishes");
    writer.publish(proposal("p3", "g2"), around).expect("it publishes");
    let ids = |reader: &dyn Store, id: &str| reader.find("replay_lifecycle_retry_proposal", "proposal_id", id).expect("it reads").len();
    assert_eq!((gids(&reader, &[]), ids(&*reader, "p1"), ids(&*reader, "p2")), (vec!["g1".to_owned()], 1, 0));
    assert_eq!((reader.refresh().expect("it reads"), reader.refresh().expect("it reads")), (2, 0));
    assert_eq!((gids(&reader, &[]).len(), ids(&*reader, "p1"), ids(&*reader, "p2")), (2, 0, 1));
    assert!(reader.publish(proposal("p4", "g4"), around).is_err_and(|error| error.to_string().contains("LEDGER_READ_ONLY")));
    // A writer knows what was there when it wrote, and its refresh still counts it.
    other.publish(proposal("p4", "g3"), around).expect("it publishes");
    assert_eq!((gids(&other, &[]).len(), other.refresh().expect("it reads"), writer.refresh().expect("it reads")), (3, 2, 1));
}

fn one_of_many_publishes(shelf: &mut dyn Shelf) {
    let location = &shelf.new_ledger();
    let won: usize = thread::scope(|scope| {
        // They race for the making of it, too.
        let writers: Vec<_> = (0..8)
            .map(|node| {
                scope.spawn(move || {
                    let mut ledger = location.open(&format!("n{node}")).expect("it opens");
                    let publish = |turn: usize| {
                        let plan = format!("plan-{turn}");
                        let record = Record::new("replay_lifecycle_retry_execution_result").with("plan_id", plan.as_str());
                        ledger.publish_unless(record, &[("plan_id", &plan)], &mut Real).expect("it works")
                    };
                    (0..10).filter_map(publish).count()
                })
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().expect("the writer's thread ends")).sum()
    });
    assert_eq!(won, 10);
    let seen = location.open_to_read().expect("it opens").check().expect("it reads");
    assert!(seen.is_sound() && seen.entries == 10, "{seen:?}");
}

#[test]
fn memory_keeps_a_ledger() {
    publishes_and_finds(&mut MemoryLedger::new("n"));
}

#[test]
fn a_file_keeps_a_ledger() {
    let mut files = files();
    publishes_and_finds(&mut *files.new_ledger().open("n").expect("it opens"));
    follows_the_replica(&mut files);
    is_shared(&mut files);
    one_of_many_publishes(&mut files);
}

#[cfg(not(feature = "postgres"))]
#[test]
fn a_server_is_refused_by_name_where_it_is_not_built() {
    let location = Location::server(std::path::Path::new("postgres://me:hunter2@db.example/runs")).expect("it names a server");
    let error = location.open("n").expect_err("it is not built");
    assert!(error.to_string().contains("LEDGER_POSTGRES_NOT_BUILT") && !format!("{error:?}").contains("hunter2"), "{error}");
}

#[cfg(feature = "postgres")]
#[test]
fn a_server_keeps_a_ledger() {
    let Some(mut schemas) = server::Schemas::here() else { return };
    publishes_and_finds(&mut *schemas.new_ledger().open("n").expect("it opens"));
    follows_the_replica(&mut schemas);
    is_shared(&mut schemas);
    one_of_many_publishes(&mut schemas);
}

/// Takes every operation of one ledger into another.
fn merge(from: &Location, into: &Location) {
    let giver = from.open_to_read().expect("it opens");
    let mut receiver = into.open("ledger-merge").expect("it opens");
    receiver.write(&mut |batch| giver.each_operation(&mut |operation| batch.observe(operation).map(drop))).expect("it merges");
    assert_eq!(giver.passed_over(), 0);
}

#[cfg(feature = "postgres")]
#[test]
fn two_machines_converge_through_a_server() {
    let Some(mut schemas) = server::Schemas::here() else { return };
    let mut files = files();
    let (one, two, server) = (files.new_ledger(), files.new_ledger(), schemas.new_ledger());
    let mut all = MemoryLedger::new("n");
    for (seed, location) in [(11, &one), (12, &two)] {
        let operations = storm(seed);
        location
            .open("n")
            .expect("it opens")
            .write(&mut |batch| operations.iter().try_for_each(|operation| batch.observe(operation).map(drop)))
            .expect("it writes");
        for operation in operations {
            all.observe(operation).expect("it observes");
        }
    }
    for (from, into) in [(&one, &server), (&two, &server), (&server, &one), (&server, &two)] {
        merge(from, into);
    }
    for location in [&one, &two, &server] {
        same(&*location.open_to_read().expect("it opens"), &all);
    }
}

#[test]
fn two_files_converge() {
    let mut files = files();
    let (one, two) = (files.new_ledger(), files.new_ledger());
    for (seed, location) in [(21, &one), (22, &two)] {
        let operations = storm(seed);
        location
            .open("n")
            .expect("it opens")
            .write(&mut |batch| operations.iter().try_for_each(|operation| batch.observe(operation).map(drop)))
            .expect("it writes");
    }
    merge(&one, &two);
    merge(&two, &one);
    let [one, two] = [one, two].map(|location| location.open_to_read().expect("it opens"));
    assert_eq!((entries(&one, &[]), operations(&*one)), (entries(&two, &[]), operations(&*two)));
    assert!(LedgerFile::open_to_read(&files.0.path().join("1.db")).expect("it opens").check().expect("it reads").is_sound());
}
