//! The nine repair targets: what a failed evidence check names, and what to do about each.

/// A target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Its name, which is also the marker in what a check prints.
    pub name: &'static str,
    /// What to do.
    pub action: &'static str,
    /// `high` or `medium`.
    pub priority: &'static str,
}

const fn target(name: &'static str, action: &'static str, priority: &'static str) -> Target {
    Target { name, action, priority }
}

/// All nine, by name.
pub const TARGETS: [Target; 9] = [
    target("directive_seeded", "verify_directive_seed", "medium"),
    target("evidence_published", "publish_or_verify_replay_evidence", "high"),
    target("execution_completed", "publish_or_verify_execution_completion", "high"),
    target("execution_published", "publish_or_verify_execution_record", "high"),
    target("memory_record_published", "publish_or_verify_memory_record", "high"),
    target("scenario_seeded", "verify_scenario_seed", "medium"),
    target("visibility_crdt_trail_complete", "refresh_or_verify_crdt_trail_visibility", "medium"),
    target("visibility_memory_summary_replay_evidence", "refresh_or_verify_memory_replay_evidence_visibility", "medium"),
    target("visibility_security_lifecycle_validation", "verify_security_lifecycle_validation_visibility", "medium"),
];

/// The target of a name.
pub fn named(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}
