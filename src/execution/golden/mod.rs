//! The golden path: the one trail that goes from a directive to a closed repair loop.
//!
//! [`report`] verifies a finished trail and publishes nothing. [`walk`] makes one, step by step, in a
//! ledger that it is handed; the steps are a table.

mod experience;
mod report;
mod steps;
mod walk;

pub use experience::Experience;
pub use report::{Golden, report};
pub use steps::{BEGINNING, CONTOUR, STEPS, Step};
pub use walk::{Walked, walk};
