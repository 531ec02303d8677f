//! The card: a record in one screen, as JSON (spec 9).

use crate::landing::record::{ResultRecord, SchemaVersion};
use serde_json::{Value, json};

/// The card of a result.
pub(super) fn of(result: &ResultRecord) -> Value {
    let imports = &result.source_module_imports;
    json!({
        "schema_version": SchemaVersion::current("card"),
        "status": result.status,
        "component": result.component,
        "input_mode": result.input_mode,
        "bundle_id": result.bundle_id,
        "command_speed": {
            "receipt_reused": result.receipt_reused,
            "freshness_digest": result.freshness_basis.basis_digest,
            "freshness_input_count": result.freshness_basis.input_count,
            "freshness_missing_path_count": result.freshness_basis.missing_path_count,
        },
        "work_landing": {
            "run_count": result.run_count,
            "landed_commit_count": result.landed_commit_count,
            "metadata_blocked_count": result.metadata_blocked_count,
            "validation_order_required_count": result.validation_order_required_count,
            "validation_order_pass_count": result.validation_order_pass_count,
            "lane_ids": result.lane_ids,
        },
        "validation": {
            "accepted_negative_case_count": result.expected_negative_cases.len() - result.missing_negative_cases.len(),
            "missing_negative_case_count": result.missing_negative_cases.len(),
            "further_case_count": result.further_cases.expected.len(),
            "further_case_missing_count": result.further_cases.missing.len(),
            "error_code_count": result.error_codes.len(),
            "finding_count": result.finding_count,
            "blocking_finding_count": result.blocking_finding_count,
            "source_module_status": imports.status,
            "source_module_count": imports.module_count,
            "body_copied_material_count": result.body_copied_material_count,
            "body_in_receipt": false,
            "blocking_hit_count": result.secret_exclusion_scan.blocking_hit_count,
        },
        "support": result.support,
        "authority_boundary": {
            "live_git_mutation_authorized": false,
            "broad_checkpoint_authorized": false,
            "unrelated_dirty_paths_authorized": false,
            "source_mutation_authorized": false,
            "provider_calls_authorized": false,
            "release_authorized": false,
        },
        "receipt_paths": result.receipt_paths,
    })
}
