//! The coverage record: that each of the nine was caught (spec 6.3).

use super::{AuthorityCeiling, FurtherCases, ResultRecord, ScanBlock, SchemaVersion, SourceModuleImports, Tool};
use crate::code::Code;
use serde::{Deserialize, Serialize};

/// The coverage record; `check-corpus` signs off on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverageRecord {
    /// `landfall/negative-coverage/v1`
    pub schema_version: SchemaVersion,
    /// As in the result.
    pub status: String,
    /// The component.
    pub component: String,
    /// The fixture.
    pub fixture_id: String,
    /// The validator.
    pub validator_id: String,
    /// The program.
    pub tool: Tool,
    /// The nine that were really caught, sorted.
    pub accepted_negative_cases: Vec<String>,
    /// The nine that were not.
    pub missing_negative_cases: Vec<String>,
    /// Cases beyond the nine.
    pub further_cases: FurtherCases,
    /// As in the result.
    pub error_codes: Vec<Code>,
    /// The source-module check.
    pub source_module_imports: SourceModuleImports,
    /// Display path of the manifest.
    pub source_module_manifest_ref: String,
    /// Module rows without a finding.
    pub body_copied_material_count: u64,
    /// The secret scan.
    pub secret_exclusion_scan: ScanBlock,
    /// The ceiling.
    pub authority_ceiling: AuthorityCeiling,
    /// What the record does not show.
    pub anti_claim: String,
    /// The record files of the run.
    pub receipt_paths: Vec<String>,
    /// Digest of the record without this field.
    pub record_digest: String,
}

impl CoverageRecord {
    /// The coverage record of a result.
    pub fn of(result: &ResultRecord) -> Self {
        let caught = |id: &&String| !result.missing_negative_cases.contains(id);
        Self {
            schema_version: SchemaVersion::current("negative-coverage"),
            status: result.status.clone(),
            component: result.component.clone(),
            fixture_id: result.fixture_id.clone(),
            validator_id: result.validator_id.clone(),
            tool: result.tool.clone(),
            accepted_negative_cases: result.expected_negative_cases.iter().filter(caught).cloned().collect(),
            missing_negative_cases: result.missing_negative_cases.clone(),
            further_cases: result.further_cases.clone(),
            error_codes: result.error_codes.clone(),
            source_module_imports: result.source_module_imports.clone(),
            source_module_manifest_ref: result.source_module_manifest_ref.clone(),
            body_copied_material_count: result.body_copied_material_count,
            secret_exclusion_scan: result.secret_exclusion_scan.clone(),
            authority_ceiling: result.authority_ceiling.clone(),
            anti_claim: result.anti_claim.clone(),
            receipt_paths: result.receipt_paths.clone(),
            record_digest: String::new(),
        }
    }
}
