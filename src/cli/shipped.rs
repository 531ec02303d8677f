//! Where this repository keeps its corpus, below a root.

use super::exit::Trouble;
use crate::corpus::families::Families;
use crate::edge::disk::DiskFolder;
use std::path::Path;

/// The fixture that `replay` judges without arguments.
pub(super) const FIRST_WAVE: &str = "fixtures/first-wave";
/// The bundle that `replay` judges without arguments.
pub(super) const BUNDLE: &str = "fixtures/bundle";
/// The live originals of the six control files.
pub(super) const ORIGINALS: &str = "fixtures/control-plane";
/// The blessed records.
pub(super) const RECORDS: &str = "fixtures/records";
/// All fixtures: twins are named below it.
pub(super) const FIXTURES: &str = "fixtures";
/// The negative cases of every family.
pub(super) const NEGATIVES: &str = "negative-cases";

/// Opens a folder of negative cases: of every family, or of the landing family alone.
pub(super) fn cases(path: &Path) -> Result<Families<DiskFolder>, Trouble> {
    Families::of(open(path, "folder of negative cases")?).map_err(|beside| Trouble::Usage(beside.to_string()))
}

/// Opens a folder that the caller named.
pub(super) fn open(path: &Path, what: &str) -> Result<DiskFolder, Trouble> {
    DiskFolder::open(path)
        .map_err(|error| Trouble::Failed(format!("no {what} at {}: {error}; name a folder that can be read", printable(path))))
}

/// A path as it may be printed.
pub(super) fn printable(path: &Path) -> String {
    path.to_string_lossy().replace(crate::landing::row::is_unprintable, "?")
}
