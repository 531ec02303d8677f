//! `subprocess-threats.md`, line by line: which tests hold a line, and the lines that have no better place.
//!
//! Longer than most files, for the table of lines.

use crate::binary::{DB, folder_of, landfall, records_of, said};
use crate::scene::{BOTH, Tripwire, alter, ledger_of, place, refused, runs_once, trail, unbuilt};
use landfall::execution::harness::reply::NOOP_MARKER;
use landfall::ledger::{Ledger, MemoryLedger, Record};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

const GATE: &str = "real_execution_read_only_readiness_gate";
const ENVELOPE: &str = "real_execution_dry_run_envelope";

/// Each line of the checklist, by its place below its heading, and the tests that hold it.
const LINES: &[(&str, &[&[&str]])] = &[
    (
        "proof",
        &[
            &["refused", "assert_untouched"],
            &["unharmed_trails_run_once_each", "runs_once"],
            &["all_refusals_are_named_sorted_and_once", "each_flag_of_a_runner_is_needed"],
            &["refused"],
        ],
    ),
    (
        "T1",
        &[
            &["a_command_that_a_shell_would_act_on_gives_no_envelope_and_no_result_that_is_allowlisted"],
            &["a_command_that_a_shell_would_act_on_gives_no_envelope_and_no_result_that_is_allowlisted"],
            &["the_words_of_a_gate_are_those_of_the_rendered_command_and_of_the_allowlist"],
            &["the_words_of_a_gate_are_those_of_the_rendered_command_and_of_the_allowlist"],
            &["the_words_of_a_gate_are_those_of_the_rendered_command_and_of_the_allowlist"],
            &["targets_and_statuses_agree_up_the_chain"],
            &["processes_are_made_in_one_place", "no_shell_is_named_and_no_program_is_a_literal"],
        ],
    ),
    (
        "T2",
        &[
            &["a_database_outside_the_workspace_starts_nothing"],
            &["a_recorded_folder_that_climbs_is_refused_and_any_other_is_ignored"],
            &["a_recorded_folder_that_climbs_is_refused_and_any_other_is_ignored", "each_of_the_five_reports_the_fixed_folder"],
            &["a_root_that_is_not_fit_is_refused_and_nothing_runs", "a_cap_is_lowered_and_never_raised_and_a_folder_is_the_configured_one"],
            &["planted_programs_are_passed_by"],
        ],
    ),
    (
        "T3",
        &[
            &["each_of_the_five_sees_only_the_allowed_keys"],
            &["an_envelope_with_a_secret_key_or_with_values_is_refused_here_and_later"],
            &["an_envelope_with_a_secret_key_or_with_values_is_refused_here_and_later"],
            &[
                "a_child_has_three_streams_and_no_other_open_file",
                "standard_input_is_empty_and_the_streams_are_no_terminal",
                "the_terminal_of_the_parent_is_none_of_the_childs_streams",
            ],
        ],
    ),
    (
        "T4",
        &[
            &["a_child_that_sleeps_past_its_cap_is_killed_with_all_that_it_started", "a_run_that_goes_wrong_is_recorded_as_what_it_was"],
            &["a_grandchild_that_keeps_the_output_open_does_not_hold_the_runner_up"],
            &["a_child_that_ignores_the_polite_signals_is_killed_hard"],
            &[
                "a_timeout_that_is_none_starts_nothing",
                "bad_arguments_are_usage_and_publish_nothing",
                "a_cap_is_lowered_and_never_raised_and_a_folder_is_the_configured_one",
            ],
            &["the_words_of_a_gate_are_those_of_the_rendered_command_and_of_the_allowlist", "a_gate_without_a_profile_starts_nothing"],
        ],
    ),
    (
        "T5",
        &[
            &["a_hundred_megabytes_are_cut_off_on_either_stream", "output_without_end_on_both_streams_is_recorded_as_cut_off"],
            &["the_last_4000_characters_are_kept", "a_run_that_goes_wrong_is_recorded_as_what_it_was"],
            &["a_full_standard_error_does_not_stop_the_child"],
            &["whatever_is_written_is_text_in_a_record"],
            &["the_marker_is_looked_for_before_the_output_is_cut"],
            &["every_recorded_output_is_held_to_its_cap"],
        ],
    ),
    (
        "T6",
        &[
            &["a_rendered_command_that_is_not_there_or_was_changed_starts_nothing"],
            &["the_words_of_a_gate_are_those_of_the_rendered_command_and_of_the_allowlist"],
            &["no_link_of_the_chain_may_be_missing_or_of_another_proposal"],
            &["no_link_of_the_chain_may_be_missing_or_of_another_proposal"],
            &["an_envelope_whose_words_are_not_its_command_is_refused"],
            &["a_rendered_command_that_is_not_there_or_was_changed_starts_nothing"],
        ],
    ),
    (
        "T7",
        &[
            &["a_later_rejection_supersedes_an_approval"],
            &["readiness_is_computed_now_and_not_believed"],
            &["readiness_is_computed_now_and_not_believed"],
            &["unharmed_trails_run_once_each"],
            &["targets_and_statuses_agree_up_the_chain"],
        ],
    ),
    (
        "T8",
        &[
            &["a_controlled_run_is_rejected_whatever_is_asked_for", "no_command_starts_a_process"],
            &["a_controlled_run_is_rejected_whatever_is_asked_for", "no_command_starts_a_process"],
            &["each_flag_of_a_runner_is_needed"],
            &["each_flag_of_a_runner_is_needed"],
            &["a_pending_approval_has_no_gate_and_a_made_up_one_is_refused"],
            &["each_flag_of_a_runner_is_needed"],
            &["a_controlled_run_is_rejected_whatever_is_asked_for"],
            &["a_flag_that_is_a_text_or_a_number_authorises_nothing"],
        ],
    ),
    (
        "T9",
        &[
            &["before_after_result_name_the_same_source_and_words"],
            &[
                "nothing_starts_where_nothing_can_be_written",
                "a_ledger_without_permission_starts_nothing",
                "on_a_full_disk_the_ledger_keeps_what_it_had",
            ],
            &["a_child_that_is_killed_from_outside_is_recorded_as_killed"],
            &[
                "a_runner_that_is_killed_before_any_of_its_writes_leaves_what_it_knew",
                "a_run_that_was_never_ended_is_said_and_not_repeated",
            ],
            &["nothing_starts_where_nothing_can_be_written"],
        ],
    ),
    (
        "T10",
        &[
            &["every_step_of_the_path_is_ready_for_a_mock_and_for_nothing_real"],
            &["each_breach_of_the_adapter_contract_closes_readiness_with_its_own_checks"],
            &["every_fault_of_a_report_has_its_reason"],
            &["only_the_mock_adapter_answers"],
            &["the_golden_path_ends_in_a_closed_loop_and_nothing_real"],
        ],
    ),
    (
        "gates",
        &[
            &["words_that_mean_something_to_a_shell_reach_the_child_unchanged", "processes_are_made_in_one_place"],
            &["a_command_that_a_shell_would_act_on_gives_no_envelope_and_no_result_that_is_allowlisted"],
            &["each_recorded_argument_list_is_held_to_the_allowlist"],
            &["a_root_that_is_not_fit_is_refused_and_nothing_runs"],
            &["each_of_the_five_sees_only_the_allowed_keys"],
            &[
                "caps_come_from_the_program_or_the_approved_profile",
                "the_words_of_a_gate_are_those_of_the_rendered_command_and_of_the_allowlist",
            ],
            &["as_much_as_is_allowed_is_allowed", "a_hundred_megabytes_are_cut_off_on_either_stream"],
            &["every_fault_of_a_report_has_its_reason", "readiness_is_computed_now_and_not_believed"],
            &["readiness_is_computed_now_and_not_believed", "every_fault_of_a_report_has_its_reason"],
            &["an_approval_of_its_own_stands_behind_a_gate"],
            &["each_flag_of_a_runner_is_needed"],
            &["before_after_result_name_the_same_source_and_words"],
            &["only_the_mock_adapter_answers"],
        ],
    ),
    (
        "also",
        &[
            &["the_golden_path_ends_in_a_closed_loop_and_nothing_real"],
            &["what_nobody_knows_in_a_record_is_ignored_in_bounded_time", "a_record_of_ten_megabytes_is_refused_by_name"],
            &["a_capability_without_a_safe_tier_starts_nothing"],
            &["each_refusal_is_json_with_its_reasons_and_exit_1"],
        ],
    ),
];

