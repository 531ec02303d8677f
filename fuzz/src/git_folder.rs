//! A folder of Git records: refs, logs, loose objects, packs.

use super::evidence_file::walk;
use super::folder::folder;
use landfall::evidence::git::Repository;

/// The target.
pub fn feed(bytes: &[u8]) {
    if let Some(repository) = Repository::read(Box::new(folder(bytes))) {
        walk(&repository);
    }
}
