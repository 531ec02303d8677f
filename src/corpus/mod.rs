//! The corpus: broken cases, the accepted inputs they were broken from, and what must hold of both.
//!
//! [`case`] reads one case file and judges its input, [`coverage`] asks whether the nine of the floor
//! are caught, [`audit`] whether every case and every rule bears its load, [`parity`] whether copied
//! bodies and their originals agree. [`faults`] names what can be wrong with a corpus.
//!
//! Of the loop family [`ledgers`] holds the accepted records and [`clauses`] asks of every clause of every
//! contract what [`audit`] asks of every rule. [`families`] sees the cases of all families as one folder.

pub mod audit;
pub mod builtin;
pub mod case;
pub mod case_code;
pub mod clauses;
pub mod coverage;
pub mod digests;
pub mod families;
pub mod faults;
pub mod input;
pub mod ledgers;
pub mod parity;
