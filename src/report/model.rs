//! The one value that every format is rendered from.

use super::Shown;
use crate::finding::Support;
use crate::landing::record::SupportCounts;
use serde::Serialize;

/// What the report says in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everything was judged and is supported.
    Pass,
    /// Nothing blocks, and not everything is shown; no claim at all is this too.
    NotShown,
    /// Something was refused.
    Blocked,
}

impl Verdict {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::NotShown => "not shown",
            Self::Blocked => "blocked",
        }
    }
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The worst of its parts.
    pub verdict: Verdict,
    /// One for each result record or audit answer it was made from.
    pub parts: Vec<Part>,
}

impl Report {
    /// A report of these parts; without any nothing is shown.
    pub fn new(parts: Vec<Part>) -> Self {
        Self { verdict: parts.iter().map(|part| part.verdict).max().unwrap_or(Verdict::NotShown), parts }
    }

    /// Every item of every part.
    pub fn items(&self) -> impl Iterator<Item = (&Part, &Item)> {
        self.parts.iter().flat_map(|part| part.items.iter().map(move |item| (part, item)))
    }
}

/// Where a part comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// `result.json` of a replay.
    Fixture,
    /// `bundle-result.json` of a replay.
    Bundle,
    /// The answer of an audit.
    Audit,
}

impl PartKind {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fixture => "fixture",
            Self::Bundle => "bundle",
            Self::Audit => "audit",
        }
    }

    /// What its main items are called, in the plural.
    pub fn subjects(self) -> &'static str {
        if self == Self::Audit { "claims" } else { "rows" }
    }
}

/// What one result record or one audit answer says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Where it comes from.
    pub kind: PartKind,
    /// Name and version of the program that judged, if the source says.
    pub judged_by: Option<[Shown; 2]>,
    /// The verdict.
    pub verdict: Verdict,
    /// Rows or claims by support.
    pub support: SupportCounts,
    /// Counts of the shape *n of m*.
    pub tallies: Vec<Tally>,
    /// What was judged, in the order of the source; refused rows first.
    pub items: Vec<Item>,
    /// Rows or claims that the source counts and does not list.
    pub unlisted_subjects: u64,
    /// Blocking findings that the source counts and does not list.
    pub unlisted_findings: u64,
    /// Input files with their digests.
    pub inputs: Vec<Input>,
    /// The files that this part was read from.
    pub records: Vec<RecordFile>,
    /// What was recomputed from bytes.
    pub recomputed: Vec<Shown>,
    /// What rests on the claimant's word.
    pub declared: Vec<Shown>,
    /// What the part does not show.
    pub anti_claim: Shown,
}

/// *n of m*.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// What is counted.
    pub label: Shown,
    /// How many are as they should be.
    pub count: u64,
    /// How many there are.
    pub of: u64,
}

/// An input file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Input {
    /// Its path.
    pub path: Shown,
    /// Bare hex digest.
    pub sha256: Shown,
    /// Number of bytes.
    pub size_bytes: u64,
}

/// A file that a report was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordFile {
    /// Its bare name.
    pub name: Shown,
    /// Bare hex digest of its bytes.
    pub sha256: String,
}

/// What kind of thing an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// A run row.
    Row,
    /// A claim of a session.
    Claim,
    /// A broken case that must be refused.
    Case,
    /// A copied body.
    Module,
    /// A file or a part of one: policy, protocol, table, manifest.
    File,
    /// The scan of all inputs.
    Scan,
}

impl ItemKind {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Claim => "claim",
            Self::Case => "case",
            Self::Module => "module",
            Self::File => "file",
            Self::Scan => "scan",
        }
    }
}

/// How an item ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The evidence carries it.
    Accepted,
    /// The evidence is not there, and that does not block.
    NotShown,
    /// It blocks.
    Refused,
}

impl Outcome {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::NotShown => "not shown",
            Self::Refused => "refused",
        }
    }
}

/// Something that was judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Its name.
    pub name: Shown,
    /// Where it stands.
    pub place: Place,
    /// What it says of itself.
    pub says: Shown,
    /// How far the evidence carries it.
    pub support: Support,
    /// How it ended.
    pub outcome: Outcome,
    /// Why; never empty where it was not accepted.
    pub remarks: Vec<Remark>,
    /// Where the evidence stands.
    pub evidence: Vec<Place>,
    /// What a record would have to hold to show it.
    pub would_show: Option<Shown>,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The file.
    pub file: Shown,
    /// The line from 1, where the source knows it.
    pub line: Option<u64>,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => write!(f, "{}", self.file),
        }
    }
}

/// A reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Remark {
    /// Its code.
    pub code: Shown,
    /// What was claimed, found and needed.
    pub message: Shown,
}

impl Remark {
    /// A reason.
    pub fn new(code: &str, message: &str) -> Self {
        Self { code: Shown::text(code), message: Shown::text(message) }
    }
}
