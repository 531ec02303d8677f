//! `ledger import`: all of a file or none of it; one by one, what was acknowledged and at most one more.

use crate::landfall_binary::landfall;
use crate::trace::{Ended, killed_before};
use std::fs;
use std::path::Path;
use std::thread;

/// The operations of a ledger that another machine keeps, as it exported them.
fn operations(root: &Path) -> String {
    fs::write(root.join("records.jsonl"), records("o", 4)).expect("it writes");
    landfall(&["ledger", "import", "records.jsonl", "--db-path", "other.db"]).at(root).ends_with(0);
    landfall(&["ledger", "export", "--db-path", "other.db"]).at(root).ends_with(0).out
}

fn records(name: &str, count: usize) -> String {
    (0..count).map(|number| format!("{{\"type\":\"swarm_directive\",\"directive_id\":\"{name}-{number}\"}}\n")).collect()
}

/// What a ledger holds, line by line; it is sound. None where there is no ledger yet.
#[track_caller]
fn exported(root: &Path) -> Vec<String> {
    if !root.join("l.db").exists() {
        return Vec::new();
    }
    // Of an empty one it is said that nothing is there.
    let fine = |command: &[&str]| {
        let ran = landfall(command).at(root).run();
        assert!(matches!(ran.code, Some(0 | 4)), "{ran:#?}");
        ran.out
    };
    fine(&["ledger", "check", "--db-path", "l.db"]);
    let exported = fine(&["ledger", "export", "--db-path", "l.db"]);
    exported.lines().map(str::to_owned).collect()
}

/// Runs an import with each of its writes as its last, over what `before` makes; hands what is left to `check`.
fn killed_at_every_write(arguments: &[&str], root: &Path, before: impl Fn(), mut check: impl FnMut(usize, Ended)) {
    for write in 0.. {
        for entry in fs::read_dir(root).expect("it lists") {
            let path = entry.expect("an entry").path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().contains("l.db")) {
                fs::remove_file(path).expect("it goes");
            }
        }
        before();
        let ended = killed_before(write, arguments, root, &root.join("said"));
        check(write, ended);
        if ended != Ended::Killed {
            assert_eq!(ended, Ended::Exited(0));
            // A page, its journal and their flushes: else something was not seen.
            assert!(write > 8, "only {write} writes");
            return;
        }
    }
}

#[test]
fn an_import_that_is_killed_at_any_write_took_all_or_nothing() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let root = scratch.path();
    fs::write(root.join("operations.jsonl"), operations(root)).expect("it writes");
    fs::write(root.join("first.jsonl"), records("first", 2)).expect("it writes");
    let import = ["ledger", "import", "operations.jsonl", "--db-path", "l.db"];
    landfall(&["ledger", "import", "first.jsonl", "--db-path", "kept.db"]).at(root).ends_with(0);
    let kept = || {
        fs::copy(root.join("kept.db"), root.join("l.db")).expect("it copies");
    };
    kept();
    let first = exported(root);
    landfall(&import).at(root).ends_with(0);
    let all = exported(root);
    assert_eq!((first.len(), all.len()), (2, 6));
    let mut seen = Vec::new();
    killed_at_every_write(&import, root, kept, |write, ended| {
        let left = exported(root);
        assert!(left == first || left == all, "killed before write {write}: {} operations", left.len());
        seen.push(left.len());
        if ended == Ended::Killed {
            landfall(&import).at(root).ends_with(0);
        }
        assert_eq!(exported(root), all, "killed before write {write}, then imported again");
    });
    assert!(seen.contains(&2) && seen.contains(&6), "{seen:?}");
}

#[test]
fn what_was_acknowledged_before_any_kill_is_there() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let root = scratch.path();
    let lines = records("new", 2);
    fs::write(root.join("new.jsonl"), &lines).expect("it writes");
    let import = ["ledger", "import", "new.jsonl", "--acknowledge", "--db-path", "l.db"];
    // Into no ledger at all, so that making one is killed, too.
    killed_at_every_write(
        &import,
        root,
        || {},
        |write, ended| {
            let said = fs::read_to_string(root.join("said")).expect("it was kept");
            let left = exported(root);
            assert!(
                (said.lines().count()..=said.lines().count() + 1).contains(&left.len()),
                "killed before write {write}: {said} {left:?}"
            );
            assert!(said.lines().all(|line| left.iter().any(|kept| kept.contains(&line[8..line.len() - 2]))), "{said} {left:?}");
            if ended == Ended::Killed {
                landfall(&import).at(root).ends_with(0);
                assert_eq!(exported(root).len(), left.len() + 2, "killed before write {write}");
            }
        },
    );
}

#[test]
fn eight_imports_at_once_are_one() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let root = scratch.path();
    let operations = operations(root);
    fs::write(root.join("operations.jsonl"), &operations).expect("it writes");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| landfall(&["ledger", "import", "operations.jsonl", "--db-path", "l.db"]).at(root).ends_with(0));
        }
    });
    assert_eq!(exported(root), operations.lines().collect::<Vec<_>>());
}
