//! The steps of the golden path, in order; each publishes what the next one is built from.

use super::experience::{Experience, SCENARIO};

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// What a directive leads to, until its replay has failed and a retry is worth proposing.
    Experience(Experience),
    /// The controlled runner with the operator's flag and a mock: a result and its summary.
    Controlled,
    /// A builder, and what it is told.
    Build(&'static str, &'static [(&'static str, &'static str)]),
    /// A runner, and the flags that it is given.
    Run(&'static str, &'static [&'static str]),
}

use Step::{Build, Run};

/// The steps that lead from a directive to a complete trail of governance: six of experience, seven of the retry. They
/// stand for the first of the specification's twenty-seven, whose trail is synthetic.
pub const BEGINNING: usize = 13;

/// From a directive to a closed repair loop: the beginning, and the specification's steps from the second on.
pub const STEPS: [Step; BEGINNING + 26] = [
    Step::Experience(Experience::Directive),
    Step::Experience(Experience::Answer),
    Step::Experience(Experience::Evidence),
    Step::Experience(Experience::Memory),
    Step::Experience(Experience::Scenario),
    Step::Experience(Experience::Replay),
    Build("proposal", &[]),
    Build("approval", &[("approved_by", "golden-path")]),
    Build("plan", &[]),
    Build("rendered_command", &[("scenario_id", SCENARIO), ("new_directive_id", "golden-path-retry")]),
    Build("rendered_command_result", &[]),
    Build("eligibility", &[]),
    Build("result", &[]),
    Step::Controlled,
    Build("real_execution_preflight", &[("allow_missing_real_execution_request", "given")]),
    Build("real_execution_approval", &[("approval_status", "pending")]),
    Build("real_execution_approval_transition", &[("to_status", "approved")]),
    Build("real_execution_final_gate", &[]),
    Build("real_execution_dry_run_envelope", &[]),
    Run("noop", &[]),
    Build("real_execution_read_only_promotion", &[]),
    Build("real_execution_read_only_final_gate", &[]),
    Build("real_execution_read_only_approval", &[("approval_status", "pending")]),
    Build("real_execution_read_only_approval_transition", &[("to_status", "approved")]),
    Build("real_execution_read_only_readiness_gate", &[]),
    Run("read-only", &["operator_authorized", "allow_guarded_read_only_execution"]),
    Build("real_execution_read_only_feedback", &[]),
    Build("real_execution_read_only_repair_plan", &[]),
    Build("real_execution_read_only_repair_action_bundle", &[]),
    Build("real_execution_read_only_repair_action_bundle_review", &[("review_status", "approved"), ("operator_authorized", "given")]),
    Build("real_execution_repair_approval", &[("approval_status", "pending")]),
    Build("real_execution_repair_approval_transition", &[("to_status", "approved")]),
    Build("real_execution_repair_final_gate", &[]),
    Build("real_execution_repair_dry_run_envelope", &[]),
    Run("repair-noop", &[]),
    Build("real_execution_repair_noop_feedback", &[]),
    Build("real_execution_repair_readiness_gate", &[]),
    Run("repair", &["allow_guarded_repair_execution"]),
    Run("post-repair", &["allow_post_repair_evidence_check"]),
];

/// The thirteen families behind it; none of them ever runs anything.
pub const CONTOUR: [Step; 13] = [
    Build("real_execution_adapter_contract", &[]),
    Build("real_execution_adapter_request_schema", &[]),
    Build("real_execution_capability_policy_matrix", &[]),
    Build("real_execution_sandbox_adapter_scaffold", &[]),
    Build("real_execution_sandbox_adapter_request_preflight", &[]),
    Build("real_execution_sandbox_request_envelope_scaffold", &[]),
    Build("real_execution_sandbox_materialization_preflight_scaffold", &[]),
    Build("real_execution_sandbox_workspace_plan_scaffold", &[]),
    Build("real_execution_sandbox_workspace_preparation_preflight_scaffold", &[]),
    Build("real_execution_sandbox_input_materialization_plan_scaffold", &[]),
    Build("real_execution_sandbox_command_render_plan_scaffold", &[]),
    Build("real_execution_sandbox_rendered_command_scaffold", &[]),
    Build("real_execution_sandbox_rendered_command_validation_scaffold", &[]),
];
