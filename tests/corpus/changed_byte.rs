//! One changed byte anywhere in the corpus, and `check-corpus` has a fault that names the place.

use crate::{Dice, RECORDS, corpus};
use landfall::cli::records_now;
use landfall::corpus::digests::{CorpusDigests, DIGESTS_FILE, digest_all};
use landfall::corpus::faults::CorpusFault;
use landfall::corpus::parity::compare_records;
use landfall::edge::disk::DiskFolder;
use landfall::folder::MemoryFolder;
use landfall::json::to_canonical_text;
use landfall::landing::RuleSet;
use landfall::landing::record::InputDigest;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The digest list as it is blessed.
struct Blessed {
    list: CorpusDigests,
}

impl Blessed {
    fn of(files: &BTreeMap<String, Vec<u8>>) -> Self {
        let text = &files[&format!("{RECORDS}{DIGESTS_FILE}")];
        Self { list: serde_json::from_slice(text).expect("the list reads") }
    }

    fn place(&self, path: &str) -> usize {
        self.list.files.iter().position(|file| file.path == path).unwrap_or_else(|| panic!("{path} is not among the digests"))
    }

    /// What `check-corpus` says of the list when `path` holds `bytes`. A stretch of the list around the
    /// file stands for the whole, whose comparison takes a hundred times as long.
    fn faults(&self, path: &str, bytes: &[u8]) -> Vec<CorpusFault> {
        let place = self.place(path);
        let around = place.saturating_sub(3)..(place + 4).min(self.list.files.len());
        let stretch = CorpusDigests { files: self.list.files[around.clone()].to_vec(), ..self.list.clone() };
        let mut made = stretch.clone();
        made.files[place - around.start] = digest(path, bytes);
        let folder = |list: &CorpusDigests| {
            let mut folder = MemoryFolder::default();
            folder.file(DIGESTS_FILE, to_canonical_text(list));
            folder
        };
        compare_records(&folder(&stretch), &folder(&made), &RuleSet::all())
    }
}

/// The entry of a file in the list, as the list itself is made.
fn digest(path: &str, bytes: &[u8]) -> InputDigest {
    let (top, below) = path.split_once('/').expect("a path below a folder");
    let mut folder = MemoryFolder::default();
    folder.file(below, bytes);
    let mut made = digest_all(&[(top, &folder)], |_| false).expect("memory lists");
    assert_eq!((made.files.len(), made.unreadable.len()), (1, 0));
    made.files.remove(0)
}

fn flipped(bytes: &[u8], at: usize, bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1 << bit;
    bytes
}

/// First, last, middle, and two more.
fn places(length: usize, dice: &mut Dice) -> BTreeSet<usize> {
    let more: Vec<_> = (0..2).map(|_| dice.below(length)).collect();
    [0, length - 1, length / 2].into_iter().chain(more).collect()
}

#[track_caller]
fn names_it(faults: &[CorpusFault], path: &str, old: &InputDigest, new: &InputDigest) {
    let [fault] = faults else { panic!("{path}: {} faults", faults.len()) };
    assert_eq!((fault.code.as_str(), &*fault.place), ("CORPUS_RECORD_STALE", "records/corpus-digests.json"));
    says_both(fault, path, old, new);
}

#[track_caller]
fn says_both(fault: &CorpusFault, path: &str, old: &InputDigest, new: &InputDigest) {
    for said in [
        format!("\"path\": \"{path}\""),
        format!("-      \"sha256\": \"{}\"", old.sha256),
        format!("+      \"sha256\": \"{}\"", new.sha256),
    ] {
        assert!(fault.message.contains(&said), "{said} is not in\n{}", fault.message);
    }
}

