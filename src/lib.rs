//! landfall decides whether recorded evidence supports what agents claim about their work.
//!
//! The core is a function over values: texts are read strictly ([`json`]), become typed subjects
//! ([`landing`]), are judged by rules that are pure functions, and end as records that are pure
//! functions of their inputs. Only `edge` and `cli` touch disk, environment, processes and the screen.

pub mod artifacts;
#[cfg(feature = "audit")]
pub mod audit;
#[cfg(feature = "audit")]
pub mod claims;
#[cfg(feature = "cli")]
pub mod cli;
pub mod code;
pub mod contract;
pub mod corpus;
pub mod edge;
#[cfg(feature = "audit")]
pub mod evidence;
pub mod execution;
pub mod experience;
pub mod explore;
pub mod finding;
pub mod folder;
pub mod governance;
#[cfg(feature = "harness")]
pub mod harness;
#[cfg(feature = "audit")]
pub mod import;
pub mod json;
pub mod landing;
pub mod leak;
pub mod ledger;
pub mod memory;
pub mod page;
#[cfg(feature = "report")]
pub mod report;
pub mod stream;
