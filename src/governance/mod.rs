//! Retry governance: the seven stages from proposal to execution result, and what watches them:
//! inspector, Security metrics, Overseer brief, observability, readiness, smoke (loop governance,
//! sections 6 to 13). A control trail: nothing here starts a process or enables execution.
//!
//! [`build`] makes single records from their parents and says why not; [`next`] finds the parents in
//! a ledger and publishes what has not been published; [`seed`] and [`smoke`] walk the whole chain.
//! [`metrics`], [`inspect`] and [`soundness`] read records in one pass each; [`watch`] feeds them
//! together, and [`brief`], [`observe`] and [`readiness`] judge what they gave. [`overview`] is the
//! brief of a whole ledger.

pub mod brief;
pub mod build;
pub mod counter;
pub mod execution_metrics;
#[cfg(test)]
pub(crate) mod fixture;
pub mod id;
pub mod inspect;
mod interner;
pub mod metrics;
pub mod next;
pub mod observe;
pub mod orphans;
pub mod overview;
pub mod readiness;
pub mod scan;
pub mod seed;
pub mod smoke;
pub mod soundness;
mod soundness_content;
mod soundness_fault;
mod soundness_node;
mod soundness_terms;
pub mod terms;
pub mod watch;
mod words;
