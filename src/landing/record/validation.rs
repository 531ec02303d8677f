//! The validation record: which cases were caught, and the counts of the rows (spec 6.3).

use super::{AuthorityCeiling, ResultRecord, ScanBlock, SchemaVersion, SourceModuleImports, Tool};
use crate::code::Code;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The nine, as the result has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseCoverage {
    /// The nine.
    pub expected: Vec<String>,
    /// Those that produced a code.
    pub observed: BTreeMap<String, Vec<Code>>,
    /// Those that were not caught.
    pub missing: Vec<String>,
}

/// The validation record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidationRecord {
    /// `landfall/validation/v1`
    pub schema_version: SchemaVersion,
    /// As in the result, as is everything below.
    pub status: String,
    /// The component.
    pub component: String,
    /// The fixture.
    pub fixture_id: String,
    /// The validator.
    pub validator_id: String,
    /// The program.
    pub tool: Tool,
    /// The nine.
    pub negative_case_coverage: CaseCoverage,
    /// Rows of the table.
    pub run_count: u64,
    /// Rows blocked by metadata.
    pub metadata_blocked_count: u64,
    /// Rows that claim a landed commit.
    pub landed_commit_count: u64,
    /// Rows on a commit path.
    pub validation_order_required_count: u64,
    /// Of those, rows whose validation came first.
    pub validation_order_pass_count: u64,
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

impl ValidationRecord {
    /// The validation record of a result.
    pub fn of(result: &ResultRecord) -> Self {
        Self {
            schema_version: SchemaVersion::current("validation"),
            status: result.status.clone(),
            component: result.component.clone(),
            fixture_id: result.fixture_id.clone(),
            validator_id: result.validator_id.clone(),
            tool: result.tool.clone(),
            negative_case_coverage: CaseCoverage {
                expected: result.expected_negative_cases.clone(),
                observed: result.observed_negative_cases.clone(),
                missing: result.missing_negative_cases.clone(),
            },
            run_count: result.run_count,
            metadata_blocked_count: result.metadata_blocked_count,
            landed_commit_count: result.landed_commit_count,
            validation_order_required_count: result.validation_order_required_count,
            validation_order_pass_count: result.validation_order_pass_count,
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
