//! Who makes the process: a value that runners are handed.

use super::{Ended, Refusal, Start};
use std::path::{Path, PathBuf};

/// Why there is no [`Ended`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Refused at the last look; nothing was started.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// The system would not make the process; nothing was started.
    #[error("the program did not start: {0}")]
    NotStarted(String),
    /// The process was made, and then lost sight of; everything that could be found of it was killed.
    #[error("the program was started and lost sight of: {0}")]
    Lost(String),
}

/// Makes processes. The edge has the real one.
pub trait Starter {
    /// The workspace root `configured` as a child will see it: absolute, without links. To be asked before a
    /// [`Start`] is built with it, and before an audit entry says that one is about to be made.
    ///
    /// # Errors
    /// [`Refusal::CwdNotAllowed`]: it is not absolute, missing, no directory, or leads out of its parent.
    fn folder(&mut self, configured: &Path) -> Result<PathBuf, Refusal>;

    /// Makes the process and returns when nothing of it is left, at the latest two seconds after the deadline.
    ///
    /// # Errors
    /// The process was not made, or was lost sight of.
    fn start(&mut self, start: &Start) -> Result<Ended, StartError>;
}
