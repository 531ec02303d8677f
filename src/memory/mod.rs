//! Evidence memory: what explorers found, whether it may be remembered, and what a question finds in it.
//!
//! A record is ingested as a candidate (`ingest`), catalogued as an item (`catalog`) and found by a
//! query (`query`); a replay takes recorded records through all of it again (`replay`). Before that
//! stand what may be searched for (`template`, `dork`, `schedule`, `plan_rank`) and what is good
//! enough to hand on (`signals`, `gate`, `handoff`); after it, how much came through (`smoke`).
//! The contracts of results are checkers with an exact text for each reason.
//!
//! Everything is a function over values; what is fetched, stored and printed is others' business. The
//! rules are those of loop memory; [`answer()`] is the one way in for single judgements.

mod answer;
pub(crate) mod artifact_contract;
mod bridge;
pub(crate) mod catalog;
pub(crate) mod dork;
pub(crate) mod gate;
pub(crate) mod handoff;
mod index;
pub(crate) mod ingest;
mod kept;
mod local;
pub(crate) mod loop_contract;
pub(crate) mod plan_rank;
pub(crate) mod query;
pub(crate) mod query_contract;
pub(crate) mod replay;
pub(crate) mod safety;
pub(crate) mod schedule;
pub(crate) mod signals;
pub(crate) mod smoke;
pub(crate) mod smoke_contract;
mod smoke_run;
pub(crate) mod template;
pub(crate) mod url;
pub(crate) mod value;

pub use answer::{Answer, Unanswered, answer};
pub use bridge::Bridge;
pub use index::CatalogIndex;
pub use kept::{Evidence, EvidenceWriter};
pub use local::{LocalMemory, REMEMBERED_TYPES};
pub use query::Filters;
pub use smoke_run::{Broken, SmokeRun, smoke_run};

pub(crate) use safety::{clear_flags, flags_set, is_set};
pub(crate) use smoke_contract::check as smoke_check;
