//! The whole `replay` process against its floor, measured in turn in one run.
//!
//! The floor of a run table: read the file with one call, SHA-256 over it, and `serde_json` into
//! rows of a few borrowed fields. A replay does all of that strictly, judges every row and writes
//! its records. Medians of several turns; the ratio is what to look at, since machines drift.
//!
//! `cargo bench --bench replay_floor [-- KIND...]`; kinds: plain, mixed, escaped, refused, hostile.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures time and processes")]

#[path = "run_tables/rows.rs"]
mod rows;

use rows::{escaped, hostile, mixed, plain, refused};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A kind of table: its name, what it holds, its row, how many rows, and the goal in floors.
struct Table {
    name: &'static str,
    rows: usize,
    row: fn(usize, &mut String),
    goal: f64,
}

const TABLES: [Table; 5] = [
    Table { name: "plain", rows: 100_000, row: plain, goal: 1.5 },
    Table { name: "mixed", rows: 100_000, row: mixed, goal: 2.0 },
    Table { name: "escaped", rows: 100_000, row: escaped, goal: 2.0 },
    Table { name: "refused", rows: 100_000, row: refused, goal: 2.0 },
    Table { name: "hostile", rows: 120, row: hostile, goal: 10.0 },
];

const TURNS: usize = 7;

fn main() {
    let asked: Vec<_> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    println!("{:<9}{:>7}{:>10}{:>10}{:>8}{:>7}{:>10}", "table", "MB", "floor ms", "replay ms", "ratio", "goal", "peak MiB");
    for table in TABLES.iter().filter(|table| asked.is_empty() || asked.iter().any(|name| name == table.name)) {
        measure(table);
    }
}

fn measure(table: &Table) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["landing_policy.json", "projection_protocol.json"] {
        std::fs::copy(root.join("fixtures/first-wave").join(name), scratch.path().join(name)).expect("the shipped files copy");
    }
    let mut text = String::from("{\"work_landing_runs\": [\n");
    for index in 0..table.rows {
        (table.row)(index, &mut text);
        text.push_str(if index + 1 < table.rows { ",\n" } else { "\n]}\n" });
    }
    let path = scratch.path().join("work_landing_runs.json");
    std::fs::write(&path, &text).expect("the table writes");
    let megabytes = text.len() as f64 / 1e6;
    drop(text);
    let (mut floors, mut replays, mut peak) = (Vec::new(), Vec::new(), 0);
    for turn in 0..=TURNS {
        let floor = floor(&path);
        let (replay, used) = replay(scratch.path());
        // The first turn warms the caches.
        if turn > 0 {
            floors.push(floor);
            replays.push(replay);
            peak = peak.max(used);
        }
    }
    let (floor, replay) = (median(floors), median(replays));
    let ratio = replay.as_secs_f64() / floor.as_secs_f64();
    println!(
        "{:<9}{megabytes:>7.1}{:>10.1}{:>10.1}{ratio:>8.2}{:>7.1}{:>10.1}",
        table.name,
        floor.as_secs_f64() * 1e3,
        replay.as_secs_f64() * 1e3,
        table.goal,
        peak as f64 / 1024.0
    );
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "the floor reads the fields and does nothing with them")]
struct Row<'a> {
    #[serde(borrow, default)]
    run_id: Cow<'a, str>,
    #[serde(borrow, default)]
    landing_status: Cow<'a, str>,
    #[serde(borrow, default)]
    head_before: Cow<'a, str>,
    #[serde(borrow, default)]
    head_after: Cow<'a, str>,
    #[serde(borrow, default)]
    claimed_path_refs: Vec<Cow<'a, str>>,
    #[serde(borrow, default)]
    validation_refs: Vec<Cow<'a, str>>,
    #[serde(default)]
    commit_claimed_landed: bool,
    #[serde(default)]
    validation_precedes_commit_attempt: bool,
}

#[derive(Deserialize)]
struct Runs<'a> {
    #[serde(borrow)]
    work_landing_runs: Vec<Row<'a>>,
}

fn floor(path: &Path) -> Duration {
    let start = Instant::now();
    let bytes = std::fs::read(path).expect("the table reads");
    let digest = Sha256::digest(&bytes);
    let runs: Runs<'_> = serde_json::from_slice(&bytes).expect("the table is JSON");
    std::hint::black_box((digest, runs.work_landing_runs.len()));
    drop(runs);
    start.elapsed()
}

/// The time of a whole replay process, and the most memory it was seen to hold, in KiB.
fn replay(corpus: &Path) -> (Duration, u64) {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_landfall"))
        .args(["replay", "--corpus"])
        .arg(corpus)
        .arg("--out")
        .arg(corpus.join("out"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let status = format!("/proc/{}/status", child.id());
    // A thread watches, so that waiting ends when the process does.
    let watcher = std::thread::spawn(move || {
        let mut peak = 0;
        while let Ok(text) = std::fs::read_to_string(&status) {
            let Some(line) = text.lines().find(|line| line.starts_with("VmHWM:")) else { break };
            peak = peak.max(line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0));
            std::thread::sleep(Duration::from_millis(4));
        }
        peak
    });
    let exit = child.wait().expect("the process ends");
    let took = start.elapsed();
    assert!(matches!(exit.code(), Some(0 | 1)), "replay gave a verdict: {exit}");
    (took, watcher.join().expect("the watcher ends"))
}
