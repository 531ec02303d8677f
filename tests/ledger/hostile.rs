//! Files that are no ledger, or one that somebody has been at: an error with a name, never a panic,
//! never a hang, nothing made beside a file that is only read.
//!
//! Longer than most files, for its tables of files that are harmed in one respect.
#![expect(clippy::disallowed_methods, reason = "these tests are about files")]

use landfall::edge::ledger::LedgerFile;
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Ledger, LedgerError, Record, Select};
use rusqlite::Connection;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const TABLES: &str = "
    CREATE TABLE ops (op_id TEXT PRIMARY KEY NOT NULL, node_id TEXT NOT NULL, clock INTEGER NOT NULL, kind TEXT NOT NULL,
                      gid TEXT NOT NULL, payload TEXT NOT NULL, ts REAL NOT NULL) STRICT;
    CREATE TABLE records (gid TEXT PRIMARY KEY NOT NULL, payload TEXT NOT NULL, clock INTEGER NOT NULL, node_id TEXT NOT NULL,
                          deleted INTEGER NOT NULL, ts REAL NOT NULL) STRICT;
    CREATE TABLE version_vector (node_id TEXT PRIMARY KEY NOT NULL, clock INTEGER NOT NULL) STRICT;
    CREATE TABLE memory_snapshots (key TEXT PRIMARY KEY, data BLOB, updated_at REAL) STRICT;";

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn sqlite(&self, name: &str, script: &str) -> PathBuf {
        let path = self.path(name);
        Connection::open(&path).expect("it opens").execute_batch(script).expect("the test's SQL runs");
        path
    }

    fn ledger(&self, name: &str, records: usize) -> PathBuf {
        let path = self.path(name);
        let mut around = Scripted::new(1.0, 1.0);
        let mut ledger = LedgerFile::open(&path, "n").expect("it opens");
        ledger
            .in_one_write(|batch| {
                for index in 0..records {
                    let record = Record::new("swarm_directive").with("directive_id", format!("d{index}")).with("pad", "x".repeat(200));
                    batch.publish(record, &mut around)?;
                }
                Ok(())
            })
            .expect("it publishes");
        path
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("it lists");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// Reads everything in every way.
fn read(path: &Path) -> Result<usize, LedgerError> {
    let ledger = LedgerFile::open_to_read(path)?;
    let mut seen = 0;
    let mut count = |types: &[&str]| {
        ledger.each(Select { types }, &mut |_| {
            seen += 1;
            Ok(())
        })
    };
    count(&[])?;
    count(&["swarm_directive"])?;
    ledger.find("swarm_directive", "directive_id", "d7")?;
    ledger.each_operation(&mut |_| Ok(()))?;
    ledger.vector()?;
    Ok(seen)
}

#[track_caller]
fn named(ended: Result<impl Sized, LedgerError>, name: &str) {
    match ended {
        Ok(_) => panic!("wanted {name}, and it opened"),
        Err(error) => assert!(error.to_string().contains(name), "wanted {name}: {error}"),
    }
}

#[track_caller]
fn refused(path: &Path, name: &str) {
    named(LedgerFile::open_to_read(path), name);
    named(LedgerFile::open(path, "n"), name);
}

#[test]
fn what_is_no_database_is_refused_by_name() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("good.db", 1);
    std::fs::write(scratch.path("empty.db"), "").expect("it writes");
    std::fs::write(scratch.path("text.db"), "no database, but some text\n".repeat(100)).expect("it writes");
    std::fs::write(scratch.path("short.db"), "SQLite format 3\0").expect("it writes");
    let mut head = std::fs::read(&ledger).expect("it is there");
    head[16..100].fill(0xff);
    std::fs::write(scratch.path("head.db"), &head).expect("it writes");
    std::fs::create_dir(scratch.path("folder.db")).expect("a folder");
    symlink(&ledger, scratch.path("link.db")).expect("a link");
    symlink(scratch.path("nowhere.db"), scratch.path("dangling.db")).expect("a link");
    rustix::fs::mkfifoat(rustix::fs::CWD, scratch.path("fifo.db"), rustix::fs::Mode::RWXU).expect("a FIFO");
    let before = scratch.names();
    for (name, fault) in [
        ("empty.db", "LEDGER_EMPTY_FILE"),
        ("text.db", "LEDGER_NOT_SQLITE"),
        ("short.db", "LEDGER_NOT_SQLITE"),
        ("head.db", "LEDGER_"),
        ("folder.db", "LEDGER_NO_FILE"),
        ("link.db", "LEDGER_LINK"),
        ("dangling.db", "LEDGER_LINK"),
        ("fifo.db", "LEDGER_NO_FILE"),
        ("good.db/below.db", "LEDGER_"),
    ] {
        refused(&scratch.path(name), fault);
    }
    refused(Path::new("/"), "LEDGER_MISSING");
    named(LedgerFile::open_to_read(&scratch.path("none.db")), "LEDGER_MISSING");
    named(LedgerFile::open_to_read(&scratch.path("no/such/folder.db")), "LEDGER_MISSING");
    named(LedgerFile::open_existing(&scratch.path("none.db"), "n"), "LEDGER_MISSING");
    named(LedgerFile::open(&scratch.path("none.db"), " "), "node");
    assert_eq!(scratch.names(), before, "nothing was made");
}

