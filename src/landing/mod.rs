//! The landing family: did the work land as claimed?
//!
//! Inputs become values ([`row`], [`policy`], [`protocol`], [`manifest`]), each rule of [`rules`] is
//! a pure function over one of them, [`judge`] runs a rule set over a subject. Streaming a run table
//! is [`table`]'s business, composing one verdict and the records [`build`]'s.

pub mod authority;
pub mod build;
mod cases;
pub mod commit_id;
pub mod gathered;
pub(crate) mod ids;
mod inputs;
pub mod judge;
pub mod manifest;
pub mod policy;
pub mod protocol;
pub mod record;
pub mod refs;
pub mod row;
mod row_sink;
pub mod rule;
pub mod rules;
pub mod runs;
pub mod shard;
mod source_modules;
pub mod table;

pub use judge::RuleSet;
