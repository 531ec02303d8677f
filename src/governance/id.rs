//! The ids of governance records: functions of what they decide, so that the same decision made
//! twice is the same record.

use crate::json::hex;
use sha2::{Digest, Sha256};

/// The first sixteen hex digits of SHA-256 over the parts, joined with `|`.
pub fn h16(parts: &[&str]) -> String {
    hex(&Sha256::digest(parts.join("|").as_bytes())[..8])
}

/// The id of a proposal.
pub fn proposal(recommendation: &str, reason: &str, timeout_profile: &str, template: &str) -> String {
    format!("replay-retry-{}", h16(&[recommendation, reason, timeout_profile, template]))
}

/// The id of an approval.
pub fn approval(proposal_id: &str, status: &str, approved_by: &str, decision_mode: &str, reason: &str) -> String {
    format!("replay-retry-approval-{}", h16(&[proposal_id, status, approved_by, decision_mode, reason]))
}

/// The id of an execution plan.
pub fn plan(proposal_id: &str, approval_id: &str, timeout_profile: &str, decision_mode: &str) -> String {
    format!("replay-retry-plan-{}", h16(&[proposal_id, approval_id, timeout_profile, decision_mode]))
}

/// The id of a rendered command.
pub fn rendered(plan_id: &str, scenario_id: &str, new_directive_id: &str, command: &str) -> String {
    format!("replay-retry-rendered-{}", h16(&[plan_id, scenario_id, new_directive_id, command]))
}

/// The id of a rendered command's result.
pub fn rendered_result(rendered_command_id: &str, plan_id: &str, status: &str, reason: &str) -> String {
    format!("replay-retry-rendered-result-{}", h16(&[rendered_command_id, plan_id, status, reason]))
}

/// The id of an execution eligibility.
pub fn eligibility(rendered_command_id: &str, plan_id: &str, reason: &str) -> String {
    format!("replay-retry-eligibility-{}", h16(&[rendered_command_id, plan_id, reason]))
}

/// The id of an execution result.
pub fn execution_result(plan_id: &str) -> String {
    format!("replay-retry-result-{plan_id}")
}
