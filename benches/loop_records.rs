//! What judging loop records costs: validation, and the one pass of inspector and Security metrics.
//!
//! A million records are to be judged at the rate of ten thousand, in memory bounded by the distinct
//! ids; the growth is what to look at. Texts are made while they are read, so that no more than one is held.
//!
//! `cargo bench --bench loop_records [-- RECORDS...]`; without numbers 10000, 100000 and 1000000.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures time")]

use landfall::contract::check::check;
use landfall::contract::trail::Filters;
use landfall::governance::watch::Watch;
use landfall::json::parse;
use std::time::Instant;

/// One sound trail; every seventh record begins another by other ids.
const TRAIL: &str = include_str!("../fixtures/loop/retry-governance/records.jsonl");

fn main() {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![10_000, 100_000, 1_000_000] } else { asked };
    println!("{:>9}{:>14}{:>14}{:>14}{:>12}", "records", "made/s", "checked/s", "watched/s", "peak MiB");
    let texts: Vec<&str> = TRAIL.lines().filter(|line| line.contains("replay_lifecycle_retry_")).collect();
    assert_eq!(texts.len(), 7, "the trail has its seven stages");
    let ids: Vec<(usize, String)> = ids_of(&texts);
    for records in sizes {
        let made = rate(records, || each(&texts, &ids, records, |text| assert!(!text.is_empty())));
        let checked = rate(records, || {
            each(&texts, &ids, records, |text| {
                let record = parse(text.as_bytes()).expect("the fixture's text is JSON");
                assert!(check(&record).valid, "{text}");
            });
        });
        let mut watch = Watch::new(Filters::default());
        let watched = rate(records, || each(&texts, &ids, records, |text| watch.add(&parse(text.as_bytes()).expect("it is JSON"))));
        let summary = watch.finish().summary;
        assert!(summary.chain_complete);
        println!("{records:>9}{made:>14.0}{checked:>14.0}{watched:>14.0}{:>12.1}", peak_mib());
    }
}

/// The ids of the trail, longest first, so that one is never replaced inside another.
fn ids_of(texts: &[&str]) -> Vec<(usize, String)> {
    let mut ids: Vec<String> = texts
        .iter()
        .flat_map(|text| text.split('"'))
        .filter(|word| word.starts_with("replay-retry-") || word.starts_with("synthetic-"))
        .map(str::to_owned)
        .collect();
    ids.sort_by_key(|id| (std::cmp::Reverse(id.len()), id.clone()));
    ids.dedup();
    ids.into_iter().enumerate().collect()
}

/// Shows `records` texts, each trail of seven under ids of its own.
fn each(texts: &[&str], ids: &[(usize, String)], records: usize, mut seen: impl FnMut(&str)) {
    let mut trail = Vec::new();
    for index in 0..records {
        let stage = index % texts.len();
        if stage == 0 {
            let number = index / texts.len();
            trail = texts.iter().map(|text| renamed(text, ids, number)).collect();
        }
        seen(&trail[stage]);
    }
}

fn renamed(text: &str, ids: &[(usize, String)], number: usize) -> String {
    ids.iter().fold(text.to_owned(), |text, (_, id)| text.replace(&format!("\"{id}\""), &format!("\"{id}-{number}\"")))
}

fn rate(records: usize, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    records as f64 / start.elapsed().as_secs_f64()
}

/// The most memory that this process ever held, where the system tells.
fn peak_mib() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}
