//! The table of the five.

use crate::execution::harness::Program;
use crate::execution::harness::reply::{GUARDED_REPAIR_MARKER, NOOP_MARKER, POST_REPAIR_MARKER, REPAIR_NOOP_MARKER};
use crate::ledger::Record;

/// A status and the reason that goes with it.
#[derive(Debug, Clone, Copy)]
pub struct Said {
    /// The status.
    pub status: &'static str,
    /// The reason.
    pub reason: &'static str,
    /// What to do next; blank where the type has none.
    pub next: &'static str,
}

const fn said(status: &'static str, reason: &'static str, next: &'static str) -> Said {
    Said { status, reason, next }
}

/// A flag that whoever runs must give.
#[derive(Debug, Clone, Copy)]
pub struct Needed {
    /// The flag, and the field that records whether it was given; `operator_authorized` of a repair is the parent's.
    pub flag: &'static str,
    /// The field of the result.
    pub field: &'static str,
    /// The reason when it is not given.
    pub refusal: &'static str,
}

/// The names under which a result tells of the run.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// The status; blank where the type has none.
    pub status: &'static str,
    /// The words.
    pub argv: &'static str,
    /// The exit code.
    pub exit_code: &'static str,
    /// The end of standard output.
    pub stdout: &'static str,
    /// The end of standard error.
    pub stderr: &'static str,
    /// The marker that was looked for, and whether it was seen; blank where the type has none.
    pub marker: [&'static str; 2],
}

/// One of the five.
#[derive(Debug, Clone, Copy)]
pub struct Runner {
    /// Its name in audit entries.
    pub name: &'static str,
    /// Its name in `loop run`.
    pub command: &'static str,
    /// The type of its results, without the prefix.
    pub result: &'static str,
    /// The capability that a policy gives a tier.
    pub capability: &'static str,
    /// Flags that must be given.
    pub needs: &'static [Needed],
    /// Whether a refusal is published as a record, and with which words.
    pub rejected: Option<Said>,
    /// Whether every refusal is published, or only the one for want of a flag.
    pub records_every_refusal: bool,
    /// Words of a good run.
    pub good: Said,
    /// Words of a run that was none.
    pub failed: Said,
    /// Names of the result's fields.
    pub fields: Fields,
    /// Flags that are true when a process was started, whatever came of it.
    pub when_started: &'static [&'static str],
    /// Flags that are true only after a good run.
    pub when_good: &'static [&'static str],
    /// The program for a parent, or why there is none.
    pub program: fn(&Record) -> Result<Program, Vec<String>>,
    /// The marker; blank for none.
    pub marker: &'static str,
    /// Whether readiness of the trail is asked for in the same run.
    pub asks_readiness: bool,
}