#[test]
fn reading_makes_nothing_and_works_without_the_right_to_write() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("good.db", 300);
    std::fs::remove_file(scratch.path("good.db.lock")).expect("it goes");
    let before = std::fs::read(&ledger).expect("it is there");
    assert_eq!(read(&ledger).expect("it reads"), 600);
    assert!(LedgerFile::open_to_read(&ledger).expect("it opens").check().expect("it reads").is_sound());
    assert_eq!(scratch.names(), ["good.db"]);
    assert_eq!(std::fs::read(&ledger).expect("it is there"), before);
}

#[test]
fn another_schema_is_refused_by_name() {
    let scratch = Scratch::new();
    let with = |edit: &str| format!("{TABLES} {edit}");
    let instead = |from: &str, to: &str| {
        assert!(TABLES.contains(from), "{from}");
        TABLES.replacen(from, to, 1)
    };
    let scripts = [
        "CREATE TABLE bookmarks (url TEXT)".to_owned(),
        with("DROP TABLE memory_snapshots"),
        with("CREATE TABLE more (x TEXT) STRICT"),
        with("CREATE VIEW live AS SELECT * FROM records"),
        with("DROP TABLE records; CREATE VIEW records AS SELECT * FROM ops"),
        with("CREATE TRIGGER t AFTER INSERT ON ops BEGIN DELETE FROM ops; END"),
        with("CREATE UNIQUE INDEX one_only ON ops (node_id)"),
        with("CREATE UNIQUE INDEX ops_by_gid ON ops (gid)"),
        with("CREATE INDEX ops_by_field_plan_id ON ops (gid)"),
        with("CREATE INDEX ops_by_plain_type ON ops (kind)"),
        with("CREATE TABLE ops_terms (term INTEGER NOT NULL, row INTEGER NOT NULL) STRICT"),
        with("CREATE TRIGGER ops_note_update AFTER UPDATE ON ops BEGIN DELETE FROM ops; END"),
        with("CREATE VIRTUAL TABLE words USING fts5 (x)"),
        instead("clock INTEGER NOT NULL, kind", "clock TEXT NOT NULL, kind"),
        instead("clock INTEGER NOT NULL, kind", "kind"),
        instead("clock INTEGER NOT NULL, kind", "clock INTEGER, kind"),
        instead("clock INTEGER NOT NULL, kind", "clock INTEGER NOT NULL CHECK (clock < 9), kind"),
        instead("clock INTEGER NOT NULL, kind", "clock INTEGER NOT NULL DEFAULT 1, kind"),
        instead("gid TEXT NOT NULL, payload", "gid TEXT COLLATE NOCASE NOT NULL, payload"),
        instead("gid TEXT NOT NULL, payload", "gid TEXT NOT NULL UNIQUE ON CONFLICT REPLACE, payload"),
        instead("op_id TEXT PRIMARY KEY NOT NULL", "op_id TEXT PRIMARY KEY ON CONFLICT REPLACE NOT NULL"),
        instead("ts REAL NOT NULL)", "ts REAL NOT NULL, more TEXT)"),
        instead("ts REAL NOT NULL)", "ts REAL NOT NULL, more TEXT AS (gid))"),
        instead("ts REAL NOT NULL) STRICT", "ts REAL NOT NULL)"),
        instead("ts REAL NOT NULL) STRICT", "ts REAL NOT NULL) STRICT, WITHOUT ROWID"),
        format!("PRAGMA encoding = 'UTF-16le'; {TABLES}"),
    ];
    for (index, script) in scripts.iter().enumerate() {
        let path = scratch.sqlite(&format!("{index}.db"), script);
        let before = std::fs::read(&path).expect("it is there");
        for ended in [LedgerFile::open_to_read(&path).map(drop), LedgerFile::open(&path, "n").map(drop)] {
            let error = ended.expect_err(script).to_string();
            assert!(error.contains("LEDGER_SCHEMA"), "{script}: {error}");
        }
        assert!(std::fs::read(&path).expect("it is there") == before, "{script}: the file was changed");
    }
}

