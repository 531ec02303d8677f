//! P1: a list of words and no shell.

use crate::scene::{Scene, ask, host, start};
use landfall::execution::start::{Refusal, StartError};

#[test]
fn words_that_mean_something_to_a_shell_reach_the_child_unchanged() {
    let scene = Scene::new();
    let program = scene.script("program", "for word; do printf '<%s>' \"$word\"; done");
    let words =
        ["; touch X", "&& touch X", "| tee X", "> X", "`touch X`", "$(touch X)", "$HOME", "a\ntouch X", "'\"\\", "*", "", "-c", "é"];
    let ended = scene.run(&program, &words, 5.0);
    assert_eq!(ended.stdout_tail, words.map(|word| format!("<{word}>")).concat());
    assert_eq!(std::fs::read_dir(scene.root()).unwrap().count(), 0, "something was made");

    // The control: a shell would have made it.
    let control = std::process::Command::new("/bin/sh").args(["-c", "true; touch X"]).current_dir(scene.root()).status().unwrap();
    assert!(control.success() && scene.root().join("X").exists());
}

#[test]
fn a_text_that_names_no_interpreter_is_not_handed_to_a_shell() {
    let scene = Scene::new();
    let mark = scene.at("mark");
    let text = format!("echo ran >> '{}'\n", mark.display());
    let bare = scene.file(&scene.at("bin/bare"), &text);
    assert!(matches!(start(&ask(&host(&bare), &scene.root(), &[], 5.0, None).unwrap()), Err(StartError::NotStarted(_))));
    assert!(!mark.exists());
    scene.run(&scene.file(&bare, &format!("#!/bin/sh\n{text}")), &[], 5.0);
    assert!(mark.exists());
}

#[test]
fn words_that_no_process_can_be_handed_start_nothing() {
    let scene = Scene::new();
    let tripwire = scene.tripwire();
    let long = "x".repeat(128 * 1024);
    for words in [["a\0b"], [long.as_str()]] {
        assert_eq!(ask(&host(&tripwire.program), &scene.root(), &words, 5.0, None), Err(vec![Refusal::ArgumentNotAllowed]));
    }
    tripwire.assert_untouched();
    scene.run(&tripwire.program, &[&long[1..]], 5.0);
    assert_eq!(tripwire.times(), 1);
}
