//! Reading public sources: what may be read, how often, and what a page says.
//!
//! Everything here is a function over values; the client that really reads is in `edge::http`, and
//! only with the feature `explore`. Nothing here writes anywhere outside.

pub mod address;
pub mod fetch;
pub mod location;
pub mod page;
pub mod policy;
pub mod robots;
