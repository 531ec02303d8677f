//! What is asked of the trail before anything starts: T1, T6, T7, P2, P3, P10.

use crate::scene::{BOTH, T, alter, ledger_of, place, refused, runs_once, trail, unbuilt};
use landfall::contract::allowlist;
use serde_json::json;

const GATE: &str = "real_execution_read_only_readiness_gate";
const REPAIR: [&str; 1] = ["allow_guarded_repair_execution"];

#[test]
fn unharmed_trails_run_once_each() {
    runs_once("noop", trail(7), &[]);
    runs_once("read-only", trail(13), &BOTH);
    runs_once("repair-noop", trail(22), &[]);
    runs_once("repair", trail(25), &REPAIR);
    runs_once("post-repair", trail(26), &["allow_post_repair_evidence_check"]);
}

#[test]
fn a_command_that_a_shell_would_act_on_gives_no_envelope_and_no_result_that_is_allowlisted() {
    const OK: &str = "python -m src.testing.run_replay_evidence_check --scenario-id s1 --action REDUCE_RISK --directive-id d1 \
                      --timeout-profile standard --db-path ledger.db";
    assert!(allowlist::parse(OK).accepted());
    for (tail, token) in [
        ("; touch X", ";"),
        (" && touch X", "&&"),
        (" || touch X", "||"),
        (" | tee X", "|"),
        (" > X", ">"),
        (" < X", "<"),
        ("\ntouch X", "\n"),
    ] {
        let text = format!("{OK}{tail}");
        let wanted = format!("forbidden_token:{token}");
        assert!(allowlist::parse(&text).reasons.contains(&wanted), "{text}");
        let mut records = trail(6);
        alter(&mut records, "real_execution_final_gate", "command", text.as_str());
        let said = unbuilt("real_execution_dry_run_envelope", records);
        assert!(said.contains(&wanted) && said.contains("rendered_command_text_mismatch"), "{said:?}");
    }
    for id in ["`touch X`", "$(touch X)", "$HOME", "a&b", "'a;b'"] {
        let reasons = allowlist::parse(&OK.replace("s1", id)).reasons;
        assert!(reasons.iter().any(|reason| reason.starts_with("forbidden_token:")), "{id}: {reasons:?}");
    }
    // P2 and P3: the shape and the module.
    for (text, wanted) in [
        ("python -c x", "missing_python_module_flag"),
        ("python run.py", "missing_python_module_flag"),
        ("python -m", "missing_module"),
        ("-m python x", "invalid_executable"),
        ("python x -m src.testing.run_replay_evidence_check", "missing_python_module_flag"),
        ("python -m src.testing.run_replay_evidence_check.x", "module_not_allowlisted"),
        ("python -m SRC.testing.run_replay_evidence_check", "module_not_allowlisted"),
    ] {
        assert!(allowlist::parse(text).reasons.iter().any(|reason| reason == wanted), "{text}");
    }
}

#[test]
fn the_words_of_a_gate_are_those_of_the_rendered_command_and_of_the_allowlist() {
    let with_words = |words: serde_json::Value| {
        let mut records = trail(13);
        alter(&mut records, GATE, "read_only_argv", words);
        records
    };
    let said = refused(
        "read-only",
        with_words(json!(["sh", "-c", "touch X"])),
        &BOTH,
        &[
            "read_only_argv_must_use_python_module_mode",
            "invalid_executable",
            "rendered_command_text_mismatch",
            "security_validation_failed:real_execution_read_only_readiness_gate",
        ],
    );
    assert!(said.iter().any(|reason| reason.starts_with("readiness_not_passed:")), "{said:?}");
    let good = trail(13);
    let words = good[place(&good, GATE)].get("read_only_argv").cloned().expect("words");
    let altered = |place: usize, word: &str| {
        let mut words = words.clone();
        words[place] = word.into();
        with_words(words)
    };
    refused("read-only", altered(4, "s1 --db-path other"), &BOTH, &["invalid_value:--scenario-id", "rendered_command_text_mismatch"]);
    refused("read-only", altered(8, "another-directive"), &BOTH, &["rendered_command_text_mismatch"]);
    refused("read-only", altered(10, "patient"), &BOTH, &["rendered_command_text_mismatch"]);
    refused("read-only", altered(10, "fast"), &BOTH, &["read_only_timeout_profile_not_allowlisted"]);
    refused("read-only", altered(6, "TRADE"), &BOTH, &["read_only_action_not_allowlisted", "action_not_allowlisted"]);
    let mut twice = words.clone();
    twice.as_array_mut().expect("a list").extend([json!("--scenario-id"), json!("s2")]);
    refused("read-only", with_words(twice), &BOTH, &["duplicate_flag:--scenario-id"]);
    refused("read-only", with_words(json!([])), &BOTH, &["read_only_argv_not_observed"]);
}

