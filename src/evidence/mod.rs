//! Evidence beside a session: what runs printed, what test reports, git records and events say.
//!
//! Every reader gives facts and judges no claim. Files are hostile until read: sizes, depths and numbers
//! are bounded, entities are not expanded, nothing outside what was given is opened, and Git is never run.
//! Statements are matched by digest only; a signature counts where a policy names the key that made it.

mod attestation;
pub(crate) mod beads;
pub mod build_output;
mod envelope;
mod file;
pub mod git;
pub mod git_output;
mod github;
mod go_output;
pub mod gradle_output;
mod junit;
pub mod reflog;
mod report;
pub mod summary;
pub mod tap;
pub mod task_output;
pub mod terminal;

pub use attestation::Attested;
pub use envelope::{Envelope, KeyFault, Signed, TrustedKey, Unsigned};
pub use file::{Evidence, EvidenceFile, FILE_LIMIT, read_file};
pub use github::Happened;
pub use report::Report;

use aho_corasick::{AhoCorasick, MatchKind};

/// What searches for all of `words` at once. The leftmost is found first: only of those does the library look at many bytes
/// at a time.
fn any_of<'w>(words: impl IntoIterator<Item = &'w str>) -> AhoCorasick {
    AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(words).expect("the table is small")
}
