//! `artifacts cleanup`: only what was to go is gone, and the next run takes the rest.

use crate::folders::{tree, write};
use crate::landfall_binary::landfall;
use crate::trace::{Ended, killed_before};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

const ARTIFACTS: &str = "data/cluster_runtime/latest/artifacts";
const VALID: &str = r#"{"type": "memory_replay_latest_summary", "status": "passed", "contract_ok": true}"#;
const OLD: [&str; 4] = ["a.json", "b.json", "c.json", "d.json"];
const CLEANUP: [&str; 5] = ["artifacts", "cleanup", "--retention-max-age-days", "1", "--execute-delete-local-artifacts"];

/// Four old artifacts, a fresh one, and an old file elsewhere.
fn lay_out(root: &Path) {
    let old = OLD.map(|name| root.join(ARTIFACTS).join(name));
    for path in old.iter().chain([&root.join("elsewhere/a.json")]) {
        write(path, VALID);
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000);
        fs::File::options().write(true).open(path).and_then(|file| file.set_modified(then)).expect("it has a time");
    }
    write(&root.join(ARTIFACTS).join("fresh.json"), VALID);
}

#[test]
fn a_cleanup_is_killed_at_every_write() {
    let mut left_over = Vec::new();
    for count in 0.. {
        let (scratch, said) = (tempfile::tempdir().expect("a scratch folder"), tempfile::tempdir().expect("a scratch folder"));
        let root = scratch.path();
        lay_out(root);
        let before = tree(root);
        let ended = killed_before(count, &CLEANUP, root, &said.path().join("said"));
        let after = tree(root);
        let is_old = |path: &Path| path.parent() == Some(&root.join(ARTIFACTS)) && !path.ends_with("fresh.json");
        for (path, bytes) in &before {
            assert!(after.get(path).map_or(is_old(path), |left| left == bytes), "{} after a kill before write {count}", path.display());
        }
        assert_eq!(after.keys().filter(|path| !before.contains_key(*path)).count(), 0, "nothing new is there");
        left_over.push(after.keys().filter(|path| is_old(path)).count());
        if ended == Ended::Killed {
            landfall(&CLEANUP).at(root).ends_with(0);
        }
        let mut wanted = before;
        wanted.retain(|path, _| !is_old(path));
        assert_eq!(tree(root), wanted, "killed before write {count}, then run again");
        if ended != Ended::Killed {
            assert_eq!(ended, Ended::Exited(0));
            break;
        }
    }
    assert!((0..=OLD.len()).all(|left| left_over.contains(&left)), "killed between any two removals: {left_over:?}");
}

#[test]
fn eight_cleanups_at_once_remove_what_one_would() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let root = scratch.path();
    lay_out(root);
    let mut wanted = tree(root);
    wanted.retain(|path, _| path.parent() != Some(&root.join(ARTIFACTS)) || path.ends_with("fresh.json"));
    thread::scope(|scope| {
        for _ in 0..8 {
            // One that came too late for a file says so; it does not say that it removed it.
            scope.spawn(|| assert!(matches!(landfall(&CLEANUP).at(root).run().code, Some(0 | 1))));
        }
    });
    assert_eq!(tree(root), wanted);
    landfall(&CLEANUP).at(root).ends_with(0);
}
