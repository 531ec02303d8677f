//! What a ledger file costs: a publish, a reading in state order, a search, at growing sizes.
//!
//! A million records are to be read at the rate of ten thousand, and a publish is not to slow down
//! with what is there. The growth is what to look at, since machines and disks drift.
//!
//! `cargo bench --bench ledger [-- RECORDS...]`; without numbers 10000, 100000 and 1000000.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures time")]

use landfall::edge::ledger::LedgerFile;
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Ledger, Record, Select};
use std::time::{Duration, Instant};

/// Single publishes that are measured, each with its own way to the disk.
const PUBLISHES: u32 = 200;
/// Searches that are measured.
const FINDS: u32 = 200;

fn main() {
    let asked: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![10_000, 100_000, 1_000_000] } else { asked };
    println!(
        "{:>9}{:>12}{:>12}{:>12}{:>12}{:>12}{:>14}{:>14}{:>10}{:>10}",
        "records", "batch/s", "each/s", "typed/s", "check/s", "find us", "publish us", "unless us", "MB", "peak MiB"
    );
    for records in sizes {
        measure(records);
    }
}

/// A trail's records, seven types in turn.
fn record(index: u32) -> Record {
    const TYPES: [&str; 7] = [
        "replay_lifecycle_retry_proposal",
        "replay_lifecycle_retry_approval",
        "replay_lifecycle_retry_execution_plan",
        "replay_lifecycle_retry_rendered_command",
        "replay_lifecycle_retry_rendered_command_result",
        "replay_lifecycle_retry_execution_eligibility",
        "replay_lifecycle_retry_execution_result",
    ];
    let trail = index / 7;
    Record::new(TYPES[index as usize % 7])
        .with("proposal_id", format!("proposal-{trail}"))
        .with("approval_id", format!("approval-{trail}"))
        .with("plan_id", format!("plan-{trail}"))
        .with("rendered_command_id", format!("rendered-{trail}"))
        .with("status", "skipped")
        .with("reason", "execution_disabled")
        .with("source", "retry-plan-runner")
        .with("command", "python -m src.testing.run_replay_evidence_check --timeout-profile standard --require-clean")
}

fn measure(records: u32) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("ledger.db");
    let mut around = Scripted::new(1.8e9, 0.01);
    let mut ledger = LedgerFile::open(&path, "bench").expect("it opens");
    let filled = timed(|| {
        ledger
            .in_one_write(|batch| {
                for index in 0..records {
                    batch.publish(record(index), &mut around)?;
                }
                Ok(())
            })
            .expect("it fills");
    });
    let reader = LedgerFile::open_to_read(&path).expect("it opens");
    let read = |types: &[&str]| {
        let mut seen = 0_u32;
        let took = timed(|| {
            let count = &mut |entry: &landfall::ledger::Entry| {
                seen += u32::from(!entry.payload.is_empty());
                Ok(())
            };
            reader.each(Select { types }, count).expect("it reads");
        });
        (seen, took)
    };
    let (all, each) = read(&[]);
    assert_eq!(all, records);
    let (some, typed) = read(&["replay_lifecycle_retry_execution_plan"]);
    let check = timed(|| assert!(reader.check().expect("it reads").is_sound()));
    let find = timed(|| {
        for turn in 0..FINDS {
            let trail = (records / 7 / FINDS * turn).to_string();
            let found = reader.find("replay_lifecycle_retry_execution_plan", "plan_id", &format!("plan-{trail}")).expect("it reads");
            assert_eq!(found.len(), 1);
        }
    });
    let publish = timed(|| {
        for turn in 0..PUBLISHES {
            ledger.publish(record(records + turn), &mut around).expect("it publishes");
        }
    });
    let unless = timed(|| {
        for turn in 0..PUBLISHES {
            let plan = format!("other-{turn}");
            let record = record(records + turn).with("plan_id", plan.as_str());
            assert!(ledger.publish_unless(record, &[("plan_id", &plan)], &mut around).expect("it publishes").is_some());
        }
    });
    let size = std::fs::metadata(&path).expect("it is there").len();
    println!(
        "{records:>9}{:>12.0}{:>12.0}{:>12.0}{:>12.0}{:>12.0}{:>14.0}{:>14.0}{:>10.1}{:>10.1}",
        rate(records, filled),
        rate(all, each),
        rate(some, typed),
        rate(records, check),
        micros(find, FINDS),
        micros(publish, PUBLISHES),
        micros(unless, PUBLISHES),
        size as f64 / 1e6,
        peak_mib()
    );
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn rate(count: u32, took: Duration) -> f64 {
    f64::from(count) / took.as_secs_f64()
}

fn micros(took: Duration, count: u32) -> f64 {
    took.as_secs_f64() * 1e6 / f64::from(count)
}

/// The most memory that this process ever held, where the system tells.
fn peak_mib() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}
