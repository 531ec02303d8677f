//! Large inputs, read once in constant memory.
//!
//! [`blocks`] reads and hashes on one thread while another judges; [`lines`] cuts JSON Lines out of
//! the blocks; [`spread`] has them judged on every core. None knows what the text means.

pub mod blocks;
pub mod lines;
pub mod spread;

#[cfg(feature = "harness")]
pub use blocks::with_unhashed_blocks;
pub use blocks::{Blocks, Digested, Mark, with_blocks, with_marked_blocks};
