//! Opening: what stands there is looked at first, SQLite is told to trust nothing, and the schema,
//! the clocks and the row numbers are held to their bounds before anything else is read.

use super::fault::{foreign, is_busy, of_io, of_sqlite, storage};
use super::opened::{Entered, Opened};
use super::place::{Place, There};
use super::schema;
use super::terms::{self, Late};
use crate::ledger::LedgerError;
use crate::ledger::operation::{CLOCK_LIMIT, PAYLOAD_LIMIT};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, Error, OpenFlags};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long SQLite itself waits for a lock.
const BUSY: Duration = Duration::from_secs(5);
/// How often a step is tried again after that, and the first pause, which doubles.
const TRIES: u32 = 6;
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// The greatest row number: beyond it SQLite would no longer count upwards.
const ROW_LIMIT: i64 = 1 << 53;
/// Steps of SQLite's machine between two looks at the fuel.
const STRIDE: i32 = 10_000;

/// An open connection.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) connection: Connection,
    pub(super) place: Place,
    /// Whether the file has an index of terms.
    pub(super) termed: bool,
    /// The terms of rows that it does not have.
    pub(super) late: Cell<Late>,
    /// Whether `ops` means a copy with indexes, since the file has none.
    copied: bool,
    fuel: Arc<AtomicU64>,
    /// Dropped after the connection.
    _entered: Entered,
}

/// Opens for writing; makes what is not there, where asked to.
pub(super) fn to_write(path: &Path, make: bool) -> Result<Open, LedgerError> {
    let place = Place::of(path, make)?;
    let opened = Opened::hold();
    if !opened.has(&place.file) && place.look()? == There::Nothing {
        if !make {
            return Err(storage(path, "LEDGER_MISSING", "is not there"));
        }
        create(&place)?;
        place.look()?;
    }
    let entered = opened.enter(&place.file);
    place.journal()?;
    let mut open = connect(place, OpenFlags::SQLITE_OPEN_READ_WRITE, entered)?;
    // A file of an early version keeps a write-ahead log; this folds it in.
    let mode: String = open.tried(|connection| connection.query_row("PRAGMA main.journal_mode = DELETE", [], |row| row.get(0)))?;
    if mode != "delete" {
        return Err(storage(&open.place.file, "LEDGER_WAL", "keeps a write-ahead log that another process holds"));
    }
    // Beyond FULL it syncs the folder too: what was acknowledged survives a loss of power.
    open.tried(|connection| connection.execute_batch("PRAGMA main.synchronous = EXTRA"))?;
    let there = open.examine()?;
    let missing = schema::missing(&there);
    if !missing.is_empty() {
        let _lock = open.place.lock()?;
        let script: String = missing.iter().map(|sql| format!("{sql};")).collect();
        open.refuel();
        open.tried(|connection| {
            let made = connection
                .execute_batch(&format!("BEGIN IMMEDIATE; {script}"))
                .and_then(|()| terms::absorb(connection, &|| open.refuel()))
                .and_then(|()| connection.execute_batch("COMMIT"));
            made.inspect_err(|_| {
                if !connection.is_autocommit() {
                    let _ = connection.execute_batch("ROLLBACK");
                }
            })
        })?;
        open.examine()?;
    }
    Ok(open)
}

/// Opens for reading; makes nothing, beside it neither.
pub(super) fn to_read(path: &Path) -> Result<Open, LedgerError> {
    let place = Place::of(path, false)?;
    let opened = Opened::hold();
    let there = if opened.has(&place.file) { There::Database { wal: false } } else { place.look()? };
    let entered = opened.enter(&place.file);
    match there {
        There::Nothing => return Err(storage(path, "LEDGER_MISSING", "is not there")),
        There::Database { wal: true } => {
            return Err(storage(path, "LEDGER_WAL", "keeps a write-ahead log, which the next command that writes folds in"));
        }
        There::Database { wal: false } => {}
    }
    roll_back(&place)?;
    let mut open = connect(place, OpenFlags::SQLITE_OPEN_READ_ONLY, entered)?;
    let there = open.examine()?;
    if !schema::has_core(&there) {
        // Made by other software: the operations are indexed in a copy of their own.
        open.tried(|connection| connection.execute_batch(&schema::copy_script()))?;
        open.copied = true;
        open.catch_up()?;
        open.within_bounds()?;
    }
    Ok(open)
}

/// Undoes what a killed writer left half done, as the next writer would.
fn roll_back(place: &Place) -> Result<(), LedgerError> {
    if !place.journal()? {
        return Ok(());
    }
    if !place.has_lock_file() {
        return Err(foreign(&place.file, "LEDGER_JOURNAL_FOREIGN", "has a journal beside it that no ledger left"));
    }
    let _lock = place.lock()?;
    if place.journal()? {
        let entered = Opened::hold().enter(&place.file);
        connect(place.clone(), OpenFlags::SQLITE_OPEN_READ_WRITE, entered)?
            .tried(|connection| connection.query_row("SELECT count(*) FROM main.sqlite_schema", [], |row| row.get::<_, i64>(0)))?;
    }
    Ok(())
}

