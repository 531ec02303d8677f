//! Guarded execution: what may be started at all, and what is kept of it.
//!
//! Landfall never starts what a record says. What it starts is itself, with fixed arguments
//! ([`harness`]), as a value that was checked before ([`start::Start`]) and handed to a
//! [`start::Starter`]; only the edge has a real one. So a runner is a function over values, and a
//! test hands it a tripwire for a program, or a starter that starts nothing.

pub mod harness;
pub mod start;