/// The five runners.
pub const RUNNERS: [Runner; 5] = [
    Runner {
        name: "run_real_execution_noop_harness",
        command: "noop",
        result: "real_execution_noop_result",
        capability: "capability.noop.marker_check",
        needs: &[],
        rejected: None,
        records_every_refusal: false,
        good: said("", "real_execution_noop_harness_completed", ""),
        failed: said("", "real_execution_noop_harness_completed", ""),
        fields: Fields { status: "", argv: "noop_argv", exit_code: "exit_code", stdout: "stdout", stderr: "stderr", marker: ["", ""] },
        when_started: &["execution_performed", "subprocess_invoked"],
        when_good: &[],
        program: |_| Ok(Program::Noop),
        marker: NOOP_MARKER,
        asks_readiness: false,
    },
    Runner {
        name: "run_guarded_read_only_execution",
        command: "read-only",
        result: "real_execution_read_only_execution_result",
        capability: "capability.guarded_read_only.evidence_check",
        needs: &[
            Needed { flag: "operator_authorized", field: "operator_authorized", refusal: "operator_not_authorized" },
            Needed {
                flag: "allow_guarded_read_only_execution",
                field: "allow_guarded_read_only_execution",
                refusal: "guarded_read_only_execution_flag_required",
            },
        ],
        rejected: Some(said("rejected", "guarded_read_only_execution_rejected", "")),
        records_every_refusal: true,
        good: said("executed", "guarded_read_only_execution_completed", ""),
        failed: said("failed", "guarded_read_only_execution_failed", ""),
        fields: Fields { status: "status", argv: "", exit_code: "exit_code", stdout: "stdout", stderr: "stderr", marker: ["", ""] },
        when_started: &[
            "read_only_execution_enabled",
            "subprocess_enabled",
            "subprocess_invoked",
            "execution_performed",
            "read_only_command_executed",
            "rendered_command_executed",
            "dry_run_envelope_command_executed",
        ],
        when_good: &[],
        program: super::read_only::program,
        marker: "",
        asks_readiness: true,
    },
    Runner {
        name: "run_real_execution_repair_noop_harness",
        command: "repair-noop",
        result: "real_execution_repair_noop_result",
        capability: "capability.noop.marker_check",
        needs: &[],
        rejected: None,
        records_every_refusal: false,
        good: said("completed", "repair_execution_noop_harness_completed", "inspect_repair_noop_result"),
        failed: said("failed", "repair_execution_noop_harness_failed", "investigate_repair_noop_harness_failure"),
        fields: Fields {
            status: "repair_noop_status",
            argv: "noop_argv",
            exit_code: "exit_code",
            stdout: "stdout",
            stderr: "stderr",
            marker: ["noop_marker", "noop_stdout_marker_observed"],
        },
        when_started: &["execution_performed", "subprocess_invoked"],
        when_good: &[],
        program: super::result::repair_noop,
        marker: REPAIR_NOOP_MARKER,
        asks_readiness: false,
    },
    Runner {
        name: "run_guarded_repair_execution",
        command: "repair",
        result: "guarded_repair_execution_result",
        capability: "capability.guarded_repair.harness",
        needs: &[Needed {
            flag: "allow_guarded_repair_execution",
            field: "repair_execution_allowed",
            refusal: "guarded_repair_execution_not_allowed",
        }],
        rejected: Some(said("rejected", "guarded_repair_execution_not_allowed", "authorize_guarded_repair_execution")),
        records_every_refusal: false,
        good: said("succeeded", "guarded_repair_execution_succeeded", "run_post_repair_evidence_check"),
        failed: said("failed", "guarded_repair_execution_failed", "investigate_guarded_repair_execution_failure"),
        fields: Fields {
            status: "repair_execution_status",
            argv: "repair_argv",
            exit_code: "exit_code",
            stdout: "stdout",
            stderr: "stderr",
            marker: ["guarded_repair_marker", "guarded_repair_marker_observed"],
        },
        when_started: &[
            "bundle_execution_enabled",
            "repair_execution_enabled",
            "subprocess_enabled",
            "bundle_subprocess_invoked",
            "repair_subprocess_invoked",
            "execution_performed",
            "subprocess_invoked",
        ],
        when_good: &[
            "bundle_execution_performed",
            "repair_actions_executed",
            "repair_bundle_executed",
            "repair_command_executed",
            "repair_execution_performed",
        ],
        program: super::result::guarded_repair,
        marker: GUARDED_REPAIR_MARKER,
        asks_readiness: false,
    },
    Runner {
        name: "run_post_repair_evidence_check",
        command: "post-repair",
        result: "post_repair_evidence_check",
        capability: "capability.guarded_repair.harness",
        needs: &[Needed {
            flag: "allow_post_repair_evidence_check",
            field: "post_repair_evidence_check_allowed",
            refusal: "post_repair_evidence_check_not_allowed",
        }],
        rejected: Some(said("rejected", "post_repair_evidence_check_not_allowed", "authorize_post_repair_evidence_check")),
        records_every_refusal: false,
        good: said("passed", "post_repair_evidence_check_passed", "close_repair_loop"),
        failed: said("failed", "post_repair_evidence_check_failed", "investigate_post_repair_failure"),
        fields: Fields {
            status: "post_repair_status",
            argv: "post_repair_evidence_argv",
            exit_code: "post_repair_evidence_exit_code",
            stdout: "post_repair_evidence_stdout",
            stderr: "post_repair_evidence_stderr",
            marker: ["post_repair_evidence_marker", "post_repair_evidence_marker_observed"],
        },
        when_started: &[
            "post_repair_evidence_check_enabled",
            "evidence_check_execution_performed",
            "evidence_check_subprocess_invoked",
            "subprocess_enabled",
            "execution_performed",
            "subprocess_invoked",
        ],
        when_good: &["repair_outcome_verified"],
        program: super::result::post_repair,
        marker: POST_REPAIR_MARKER,
        asks_readiness: false,
    },
];

/// The runner of a name in `loop run`.
pub fn runner_of(command: &str) -> Option<&'static Runner> {
    RUNNERS.iter().find(|runner| runner.command == command)
}
