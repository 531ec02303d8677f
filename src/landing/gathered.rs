//! What judging the inputs gave, before a record is composed of it: everything but the rows.
//!
//! It is the same for every shard of a run, since all of them judge all of it; see [`super::shard`].

use super::record::{FurtherCases, Hit, InputDigest, LaneEntry, SourceModuleImports};
use crate::code::Code;
use crate::finding::FindingList;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a fixture or a bundle was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mode {
    /// The three files and the negative cases.
    #[serde(rename = "fixture")]
    Fixture,
    /// The three files, a manifest and copied bodies.
    #[serde(rename = "exported_work_landing_replay_bundle")]
    Bundle,
}

impl Mode {
    /// The word used in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fixture => "fixture",
            Self::Bundle => "exported_work_landing_replay_bundle",
        }
    }
}

/// Everything a replay found but the rows.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Base {
    pub(super) mode: Mode,
    pub(super) bundle_id: Option<String>,
    pub(super) protocol: ProtocolPart,
    pub(super) policy: PolicyPart,
    pub(super) imports: SourceModuleImports,
    /// Findings that block.
    pub(super) findings: FindingList,
    /// Findings inside the negative cases.
    pub(super) case_findings: FindingList,
    pub(super) observed_negative_cases: BTreeMap<String, Vec<Code>>,
    pub(super) missing_negative_cases: Vec<String>,
    pub(super) further_cases: FurtherCases,
    pub(super) hits: BTreeSet<Hit>,
    pub(super) scanned: u64,
    pub(super) unscanned: Vec<String>,
    pub(super) inputs: Vec<InputDigest>,
    pub(super) missing_inputs: Vec<String>,
    /// Rows of the whole table.
    pub(super) row_count: u64,
}

/// What a record says of the protocol.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProtocolPart {
    pub(super) id: Option<String>,
    pub(super) source_refs: Vec<String>,
    pub(super) source_pattern_ids: Vec<String>,
    pub(super) projection_receipt_refs: Vec<String>,
    pub(super) public_runtime_refs: Vec<String>,
}

/// What a record says of the policy.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PolicyPart {
    pub(super) id: Option<String>,
    pub(super) lanes: Vec<LaneEntry>,
}
