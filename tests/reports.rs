//! Reports: each format, for each kind of verdict, as it is committed; hostile records.
//! The command is tested with the others, in `tests/commands/`.
//!
//! A test never writes an expected text. Where one differs, the new text is laid beside the build and the message
//! says where; look at the difference, then copy it by hand.

#[path = "report/hostile.rs"]
mod hostile;
#[path = "report/samples.rs"]
mod samples;
#[path = "report/sarif.rs"]
mod sarif;
#[path = "report/snapshots.rs"]
mod snapshots;
