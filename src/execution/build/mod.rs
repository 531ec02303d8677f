//! Builders of guarded execution: from a parent to the next record of the chain.
//!
//! One builder serves every type. What a contract fixes, a record says; what it takes from its parent, the
//! contract lists (`made`). What no contract can say is one small function a type, in a file of its own,
//! found by [`own`]. No function here looks at a disk or starts anything, and none of them decides whether
//! a parent may have a child: that is asked of the [trail](super::trail) before anything is published.

mod approval;
mod bundle;
pub mod controlled;
mod envelope;
mod feedback;
mod gate;
mod made;
mod mock;
mod noop_feedback;
mod own;
mod plan;
mod preflight;
mod promotion;
pub mod target;

pub use made::{Made, seal, start};
pub use own::{Own, own};

use crate::execution::trail::{PREFIX, Trail};
use crate::ledger::Record;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// What a record is built from.
#[derive(Debug, Clone, Copy)]
pub struct From<'f> {
    /// Its immediate parent.
    pub parent: &'f Record,
    /// What whoever asks for it says, by name.
    pub terms: &'f BTreeMap<String, String>,
    /// Where its ancestors are.
    pub trail: &'f Trail,
}

impl From<'_> {
    /// A term, or what stands for it.
    fn term<'s>(&'s self, name: &str, or: &'s str) -> &'s str {
        self.terms.get(name).map_or(or, |said| said.trim())
    }

    /// The ancestor of a type, given without its prefix.
    fn ancestor(&self, short: &str) -> Option<&Record> {
        self.trail.named_by(self.parent, &format!("{PREFIX}{short}"))
    }

    /// Whether the operator's flag was given with the command.
    fn operator_authorized(&self) -> bool {
        self.terms.contains_key("operator_authorized")
    }
}

/// Whether a field of `record` is exactly true.
pub(super) fn is_true(record: &Record, path: &str) -> bool {
    record.get(path) == Some(&Json::Bool(true))
}

/// The texts of a list; what is no text is left out.
pub(super) fn texts(record: &Record, path: &str) -> Vec<String> {
    let items = record.get(path).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