#[test]
fn one_changed_byte_of_any_file_is_named() {
    let files = corpus();
    let blessed = Blessed::of(&files);
    let mut dice = Dice(1);
    let mut judged = 0;
    for (path, bytes) in files.iter().filter(|(path, _)| !path.starts_with(RECORDS)) {
        assert!(!bytes.is_empty(), "{path} has no byte to change");
        let old = digest(path, bytes);
        assert_eq!(blessed.list.files[blessed.place(path)], old, "unchanged it is as blessed");
        for at in places(bytes.len(), &mut dice) {
            let changed = flipped(bytes, at, dice.below(8));
            let new = digest(path, &changed);
            assert_ne!(old.sha256, new.sha256, "{path} at {at}");
            names_it(&blessed.faults(path, &changed), path, &old, &new);
        }
        judged += 1;
    }
    assert_eq!(judged, blessed.list.files.len(), "every digest has its file");
}

#[test]
fn every_byte_of_a_small_file_is_named() {
    let files = corpus();
    let blessed = Blessed::of(&files);
    let path = "fixtures/bundle/bundle_manifest.json";
    let bytes = &files[path];
    let old = digest(path, bytes);
    for at in 0..bytes.len() {
        let changed = flipped(bytes, at, at % 8);
        names_it(&blessed.faults(path, &changed), path, &old, &digest(path, &changed));
    }
    // Longer and shorter by one byte, and empty.
    for changed in [[&bytes[..], b"\n"].concat(), bytes[1..].to_vec(), Vec::new()] {
        names_it(&blessed.faults(path, &changed), path, &old, &digest(path, &changed));
    }
}

#[test]
fn one_changed_byte_of_a_record_is_named() {
    let files = corpus();
    let rules = RuleSet::all();
    let folder = |changed: Option<(&str, Vec<u8>)>| {
        let mut folder = MemoryFolder::default();
        for (path, bytes) in files.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(RECORDS)?, bytes))) {
            folder.file(path, &bytes[..]);
        }
        if let Some((path, bytes)) = changed {
            folder.file(path, bytes);
        }
        folder
    };
    // `records.rs` sees to it that these are what a replay makes.
    let made = folder(None);
    assert_eq!(compare_records(&made, &folder(None), &rules), []);
    let mut dice = Dice(2);
    for (path, bytes) in files.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(RECORDS)?, bytes))) {
        for at in places(bytes.len(), &mut dice) {
            let faults = compare_records(&folder(Some((path, flipped(bytes, at, dice.below(8))))), &made, &rules);
            let [fault] = &faults[..] else { panic!("{path} at {at}: {} faults", faults.len()) };
            assert_eq!((fault.code.as_str(), &*fault.place), ("CORPUS_RECORD_STALE", &*format!("records/{path}")));
            let shown = ["@@", "(not text", "(too long"].iter().any(|text| fault.message.contains(text));
            assert!(shown, "{}", fault.message);
        }
    }
}

/// A copy of the corpus on disk, replayed as `check-corpus` replays it.
struct Copy {
    root: tempfile::TempDir,
    rules: RuleSet,
}

impl Copy {
    fn of(files: &BTreeMap<String, Vec<u8>>) -> Self {
        let copy = Self { root: tempfile::tempdir().expect("a scratch folder"), rules: RuleSet::all() };
        files.iter().for_each(|(path, bytes)| copy.write(path, bytes));
        copy
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.root.path().join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folders");
        fs::write(path, bytes).expect("it writes");
    }

    fn faults(&self) -> (Vec<CorpusFault>, CorpusDigests) {
        let made = records_now(self.root.path(), &self.rules).expect("the copy is whole");
        let list = made.iter().find(|(name, _)| *name == DIGESTS_FILE).expect("the list is made");
        let list = serde_json::from_str(&list.1).expect("it reads");
        let mut folder = MemoryFolder::default();
        made.into_iter().for_each(|(name, text)| folder.file(name, text));
        let blessed = DiskFolder::open(&self.root.path().join(RECORDS)).expect("it opens");
        (compare_records(&blessed, &folder, &self.rules), list)
    }
}

