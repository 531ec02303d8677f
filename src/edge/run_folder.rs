//! The folder of a cluster's run: who runs in it, how the run is described, and what its nodes logged.
//!
//! Nothing here is a record, and nothing judges by it: it is for the person who runs the cluster. Names in the
//! folder are our own, and a link in their place is not followed.

use super::records;
use rustix::fs::{Mode, OFlags};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file that describes the run.
pub const DESCRIPTION: &str = "cluster_run.env";
const LOCK: &str = "cluster.lock";
const LOGS: &str = "logs";
/// A longer log is put aside, over the one that was put aside before.
const LOG_LIMIT: u64 = 1 << 20;
/// How much of a log's end is looked at.
const TAIL: u64 = 64 << 10;
/// The longest description that is read, in bytes.
const DESCRIPTION_LIMIT: u64 = 64 << 10;

/// A folder in which this process runs a cluster; it is free again when the value is dropped, or with the process.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    _lock: File,
}

/// Opens a regular file in the folder, without following a link or waiting for a FIFO.
fn open(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::from_raw_mode(0o644))?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("no regular file")) }
}

impl RunFolder {
    /// Takes the folder, which is made where it is missing; `None` when another process runs a cluster in it.
    ///
    /// # Errors
    /// It cannot be made, or something else stands where its lock would.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        std::fs::create_dir_all(path.join(LOGS))?;
        let lock = open(&path.join(LOCK), OFlags::RDWR | OFlags::CREATE)?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self { path: path.to_owned(), _lock: lock })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Describes the run: one `NAME='value'` a line, as a shell reads it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn describe(&self, run: &[(&str, String)]) -> io::Result<()> {
        let line = |(name, value): &(&str, String)| format!("{name}='{}'\n", value.replace('\'', "'\\''"));
        records::write_one(&self.path.join(DESCRIPTION), &run.iter().map(line).collect::<String>())
    }

    /// Adds a line to the log of a node; its name is one of ours.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn log(&self, node: &str, line: &str) -> io::Result<()> {
        let path = log_of(&self.path, node);
        let mut file = open(&path, OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE)?;
        if file.metadata()?.len() > LOG_LIMIT {
            std::fs::rename(&path, path.with_extension("log.1"))?;
            file = open(&path, OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE)?;
        }
        // In one piece, so that lines of two threads do not mix.
        file.write_all(format!("{line}\n").as_bytes())
    }
}

fn log_of(folder: &Path, node: &str) -> PathBuf {
    folder.join(LOGS).join(format!("{node}.log"))
}

/// Whether a process runs a cluster in the folder.
///
/// # Errors
/// Something else stands where its lock would.
pub fn is_running(folder: &Path) -> io::Result<bool> {
    let lock = match open(&folder.join(LOCK), OFlags::RDONLY) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        lock => lock?,
    };
    match lock.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// How the last run in the folder was described, by name; `None` when there was none.
///
/// # Errors
/// It cannot be read, or is no description.
pub fn described(folder: &Path) -> io::Result<Option<Vec<(String, String)>>> {
    let file = match open(&folder.join(DESCRIPTION), OFlags::RDONLY) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut text = String::new();
    file.take(DESCRIPTION_LIMIT + 1).read_to_string(&mut text)?;
    let line = |line: &str| {
        let (name, value) = line.split_once('=')?;
        let value = value.strip_prefix('\'')?.strip_suffix('\'')?;
        Some((name.to_owned(), value.replace("'\\''", "'")))
    };
    let lines = text.lines().map(line).collect::<Option<Vec<_>>>().filter(|lines| !lines.is_empty());
    match lines.filter(|_| text.len() as u64 <= DESCRIPTION_LIMIT) {
        Some(lines) => Ok(Some(lines)),
        None => Err(io::Error::other(format!("{DESCRIPTION} is no description of a run"))),
    }
}

