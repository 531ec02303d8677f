//! Recorded Git objects and refs, read without Git: what a commit holds, what a branch reaches.
//!
//! Nothing is followed out of the folder that was given: no alternates, no `gitdir:` file. A missing
//! object shows nothing; every walk and every size is bounded, and a bound that is hit shows nothing too.

mod log;
mod object;
mod pack;
mod repository;

pub use object::{Commit, Kind};
pub use pack::Pack;
pub use repository::Repository;
