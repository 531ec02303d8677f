//! The five fixed programs, as the built binary, through the real starter.

use crate::scene::{Scene, five_programs, host, is_alive, processes_with, start};
use landfall::edge::process::GuardedStarter;
use landfall::execution::harness::{Program, TimeoutProfile};
use landfall::execution::start::{Ended, Starter};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

const LANDFALL: &str = env!("CARGO_BIN_EXE_landfall");

fn run(scene: &Scene, program: &Program) -> Ended {
    run_in(&scene.root(), program, None)
}

fn run_in(root: &Path, program: &Program, timeout: Option<f64>) -> Ended {
    let folder = GuardedStarter.folder(root).unwrap();
    start(&program.start(&host(Path::new(LANDFALL)), &folder, timeout).unwrap()).unwrap()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn the_noops_print_their_marker_and_nothing_else() {
    let scene = Scene::new();
    for (program, marker) in [(Program::Noop, "controlled-noop-ok"), (Program::RepairNoop, "controlled-repair-noop-ok")] {
        let ended = run(&scene, &program);
        assert!(ended.is_clean() && ended.marker_seen && ended.strays == 0, "{ended:?}");
        assert_eq!((ended.stdout_tail, ended.stderr_tail), (format!("{marker}\n"), String::new()));
    }
}

#[test]
fn the_guarded_repair_names_its_targets_sorted() {
    let scene = Scene::new();
    let ended = run(&scene, &Program::GuardedRepair { targets: texts(&["b", "a", "x; touch X"]) });
    assert!(ended.is_clean() && ended.marker_seen, "{ended:?}");
    let line = ended.stdout_tail.lines().nth(1).unwrap();
    let value = landfall::json::parse(line.as_bytes()).unwrap();
    let named = |name: &str| -> Vec<String> {
        value.elements().unwrap().iter().map(|one| one.get(name).unwrap().as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(named("target"), ["a", "b", "x; touch X"]);
    assert_eq!(named("status"), ["completed"; 3]);
    assert_eq!(std::fs::read_dir(scene.root()).unwrap().count(), 0);

    let none = run(&scene, &Program::GuardedRepair { targets: Vec::new() });
    assert!(none.exit_code == 2 && !none.marker_seen, "{none:?}");
}

#[test]
fn the_verifier_passes_equal_targets_only() {
    let scene = Scene::new();
    let check = |expected: &[&str], completed: &[&str]| {
        run(&scene, &Program::PostRepairEvidence { expected: texts(expected), completed: texts(completed) })
    };
    let equal = check(&["a", "b"], &["b", "a"]);
    assert!(equal.is_clean() && equal.marker_seen && equal.stdout_tail == "post-repair-evidence-ok\n", "{equal:?}");
    for ended in [check(&["a", "b"], &["a"]), check(&["a"], &["a", "b"]), check(&[], &[])] {
        assert!(ended.exit_code == 1 && !ended.marker_seen, "{ended:?}");
    }
}

#[test]
fn each_says_what_confines_it_beside_what_was_asked() {
    let scene = Scene::new();
    for program in five_programs() {
        // The evidence check would wait for nodes that are not there.
        let ended = run_in(&scene.root(), &program, Some(1.0));
        let confinement = ended.confinement;
        assert_eq!(confinement.requested, program.requested());
        assert!(confinement.enforced.reported && confinement.enforced.no_new_privileges, "{confinement:?}");
        assert_eq!(confinement.enforced.limits.get("core"), Some(&0));
        assert!(!ended.stdout_tail.contains("landfall-confinement"), "the report is no output");
        println!("{program:?} falls short in {:?}", confinement.shortfalls());
    }
}

#[test]
fn another_word_than_the_marker_is_not_printed() {
    let scene = Scene::new();
    let ended = scene.run(Path::new(LANDFALL), &["noop", "controlled-noop-ok; touch X"], 5.0);
    assert_eq!(ended.exit_code, 2);
    assert!(!ended.stdout_tail.contains("controlled-noop-ok"));
}

#[test]
fn the_five_are_not_shown_to_people() {
    let help = Command::new(LANDFALL).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("replay"), "{help}");
    for name in five_programs().map(|program| program.arguments().swap_remove(0)) {
        assert!(!help.lines().any(|line| line.trim_start().starts_with(&name)), "{name}: {help}");
    }
}

fn check(directive: &str) -> Program {
    let [scenario_id, action, directive_id, db_path] = ["s1", "REDUCE_RISK", directive, "ledger.db"].map(str::to_owned);
    Program::ReadOnlyCheck { scenario_id, action, directive_id, timeout_profile: TimeoutProfile::Standard, db_path }
}

#[test]
fn the_read_only_check_passes_when_nodes_answer_and_fails_when_none_does() {
    let scene = Scene::new();
    let over = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                let mut nodes = Command::new(LANDFALL);
                nodes.args(["loop", "run", "nodes", "--once", "--db-path", "ledger.db"]).current_dir(scene.root());
                nodes.output().expect("the nodes run");
                sleep(Duration::from_millis(100));
            }
        });
        let ended = run(&scene, &check("d1"));
        over.store(true, Ordering::Relaxed);
        ended
    });
    assert!(ended.is_clean() && ended.stdout_tail.starts_with("status=passed scenario_id=s1 directive_id=d1\n"), "{ended:?}");
    assert!(scene.root().join("ledger.db").exists());

    let alone = run_in(&scene.root(), &check("d2"), Some(1.0));
    assert!(alone.timed_out && alone.exit_code == 124, "{alone:?}");
}

#[test]
#[ignore = "a child of the test below"]
fn child_runner() {
    run_in(&std::env::current_dir().unwrap(), &check("directive-of-a-killed-runner"), None);
}

#[test]
fn a_child_of_ours_ends_with_its_runner() {
    let scene = Scene::new();
    let own = std::env::current_exe().unwrap();
    let mut runner = Command::new(own);
    let mut runner = runner.args(["--exact", "programs::child_runner", "--ignored"]).current_dir(scene.root()).spawn().unwrap();
    let started = || processes_with("--directive-id\0directive-of-a-killed-runner");
    let within = |what: &dyn Fn() -> bool| {
        (0..500).any(|_| {
            what() || {
                sleep(Duration::from_millis(10));
                false
            }
        })
    };
    assert!(within(&|| !started().is_empty() && scene.root().join("ledger.db").exists()), "the child runs");
    let child = started();
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert!(within(&|| child.iter().all(|&pid| !is_alive(pid))), "the child goes on alone");
}
