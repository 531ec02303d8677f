//! Loop records are contracts, not code: one small file a record type, one engine for all (design 7).
//!
//! [`condition`] is what a clause can ask of a record, as typed data, and [`items`] of a list; [`table`]
//! holds the contracts, read from `contracts/`, written out from rows and forms, and checked for
//! consistency when first used; [`check`] gives validity, severity and the reasons of any record.
//! [`trail`] counts the stages of a chain, and [`execution_readiness`] judges how far a controlled
//! execution has come. [`allowlist`] knows the one command a controlled run may name. What no condition
//! can say is a named predicate, in [`command_text`] and [`predicate`].
//!
//! The same contracts give the tests and the texts about them: [`broken`] makes a record that violates
//! one clause, [`schema`] a JSON Schema, [`page`] the page of a type or a reason.
//!
//! Nothing here starts a process, publishes a record or enables execution.
//!
//! ```
//! use landfall::{contract::check::check, json::parse};
//!
//! let directive = parse(br#"{"type": "swarm_directive", "action": "REDUCE_RISK"}"#)?;
//! let verdict = check(&directive);
//! assert!(!verdict.valid);
//! assert!(verdict.reasons.iter().any(|reason| reason == "missing_directive_id"));
//! # Ok::<(), landfall::json::Fault>(())
//! ```

pub mod allowlist;
pub mod broken;
pub mod build;
pub mod check;
pub mod command_text;
pub mod condition;
pub mod constants;
pub mod execution_readiness;
mod execution_readiness_core;
pub mod execution_readiness_schema;
pub mod execution_readiness_stage;
mod execution_readiness_stages;
pub mod fields;
mod files;
mod form;
pub mod items;
pub mod page;
pub mod predicate;
pub mod schema;
pub mod table;
pub mod trail;
pub mod value;
mod written;