#[test]
fn a_file_of_other_software_with_our_tables_is_taken() {
    let scratch = Scratch::new();
    let row = "INSERT INTO ops VALUES ('o1', 'n', 7, 'upsert', 'g', '{\"type\": \"swarm_directive\"}', 1.0);
               INSERT INTO records VALUES ('g', '{\"type\": \"swarm_directive\"}', 7, 'n', 0, 1.0); INSERT INTO version_vector VALUES ('n', 7);";
    for (name, script) in [("plain.db", format!("{TABLES} {row}")), ("wal.db", format!("PRAGMA journal_mode = WAL; {TABLES} {row}"))] {
        let path = scratch.sqlite(name, &script);
        if name == "wal.db" {
            named(LedgerFile::open_to_read(&path), "LEDGER_WAL");
        } else {
            let before = std::fs::read(&path).expect("it is there");
            let mut reader = LedgerFile::open_to_read(&path).expect("it opens");
            assert_eq!((read(&path).expect("it reads"), scratch.names().len()), (2, 1), "nothing was made");
            assert!(reader.check().expect("it reads").is_sound());
            assert!(std::fs::read(&path).expect("it is there") == before);
            let more = "INSERT INTO ops SELECT 'o2', node_id, 6, kind, 'h', payload, ts FROM ops";
            Connection::open(&path)
                .expect("it opens")
                .execute_batch(&format!("{more}; INSERT INTO records SELECT 'h', payload, 6, node_id, 0, ts FROM records"))
                .expect("it edits");
            assert_eq!(reader.refresh().expect("it reads"), 1);
            let mut gids = Vec::new();
            reader
                .each(Select::default(), &mut |entry| {
                    gids.push(entry.gid.clone());
                    Ok(())
                })
                .expect("it reads");
            assert_eq!(gids, ["h", "g"], "in state order");
            Connection::open(&path)
                .expect("it opens")
                .execute_batch("DELETE FROM ops WHERE gid = 'h'; DELETE FROM records WHERE gid = 'h'")
                .expect("it edits");
        }
        let entry = LedgerFile::open(&path, "here").expect("it opens").publish(Record::new("t"), &mut Scripted::new(1.0, 1.0));
        assert_eq!(entry.expect("it publishes").clock, 8, "the local clock goes on from what is stored");
        assert_eq!(read(&path).expect("it reads"), 3);
        assert!(LedgerFile::open_to_read(&path).expect("it opens").check().expect("it reads").is_sound());
    }
}

#[test]
fn clocks_and_rows_beyond_their_bounds_are_refused() {
    let scratch = Scratch::new();
    for (index, clock) in [i64::MIN, -1, 0, 1 << 53, i64::MAX].into_iter().enumerate() {
        let ledger = scratch.ledger(&format!("{index}.db"), 3);
        let edit = format!("UPDATE ops SET clock = {clock} WHERE rowid = 2");
        Connection::open(&ledger).expect("it opens").execute_batch(&edit).expect("it edits");
        refused(&ledger, "LEDGER_CLOCK");
    }
    let ledger = scratch.ledger("vector.db", 3);
    Connection::open(&ledger)
        .expect("it opens")
        .execute_batch(&format!("UPDATE version_vector SET clock = {}", i64::MAX))
        .expect("it edits");
    refused(&ledger, "LEDGER_CLOCK");
    for (index, row) in [i64::MAX, -5].into_iter().enumerate() {
        let ledger = scratch.ledger(&format!("row{index}.db"), 3);
        Connection::open(&ledger)
            .expect("it opens")
            .execute_batch(&format!("UPDATE ops SET rowid = {row} WHERE rowid = 2"))
            .expect("it edits");
        refused(&ledger, "LEDGER_ROWS");
    }
    // The last clock there is: what is stored reads, and nothing more is written.
    let ledger = scratch.ledger("last.db", 3);
    let edit = format!("UPDATE ops SET clock = {} WHERE rowid = 3", (1_i64 << 53) - 1);
    Connection::open(&ledger).expect("it opens").execute_batch(&edit).expect("it edits");
    let ended = LedgerFile::open(&ledger, "n").expect("it opens").publish(Record::new("t"), &mut Scripted::new(1.0, 1.0));
    named(ended, "clock");
    assert_eq!(read(&ledger).expect("it reads"), 6);
}

