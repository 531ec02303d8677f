//! The words of a read-only run: everything that speaks against a gate, and the one program they map to.

use crate::contract::allowlist::{self, ACTION, MODULE, PROFILES};
use crate::execution::harness::{Program, TimeoutProfile};
use crate::ledger::Record;
use serde_json::Value as Json;
use std::collections::BTreeSet;

const OPTIONS: [&str; 5] = ["--scenario-id", "--action", "--directive-id", "--timeout-profile", "--db-path"];

/// The program for a gate.
///
/// # Errors
/// Every reason against the gate and its words, unsorted.
pub(super) fn program(gate: &Record) -> Result<Program, Vec<String>> {
    let mut reasons = of_gate(gate);
    let words: Option<Vec<&str>> = gate.get("read_only_argv").and_then(Json::as_array).map(Vec::as_slice).and_then(|words| {
        let words: Option<Vec<_>> = words.iter().map(Json::as_str).collect();
        words.filter(|words| !words.is_empty())
    });
    let Some(words) = words else {
        reasons.insert("read_only_argv_not_observed".to_owned());
        return Err(reasons.into_iter().collect());
    };
    reasons.extend(of_words(&words));
    let (command, more) = allowlist::words(&words);
    reasons.extend(more);
    let program = command.and_then(|command| {
        Some(Program::ReadOnlyCheck {
            timeout_profile: TimeoutProfile::named(&command.timeout_profile)?,
            scenario_id: command.scenario_id,
            action: command.action?,
            directive_id: command.directive_id,
            db_path: command.db_path?,
        })
    });
    match program {
        Some(program) if reasons.is_empty() => Ok(program),
        _ => Err(reasons.into_iter().collect()),
    }
}

fn of_gate(gate: &Record) -> BTreeSet<String> {
    let is_true = |field: &str| gate.get(field) == Some(&Json::Bool(true));
    let holds = [
        (!gate.record_type().ends_with("real_execution_read_only_readiness_gate"), "invalid_read_only_readiness_gate_type"),
        (gate.text("gate_status") != "ready_blocked", "read_only_readiness_gate_not_ready_blocked"),
        (!is_true("read_only_readiness_satisfied"), "read_only_readiness_not_satisfied"),
        (!is_true("ready_for_guarded_read_only_execution"), "not_ready_for_guarded_read_only_execution"),
        (gate.text("read_only_approval_latest_status") != "approved", "read_only_approval_latest_status_not_approved"),
        (gate.text("read_only_module") != MODULE, "read_only_module_not_allowlisted"),
        (gate.is_set("read_only_execution_enabled"), "read_only_gate_already_enabled_execution"),
        (gate.is_set("subprocess_invoked"), "read_only_gate_already_invoked_subprocess"),
        (gate.is_set("execution_performed"), "read_only_gate_already_performed_execution"),
        (gate.is_set("rendered_command_executed"), "read_only_gate_already_executed_rendered_command"),
        (gate.is_set("dry_run_envelope_command_executed"), "read_only_gate_already_executed_dry_run_command"),
    ];
    holds.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason.to_owned()).collect()
}

