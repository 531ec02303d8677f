//! A folder of the disk, opened component by component without following a link.

use crate::folder::{Folder, Scratch};
use crate::landing::rule::InputState;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, fstat, open, openat, statat};
use rustix::io::Errno;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// The most entries that one listing gives.
const ENTRY_LIMIT: usize = 200_000;
/// The deepest folder that one listing enters.
const DEPTH_LIMIT: usize = 64;

/// A folder of the disk.
#[derive(Debug)]
pub struct DiskFolder {
    root: OwnedFd,
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Non-blocking, so that a FIFO swapped in between the look and the opening cannot hold us.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

impl DiskFolder {
    /// Opens the folder at `path`; a link is followed here, since the caller named it.
    ///
    /// # Errors
    /// When there is no folder that can be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { root: open(path, FOLDER, Mode::empty())? })
    }

    /// The folder below the root that holds `path`, and the last name of it.
    fn parent<'p>(&self, path: &'p str) -> Result<(Option<OwnedFd>, &'p str), InputState> {
        if path.contains('\0') {
            return Err(InputState::Absent);
        }
        let mut names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
        let last = names.pop().ok_or(InputState::Folder)?;
        let mut folder: Option<OwnedFd> = None;
        for name in names.iter().chain([&last]).copied() {
            if name == ".." {
                return Err(InputState::Absent);
            }
        }
        for name in names {
            let at = folder.as_ref().unwrap_or(&self.root);
            match openat(at, name, FOLDER.union(OFlags::NOFOLLOW), Mode::empty()) {
                Ok(below) => folder = Some(below),
                Err(error) => return Err(self.why(at, name, error)),
            }
        }
        Ok((folder, last))
    }

    /// What stands at `name`, since it could not be opened as wanted.
    fn why(&self, folder: &OwnedFd, name: &str, error: Errno) -> InputState {
        match kind_at(folder, name) {
            Ok(FileType::Symlink) => InputState::Link,
            Err(_) | Ok(_) if matches!(error, Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG) => InputState::Absent,
            _ => InputState::Unreadable,
        }
    }
}

fn kind_at(folder: &OwnedFd, name: &str) -> Result<FileType, Errno> {
    statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map(|stat| FileType::from_raw_mode(stat.st_mode))
}

fn state_of(kind: FileType) -> InputState {
    match kind {
        FileType::RegularFile => InputState::File,
        FileType::Directory => InputState::Folder,
        FileType::Symlink => InputState::Link,
        _ => InputState::Special,
    }
}

impl Folder for DiskFolder {
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send + '_>, InputState> {
        let (folder, name) = self.parent(path)?;
        let folder = folder.as_ref().unwrap_or(&self.root);
        // Look first: opening a device can have effects of its own.
        match kind_at(folder, name).map(state_of) {
            Ok(InputState::File) => {}
            Ok(other) => return Err(other),
            Err(error) => return Err(self.why(folder, name, error)),
        }
        let file = openat(folder, name, FILE, Mode::empty()).map_err(|error| self.why(folder, name, error))?;
        let kind = fstat(&file).map(|stat| FileType::from_raw_mode(stat.st_mode)).map_err(|_| InputState::Unreadable)?;
        match state_of(kind) {
            InputState::File => Ok(Box::new(File::from(file))),
            other => Err(other),
        }
    }

    fn scratch(&self) -> io::Result<Box<dyn Scratch>> {
        // In the system's folder for such files, without a name from the start.
        Ok(Box::new(tempfile::tempfile()?))
    }

    fn entries(&self, path: &str) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        self.walk(path, &mut |entry, open| {
            found.push(entry);
            if found.len() + open > ENTRY_LIMIT { Err(too_many()) } else { Ok(()) }
        })?;
        found.sort();
        Ok(found)
    }

    fn first_entries(&self, path: &str, limit: usize) -> io::Result<(Vec<String>, u64)> {
        // The last of those that are kept is on top: a folder of any size is listed in the room of its first entries.
        let mut kept = BinaryHeap::new();
        let mut beyond = 0;
        self.walk(path, &mut |entry, open| {
            kept.push(entry);
            if kept.len() > limit {
                kept.pop();
                beyond += 1;
            }
            if open > ENTRY_LIMIT { Err(too_many()) } else { Ok(()) }
        })?;
        Ok((kept.into_sorted_vec(), beyond))
    }
}

fn too_many() -> io::Error {
    io::Error::other("too many entries to list")
}

