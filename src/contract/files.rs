//! The files of the contracts, built in.

macro_rules! contracts {
    ($($family:literal: $($name:literal),*;)*) => {
        /// File name and text of every contract.
        pub(super) const FILES: &[(&str, &str)] = &[$($((
            concat!($family, "/", $name),
            include_str!(concat!("../../contracts/", $family, "/", $name, ".json")),
        )),*),*];
    };
}

contracts! {
    "execution":
        "execution_attempt",
        "replay_lifecycle_retry_controlled_execution_result",
        "replay_lifecycle_retry_guarded_repair_execution_result",
        "replay_lifecycle_retry_mock_execution_summary",
        "replay_lifecycle_retry_post_repair_evidence_check",
        "replay_lifecycle_retry_real_execution_adapter_contract",
        "replay_lifecycle_retry_real_execution_adapter_request_schema",
        "replay_lifecycle_retry_real_execution_approval",
        "replay_lifecycle_retry_real_execution_approval_transition",
        "replay_lifecycle_retry_real_execution_capability_policy_matrix",
        "replay_lifecycle_retry_real_execution_dry_run_envelope",
        "replay_lifecycle_retry_real_execution_final_gate",
        "replay_lifecycle_retry_real_execution_noop_result",
        "replay_lifecycle_retry_real_execution_preflight",
        "replay_lifecycle_retry_real_execution_read_only_approval",
        "replay_lifecycle_retry_real_execution_read_only_approval_transition",
        "replay_lifecycle_retry_real_execution_read_only_execution_result",
        "replay_lifecycle_retry_real_execution_read_only_feedback",
        "replay_lifecycle_retry_real_execution_read_only_final_gate",
        "replay_lifecycle_retry_real_execution_read_only_promotion",
        "replay_lifecycle_retry_real_execution_read_only_readiness_gate",
        "replay_lifecycle_retry_real_execution_read_only_repair_action_bundle",
        "replay_lifecycle_retry_real_execution_read_only_repair_action_bundle_review",
        "replay_lifecycle_retry_real_execution_read_only_repair_plan",
        "replay_lifecycle_retry_real_execution_repair_approval",
        "replay_lifecycle_retry_real_execution_repair_approval_transition",
        "replay_lifecycle_retry_real_execution_repair_dry_run_envelope",
        "replay_lifecycle_retry_real_execution_repair_final_gate",
        "replay_lifecycle_retry_real_execution_repair_noop_feedback",
        "replay_lifecycle_retry_real_execution_repair_noop_result",
        "replay_lifecycle_retry_real_execution_repair_readiness_gate",
        "replay_lifecycle_retry_real_execution_sandbox_adapter_request_preflight",
        "replay_lifecycle_retry_real_execution_sandbox_adapter_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_command_render_plan_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_input_materialization_plan_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_materialization_preflight_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_rendered_command_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_rendered_command_validation_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_request_envelope_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_workspace_plan_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_workspace_preparation_preflight_scaffold";
    "governance":
        "evidence_record",
        "memory_record",
        "replay_evidence_lifecycle_result",
        "replay_lifecycle_retry_approval",
        "replay_lifecycle_retry_execution_eligibility",
        "replay_lifecycle_retry_execution_plan",
        "replay_lifecycle_retry_execution_result",
        "replay_lifecycle_retry_proposal",
        "replay_lifecycle_retry_rendered_command",
        "replay_lifecycle_retry_rendered_command_result",
        "simulation_replay_execution",
        "simulation_replay_scenario",
        "swarm_directive",
        "swarm_directive_result";
    "memory":
        "explorer_finding",
        "explorer_targets",
        "memory_ingest_candidate",
        "memory_record";
}
