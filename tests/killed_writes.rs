//! Killed before each of its writes, a command leaves nothing torn and loses nothing, and the next run ends as if
//! nothing had happened. So do eight at once.
//!
//! Linux on x86-64 only, whose registers the trace reads; elsewhere the target has no test.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![expect(clippy::disallowed_methods, reason = "these tests start, trace and kill processes")]

#[path = "killed_writes/artifacts.rs"]
mod artifacts;
#[path = "commands/folders.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod folders;
#[path = "commands/landfall.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod landfall_binary;
#[path = "killed_writes/ledger.rs"]
mod ledger;
#[path = "commands/process.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod process;
#[path = "killed_writes/records.rs"]
mod records;
#[path = "traced/start.rs"]
mod start;
#[path = "killed_writes/trace.rs"]
mod trace;
