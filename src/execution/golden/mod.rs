//! The golden path: the one trail that goes from a retry's governance to a closed repair loop.
//!
//! [`report`] verifies a finished trail and publishes nothing. [`walk`] makes one, step by step, in a
//! ledger that it is handed; the steps are a table.

mod report;
mod steps;
mod walk;

pub use report::{Golden, report};
pub use steps::{CONTOUR, STEPS, Step};
pub use walk::{Walked, walk};
