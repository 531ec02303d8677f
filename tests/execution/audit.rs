//! What is written before and after a start, and what a run leaves when it goes wrong: T9, and T4 and T5 in records.

use crate::scene::{BOTH, Tripwire, ledger_of, place, reasons, records, refused, runs_once, trail};
use landfall::execution::harness::reply::NOOP_MARKER;
use landfall::ledger::{Entry, Ledger, LedgerError, MemoryLedger, Record, Select, Surroundings};
use serde_json::json;

/// The records of the attempts and of the noop, in ledger order.
fn noop_records(ledger: &dyn Ledger) -> Vec<Record> {
    let noop = |record: &Record| record.record_type() == "execution_attempt" || record.record_type().ends_with("_execution_noop_result");
    records(ledger).into_iter().filter(noop).collect()
}

#[test]
fn before_after_result_name_the_same_source_and_words() {
    let (tripwire, mut ledger) = (Tripwire::saying(&format!("echo {NOOP_MARKER}")), ledger_of(trail(7)));
    let report = tripwire.run("noop", &mut ledger, &[]);
    assert!(report.passed(), "{report:?}");
    let written = noop_records(&ledger);
    let [before, after, result] = written.as_slice() else { panic!("{written:?}") };
    assert_eq!((before.text("phase"), after.text("phase")), ("before".to_owned(), "after".to_owned()));
    for entry in [before, after] {
        assert!(entry.verdict().valid, "{:?}", entry.verdict());
        assert_eq!(entry.text("source_record_id"), result.text("real_execution_dry_run_envelope_id"));
        assert_eq!(entry.text("argv_digest"), result.text("argv_digest"));
        assert_eq!(entry.text("runner"), "run_real_execution_noop_harness");
    }
    assert_eq!(after.get("exit_code"), Some(&json!(0)));
    assert_eq!(after.text("result_record_id"), result.text("real_execution_noop_result_id"));
    assert!(result.verdict().valid);
    assert!(result.get("confinement.requested").is_some() && result.get("confinement.enforced").is_some());
    assert_eq!(result.get("real_execution_enabled"), Some(&json!(false)));
}

/// A ledger that fails to publish one type.
struct Failing(MemoryLedger, &'static str);

impl Ledger for Failing {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        if record.record_type() == self.1 {
            return Err(LedgerError::Storage("the disk is full".to_owned()));
        }
        self.0.publish(record, around)
    }

    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        if record.record_type() == self.1 {
            return Err(LedgerError::Storage("the disk is full".to_owned()));
        }
        self.0.publish_unless(record, same, around)
    }

    fn each(&self, select: Select<'_>, seen: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        self.0.each(select, seen)
    }

    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError> {
        self.0.find(record_type, field, said)
    }

    fn refresh(&mut self) -> Result<u64, LedgerError> {
        self.0.refresh()
    }
}

#[test]
fn nothing_starts_where_nothing_can_be_written() {
    let tripwire = Tripwire::new();
    let mut ledger = Failing(ledger_of(trail(7)), "execution_attempt");
    let report = tripwire.run("noop", &mut ledger, &[]);
    assert!(reasons(&report.outcome).contains("audit_record_not_writable") && !report.passed());
    assert_eq!(tripwire.times(), 0);
    // A result that cannot be written leaves the entry behind it, which tells the exit code; and no second run.
    let mut ledger = Failing(ledger_of(trail(7)), "replay_lifecycle_retry_real_execution_noop_result");
    let report = tripwire.run("noop", &mut ledger, &[]);
    assert!(!report.passed() && report.ran.len() == 1 && report.outcome.published.is_empty());
    let written = noop_records(&ledger);
    assert_eq!(written.iter().map(|record| record.text("phase")).collect::<Vec<_>>(), ["before", "after"]);
    assert_eq!(written[1].get("exit_code"), Some(&json!(0)));
    let again = tripwire.run("noop", &mut ledger, &[]);
    assert!(reasons(&again.outcome).contains("execution_attempt_without_result"));
    assert_eq!(tripwire.times(), 1);
}

#[test]
fn a_run_that_was_never_ended_is_said_and_not_repeated() {
    let (tripwire, mut ledger) = (Tripwire::new(), ledger_of(trail(7)));
    tripwire.run("noop", &mut ledger, &[]);
    let mut open = records(&ledger);
    open.retain(|record| record.text("phase") != "after" && !record.record_type().ends_with("_execution_noop_result"));
    drop(tripwire);
    refused("noop", open, &[], &["execution_attempt_left_open"]);
    runs_once("noop", trail(7), &[]);
}

