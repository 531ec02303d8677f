//! What is recorded, as data: command lines and how each must end.

/// A scenario of `fixtures/loop`.
#[derive(Debug)]
pub(super) struct Scenario {
    /// Its folder.
    pub(super) name: &'static str,
    /// Its commands, in order, over one ledger.
    pub(super) steps: &'static [Step],
}

/// A command of a scenario.
#[derive(Debug)]
pub(super) struct Step {
    /// The exit code it must end with.
    pub(super) exit: u8,
    /// Its words behind `landfall`, with a space between two; the ledger is added.
    pub(super) line: &'static str,
}

const fn ok(line: &'static str) -> Step {
    Step { exit: 0, line }
}

const fn blocked(line: &'static str) -> Step {
    Step { exit: 1, line }
}

/// The proposal that follows from one timeout, by the id vector of the specification.
macro_rules! proposal {
    () => {
        "replay-retry-349f847a54dd6077"
    };
}

/// What is recorded by running commands.
pub(super) const SCENARIOS: &[Scenario] = &[
    // A directive is answered, the answer becomes evidence, memory, a scenario, and a replay of it.
    Scenario {
        name: "experience-loop",
        steps: &[
            ok("loop seed directive --directive-id runtime-reduce-risk-1"),
            ok("loop run nodes --once"),
            ok("loop publish evidence --directive-id runtime-reduce-risk-1"),
            ok("loop bridge --directive-id runtime-reduce-risk-1"),
            ok("loop publish scenarios"),
            ok("loop run replay-check --with-nodes --directive-id runtime-run-replay-1"),
        ],
    },
    // Evidence that was asked for too early fails and is remembered; a replay that nobody answers times out.
    Scenario {
        name: "failed-replay",
        steps: &[
            ok("loop seed directive --action OBSERVE --target * --directive-id observe-all-1 --source overseer-1"),
            ok("loop publish evidence --directive-id observe-all-1"),
            ok("loop bridge --directive-id observe-all-1"),
            blocked(
                "loop run replay-check --scenario-id replay-manual-2 --action SET_DRY_RUN --directive-id runtime-run-replay-2 --wait-seconds 0",
            ),
            ok("loop run nodes --once --without-executor"),
        ],
    },
    // All seven stages of a retry that an operator approved, with the ids of the specification's vectors.
    Scenario {
        name: "retry-governance",
        steps: &[
            blocked("loop run replay-check --scenario-id sc-1 --directive-id dir-1 --wait-seconds 0"),
            ok("loop build proposal"),
            ok(concat!("loop build approval --approved-by op-ana --proposal-id ", proposal!())),
            ok("loop build plan"),
            ok("loop build rendered_command --scenario-id sc-1 --new-directive-id dir-2"),
            ok("loop run rendered"),
            ok("loop build eligibility"),
            ok("loop run plans"),
        ],
    },
    // A synthetic trail of the other profile and the other mode of decision.
    Scenario {
        name: "retry-policy",
        steps: &[
            ok("loop seed trail --timeout-profile patient --decision-mode policy"),
            ok("loop run rendered"),
            ok("loop build eligibility"),
            ok("loop run plans"),
        ],
    },
    // The operator says no: nothing is planned, and nothing later is built.
    Scenario {
        name: "retry-rejected",
        steps: &[
            blocked("loop run replay-check --scenario-id sc-1 --directive-id dir-1 --wait-seconds 0"),
            ok("loop build proposal"),
            ok(concat!(
                "loop build approval --approved-by op-ben --status rejected --reason operator_rejected_retry --proposal-id ",
                proposal!()
            )),
            blocked("loop build plan"),
            ok("loop run rendered"),
            ok("loop build eligibility"),
            ok("loop run plans"),
        ],
    },
    // From a retry's trail to a closed repair loop, and through the thirteen families behind it.
    Scenario {
        name: "controlled-execution",
        steps: &[
            blocked("loop run replay-check --scenario-id sc-1 --directive-id dir-1 --wait-seconds 0"),
            ok("loop build proposal"),
            ok(concat!("loop build approval --approved-by op-ana --proposal-id ", proposal!())),
            ok("loop build plan"),
            ok("loop build rendered_command --scenario-id sc-1 --new-directive-id dir-2"),
            ok("loop run rendered"),
            ok("loop build eligibility"),
            ok("loop run plans"),
            ok("loop run controlled --allow-controlled-execution --mock-execution"),
            ok("loop build real_execution_preflight --allow-missing-real-execution-request"),
            ok("loop build real_execution_approval"),
            ok("loop build real_execution_approval_transition"),
            ok("loop build real_execution_final_gate"),
            ok("loop build real_execution_dry_run_envelope"),
            ok("loop run noop"),
            ok("loop build real_execution_read_only_promotion"),
            ok("loop build real_execution_read_only_final_gate"),
            ok("loop build real_execution_read_only_approval"),
            ok("loop build real_execution_read_only_approval_transition"),
            ok("loop build real_execution_read_only_readiness_gate"),
            ok("loop run read-only --operator-authorized --allow-guarded-read-only-execution"),
            ok("loop build real_execution_read_only_feedback"),
            ok("loop build real_execution_read_only_repair_plan"),
            ok("loop build real_execution_read_only_repair_action_bundle"),
            ok("loop build real_execution_read_only_repair_action_bundle_review --review-status approved --operator-authorized"),
            ok("loop build real_execution_repair_approval"),
            ok("loop build real_execution_repair_approval_transition"),
            ok("loop build real_execution_repair_final_gate"),
            ok("loop build real_execution_repair_dry_run_envelope"),
            ok("loop run repair-noop"),
            ok("loop build real_execution_repair_noop_feedback"),
            ok("loop build real_execution_repair_readiness_gate"),
            ok("loop run repair --allow-guarded-repair-execution"),
            ok("loop run post-repair --allow-post-repair-evidence-check"),
            ok("loop build real_execution_adapter_contract"),
            ok("loop build real_execution_adapter_request_schema"),
            ok("loop build real_execution_capability_policy_matrix"),
            ok("loop build real_execution_sandbox_adapter_scaffold"),
            ok("loop build real_execution_sandbox_adapter_request_preflight"),
            ok("loop build real_execution_sandbox_request_envelope_scaffold"),
            ok("loop build real_execution_sandbox_materialization_preflight_scaffold"),
            ok("loop build real_execution_sandbox_workspace_plan_scaffold"),
            ok("loop build real_execution_sandbox_workspace_preparation_preflight_scaffold"),
            ok("loop build real_execution_sandbox_input_materialization_plan_scaffold"),
            ok("loop build real_execution_sandbox_command_render_plan_scaffold"),
            ok("loop build real_execution_sandbox_rendered_command_scaffold"),
            ok("loop build real_execution_sandbox_rendered_command_validation_scaffold"),
        ],
    },
    // A real execution is asked for and refused; a read-only run is tried without its operator; nobody has reviewed
    // what follows, and nothing later is built or started.
    Scenario {
        name: "rejected-execution",
        steps: &[
            ok("loop seed trail"),
            ok("loop run rendered"),
            ok("loop build eligibility"),
            ok("loop run plans"),
            ok("loop run controlled --allow-controlled-execution --real-execution"),
            ok("loop build real_execution_preflight"),
            ok("loop build real_execution_approval"),
            ok("loop build real_execution_approval_transition"),
            ok("loop build real_execution_final_gate"),
            ok("loop build real_execution_dry_run_envelope"),
            ok("loop run noop"),
            ok("loop build real_execution_read_only_promotion"),
            ok("loop build real_execution_read_only_final_gate"),
            ok("loop build real_execution_read_only_approval"),
            ok("loop build real_execution_read_only_approval_transition"),
            ok("loop build real_execution_read_only_readiness_gate"),
            blocked("loop run read-only --allow-guarded-read-only-execution"),
            ok("loop build real_execution_read_only_feedback"),
            ok("loop build real_execution_read_only_repair_plan"),
            ok("loop build real_execution_read_only_repair_action_bundle"),
            ok("loop build real_execution_read_only_repair_action_bundle_review"),
            blocked("loop build real_execution_repair_approval"),
            blocked("loop run repair-noop"),
        ],
    },
];

const NO_COMMAND: &str = "written by hand: a foreign writer's records, which no command of ours publishes";

const NO_PARENT: &str = "written by hand: an eligibility without a rendered command and an approval without a proposal, where every builder of ours wants the parent";

const NEEDS_THE_NETWORK: &str = "written by hand: an explorer's records, which come from the network";

/// What is written by hand, and why.
pub(super) const BY_HAND: &[(&str, &str)] = &[
    ("enabled-retry", NO_COMMAND),
    ("explorer-evidence", NEEDS_THE_NETWORK),
    ("failed-execution", NO_COMMAND),
    ("nothing-to-run", NO_PARENT),
];
