//! A ledger some of whose rows do not read: one of them may be the rejection that nobody saw. Nothing is built from such
//! a ledger, nothing is started, and nothing passes.

use crate::binary::{DB, folder_of, landfall, records_of, said};
use crate::scene::{PROPOSAL, Tripwire, reasons, trail};
use landfall::edge::ledger::LedgerFile;
use std::path::{Path, PathBuf};

const REASON: &str = "ledger_rows_unreadable";

/// A rejection with one byte too few, as a bad disk or a bad writer leaves it.
fn harm(db: &Path) {
    let torn = r#"{"type":"replay_lifecycle_retry_approval","status":"rejected","proposal_id":"proposal-1""#;
    let edit = "INSERT INTO ops VALUES ('torn', 'n', 100000, 'upsert', 'torn', ?1, 1.0)";
    assert_eq!(rusqlite::Connection::open(db).expect("it opens").execute(edit, [torn]).expect("it edits"), 1);
}

/// The folder of a trail up to a step, unharmed or harmed.
fn folder(steps: usize, harmed: bool) -> (tempfile::TempDir, PathBuf) {
    let (folder, root) = folder_of(trail(steps));
    if harmed {
        harm(&root.join(DB));
    }
    (folder, root)
}

#[test]
fn nothing_is_built_and_the_reason_is_named() {
    for (steps, line) in [
        (1, "loop run controlled --allow-controlled-execution --mock-execution --json"),
        (2, "loop build real_execution_preflight --allow-missing-real-execution-request --json"),
        (4, "loop build real_execution_approval_transition --json"),
        (7, "loop run noop --json"),
        (13, "loop run read-only --operator-authorized --allow-guarded-read-only-execution --timeout-seconds 1 --json"),
        (27, "loop build real_execution_adapter_contract --json"),
    ] {
        for harmed in [false, true] {
            let (_folder, root) = folder(steps, harmed);
            let before = records_of(&root.join(DB)).len();
            let line = if line.starts_with("loop run") && !line.contains("controlled") {
                format!("{line} --workspace {}", root.join("ws").display())
            } else {
                line.to_owned()
            };
            let ran = landfall(&root, &line);
            let answer = said(&ran);
            assert_eq!(ran.status.code(), Some(i32::from(harmed)), "{line}: {answer:#}");
            assert_eq!(answer["refused"].to_string().contains(REASON), harmed, "{line}: {answer:#}");
            let after = records_of(&root.join(DB));
            if harmed {
                // The read-only runner records each of its refusals; it is the only one.
                let refusals = usize::from(line.contains("read-only"));
                assert_eq!(after.len(), before + refusals, "{line}");
                assert!(after.iter().filter(|record| record.text("phase") == "before").count() <= usize::from(steps >= 8) * 5);
            } else {
                assert!(after.len() > before, "{line}: the positive control");
            }
        }
    }
}

#[test]
fn a_retry_is_not_planned_past_a_decision_that_does_not_read() {
    for harmed in [false, true] {
        let (_folder, root) = folder_of(trail(1).into_iter().take(2).collect());
        if harmed {
            harm(&root.join(DB));
        }
        for line in ["loop build plan --json", "loop build proposal --json"] {
            let ran = landfall(&root, line);
            let answer = said(&ran);
            assert_eq!(ran.status.code(), Some(i32::from(harmed)), "{line}: {answer:#}");
            assert_eq!(answer["refused"].to_string().contains(REASON), harmed, "{line}: {answer:#}");
        }
        assert_eq!(records_of(&root.join(DB)).len(), 3 - usize::from(harmed));
    }
}

#[test]
fn the_tripwire_stays_untouched() {
    for harmed in [true, false] {
        let (_folder, root) = folder(7, harmed);
        let tripwire = Tripwire::new();
        let mut ledger = LedgerFile::open(&root.join(DB), "test").expect("it opens");
        let report = tripwire.run("noop", &mut ledger, &[]);
        assert_eq!(reasons(&report.outcome).contains(REASON), harmed);
        assert_eq!(tripwire.times(), usize::from(!harmed));
    }
}

#[test]
fn nothing_that_judges_passes() {
    for harmed in [false, true] {
        let (_folder, root) = folder(27, harmed);
        for line in [
            format!("loop readiness execution --json --proposal-id {PROPOSAL}"),
            format!("loop readiness runner --json --proposal-id {PROPOSAL}"),
            "loop observe controlled --json".to_owned(),
            "loop observe governance --json".to_owned(),
            format!("loop smoke golden-path --json --proposal-id {PROPOSAL}"),
            "loop inspect --require-sound --json".to_owned(),
        ] {
            let ran = landfall(&root, &line);
            assert_eq!(ran.status.code(), Some(i32::from(harmed)), "{line}: {:#}", said(&ran));
        }
        let readiness = said(&landfall(&root, "loop readiness execution --json"));
        assert_eq!(readiness["blocking_reasons"].to_string().contains(REASON), harmed);
        assert_eq!(readiness["schema_validation"]["valid"], true);
        assert_eq!(said(&landfall(&root, "loop brief --json"))["status"], if harmed { "degraded" } else { "healthy" });
    }
}

#[test]
fn a_replay_check_fails_and_no_retry_is_proposed_for_it() {
    for harmed in [false, true] {
        let (_folder, root) = folder_of(trail(1).into_iter().take(1).collect());
        if harmed {
            harm(&root.join(DB));
        }
        let ran = landfall(&root, "loop run replay-check --with-nodes --format json");
        let result = said(&ran);
        assert_eq!(ran.status.code(), Some(i32::from(harmed)), "{result:#}");
        assert_eq!(result["payload"]["failure_reason"], if harmed { REASON.into() } else { serde_json::Value::Null });
        assert_eq!(result["status"], if harmed { "failed" } else { "passed" });
    }
}

#[test]
fn a_row_far_longer_than_any_is_not_loaded_and_stands_in_the_way() {
    let (_folder, root) = folder(7, false);
    let long = format!(r#"{{"type":"replay_lifecycle_retry_approval","status":"rejected","x":"{}"}}"#, "x".repeat(10 << 20));
    let edit = "INSERT INTO ops VALUES ('long', 'n', 100000, 'upsert', 'long', ?1, 1.0)";
    rusqlite::Connection::open(root.join(DB)).expect("it opens").execute(edit, [long]).expect("it edits");
    let began = std::time::Instant::now();
    for line in ["loop run noop --json", "loop build real_execution_final_gate --json"] {
        let answer = said(&landfall(&root, line));
        assert!(answer["refused"].to_string().contains(REASON), "{answer:#}");
    }
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
