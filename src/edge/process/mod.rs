//! The one place that starts a process.
//!
//! A list of words and no shell; an absolute program; an empty environment but for the allowed keys; a fixed
//! folder; no input; no open file but the three streams; a process group of its own; a hard deadline and a cap on
//! output, after which everything that descends from the child is killed and reaped, in whatever session it hides.
//! `tests/guarded_process.rs` holds that no other module starts anything.
//!
//! What a child may do is not decided here: it is a value, [`crate::execution::start::Start`]. What a child takes
//! from itself is [`super::confine`].

mod folder;
mod host;
mod run;
mod starter;
#[cfg(target_os = "linux")]
mod sweep;
#[cfg(not(target_os = "linux"))]
#[path = "sweep_elsewhere.rs"]
mod sweep;
#[cfg(target_os = "linux")]
mod table;
mod tap;

pub use host::host;
pub use starter::GuardedStarter;
