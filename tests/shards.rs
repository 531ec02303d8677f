//! A divided replay: any shards, merged in any order and grouping, give the bytes of an undivided one, and shards
//! that are not of one run refuse to.

use landfall::corpus::builtin;
use landfall::folder::MemoryFolder;
use landfall::json::to_canonical_text;
use landfall::landing::RuleSet;
use landfall::landing::build::{run_bundle, run_bundle_shard, run_fixture, run_fixture_shard};
use landfall::landing::shard::{Shard, ShardError, ShardRecord, Whole, merge_all};
use proptest::prelude::*;

const POLICY: &str = include_str!("../fixtures/first-wave/landing_policy.json");
const PROTOCOL: &str = include_str!("../fixtures/first-wave/projection_protocol.json");

fn corpus(name: &str, table: &str) -> MemoryFolder {
    let mut folder = MemoryFolder::default();
    folder.file("landing_policy.json", POLICY);
    folder.file("projection_protocol.json", PROTOCOL);
    folder.file(name, table);
    folder
}

fn table(rows: &[String]) -> MemoryFolder {
    corpus("work_landing_runs.json", &format!("{{\"work_landing_runs\": [{}]}}", rows.join(",\n")))
}

fn shard(folder: &MemoryFolder, number: u32, of: u32) -> ShardRecord {
    let shard = Shard::new(number, of).expect("a shard");
    run_fixture_shard(folder, &builtin::nine(), &RuleSet::all(), shard).expect("memory reads")
}

fn texts(whole: Whole) -> Vec<String> {
    match whole {
        Whole::Fixture(run) => run.texts().into_iter().map(|(_, text)| text).collect(),
        Whole::Bundle(run) => vec![to_canonical_text(&run.result)],
    }
}

fn undivided(folder: &MemoryFolder) -> Vec<String> {
    let run = run_fixture(folder, &builtin::nine(), &RuleSet::all()).expect("memory reads");
    run.texts().into_iter().map(|(_, text)| text).collect()
}

/// Rows of few ids, so that some repeat; accepted, refused for one thing and another, leaking, no objects at all.
fn row() -> impl Strategy<Value = String> {
    let id = (0..60_u32).prop_map(|id| format!("\"run-{id}\""));
    let id = prop_oneof![8 => id, 1 => Just("\"/home/mira\"".to_owned()), 1 => Just("7".to_owned())];
    let status = prop_oneof!["scoped_commit_landed", "metadata_blocked_patch_bundle", "hard_stop", "pushed"];
    let note = prop_oneof![Just("plain"), Just("built in /home/mira/wip"), Just("\\u0041KIAIOSFODNN7EXAMPLE"), Just("see https://x.org/y")];
    let object = (id, status, any::<bool>(), any::<bool>(), note).prop_map(|(id, status, landed, moved, note)| {
        let after = if moved { "b" } else { "a" };
        format!(
            "{{\"run_id\": {id}, \"landing_status\": \"{status}\", \"commit_claimed_landed\": {landed}, \"head_before\": \"{}\", \
             \"head_after\": \"{}\", \"validation_precedes_commit_attempt\": {moved}, \"validation_refs\": [\"cargo test: 3 passed\"], \
             \"claimed_path_refs\": [\"src/a.rs\"], \"work_ledger_closeout_ref\": \"wl-1\", \"blocker_capture_ref\": \"blk-1\", \
             \"live_git_mutation_authorized\": false, \"unrelated_dirty_paths_staged\": false, \"release_claim_authorized\": false, \
             \"note\": \"{note}\"}}",
            "a".repeat(40),
            after.repeat(40),
        )
    });
    prop_oneof![12 => object, 1 => Just("[]".to_owned()), 1 => Just("{}".to_owned())]
}

/// Merges in a random tree: two of the records become one until one is left.
fn merged(mut records: Vec<ShardRecord>, picks: &[prop::sample::Index]) -> ShardRecord {
    let mut picks = picks.iter().cycle();
    while records.len() > 1 {
        let mut take = |records: &mut Vec<ShardRecord>| {
            let at = picks.next().expect("they go round").index(records.len());
            records.swap_remove(at)
        };
        let (one, other) = (take(&mut records), take(&mut records));
        records.push(one.merged(other).expect("they are of one run"));
    }
    records.pop().expect("one is left")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_partition_in_any_tree_gives_the_undivided_bytes(
        rows in prop::collection::vec(row(), 0..40),
        of in 1..9_u32,
        by_line: bool,
        broken: bool,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 16),
    ) {
        // Of a table that cannot be read there are no rows; of lines one may be unreadable.
        let mut rows = rows;
        if broken {
            rows.push("{\"a\": 1, \"a\": 2}".to_owned());
        }
        let folder = if by_line { corpus("work_landing_runs.jsonl", &rows.join("\n")) } else { table(&rows) };
        let shards: Vec<_> = (1..=of).map(|number| shard(&folder, number, of)).collect();
        for record in &shards {
            let text = to_canonical_text(record);
            let read = ShardRecord::read(text.as_bytes()).expect("its own reader takes it");
            prop_assert_eq!(to_canonical_text(&read), text);
        }
        let all = merged(shards.clone(), &picks);
        let in_order = merge_all(shards).expect("they are of one run");
        prop_assert_eq!(to_canonical_text(&all), to_canonical_text(&in_order));
        prop_assert_eq!(texts(all.finish().expect("all are there")), undivided(&folder));
    }
}

