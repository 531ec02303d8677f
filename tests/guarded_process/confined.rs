//! A child that confined itself can no longer do what it says it gave up. The child is this test binary, started as
//! one of its own ignored tests.

use crate::scene::Scene;
use landfall::edge::confine::confine;
use landfall::execution::start::{Enforced, Network, REPORT_PREFIX, Requested, Strength};
use rustix::process::{getppid, test_kill_process};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::process::Command;

/// What a child tries, and whether it could.
fn tries(port: u16) -> [(&'static str, bool); 6] {
    [
        ("read-outside", File::open("/etc/passwd").and_then(|mut file| file.read(&mut [0; 8])).is_ok()),
        ("write-outside", fs::write("../outside", "x").is_ok()),
        ("write-inside", fs::write("inside", "x").is_ok()),
        ("run", Command::new("/bin/true").status().is_ok()),
        ("connect", TcpStream::connect(("127.0.0.1", port)).is_ok()),
        ("signal", getppid().is_some_and(|parent| test_kill_process(parent).is_ok())),
    ]
}

fn child(requested: Option<&Requested>) {
    let port = fs::read_to_string("port").unwrap().parse().unwrap();
    if let Some(requested) = requested {
        println!("\n{}", confine(requested).report());
    }
    tries(port).iter().for_each(|(name, could)| println!("tried {name} {could}"));
    // Last: who is held to a limit is killed for it.
    println!("tried big-file {}", File::create("big").and_then(|file| file.set_len(2 << 30)).is_ok());
}

#[test]
#[ignore = "a child of the tests below"]
fn child_unconfined() {
    child(None);
}

#[test]
#[ignore = "a child of the tests below"]
fn child_alone() {
    child(Some(&Requested::alone()));
}

#[test]
#[ignore = "a child of the tests below"]
fn child_in_folder() {
    child(Some(&Requested::in_folder()));
}

fn run(child: &str) -> (Option<Enforced>, BTreeMap<String, bool>) {
    let scene = Scene::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    fs::write(scene.root().join("port"), listener.local_addr().unwrap().port().to_string()).unwrap();
    let own = std::env::current_exe().unwrap();
    let ended = scene.run(&own, &["--exact", &format!("confined::{child}"), "--ignored", "--nocapture"], 20.0);
    let line = ended.stdout_tail.lines().find(|line| line.starts_with(REPORT_PREFIX));
    let tried = ended.stdout_tail.lines().filter_map(|line| {
        let mut words = line.strip_prefix("tried ")?.split(' ');
        Some((words.next()?.to_owned(), words.next()? == "true"))
    });
    let tried: BTreeMap<String, bool> = tried.collect();
    let killed_for_size = ended.exit_code == 128 + 25;
    assert_eq!(tried.len(), 7 - usize::from(killed_for_size), "the child tried all: {ended:?}");
    (line.and_then(|line| Enforced::from_report(line.as_bytes())), tried)
}

/// Whether something that is enforced here could be tried; says so when it could not.
fn holds(enforced: bool, what: &str) -> bool {
    if !enforced {
        println!("not run: {what} cannot be enforced on this system, and the child says so");
    }
    enforced
}

#[test]
fn without_confinement_everything_is_possible() {
    let (report, tried) = run("child_unconfined");
    assert_eq!(report, None);
    assert!(tried.values().all(|could| *could), "{tried:?}");
}

#[test]
fn alone_nothing_is_possible_that_is_said_to_be_given_up() {
    let (report, tried) = run("child_alone");
    let report = report.expect("the child reports");
    println!("{report:?}");
    if holds(report.files == Strength::FullyEnforced, "that no file can be opened") {
        for name in ["read-outside", "write-outside", "write-inside", "run", "signal", "big-file"] {
            assert!(!tried[name], "{name}: {tried:?}");
        }
    }
    if holds(report.network != Network::Open, "that there is no network") {
        assert!(!tried["connect"], "{tried:?}");
    }
    assert!(report.no_new_privileges);
    assert!(report.no_capabilities);
}

#[test]
fn in_its_folder_a_child_writes_there_and_nowhere_else() {
    let (report, tried) = run("child_in_folder");
    let report = report.expect("the child reports");
    assert!(tried["write-inside"], "{tried:?}");
    assert!(!tried.contains_key("big-file"), "it was killed for the size of a file: {tried:?}");
    if holds(report.files == Strength::FullyEnforced, "that only the folder can be opened") {
        for name in ["read-outside", "write-outside", "run", "signal"] {
            assert!(!tried[name], "{name}: {tried:?}");
        }
    }
    if holds(report.network != Network::Open, "that there is no network") {
        assert!(!tried["connect"], "{tried:?}");
    }
}
