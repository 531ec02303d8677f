//! `init`: a corpus for one's own repository.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use crate::folders::{edit, json, names, read, scratch, tree, write};
use crate::landfall_binary::landfall;
use crate::process::{Ran, run};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

#[test]
fn a_new_corpus_replays_green_and_is_judged_with_its_own_cases() {
    let root = scratch();
    let ran = landfall(&["init"]).at(root.path()).ends_with(0);
    assert!(ran.out.contains("landfall replay --corpus landing"), "{}", ran.out);
    let corpus = root.path().join("landing");
    assert_eq!(
        names(&corpus),
        [
            "README.md",
            "ci-snippet.yml",
            "ci.sh",
            "hooks",
            "landing_policy.json",
            "negative-cases",
            "projection_protocol.json",
            "work_landing_runs.json"
        ]
    );
    assert_eq!(names(&corpus.join("negative-cases")).len(), 9);
    let ran = landfall(&["replay", "--corpus", "landing"]).at(root.path()).ends_with(0);
    assert_eq!(ran.err, "", "its own cases are used");
    assert!(ran.out.contains("9 of 9 caught"), "{}", ran.out);
    let result = json(&root.path().join("target/landfall/result.json"));
    assert_eq!((&result["status"], &result["run_count"]), (&"pass".into(), &1.into()));
    // Nothing of it refers to where landfall itself lies.
    for (path, bytes) in tree(&corpus) {
        let text = String::from_utf8(bytes).expect("it is text");
        assert!(
            !text.contains("$schema") && !text.contains("\"twin\"") && !text.contains(env!("CARGO_MANIFEST_DIR")),
            "{}",
            path.display()
        );
    }
}

#[test]
fn the_snippet_runs_what_the_screen_says() {
    let root = scratch();
    let ran = landfall(&["init", "evidence/landing", "--format", "json"]).at(root.path()).ends_with(0);
    let said: Value = serde_json::from_str(&ran.out).expect("one JSON object");
    let mut written: Vec<_> = said["written"].as_array().expect("a list").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    written.sort();
    let folder = root.path().join("evidence/landing");
    let mut found: Vec<_> = tree(&folder)
        .into_keys()
        .filter(|path| path.is_file())
        .map(|path| path.strip_prefix(&folder).expect("it is below").display().to_string())
        .collect();
    found.sort();
    assert_eq!(written, found);
    assert!(read(&folder.join("ci-snippet.yml")).contains("landfall replay --corpus evidence/landing "));
}

#[test]
fn nothing_that_is_there_is_overwritten() {
    let root = scratch();
    for there in ["landing_policy.json", "negative-cases/uncaptured_blocker.json", "README.md"] {
        let folder = root.path().join(there.replace('/', "_"));
        write(&folder.join(there), "mine");
        let before = tree(&folder);
        let ran = landfall(&["init"]).arg(&folder).ends_with(3);
        assert!(ran.err.contains(there) && ran.err.contains("nothing is overwritten"), "{}", ran.err);
        assert_eq!(before, tree(&folder), "nothing is written beside it either");
    }
    landfall(&["init", "twice"]).at(root.path()).ends_with(0);
    let before = tree(root.path());
    landfall(&["init", "twice"]).at(root.path()).ends_with(3);
    write(&root.path().join("file"), "not a folder");
    landfall(&["init", "file"]).at(root.path()).ends_with(3);
    // A link that leads nowhere is there too.
    std::fs::create_dir(root.path().join("linked")).expect("a folder");
    std::os::unix::fs::symlink("nowhere", root.path().join("linked/README.md")).expect("a link");
    landfall(&["init", "linked"]).at(root.path()).ends_with(3);
    std::fs::remove_dir_all(root.path().join("linked")).expect("it is there");
    std::fs::remove_file(root.path().join("file")).expect("it is there");
    assert_eq!(before, tree(root.path()));
}

/// A script of a new corpus, run by a shell that finds the built binary.
fn script(root: &Path, path: &str, input: &str) -> Ran {
    let binary = Path::new(env!("CARGO_BIN_EXE_landfall")).parent().expect("it lies in a folder");
    let path_variable = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.arg(path).current_dir(root).env("PATH", format!("{}:{path_variable}", binary.display()));
    run(command, input.as_bytes(), Duration::from_secs(60))
}

#[test]
fn the_scripts_pass_what_holds_and_stop_what_does_not() {
    let root = scratch();
    landfall(&["init"]).at(root.path()).ends_with(0);
    let table = root.path().join("landing/work_landing_runs.json");
    let row = json(&table)["work_landing_runs"][0].to_string();
    script(root.path(), "landing/hooks/check-row.sh", &row).ends_with(0);
    let refused = script(root.path(), "landing/hooks/check-row.sh", &row.replace("ledger:1:closeout", "")).ends_with(2);
    assert!(refused.err.contains("WORK_LANDING_LEDGER_CLOSEOUT_MISSING") && refused.out.is_empty(), "{refused:?}");
    script(root.path(), "landing/hooks/check-row.sh", "").ends_with(2);

    script(root.path(), "landing/ci.sh", "").ends_with(0);
    let reports = ["junit.xml", "landfall.sarif", "landfall.html"];
    for name in reports {
        assert!(root.path().join("target/landfall").join(name).is_file(), "{name}");
    }
    edit(&table, "ledger:1:closeout", "");
    script(root.path(), "landing/ci.sh", "").ends_with(1);
    assert!(read(&root.path().join("target/landfall/junit.xml")).contains("<failure "));
    assert!(read(&root.path().join("target/landfall/landfall.sarif")).contains("landing/work_landing_runs.json"));
    std::fs::remove_file(&table).expect("it goes");
    std::fs::remove_dir_all(root.path().join("landing/negative-cases")).expect("they go");
    script(root.path(), "landing/ci.sh", "").ends_with(1);
}

#[test]
fn a_folder_with_an_odd_name_is_one_word_in_every_script() {
    let root = scratch();
    landfall(&["init", "a b'$(touch oops)"]).at(root.path()).ends_with(0);
    script(root.path(), "a b'$(touch oops)/ci.sh", "").ends_with(0);
    assert!(!root.path().join("oops").exists());
    assert!(!read(&root.path().join("a b'$(touch oops)/ci-snippet.yml")).contains('@'));
}
