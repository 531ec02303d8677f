//! `--card`: a bundle's prior record is taken as it is only when it is whole and made from these very bytes.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use crate::folders::{copies, edit, read, write};
use crate::landfall_binary::landfall;
use landfall::json::to_canonical_text;
use landfall::landing::record::{ResultRecord, Sealed};
use serde_json::Value;
use std::path::PathBuf;

/// A copy of the shipped bundle and a folder for its record.
struct Bundle {
    root: tempfile::TempDir,
}

impl Bundle {
    fn new() -> Self {
        Self { root: copies(&["fixtures/bundle"]) }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join("fixtures/bundle").join(path)
    }

    fn record(&self) -> PathBuf {
        self.root.path().join("out/bundle-result.json")
    }

    /// Replays the bundle with a card; returns it.
    #[track_caller]
    fn card(&self, exit: i32) -> Value {
        let ran =
            landfall(&["replay", "--card"]).with("--bundle", self.path("")).with("--out", self.root.path().join("out")).ends_with(exit);
        assert_eq!(ran.err, "");
        serde_json::from_str(&ran.out).expect("a card is JSON")
    }

    /// Whether the prior record was taken.
    #[track_caller]
    fn reuses(&self, exit: i32) -> bool {
        self.card(exit)["command_speed"]["receipt_reused"].as_bool().expect("a boolean")
    }

    /// The record as a value of its type, changed by `change`, with a digest that verifies.
    fn reseal(&self, change: impl FnOnce(&mut ResultRecord)) {
        let mut record = ResultRecord::read(read(&self.record()).as_bytes(), "bundle-result").expect("the record reads");
        change(&mut record);
        write(&self.record(), to_canonical_text(&record.seal()));
    }
}

#[test]
fn a_fresh_prior_record_is_reused_and_left_as_it_is() {
    let bundle = Bundle::new();
    let card = bundle.card(0);
    assert_eq!((&card["command_speed"]["receipt_reused"], &card["status"]), (&false.into(), &"pass".into()));
    assert_eq!(card["schema_version"], "landfall/card/v1");
    let written = read(&bundle.record());
    let mut again = bundle.card(0);
    assert_eq!(again["command_speed"]["receipt_reused"], true);
    again["command_speed"]["receipt_reused"] = false.into();
    assert_eq!(again, card, "the cards differ in nothing else");
    assert_eq!(read(&bundle.record()), written, "a written record never says that it was reused");
    assert!(written.contains("\"receipt_reused\": false"));
}

#[test]
fn without_a_card_everything_is_judged_anew() {
    let bundle = Bundle::new();
    let written = |bundle: &Bundle| std::fs::metadata(bundle.record()).and_then(|metadata| metadata.modified()).expect("it was written");
    bundle.card(0);
    let first = written(&bundle);
    bundle.card(0);
    assert_eq!(written(&bundle), first);
    let ran = landfall(&["replay"]).with("--bundle", bundle.path("")).with("--out", bundle.root.path().join("out")).ends_with(0);
    assert!(!ran.out.contains("fresh prior record"), "{}", ran.out);
    assert_ne!(written(&bundle), first);
}

#[test]
fn an_input_that_changed_is_judged_anew() {
    let bundle = Bundle::new();
    bundle.card(0);
    assert!(bundle.reuses(0));
    for name in
        ["work_landing_runs.json", "landing_policy.json", "projection_protocol.json", "bundle_manifest.json", "source_module_manifest.json"]
    {
        edit(&bundle.path(name), "\n", "\n\n");
        assert!(!bundle.reuses(0), "{name} has changed");
    }
    write(&bundle.path("evidence/new.log"), "one more");
    assert!(!bundle.reuses(0), "an input has come");
    std::fs::remove_file(bundle.path("bundle_manifest.json")).expect("it is there");
    assert!(!bundle.reuses(0), "an input is gone");
    assert!(bundle.reuses(0));
    edit(&bundle.path("source_modules/tools/meta/control/scoped_commit.py"), "\n", "\n\n");
    assert!(!bundle.reuses(1), "a body has changed");
}

#[test]
fn a_blocked_bundle_is_blocked_from_its_prior_record_too() {
    let bundle = Bundle::new();
    edit(&bundle.path("work_landing_runs.json"), "\"release_claim_authorized\": false", "\"release_claim_authorized\": true");
    assert!(!bundle.reuses(1));
    assert!(bundle.reuses(1));
}

#[test]
fn a_missing_input_is_never_taken_from_a_prior_record() {
    let bundle = Bundle::new();
    std::fs::remove_file(bundle.path("source_modules/tools/meta/control/scoped_commit.py")).expect("it is there");
    assert!(!bundle.reuses(1));
    assert!(!bundle.reuses(1));
}

