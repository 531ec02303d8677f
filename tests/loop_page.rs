//! `docs/loop.md` is tried: each command line of its console blocks runs in one folder, and prints what
//! the page says.
#![cfg(feature = "cli")]
#![expect(clippy::disallowed_methods, reason = "a test reads the page and starts the binary")]

use clap::CommandFactory;
use landfall::cli::Arguments;
use std::path::Path;
use std::process::{Command, Stdio};

/// What stands for any text, and on a line of its own for any lines.
const ANYTHING: &str = "…";

/// A command of the page.
#[derive(Debug, PartialEq, Eq)]
struct Walked {
    /// The words behind the prompt.
    command: String,
    exit: i32,
    /// The lines shown.
    shown: Vec<String>,
}

/// The commands of all console blocks, in order.
fn walk(page: &str) -> Vec<Walked> {
    let mut walked: Vec<Walked> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            let (command, exit) = match command.split_once("  # exits with ") {
                Some((command, exit)) => (command, exit.parse().expect("an exit code is a number")),
                None => (command, 0),
            };
            walked.push(Walked { command: command.to_owned(), exit, shown: Vec::new() });
        } else if inside {
            walked.last_mut().expect("a command stands before what it prints").shown.push(line.to_owned());
        }
    }
    walked
}

/// Whether a line is what the page shows.
fn is_line(shown: &str, line: &str) -> bool {
    let Some((head, rest)) = shown.split_once(ANYTHING) else { return shown == line };
    let Some(line) = line.strip_prefix(head) else { return false };
    let places = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    places.into_iter().any(|at| is_line(rest, &line[at..]))
}

/// Whether lines are what the page shows.
fn are_lines(shown: &[String], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == ANYTHING => (0..=lines.len()).any(|skipped| are_lines(rest, &lines[skipped..])),
        Some((first, rest)) => lines.split_first().is_some_and(|(line, below)| is_line(first, line) && are_lines(rest, below)),
    }
}

fn page() -> Vec<Walked> {
    walk(&std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/loop.md")).expect("it reads"))
}

#[test]
fn every_line_of_the_page_does_what_it_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut variables, mut ran) = (Vec::new(), 0);
    for Walked { command, exit, shown } in page() {
        if let Some((name, value)) = command.strip_prefix("export ").and_then(|variable| variable.split_once('=')) {
            variables.push((name.to_owned(), value.to_owned()));
            continue;
        }
        let arguments = command.strip_prefix("landfall ").unwrap_or_else(|| panic!("`{command}` starts another program"));
        let output = Command::new(env!("CARGO_BIN_EXE_landfall"))
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .env_remove("LANDFALL_LEDGER")
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .output()
            .expect("the binary starts");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(exit), "{command}\n{out}{err}");
        assert!(are_lines(&shown, &out.lines().collect::<Vec<_>>()), "{command} printed\n{out}where the page shows\n{}", shown.join("\n"));
        ran += 1;
    }
    assert!(ran > 15, "only {ran} commands were tried");
}

#[test]
fn the_page_has_every_verb_of_the_loop() {
    let walked = page();
    let arguments = Arguments::command();
    let verbs = arguments.find_subcommand("loop").expect("there is a loop").get_subcommands();
    for verb in verbs.map(|verb| format!("landfall loop {} ", verb.get_name())) {
        assert!(walked.iter().any(|walked| format!("{} ", walked.command).starts_with(&verb)), "docs/loop.md shows no `{verb}`");
    }
}

#[test]
fn what_a_page_shows_is_held_against_all_that_is_printed() {
    let page = "$ no\n```console\n$ a b  # exits with 4\nx=… y\n…\nend\n$ c\n```\n$ no\n";
    let walked = walk(page);
    assert_eq!(walked.len(), 2);
    assert_eq!((walked[0].command.as_str(), walked[0].exit, walked[1].exit), ("a b", 4, 0));
    for lines in [&["x=1 y", "end"][..], &["x= y y", "more", "end", "end"]] {
        assert!(are_lines(&walked[0].shown, lines), "{lines:?}");
    }
    for lines in [&[][..], &["x=1 y"], &["x=1 z", "end"], &["x=1 y", "end", "more"], &["y", "end"]] {
        assert!(!are_lines(&walked[0].shown, lines), "{lines:?}");
    }
    assert!(are_lines(&walked[1].shown, &[]) && !are_lines(&walked[1].shown, &["c"]), "what prints nothing shows nothing");
}