#[test]
fn a_value_far_longer_than_any_is_never_loaded() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("long.db", 3);
    let long = "UPDATE ops SET payload = '{\"type\":\"swarm_directive\",\"x\":\"' || hex(zeroblob(1000000)) || '\"}' WHERE rowid = 2";
    Connection::open(&ledger).expect("it opens").execute_batch(long).expect("it edits");
    let reader = LedgerFile::open_to_read(&ledger).expect("it opens");
    let mut seen = 0;
    let mut count = |_: &landfall::ledger::Entry| {
        seen += 1;
        Ok(())
    };
    reader.each(Select::default(), &mut count).expect("it reads");
    assert_eq!((seen, reader.unreadable()), (2, 1));
    let longer = "UPDATE ops SET node_id = hex(zeroblob(5000000)) WHERE rowid = 2";
    Connection::open(&ledger).expect("it opens").execute_batch(longer).expect("it edits");
    named(read(&ledger), "LEDGER_VALUE_TOO_LONG");
}

/// A ledger whose writer ended in the middle: half of the pages are new, and the journal has the old ones.
fn interrupted(scratch: &Scratch, name: &str) -> PathBuf {
    let whole = scratch.ledger(&format!("{name}.whole"), 400);
    let writer = Connection::open(&whole).expect("it opens");
    writer.execute_batch("PRAGMA cache_size = 2; BEGIN IMMEDIATE; UPDATE ops SET ts = 77.0, payload = '{}';").expect("it begins");
    let path = scratch.path(name);
    std::fs::copy(&whole, &path).expect("it copies");
    std::fs::copy(whole.with_file_name(format!("{name}.whole-journal")), scratch.path(&format!("{name}-journal"))).expect("it copies");
    path
}

#[test]
fn what_a_killed_writer_left_is_undone_for_writers_and_readers() {
    let scratch = Scratch::new();
    let ledger = interrupted(&scratch, "one.db");
    std::fs::write(scratch.path("one.db.lock"), "").expect("it writes");
    assert!(LedgerFile::open_to_read(&ledger).expect("it opens").check().expect("it reads").is_sound());
    assert!(!scratch.path("one.db-journal").exists());
    assert_eq!(read(&ledger).expect("it reads"), 800);
    let ledger = interrupted(&scratch, "two.db");
    let opened = LedgerFile::open(&ledger, "n").expect("it opens");
    assert!(opened.check().expect("it reads").is_sound());
    // Without a lock file no ledger's writer was here: a reader does not play a stranger's journal.
    let ledger = interrupted(&scratch, "three.db");
    named(LedgerFile::open_to_read(&ledger), "LEDGER_JOURNAL_FOREIGN");
    assert!(scratch.path("three.db-journal").exists());
    // A journal that names a further file would have it looked at, and removed.
    let journal = scratch.path("three.db-journal");
    let mut bytes = std::fs::read(&journal).expect("it is there");
    bytes.extend_from_slice(&[0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
    std::fs::write(&journal, bytes).expect("it writes");
    refused(&ledger, "LEDGER_JOURNAL_FOREIGN");
    std::fs::remove_file(&journal).expect("it goes");
    symlink(scratch.path("elsewhere"), &journal).expect("a link");
    refused(&ledger, "LEDGER_JOURNAL_FOREIGN");
}

#[test]
fn an_odd_lock_file_is_refused_at_once() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("good.db", 1);
    let lock = scratch.path("good.db.lock");
    let publish = || LedgerFile::open(&ledger, "n")?.publish(Record::new("t"), &mut Scripted::new(1.0, 1.0));
    std::fs::remove_file(&lock).expect("it goes");
    symlink(scratch.path("elsewhere"), &lock).expect("a link");
    assert!(publish().is_err());
    assert!(!scratch.path("elsewhere").exists());
    std::fs::remove_file(&lock).expect("it goes");
    rustix::fs::mkfifoat(rustix::fs::CWD, &lock, rustix::fs::Mode::RWXU).expect("a FIFO");
    assert!(publish().is_err());
    std::fs::remove_file(&lock).expect("it goes");
    assert!(publish().is_ok());
}

#[test]
fn no_damage_makes_a_reader_panic_or_hang_and_check_finds_every_lost_page() {
    let scratch = Scratch::new();
    let whole = std::fs::read(scratch.ledger("whole.db", 250)).expect("it is there");
    let path = scratch.path("damaged.db");
    let pages = whole.len() / 4096;
    assert!(pages > 40, "{pages}");
    let check = || LedgerFile::open_to_read(&path).and_then(|ledger| ledger.check());
    for page in 0..pages {
        // Zeroes and ones: no page is known by them.
        for (turn, fill) in [0_u8, 0xff].into_iter().enumerate() {
            if (page + turn) % 3 > 0 && page > 24 {
                continue;
            }
            let mut bytes = whole.clone();
            bytes[page * 4096 + if page == 0 { 100 } else { 0 }..(page + 1) * 4096].fill(fill);
            std::fs::write(&path, &bytes).expect("it writes");
            let _ = read(&path);
            assert!(!check().is_ok_and(|seen| seen.is_sound()), "page {page} filled with {fill}");
        }
    }
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |limit: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % limit as u64).expect("it is small")
    };
    for turn in 0..40 {
        let mut bytes = whole.clone();
        for _ in 0..1 + turn % 12 {
            // The first bytes of a page say where everything else is.
            let at = below(pages) * 4096 + below(if turn % 2 == 0 { 16 } else { 4096 });
            bytes[at] = u8::try_from(below(256)).expect("a byte");
        }
        if turn % 7 == 0 {
            bytes.truncate(below(bytes.len()));
        }
        std::fs::write(&path, &bytes).expect("it writes");
        let _ = read(&path);
        let _ = check();
        let _ = LedgerFile::open(&path, "n").and_then(|mut ledger| ledger.publish(Record::new("t"), &mut Scripted::new(1.0, 1.0)));
        let _ = std::fs::remove_file(scratch.path("damaged.db-journal"));
    }
}

