//! `replay`: its records are of one run, or the result is not of that run.

use crate::folders::{copies, copy, tree, write};
use crate::landfall_binary::landfall;
use crate::trace::{Ended, killed_before};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// The records in the order in which they are replaced.
const ORDER: [&str; 4] = ["board.json", "validation.json", "negative-coverage.json", "result.json"];
const LOCK: &str = ".landfall.lock";

/// Two corpora that differ in a row, and what a replay of each writes.
struct Scene {
    root: tempfile::TempDir,
    older: BTreeMap<PathBuf, Vec<u8>>,
    newer: BTreeMap<PathBuf, Vec<u8>>,
}

/// What lies in a folder, by its name there.
fn inside(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    tree(folder).into_iter().map(|(path, bytes)| (path.strip_prefix(folder).expect("it lies there").to_owned(), bytes)).collect()
}

impl Scene {
    fn new() -> Self {
        let root = copies(&["examples/foreign-crate/landing"]);
        let at = |path: &str| root.path().join(path);
        fs::rename(at("examples/foreign-crate/landing"), at("older")).expect("it moves");
        copy(&at("older"), &at("newer"));
        // Without rows and without one of the cases every record is another.
        write(&at("older/work_landing_runs.json"), "{\"work_landing_runs\": []}");
        fs::remove_file(at("older/negative-cases/dirty_tree_boundary_missing.json")).expect("it goes");
        let records = |corpus: &str, exit| {
            let out = root.path().join(format!("{corpus}-records"));
            landfall(&["replay", "--corpus", corpus, "--out"]).arg(&out).at(root.path()).ends_with(exit);
            inside(&out)
        };
        let (older, newer) = (records("older", 1), records("newer", 0));
        assert!(ORDER.iter().all(|name| older[Path::new(name)] != newer[Path::new(name)]), "each record names what it is of");
        assert_eq!(newer.len(), ORDER.len() + 1, "the records and their lock");
        Self { root, older, newer }
    }

    fn out(&self) -> PathBuf {
        self.root.path().join("out")
    }

    /// What a killed replay of the newer corpus may leave of the `before`; how many records are of the newer.
    #[track_caller]
    fn is_whole(&self, before: &BTreeMap<PathBuf, Vec<u8>>, write: usize) -> usize {
        let left = if self.out().exists() { inside(&self.out()) } else { BTreeMap::new() };
        let is_new: Vec<bool> = ORDER
            .iter()
            .map(|name| {
                let (name, found) = (Path::new(name), left.get(Path::new(name)));
                let is_new = found == self.newer.get(name);
                assert!(is_new || found == before.get(name), "{} is torn by a kill before write {write}", name.display());
                is_new
            })
            .collect();
        assert!(is_new.is_sorted_by(|earlier, later| earlier >= later), "the result comes last: {is_new:?}");
        is_new.into_iter().filter(|is_new| *is_new).count()
    }
}

/// A replay over records of another run, or into no folder, killed before each of its writes.
fn killed_at_every_write(is_over_others: bool) {
    let scene = Scene::new();
    let (root, out) = (scene.root.path(), scene.out());
    let before = if is_over_others { scene.older.clone() } else { BTreeMap::new() };
    let mut seen = Vec::new();
    for write in 0.. {
        let _ = fs::remove_dir_all(&out);
        if is_over_others {
            copy(&root.join("older-records"), &out);
        }
        let ended = killed_before(write, &["replay", "--corpus", "newer", "--out", "out"], root, &root.join("said"));
        seen.push(scene.is_whole(&before, write));
        if ended == Ended::Killed {
            // Of some records and some others nobody makes a report.
            if (1..ORDER.len()).contains(seen.last().expect("it was looked at")) && is_over_others {
                let ran = landfall(&["report", "out"]).at(root).run();
                assert!(ran.code.is_some_and(|code| code != 0) && !ran.err.is_empty(), "a report of two runs: {ran:#?}");
            }
            landfall(&["replay", "--corpus", "newer", "--out", "out"]).at(root).ends_with(0);
        } else {
            assert_eq!(ended, Ended::Exited(0));
        }
        assert_eq!(inside(&out), scene.newer, "after a kill before write {write} the next run leaves what any run leaves");
        if ended != Ended::Killed {
            break;
        }
    }
    // A write, a flush and a name for each record: else something was not seen.
    assert!(seen.len() > 3 * ORDER.len(), "{seen:?}");
    assert!((0..=ORDER.len()).all(|count| seen.contains(&count)), "killed between any two records: {seen:?}");
}

#[test]
fn a_replay_over_others_records_is_killed_at_every_write() {
    killed_at_every_write(true);
}

#[test]
fn a_replay_into_no_folder_is_killed_at_every_write() {
    killed_at_every_write(false);
}

#[test]
fn eight_replays_at_once_leave_the_records_of_one() {
    let scene = Scene::new();
    thread::scope(|scope| {
        for number in 0..8 {
            let ((corpus, exit), root) = ([("older", 1), ("newer", 0)][number % 2], scene.root.path());
            scope.spawn(move || landfall(&["replay", "--corpus", corpus, "--out", "out"]).at(root).ends_with(exit));
        }
    });
    let left = inside(&scene.out());
    assert!(left == scene.older || left == scene.newer, "{:?}", left.keys());
    assert!(left.contains_key(Path::new(LOCK)));
}