/// How many lines with a box each part of the checklist has.
fn lines_of(checklist: &str) -> BTreeMap<String, usize> {
    let mut part = "proof".to_owned();
    let mut counts = BTreeMap::new();
    for line in checklist.lines() {
        if let Some(heading) = line.strip_prefix('#').map(|line| line.trim_start_matches('#').trim()) {
            let first = heading.split(' ').next().unwrap_or_default();
            part = match heading {
                "Preflight gates" => "gates".to_owned(),
                "Also worth a test" => "also".to_owned(),
                _ if first.starts_with('T') && first[1..].parse::<u8>().is_ok() => first.to_owned(),
                _ => part,
            };
        }
        if line.starts_with("- [ ]") || line.starts_with("| [ ]") {
            *counts.entry(part.clone()).or_default() += 1;
        }
    }
    counts
}

/// Whether a test, or a helper that asserts for many, of this name is in the sources.
fn is_there(name: &str, sources: &[String]) -> bool {
    sources.iter().any(|source| source.contains(&format!("fn {name}(")))
}

#[test]
fn each_line_of_the_checklist_has_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut sources, mut open) = (Vec::new(), vec![root.join("tests"), root.join("src")]);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).expect("it lists").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests/execution/threats.rs") {
            sources.push(std::fs::read_to_string(&path).expect("it reads"));
        }
    }
    sources.push(include_str!("threats.rs").to_owned());
    let missing: Vec<_> =
        LINES.iter().flat_map(|(_, lines)| lines.iter()).copied().flatten().filter(|name| !is_there(name, &sources)).collect();
    assert!(missing.is_empty(), "no such test: {missing:#?}");
    assert!(!is_there("no_such_test_anywhere", &sources), "the control");
    let held: BTreeMap<_, _> = LINES.iter().map(|(part, lines)| ((*part).to_owned(), lines.len())).collect();
    let Ok(checklist) = std::fs::read_to_string(root.join("../shared/spec/subprocess-threats.md")) else {
        println!("SKIPPED: the checklist is not here; that every line has a test was not compared");
        return;
    };
    assert_eq!(lines_of(&checklist), held);
}

