//! The corpus: broken cases, the accepted inputs they were broken from, and what must hold of both.
//!
//! [`case`] reads one case file and judges its input, [`coverage`] asks whether the nine of the floor
//! are caught, [`audit`] whether every case and every rule bears its load, [`parity`] whether copied
//! bodies and their originals agree. [`faults`] names what can be wrong with a corpus.

pub mod audit;
pub mod builtin;
pub mod case;
pub mod coverage;
pub mod digests;
pub mod faults;
pub mod input;
pub mod parity;