#[test]
fn a_run_that_goes_wrong_is_recorded_as_what_it_was() {
    let ran = |body: &str, timeout| {
        let (tripwire, mut ledger) = (Tripwire::saying(body), ledger_of(trail(7)));
        let policy = landfall::execution::tier::Policy::shipped();
        let report = tripwire.run_with("noop", &mut ledger, &[], &policy, timeout);
        assert_eq!(tripwire.times(), 1);
        assert!(!report.passed(), "a noop that is none has no valid record");
        let written = noop_records(&ledger);
        assert_eq!(written.len(), 3, "before, after and the record of it");
        assert_eq!(written[1].get("exit_code"), written[2].get("exit_code"));
        written[2].clone()
    };
    let killed = ran("kill -9 $$", None);
    assert_eq!(killed.get("exit_code"), Some(&json!(137)));
    let slow = ran("sleep 30", Some(1.0));
    assert_eq!((slow.get("exit_code"), slow.get("timed_out")), (Some(&json!(124)), Some(&json!(true))));
    let loud = ran(&format!("echo {NOOP_MARKER}; head -c 5001 /dev/zero | tr '\\0' x"), None);
    assert_eq!(loud.text("stdout").chars().count(), 4000);
    assert_eq!(loud.get("stdout_truncated"), Some(&json!(true)));
    let quiet = ran("exit 0", None);
    assert!(quiet.verdict().reasons.contains(&"noop_result_stdout_must_contain_marker".to_owned()));
}

#[test]
fn a_program_that_is_not_there_leaves_a_closed_attempt_and_can_be_tried_again() {
    let (tripwire, mut ledger) = (Tripwire::new(), ledger_of(trail(7)));
    let program = tripwire.root().parent().expect("a folder").join("tripwire");
    let hidden = program.with_extension("hidden");
    std::fs::rename(&program, &hidden).expect("it moves");
    let report = tripwire.run("noop", &mut ledger, &[]);
    assert!(reasons(&report.outcome).contains("program_not_allowed"), "{report:?}");
    let written = noop_records(&ledger);
    assert_eq!(written.iter().map(|record| record.text("result_record_id")).collect::<Vec<_>>(), ["", "not_started"]);
    std::fs::rename(&hidden, &program).expect("it moves back");
    tripwire.run("noop", &mut ledger, &[]);
    assert_eq!(tripwire.times(), 1);
}

#[test]
fn a_cap_is_lowered_and_never_raised_and_a_folder_is_the_configured_one() {
    let (tripwire, mut ledger) = (Tripwire::new(), ledger_of(trail(7)));
    let policy = landfall::execution::tier::Policy::shipped();
    for timeout in [5.1, 1e9] {
        let report = tripwire.run_with("noop", &mut ledger, &[], &policy, Some(timeout));
        assert!(reasons(&report.outcome).contains("timeout_above_cap"), "{report:?}");
    }
    std::fs::remove_dir(tripwire.root()).unwrap_or_else(|error| panic!("{error}"));
    let report = tripwire.run_with("noop", &mut ledger, &[], &policy, None);
    assert!(reasons(&report.outcome).contains("cwd_not_allowed"), "{report:?}");
    assert_eq!(tripwire.times(), 0);
}

#[test]
fn a_good_read_only_run_is_executed_and_a_bad_one_failed() {
    for (body, status, next) in [("exit 0", "executed", "successful"), ("exit 3", "failed", "actionable")] {
        let (tripwire, mut ledger) = (Tripwire::saying(body), ledger_of(trail(13)));
        let report = tripwire.run("read-only", &mut ledger, &BOTH);
        assert!(report.passed(), "a failed run is an outcome too: {report:?}");
        assert_eq!(report.ran[0].result.text("status"), status);
        assert_eq!(report.ran[0].result.get("real_execution_enabled"), Some(&json!(false)));
        let feedback = crate::scene::built("real_execution_read_only_feedback", &mut ledger, &[]);
        assert_eq!(feedback.published.len(), 1, "{feedback:?}");
        assert_eq!(feedback.published[0].text("feedback_status"), next);
    }
}

#[test]
fn a_repair_that_names_other_targets_is_none() {
    for body in [
        "echo guarded-repair-execution-ok; echo '[]'",
        "echo guarded-repair-execution-ok; echo '[{\"target\":\"directive_seeded\",\"status\":\"completed\"}]'",
        "echo guarded-repair-execution-ok",
        "exit 1",
    ] {
        let (tripwire, mut ledger) = (Tripwire::saying(body), ledger_of(trail(25)));
        let report = tripwire.run("repair", &mut ledger, &["allow_guarded_repair_execution"]);
        let result = &report.ran[0].result;
        assert_eq!(result.text("repair_execution_status"), "failed", "{body}");
        assert!(result.verdict().valid, "{:?}", result.verdict());
        assert!(crate::scene::unbuilt("real_execution_adapter_contract", records(&ledger)).is_empty());
    }
    let whole = trail(26);
    assert_eq!(
        whole[place(&whole, "guarded_repair_execution_result")].text("repair_execution_status"),
        "succeeded",
        "the positive control"
    );
}
