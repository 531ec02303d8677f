//! The records of a replay as they lie in a folder, held against each other before anything is reported.
//!
//! A result never lies without its companions, and they say what it says. So board, validation and coverage are
//! made anew from the result and compared; only the counts of supported rows stand in the board alone.

use super::{Mapping, Part, replay};
use crate::json::{hex, to_canonical_text};
use crate::landing::record::{Board, CoverageRecord, ReadError, ResultRecord, Sealed, ValidationRecord, files};
use crate::landing::runs::RunCounts;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The bytes of record files by their bare names.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Why records are not reported.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// A result record that does not read.
    #[error("{name} is no record of landfall: {error}")]
    Result {
        /// The file.
        name: &'static str,
        /// Why.
        error: ReadError,
    },
    /// A companion that the result names is not there.
    #[error("{0} is missing beside its result; replay once more")]
    CompanionMissing(&'static str),
    /// A companion says something else than its result.
    #[error("{0} does not say what its result says; replay once more")]
    CompanionDiffers(&'static str),
}

/// The names of the files that [`parts`] may want.
pub const NAMES: [&str; 5] = [files::RESULT, files::BOARD, files::VALIDATION, files::COVERAGE, files::BUNDLE];

/// The parts of a report on a whole folder of records; none where it holds no result.
///
/// # Errors
/// A record that does not verify, a companion that is missing or differs.
pub fn parts(files: &Files, mapping: &Mapping) -> Result<Vec<Part>, StoredError> {
    let mut parts = Vec::new();
    if let Some(bytes) = files.get(files::RESULT) {
        let result = read(bytes, files::RESULT, "result")?;
        let board = companions(&result, files)?;
        let names = [files::RESULT, files::BOARD, files::VALIDATION, files::COVERAGE];
        parts.push(replay::part(&result, Some(&board), digests(names.iter().filter_map(|name| Some((*name, files.get(*name)?)))), mapping));
    }
    if let Some(bytes) = files.get(files::BUNDLE) {
        parts.push(single(bytes, files::BUNDLE, "bundle-result", mapping)?);
    }
    Ok(parts)
}

/// The part of a report on one result record alone, or nothing if `version` names no result record.
///
/// # Errors
/// As [`parts`]; companions are not asked for.
pub fn part_of_file(bytes: &[u8], version: &str, mapping: &Mapping) -> Option<Result<Part, StoredError>> {
    if version.starts_with("landfall/bundle-result/") {
        return Some(single(bytes, files::BUNDLE, "bundle-result", mapping));
    }
    version.starts_with("landfall/result/").then(|| single(bytes, files::RESULT, "result", mapping))
}

fn single(bytes: &[u8], name: &'static str, record: &str, mapping: &Mapping) -> Result<Part, StoredError> {
    let result = read(bytes, name, record)?;
    Ok(replay::part(&result, None, digests([(name, bytes)]), mapping))
}

fn read(bytes: &[u8], name: &'static str, record: &str) -> Result<ResultRecord, StoredError> {
    ResultRecord::read(bytes, record).map_err(|error| StoredError::Result { name, error })
}

fn digests<'f>(files: impl IntoIterator<Item = (&'static str, impl AsRef<[u8]> + 'f)>) -> Vec<(&'static str, String)> {
    files.into_iter().map(|(name, bytes)| (name, hex(&Sha256::digest(bytes.as_ref())))).collect()
}

fn companions(result: &ResultRecord, files: &Files) -> Result<Board, StoredError> {
    let bytes = |name: &'static str| files.get(name).ok_or(StoredError::CompanionMissing(name));
    let same = |name: &'static str, text: String| {
        if bytes(name)? == text.as_bytes() { Ok(()) } else { Err(StoredError::CompanionDiffers(name)) }
    };
    same(files::VALIDATION, to_canonical_text(&ValidationRecord::of(result).seal()))?;
    same(files::COVERAGE, to_canonical_text(&CoverageRecord::of(result).seal()))?;
    let text = bytes(files::BOARD)?;
    let differs = || StoredError::CompanionDiffers(files::BOARD);
    crate::json::parse(text).map_err(|_| differs())?;
    let stored: Board = serde_json::from_slice(text).map_err(|_| differs())?;
    let mut board = Board::of(result, RunCounts::default());
    let counted = |board: &Board| board.mechanics.iter().map(|one| (one.mechanic_id.clone(), one.authority.clone())).collect::<Vec<_>>();
    if counted(&board) != counted(&stored) {
        return Err(differs());
    }
    board.mechanics = stored.mechanics.clone();
    board.validation_order_required_count = stored.validation_order_required_count;
    same(files::BOARD, to_canonical_text(&board.seal()))?;
    Ok(stored)
}
