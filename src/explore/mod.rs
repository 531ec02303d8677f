//! Reading public sources for a goal: what may be read, what a page says, what is worth remembering.
//!
//! A run goes: goal → targets (`target`, `plan`) → node ([`node`]: chosen, read, found) → meta agent
//! ([`meta`]: classified, suggested, handed to memory) → result ([`run`]). How a source is read stands in
//! [`fetch`] and what it uses: [`location`], [`policy`], [`robots`], [`page`], [`address`].
//!
//! Everything here is a function over values: the ledger, the surroundings and the [`fetch::Fetcher`] are
//! handed in. The client that really reads is in `edge::http`, and only with the feature `explore`.
//! Nothing here writes anywhere outside of the ledger it is given, and no record has a safety flag set.

pub mod address;
mod classify;
mod curated;
mod discover;
pub mod fetch;
mod finding;
mod goal;
pub mod location;
pub mod meta;
pub mod node;
pub mod page;
mod plan;
pub mod policy;
mod preview;
mod remember;
pub mod robots;
pub mod run;
mod target;
mod telemetry;