#[test]
fn a_database_outside_the_workspace_starts_nothing() {
    let good = trail(13);
    let words = good[place(&good, GATE)].get("read_only_argv").cloned().expect("words");
    for path in ["/abs.db", "~/x.db", "a/../../x.db", "a\\..\\x.db", "file:x.db", "C:x.db", "a\0b.db"] {
        let mut words = words.clone();
        words[12] = path.into();
        let mut records = good.clone();
        alter(&mut records, GATE, "read_only_argv", words);
        refused("read-only", records, &BOTH, &["unsafe_db_path"]);
    }
    runs_once("read-only", good, &BOTH);
}

#[test]
fn a_gate_without_a_profile_starts_nothing() {
    let mut records = trail(13);
    let mut words = records[place(&records, GATE)].get("read_only_argv").cloned().expect("words");
    let list = words.as_array_mut().expect("a list");
    list.drain(9..11);
    alter(&mut records, GATE, "read_only_argv", words);
    refused("read-only", records, &BOTH, &["read_only_argv_missing_required_arg:--timeout-profile"]);
}

/// The reasons of the envelope's own contract, and what the noop's runner says of a trail with it.
fn with_envelope(field: &str, value: serde_json::Value) -> (Vec<String>, Vec<Record>) {
    let mut records = trail(8);
    alter(&mut records, ENVELOPE, field, value);
    let said = records[place(&records, ENVELOPE)].verdict().reasons;
    (said, records)
}

/// Without the run that came of it.
fn before_the_noop(mut records: Vec<Record>) -> Vec<Record> {
    records.retain(|record| record.record_type() != "execution_attempt" && !record.record_type().ends_with("_noop_result"));
    records
}

