//! The five fixed programs, as the built binary, through the real starter.

use crate::scene::{Scene, five_programs, host, start};
use landfall::edge::process::GuardedStarter;
use landfall::execution::harness::Program;
use landfall::execution::start::{Ended, Starter};
use std::path::Path;

fn run(scene: &Scene, program: &Program) -> Ended {
    let folder = GuardedStarter.folder(&scene.root()).unwrap();
    start(&program.start(&host(Path::new(env!("CARGO_BIN_EXE_landfall"))), &folder, None).unwrap()).unwrap()
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
        let ended = run(&scene, &program);
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
    let ended = scene.run(Path::new(env!("CARGO_BIN_EXE_landfall")), &["noop", "controlled-noop-ok; touch X"], 5.0);
    assert_eq!(ended.exit_code, 2);
    assert!(!ended.stdout_tail.contains("controlled-noop-ok"));
}

#[test]
fn the_five_are_not_shown_to_people() {
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_landfall")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("replay"), "{help}");
    for name in five_programs().map(|program| program.arguments().swap_remove(0)) {
        assert!(!help.lines().any(|line| line.trim_start().starts_with(&name)), "{name}: {help}");
    }
}
