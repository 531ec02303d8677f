//! Every rule of the landing family, one file each: page, metadata, pure function, tests.
//!
//! The table is sorted; a test reads this folder and fails for a file missing from it. Adding a rule
//! is `cargo xtask new-rule`, which writes the file and its two lines here.

use super::rule::Rule;

mod authority_overclaim;
mod blocker_capture_missing;
mod broad_checkpoint_authority_missing;
mod claimed_path_invalid;
mod claimed_paths_differ;
mod claimed_paths_missing;
mod corpus_acceptance_missing;
mod corpus_acceptance_not_passing;
mod corpus_body_undeclared;
mod dirty_tree_boundary_missing;
mod evidence;
mod evidence_backfilled;
mod evidence_contradicted;
mod evidence_digest_mismatch;
mod evidence_ref_missing;
mod head_advance_missing;
mod history_rewritten;
mod input_file_missing;
mod json_duplicate_key;
mod json_encoding_invalid;
mod json_invalid;
mod json_limit_exceeded;
mod landed_claim_contradicted;
mod landed_claim_not_boolean;
mod landing_status_unknown;
mod lane_duplicate;
mod lane_flag_not_boolean;
mod lane_row_not_object;
mod lane_table_incomplete;
mod lane_unknown;
mod ledger_closeout_missing;
mod live_git_mutation_authority;
mod negative_case_id_mismatch;
mod negative_case_missing;
mod negative_case_not_caught;
mod negative_case_not_object;
mod private_path_leakage;
mod projection_protocol_density_missing;
mod protocol_body_export_forbidden;
mod ref_item_invalid;
mod release_overclaim;
mod run_id_duplicate;
mod run_id_missing;
mod run_row_not_object;
mod run_rows_missing;
mod secret_material;
mod source_body_in_receipt_forbidden;
mod source_import_class_mismatch;
mod source_module_anchor_missing;
mod source_module_anchors_invalid;
mod source_module_body_boundary_invalid;
mod source_module_body_not_utf8;
mod source_module_class_forbidden;
mod source_module_count_mismatch;
mod source_module_digest_mismatch;
mod source_module_id_invalid;
mod source_module_import_class_mismatch;
mod source_module_manifest_missing;
mod source_module_provenance_contradicted;
mod source_module_relation_unverified;
mod source_module_row_not_object;
mod source_module_set_mismatch;
mod source_module_target_missing;
mod source_module_target_name_mismatch;
mod source_module_target_outside_bundle;
mod source_ref_unexpected;
mod target_ref_not_advanced;
mod validation_narrowed;
mod validation_not_passing;
mod validation_order_missing;
mod validation_stale;
mod validation_status_masked;
mod validation_vacuous;

/// The case that findings of the policy belong to.
pub(crate) const POLICY_CASE: &str = "landing_policy_floor";

/// The rules, by code.
pub static RULES: &[Rule] = &[
    authority_overclaim::RULE,
    blocker_capture_missing::RULE,
    broad_checkpoint_authority_missing::RULE,
    claimed_path_invalid::RULE,
    claimed_paths_differ::RULE,
    claimed_paths_missing::RULE,
    corpus_acceptance_missing::RULE,
    corpus_acceptance_not_passing::RULE,
    corpus_body_undeclared::RULE,
    dirty_tree_boundary_missing::RULE,
    evidence_backfilled::RULE,
    evidence_contradicted::RULE,
    evidence_digest_mismatch::RULE,
    evidence_ref_missing::RULE,
    head_advance_missing::RULE,
    history_rewritten::RULE,
    input_file_missing::RULE,
    json_duplicate_key::RULE,
    json_encoding_invalid::RULE,
    json_invalid::RULE,
    json_limit_exceeded::RULE,
    landed_claim_contradicted::RULE,
    landed_claim_not_boolean::RULE,
    landing_status_unknown::RULE,
    lane_duplicate::RULE,
    lane_flag_not_boolean::RULE,
    lane_row_not_object::RULE,
    lane_table_incomplete::RULE,
    lane_unknown::RULE,
    ledger_closeout_missing::RULE,
    live_git_mutation_authority::RULE,
    negative_case_id_mismatch::RULE,
    negative_case_missing::RULE,
    negative_case_not_caught::RULE,
    negative_case_not_object::RULE,
    private_path_leakage::RULE,
    projection_protocol_density_missing::RULE,
    protocol_body_export_forbidden::RULE,
    ref_item_invalid::RULE,
    release_overclaim::RULE,
    run_id_duplicate::RULE,
    run_id_missing::RULE,
    run_row_not_object::RULE,
    run_rows_missing::RULE,
    secret_material::RULE,
    source_body_in_receipt_forbidden::RULE,
    source_import_class_mismatch::RULE,
    source_module_anchor_missing::RULE,
    source_module_anchors_invalid::RULE,
    source_module_body_boundary_invalid::RULE,
    source_module_body_not_utf8::RULE,
    source_module_class_forbidden::RULE,
    source_module_count_mismatch::RULE,
    source_module_digest_mismatch::RULE,
    source_module_id_invalid::RULE,
    source_module_import_class_mismatch::RULE,
    source_module_manifest_missing::RULE,
    source_module_provenance_contradicted::RULE,
    source_module_relation_unverified::RULE,
    source_module_row_not_object::RULE,
    source_module_set_mismatch::RULE,
    source_module_target_missing::RULE,
    source_module_target_name_mismatch::RULE,
    source_module_target_outside_bundle::RULE,
    source_ref_unexpected::RULE,
    target_ref_not_advanced::RULE,
    validation_narrowed::RULE,
    validation_not_passing::RULE,
    validation_order_missing::RULE,
    validation_stale::RULE,
    validation_status_masked::RULE,
    validation_vacuous::RULE,
];

#[cfg(test)]
mod tests;
