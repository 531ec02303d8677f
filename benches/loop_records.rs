//! What judging loop records costs: validation, and the one pass of inspector and Security metrics.
//!
//! Validation is measured on one core and on all, and so is watching.
//!
//! A million records are to be judged at the rate of ten thousand, in memory bounded by the distinct
//! ids; the growth is what to look at. Texts are made a batch at a time, and making them is measured apart.
//!
//! `cargo bench --bench loop_records [-- RECORDS...]`; without numbers 10000, 100000 and 1000000.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures time")]

use landfall::contract::check::{check, check_texts};
use landfall::contract::trail::Filters;
use landfall::governance::watch::Watch;
use landfall::json::Parser;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// One sound trail; every seventh record begins another by other ids.
const TRAIL: &str = include_str!("../fixtures/loop/retry-governance/records.jsonl");

fn main() {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![10_000, 100_000, 1_000_000] } else { asked };
    println!(
        "{:>9}{:>12}{:>14}{:>12}{:>14}{:>12}{:>12}{:>10}",
        "records", "made/s", "checked one/s", "checked/s", "watched one/s", "watched/s", "finished/s", "peak MiB"
    );
    let texts: Vec<&str> = TRAIL.lines().filter(|line| line.contains("replay_lifecycle_retry_")).collect();
    assert_eq!(texts.len(), 7, "the trail has its seven stages");
    let ids = ids_of(&texts);
    for records in sizes {
        let made = rate(records, &texts, &ids, |batch| assert!(!batch.is_empty())).0;
        let mut parser = Parser::default();
        let mut valid = |text: &String| {
            let record = parser.parse(text.as_bytes()).expect("the fixture's text is JSON");
            assert!(check(&record).valid, "{text}");
        };
        let checked_by_one = rate(records, &texts, &ids, |batch| batch.iter().for_each(&mut valid)).1;
        let each_valid = |batch: &[String]| check_texts(batch, |verdict| assert!(verdict.is_some_and(|verdict| verdict.valid)));
        let checked = rate(records, &texts, &ids, each_valid).1;
        let mut parser = Parser::default();
        let mut watch = Watch::new(Filters::default());
        let mut seen = |text: &String| watch.add(&parser.parse(text.as_bytes()).expect("it is JSON"));
        let watched_by_one = rate(records, &texts, &ids, |batch| batch.iter().for_each(&mut seen)).1;
        drop(watch);
        let mut watch = Watch::new(Filters::default());
        let watched = rate(records, &texts, &ids, |batch| watch.add_texts(batch)).1;
        let start = Instant::now();
        let summary = watch.finish().summary;
        let finished = records as f64 / start.elapsed().as_secs_f64();
        assert!(summary.chain_complete && summary.chain_sound);
        println!(
            "{records:>9}{made:>12.0}{checked_by_one:>14.0}{checked:>12.0}{watched_by_one:>14.0}{watched:>12.0}{finished:>12.0}{:>10.1}",
            peak_mib()
        );
    }
}

/// The ids of the trail.
fn ids_of<'t>(texts: &[&'t str]) -> BTreeSet<&'t str> {
    let words = texts.iter().flat_map(|text| text.split(BETWEEN));
    words.filter(|word| word.starts_with("replay-retry-") || word.starts_with("synthetic-")).collect()
}

/// What stands around an id: quotes, or blanks in a command.
const BETWEEN: [char; 2] = ['"', ' '];

/// Texts that are made before any of them is shown.
const BATCH: usize = 700;

/// Shows `records` texts in batches, each trail of seven under ids of its own; how many a second are made, and how
/// many are seen.
fn rate(records: usize, texts: &[&str], ids: &BTreeSet<&str>, mut seen: impl FnMut(&[String])) -> (f64, f64) {
    let (mut making, mut seeing) = (Duration::ZERO, Duration::ZERO);
    for first in (0..records).step_by(BATCH) {
        let start = Instant::now();
        let batch: Vec<String> =
            (first..records.min(first + BATCH)).map(|index| renamed(texts[index % texts.len()], ids, index / texts.len())).collect();
        making += start.elapsed();
        let start = Instant::now();
        seen(&batch);
        seeing += start.elapsed();
    }
    let rate = |spent: Duration| records as f64 / spent.as_secs_f64();
    (rate(making), rate(seeing))
}

/// The text under ids of its own, so that the trail is as sound as it was.
fn renamed(text: &str, ids: &BTreeSet<&str>, number: usize) -> String {
    let mut renamed = String::with_capacity(text.len() * 5 / 4);
    for piece in text.split_inclusive(BETWEEN) {
        let word = piece.strip_suffix(BETWEEN).unwrap_or(piece);
        renamed.push_str(word);
        if ids.contains(word) {
            renamed.push('-');
            renamed.push_str(&number.to_string());
        }
        renamed.push_str(&piece[word.len()..]);
    }
    renamed
}

/// The most memory that this process ever held, where the system tells.
fn peak_mib() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}
