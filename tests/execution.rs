//! Guarded execution end to end: builders, the controlled runner, the five runners, the golden path.

#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "tests read cases and start the built binary")]

#[path = "execution/builders.rs"]
mod builders;
