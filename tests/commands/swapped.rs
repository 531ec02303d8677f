//! Files that change under the reader: a verdict is of the bytes whose digest the record names, or there is none.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use crate::folders::{copies, json, read, write};
use crate::landfall_binary::landfall;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const TABLE: &str = "work_landing_runs.json";
const ROWS: usize = 400;

/// What a record says of the run table: its digest, if there was one, and the verdict.
fn verdict(out: &Path) -> (Option<String>, String) {
    let result = json(&out.join("result.json"));
    let inputs = result["freshness_basis"]["inputs"].as_array().expect("a list").iter();
    let table = inputs.clone().find(|input| input["path"] == format!("corpus/{TABLE}"));
    let digest = table.map(|input| input["sha256"].as_str().expect("a text").to_owned());
    (digest, format!("{} {} {}", result["status"], result["run_count"], result["error_codes"]))
}

/// The shipped table with many rows; the last is as `change` leaves it.
fn table(corpus: &Path, change: impl FnOnce(&mut Value)) -> String {
    let mut table: Value = serde_json::from_str(&read(&corpus.join(TABLE))).expect("JSON");
    let rows = table["work_landing_runs"].as_array_mut().expect("a list");
    let first = rows[0].clone();
    for number in 0..ROWS {
        let mut row = first.clone();
        row["run_id"] = format!("another-{number}").into();
        rows.push(row);
    }
    change(rows.last_mut().expect("there are rows"));
    table.to_string()
}

#[test]
fn a_run_table_that_is_swapped_under_the_reader_gives_a_whole_verdict_or_none() {
    let root = copies(&["examples/foreign-crate/landing"]);
    let at = |path: &str| root.path().join(path);
    let corpus = at("examples/foreign-crate/landing");
    let good = table(&corpus, |_| {});
    let bad = table(&corpus, |row| row["landing_status"] = "unheard of".into());
    let cut = good[..good.len() / 2].to_owned();
    for (name, text) in [("good", &good), ("bad", &bad), ("cut", &cut)] {
        write(&at(name), text);
    }
    let replay = || landfall(&["replay"]).with("--corpus", &corpus).with("--out", at("out")).run();
    // Each of them at rest, and none at all.
    let mut known = BTreeMap::new();
    for name in ["good", "bad", "cut"] {
        fs::copy(at(name), corpus.join(TABLE)).expect("it copies");
        replay();
        let (digest, verdict) = verdict(&at("out"));
        assert!(digest.is_some());
        known.insert(digest, verdict);
    }
    assert_eq!(known.values().filter(|verdict| verdict.starts_with("\"pass\"")).count(), 1, "{known:?}");
    assert_eq!(known.len(), 3, "three tables, three digests");
    let done = AtomicBool::new(false);
    let mut seen = BTreeMap::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0.. {
                if done.load(Ordering::Relaxed) {
                    return;
                }
                match turn % 6 {
                    // Another file at once.
                    step @ 0..=2 => {
                        fs::copy(at(["good", "bad", "cut"][step]), at("next")).expect("it copies");
                        fs::rename(at("next"), corpus.join(TABLE)).expect("it moves");
                    }
                    // The same file, emptied and written anew.
                    3 => write(&corpus.join(TABLE), &good),
                    4 => {
                        fs::remove_file(corpus.join(TABLE)).expect("it goes");
                        symlink(at("good"), corpus.join(TABLE)).expect("a link");
                    }
                    _ => fs::remove_file(corpus.join(TABLE)).expect("it goes"),
                }
                thread::yield_now();
            }
        });
        for _ in 0..60 {
            let _ = fs::remove_dir_all(at("out"));
            let ran = replay();
            if !at("out/result.json").exists() {
                assert!(ran.code == Some(3) && !ran.err.is_empty(), "no record and no name: {ran:#?}");
                continue;
            }
            let (digest, verdict) = verdict(&at("out"));
            assert_eq!(verdict.starts_with("\"pass\""), ran.code == Some(0), "{ran:#?}");
            match known.get(&digest) {
                Some(known) => assert_eq!(&verdict, known, "{digest:?}"),
                // Nothing, a link, or a file that was half written: whatever it was, no pass.
                None => assert!(!verdict.starts_with("\"pass\"") && verdict.contains("WORK_LANDING_"), "{verdict}"),
            }
            *seen.entry(verdict).or_insert(0) += 1;
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(seen.len() > 1, "nothing was swapped: {seen:?}");
}