#[test]
fn a_rendered_command_that_is_not_there_or_was_changed_starts_nothing() {
    let mut records = trail(13);
    alter(&mut records, GATE, "rendered_command_id", "nowhere");
    refused("read-only", records, &BOTH, &["rendered_command_not_found", "lineage_orphaned:rendered_command"]);
    // The same key, a later operation, another text.
    let mut records = trail(13);
    let mut edited = records[place(&records, "rendered_command")].clone();
    edited.set("command", edited.text("command").replace("--directive-id ", "--directive-id other-"));
    records.push(edited.clone());
    refused("read-only", records, &BOTH, &["rendered_command_text_mismatch"]);
    // The same id under another key: both are its ancestors, and they disagree.
    let mut records = trail(13);
    edited.set("gid", "another-key");
    records.push(edited);
    refused("read-only", records, &BOTH, &["rendered_command_text_mismatch"]);
}

#[test]
fn no_link_of_the_chain_may_be_missing_or_of_another_proposal() {
    let whole = trail(25);
    let ancestors: Vec<_> = whole.iter().map(|record| record.record_type().trim_start_matches(T).to_owned()).collect();
    let leaves = ["mock_execution_summary", "rendered_command_result", "execution_eligibility", "execution_result", "execution_attempt"];
    let mut tried = 0;
    for short in ancestors.iter().filter(|short| !leaves.contains(&short.as_str()) && *short != "real_execution_repair_readiness_gate") {
        let mut without = whole.clone();
        without.remove(place(&whole, short));
        refused("repair", without, &REPAIR, &[&format!("lineage_orphaned:{short}")]);
        let mut other = whole.clone();
        alter(&mut other, short, "proposal_id", "another-proposal");
        let said = refused("repair", other, &REPAIR, &[]);
        let mismatched = said.contains(&format!("lineage_status_mismatch:{short}"));
        // A proposal under another id is no proposal of this trail at all.
        assert!(mismatched || said.contains("lineage_orphaned:proposal"), "{short}: {said:?}");
        tried += 1;
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn targets_and_statuses_agree_up_the_chain() {
    let with_target = |target: &str| {
        let mut records = trail(25);
        let gate = place(&records, "real_execution_repair_readiness_gate");
        let mut targets = records[gate].get("source_repair_dry_run_targets").cloned().expect("targets");
        targets[0] = target.into();
        alter(&mut records, "real_execution_repair_readiness_gate", "source_repair_dry_run_targets", targets);
        records
    };
    refused("repair", with_target("x; touch X"), &REPAIR, &["lineage_status_mismatch:real_execution_repair_dry_run_envelope"]);
    for (short, field, value, wanted) in [
        ("real_execution_approval_transition", "to_status", "rejected", "lineage_status_mismatch:real_execution_approval_transition"),
        ("real_execution_read_only_approval_transition", "to_status", "rejected", "approval_superseded"),
        ("real_execution_read_only_readiness_gate", "gate_status", "blocked", "read_only_readiness_gate_not_ready_blocked"),
        ("real_execution_read_only_promotion", "promotion_status", "blocked", "lineage_status_mismatch:real_execution_read_only_promotion"),
    ] {
        let mut records = trail(13);
        alter(&mut records, short, field, value);
        refused("read-only", records, &BOTH, &[wanted]);
    }
    let mut records = trail(13);
    alter(&mut records, "real_execution_dry_run_envelope", "argv", json!(["python"]));
    refused(
        "read-only",
        records,
        &BOTH,
        &["security_validation_failed:real_execution_dry_run_envelope", "lineage_status_mismatch:real_execution_dry_run_envelope"],
    );
}

#[test]
fn a_later_rejection_supersedes_an_approval() {
    for (short, steps, command, flags) in [
        ("real_execution_approval_transition", 13, "read-only", &BOTH[..]),
        ("real_execution_read_only_approval_transition", 13, "read-only", &BOTH[..]),
        ("real_execution_repair_approval_transition", 25, "repair", &REPAIR[..]),
    ] {
        let mut records = trail(steps);
        let mut rejected = records[place(&records, short)].clone();
        rejected.set("to_status", "rejected");
        rejected.set("gid", "later");
        rejected.set(&format!("{short}_id"), "another-transition");
        records.push(rejected);
        let said = refused(command, records, flags, &["approval_superseded"]);
        if command == "read-only" {
            assert!(said.iter().any(|reason| reason.ends_with("_single_decision")), "{said:?}");
        }
    }
}

#[test]
fn readiness_is_computed_now_and_not_believed() {
    let mut records = trail(13);
    let saved =
        landfall::ledger::Record::new("controlled_execution_readiness_report").with("status", "passed").with("proposal_id", "proposal-1");
    records.push(saved);
    let mut harmed = records[place(&records, "real_execution_preflight")].clone();
    harmed.set("execution_performed", true);
    harmed.set("gid", "later");
    harmed.set("real_execution_preflight_id", "another-preflight");
    records.push(harmed);
    refused("read-only", records, &BOTH, &["readiness_not_passed:real_preflight_does_not_execute"]);
    // P9: no adapter's answer.
    let mut records = trail(13);
    alter(&mut records, "controlled_execution_result", "mock_execution", json!({}));
    refused("read-only", records, &BOTH, &["readiness_not_passed:adapter_contract_observed"]);
}

#[test]
fn an_approval_of_its_own_stands_behind_a_gate() {
    for id in ["", "replay-retry-real-preflight-0000000000000000"] {
        let mut records = trail(7);
        alter(&mut records, "real_execution_dry_run_envelope", "real_execution_approval_id", id);
        refused("noop", records, &[], &["lineage_orphaned:real_execution_approval"]);
    }
    // Approved, and nobody made the transition: there is nothing to build a gate from.
    let mut records = trail(4);
    alter(&mut records, "real_execution_approval", "approval_status", "approved");
    assert!(unbuilt("real_execution_final_gate", records.clone()).is_empty());
    let said = unbuilt("real_execution_approval_transition", records);
    assert!(said.contains("lineage_status_mismatch:real_execution_approval"), "{said:?}");
    let mut ledger = ledger_of(trail(4));
    assert_eq!(crate::scene::built("real_execution_approval_transition", &mut ledger, &[]).published.len(), 1, "the positive control");
}

#[test]
fn what_nobody_knows_in_a_record_is_ignored_in_bounded_time() {
    let mut records = trail(7);
    let envelope = place(&records, "real_execution_dry_run_envelope");
    for number in 0..10_000 {
        records[envelope].set(&format!("unknown_{number}"), number);
    }
    let mut nested = json!(1);
    for _ in 0..64 {
        nested = json!([nested]);
    }
    records[envelope].set("nested", nested);
    records[envelope].set("long", "x".repeat(100_000));
    runs_once("noop", records, &[]);
}
