//! A replay in parts: shards that are judged apart, in any place and order, and merged.
//!
//! Shard `i/n` reads all inputs and judges all of them but the rows, of which it judges every n-th. So a shard
//! knows whether an id stands twice, whichever shard has the other row, and shards of other inputs, another
//! policy or another version are told by what all of them must share. What is divided is the judging, not
//! the reading.
//!
//! [`ShardRecord::merged`] is associative and asks for no order; [`ShardRecord::finish`] gives, of all shards, the
//! very records that an undivided replay writes. A part is never a verdict: its status is `partial`, and no
//! reader of results takes it for one.

use super::build::{BundleRun, FixtureRun};
use super::gathered::{Base, Mode};
use super::record::{ANTI_CLAIM, AuthorityCeiling, COMPONENT, InputDigest, ReadError, SchemaVersion, Sealed, Tool};
use super::runs::{JudgedRows, LIST_LIMIT};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The record's name in its version.
pub const RECORD: &str = "replay-shard";
/// The status of every shard.
pub const PARTIAL: &str = "partial";

/// One of `of` parts of a run table: every `of`-th row, from row `number - 1` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// The whole table.
    pub const WHOLE: Self = Self { number: 1, of: 1 };
    /// The most parts.
    pub const LIMIT: u32 = 10_000;

    /// Part `number` of `of`, both from 1.
    pub fn new(number: u32, of: u32) -> Option<Self> {
        ((1..=Self::LIMIT).contains(&of) && (1..=of).contains(&number)).then_some(Self { number, of })
    }

    /// Whether the row at `index`, from 0, is one of its rows.
    pub fn holds(self, index: u64) -> bool {
        self.of == 1 || index % u64::from(self.of) == u64::from(self.number - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A text that names no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a shard is I/N, with I from 1 to N and N at most {}", Shard::LIMIT)]
pub struct NoShard;

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (number, of) = text.split_once('/').ok_or(NoShard)?;
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        Self::new(plain(number).ok_or(NoShard)?, plain(of).ok_or(NoShard)?).ok_or(NoShard)
    }
}

/// What one shard saw, or several of one run together.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardRecord {
    /// `landfall/replay-shard/v1`
    pub schema_version: SchemaVersion,
    /// The component.
    pub component: String,
    /// The program.
    pub tool: Tool,
    /// Always `partial`.
    pub status: String,
    /// The ceiling.
    pub authority_ceiling: AuthorityCeiling,
    /// What the record does not show.
    pub anti_claim: String,
    /// How many shards there are.
    pub of: u32,
    /// Those in this record.
    pub shards: BTreeSet<u32>,
    /// Everything but the rows.
    base: Base,
    /// The rows of these shards.
    rows: JudgedRows,
    /// Digest of the record without this field.
    pub record_digest: String,
}

impl Sealed for ShardRecord {
    fn digest_slot(&mut self) -> &mut String {
        &mut self.record_digest
    }
}

/// Why shards do not make a run together.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The record cannot be taken as one.
    #[error("SHARD_UNREADABLE: {0}")]
    Unreadable(#[from] ReadError),
    /// Another release judged, perhaps by other rules.
    #[error("SHARD_VERSION_DIFFERS: one shard is of landfall {one}, another of {other}; judge all with one release")]
    Version {
        /// The one.
        one: String,
        /// The other.
        other: String,
    },
    /// A fixture and a bundle.
    #[error("SHARD_MODE_DIFFERS: one shard is of a fixture, another of a bundle; merge each with its own")]
    Mode,
    /// The table was divided in another way.
    #[error("SHARD_COUNT_DIFFERS: one shard is of {one}, another of {other}; divide once")]
    Count {
        /// The one.
        one: u32,
        /// The other.
        other: u32,
    },
    /// A shard is in both.
    #[error("SHARD_REPEATED: found shard {number} twice; give each shard once")]
    Repeated {
        /// The shard.
        number: u32,
    },
    /// They judged different inputs.
    #[error("SHARD_INPUTS_DIFFER: the shards judged different inputs, first {path}; judge one state of the inputs")]
    Inputs {
        /// The first input that differs.
        path: String,
    },
    /// Not all shards are there.
    #[error("SHARD_MISSING: found {found} of {of} shards, not shard {first}; without it there is no verdict")]
    Missing {
        /// How many are there.
        found: usize,
        /// How many there must be.
        of: u32,
        /// The first that is missing.
        first: u32,
    },
    /// The shards do not add up to the table.
    #[error("SHARD_ROWS_MISSING: the shards hold {found} rows, and the table has {rows}")]
    Rows {
        /// Rows in the shards.
        found: u64,
        /// Rows of the table.
        rows: u64,
    },
    /// No shard at all.
    #[error("SHARDS_MISSING: found no shard record")]
    NoShards,
}

/// The records of a run whose shards are all there.
#[derive(Debug, Clone)]
pub enum Whole {
    /// Of a fixture.
    Fixture(Box<FixtureRun>),
    /// Of a bundle.
    Bundle(Box<BundleRun>),
}

impl ShardRecord {
    /// The record of one shard.
    pub(super) fn of(shard: Shard, base: Base, rows: JudgedRows) -> Self {
        let record = Self {
            schema_version: SchemaVersion::current(RECORD),
            component: COMPONENT.to_owned(),
            tool: Tool::this(),
            status: PARTIAL.to_owned(),
            authority_ceiling: AuthorityCeiling::default(),
            anti_claim: format!("this is a part of a replay and no verdict; {ANTI_CLAIM}"),
            of: shard.of,
            shards: BTreeSet::from([shard.number]),
            base,
            rows,
            record_digest: String::new(),
        };
        record.seal()
    }

