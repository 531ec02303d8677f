//! Whose turn it is: one runner a ledger at a time, from its first look until its result is published.
//!
//! This is not the ledger's own lock: what a runner starts may write to the same ledger meanwhile.

use crate::ledger::LedgerError;
use rustix::fs::{Mode, OFlags};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

/// The longest that a runner waits for another: a little more than the longest run takes.
const PATIENCE: Duration = Duration::from_secs(150);
const LOOK: Duration = Duration::from_millis(20);

/// A turn; it ends when the value is dropped, or with the process.
#[derive(Debug)]
pub struct Turn(#[expect(dead_code, reason = "holds the lock until it is dropped")] File);

/// Waits for a turn with the ledger at `path`.
///
/// # Errors
/// Something else stands where the lock would, or another runner holds it for too long.
pub fn turn(path: &Path) -> Result<Turn, LedgerError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".runners.lock");
    let failed = |what: &str| LedgerError::Storage(format!("{}: {what}", Path::new(&name).display()));
    // A link would be created elsewhere, a FIFO would wait for ever.
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let lock = rustix::fs::open(Path::new(&name), flags, Mode::from_raw_mode(0o644)).map(File::from);
    let lock = lock.map_err(|error| failed(&error.to_string()))?;
    if !lock.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err(failed("stands where the runners' lock would, and is no regular file"));
    }
    let mut waited = Duration::ZERO;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(Turn(lock)),
            Err(TryLockError::Error(error)) => return Err(failed(&error.to_string())),
            Err(TryLockError::WouldBlock) if waited >= PATIENCE => return Err(failed("has been held by another runner for too long")),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
        }
        waited += LOOK;
    }
}
