//! The evidence of a ledger, ready to be asked: kept beside the ledger's file, and made anew whenever that has changed.
//!
//! What is kept is never asked in the ledger's place: it counts only while the file is the very one it was taken from, by
//! device, number, size and both times, and was last changed well before. Times of change cannot be set, so what
//! comes along with a ledger from elsewhere never fits. Where nothing can be kept, the evidence lies in a file without a
//! name and goes with the command.

use crate::edge::disk;
use crate::edge::ledger::Location;
use crate::landing::rule::InputState;
use crate::ledger::record::owned;
use crate::ledger::{LedgerError, Select, each_record};
use crate::memory::{Evidence, EvidenceWriter, REMEMBERED_TYPES};
use std::fs::{File, Metadata};
use std::io::{self, BufWriter};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// From how many records on evidence is kept: fewer are read as fast as they are found.
const KEPT_FROM: u64 = 4096;
/// How long before it was kept a ledger must have been changed last, in seconds: a file system counts time in steps.
const SETTLED: i64 = 2;

/// The evidence of a ledger; none where there is no file.
///
/// # Errors
/// It is no ledger, or could not be read.
pub fn evidence(ledger: &Location) -> Result<Option<Evidence<File>>, LedgerError> {
    evidence_kept_from(ledger, KEPT_FROM)
}

fn evidence_kept_from(ledger: &Location, kept_from: u64) -> Result<Option<Evidence<File>>, LedgerError> {
    let Some(file) = ledger.file() else { return made(ledger, None).map(Some) };
    if let Err(InputState::Absent) = disk::open_file(file) {
        return Ok(None);
    }
    let place = Kept { ledger: file.to_owned(), file: beside(file), from: kept_from };
    if let Some(kept) = place.open() {
        return Ok(Some(kept));
    }
    made(ledger, Some(&place)).map(Some)
}

/// Where the evidence of the ledger at `file` is kept.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".evidence");
    PathBuf::from(name)
}

struct Kept {
    ledger: PathBuf,
    file: PathBuf,
    /// From how many records on.
    from: u64,
}

impl Kept {
    /// What tells this state of the ledger's file from every other.
    fn state(&self) -> Option<(String, Metadata)> {
        let now = self.ledger.symlink_metadata().ok()?;
        let state = format!(
            "{} {} {} {} {}.{:09} {}.{:09}",
            env!("CARGO_PKG_VERSION"),
            now.dev(),
            now.ino(),
            now.size(),
            now.mtime(),
            now.mtime_nsec(),
            now.ctime(),
            now.ctime_nsec()
        );
        Some((state, now))
    }

    /// What is kept, if it is of the ledger as it is now.
    fn open(&self) -> Option<Evidence<File>> {
        let (state, ledger) = self.state()?;
        let file = disk::open_file(&self.file).ok()?;
        let own = file.metadata().ok()?;
        let settled = ledger.ctime().max(ledger.mtime()).checked_add(SETTLED).is_some_and(|settled| settled <= own.mtime());
        if own.uid() != ledger.uid() || !settled {
            return None;
        }
        Evidence::open(file).ok().filter(|evidence| evidence.of() == state)
    }
}

