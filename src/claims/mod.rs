//! Claims in words: *committed*, *pushed*, *tests pass*, *build succeeds*, *released*, *done*, *blocked*.
//!
//! The matcher rather misses a claim than invents one. Plans, conditions, negations, questions, quotes,
//! code, tables, headings, and what somebody else did are no claims. Words are data: a further language is
//! a further `language::Language`.

mod by_user;
mod english;
mod language;
mod matching;
mod plain;
mod prose;
mod qualified;
mod ready;

pub use by_user::is_done_by_user;
pub use matching::find;

use serde::Serialize;

/// What a sentence claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Work was committed.
    Committed,
    /// Work was pushed.
    Pushed,
    /// Tests pass.
    TestsPass,
    /// It builds.
    BuildOk,
    /// A version is out.
    Released,
    /// The work is finished.
    Done,
    /// Something could not be done.
    Blocked,
}

impl Kind {
    /// Every kind, in the order of the alphabet of reports.
    pub const ALL: [Self; 7] = [Self::Committed, Self::Pushed, Self::TestsPass, Self::BuildOk, Self::Released, Self::Done, Self::Blocked];

    /// The word used in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::Pushed => "pushed",
            Self::TestsPass => "tests_pass",
            Self::BuildOk => "build_ok",
            Self::Released => "released",
            Self::Done => "done",
            Self::Blocked => "blocked",
        }
    }
}

/// One claim of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What is claimed.
    pub kind: Kind,
    /// The line of the text, from 0, on which its sentence starts.
    pub line: u32,
    /// It speaks of everything: *all tests*, *the whole suite*.
    pub whole: bool,
    /// It says which tests it means: *the new tests*, *the parser tests*.
    pub scoped: bool,
    /// It says which kind of tests it means: *the unit tests*. All of them may be meant.
    pub named: bool,
    /// It says under which condition, where, or of which matter it speaks: *with `TZ=UTC`*, *the date tests*, *in isolation*.
    pub qualified: bool,
    /// What it speaks of, in lower case: *the date tests*, *the tests in `test_date.py`*, *unit tests*.
    pub matters: Vec<String>,
    /// It speaks of its [`matters`](Self::matters) alone: a run of anything else says nothing about it.
    pub particular: bool,
    /// It speaks of what the speaker changed: *my changes*, *the files I touched*.
    pub own_part: bool,
    /// It speaks of the tests that failed before.
    pub formerly: bool,
    /// It says itself that it is not everything: *most pass*, *10 of 12*.
    pub partial: bool,
    /// It counts tests, and may leave others out: *12 tests pass*.
    pub counted: bool,
    /// The one number of tests that it names.
    pub count: Option<u64>,
    /// It sums up without naming its matter (*all checks pass*): a claim only where the record has such a matter.
    pub weak: bool,
    /// It speaks of a pipeline elsewhere.
    pub pipeline: bool,
    /// It says that a commit is empty, on purpose.
    pub empty: bool,
    /// What a blocked claim says could not be done.
    pub act: Option<Kind>,
    /// Of a blocked claim: nothing in the text says that it was done in the end.
    pub firm: bool,
    /// Hashes it names, lower case.
    pub hashes: Vec<String>,
    /// It says something of a commit by its hash, *1f0c2ab was committed*, which may be anybody's.
    pub of_hash: bool,
    /// Words behind *to*, *on* and the like, which may be branches.
    pub targets: Vec<String>,
    /// Paths it names.
    pub paths: Vec<String>,
    /// The subject of the commit of which it says that it was made, in lower case.
    pub subject: Vec<String>,
    /// The branches of which it says that they were pushed to.
    pub sent_to: Vec<String>,
}

/// What a text says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Its claims, at most one of a kind.
    pub claims: Vec<Claim>,
    /// It names a failure that stands.
    pub names_failure: bool,
    /// It speaks of skipped tests.
    pub names_skips: bool,
    /// What it names in sentences that do not say that it passes: by the last name, in lower case.
    pub names: Vec<String>,
    /// It is longer than what is read of a text: its end was not.
    pub cut: bool,
}

#[cfg(test)]
mod tests;