/// What speaks against the words, in the names of this runner: all five options are required here.
fn of_words(words: &[&str]) -> BTreeSet<String> {
    let mut reasons = BTreeSet::new();
    let mut fault = |reason: String| {
        reasons.insert(reason);
    };
    if words.len() < 3 {
        fault("read_only_argv_too_short".to_owned());
    }
    let python = words.first().is_some_and(|word| matches!(*word, "python" | "python3"));
    if !python || words.get(1) != Some(&"-m") {
        fault("read_only_argv_must_use_python_module_mode".to_owned());
    }
    if words.get(2) != Some(&MODULE) {
        fault("read_only_module_not_allowlisted".to_owned());
    }
    let mut values: [Option<&str>; 5] = [None; 5];
    let mut rest = words.iter().skip(3).copied().peekable();
    while let Some(word) = rest.next() {
        let Some(place) = OPTIONS.iter().position(|option| *option == word) else {
            fault(format!("read_only_argv_contains_unexpected_arg:{word}"));
            continue;
        };
        match rest.next_if(|next| !next.starts_with("--")) {
            None => fault(format!("read_only_argv_missing_value:{word}")),
            Some(value) if value.trim().is_empty() => fault(format!("read_only_argv_empty_value:{word}")),
            Some(value) => values[place] = Some(value),
        }
    }
    for (option, value) in OPTIONS.iter().zip(values) {
        if value.is_none() {
            fault(format!("read_only_argv_missing_required_arg:{option}"));
        }
    }
    if values[1].is_some_and(|action| action != ACTION) {
        fault("read_only_action_not_allowlisted".to_owned());
    }
    if values[3].is_some_and(|profile| !PROFILES.contains(&profile)) {
        fault("read_only_timeout_profile_not_allowlisted".to_owned());
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(argv: &serde_json::Value) -> Vec<String> {
        let gate = Record::new("replay_lifecycle_retry_real_execution_read_only_readiness_gate")
            .with("gate_status", "ready_blocked")
            .with("read_only_readiness_satisfied", true)
            .with("ready_for_guarded_read_only_execution", true)
            .with("read_only_approval_latest_status", "approved")
            .with("read_only_module", MODULE)
            .with("read_only_argv", argv.clone());
        program(&gate).err().unwrap_or_default()
    }

    fn good() -> Vec<&'static str> {
        let tail = [
            "--scenario-id",
            "s1",
            "--action",
            "REDUCE_RISK",
            "--directive-id",
            "d1",
            "--timeout-profile",
            "standard",
            "--db-path",
            "l.db",
        ];
        ["python", "-m", MODULE].into_iter().chain(tail).collect()
    }

    #[test]
    fn the_governed_words_start_the_evidence_check_and_no_others_do() {
        assert_eq!(reasons(&good().into()), Vec::<String>::new());
        assert_eq!(
            reasons(&serde_json::json!(["awk", "-c", "touch X"])),
            [
                "invalid_executable",
                "missing_directive_id",
                "missing_python_module_flag",
                "missing_scenario_id",
                "missing_timeout_profile",
                "module_not_allowlisted",
                "read_only_argv_missing_required_arg:--action",
                "read_only_argv_missing_required_arg:--db-path",
                "read_only_argv_missing_required_arg:--directive-id",
                "read_only_argv_missing_required_arg:--scenario-id",
                "read_only_argv_missing_required_arg:--timeout-profile",
                "read_only_argv_must_use_python_module_mode",
                "read_only_module_not_allowlisted",
            ]
        );
        let altered = |place: usize, word: &'static str| {
            let mut words = good();
            words[place] = word;
            reasons(&words.into())
        };
        assert_eq!(altered(4, "s1 --db-path other"), ["invalid_value:--scenario-id"]);
        assert_eq!(altered(6, "TRADE"), ["action_not_allowlisted", "read_only_action_not_allowlisted"]);
        assert_eq!(altered(10, "fast"), ["invalid_timeout_profile", "read_only_timeout_profile_not_allowlisted"]);
        assert_eq!(altered(12, "../l.db"), ["unsafe_db_path"]);
        assert_eq!(
            altered(8, "a;b").first().map(String::as_str),
            Some("forbidden_token:;"),
            "a word with a shell's token is refused whatever else it is"
        );
        let mut twice = good();
        twice.extend(["--scenario-id", "s2"]);
        assert_eq!(reasons(&twice.into()), ["duplicate_flag:--scenario-id"]);
        assert_eq!(reasons(&serde_json::json!([7])), ["read_only_argv_not_observed"]);
        assert_eq!(reasons(&serde_json::json!("python")), ["read_only_argv_not_observed"]);
    }
}
