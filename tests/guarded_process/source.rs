//! P1: one place in the crate starts processes, and no shell is named anywhere. Read from the source.

use std::fs;
use std::path::{Path, PathBuf};

/// The one place.
const PLACE: &str = "src/edge/process/run.rs";

/// Ways to make a process.
const MAKERS: [&str; 8] = ["Command::new", "process::Command", "posix_spawn", "fork(", "execv", "pre_exec", ".exec()", "libc::system"];

/// Names of shells, as a literal.
const SHELLS: [&str; 10] =
    ["\"sh\"", "\"bash\"", "\"dash\"", "\"zsh\"", "\"cmd\"", "\"cmd.exe\"", "\"powershell\"", "/bin/sh\"", "/bin/bash\"", "/env\""];

/// Each line below `folder` that holds one of `words`, comments left out: `path: line`.
fn lines_with(folder: &Path, words: &[&str]) -> (usize, Vec<(String, String)>) {
    let (mut files, mut found, mut open) = (0, Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files += 1;
            let text = fs::read_to_string(&path).unwrap();
            let code = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
            let hits = code.filter(|line| words.iter().any(|word| line.contains(word)));
            found.extend(hits.map(|line| (name(&path), line.to_owned())));
        }
    }
    (files, found)
}

fn name(path: &Path) -> String {
    path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display().to_string()
}

fn source(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

#[test]
fn processes_are_made_in_one_place() {
    let (files, mut found) = lines_with(&source("src"), &MAKERS);
    assert!(files > 100, "the source was not read");
    // clap calls what it parses a command, too; it starts none.
    found.retain(|(_, line)| !line.contains("clap::Command::new"));
    let elsewhere: Vec<_> = found.iter().filter(|(path, _)| path != PLACE).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
    let here: Vec<&str> = found.iter().filter(|(_, line)| line.contains("Command::new")).map(|(_, line)| line.as_str()).collect();
    assert_eq!(here, ["Command::new(start.program())"], "one start, of a program that is a value");
}

#[test]
fn no_shell_is_named_and_no_program_is_a_literal() {
    for folder in ["src", "xtask/src"] {
        let (files, mut found) = lines_with(&source(folder), &SHELLS);
        // A recorded session names its tools; what reads sessions makes no process, as the test above holds.
        found.retain(|(path, _)| !path.starts_with("src/import/"));
        // A key of a recorded call names a field, and no program.
        found.retain(|(_, line)| SHELLS.iter().any(|shell| line.replace("\"cmd\":", "").contains(shell)));
        assert!(files > 0 && found.is_empty(), "{found:#?}");
    }
    let (_, mut literal) = lines_with(&source("src"), &["Command::new(\""]);
    literal.retain(|(_, line)| !line.contains("clap::Command::new"));
    assert!(literal.is_empty(), "{literal:#?}");
    // The control: this very file names them.
    assert!(!lines_with(&source("tests/guarded_process"), &SHELLS).1.is_empty());
}
