//! The fixed programs that landfall starts: itself, with a hidden subcommand and fixed arguments.
//!
//! [`Program`] is the parent's side: which words, which marker, how long. [`reply`] is the child's:
//! what each prints, as a function. None of them runs, repairs or reads what a record says.

mod program;
pub mod reply;

pub use program::{Program, TimeoutProfile};
