//! T3: nothing of the parent reaches a child but what is allowed.

use crate::scene::{Scene, five_programs, host, start};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::IsTerminal;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Command;

/// Prints the environment that it was given, not what a shell makes of it.
const PRINT: &str = "/bin/cat /proc/$$/environ; exit 0";

fn read(environ: &str) -> BTreeMap<String, String> {
    let pairs = environ.split_terminator('\0').map(|pair| pair.split_once('=').expect("a pair"));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

#[test]
fn each_of_the_five_sees_only_the_allowed_keys() {
    let scene = Scene::new();
    let mut host = host(&scene.script("program", PRINT));
    let given = [
        ("API_TOKEN", "t"),
        ("DB_PASSWORD", "p"),
        ("LD_PRELOAD", "/nowhere/x.so"),
        ("PYTHONSTARTUP", "/x.py"),
        ("RUST_LOG", "trace"),
        ("HOME", "/root"),
        ("PATH", "/usr/bin:/bin"),
        ("PYTHONPATH", "/py"),
        ("VIRTUAL_ENV", "/venv"),
        ("LANG", "C"),
        ("LC_ALL", "C"),
        ("TZ", "UTC"),
        ("PWD", "/somewhere/else"),
    ];
    host.environment = given.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    for program in five_programs() {
        let ended = start(&program.start(&host, &scene.root(), None).unwrap()).unwrap();
        let seen = read(&ended.stdout_tail);
        let keys: Vec<&str> = seen.keys().map(String::as_str).collect();
        assert_eq!(keys, ["LANG", "LC_ALL", "PATH", "PWD", "PYTHONPATH", "TZ", "VIRTUAL_ENV"], "{program:?}");
        assert_eq!(seen["PWD"], scene.root().display().to_string());
        assert_eq!(seen["PATH"], "/usr/bin:/bin");
    }
}

#[test]
fn what_this_process_has_beside_is_not_inherited() {
    let scene = Scene::new();
    let program = scene.script("program", PRINT);
    let inherited = Command::new(&program).output().unwrap();
    let control = read(&String::from_utf8(inherited.stdout).unwrap());
    assert!(control.contains_key("CARGO_MANIFEST_DIR"), "cargo gives a test more than is allowed");

    let seen = read(&scene.run(&program, &[], 5.0).stdout_tail);
    assert!(seen.keys().all(|key| landfall::execution::start::ALLOWED_KEYS.contains(&key.as_str())), "{seen:?}");
    assert_eq!(seen.get("PATH"), control.get("PATH"));
}

#[test]
fn a_child_has_three_streams_and_no_other_open_file() {
    let scene = Scene::new();
    // Open without close-on-exec, as a library in C, or our own parent, may leave a file.
    let leaked = rustix::io::dup(File::open("/etc/passwd").unwrap()).unwrap();
    let number = leaked.as_raw_fd().to_string();
    let list = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let control = Command::new("/bin/ls").arg("/proc/self/fd").output().unwrap();
    assert!(list(&String::from_utf8(control.stdout).unwrap()).contains(&number), "the file is inherited unless it is closed");

    let seen = scene.run(Path::new("/bin/ls"), &["/proc/self/fd"], 5.0).stdout_tail;
    // The fourth is the list itself, being read.
    assert_eq!(list(&seen), ["0", "1", "2", "3"]);
    drop(leaked);
}

#[test]
fn standard_input_is_empty_and_the_streams_are_no_terminal() {
    let scene = Scene::new();
    let ended = scene.run(Path::new("/bin/cat"), &[], 5.0);
    assert!(ended.is_clean() && ended.stdout_tail.is_empty(), "{ended:?}");
    let ended = scene.ends("readlink /proc/$$/fd/0; for n in 0 1 2; do [ -t $n ] && echo terminal; done; exit 0");
    assert_eq!(ended.stdout_tail, "/dev/null\n");
}

#[test]
fn a_child_can_gain_no_privileges() {
    let scene = Scene::new();
    let ended = scene.ends("grep NoNewPrivs /proc/$$/status");
    assert_eq!(ended.stdout_tail, "NoNewPrivs:\t1\n");
    assert!(ended.confinement.enforced.no_new_privileges && !ended.confinement.enforced.reported);
    let own = std::fs::read_to_string("/proc/self/status").unwrap();
    let control = Command::new("/bin/grep").args(["NoNewPrivs", "/proc/self/status"]).output().unwrap();
    let line = String::from_utf8(control.stdout).unwrap();
    assert!(own.contains(line.trim()), "only the thread that starts the child is barred");
}

#[test]
#[ignore = "a child of the test below"]
fn child_with_a_terminal() {
    let scene = Scene::new();
    println!("own {} {}", std::io::stdin().is_terminal(), File::open("/dev/tty").is_ok());
    let ended = scene.ends("for n in 0 1 2; do [ -t $n ] && echo terminal $n; done; cat; ls /proc/self/fd | tr '\\n' ' '");
    println!("guarded {:?}", ended.stdout_tail);
}

#[test]
fn the_terminal_of_the_parent_is_none_of_the_childs_streams() {
    let own = std::env::current_exe().unwrap();
    let again = format!("'{}' --exact environment::child_with_a_terminal --ignored --nocapture", own.display());
    let Ok(ran) = Command::new("script").args(["-qec", &again, "/dev/null"]).output() else {
        // Where everything is to be checked, what makes the check possible is there.
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "there is no script(1) to make a terminal with; bsdutils has it");
        println!("SKIPPED: there is no script(1) to make a terminal with; that no child has the parent's terminal was not seen");
        return;
    };
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(said.contains("own true true"), "the parent has a terminal: {said}");
    assert!(said.contains("guarded \"0 1 2 3 \""), "{said}");
}
