//! The digest of every file of a corpus: one changed byte anywhere has a name.
//!
//! Replay records name the inputs of a replay. Twins, originals and evidence of other fixtures are
//! read by the audit alone; this list covers them too.

use crate::folder::{Folder, load};
use crate::landing::record::{InputDigest, SchemaVersion, Tool};
use serde::{Deserialize, Serialize};
use std::io;

/// File name of the list among the blessed records.
pub const DIGESTS_FILE: &str = "corpus-digests.json";

/// The list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusDigests {
    /// `landfall/corpus-digests/v1`
    pub schema_version: SchemaVersion,
    /// The program.
    pub tool: Tool,
    /// Every file, sorted by path.
    pub files: Vec<InputDigest>,
    /// Entries that are no readable regular file.
    pub unreadable: Vec<String>,
}

/// Digests every file of `folders`, each shown below its name, without those `left_out` names.
///
/// # Errors
/// When a folder cannot be listed.
pub fn digest_all(folders: &[(&str, &dyn Folder)], left_out: impl Fn(&str) -> bool) -> io::Result<CorpusDigests> {
    let mut digests = CorpusDigests {
        schema_version: SchemaVersion::current("corpus-digests"),
        tool: Tool::this(),
        files: Vec::new(),
        unreadable: Vec::new(),
    };
    for (name, folder) in folders {
        for path in folder.entries("")? {
            let shown = format!("{name}/{path}");
            if left_out(&shown) {
                continue;
            }
            // Hashed whole, kept not at all.
            match load(*folder, &path, 0) {
                Ok(loaded) => digests.files.push(InputDigest { path: shown, sha256: loaded.sha256(), size_bytes: loaded.size }),
                Err(_) => digests.unreadable.push(shown),
            }
        }
    }
    digests.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(digests)
}
