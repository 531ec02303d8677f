//! What came of a start.

use super::Confinement;

/// The exit code of what was killed at its deadline.
pub const TIMED_OUT: i32 = 124;

/// What a finished start left to tell. No process of it is left, unless `left_behind` says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The exit code; 128 plus the signal's number after a death by signal, [`TIMED_OUT`] at the deadline.
    pub exit_code: i32,
    /// Whether the deadline came first.
    pub timed_out: bool,
    /// Whether a stream had more than [`super::BYTE_CAP`] bytes, for which everything was killed.
    pub output_limit_exceeded: bool,
    /// The last [`super::TAIL_CHARACTERS`] characters of standard output; what is no UTF-8 is replaced.
    pub stdout_tail: String,
    /// The same of standard error.
    pub stderr_tail: String,
    /// Whether standard output had more than its tail.
    pub stdout_truncated: bool,
    /// Whether standard error had more than its tail.
    pub stderr_truncated: bool,
    /// Whether the marker was anywhere in what was read of standard output, tail or not.
    pub marker_seen: bool,
    /// Wall time in seconds, the clearing up included.
    pub duration_seconds: f64,
    /// How many further processes were still there at the end and were killed.
    pub strays: u32,
    /// How many processes could not be killed in time; `None` where the system does not let us see.
    pub left_behind: Option<u32>,
    /// What was asked to be taken from the child, and what was.
    pub confinement: Confinement,
}

impl Ended {
    /// Whether it ended by itself, within its bounds, with exit code 0.
    pub fn is_clean(&self) -> bool {
        self.exit_code == 0 && !self.timed_out && !self.output_limit_exceeded && self.left_behind.unwrap_or(0) == 0
    }
}