#[test]
fn a_recorded_folder_that_climbs_is_refused_and_any_other_is_ignored() {
    let (said, records) = with_envelope("cwd", json!("ws/../.."));
    assert_eq!(said, ["dry_run_envelope_cwd_must_not_traverse"]);
    refused("noop", before_the_noop(records), &[], &["security_validation_failed:real_execution_dry_run_envelope"]);
    for cwd in ["/", "/tmp"] {
        let (said, records) = with_envelope("cwd", json!(cwd));
        assert_eq!(said, [""; 0], "as a record it is accepted");
        let (tripwire, mut ledger) = (Tripwire::saying(&format!("echo {NOOP_MARKER}; pwd")), ledger_of(before_the_noop(records)));
        let report = tripwire.run("noop", &mut ledger, &[]);
        assert_eq!(report.ran[0].result.text("stdout").lines().nth(1), tripwire.root().to_str());
        assert_eq!(tripwire.times(), 1);
    }
}

#[test]
fn an_envelope_with_a_secret_key_or_with_values_is_refused_here_and_later() {
    let values = json!({"PATH": "/bin"});
    for (field, value, wanted) in [
        (
            "env_keys",
            json!(["PATH", "API_TOKEN"]),
            &["dry_run_envelope_env_keys_must_be_allowlisted", "dry_run_envelope_env_keys_must_not_include_secrets"][..],
        ),
        ("env", values, &["dry_run_envelope_must_not_record_env_values"]),
    ] {
        let (said, records) = with_envelope(field, value);
        assert_eq!(said, wanted);
        const HERE: &str = "security_validation_failed:real_execution_dry_run_envelope";
        assert!(unbuilt("real_execution_read_only_promotion", records.clone()).contains(HERE), "{field}");
        refused("noop", before_the_noop(records), &[], &[HERE]);
        let mut later = trail(13);
        let (field, envelope) = (field.to_owned(), place(&later, ENVELOPE));
        later[envelope].set(&field, if field == "env" { json!({"PATH": "/bin"}) } else { json!(["PATH", "API_TOKEN"]) });
        refused("read-only", later, &BOTH, &[HERE]);
    }
    runs_once("noop", before_the_noop(trail(8)), &[]);
}

#[test]
fn an_envelope_whose_words_are_not_its_command_is_refused() {
    let good = trail(8);
    let mut words = good[place(&good, ENVELOPE)].get("argv").cloned().expect("words");
    words[4] = "another-scenario".into();
    let (said, records) = with_envelope("argv", words);
    assert!(said.contains(&"dry_run_envelope_argv_must_match_command".to_owned()), "{said:?}");
    refused("noop", before_the_noop(records), &[], &["security_validation_failed:real_execution_dry_run_envelope"]);
}

#[test]
fn each_recorded_argument_list_is_held_to_the_allowlist() {
    let mut held = Vec::new();
    for record in trail(27) {
        for field in ["argv", "read_only_argv"] {
            if record.get(field).is_none() {
                continue;
            }
            assert!(record.verdict().valid, "{:?}", record.verdict());
            let reasons = record.clone().with(field, json!(["sh", "-c", "touch X"])).verdict().reasons;
            let says = reasons.iter().any(|reason| reason.ends_with("argv_must_match_allowlist"));
            assert!(says, "{} {field}: {reasons:?}", record.record_type());
            held.push(record.record_type().to_owned());
        }
    }
    for part in ["dry_run_envelope", "promotion", "final_gate", "approval", "approval_transition", "readiness_gate", "execution_result"] {
        assert!(held.iter().any(|record_type| record_type.ends_with(part)), "{part} has no argument list: {held:?}");
    }
}

#[test]
fn every_recorded_output_is_held_to_its_cap() {
    let mut held = 0;
    for record in trail(27) {
        for field in ["stdout", "stderr", "post_repair_evidence_stdout", "post_repair_evidence_stderr"] {
            if record.get(field).is_none() || record.record_type().ends_with("summary") {
                continue;
            }
            let says = |length: usize| {
                let reasons = record.clone().with(field, "x".repeat(length)).verdict().reasons;
                reasons.iter().any(|reason| reason.ends_with("_output_exceeds_cap"))
            };
            assert!(says(4001) && !says(4000), "{} {field}", record.record_type());
            held += 1;
        }
    }
    assert_eq!(held, 10, "two streams of each of the five");
}

