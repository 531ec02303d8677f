//! What holds artifacts, seen from the code that lists, reads and removes them.

/// The most names that a folder may have; one with more is not listed, and so nothing in it is deleted. Some hundred
/// bytes are kept of each.
pub const ENTRY_LIMIT: usize = 4_000_000;

/// A store of files in folders: the disk through the edge, or a lay-out in memory.
///
/// Paths are text with `/`. Where a method follows links it says so.
pub trait ArtifactStore {
    /// The names in a folder, in any order; links to the folder itself are followed.
    ///
    /// # Errors
    /// There is no folder that can be listed, or it has too many names.
    fn children(&self, folder: &str) -> Result<Vec<String>, Unlisted>;

    /// What stands at `path`, links followed. `None` when nothing does, or a link dangles.
    fn stat(&self, path: &str) -> Option<Stat>;

    /// The bytes of the regular file at `path`, links followed; at most `limit` and one more, so that
    /// a longer one shows.
    ///
    /// # Errors
    /// Why not, as one fragment.
    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, String>;

    /// The path with every link and `..` resolved as far as it exists; `None` when links go in circles.
    fn resolve(&self, path: &str) -> Option<String>;

    /// Removes the regular file at `resolved`, which no link may lie on the way to, if it is still the
    /// one that `seen` describes.
    ///
    /// # Errors
    /// Why not, as one fragment; then it is still there.
    fn remove(&mut self, resolved: &str, seen: &Stat) -> Result<(), String>;
}

/// Why a folder was not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// There is none, or none that can be listed.
    Missing,
    /// It has more than [`ENTRY_LIMIT`] names.
    TooMany,
}

/// What is known about a place in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Whether it is a regular file.
    pub is_file: bool,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// When it was last modified, in nanoseconds since 1970.
    pub modified_ns: i128,
    /// What tells it from every other place of the store while both are there.
    pub identity: (u64, u64),
}

impl Stat {
    /// When it was last modified, in seconds since 1970.
    pub fn modified(&self) -> f64 {
        const SECOND: i128 = 1_000_000_000;
        // Not one division: a double does not hold the nanoseconds of today.
        self.modified_ns.div_euclid(SECOND) as f64 + self.modified_ns.rem_euclid(SECOND) as f64 * 1e-9
    }
}

/// `name` in `folder`.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.ends_with('/') { format!("{folder}{name}") } else { format!("{folder}/{name}") }
}
