//! Why nothing is started.

/// Why a start is refused before anything ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum Refusal {
    /// An argument holds a NUL, or is longer than a process can be handed.
    #[error("argument_not_allowed")]
    ArgumentNotAllowed,
    /// The workspace root is not absolute, is missing, is no directory, climbs, or leads out of its parent.
    #[error("cwd_not_allowed")]
    CwdNotAllowed,
    /// The program is not named by an absolute path to a file.
    #[error("program_not_allowed")]
    ProgramNotAllowed,
    /// More time was asked for than the runner's cap.
    #[error("timeout_above_cap")]
    TimeoutAboveCap,
    /// The time asked for is no positive, finite number of seconds.
    #[error("timeout_not_positive")]
    TimeoutNotPositive,
}

impl Refusal {
    /// The reason as records and reports name it.
    pub fn reason(self) -> String {
        self.to_string()
    }

    /// Whether the command line is at fault, so that the command ends with a usage error and publishes nothing.
    pub fn is_usage(self) -> bool {
        self == Self::TimeoutNotPositive
    }
}
