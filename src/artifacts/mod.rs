//! Local artifacts: which lie in a folder, which is the latest, which are too old, and what a cleanup may do.
//!
//! The judgements work on an [`ArtifactStore`]: a folder of the disk through the edge, or a lay-out in
//! memory. So what is tested without a disk is what deletes on one. Nothing here reads a clock; nothing
//! deletes but [`Cleanup::run`] when it is told to, in the one folder where it may.

pub(crate) mod answer;
mod cleanup;
mod cleanup_contract;
mod index;
mod latest;
mod layout;
mod store;

pub use cleanup::{Cleaned, Cleanup};
pub use cleanup_contract::check as check_cleanup;
pub use index::{Index, Listing, Retention, index};
pub use latest::latest;
pub use store::{ArtifactStore, ENTRY_LIMIT, Stat, Unlisted};