#[test]
fn an_edited_record_is_not_the_prior_one() {
    let bundle = Bundle::new();
    bundle.card(0);
    let written = read(&bundle.record());
    let digest =
        written.split_once("\"record_digest\": \"sha256:").expect("it has a digest").1.split('"').next().expect("it ends").to_owned();
    let forged = "0".repeat(digest.len());
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let mut not_text = written.clone().into_bytes();
    not_text[100] = 0xFF;
    let mut odd: Vec<(&str, Vec<u8>)> = vec![
        ("a count", written.replace("\"run_count\": 3", "\"run_count\": 300").into()),
        ("the verdict", written.replacen("\"status\": \"pass\"", "\"status\": \"blocked\"", 1).into()),
        ("the digest", written.replace(&digest, &forged).into()),
        ("the version", written.replace("landfall/bundle-result/v1", "landfall/bundle-result/v2").into()),
        ("an older version", written.replace("landfall/bundle-result/v1", "landfall/bundle-result/v0").into()),
        ("another record's version", written.replace("landfall/bundle-result/v1", "landfall/result/v1").into()),
        ("a key it does not have", written.replacen('{', "{\"extra\": 1,", 1).into()),
        ("a key twice", written.replacen('{', "{\"status\": \"pass\",", 1).into()),
        ("a key less", written.replacen("\"receipt_reused\": false,", "", 1).into()),
        ("bytes that are no text", not_text),
        ("text behind it", format!("{written}{{}}").into()),
        ("nesting", deep.into()),
        ("half of it", written[..written.len() / 2].into()),
        ("nothing", Vec::new()),
        ("no object", b"[]".to_vec()),
        ("too much", vec![b' '; 9 << 20]),
    ];
    odd.push(("a byte order mark", [b"\xEF\xBB\xBF", written.as_bytes()].concat()));
    for (what, bytes) in odd {
        assert_ne!(bytes, written.as_bytes(), "{what} changes something");
        write(&bundle.record(), bytes);
        assert!(!bundle.reuses(0), "{what}");
        assert_eq!(read(&bundle.record()), written, "{what}: the record is written anew");
    }
    assert!(bundle.reuses(0));
}

#[test]
fn a_record_that_contradicts_itself_is_not_the_prior_one() {
    type Change = (&'static str, fn(&mut ResultRecord));
    let bundle = Bundle::new();
    bundle.card(0);
    let written = read(&bundle.record());
    let changes: [Change; 8] = [
        ("a pass with blocking findings", |record| record.blocking_finding_count = 1),
        ("a block without any", |record| record.status = "blocked".to_owned()),
        ("a word that is no verdict", |record| record.status = "passed".to_owned()),
        ("a pass of no rows", |record| record.run_count = 0),
        ("a pass of blocked modules", |record| record.source_module_imports.status = "blocked".to_owned()),
        ("a raised ceiling", |record| record.authority_ceiling.release_authorized = true),
        ("another mode", |record| record.input_mode = "fixture".to_owned()),
        ("another basis", |record| record.freshness_basis.inputs[0].size_bytes += 1),
    ];
    for (what, change) in changes {
        bundle.reseal(change);
        assert!(!bundle.reuses(0), "{what}");
        assert_eq!(read(&bundle.record()), written, "{what}: the record is written anew");
    }
}

#[test]
fn a_pass_forged_over_a_broken_bundle_is_not_believed() {
    let bundle = Bundle::new();
    bundle.card(0);
    let pass = read(&bundle.record());
    edit(&bundle.path("work_landing_runs.json"), "\"release_claim_authorized\": false", "\"release_claim_authorized\": true");
    assert!(!bundle.reuses(1));
    // All that is in a record can be computed by whoever writes one.
    let basis = ResultRecord::read(read(&bundle.record()).as_bytes(), "bundle-result").expect("the record reads").freshness_basis;
    write(&bundle.record(), pass);
    bundle.reseal(|record| record.freshness_basis = basis);
    assert!(!bundle.reuses(1));
}

#[test]
fn counts_forged_in_a_passing_record_are_not_believed() {
    let bundle = Bundle::new();
    bundle.card(0);
    bundle.reseal(|record| record.landed_commit_count = 300);
    assert!(!bundle.reuses(0));
}

#[test]
fn a_link_in_place_of_the_record_is_neither_read_nor_followed() {
    let bundle = Bundle::new();
    bundle.card(0);
    let elsewhere = bundle.root.path().join("elsewhere.json");
    std::fs::rename(bundle.record(), &elsewhere).expect("it moves");
    std::os::unix::fs::symlink(&elsewhere, bundle.record()).expect("a link");
    let before = read(&elsewhere);
    let ran = landfall(&["replay", "--card"]).with("--bundle", bundle.path("")).with("--out", bundle.root.path().join("out")).ends_with(3);
    assert!(ran.err.contains("no record, no verdict"), "{}", ran.err);
    assert_eq!(read(&elsewhere), before);
}

#[test]
fn a_fixture_is_judged_anew_whatever_lies_in_its_folder() {
    let root = copies(&["examples/foreign-crate/landing"]);
    let run = || {
        let corpus = root.path().join("examples/foreign-crate/landing");
        let ran = landfall(&["replay", "--card"]).with("--corpus", corpus).with("--out", root.path().join("out")).ends_with(0);
        serde_json::from_str::<Value>(&ran.out).expect("a card is JSON")
    };
    assert_eq!(run()["command_speed"]["receipt_reused"], false);
    assert_eq!(run()["command_speed"]["receipt_reused"], false);
}
