//! Writing records: all prepared first, each replaced atomically, the result last, one run at a time.

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use tempfile::NamedTempFile;

/// The file whose lock is held while records are written.
pub const LOCK_FILE: &str = ".landfall.lock";

/// How the names of records begin that are not in their place yet. Only who holds the lock makes such files.
const PREPARED: &str = ".landfall-record-";

/// How long a second run waits for the first, in steps of a tenth of a second.
const LOCK_TRIES: u32 = 300;

/// Writes `texts` into `folder` in their order; the last one should be the one whose presence says
/// that all are there. A text that lies there already is written anew, with the same bytes.
///
/// # Errors
/// When the folder cannot be made or locked, or a file cannot be replaced. Nothing is replaced
/// unless every text could be prepared.
pub fn write_all(folder: &Path, texts: &[(&str, String)]) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let lock = open_lock(folder)?;
    hold(&lock)?;
    sweep(folder)?;
    let mut prepared = Vec::new();
    for (name, text) in texts {
        let target = folder.join(name);
        if target.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::other(format!("{name} is there and is no regular file")));
        }
        let mut file = tempfile::Builder::new().permissions(std::fs::Permissions::from_mode(0o644)).prefix(PREPARED).tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        prepared.push((file, target));
    }
    for (file, target) in prepared {
        NamedTempFile::persist(file, target).map_err(|error| error.error)?;
    }
    File::open(folder)?.sync_all()
}

/// Removes what a killed run had prepared. The lock is held: nobody else's preparations lie there.
fn sweep(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(PREPARED.as_bytes()) && entry.file_type()?.is_file() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Writes one text into `target`, atomically; the folder is made where it is missing. There is no lock: whoever
/// writes last has written all of it.
///
/// # Errors
/// When something other than a regular file stands there, or the folder or file cannot be written.
pub fn write_one(target: &Path, text: &str) -> io::Result<()> {
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if target.file_name().is_none() || target.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("no regular file"));
    }
    std::fs::create_dir_all(folder)?;
    let permissions = std::fs::Permissions::from_mode(0o644);
    let mut file = tempfile::Builder::new().permissions(permissions).prefix(".landfall-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    NamedTempFile::persist(file, target).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

/// Opens the lock file. A link or a FIFO in its place is refused: the one would be created elsewhere,
/// the other would wait for ever.
fn open_lock(folder: &Path) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let odd = || io::Error::other(format!("{LOCK_FILE} is there and is no regular file"));
    let opened = rustix::fs::open(folder.join(LOCK_FILE), flags, Mode::from_raw_mode(0o644));
    let lock = File::from(opened.map_err(|error| match error {
        Errno::LOOP | Errno::NXIO | Errno::ISDIR => odd(),
        other => other.into(),
    })?);
    if lock.metadata()?.is_file() { Ok(lock) } else { Err(odd()) }
}

/// Removes the lock file of `folder`, where it would lie among files under review.
///
/// # Errors
/// When it is there and cannot be removed.
pub fn remove_lock(folder: &Path) -> io::Result<()> {
    match std::fs::remove_file(folder.join(LOCK_FILE)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes new files below `folder`, making folders as needed; nothing that is there is overwritten.
///
/// # Errors
/// When one of them is there already, before anything is written; or when writing fails.
pub fn write_new(folder: &Path, texts: &[(String, String)]) -> io::Result<()> {
    if let Some((name, _)) = texts.iter().find(|(name, _)| folder.join(name).symlink_metadata().is_ok()) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{name} is there already")));
    }
    for (name, text) in texts {
        let target = folder.join(name);
        std::fs::create_dir_all(target.parent().unwrap_or(folder))?;
        OpenOptions::new().create_new(true).write(true).open(target)?.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn hold(lock: &File) -> io::Result<()> {
    for _ in 0..LOCK_TRIES {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(100)),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::Error::other("another run has been writing into this folder for too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_replaced_whole_or_not_at_all() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let folder = scratch.path().join("a/b");
        write_all(&folder, &[("x.json", "1".to_owned()), ("y.json", "2".to_owned())]).expect("it writes");
        assert_eq!(std::fs::read_to_string(folder.join("y.json")).expect("it is there"), "2");
        std::fs::create_dir(folder.join("z.json")).expect("a folder in the way");
        assert!(write_all(&folder, &[("x.json", "3".to_owned()), ("z.json", "4".to_owned())]).is_err());
        assert_eq!(std::fs::read_to_string(folder.join("x.json")).expect("it is there"), "1");
        let mut left: Vec<_> = std::fs::read_dir(&folder).expect("it lists").map(|entry| entry.expect("an entry").file_name()).collect();
        left.sort();
        assert_eq!(left, [LOCK_FILE, "x.json", "y.json", "z.json"], "no temporary file stays behind");
    }

    #[test]
    fn one_text_is_replaced_whole_and_nothing_else_is() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let target = scratch.path().join("a/report.html");
        write_one(&target, "1").expect("it writes");
        write_one(&target, "2").expect("it replaces");
        assert_eq!(std::fs::read_to_string(&target).expect("it is there"), "2");
        let link = scratch.path().join("a/link");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        assert!(write_one(&link, "3").is_err() && write_one(&scratch.path().join("a"), "3").is_err());
        assert_eq!(std::fs::read_to_string(&target).expect("it is there"), "2");
        let left = std::fs::read_dir(scratch.path().join("a")).expect("it lists").count();
        assert_eq!(left, 2, "no temporary file and no lock stays behind");
    }

    #[test]
    fn a_fifo_or_link_in_the_locks_place_is_refused_at_once() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let lock = scratch.path().join(LOCK_FILE);
        rustix::fs::mkfifoat(rustix::fs::CWD, &lock, Mode::RWXU).expect("a FIFO");
        assert!(write_all(scratch.path(), &[("a", String::new())]).is_err());
        std::fs::remove_file(&lock).expect("it goes");
        std::os::unix::fs::symlink(scratch.path().join("elsewhere"), &lock).expect("a link");
        assert!(write_all(scratch.path(), &[("a", String::new())]).is_err());
        assert!(!scratch.path().join("elsewhere").exists());
    }

    #[test]
    fn what_a_killed_run_had_prepared_goes_and_nothing_else_does() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let at = |name: &str| scratch.path().join(name);
        for name in [".landfall-record-x1", ".landfall-other", "mine.json"] {
            std::fs::write(at(name), "half").expect("a file");
        }
        std::fs::create_dir(at(".landfall-record-folder")).expect("a folder");
        std::os::unix::fs::symlink("mine.json", at(".landfall-record-link")).expect("a link");
        write_all(scratch.path(), &[("a.json", String::new())]).expect("it writes");
        let mut left: Vec<_> =
            std::fs::read_dir(scratch.path()).expect("it lists").map(|entry| entry.expect("an entry").file_name()).collect();
        left.sort();
        assert_eq!(left, [".landfall-other", ".landfall-record-folder", ".landfall-record-link", LOCK_FILE, "a.json", "mine.json"]);
    }

    #[test]
    fn writers_into_one_folder_take_turns() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let folder = scratch.path();
                scope.spawn(move || write_all(folder, &[("a", writer.to_string()), ("b", writer.to_string())]).expect("it writes"));
            }
        });
        let read = |name: &str| std::fs::read_to_string(scratch.path().join(name)).expect("it is there");
        assert_eq!(read("a"), read("b"), "both files are of one run");
    }
}