impl DiskFolder {
    /// Hands on every entry below `path` that is no folder, in no order, with the number of folders still to be listed.
    fn walk(&self, path: &str, take: &mut dyn FnMut(String, usize) -> io::Result<()>) -> io::Result<()> {
        let mut open_folders = vec![crate::folder::plain(path)];
        while let Some(below) = open_folders.pop() {
            let opened = if below.is_empty() {
                openat(&self.root, ".", FOLDER, Mode::empty())
            } else {
                match self.parent(&below) {
                    Ok((folder, name)) => {
                        openat(folder.as_ref().unwrap_or(&self.root), name, FOLDER.union(OFlags::NOFOLLOW), Mode::empty())
                    }
                    Err(_) => Err(Errno::NOENT),
                }
            };
            let folder = match opened {
                Ok(folder) => folder,
                // What is no folder is its own one entry, so that somebody looks at it.
                Err(_) if below == crate::folder::plain(path) => {
                    let there =
                        self.parent(&below).is_ok_and(|(folder, name)| kind_at(folder.as_ref().unwrap_or(&self.root), name).is_ok());
                    return if there { take(below, 0) } else { Ok(()) };
                }
                Err(error) => return Err(error.into()),
            };
            for entry in Dir::read_from(folder.as_fd())? {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy();
                // A name that is no text cannot be opened by its path: it is listed, whatever it is.
                let unnameable = entry.file_name().to_str().is_err();
                if matches!(&*name, "." | "..") {
                    continue;
                }
                let path = if below.is_empty() { name.clone().into_owned() } else { format!("{below}/{name}") };
                let kind = match entry.file_type() {
                    FileType::Unknown if !unnameable => kind_at(&folder, &name)?,
                    known => known,
                };
                if kind != FileType::Directory || unnameable || path.matches('/').count() >= DEPTH_LIMIT {
                    take(path, open_folders.len())?;
                } else {
                    open_folders.push(path);
                    if open_folders.len() > ENTRY_LIMIT {
                        return Err(too_many());
                    }
                }
            }
        }
        Ok(())
    }
}

/// The bytes of one file named by the caller, at most `limit` and one more, so that a longer one
/// shows. The file itself must be no link; the folders on the way may be.
///
/// # Errors
/// What stands there instead of a readable regular file.
pub fn read_file(path: &Path, limit: usize) -> Result<Vec<u8>, InputState> {
    let mut bytes = Vec::new();
    open_file(path)?.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|_| InputState::Unreadable)?;
    Ok(bytes)
}

/// Opens one file named by the caller; see [`read_file`].
///
/// # Errors
/// As [`read_file`].
pub fn open_file(path: &Path) -> Result<File, InputState> {
    let kind = std::fs::symlink_metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => InputState::Absent,
        _ => InputState::Unreadable,
    })?;
    let state = |kind: std::fs::FileType| {
        if kind.is_file() {
            InputState::File
        } else if kind.is_dir() {
            InputState::Folder
        } else if kind.is_symlink() {
            InputState::Link
        } else {
            InputState::Special
        }
    };
    match state(kind.file_type()) {
        InputState::File => {}
        other => return Err(other),
    }
    let file = File::from(open(path, FILE, Mode::empty()).map_err(|_| InputState::Unreadable)?);
    match file.metadata().map(|metadata| state(metadata.file_type())) {
        Ok(InputState::File) => Ok(file),
        Ok(other) => Err(other),
        Err(_) => Err(InputState::Unreadable),
    }
}

/// Makes a folder, and those above it, where there are none.
///
/// # Errors
/// The system does not let us.
pub fn make_folder(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn nothing_but_regular_files_below_the_root_is_opened() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let root = scratch.path();
        std::fs::create_dir_all(root.join("a/b")).expect("folders");
        std::fs::write(root.join("a/b/c.json"), "{}").expect("a file");
        symlink("a/b/c.json", root.join("link")).expect("a link");
        symlink("b", root.join("a/d")).expect("a link");
        rustix::fs::mkfifoat(rustix::fs::CWD, root.join("fifo"), Mode::RWXU).expect("a FIFO");
        let folder = DiskFolder::open(root).expect("it opens");
        assert!(Folder::open(&folder, "./a//b/c.json").is_ok());
        for (path, state) in [
            ("link", InputState::Link),
            ("a/d/c.json", InputState::Link),
            ("fifo", InputState::Special),
            ("a", InputState::Folder),
            ("a/../a/b/c.json", InputState::Absent),
            ("../x", InputState::Absent),
            ("a/b/c.json/x", InputState::Absent),
            ("none/x", InputState::Absent),
            (&"x".repeat(5000), InputState::Absent),
            ("a\0b", InputState::Absent),
        ] {
            assert_eq!(Folder::open(&folder, path).err(), Some(state), "{path}");
        }
        assert_eq!(folder.entries("").expect("it lists"), ["a/b/c.json", "a/d", "fifo", "link"]);
        assert_eq!(folder.entries("a/b").expect("it lists"), ["a/b/c.json"]);
        assert_eq!(folder.entries("none").expect("it lists"), Vec::<String>::new());
        assert_eq!(folder.entries("a/d").expect("it lists"), ["a/d"], "a link in a folder's place is seen");
        assert_eq!(folder.entries("fifo").expect("it lists"), ["fifo"]);
    }
}
