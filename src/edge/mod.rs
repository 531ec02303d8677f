//! The edge: the only place that touches the disk. Everything here implements or serves a value
//! that the core is handed.
#![expect(clippy::disallowed_methods, reason = "this is the edge the list keeps the rest away from")]

pub mod artifacts;
pub mod cluster;
#[cfg(feature = "ledger")]
pub mod confine;
pub mod disk;
#[cfg(feature = "ledger")]
pub mod evidence;
#[cfg(feature = "explore")]
pub mod http;
#[cfg(feature = "cli")]
pub mod interrupt;
#[cfg(feature = "ledger")]
pub mod ledger;
#[cfg(feature = "ledger")]
pub mod opencode;
#[cfg(feature = "ledger")]
pub mod process;
pub mod records;
pub mod run_folder;
pub mod surroundings;
pub mod turn;
pub mod waiting;
pub mod workers;
