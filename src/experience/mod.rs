//! The experience loop: directive, result, evidence, memory; scenarios and their dry-run replay
//! (loop governance, sections 4 and 5). Every writer here is a function of its arguments, a ledger
//! and its [surroundings](crate::ledger::Surroundings); nothing starts a process.
//!
//! In the order of the loop: [`directive`] and [`scenario`] seed; [`received`] is a directive as a node
//! reads it, which [`trade`] and [`simulation`] answer, the latter through [`execution`]; [`evidence`]
//! and [`execution_evidence`] say what was found; [`bridge`] remembers it. [`replay_check`] walks the
//! whole of it and asks [`visibility`] whether others see it. [`node`] puts a consumer over a ledger,
//! [`profile`] names which nodes run together; [`memory_summary`] and [`simulation_metrics`] are what
//! they report. Every record is held against its contract before it is published ([`publishing`]).

pub mod bridge;
pub mod counts;
pub mod directive;
pub mod evidence;
pub mod execution;
pub mod execution_evidence;
pub mod item;
pub mod memory_summary;
pub mod node;
pub mod profile;
pub mod publishing;
pub mod received;
pub mod replay_check;
pub mod scenario;
pub mod simulation;
pub mod simulation_metrics;
pub mod timeout;
pub mod trade;
pub mod trade_overview;
pub mod visibility;
pub mod waiting;

pub use publishing::LoopError;