/// Reads the ledger, a record at a time. What is made is kept if it can be.
fn made(ledger: &Location, place: Option<&Kept>) -> Result<Evidence<File>, LedgerError> {
    let failed = |error: io::Error| LedgerError::Storage(format!("its evidence could not be laid down: {error}"));
    let before = place.and_then(Kept::state);
    let folder =
        place.and_then(|place| place.file.parent()).map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let named = folder.and_then(|folder| tempfile::Builder::new().prefix(".landfall-evidence-").tempfile_in(folder).ok());
    let file = match &named {
        Some(named) => named.reopen(),
        None => tempfile::tempfile(),
    };
    let mut writer = EvidenceWriter::new(BufWriter::new(file.map_err(failed)?));
    let mut written = Ok(());
    each_record(&ledger.open_to_read()?, Select { types: &REMEMBERED_TYPES }, &mut |_, record| {
        if written.is_ok() {
            written = writer.take_in(&owned(record));
        }
    })?;
    written.map_err(failed)?;
    let is_worth_it = place.is_some_and(|place| writer.records() >= place.from);
    let of = before.as_ref().map(|(state, _)| state.as_str()).unwrap_or_default();
    let file = writer.finish(of).and_then(|out| out.into_inner().map_err(io::IntoInnerError::into_error)).map_err(failed)?;
    if let (Some(named), Some(place), Some((state, _))) = (named, place, &before)
        && is_worth_it
        && place.state().is_some_and(|(now, _)| now == *state)
    {
        // Whoever cannot keep it reads again the next time.
        drop(NamedTempFile::persist(named, &place.file));
    }
    Evidence::open(file).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::ledger::LedgerFile;
    use crate::ledger::surroundings::Scripted;
    use crate::ledger::{Ledger, Record};
    use crate::memory::Filters;
    use serde_json::json;
    use std::time::{Duration, SystemTime};

    fn record(number: u32) -> Record {
        let record = json!({
            "type": "memory_record", "record_kind": "explorer_useful_evidence", "gid": format!("r{number}"),
            "url": format!("https://docs.python.org/{number}"), "content_preview": "Notes on the retrieval of what agents remember.",
            "content_hash": format!("h{number}"), "source_score": 0.8, "system_relevance_score": 0.75
        });
        Record::from_map(record.as_object().cloned().expect("it is an object"))
    }

    /// How many items there are, and whether anything is kept.
    fn items(path: &Path) -> (Option<u64>, bool) {
        let mut found = evidence_kept_from(&Location::File(path.to_owned()), 1).expect("the ledger reads");
        let found = found.as_mut().map(|found| found.ask(100, &Filters::default(), 10, "node").expect("it reads"));
        (found.and_then(|found| found["catalog_item_count"].as_u64()), beside(path).exists())
    }

    /// Sets when `path` was modified, this many seconds from now.
    fn later(path: &Path, seconds: u64) {
        let file = File::options().write(true).open(path).expect("it opens");
        file.set_modified(SystemTime::now() + Duration::from_secs(seconds)).expect("it has a time");
    }

    #[test]
    fn what_is_kept_is_asked_only_while_the_ledger_is_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ledger.db");
        let mut around = Scripted::new(100.0, 0.0);
        assert_eq!(items(&path), (None, false), "no ledger has no evidence, and none is kept");
        let mut publish = |number| {
            let mut ledger = LedgerFile::open(&path, "n").expect("a ledger");
            ledger.publish(record(number), &mut around).expect("it is published");
        };
        publish(1);
        assert_eq!(items(&path), (Some(1), true));
        // Kept too soon after the ledger was changed, and so not asked: it may be of the moment before.
        assert!(Kept { ledger: path.clone(), file: beside(&path), from: 1 }.open().is_none());
        later(&beside(&path), 10);
        assert!(Kept { ledger: path.clone(), file: beside(&path), from: 1 }.open().is_some());
        publish(2);
        later(&beside(&path), 10);
        assert_eq!(items(&path), (Some(2), true));
        std::fs::write(beside(&path), "no evidence").expect("it is written");
        later(&beside(&path), 10);
        assert_eq!(items(&path), (Some(2), true));
    }

    #[test]
    fn what_came_along_with_a_copy_is_not_believed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, copy) = (folder.path().join("ledger.db"), folder.path().join("copy.db"));
        let mut ledger = LedgerFile::open(&path, "n").expect("a ledger");
        ledger.publish(record(1), &mut Scripted::new(100.0, 0.0)).expect("it is published");
        drop(ledger);
        items(&path);
        std::fs::copy(&path, &copy).expect("a copy");
        std::fs::copy(beside(&path), beside(&copy)).expect("a copy");
        later(&beside(&copy), 10);
        assert!(Kept { ledger: copy.clone(), file: beside(&copy), from: 1 }.open().is_none());
        assert_eq!(items(&copy).0, Some(1));
    }
}
