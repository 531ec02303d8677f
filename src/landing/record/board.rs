//! The board: the four counts, of what the evidence supports (spec 6.2).

use super::{AuthorityCeiling, ResultRecord, ScanBlock, SchemaVersion, Tool};
use crate::landing::runs::RunCounts;
use serde::{Deserialize, Serialize};

/// One count of the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardMechanic {
    /// What is counted.
    pub mechanic_id: String,
    /// Rows without a finding that it counts.
    pub count: u64,
    /// What a row needs to be counted.
    pub authority: String,
}

/// The board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// `landfall/board/v1`
    pub schema_version: SchemaVersion,
    /// `pass` or `blocked`.
    pub status: String,
    /// The component.
    pub component: String,
    /// The program.
    pub tool: Tool,
    /// The board's name.
    pub board_id: String,
    /// As in the result.
    pub input_mode: String,
    /// As in the result.
    pub source_pattern_ids: Vec<String>,
    /// As in the result.
    pub lane_ids: Vec<String>,
    /// As in the result.
    pub body_copied_material_count: u64,
    /// The four counts.
    pub mechanics: Vec<BoardMechanic>,
    /// Rows on a commit path without a finding: of these the validations that came first are counted.
    pub validation_order_required_count: u64,
    /// As in the result.
    pub secret_exclusion_scan: ScanBlock,
    /// The ceiling.
    pub authority_ceiling: AuthorityCeiling,
    /// What the board does not show.
    pub anti_claim: String,
    /// Always false.
    pub body_in_receipt: bool,
    /// Whether the status is pass.
    pub real_runtime_receipt: bool,
    /// The record files of the run.
    pub receipt_paths: Vec<String>,
    /// Digest of the record without this field.
    pub record_digest: String,
}

impl Board {
    /// The board of a result; `supported` counts rows without a finding.
    pub fn of(result: &ResultRecord, supported: RunCounts) -> Self {
        let mechanic =
            |id: &str, count, authority: &str| BoardMechanic { mechanic_id: id.to_owned(), count, authority: authority.to_owned() };
        let mechanics = vec![
            mechanic("claim_before_mutation", supported.runs, "claimed_path_refs_and_validation_refs_required"),
            mechanic("head_advance_before_landed_commit_language", supported.landed, "commit_claim_requires_head_before_after_change"),
            mechanic(
                "validation_before_commit_attempt",
                supported.order_passed,
                "commit_path_landing_requires_validation_precedes_commit_attempt_true",
            ),
            mechanic("metadata_blocked_patch_bundle", supported.blocked, "blocker_capture_and_work_ledger_finalizer_required"),
        ];
        Self {
            schema_version: SchemaVersion::current("board"),
            status: result.status.clone(),
            component: result.component.clone(),
            tool: result.tool.clone(),
            board_id: "durable_agent_work_landing_public_board".to_owned(),
            input_mode: result.input_mode.clone(),
            source_pattern_ids: result.source_pattern_ids.clone(),
            lane_ids: result.lane_ids.clone(),
            body_copied_material_count: result.body_copied_material_count,
            mechanics,
            validation_order_required_count: supported.order_required,
            secret_exclusion_scan: result.secret_exclusion_scan.clone(),
            authority_ceiling: result.authority_ceiling.clone(),
            anti_claim: result.anti_claim.clone(),
            body_in_receipt: false,
            real_runtime_receipt: result.status == "pass",
            receipt_paths: result.receipt_paths.clone(),
            record_digest: String::new(),
        }
    }
}
