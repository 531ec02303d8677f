//! The result of a run: `result.json` for a fixture, `bundle-result.json` for a bundle (spec 6.1).

use super::{
    AuthorityCeiling, FreshnessBasis, FurtherCases, LaneEntry, RunRowEntry, ScanBlock, SchemaVersion, Sealed, SourceModuleImports,
    SupportCounts, Tool, VersionError,
};
use crate::code::Code;
use crate::finding::Finding;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a replay of a fixture or a bundle saw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultRecord {
    /// `landfall/result/v1` or `landfall/bundle-result/v1`.
    pub schema_version: SchemaVersion,
    /// The component.
    pub component: String,
    /// The fixture.
    pub fixture_id: String,
    /// The validator.
    pub validator_id: String,
    /// The program.
    pub tool: Tool,
    /// `pass` or `blocked`.
    pub status: String,
    /// `fixture` or `exported_work_landing_replay_bundle`.
    pub input_mode: String,
    /// From `bundle_manifest.json`, if it is a string.
    pub bundle_id: Option<String>,
    /// The nine, or none in bundle mode.
    pub expected_negative_cases: Vec<String>,
    /// The nine that produced a code, with the codes.
    pub observed_negative_cases: BTreeMap<String, Vec<Code>>,
    /// The nine that were not caught.
    pub missing_negative_cases: Vec<String>,
    /// Cases beyond the nine.
    pub further_cases: FurtherCases,
    /// Every code of every finding, those of the cases included.
    pub error_codes: Vec<Code>,
    /// The first findings, sorted, at most a thousand.
    pub findings: Vec<Finding>,
    /// All findings.
    pub finding_count: u64,
    /// The findings that block: all but those on negative cases.
    pub blocking_finding_count: u64,
    /// The secret scan.
    pub secret_exclusion_scan: ScanBlock,
    /// The ceiling.
    pub authority_ceiling: AuthorityCeiling,
    /// What the record does not show.
    pub anti_claim: String,
    /// From the protocol, if it is a string.
    pub protocol_id: Option<String>,
    /// From the policy, if it is a string.
    pub policy_id: Option<String>,
    /// Usable refs of the protocol, as are the next three.
    pub source_refs: Vec<String>,
    /// See `source_refs`.
    pub source_pattern_ids: Vec<String>,
    /// See `source_refs`.
    pub projection_receipt_refs: Vec<String>,
    /// See `source_refs`.
    pub public_runtime_refs: Vec<String>,
    /// The source-module check.
    pub source_module_imports: SourceModuleImports,
    /// Display path of the manifest, present or not.
    pub source_module_manifest_ref: String,
    /// Module rows without a finding.
    pub body_copied_material_count: u64,
    /// The lanes of the policy.
    pub lane_ids: Vec<String>,
    /// What the policy decides.
    pub lane_decision_table: Vec<LaneEntry>,
    /// Rows of the table.
    pub run_count: u64,
    /// Rows that claim a landed commit.
    pub landed_commit_count: u64,
    /// Rows blocked by metadata.
    pub metadata_blocked_count: u64,
    /// Rows on a commit path.
    pub validation_order_required_count: u64,
    /// Of those, rows whose validation came first.
    pub validation_order_pass_count: u64,
    /// Rows by how far the evidence carries them.
    pub support: SupportCounts,
    /// Rows, refused ones first, at most a thousand.
    pub work_landing_runs: Vec<RunRowEntry>,
    /// What was recomputed here, and what rests on the claimant's word.
    pub evidence_basis: EvidenceBasis,
    /// What the record was made from.
    pub freshness_basis: FreshnessBasis,
    /// False in a written record.
    pub receipt_reused: bool,
    /// The record files of the run.
    pub receipt_paths: Vec<String>,
    /// Digest of the record without this field.
    pub record_digest: String,
}

/// Which evidence was checked and which was only declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceBasis {
    /// Recomputed from bytes in this run.
    pub recomputed: Vec<String>,
    /// Taken from the rows as recorded.
    pub declared: Vec<String>,
}

impl EvidenceBasis {
    /// What this release recomputes, and what it takes as declared.
    pub fn of_mode(bundle: bool) -> Self {
        let mut recomputed = vec!["digest and size of every input file".to_owned()];
        if bundle {
            recomputed.push("digest, line count and anchors of every copied body".to_owned());
        }
        let declared = [
            "head_before and head_after",
            "validation_refs and their order before the commit attempt",
            "claimed_path_refs",
            "blocker_capture_ref",
            "work_ledger_closeout_ref",
            "the three authority flags",
        ];
        Self { recomputed, declared: declared.map(str::to_owned).to_vec() }
    }
}

/// Why a stored record is not taken as a prior one.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is no strict JSON.
    #[error("the record is not strict JSON: {0}")]
    Text(String),
    /// Members are missing, unknown, or of another type.
    #[error("the record has another shape: {0}")]
    Shape(#[from] serde_json::Error),
    /// Another version.
    #[error(transparent)]
    Version(#[from] VersionError),
    /// The text is not the canonical one.
    #[error("the record is not spelt as landfall spells it")]
    Spelling,
    /// The digest does not verify.
    #[error("the record's own digest does not verify")]
    Digest,
    /// The record contradicts itself.
    #[error("the record's status does not follow from its fields")]
    Inconsistent,
}

impl ResultRecord {
    /// Reads a stored record of this name, strictly; the digest must verify and the status follow.
    ///
    /// # Errors
    /// Any doubt.
    pub fn read(bytes: &[u8], name: &str) -> Result<Self, ReadError> {
        let value = crate::json::parse(bytes).map_err(|fault| ReadError::Text(fault.describe()))?;
        // The version comes first: another version may well have another shape.
        let version = value.get("schema_version").and_then(crate::json::Value::as_str).unwrap_or_default();
        SchemaVersion::of(version).check(name)?;
        let record: Self = serde_json::from_slice(bytes)?;
        // One canonical text a record: another spelling of it was written by somebody else.
        if crate::json::to_canonical_text(&record).as_bytes() != bytes {
            return Err(ReadError::Spelling);
        }
        if record.record_digest != record.computed_digest() {
            return Err(ReadError::Digest);
        }
        if (record.status == "pass") != record.is_green() || record.authority_ceiling != AuthorityCeiling::default() {
            return Err(ReadError::Inconsistent);
        }
        Ok(record)
    }

    /// The listed findings that block: those inside the broken cases are what the cases are for.
    pub fn blocking_findings(&self) -> Vec<&Finding> {
        let cases: BTreeSet<_> = self.expected_negative_cases.iter().chain(&self.further_cases.expected).collect();
        // Findings about a case name it twice, as case and as subject; the policy's lanes share one case id
        // with a case (spec 3.2).
        let of_a_case = |finding: &&Finding| {
            let about_it = finding.subject_kind == "negative_case" && finding.subject_id == finding.case_id;
            let of_a_lane = finding.case_id == "release_overclaim" && finding.subject_kind == "lane_decision";
            cases.contains(&finding.case_id) && !about_it && !of_a_lane
        };
        self.findings.iter().filter(|finding| !of_a_case(finding)).collect()
    }

    /// Whether the fields add up to a pass (spec 5).
    pub fn is_green(&self) -> bool {
        let modules = if self.input_mode == "fixture" { "not_applicable" } else { "pass" };
        self.blocking_finding_count == 0
            && self.missing_negative_cases.is_empty()
            && self.further_cases.missing.is_empty()
            && self.secret_exclusion_scan.blocking_hit_count == 0
            && self.run_count > 0
            && self.source_module_imports.status == modules
    }
}
