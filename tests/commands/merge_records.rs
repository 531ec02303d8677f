//! `replay --shard` and `merge-records`: parts of a replay on the disk, and what they make together.

use crate::folders::{copy, edit, json, names, read, repository, scratch};
use crate::landfall_binary::landfall;
use crate::replay::RECORDS;
use std::path::{Path, PathBuf};

#[test]
fn shards_of_the_shipped_corpus_merge_into_its_records() {
    let (whole, parts, merged) = (scratch(), scratch(), scratch());
    let undivided = landfall(&["replay"]).with("--out", whole.path()).ends_with(0);
    for shard in ["2/2", "1/2"] {
        let ran = landfall(&["replay", "--shard", shard]).with("--out", parts.path()).ends_with(0);
        assert!(ran.out.contains("fixture: partial, 1 of 2 shards") && ran.out.contains("no verdict before"), "{}", ran.out);
        assert!(!ran.out.contains("pass"), "{}", ran.out);
    }
    let written =
        ["bundle-result.shard-1-of-2.json", "bundle-result.shard-2-of-2.json", "result.shard-1-of-2.json", "result.shard-2-of-2.json"];
    assert_eq!(names(parts.path()), written);
    for name in written {
        assert_eq!(json(&parts.path().join(name))["status"], "partial", "{name}");
    }
    let files: Vec<_> = written.iter().map(|name| parts.path().join(name)).collect();
    let merge = |files: &[PathBuf]| {
        let mut command = landfall(&["merge-records"]);
        for file in files {
            command = command.arg(file);
        }
        command
    };
    let ran = merge(&files).with("--out", merged.path()).ends_with(0);
    let board = |out: &str| out.lines().filter(|line| !line.starts_with("records in")).collect::<Vec<_>>().join("\n");
    assert_eq!(board(&ran.out), board(&undivided.out));
    assert_eq!(names(merged.path()), RECORDS);
    let records = |folder: &Path| RECORDS.map(|name| read(&folder.join(name)));
    assert_eq!(records(merged.path()), records(whole.path()), "byte for byte");
    // In two steps, and in another order.
    let partial = scratch();
    let together = partial.path().join("all.json");
    merge(&[files[3].clone(), files[2].clone()]).with("--partial", &together).ends_with(0);
    merge(&[files[0].clone(), together, files[1].clone()]).with("--out", partial.path().join("records").as_path()).ends_with(0);
    assert_eq!(records(&partial.path().join("records")), records(whole.path()));
    // What is no partition writes nothing.
    let none = scratch();
    for (files, name) in [
        (vec![files[0].clone(), files[2].clone(), files[3].clone()], "SHARD_MISSING"),
        (vec![files[2].clone(), files[2].clone(), files[3].clone()], "SHARD_REPEATED"),
        (vec![whole.path().join("result.json"), files[3].clone()], "SHARD_UNREADABLE"),
    ] {
        let ran = merge(&files).with("--out", none.path()).ends_with(1);
        assert!(ran.err.contains(name), "{}", ran.err);
        assert_eq!(names(none.path()), [""; 0]);
    }
    let ran = merge(&[files[0].clone(), files[2].clone()]).with("--partial", none.path().join("both.json")).ends_with(1);
    assert!(ran.err.contains("SHARD_MODE_DIFFERS"), "{}", ran.err);
    merge(&[none.path().join("absent.json")]).with("--out", none.path()).ends_with(3);
    landfall(&["merge-records"]).ends_with(2);
    for shard in ["0/2", "3/2", "1", "1/0"] {
        landfall(&["replay", "--shard", shard]).ends_with(2);
    }
}

#[test]
fn a_row_that_is_refused_blocks_its_shard_and_the_whole() {
    let root = repository();
    let corpus = root.path().join("corpus");
    copy(&root.path().join("fixtures/first-wave"), &corpus);
    edit(&corpus.join("work_landing_runs.json"), "\"release_claim_authorized\": false", "\"release_claim_authorized\": true");
    let out = root.path().join("out");
    let shard = |shard: &str| landfall(&["replay", "--shard", shard]).with("--corpus", &corpus).with("--out", &out);
    shard("1/2").ends_with(1);
    shard("2/2").ends_with(0);
    let files = ["result.shard-1-of-2.json", "result.shard-2-of-2.json"].map(|name| out.join(name));
    let merge = || landfall(&["merge-records"]).arg(&files[0]).arg(&files[1]).with("--out", &out);
    let ran = merge().ends_with(1);
    assert!(ran.out.contains("fixture: blocked") && ran.out.contains("WORK_LANDING_RELEASE_OVERCLAIM"), "{}", ran.out);
    // Another state of the corpus is another run.
    let row = read(&corpus.join("work_landing_runs.json"));
    edit(&corpus.join("work_landing_runs.json"), &row, &format!("{row} "));
    shard("2/2").ends_with(0);
    let ran = merge().ends_with(1);
    assert!(ran.err.contains("SHARD_INPUTS_DIFFER") && ran.err.contains("corpus/work_landing_runs.json"), "{}", ran.err);
}
