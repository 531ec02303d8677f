//! The ledgers that this process has open, so that none is opened beside SQLite's back.
//!
//! POSIX locks belong to the process: closing any descriptor of a file gives up the locks that SQLite
//! holds on it through another. So the first bytes of a file are read by ourselves only while nobody
//! in this process has it open.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Device and number of a file.
type Inode = (u64, u64);

static OPENED: Mutex<BTreeMap<Inode, usize>> = Mutex::new(BTreeMap::new());

/// The list, held: nobody opens a ledger meanwhile.
pub(super) struct Opened(MutexGuard<'static, BTreeMap<Inode, usize>>);

/// A ledger's line in the list; it goes when this is dropped.
#[derive(Debug)]
pub(super) struct Entered(Option<Inode>);

/// Device and number of what stands at `path`, not opening it.
pub(super) fn inode(path: &Path) -> Option<Inode> {
    path.symlink_metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

impl Opened {
    /// Waits for the list.
    pub(super) fn hold() -> Self {
        Self(OPENED.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the file is open in this process.
    pub(super) fn has(&self, path: &Path) -> bool {
        inode(path).is_some_and(|inode| self.0.contains_key(&inode))
    }

    /// Enters the file.
    pub(super) fn enter(mut self, path: &Path) -> Entered {
        let inode = inode(path);
        if let Some(inode) = inode {
            *self.0.entry(inode).or_default() += 1;
        }
        Entered(inode)
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let Some(inode) = self.0 else { return };
        let mut opened = Opened::hold().0;
        if let Some(count) = opened.get_mut(&inode) {
            *count -= 1;
            if *count == 0 {
                opened.remove(&inode);
            }
        }
    }
}
