//! The place of a ledger on the disk: the file, what may lie beside it, and its lock.

use super::fault::{foreign, of_io, storage};
use crate::edge::disk;
use crate::landing::rule::InputState;
use crate::ledger::LedgerError;
use rustix::fs::{Mode, OFlags};
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a file begins that SQLite made.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// How a journal ends that belongs to several databases at once.
const JOINT: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// How often a journal that vanishes is looked at again.
const JOURNAL_LOOKS: u32 = 20;

/// The longest that a writer waits for the others.
const PATIENCE: Duration = Duration::from_secs(30);
const FIRST_WAIT: Duration = Duration::from_micros(200);
const LONGEST_WAIT: Duration = Duration::from_millis(20);

/// Where a ledger is.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The database, by a path without a link.
    pub(super) file: PathBuf,
    beside: PathBuf,
}

/// What stands at a ledger's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum There {
    /// Nothing.
    Nothing,
    /// A database; whether it keeps a write-ahead log.
    Database { wal: bool },
}

impl Place {
    /// The place of `path`; makes its folder where asked to.
    pub(super) fn of(path: &Path, make: bool) -> Result<Self, LedgerError> {
        let name = path.file_name().ok_or_else(|| storage(path, "LEDGER_MISSING", "names no file"))?;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if make {
            std::fs::create_dir_all(folder).map_err(|error| of_io(folder, &error))?;
        }
        let folder = std::fs::canonicalize(folder).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => storage(path, "LEDGER_MISSING", "is not there"),
            _ => of_io(path, &error),
        })?;
        Ok(Self { file: folder.join(name), beside: folder })
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.beside
    }

    fn with(&self, suffix: &str) -> PathBuf {
        let mut name = self.file.clone().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    }

    /// Looks at what stands there, before SQLite does.
    pub(super) fn look(&self) -> Result<There, LedgerError> {
        let mut file = match disk::open_file(&self.file) {
            Ok(file) => file,
            Err(InputState::Absent) => return Ok(There::Nothing),
            Err(InputState::Folder) => return Err(foreign(&self.file, "LEDGER_NO_FILE", "is a folder")),
            Err(InputState::Link) => return Err(foreign(&self.file, "LEDGER_LINK", "is a link; name the file itself")),
            Err(InputState::Special) => return Err(foreign(&self.file, "LEDGER_NO_FILE", "is no regular file")),
            Err(_) => return Err(storage(&self.file, "LEDGER_UNREADABLE", "could not be read")),
        };
        let mut head = Vec::new();
        file.by_ref().take(100).read_to_end(&mut head).map_err(|error| of_io(&self.file, &error))?;
        if head.is_empty() {
            return Err(foreign(&self.file, "LEDGER_EMPTY_FILE", "is an empty file; remove it, and it is made anew"));
        }
        if head.len() < 100 || !head.starts_with(MAGIC) {
            return Err(foreign(&self.file, "LEDGER_NOT_SQLITE", "is no SQLite database"));
        }
        if head[56..60] != [0, 0, 0, 1] {
            return Err(foreign(&self.file, "LEDGER_SCHEMA", "keeps its texts in another encoding than UTF-8"));
        }
        Ok(There::Database { wal: head[18] == 2 || head[19] == 2 })
    }

    /// Looks at the journal that a killed writer left; whether there is one.
    pub(super) fn journal(&self) -> Result<bool, LedgerError> {
        let path = self.with("-journal");
        // A writer at work makes and removes its journal under our eyes.
        let looks = (0..JOURNAL_LOOKS).map(|_| disk::open_file(&path));
        let mut journal = match looks.into_iter().find(|look| !matches!(look, Err(InputState::Unreadable))) {
            Some(Ok(journal)) => journal,
            Some(Err(InputState::Absent)) => return Ok(false),
            _ => return Err(foreign(&path, "LEDGER_JOURNAL_FOREIGN", "stands where a journal would, and is no readable file")),
        };
        let mut tail = [0; 8];
        let joint = journal.seek(SeekFrom::End(-8)).is_ok() && journal.read_exact(&mut tail).is_ok() && tail == JOINT;
        if joint {
            return Err(foreign(&path, "LEDGER_JOURNAL_FOREIGN", "belongs to several databases, and no ledger's does"));
        }
        Ok(true)
    }

    /// Whether a writer of ours has been here.
    pub(super) fn has_lock_file(&self) -> bool {
        self.with(".lock").symlink_metadata().is_ok_and(|metadata| metadata.is_file())
    }

    /// Waits for the other writers, and holds them off until the answer is dropped.
    pub(super) fn lock(&self) -> Result<File, LedgerError> {
        let path = self.with(".lock");
        // A link would be created elsewhere, a FIFO would wait for ever.
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = rustix::fs::open(&path, flags, Mode::from_raw_mode(0o644));
        let lock = opened.map(File::from).map_err(|error| of_io(&path, &error.into()))?;
        if !lock.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(foreign(&path, "LEDGER_LOCK_FOREIGN", "stands where the lock would, and is no regular file"));
        }
        let (mut waited, mut wait) = (Duration::ZERO, FIRST_WAIT);
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::Error(error)) => return Err(of_io(&path, &error)),
                Err(TryLockError::WouldBlock) if waited >= PATIENCE => {
                    return Err(storage(&self.file, "LEDGER_LOCKED", "has been held by another writer for too long; try again"));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(wait),
            }
            waited += wait;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }
}
