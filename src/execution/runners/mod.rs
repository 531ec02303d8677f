//! The five runners that start a process: one table, one walk.
//!
//! A [`Runner`] is a row of [`RUNNERS`]; what differs between them is data, and what no data can say is in
//! `result` (what a record says of a run) and `read_only` (what the governed words must be). [`run`]
//! is the walk of all five: refusals start nothing; before a start and after it stands an entry in the
//! ledger; the result is held to its own contract before it is published.
//!
//! Whoever calls [`run`] holds the runners' lock of the ledger until it returns.

mod attempt;
mod read_only;
mod result;
mod run;
mod table;

pub use attempt::ATTEMPT;
pub use run::{Means, Ran, Report, run};
pub use table::{RUNNERS, Runner, runner_of};
