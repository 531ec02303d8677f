//! What is answered to a claim.

use crate::claims::Kind;
use crate::code::Code;
use crate::finding::Support;
use crate::import::{FileId, Place};

/// A place of evidence: in the session, or in a file beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// In the session.
    Session(Place),
    /// In the evidence file of this number.
    Beside(usize),
}

/// One of three answers, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The answer.
    pub support: Support,
    /// Codes, sorted.
    pub codes: Vec<Code>,
    /// Where the evidence stands.
    pub evidence: Vec<Spot>,
}

impl Answer {
    pub(super) fn supported(evidence: impl IntoIterator<Item = Spot>) -> Self {
        Self { support: Support::Supported, codes: Vec::new(), evidence: evidence.into_iter().collect() }
    }

    pub(super) fn not_shown(codes: impl IntoIterator<Item = Code>, evidence: impl IntoIterator<Item = Spot>) -> Self {
        Self { support: Support::NotShown, codes: codes.into_iter().collect(), evidence: evidence.into_iter().collect() }
    }

    pub(super) fn contradicted(code: Code, evidence: impl IntoIterator<Item = Spot>) -> Self {
        Self { support: Support::Contradicted, codes: vec![code], evidence: evidence.into_iter().collect() }
    }

    pub(super) fn with(mut self, code: Code) -> Self {
        self.codes.push(code);
        self
    }
}

/// A claim with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The file of the claim.
    pub file: FileId,
    /// The record of the claim.
    pub line: u32,
    /// Lines into the record's text, where a record is more than one line of the file.
    pub offset: u32,
    /// What is claimed.
    pub kind: Kind,
    /// The answer.
    pub answer: Answer,
}

/// What a record would have to hold for a claim of this kind to be shown.
pub fn would_show(kind: Kind) -> &'static str {
    match kind {
        Kind::TestsPass => "a test run with a passing summary, or an unmasked exit code 0, after the last edit",
        Kind::BuildOk => "a build whose own status is a success, after the last edit",
        Kind::Committed => "the line that git prints for a commit, or a reflog or an object that shows it",
        Kind::Pushed => "a ref update line of a push, or a push event",
        Kind::Released => "a release command that succeeded, or a release event",
        Kind::Done => "a passing validation, a commit line or a ref update after the last edit",
        Kind::Blocked => "the act that failed or was refused, before the claim",
    }
}