#[test]
fn a_changed_byte_is_seen_from_the_disk_too() {
    let files = corpus();
    let copy = Copy::of(&files);
    assert_eq!(copy.faults().0, [], "unchanged, nothing is wrong");
    let blessed = Blessed::of(&files);
    // Every file at once: each has another digest than it had.
    let mut dice = Dice(3);
    for (path, bytes) in files.iter().filter(|(path, _)| !path.starts_with(RECORDS)) {
        copy.write(path, &flipped(bytes, dice.below(bytes.len()), dice.below(8)));
    }
    let (faults, list) = copy.faults();
    assert!(faults.iter().any(|fault| fault.place == "records/corpus-digests.json"), "{faults:?}");
    assert_eq!((list.files.len(), list.unreadable.len()), (blessed.list.files.len(), 0));
    for (old, new) in blessed.list.files.iter().zip(&list.files) {
        assert_eq!(old.path, new.path);
        assert_ne!(old.sha256, new.sha256, "{} has changed", old.path);
    }
    files.iter().for_each(|(path, bytes)| copy.write(path, bytes));
    // One of each sort, the others as they were: each is named, and what a replay reads by its own record too.
    let changes = [
        ("fixtures/first-wave/evidence/reflog.txt", Some("result"), "corpus/evidence/reflog.txt"),
        ("fixtures/bundle/source_modules/tools/meta/factory/work_ledger.py", Some("bundle-result"), "work_ledger.py"),
        ("fixtures/control-plane/tools/meta/factory/work_ledger.py", None, ""),
        ("negative-cases/landing/history_rewritten.json", Some("result"), "negatives/history_rewritten.json"),
    ];
    files.iter().for_each(|(path, bytes)| copy.write(path, bytes));
    for (path, ..) in changes {
        copy.write(path, &flipped(&files[path], files[path].len() - 1, 0));
    }
    let (faults, list) = copy.faults();
    let fault_of = |record: &str| faults.iter().find(|fault| fault.place == format!("records/{record}.json")).expect("the record is stale");
    for (path, record, shown) in changes {
        let place = blessed.place(path);
        says_both(fault_of("corpus-digests"), path, &blessed.list.files[place], &list.files[place]);
        if let Some(record) = record {
            assert!(fault_of(record).message.contains(shown), "{}", fault_of(record).message);
        }
    }
    let changed = blessed.list.files.iter().zip(&list.files).filter(|(old, new)| old != new).count();
    assert_eq!(changed, changes.len());
}

#[test]
fn a_file_more_or_less_is_named() {
    let files = corpus();
    let text = &files[&format!("{RECORDS}{DIGESTS_FILE}")];
    let list_of = |files: &BTreeMap<String, Vec<u8>>| {
        let [fixtures, negatives] = ["fixtures/", "negative-cases/"].map(|top| {
            let mut folder = MemoryFolder::default();
            files
                .iter()
                .filter_map(|(path, bytes)| Some((path.strip_prefix(top)?, bytes)))
                .for_each(|(path, bytes)| folder.file(path, &bytes[..]));
            folder
        });
        let list =
            digest_all(&[("fixtures", &fixtures), ("negative-cases", &negatives)], |path| path.starts_with(RECORDS)).expect("memory lists");
        let (mut blessed, mut made) = (MemoryFolder::default(), MemoryFolder::default());
        blessed.file(DIGESTS_FILE, &text[..]);
        made.file(DIGESTS_FILE, to_canonical_text(&list));
        compare_records(&blessed, &made, &RuleSet::all())
    };
    assert_eq!(list_of(&files), []);
    let path = "negative-cases/landing/lane_duplicate.json";
    let mut less = files.clone();
    less.remove(path);
    assert!(list_of(&less)[0].message.contains(&format!("-      \"path\": \"{path}\"")), "{:?}", list_of(&less));
    let mut more = files.clone();
    more.insert("fixtures/control-plane/new.py".to_owned(), b"pass\n".to_vec());
    assert!(list_of(&more)[0].message.contains("+      \"path\": \"fixtures/control-plane/new.py\""), "{:?}", list_of(&more));
}
