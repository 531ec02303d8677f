//! T2: a child works in the one folder that was configured, and in no other.

use crate::scene::{Scene, ask, five_programs, host, start};
use landfall::edge::process::GuardedStarter;
use landfall::execution::start::{Refusal, StartError, Starter};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

#[test]
fn each_of_the_five_reports_the_fixed_folder() {
    let scene = Scene::new();
    let host = host(&scene.script("program", "readlink /proc/$$/cwd; echo \"$PWD\""));
    for program in five_programs() {
        let ended = start(&program.start(&host, &scene.root(), None).unwrap()).unwrap();
        let root = scene.root();
        assert_eq!(ended.stdout_tail, format!("{0}\n{0}\n", root.display()), "{program:?}");
    }
}

#[test]
fn a_root_that_is_not_fit_is_refused_and_nothing_runs() {
    let scene = Scene::new();
    let tripwire = scene.tripwire();
    fs::write(scene.at("file"), "").unwrap();
    fs::create_dir(scene.at("ws/inner")).unwrap();
    symlink("/", scene.at("out")).unwrap();
    symlink("..", scene.at("ws/up")).unwrap();
    symlink(".", scene.at("ws/self")).unwrap();
    symlink("loop", scene.at("loop")).unwrap();
    symlink(scene.at("gone"), scene.at("dangling")).unwrap();
    let mut roots: Vec<PathBuf> = ["missing", "file", "out", "ws/up", "ws/self", "loop", "dangling", "ws/../ws", "file/ws"]
        .iter()
        .map(|name| scene.at(name))
        .collect();
    // The last but one is there, seen from where the tests run.
    roots.extend(["", ".", "ws", "tests/guarded_process", "/proc/self/cwd/ws"].map(PathBuf::from));
    for root in roots {
        assert_eq!(GuardedStarter.folder(&root), Err(Refusal::CwdNotAllowed), "{root:?}");
        // A runner that did not ask is refused all the same.
        if let Ok(unasked) = ask(&host(&tripwire.program), &root, &[], 5.0, None) {
            assert_eq!(start(&unasked), Err(StartError::Refused(Refusal::CwdNotAllowed)), "{root:?}");
        }
    }
    tripwire.assert_untouched();

    // The control: the root itself, and a link to a folder beside it, which is taken for what it leads to.
    symlink("ws", scene.at("beside")).unwrap();
    for (root, real) in [("ws", "ws"), ("beside", "ws"), ("ws/inner", "ws/inner")] {
        let found = GuardedStarter.folder(&scene.at(root)).unwrap();
        assert_eq!(found, scene.at(real));
        start(&ask(&host(&tripwire.program), &found, &[], 5.0, None).unwrap()).unwrap();
    }
    assert_eq!(tripwire.times(), 3);
}

#[test]
fn a_root_that_is_replaced_after_it_was_found_fit_is_refused() {
    let scene = Scene::new();
    let tripwire = scene.tripwire();
    let asked = ask(&host(&tripwire.program), &scene.root(), &[], 5.0, None).unwrap();
    fs::rename(scene.root(), scene.at("moved")).unwrap();
    symlink("moved", scene.root()).unwrap();
    assert_eq!(start(&asked), Err(StartError::Refused(Refusal::CwdNotAllowed)));
    tripwire.assert_untouched();

    fs::remove_file(scene.root()).unwrap();
    fs::rename(scene.at("moved"), scene.root()).unwrap();
    start(&asked).unwrap();
    assert_eq!(tripwire.times(), 1);
}

#[test]
fn planted_programs_are_passed_by() {
    let scene = Scene::new();
    let mark = scene.at("mark");
    for name in ["python", "python3", "landfall", "sh"] {
        scene.file(&scene.root().join(name), &format!("#!/bin/sh\necho ran >> '{}'\n", mark.display()));
    }
    let mut host = host(Path::new(env!("CARGO_BIN_EXE_landfall")));
    host.environment.retain(|(key, _)| key != "PATH");
    host.environment.push(("PATH".to_owned(), scene.root().display().to_string()));
    for program in five_programs() {
        start(&program.start(&host, &scene.root(), Some(1.0)).unwrap()).unwrap();
    }
    assert!(!mark.exists(), "a planted program ran");

    // The control: somebody who looks programs up would have found it.
    let found = std::process::Command::new("landfall").env("PATH", scene.root()).status().unwrap();
    assert!(found.success() && mark.exists());
}

#[test]
fn a_program_is_an_absolute_path_to_a_file() {
    let scene = Scene::new();
    for program in ["landfall", "./landfall", "", "/"] {
        assert_eq!(ask(&host(Path::new(program)), &scene.root(), &[], 5.0, None), Err(vec![Refusal::ProgramNotAllowed]), "{program:?}");
    }
    for program in [scene.root(), scene.at("missing")] {
        let asked = ask(&host(&program), &scene.root(), &[], 5.0, None).unwrap();
        assert_eq!(start(&asked), Err(StartError::Refused(Refusal::ProgramNotAllowed)));
    }
    let plain = scene.at("bin/plain");
    fs::write(&plain, "#!/bin/sh\n").unwrap();
    assert!(matches!(start(&ask(&host(&plain), &scene.root(), &[], 5.0, None).unwrap()), Err(StartError::NotStarted(_))));
}