#[test]
fn output_without_end_on_both_streams_is_recorded_as_cut_off() {
    let ten = "head -c 10000000 /dev/zero | tr '\\0' x";
    for body in [format!("{ten} & {ten} >&2 & wait"), "yes & yes >&2 & wait".to_owned()] {
        let (tripwire, mut ledger) = (Tripwire::saying(&body), ledger_of(trail(25)));
        let report = tripwire.run("repair", &mut ledger, &["allow_guarded_repair_execution"]);
        let result = &report.ran[0].result;
        assert!(result.verdict().valid, "{:?}", result.verdict());
        assert_eq!(result.text("repair_execution_status"), "failed");
        assert_eq!(result.get("output_limit_exceeded"), Some(&json!(true)));
        assert_eq!(result.get("timed_out"), Some(&json!(false)), "it did not hang until its deadline");
        assert_ne!(result.get("exit_code"), Some(&json!(0)));
        for stream in ["stdout", "stderr"] {
            assert!(result.text(stream).chars().count() <= 4000, "{stream}");
        }
        assert!(["stdout_truncated", "stderr_truncated"].iter().any(|flag| result.get(flag) == Some(&json!(true))));
        let next = tripwire.run("post-repair", &mut ledger, &["allow_post_repair_evidence_check"]);
        assert!(next.ran.is_empty() && !next.outcome.refused.is_empty(), "nothing goes on from it");
    }
}

#[test]
fn a_record_of_ten_megabytes_is_refused_by_name() {
    let mut records = trail(7);
    let envelope = place(&records, ENVELOPE);
    let long = records[envelope].clone().with("long", "x".repeat(10 << 20)).with("gid", "long");
    let published = MemoryLedger::new("test").publish(long, &mut landfall::edge::surroundings::Real);
    assert!(published.is_err_and(|error| error.to_string().contains("not published")));
    // As much as a ledger takes is no hindrance, to a builder or to a runner.
    records[envelope].set("long", "x".repeat(900_000));
    let (_folder, root) = folder_of(records);
    let ran = landfall(&root, &format!("loop run noop --json --workspace {}", root.join("ws").display()));
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let built = landfall(&root, "loop build real_execution_read_only_promotion --json");
    assert_eq!(said(&built)["records"], 1);
    assert!(records_of(&root.join(DB)).iter().all(|record| record.record_type().ends_with("envelope") || record.get("long").is_none()));
}

#[test]
fn each_refusal_is_json_with_its_reasons_and_exit_1() {
    let harmed = |short: &str, steps: usize, field: &str, value: serde_json::Value| {
        let mut records = trail(steps);
        alter(&mut records, short, field, value);
        records
    };
    let repair = "repair --allow-guarded-repair-execution";
    for (records, line, reason) in [
        (trail(13), "read-only", "guarded_read_only_execution_flag_required"),
        (trail(13), "read-only --allow-guarded-read-only-execution", "operator_not_authorized"),
        (trail(25), "repair", "guarded_repair_execution_not_allowed"),
        (trail(26), "post-repair", "post_repair_evidence_check_not_allowed"),
        (trail(7), "noop --timeout-seconds 6", "timeout_above_cap"),
        (trail(7), "noop --workspace relative", "cwd_not_allowed"),
        (harmed(ENVELOPE, 7, "argv", json!(["python"])), "noop", "lineage_status_mismatch:real_execution_dry_run_envelope"),
        (harmed("proposal", 25, "proposal_id", json!("other")), repair, "lineage_orphaned:proposal"),
    ] {
        let (_folder, root) = folder_of(records);
        let ran = landfall(&root, &format!("loop run {line} --json"));
        let answer = said(&ran);
        assert_eq!(ran.status.code(), Some(1), "{line}: {answer:#}");
        let reasons: Vec<_> =
            answer["refused"][0]["reasons"].as_array().expect("a list").iter().filter_map(|reason| reason.as_str()).collect();
        assert!(reasons.contains(&reason), "{line}: {reasons:?}");
        let mut sorted = reasons.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(reasons, sorted, "sorted, each once");
        let started = records_of(&root.join(DB)).iter().filter(|record| record.text("phase") == "before").count();
        assert_eq!(started, trail_starts(line), "{line}: nothing was begun");
    }
}

/// How many runs stand in the trail that a runner starts from.
fn trail_starts(line: &str) -> usize {
    match line.split(' ').next().unwrap_or_default() {
        "noop" => 0,
        "read-only" => 1,
        "repair" => 3,
        _ => 4,
    }
}
