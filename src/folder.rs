//! A folder of inputs as a value: what the core asks of the disk, and a folder in memory.
//!
//! The edge implements [`Folder`] over real files without following links. Cases of kind `manifest`
//! and `corpus` are folders in memory, so that one judge serves both.

use crate::landing::rule::InputState;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, Write};

/// A readable folder. Paths are relative to it, with `/` between names.
pub trait Folder {
    /// Opens the regular file at `path`, without following a link anywhere on the way.
    ///
    /// # Errors
    /// What stands there instead.
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send + '_>, InputState>;

    /// Every entry below `path` that is no folder, sorted; `path` itself where something other than a
    /// folder stands there, nothing where nothing does.
    ///
    /// # Errors
    /// What listing met, a folder that cannot be listed among it.
    fn entries(&self, path: &str) -> io::Result<Vec<String>>;

    /// The first `limit` of the [`entries`](Self::entries), and how many there are beyond them.
    ///
    /// # Errors
    /// As [`entries`](Self::entries).
    fn first_entries(&self, path: &str, limit: usize) -> io::Result<(Vec<String>, u64)> {
        let mut entries = self.entries(path)?;
        let beyond = entries.len().saturating_sub(limit) as u64;
        entries.truncate(limit);
        Ok((entries, beyond))
    }

    /// An empty file for what is too much to keep in memory while an input is judged. It lies elsewhere, and nobody
    /// else sees it. In memory, unless there is a better place.
    ///
    /// # Errors
    /// When none can be made.
    fn scratch(&self) -> io::Result<Box<dyn Scratch>> {
        scratch_in_memory()
    }
}

/// A file that is written and read back.
pub trait Scratch: Read + Write + Seek + Send + std::fmt::Debug {}

impl<T: Read + Write + Seek + Send + std::fmt::Debug> Scratch for T {}

/// A scratch file that is none.
///
/// # Errors
/// Never.
pub fn scratch_in_memory() -> io::Result<Box<dyn Scratch>> {
    Ok(Box::new(io::Cursor::new(Vec::new())))
}

/// A folder in memory.
#[derive(Debug, Clone, Default)]
pub struct MemoryFolder {
    files: BTreeMap<String, Vec<u8>>,
    links: BTreeSet<String>,
}

impl MemoryFolder {
    /// Adds a file.
    pub fn file(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Adds a symbolic link; where it leads does not matter, since nothing follows it.
    pub fn link(&mut self, path: impl Into<String>) {
        self.links.insert(path.into());
    }
}

impl Folder for MemoryFolder {
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send + '_>, InputState> {
        let path = plain(path);
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        if ends.into_iter().any(|end| self.links.contains(&path[..end])) {
            return Err(InputState::Link);
        }
        if let Some(bytes) = self.files.get(&path) {
            return Ok(Box::new(&bytes[..]));
        }
        let below = format!("{path}/");
        let is_folder = self.files.range(below.clone()..).next().is_some_and(|(file, _)| file.starts_with(&below));
        Err(if is_folder { InputState::Folder } else { InputState::Absent })
    }

    fn entries(&self, path: &str) -> io::Result<Vec<String>> {
        let itself = plain(path);
        if self.links.contains(&itself) || self.files.contains_key(&itself) {
            return Ok(vec![itself]);
        }
        let below = if path.is_empty() { String::new() } else { format!("{itself}/") };
        let all: BTreeSet<_> = self.files.keys().chain(&self.links).filter(|entry| entry.starts_with(&below)).cloned().collect();
        Ok(all.into_iter().collect())
    }
}

/// A folder of which one file is seen.
#[cfg(feature = "harness")]
pub(crate) struct OneFile<'f> {
    pub(crate) folder: &'f dyn Folder,
    pub(crate) path: &'f str,
}

#[cfg(feature = "harness")]
impl Folder for OneFile<'_> {
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send + '_>, InputState> {
        self.folder.open(path)
    }

    fn entries(&self, _: &str) -> io::Result<Vec<String>> {
        Ok(vec![self.path.to_owned()])
    }
}

/// `path` without `.` and empty segments.
pub(crate) fn plain(path: &str) -> String {
    path.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect::<Vec<_>>().join("/")
}

/// A file as it was loaded: its bytes up to a limit, and the size of all of it.
#[derive(Debug, Clone)]
pub struct LoadedFile {
    /// The bytes; `None` when there are more than the limit.
    pub bytes: Option<Vec<u8>>,
    /// Number of bytes.
    pub size: u64,
    /// Bare hex digest of a file that was not kept.
    digest: Option<String>,
}

impl LoadedFile {
    /// Bare hex digest of all bytes: found when it is asked for, since most who load a file never do.
    pub fn sha256(&self) -> String {
        use sha2::{Digest, Sha256};
        match (&self.bytes, &self.digest) {
            (Some(bytes), _) => crate::json::hex(&Sha256::digest(bytes)),
            (None, digest) => digest.clone().expect("a file that is not kept is hashed while it is read"),
        }
    }
}

/// Loads a file of at most `limit` bytes; a longer one is hashed but not kept.
///
/// # Errors
/// What stands at `path` instead of a readable regular file.
pub fn load(folder: &dyn Folder, path: &str, limit: usize) -> Result<LoadedFile, InputState> {
    use sha2::{Digest, Sha256};
    let mut input = folder.open(path)?;
    let mut kept = Some(Vec::new());
    let mut hash = Sha256::new();
    let mut size = 0;
    let mut chunk = vec![0; 64 << 10];
    loop {
        let read = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => &chunk[..read],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Err(InputState::Unreadable),
        };
        size += read.len() as u64;
        match &mut kept {
            Some(bytes) if bytes.len() + read.len() <= limit => bytes.extend_from_slice(read),
            Some(bytes) => {
                hash.update(bytes);
                hash.update(read);
                kept = None;
            }
            None => hash.update(read),
        }
    }
    let digest = kept.is_none().then(|| crate::json::hex(&hash.finalize()));
    Ok(LoadedFile { bytes: kept, size, digest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_never_followed() {
        let mut folder = MemoryFolder::default();
        folder.file("a/b.py", "x");
        folder.link("c");
        folder.link("d/e.py");
        assert!(folder.open("./a//b.py").is_ok());
        assert_eq!(folder.open("a").err(), Some(InputState::Folder));
        assert_eq!(folder.open("c/b.py").err(), Some(InputState::Link));
        assert_eq!(folder.open("d/e.py").err(), Some(InputState::Link));
        assert_eq!(folder.open("z").err(), Some(InputState::Absent));
        assert_eq!(folder.entries("").expect("memory lists"), ["a/b.py", "c", "d/e.py"]);
        assert_eq!(folder.entries("a").expect("memory lists"), ["a/b.py"]);
    }

    #[test]
    fn a_file_over_the_limit_is_hashed_but_not_kept() {
        let mut folder = MemoryFolder::default();
        folder.file("a", vec![1; 100]);
        let loaded = load(&folder, "a", 99).expect("it is there");
        assert_eq!((&loaded.bytes, loaded.size), (&None, 100));
        let loaded_digest = crate::json::digest_of(&[1; 100]).trim_start_matches("sha256:").to_owned();
        assert_eq!(loaded.sha256(), loaded_digest);
        let kept = load(&folder, "a", 100).expect("it is there");
        assert!(kept.bytes.is_some());
        assert_eq!(kept.sha256(), loaded_digest);
    }
}
