//! Run tables that are generated while they are read: time a row and memory must not depend on how many rows there are.
//!
//! Each table is judged in a process of its own, from a folder that makes its rows when it is read, so that neither the
//! disk nor its cache has a part in it. The rows are the plain ones of `replay_floor`; 10^7 of them are 8.5 GB.
//!
//! `cargo bench --bench replay_large [-- ROWS...]`; without an argument 10^5, 10^6 and 10^7.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures time and processes")]

#[path = "run_tables/rows.rs"]
#[expect(dead_code, reason = "one of its five kinds")]
mod rows;

use landfall::corpus::builtin;
use landfall::folder::{Folder, Scratch};
use landfall::landing::RuleSet;
use landfall::landing::build::{POLICY_FILE, PROTOCOL_FILE, RUNS_FILE, run_fixture};
use landfall::landing::rule::InputState;
use std::io::{self, Read};
use std::process::Command;
use std::time::Instant;

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [judge, rows] = &arguments[..]
        && judge == "judge"
    {
        return judge_one(rows.parse().expect("a number of rows"));
    }
    let asked = if arguments.is_empty() { ["100000", "1000000", "10000000"].map(str::to_owned).to_vec() } else { arguments };
    println!("{:>9}{:>9}{:>9}{:>12}{:>12}{:>10}", "rows", "MB", "seconds", "rows/s", "us a row", "peak MiB");
    for rows in asked {
        let own = std::env::current_exe().expect("the benchmark has a path");
        let status = Command::new(own).args(["judge", &rows]).status().expect("the benchmark starts");
        assert!(status.success(), "the table was judged");
    }
}

fn judge_one(rows: usize) {
    let start = Instant::now();
    let run = run_fixture(&Generated { rows }, &builtin::nine(), &RuleSet::all()).expect("a generated table is read");
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(run.result.status, "pass", "plain rows are supported");
    let size = run.result.freshness_basis.inputs.iter().find(|input| input.path.ends_with(RUNS_FILE)).map_or(0, |input| input.size_bytes);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<f64>().ok());
    println!(
        "{rows:>9}{:>9.0}{seconds:>9.2}{:>12.0}{:>12.2}{:>10.1}",
        size as f64 / 1e6,
        rows as f64 / seconds,
        seconds * 1e6 / rows as f64,
        peak.unwrap_or(f64::NAN) / 1024.0
    );
}

/// A fixture whose run table is made when it is read.
struct Generated {
    rows: usize,
}

impl Folder for Generated {
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send + '_>, InputState> {
        match path {
            RUNS_FILE => Ok(Box::new(Table { rows: self.rows, next: 0, text: "{\"work_landing_runs\": [\n".into(), at: 0 })),
            POLICY_FILE => Ok(Box::new(&include_bytes!("../fixtures/first-wave/landing_policy.json")[..])),
            PROTOCOL_FILE => Ok(Box::new(&include_bytes!("../fixtures/first-wave/projection_protocol.json")[..])),
            _ => Err(InputState::Absent),
        }
    }

    fn entries(&self, _: &str) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn scratch(&self) -> io::Result<Box<dyn Scratch>> {
        Ok(Box::new(tempfile::tempfile()?))
    }
}

/// The text of a table, row after row.
struct Table {
    rows: usize,
    next: usize,
    text: String,
    at: usize,
}

impl Read for Table {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() && self.next < self.rows {
            self.text.clear();
            self.at = 0;
            rows::plain(self.next, &mut self.text);
            self.next += 1;
            self.text.push_str(if self.next < self.rows { ",\n" } else { "\n]}\n" });
        }
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}
