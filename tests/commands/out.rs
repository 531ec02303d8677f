//! Where records go: an output that cannot be had leaves nothing half written and nothing overwritten.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use crate::folders::{copies, names, repository, scratch, shipped, tree, write};
use crate::landfall_binary::landfall;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A run that passes, into `out`.
fn replay_into(out: &Path, exit: i32) -> String {
    let ran = landfall(&["replay"]).with("--corpus", shipped("examples/foreign-crate/landing")).with("--out", out).ends_with(exit);
    if exit == 3 {
        assert_eq!(ran.out, "", "no verdict without its records");
        assert!(ran.err.starts_with("landfall: ") && ran.err.ends_with('\n'), "{}", ran.err);
    }
    ran.err
}

#[test]
fn a_folder_that_is_not_there_is_made() {
    let root = scratch();
    replay_into(&root.path().join("a/b/c"), 0);
    assert_eq!(names(&root.path().join("a/b/c")), ["board.json", "negative-coverage.json", "result.json", "validation.json"]);
}

#[test]
fn by_default_records_lie_below_the_target_folder() {
    let root = repository();
    landfall(&["replay"]).at(root.path()).ends_with(0);
    assert_eq!(names(&root.path().join("target/landfall")), crate::replay::RECORDS);
}

#[test]
fn an_output_that_cannot_be_had_is_exit_three_and_writes_nothing() {
    let root = scratch();
    let at = |path: &str| root.path().join(path);
    write(&at("file"), "not a folder");
    write(&at("input.json"), "an input");
    fs::create_dir_all(at("folder-in-the-way/result.json")).expect("folders");
    fs::create_dir_all(at("link-in-the-way")).expect("folders");
    symlink("../input.json", at("link-in-the-way/validation.json")).expect("a link");
    fs::create_dir_all(at("lock-is-a-folder/.landfall.lock")).expect("folders");
    fs::create_dir_all(at("fifo-in-the-way")).expect("folders");
    fifo(&at("fifo-in-the-way/board.json"));
    let before = tree(root.path());
    for path in ["file", "file/below", "folder-in-the-way", "link-in-the-way", "lock-is-a-folder", "fifo-in-the-way"] {
        let said = replay_into(&at(path), 3);
        assert!(said.contains("no record, no verdict"), "{path}: {said}");
    }
    let mut after = tree(root.path());
    after.retain(|path, _| !path.ends_with(".landfall.lock") || before.contains_key(path));
    assert_eq!(before, after);
    if cfg!(target_os = "linux") {
        replay_into(Path::new("/proc/landfall"), 3);
    }
    replay_into(Path::new("/dev/null/landfall"), 3);
}

#[test]
fn a_lock_that_is_a_pipe_does_not_hang() {
    let root = scratch();
    fifo(&root.path().join(".landfall.lock"));
    replay_into(root.path(), 3);
}

#[test]
fn a_lock_that_is_a_link_is_not_followed() {
    let root = scratch();
    symlink("elsewhere", root.path().join(".landfall.lock")).expect("a link");
    replay_into(root.path(), 3);
    assert!(!root.path().join("elsewhere").exists(), "a file was made where the link leads");
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
}

#[test]
fn records_are_never_written_among_the_inputs() {
    let root = repository();
    let at = |path: &str| root.path().join(path);
    symlink("fixtures/first-wave", at("link")).expect("a link");
    let before = tree(root.path());
    let try_out = |arguments: &[(&str, PathBuf)], out: PathBuf| {
        let ran = arguments
            .iter()
            .fold(landfall(&["replay"]), |run, (option, path)| run.with(option, path))
            .at(root.path())
            .with("--out", &out)
            .run();
        (ran.code, ran.err, out)
    };
    let corpus = || ("--corpus", at("fixtures/first-wave"));
    let negatives = || ("--negatives", at("negative-cases"));
    let bundle = || ("--bundle", at("fixtures/bundle"));
    for (code, err, out) in [
        try_out(&[corpus()], at("fixtures/first-wave")),
        try_out(&[corpus()], at("fixtures/first-wave/evidence")),
        try_out(&[corpus()], at("fixtures/first-wave/evidence/new")),
        try_out(&[corpus()], at("fixtures/first-wave/negative-cases")),
        try_out(&[corpus()], at("link")),
        try_out(&[corpus()], at("link/evidence")),
        try_out(&[corpus()], at("fixtures/bundle/../first-wave")),
        try_out(&[("--corpus", at("link"))], at("fixtures/first-wave")),
        try_out(&[corpus()], PathBuf::from("fixtures/first-wave/./")),
        try_out(&[corpus(), negatives()], at("negative-cases")),
        try_out(&[bundle()], at("fixtures/bundle")),
        try_out(&[bundle()], at("fixtures/bundle/source_modules/new")),
        try_out(&[], at("fixtures/first-wave")),
        try_out(&[], at("fixtures/bundle/evidence")),
    ] {
        assert_eq!(code, Some(3), "{}: {err}", out.display());
        assert!(err.contains("records would be written among the inputs") && err.contains("choose another --out"), "{err}");
    }
    assert_eq!(before, tree(root.path()));
}

#[test]
fn records_are_never_written_among_the_cases() {
    let root = repository();
    let at = |path: &str| root.path().join(path);
    let before = tree(root.path());
    for out in ["negative-cases/landing", "negative-cases/landing/new"] {
        landfall(&["replay"]).at(root.path()).with("--out", out).ends_with(3);
    }
    for out in ["negative-cases/landing", "negative-cases/landing/new"] {
        let replay = landfall(&["replay"]).with("--corpus", at("fixtures/first-wave")).with("--negatives", at("negative-cases"));
        replay.with("--out", at(out)).ends_with(3);
    }
    assert_eq!(before, tree(root.path()));
}

#[test]
fn a_way_around_a_folder_that_is_not_there_leads_to_the_inputs_too() {
    let root = copies(&["examples/foreign-crate/landing"]);
    let corpus = root.path().join("examples/foreign-crate/landing");
    let before = tree(root.path());
    landfall(&["replay"]).with("--corpus", &corpus).with("--out", corpus.join("not-there/..")).ends_with(3);
    assert_eq!(before, tree(root.path()));
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "no /dev/full here")]
fn a_result_that_cannot_be_printed_is_no_pass() {
    for arguments in [&["explain"][..], &["explain", "lane_unknown"], &["check-corpus", "--bundle", "fixtures/bundle"], &["check", "json"]]
    {
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" \"$@\" > /dev/full", env!("CARGO_BIN_EXE_landfall")]).args(arguments).current_dir(shipped(""));
        let ran = crate::process::run(command, b"{}", std::time::Duration::from_secs(60)).ends_with(3);
        assert!(ran.err.contains("could not write the result"), "{arguments:?}: {}", ran.err);
    }
}
