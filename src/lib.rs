//! landfall decides whether recorded evidence supports what agents claim about their work.
//!
//! The core is a function over values: texts are read strictly ([`json`]), become typed subjects
//! ([`landing`]), are judged by rules that are pure functions, and end as records that are pure
//! functions of their inputs. Only `edge` and `cli` touch disk, environment, processes and the screen.
//!
//! # A row, judged
//!
//! ```
//! use landfall::landing::{RuleSet, row::RunRow};
//!
//! let claimed = landfall::json::parse(
//!     br#"{
//!         "run_id": "fix-upload-timeout",
//!         "landing_status": "scoped_commit_landed",
//!         "commit_claimed_landed": true,
//!         "head_before": "4f2a9c1",
//!         "head_after": "4f2a9c1",
//!         "validation_precedes_commit_attempt": true,
//!         "validation_refs": ["evidence/tests.log"],
//!         "claimed_path_refs": ["src/upload.rs"],
//!         "live_git_mutation_authorized": false,
//!         "unrelated_dirty_paths_staged": false,
//!         "release_claim_authorized": false,
//!         "work_ledger_closeout_ref": "work/upload-timeout"
//!     }"#,
//! )?;
//! let findings = RuleSet::all().row_findings(&RunRow::from_value(&claimed), 0, "upload");
//! assert_eq!(findings.len(), 1);
//! assert_eq!(findings[0].error_code.to_string(), "WORK_LANDING_HEAD_ADVANCE_MISSING");
//! # Ok::<(), landfall::json::Fault>(())
//! ```
//!
//! A folder with rows, policy, protocol and broken cases is judged by [`landing::build`]; [`harness`] makes tests of it
//! in anybody's crate, which is three lines. Loop records are checked by [`contract`], sessions by [`import`] and
//! [`audit`], and what came out is rendered by [`report`].
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `cli` (default) | the command line, with everything below but `postgres` and `explore` |
//! | `harness` (default) | tests made of a corpus; all that a dev-dependency needs |
//! | `audit` | sessions of agents and the evidence beside them |
//! | `report` | reports for programs and people |
//! | `ledger` | the ledger file and guarded processes |
//! | `postgres` | the ledger on a server |
//! | `explore` | reading public sources; never used unless asked for again |
//!
//! # What a version promises
//!
//! Versions follow Semantic Versioning. Before 1.0 a change of the middle number may break; afterwards the first one
//! says so. What is promised: the items documented here, the commands with their arguments and exit codes, the codes of
//! findings, and the formats of records by their `schema_version`. A verdict that changes is listed in the changelog
//! even when only the last number moves: a rule that was wrong is mended at once. Not promised: the wording of messages
//! and the order of lines in texts for people. The oldest toolchain that serves is `rust-version` in the manifest; a
//! newer one is a change of the middle number.

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