#[test]
fn lists_that_are_capped_are_those_of_the_undivided_run() {
    let rows = |refused: usize| -> Vec<String> {
        let status = |index: usize| if index % 3 < refused { "pushed" } else { "hard_stop" };
        (0..2400).rev().map(|index| format!("{{\"run_id\": \"r{index:04}\", \"landing_status\": \"{}\"}}", status(index))).collect()
    };
    for refused in [1, 3] {
        let folder = table(&rows(refused));
        let all = merge_all((1..=3).rev().map(|number| shard(&folder, number, 3))).expect("they are of one run");
        assert_eq!(texts(all.finish().expect("all are there")), undivided(&folder), "{refused} of 3 refused");
    }
}

#[test]
fn a_bundle_is_divided_alike() {
    let bundle = table(&["{\"run_id\": \"a\"}".to_owned(), "{\"run_id\": \"a\"}".to_owned()]);
    let rules = RuleSet::all();
    let of = |number| run_bundle_shard(&bundle, &rules, Shard::new(number, 2).expect("a shard")).expect("memory reads");
    let whole = merge_all([of(2), of(1)]).expect("they are of one run").finish().expect("all are there");
    assert_eq!(texts(whole), [to_canonical_text(&run_bundle(&bundle, None, &rules).expect("memory reads").result)]);
    let fixture = shard(&bundle, 2, 2);
    assert!(matches!(of(1).merged(fixture), Err(ShardError::Mode)));
}

#[test]
fn what_is_not_a_partition_of_one_run_is_refused_by_name() {
    let folder = table(&["{\"run_id\": \"a\"}".to_owned(), "{\"run_id\": \"b\"}".to_owned(), "{\"run_id\": \"c\"}".to_owned()]);
    let of_3 = |number| shard(&folder, number, 3);
    let error = |records: Vec<ShardRecord>| match merge_all(records).map(ShardRecord::finish) {
        Ok(Ok(_)) => panic!("a verdict was given"),
        Ok(Err(error)) | Err(error) => error.to_string(),
    };
    let named = |records, name: &str| {
        let error = error(records);
        assert!(error.starts_with(name), "{error}");
    };
    named(vec![], "SHARDS_MISSING");
    named(vec![of_3(1), of_3(3)], "SHARD_MISSING: found 2 of 3 shards, not shard 2");
    named(vec![of_3(1), of_3(2), of_3(1)], "SHARD_REPEATED: found shard 1 twice");
    let two = of_3(1).merged(of_3(2)).expect("they are of one run");
    named(vec![two, of_3(2), of_3(3)], "SHARD_REPEATED: found shard 2 twice");
    named(vec![of_3(1), shard(&folder, 2, 2)], "SHARD_COUNT_DIFFERS");
    let other_rows = table(&["{\"run_id\": \"a\"}".to_owned(), "{\"run_id\": \"b\"}".to_owned(), "{\"run_id\": \"d\"}".to_owned()]);
    named(vec![of_3(1), shard(&other_rows, 2, 3), of_3(3)], "SHARD_INPUTS_DIFFER: the shards judged different inputs, first corpus/work");
    let mut other_policy = table(&["{\"run_id\": \"a\"}".to_owned(), "{\"run_id\": \"b\"}".to_owned(), "{\"run_id\": \"c\"}".to_owned()]);
    other_policy.file("landing_policy.json", format!("{POLICY}\n"));
    named(
        vec![of_3(1), shard(&other_policy, 2, 3), of_3(3)],
        "SHARD_INPUTS_DIFFER: the shards judged different inputs, first corpus/landing_policy.json",
    );
    let mut other_release = of_3(2);
    other_release.tool.version = "0.0.1".to_owned();
    named(vec![of_3(1), other_release.clone(), of_3(3)], "SHARD_VERSION_DIFFERS");
    named(vec![other_release], "SHARD_VERSION_DIFFERS");
}

#[test]
fn a_record_that_was_touched_is_not_read() {
    let record = shard(&table(&["{\"run_id\": \"a\"}".to_owned()]), 1, 2);
    let text = to_canonical_text(&record);
    let refused = |text: &str| ShardRecord::read(text.as_bytes()).expect_err("it is refused").to_string();
    assert!(text.contains("\"status\": \"partial\""), "{text}");
    for (from, to) in [
        ("\"status\": \"partial\"", "\"status\": \"pass\""),
        ("replay-shard/v1", "replay-shard/v2"),
        ("replay-shard/v1", "result/v1"),
        ("\"of\": 2", "\"of\": 1"),
        ("\"of\": 2,", "\"of\": 2, "),
        ("\"of\": 2", "\"of\": 2, \"more\": 1"),
    ] {
        assert!(text.contains(from), "{from} is in\n{text}");
        assert!(refused(&text.replacen(from, to, 1)).starts_with("SHARD_UNREADABLE"), "{from} to {to}");
    }
}

#[test]
fn shards_have_numbers_from_one() {
    for text in ["", "1", "0/1", "2/1", "1/0", "1/10001", "+1/2", "1/2/3", "a/b", "1/ 2", "-1/2"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
    for text in ["1/1", "3/7", "10000/10000"] {
        assert_eq!(text.parse::<Shard>().expect("a shard").to_string(), text);
    }
    let held = |number| (0..10).filter(|index| Shard::new(number, 3).expect("a shard").holds(*index)).collect::<Vec<u64>>();
    assert_eq!([held(1), held(2), held(3)], [vec![0, 3, 6, 9], vec![1, 4, 7], vec![2, 5, 8]]);
}
