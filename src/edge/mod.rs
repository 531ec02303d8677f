//! The edge: the only place that touches the disk. Everything here implements or serves a value
//! that the core is handed.
#![expect(clippy::disallowed_methods, reason = "this is the edge the list keeps the rest away from")]

pub mod artifacts;
pub mod disk;
#[cfg(feature = "explore")]
pub mod http;
pub mod ledger;
pub mod records;
pub mod surroundings;