/// Makes the tree at `root` one of twenty levels, in which every page has the same page below it again
/// and again: few pages, and more rows than anybody could read.
fn wind(bytes: &mut Vec<u8>, root: usize) {
    const PAGE: usize = 4096;
    let at = |page: usize| (page - 1) * PAGE;
    assert!(matches!(bytes[at(root)], 2 | 5), "the root has pages below it");
    let original = bytes[at(root)..at(root) + PAGE].to_vec();
    let big = |bytes: &[u8]| usize::try_from(u32::from_be_bytes(bytes.try_into().expect("four bytes"))).expect("it is small");
    let with_children = |child: usize| {
        let mut page = original.clone();
        let child = u32::try_from(child).expect("it is small").to_be_bytes();
        page[8..12].copy_from_slice(&child);
        for cell in 0..usize::from(page[3]) * 256 + usize::from(page[4]) {
            let cell = usize::from(page[12 + 2 * cell]) * 256 + usize::from(page[13 + 2 * cell]);
            page[cell..cell + 4].copy_from_slice(&child);
        }
        page
    };
    let first = bytes.len() / PAGE + 1;
    for level in 0..18 {
        let child = if level == 17 { big(&original[8..12]) } else { first + level + 1 };
        bytes.extend(with_children(child));
    }
    let root_page = with_children(first);
    bytes[at(root)..at(root) + PAGE].copy_from_slice(&root_page);
    let pages = u32::try_from(bytes.len() / PAGE).expect("it is small");
    bytes[28..32].copy_from_slice(&pages.to_be_bytes());
}

#[test]
fn pages_that_lead_round_and_round_are_not_followed_for_ever() {
    let scratch = Scratch::new();
    let ledger = scratch.ledger("whole.db", 250);
    let whole = std::fs::read(&ledger).expect("it is there");
    for name in ["ops", "ops_by_state", "ops_by_gid", "ops_terms"] {
        let found = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        let root: i64 = Connection::open(&ledger).expect("it opens").query_row(found, [name], |row| row.get(0)).expect("it is there");
        let mut bytes = whole.clone();
        wind(&mut bytes, usize::try_from(root).expect("a page"));
        let path = scratch.path(name);
        std::fs::write(&path, &bytes).expect("it writes");
        let ended = read(&path);
        if name == "ops_by_state" {
            named(ended, "LEDGER_DAMAGED");
        }
        assert!(!LedgerFile::open_to_read(&path).and_then(|ledger| ledger.check()).is_ok_and(|seen| seen.is_sound()), "{name}");
    }
}
