//! What every importer makes: what was run, touched and said, in order.

use super::outcome::Outcome;
use super::shell::Analysis;
use crate::claims::Claim;
use crate::evidence::git_output::{Commits, Pushes};
use crate::evidence::summary::{Shown, Summary};

/// A file of the session, by its number in [`Timeline::files`].
pub type FileId = u32;

/// Where something is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The line, from 1; in a one-document format the place of the message in its list; 0 for a whole file.
    pub line: u32,
}

/// A place in the order of the session.
pub type Position = u64;

/// What a command's output and status say, kept in place of the output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The last summary of a test run.
    pub summary: Option<Summary>,
    /// Whether a build failed or succeeded by its output.
    pub built: Option<bool>,
    /// Commits.
    pub commits: Commits,
    /// Pushes.
    pub pushes: Pushes,
    /// The program never got to its work.
    pub could_not_run: bool,
    /// A publisher said no.
    pub not_published: bool,
    /// A publisher said that it is out.
    pub published: bool,
    /// What a runner of tasks says of those that test, where it counts no tests: Gradle, tox, nox, Turborepo, Nx.
    pub tasks: Option<Shown>,
    /// Tests were to be run, and the code that they test did not compile.
    pub did_not_compile: bool,
    /// A compiler's failure is in its output, be it of the code or of its tests.
    pub compile_error: bool,
    /// The summary is of the file that the tool wrote the whole output into.
    pub own_file: bool,
    /// Its output says that what was to be released is out already.
    pub already_out: bool,
    /// The status that an `echo` printed for a check.
    pub echoed_status: Option<i32>,
    /// The commit that HEAD is at behind a reset, as git printed it.
    pub head_now: Option<String>,
    /// Nothing at all was printed.
    pub empty: bool,
    /// Test files that failures were reported for, by their last name.
    pub failing_files: Vec<String>,
    /// Tests that it names as failing, by their last name.
    pub failing_tests: Vec<String>,
}

/// A command.
#[derive(Debug, Clone)]
pub struct Command {
    /// Which of the session's commands it is, from 1. Those that settle nothing are counted and not kept.
    pub number: u64,
    /// When it was called, in the session's order.
    pub began: Position,
    /// When its result was recorded; `None` for a call without a result.
    pub ended: Option<Position>,
    /// The call.
    pub call: Place,
    /// The result, else the call.
    pub place: Place,
    /// Milliseconds since 1970 of call and result, where the record has a zone.
    pub times: (Option<i64>, Option<i64>),
    /// How it ended.
    pub outcome: Outcome,
    /// What it is for.
    pub shell: Analysis,
    /// What it printed, as far as that settles something.
    pub facts: Facts,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TouchKind {
    /// It was made.
    Create,
    /// It was changed.
    Edit,
    /// It was deleted.
    Delete,
    /// The record does not say.
    Unknown,
}

/// A command of which only that it writes, or may, is of interest.
#[derive(Debug, Clone, Copy)]
pub struct PlainWrite {
    /// When it was called.
    pub began: Position,
    /// Milliseconds since 1970.
    pub at: Option<i64>,
    /// It plainly writes.
    pub plain: bool,
}

/// A file touched by a tool or a patch.
#[derive(Debug, Clone)]
pub struct Touch {
    /// When it was called.
    pub began: Position,
    /// Where.
    pub place: Place,
    /// Milliseconds since 1970.
    pub at: Option<i64>,
    /// The path below the working directory, else the last name of it; empty where it is not known.
    pub path: String,
    /// What happened.
    pub kind: TouchKind,
}

/// A text of the main session with claims in it.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Where it stands in the order.
    pub began: Position,
    /// Where it is recorded.
    pub place: Place,
    /// Milliseconds since 1970.
    pub at: Option<i64>,
    /// Its claims.
    pub claims: Vec<Claim>,
    /// The text itself names a failure.
    pub names_failure: bool,
    /// The text itself speaks of skipped tests.
    pub names_skips: bool,
    /// What it names without saying that it passes: tests and files by their last name, in lower case.
    pub names: Vec<String>,
    /// Which message it is, where a later record may take messages back.
    pub message: u64,
}

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Event {
    /// A command was run.
    Command(Box<Command>),
    /// A command wrote, or may have.
    Write(PlainWrite),
    /// A file was touched.
    Touch(Touch),
    /// A claim was made.
    Statement(Statement),
}

impl Event {
    /// Where it stands in the order.
    pub fn began(&self) -> Position {
        match self {
            Self::Command(command) => command.began,
            Self::Write(write) => write.began,
            Self::Touch(touch) => touch.began,
            Self::Statement(statement) => statement.began,
        }
    }
}

/// What was read and what was not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines, documents or rows.
    pub records: u64,
    /// Records of a kind that this version does not know.
    pub unknown: u64,
    /// Those of them whose kind is known to hold no act.
    pub beside: u64,
    /// Records that do not read.
    pub malformed: u64,
    /// Records that repeat an earlier one.
    pub duplicates: u64,
    /// Records longer or deeper than the limits.
    pub over_limits: u64,
    /// Records of a known kind.
    pub known: u64,
    /// Texts of the main session.
    pub texts: u64,
    /// Commands.
    pub commands: u64,
}

impl Counts {
    /// Adds what another session's reading left.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in [
            (&mut self.records, other.records),
            (&mut self.unknown, other.unknown),
            (&mut self.beside, other.beside),
            (&mut self.malformed, other.malformed),
            (&mut self.duplicates, other.duplicates),
            (&mut self.over_limits, other.over_limits),
            (&mut self.known, other.known),
            (&mut self.texts, other.texts),
            (&mut self.commands, other.commands),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
}

/// A session.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Files, as they may be shown.
    pub files: Vec<String>,
    /// What was read and what was not.
    pub counts: Counts,
    /// When the session started, in milliseconds since 1970.
    pub started: Option<i64>,
    /// The last time recorded.
    pub ended: Option<i64>,
    /// HEAD at the start, where the format records it.
    pub head: Option<String>,
    /// The format never makes a commit.
    pub never_commits: bool,
    /// Private words of the record: names of homes in its working directories.
    pub private: Vec<String>,
}
