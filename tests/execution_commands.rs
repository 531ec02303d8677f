//! Guarded execution with the built binary: the golden path, a runner that is killed, two runners at once.
#![cfg(all(feature = "cli", target_os = "linux"))]
#![expect(clippy::disallowed_methods, reason = "these tests start the built binary")]

use landfall::edge::ledger::LedgerFile;
use landfall::edge::surroundings::Real;
use landfall::ledger::{Ledger, Record, Select};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_landfall"));
    command.args(line.split(' ')).current_dir(folder).env_remove("LANDFALL_LEDGER").stdin(Stdio::null());
    command
}

fn landfall(folder: &Path, line: &str) -> Output {
    command(folder, line).output().expect("the binary starts")
}

fn said(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The ledger of a golden trail, kept in a folder.
const DB: &str = "kept/golden-path.db";

fn records(db: &Path) -> Vec<Record> {
    let ledger = LedgerFile::open_to_read(db).expect("the ledger opens");
    let mut records = Vec::new();
    ledger
        .each(Select { types: &[] }, &mut |entry| {
            records.push(Record::parse(&entry.payload).expect("a record"));
            Ok(())
        })
        .expect("it reads");
    records
}

/// A ledger of some of these records, in a folder with a workspace.
fn ledger_of(folder: &Path, records: impl IntoIterator<Item = Record>) -> PathBuf {
    std::fs::create_dir_all(folder.join("ws")).expect("a folder");
    let db = folder.join("ledger.db");
    let mut ledger = LedgerFile::open(&db, "test").expect("it opens");
    for record in records {
        ledger.publish(record, &mut Real).expect("it is published");
    }
    db
}

fn is(record: &Record, short: &str) -> bool {
    record.record_type() == format!("replay_lifecycle_retry_{short}")
}

/// Everything up to the first record of this type, that one left out.
fn before(records: &[Record], short: &str) -> Vec<Record> {
    let end = records.iter().position(|record| is(record, short)).expect("it is there");
    // The entries of the run itself stand before its result.
    let source = records[end].text("real_execution_dry_run_envelope_id");
    let gate = records[end].text("real_execution_read_only_readiness_gate_id");
    let own =
        |record: &&Record| record.record_type() != "execution_attempt" || ![&source, &gate].contains(&&record.text("source_record_id"));
    records[..end].iter().filter(own).cloned().collect()
}

#[test]
fn the_golden_path_ends_in_a_closed_loop_and_nothing_real() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let walked = landfall(at, "loop smoke golden-path --contour --json --keep kept");
    let report = said(&walked);
    assert!(walked.status.success(), "{report:#}");
    assert_eq!(report["type"], "controlled_retry_guarded_repair_golden_path_report");
    // Each step is told with its signal, from the directive on; the last of the path itself closes the loop.
    let steps = report["steps"].as_array().expect("a list");
    let step =
        |number: usize| format!("{} {}", steps[number]["record"].as_str().unwrap_or(""), steps[number]["signal"].as_str().unwrap_or(""));
    assert_eq!(steps.len(), 13 + 26 + 13);
    assert_eq!(
        (0..13).map(step).collect::<Vec<_>>(),
        [
            "swarm_directive status=issued",
            "swarm_directive_result status=applied",
            "evidence_record status=passed",
            "memory_record status=passed",
            "simulation_replay_scenario status=pending",
            "replay_evidence_lifecycle_result status=failed failure_reason=execution_not_observed_before_timeout",
            "proposal status=pending",
            "approval status=approved",
            "plan status=planned",
            "rendered_command status=rendered",
            "rendered_command_result status=skipped",
            "eligibility status=blocked",
            "result status=skipped",
        ]
    );
    let closed = "post_repair_status=passed post_repair_evidence_exit_code=0 recommended_next_action=close_repair_loop";
    assert_eq!(step(13 + 26 - 1), format!("post_repair_evidence_check {closed}"));
    let err = String::from_utf8_lossy(&walked.stderr);
    let told: Vec<_> = err.lines().filter(|line| line.starts_with("step=")).collect();
    assert_eq!(told.len(), steps.len());
    for (number, line) in told.iter().enumerate() {
        assert_eq!(*line, format!("step={} {}", number + 1, step(number)));
        assert_eq!(steps[number]["passed"], true);
    }
    for (key, value) in [
        ("status", json!("passed")),
        ("post_repair_status", json!("passed")),
        ("repair_outcome_verified", json!(true)),
        ("recommended_next_action", json!("close_repair_loop")),
        ("ready_for_real_execution", json!(false)),
        ("real_execution_enabled", json!(false)),
        ("failed_check_count", json!(0)),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    let records = records(&at.join(DB));
    let only = |short: &str| {
        let found: Vec<_> = records.iter().filter(|record| is(record, short)).collect();
        assert_eq!(found.len(), 1, "{short}");
        found[0]
    };
    let evidence = only("post_repair_evidence_check");
    assert_eq!(evidence.get("repair_targets_expected_count"), Some(&json!(9)));
    assert_eq!(evidence.get("repair_targets_verified_count"), Some(&json!(9)));
    assert_eq!((evidence.get("repair_targets_missing"), evidence.get("repair_targets_unexpected")), (Some(&json!([])), Some(&json!([]))));
    let read_only = only("real_execution_read_only_execution_result");
    assert_eq!((read_only.text("status").as_str(), read_only.get("exit_code")), ("failed", Some(&json!(1))), "an honest failure");
    assert_eq!(read_only.get("timed_out"), Some(&json!(false)));
    assert_eq!(only("real_execution_read_only_repair_plan").get("repair_item_count"), Some(&json!(9)));
    for flag in ["real_execution_enabled", "ready_for_real_execution"] {
        assert!(records.iter().all(|record| !record.is_set(flag)), "{flag}");
    }
    // The retry is of the very experience that the path begins with.
    let of_type = |name: &str| records.iter().find(|record| record.record_type() == name).expect("it is there");
    let memory = of_type("memory_record");
    assert_eq!(memory.linked("directive_id"), of_type("swarm_directive").text("directive_id"));
    let scenario = of_type("simulation_replay_scenario");
    assert_eq!(scenario.text("memory_id"), memory.text("memory_id"));
    assert_eq!(of_type("replay_evidence_lifecycle_result").text("scenario_id"), scenario.text("scenario_id"));
    assert_eq!(only("rendered_command").text("scenario_id"), scenario.text("scenario_id"));
    assert_eq!(only("proposal").text("reason"), "execution_not_observed_before_timeout");
    // The contour ends shut: seen, denied, and nothing of it done.
    let last = only("real_execution_sandbox_rendered_command_validation_scaffold");
    assert_eq!(last.text("sandbox_rendered_command_validation_scaffold_status"), "blocked");
    for (field, value) in [
        ("scaffold_exists", true),
        ("scaffold_fail_closed", true),
        ("scaffold_deny_by_default", true),
        ("performed", false),
        ("passed", false),
        ("failed", false),
    ] {
        assert_eq!(last.get(&format!("sandbox_rendered_command_validation_{field}")), Some(&json!(value)), "{field}");
    }
    assert_eq!(
        records.iter().filter(|record| record.record_type() == "execution_attempt").count(),
        10,
        "two entries for each of five runs"
    );
    // Readiness, inspector, Security and brief agree.
    let readiness = landfall(at, &format!("loop readiness execution --json --db-path {DB}"));
    assert!(readiness.status.success());
    let readiness = said(&readiness);
    assert_eq!(readiness["ready_for_real_execution"], false);
    assert_eq!(readiness["schema_validation"]["valid"], true);
    let inspected = said(&landfall(at, &format!("loop inspect --json --require-sound --db-path {DB}")));
    let metrics = said(&landfall(at, &format!("loop metrics --json --db-path {DB}")));
    let brief = said(&landfall(at, &format!("loop brief --json --db-path {DB}")));
    assert_eq!(inspected["extended_controlled_execution_observed"], true);
    assert_eq!(inspected["real_final_gate_orphans"], 0);
    assert_eq!(inspected["chain_sound"], true);
    assert_eq!(inspected.get("execution_attempts_left_open"), None);
    assert_eq!(inspected["real_final_gate_linkage_complete"], true);
    assert_eq!(metrics["security_validation_invalid_records"], 0);
    let mut types = 0;
    for record in records.iter().filter(|record| record.record_type().starts_with("replay_lifecycle_retry_")) {
        assert_eq!(metrics["security_validation_record_type_counts"][record.record_type()], 1, "{}", record.record_type());
        types += 1;
    }
    assert_eq!(types, 7 + 40);
    assert_eq!(brief["key_metrics"]["security_real_execution_sandbox_rendered_command_validation_scaffolds"], 1);
    assert_eq!(brief["key_metrics"]["security_real_adapter_supported"], 0);
    let recommended = |action: &Json| action["payload"]["recommendation"] == "close_repair_loop";
    assert!(brief["recommended_actions"].as_array().expect("a list").iter().any(recommended));
    assert!(brief["summary"].as_str().expect("a text").contains("The real execution preflight remains blocked."));
    assert!(landfall(at, &format!("loop observe controlled --db-path {DB}")).status.success());
    let families = records.iter().filter_map(|record| record.record_type().strip_prefix("replay_lifecycle_retry_real_execution_sandbox_"));
    let families: Vec<_> = families.collect();
    assert_eq!(families.len(), 10);
    for family in families {
        let observed = landfall(at, &format!("loop observe sandbox_{family} --json --db-path {DB}"));
        assert!(observed.status.success(), "{family}: {}", said(&observed)["failed_checks"]);
    }
    // A finished trail is verified, and nothing is published; another proposal has none.
    let verified = landfall(at, &format!("loop smoke golden-path --db-path {DB}"));
    assert!(verified.status.success());
    assert_eq!(landfall(at, &format!("loop smoke golden-path --proposal-id other --db-path {DB}")).status.code(), Some(1));
    assert_eq!(landfall(at, &format!("loop smoke golden-path --proposal-id other --no-fail --db-path {DB}")).status.code(), Some(0));
    assert_eq!(landfall(at, "loop smoke golden-path --keep kept").status.code(), Some(2), "it begins on an empty ledger");
    assert_eq!(self::records(&at.join(DB)), records);
    // A second run of every builder and runner changes nothing.
    for again in ["build real_execution_final_gate", "build real_execution_sandbox_rendered_command_validation_scaffold"] {
        assert!(landfall(at, &format!("loop {again} --db-path {DB}")).status.success());
    }
    assert_eq!(landfall(at, &format!("loop run noop --db-path {DB}")).status.code(), Some(1), "nothing was started");
    assert_eq!(self::records(&at.join(DB)).len(), records.len());

    // Two at once: one run.
    let two = at.join("two");
    let db = ledger_of(&two, before(&records, "real_execution_noop_result"));
    let line = format!("loop run noop --db-path ledger.db --workspace {}", two.canonicalize().expect("it is there").join("ws").display());
    let children: Vec<Child> =
        (0..2).map(|_| command(&two, &line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")).collect();
    let mut codes: Vec<_> = children.into_iter().map(|mut child| child.wait().expect("it ends").code()).collect();
    codes.sort();
    assert_eq!(codes, [Some(0), Some(1)]);
    let made = self::records(&db);
    assert_eq!(made.iter().filter(|record| is(record, "real_execution_noop_result")).count(), 1);

    // Killed while it runs: an open attempt that reads as no success, and does not run again by itself.
    let killed = at.join("killed");
    let db = ledger_of(&killed, before(&records, "real_execution_read_only_execution_result"));
    let flags = "--operator-authorized --allow-guarded-read-only-execution";
    let workspace = killed.canonicalize().expect("it is there").join("ws");
    let line = format!("loop run read-only {flags} --json --db-path ledger.db --workspace {}", workspace.display());
    let mut runner = command(&killed, &line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let begun = |record: &Record| record.record_type() == "execution_attempt" && record.text("runner") == "run_guarded_read_only_execution";
    let until = Instant::now() + Duration::from_secs(60);
    while !self::records(&db).iter().any(begun) {
        assert!(Instant::now() < until, "the runner never began");
        std::thread::sleep(Duration::from_millis(50));
    }
    runner.kill().expect("it is killed");
    runner.wait().expect("it ends");
    let made = self::records(&db);
    assert!(made.iter().all(|record| !is(record, "real_execution_read_only_execution_result")));
    let readiness = landfall(&killed, "loop readiness execution --json --db-path ledger.db");
    assert_eq!(readiness.status.code(), Some(1));
    assert!(said(&readiness)["blocking_reasons"].to_string().contains("execution_attempt_left_open"));
    let again = landfall(&killed, &line);
    assert_eq!(again.status.code(), Some(1));
    let refused = said(&again);
    assert!(refused["refused"][0]["reasons"].to_string().contains("execution_attempt_left_open"), "{refused:#}");
    assert_eq!(self::records(&db).len(), made.len());
}

#[test]
fn bad_arguments_are_usage_and_publish_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for line in [
        "loop run noop --timeout-seconds 0",
        "loop run noop --timeout-seconds -1",
        "loop run noop --timeout-seconds NaN",
        "loop run noop --timeout-seconds inf",
        "loop build real_execution_approval --approval-status maybe",
        "loop build real_execution_approval_transition --to-status pending",
        "loop build no_such_type",
        "loop observe sandbox_no_such_family",
    ] {
        assert_eq!(landfall(folder.path(), line).status.code(), Some(2), "{line}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("it lists").count(), 0);
}