    /// Reads a stored record, strictly; the digest must verify.
    ///
    /// # Errors
    /// Any doubt.
    pub fn read(bytes: &[u8]) -> Result<Self, ShardError> {
        let value = crate::json::parse(bytes).map_err(|fault| ReadError::Text(fault.describe()))?;
        let version = value.get("schema_version").and_then(crate::json::Value::as_str).unwrap_or_default();
        SchemaVersion::of(version).check(RECORD).map_err(ReadError::from)?;
        let record: Self = serde_json::from_slice(bytes).map_err(ReadError::from)?;
        if crate::json::to_canonical_text(&record).as_bytes() != bytes {
            return Err(ReadError::Spelling.into());
        }
        if record.record_digest != record.computed_digest() {
            return Err(ReadError::Digest.into());
        }
        if !record.is_consistent() {
            return Err(ReadError::Inconsistent.into());
        }
        Ok(record)
    }

    /// Whether the fields can be those of shards.
    fn is_consistent(&self) -> bool {
        let held = |index: u64| self.shards.iter().any(|number| Shard::new(*number, self.of).is_some_and(|shard| shard.holds(index)));
        let listed = |rows: &[super::record::RunRowEntry]| {
            rows.len() <= LIST_LIMIT && rows.is_sorted_by(|one, next| one.index < next.index) && rows.iter().all(|row| held(row.index))
        };
        self.status == PARTIAL
            && self.authority_ceiling == AuthorityCeiling::default()
            && self.component == COMPONENT
            && !self.shards.is_empty()
            && self.shards.iter().all(|number| Shard::new(*number, self.of).is_some())
            && listed(&self.rows.refused)
            && listed(&self.rows.accepted)
    }

    /// Whether a fixture or a bundle was judged.
    pub fn mode(&self) -> Mode {
        self.base.mode
    }

    /// Rows judged, and rows of the table.
    pub fn rows_judged(&self) -> (u64, u64) {
        (self.rows.counts.runs, self.base.row_count)
    }

    /// What blocks already, whatever the other shards say: findings, hits, broken cases that were not caught.
    pub fn blocking_count(&self) -> u64 {
        let hits = self.base.hits.iter().chain(&self.rows.hits).filter(|hit| !hit.expected_negative_case).count();
        let cases = self.base.missing_negative_cases.len() + self.base.further_cases.missing.len();
        self.base.findings.total() + self.rows.findings.total() + hits as u64 + cases as u64
    }

    /// The shards of both records as one record. Any order and grouping gives the same bytes.
    ///
    /// # Errors
    /// Why the two are not of one run, or not different parts of it.
    pub fn merged(self, other: Self) -> Result<Self, ShardError> {
        let (one, another) = (&self.tool, &other.tool);
        if one != another || *one != Tool::this() {
            let other = if one == another { Tool::this().version } else { another.version.clone() };
            return Err(ShardError::Version { one: one.version.clone(), other });
        }
        if self.mode() != other.mode() {
            return Err(ShardError::Mode);
        }
        if self.of != other.of {
            return Err(ShardError::Count { one: self.of, other: other.of });
        }
        if let Some(path) = differing(&self.base, &other.base) {
            return Err(ShardError::Inputs { path });
        }
        if let Some(number) = self.shards.intersection(&other.shards).next() {
            return Err(ShardError::Repeated { number: *number });
        }
        let shards = self.shards.union(&other.shards).copied().collect();
        let merged = Self { shards, rows: self.rows.merged(other.rows), ..self };
        Ok(merged.seal())
    }

    /// The records that an undivided replay writes.
    ///
    /// # Errors
    /// A shard is missing, or the shards do not add up.
    pub fn finish(self) -> Result<Whole, ShardError> {
        if self.tool != Tool::this() {
            return Err(ShardError::Version { one: self.tool.version, other: Tool::this().version });
        }
        if let Some(first) = (1..=self.of).find(|number| !self.shards.contains(number)) {
            return Err(ShardError::Missing { found: self.shards.len(), of: self.of, first });
        }
        let (found, rows) = self.rows_judged();
        if found != rows {
            return Err(ShardError::Rows { found, rows });
        }
        Ok(match self.mode() {
            Mode::Fixture => Whole::Fixture(Box::new(FixtureRun::of(self.base, self.rows))),
            Mode::Bundle => Whole::Bundle(Box::new(BundleRun::of(self.base, self.rows))),
        })
    }
}

/// The first input in which two runs differ; nothing where all that they must share is the same.
fn differing(one: &Base, other: &Base) -> Option<String> {
    let text = |base: &Base| crate::json::to_canonical_text(base);
    if text(one) == text(other) {
        return None;
    }
    let by_path = |inputs: &[InputDigest]| inputs.iter().map(|input| (input.path.clone(), input.sha256.clone())).collect::<BTreeSet<_>>();
    let (one, other) = (by_path(&one.inputs), by_path(&other.inputs));
    let first = one.symmetric_difference(&other).next().map(|(path, _)| path.clone());
    Some(first.unwrap_or_else(|| "what was made of the same files".to_owned()))
}

/// All records as one, in any order.
///
/// # Errors
/// As [`ShardRecord::merged`], and when there is none.
pub fn merge_all(records: impl IntoIterator<Item = ShardRecord>) -> Result<ShardRecord, ShardError> {
    let mut records = records.into_iter();
    let first = records.next().ok_or(ShardError::NoShards)?;
    records.try_fold(first, ShardRecord::merged)
}
