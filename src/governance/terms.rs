//! The words of retry governance: record types, the one reason, the one recommendation, the safe
//! profiles and the one command template.

/// Stage 1.
pub const PROPOSAL: &str = "replay_lifecycle_retry_proposal";
/// Stage 2.
pub const APPROVAL: &str = "replay_lifecycle_retry_approval";
/// Stage 3.
pub const PLAN: &str = "replay_lifecycle_retry_execution_plan";
/// Stage 4.
pub const RENDERED: &str = "replay_lifecycle_retry_rendered_command";
/// Stage 5.
pub const RENDERED_RESULT: &str = "replay_lifecycle_retry_rendered_command_result";
/// Stage 6.
pub const ELIGIBILITY: &str = "replay_lifecycle_retry_execution_eligibility";
/// Stage 7.
pub const RESULT: &str = "replay_lifecycle_retry_execution_result";

/// The seven types, in stage order.
pub const CHAIN: [&str; 7] = [PROPOSAL, APPROVAL, PLAN, RENDERED, RENDERED_RESULT, ELIGIBILITY, RESULT];

/// The only reason to retry: no execution was seen in time.
pub const TIMED_OUT: &str = "execution_not_observed_before_timeout";
/// The recommendation that asks for a retry.
pub const RETRY: &str = "retry_replay_lifecycle_check";
/// Why a skipped result was skipped.
pub const DISABLED: &str = "execution_disabled";
/// Why an enabled command or plan is rejected: there is no runner.
pub const NOT_SUPPORTED: &str = "execution_not_supported";
/// The reason of an eligibility without a rendered command.
pub const NO_COMMAND: &str = "missing_rendered_command";
/// The reason of an eligibility without a rendered command result.
pub const NO_COMMAND_RESULT: &str = "missing_rendered_command_result";

/// The ledger that the command template names; the requirement text fixes it.
pub const TEMPLATE_LEDGER: &str = "data/cluster_runtime/latest/ledgers/swarm_crdt.local.db";

/// A safe retry profile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// How long the retry should wait, in seconds.
    pub wait_seconds: f64,
    /// How often it should look, in seconds.
    pub poll_interval: f64,
}

/// The safe retry profiles.
pub const SAFE_PROFILES: [Profile; 2] = [
    Profile { name: "standard", wait_seconds: 15.0, poll_interval: 0.5 },
    Profile { name: "patient", wait_seconds: 60.0, poll_interval: 1.0 },
];

/// The safe profile of this name.
pub fn safe_profile(name: &str) -> Option<Profile> {
    SAFE_PROFILES.into_iter().find(|profile| profile.name == name)
}

/// How a decision was made: the two words a decision mode may be.
pub const DECISION_MODES: [&str; 2] = ["manual", "policy"];

/// The command that a retry would be, with its two placeholders. It is data: it is only ever parsed.
pub fn command_template(profile: &str) -> String {
    format!(
        "python -m src.testing.run_replay_evidence_check --scenario-id <scenario_id> --action REDUCE_RISK \
         --directive-id <new_directive_id> --timeout-profile {profile} --db-path {TEMPLATE_LEDGER}"
    )
}