/// The nodes that have a log in the folder, by name.
///
/// # Errors
/// The folder of logs cannot be listed.
pub fn logged(folder: &Path) -> io::Result<Vec<String>> {
    let listed = match std::fs::read_dir(folder.join(LOGS)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        listed => listed?,
    };
    let mut nodes = Vec::new();
    for entry in listed.take(1000) {
        nodes.extend(entry?.file_name().to_str().and_then(|name| name.strip_suffix(".log")).map(str::to_owned));
    }
    nodes.sort_unstable();
    Ok(nodes)
}

/// The last lines of a node's log, at most `lines`, the oldest first.
///
/// # Errors
/// It cannot be read.
pub fn tail(folder: &Path, node: &str, lines: usize) -> io::Result<Vec<String>> {
    let mut file = open(&log_of(folder, node), OFlags::RDONLY)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut found: Vec<String> = text.lines().map(str::to_owned).collect();
    // The first line may have been cut.
    let from = usize::from(length > TAIL).max(found.len().saturating_sub(lines));
    Ok(found.split_off(from.min(found.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_folder_has_one_run_at_a_time_and_remembers_the_last() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let path = scratch.path().join("run");
        assert_eq!((is_running(&path).ok(), described(&path).ok()), (Some(false), Some(None)));
        let run = RunFolder::take(&path).expect("it is ours").expect("nobody else runs");
        assert!(RunFolder::take(&path).expect("it is there").is_none(), "one at a time");
        let said = [("PROFILE", "full-safe".to_owned()), ("RUN_DIR", "it's here".to_owned())];
        run.describe(&said).expect("it is written");
        assert!(is_running(&path).expect("it is there"));
        drop(run);
        assert!(!is_running(&path).expect("it is there"));
        let read = described(&path).expect("it reads").expect("it is there");
        assert_eq!(read, said.map(|(name, value)| (name.to_owned(), value)));
        std::fs::write(path.join(DESCRIPTION), "PROFILE=full-safe\n").expect("a file");
        assert!(described(&path).is_err(), "what is not ours is not believed");
    }

    #[test]
    fn logs_are_added_to_put_aside_and_told_from_their_end() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let run = RunFolder::take(scratch.path()).expect("it is ours").expect("nobody else runs");
        for number in 0..30_000 {
            run.log("trade-1", &format!("{number:060}")).expect("it is written");
        }
        let size = std::fs::metadata(log_of(scratch.path(), "trade-1")).expect("it is there").len();
        assert!(size <= LOG_LIMIT, "{size}");
        let told = tail(scratch.path(), "trade-1", 2).expect("it reads");
        assert_eq!(told, [format!("{:060}", 29_998), format!("{:060}", 29_999)]);
        assert_eq!(tail(scratch.path(), "trade-1", usize::MAX).expect("it reads").first().map(String::len), Some(60), "no cut line");
        assert_eq!(logged(scratch.path()).expect("it lists"), ["trade-1"]);
    }

    #[test]
    fn a_link_in_the_place_of_a_file_is_not_followed() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let precious = scratch.path().join("precious");
        std::fs::write(&precious, "kept").expect("a file");
        let run = RunFolder::take(&scratch.path().join("run")).expect("it is ours").expect("nobody else runs");
        symlink(&precious, log_of(&scratch.path().join("run"), "trade-1")).expect("a link");
        assert!(run.log("trade-1", "x").is_err());
        symlink(&precious, scratch.path().join("run").join(DESCRIPTION)).expect("a link");
        assert!(run.describe(&[]).is_err() && described(&scratch.path().join("run")).is_err());
        std::fs::create_dir_all(scratch.path().join("other/logs")).expect("a folder");
        symlink(&precious, scratch.path().join("other").join(LOCK)).expect("a link");
        assert!(RunFolder::take(&scratch.path().join("other")).is_err());
        assert_eq!(std::fs::read_to_string(&precious).expect("it is there"), "kept");
    }
}
