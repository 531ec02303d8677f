//! How a command ended, as far as the record says.

/// How a command ended. No value is invented: an error flag is not exit code 1, its absence not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outcome {
    /// The record states this exit code.
    Exit(i32),
    /// The record says that it failed, and no code.
    FailedNoCode,
    /// The record says that it did not fail, and no code.
    OkNoCode,
    /// It was refused before it started.
    NotRun,
    /// It was still running, or went to the background.
    Running,
    /// It was stopped before it ended.
    Interrupted,
    /// A call without a result, or a format that does not say.
    #[default]
    Unknown,
}

impl Outcome {
    /// Whether the record says that it succeeded.
    pub fn succeeded(self) -> bool {
        matches!(self, Self::Exit(0) | Self::OkNoCode)
    }

    /// Whether the record says that it failed by itself.
    pub fn failed(self) -> bool {
        matches!(self, Self::Exit(code) if code != 0) || self == Self::FailedNoCode
    }

    /// Whether the command ran to an end: anything else shows neither success nor failure.
    pub fn ended(self) -> bool {
        self.succeeded() || self.failed()
    }
}
