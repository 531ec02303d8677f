//! Tests about the corpus itself: its nine broken rows differ in one respect, no byte of it can change
//! unseen, nothing but what a rule reads decides, and its records are read back strictly.
#![expect(clippy::disallowed_methods, reason = "a test reads the corpus, and changes a copy of it")]

#[path = "corpus/changed_byte.rs"]
mod changed_byte;
#[path = "corpus/decides.rs"]
mod decides;
#[path = "corpus/read_back.rs"]
mod read_back;
#[path = "corpus/worked_example.rs"]
mod worked_example;

use landfall::corpus::coverage::NINE;
use landfall::json::{Value, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn each_of_the_nine_differs_from_its_twin_in_the_one_member_that_it_is_about() {
    let about = [
        "work_ledger_closeout_ref",
        "head_after",
        "unrelated_dirty_paths_staged",
        "live_git_mutation_authorized",
        "validation_refs",
        "absolute_private_path",
        "release_claim_authorized",
        "blocker_capture_ref",
        "validation_precedes_commit_attempt",
    ];
    let files = corpus();
    for ((id, _), member) in NINE.into_iter().zip(about) {
        let case = parse(&files[&format!("negative-cases/landing/{id}.json")]).expect("a case reads");
        let twin = case.get("twin").and_then(Value::as_str).expect("it has a twin");
        let (folder, run_id) = twin.split_once('/').expect("a folder and a run_id");
        let table = parse(&files[&format!("fixtures/{folder}/work_landing_runs.json")]).expect("the table reads");
        let rows = table.get("work_landing_runs").and_then(Value::elements).expect("rows");
        let named: Vec<_> = rows.iter().filter(|row| row.get("run_id").and_then(Value::as_str) == Some(run_id)).collect();
        let [twin] = named[..] else { panic!("{id}: {} rows are its twin", named.len()) };
        let input = case.get("input").expect("it has an input");
        let keys: BTreeSet<_> = twin.members().iter().chain(input.members()).map(|(key, _)| &**key).collect();
        let differing: Vec<_> = keys.into_iter().filter(|key| *key != "run_id" && twin.get(key) != input.get(key)).collect();
        assert_eq!(differing, [member], "{id}");
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of the corpus by its path, records included.
pub(crate) fn corpus() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open: Vec<PathBuf> = ["fixtures", "negative-cases"].map(|folder| root().join(folder)).to_vec();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("it lists") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root()).expect("it is below the root").to_str().expect("names are text").to_owned();
                files.insert(name, fs::read(&path).expect("it reads"));
            }
        }
    }
    assert!(files.len() > 150, "only {} files", files.len());
    // As blessed now: whether the blessed records are current is tests/records.rs's question, and a case
    // that was dropped in and not blessed yet must not hide its own test behind these.
    for (name, text) in landfall::cli::records_now(root(), &landfall::landing::RuleSet::all()).expect("the corpus is whole") {
        files.insert(format!("{RECORDS}{name}"), text.into_bytes());
    }
    files
}

pub(crate) const RECORDS: &str = "fixtures/records/";

/// Numbers that look random and are the same in every run (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.throw() % limit as u64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }
}