/// Makes an empty ledger in one step: nobody ever sees half a file. The list of opened ledgers is held
/// meanwhile, since a descriptor of the new file is closed here.
fn create(place: &Place) -> Result<(), LedgerError> {
    let broken = |error: &std::io::Error| of_io(&place.file, error);
    let mut named = tempfile::Builder::new();
    named.prefix(".landfall-ledger-").permissions(std::fs::Permissions::from_mode(0o644));
    let made = named.tempfile_in(place.folder()).map_err(|error| broken(&error))?;
    let fail = |error: Error| of_sqlite(&place.file, &error);
    let connection = Connection::open(made.path()).map_err(fail)?;
    connection.execute_batch("PRAGMA encoding = 'UTF-8'; BEGIN").map_err(fail)?;
    schema::create(&connection).map_err(fail)?;
    connection.execute_batch("COMMIT").map_err(fail)?;
    connection.close().map_err(|(_, error)| fail(error))?;
    made.as_file().sync_all().map_err(|error| broken(&error))?;
    match made.persist_noclobber(&place.file) {
        Ok(_) => std::fs::File::open(place.folder()).and_then(|folder| folder.sync_all()).map_err(|error| broken(&error)),
        // Another process was faster.
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(broken(&error.error)),
    }
}

fn connect(place: Place, mode: OpenFlags, entered: Entered) -> Result<Open, LedgerError> {
    let flags = mode | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let fuel = Arc::new(AtomicU64::new(0));
    let ready = || -> rusqlite::Result<Connection> {
        let mut connection = Connection::open_with_flags(&place.file, flags)?;
        connection.busy_timeout(BUSY)?;
        for (setting, on) in [
            (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
            (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
            (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
            (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
        ] {
            connection.set_db_config(setting, on)?;
        }
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, 4 * i32::try_from(PAYLOAD_LIMIT).expect("a mebibyte fits"))?;
        connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        let left = Arc::clone(&fuel);
        let spend = move || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err();
        connection.progress_handler(STRIDE, Some(spend))?;
        Ok(connection)
    };
    let connection = ready().map_err(|error| of_sqlite(&place.file, &error))?;
    let open = Open { connection, place, termed: false, late: Cell::default(), copied: false, fuel, _entered: entered };
    open.refuel();
    open.tried(|connection| {
        connection.execute_batch("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA main.cache_size = -16000")
    })?;
    Ok(open)
}

impl Open {
    /// Gives the next piece of work as many steps as a sound file of this size could ever take. The
    /// pages of a hostile file may lead in circles, and nothing may follow them for ever.
    pub(super) fn refuel(&self) {
        let size = std::fs::metadata(&self.place.file).map_or(0, |metadata| metadata.len());
        self.fuel.store(200 + size.saturating_mul(8) / STRIDE.unsigned_abs() as u64, Ordering::Relaxed);
    }

    /// Takes a step, again and again while others hold the file, with growing pauses.
    pub(super) fn tried<T>(&self, step: impl Fn(&Connection) -> rusqlite::Result<T>) -> Result<T, LedgerError> {
        let mut pause = FIRST_PAUSE;
        let mut left = TRIES;
        loop {
            match step(&self.connection) {
                Ok(done) => return Ok(done),
                Err(error) if left > 0 && is_busy(&error) => std::thread::sleep(pause),
                Err(error) if left > 0 && must_roll_back(&error) => roll_back(&self.place)?,
                Err(error) => return Err(of_sqlite(&self.place.file, &error)),
            }
            left -= 1;
            pause *= 2;
        }
    }

    /// Holds the schema to a ledger's; what there is beside the four tables.
    fn examine(&mut self) -> Result<BTreeSet<String>, LedgerError> {
        let (odd, there) = self.tried(schema::examine)?;
        if let Some(what) = odd {
            return Err(foreign(&self.place.file, "LEDGER_SCHEMA", &what));
        }
        self.termed = schema::has_terms(&there);
        if schema::has_core(&there) {
            self.within_bounds()?;
        }
        Ok(there)
    }

    /// Copies the rows that are not in the copy, where there is one.
    pub(super) fn catch_up(&self) -> Result<(), LedgerError> {
        if self.copied {
            self.refuel();
            self.tried(|connection| connection.execute_batch(schema::COPY_ROWS))?;
        }
        Ok(())
    }

    fn within_bounds(&self) -> Result<(), LedgerError> {
        let bounds = "SELECT (SELECT min(clock) FROM ops), (SELECT max(clock) FROM ops), (SELECT min(rowid) FROM ops), \
                      (SELECT max(rowid) FROM ops), (SELECT max(clock) FROM version_vector)";
        let bounds: [Option<i64>; 5] = self.tried(|connection| {
            connection.query_row(bounds, [], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?]))
        })?;
        let clocks = 1..=i64::try_from(CLOCK_LIMIT).expect("the limit has 53 bits");
        let sound = |bound: Option<i64>| bound.is_none_or(|clock| clocks.contains(&clock));
        if !sound(bounds[0]) || !sound(bounds[1]) || !sound(bounds[4]) {
            return Err(foreign(&self.place.file, "LEDGER_CLOCK", &format!("has a clock that is not between 1 and {CLOCK_LIMIT}")));
        }
        if bounds[2].is_some_and(|row| row < 1) || bounds[3].is_some_and(|row| row > ROW_LIMIT) {
            return Err(foreign(&self.place.file, "LEDGER_ROWS", "numbers its rows as no ledger does"));
        }
        Ok(())
    }
}

fn must_roll_back(error: &Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_READONLY_ROLLBACK)
}
