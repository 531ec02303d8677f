//! T4: a child ends in time, and nothing of it is left.

use crate::scene::{Scene, ask, host, is_alive, numbers_in, processes_with, start};
use landfall::execution::start::{Ended, Refusal};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time that a start may take beyond its deadline.
const GRACE: f64 = 2.0;

/// Runs a script that does not end by itself, for one second; nothing of it is left.
#[track_caller]
fn cut_off(scene: &Scene, body: &str) {
    let ended = nothing_is_left(scene, body, 1.0);
    assert!(ended.timed_out && ended.exit_code == 124 && !ended.is_clean(), "{ended:?}");
    assert!(ended.duration_seconds >= 1.0);
}

/// Runs a script that ends by itself, long before its cap; nothing of it is left.
#[track_caller]
fn ended(scene: &Scene, body: &str) -> Ended {
    let ended = nothing_is_left(scene, body, 30.0);
    assert!(!ended.timed_out && ended.duration_seconds < 15.0, "{ended:?}");
    ended
}

/// The script writes the numbers of its processes into `numbers`, and none of them is left.
#[track_caller]
fn nothing_is_left(scene: &Scene, body: &str, cap: f64) -> Ended {
    let began = Instant::now();
    let ended = scene.run(&scene.script("program", &format!("echo $$ > numbers\n{body}")), &[], cap);
    assert!(began.elapsed().as_secs_f64() <= cap + GRACE, "it took {:?}", began.elapsed());
    assert!(ended.duration_seconds <= cap + GRACE);
    let numbers = numbers_in(&scene.root().join("numbers"));
    assert!(numbers.len() > 1 || !body.contains("numbers"), "the others were started: {numbers:?}");
    let left: Vec<i32> = numbers.into_iter().filter(|&pid| is_alive(pid)).collect();
    assert_eq!(left, [0; 0], "left behind: {ended:?}");
    assert_eq!(ended.left_behind, Some(0));
    ended
}

#[test]
fn a_child_that_sleeps_past_its_cap_is_killed_with_all_that_it_started() {
    let scene = Scene::new();
    cut_off(&scene, "sleep 600 & echo $! >> numbers\nsh -c 'sleep 600 & echo $! >> numbers; sleep 600'");
    // The control: what ends in time is not said to have been late.
    let ended = ended(&scene, "exit 3");
    assert!(ended.exit_code == 3, "{ended:?}");
}

#[test]
fn a_grandchild_that_keeps_the_output_open_does_not_hold_the_runner_up() {
    let scene = Scene::new();
    let ended = ended(&scene, "sleep 600 & echo $! >> numbers\necho said; exit 0");
    assert!(ended.exit_code == 0 && ended.stdout_tail == "said\n", "{ended:?}");
    assert_eq!(ended.strays, 1, "{ended:?}");
}

#[test]
fn a_child_leads_a_group_of_its_own() {
    let scene = Scene::new();
    let ended = scene.ends("read -r pid name state parent group rest < /proc/$$/stat; echo $((group - pid))");
    assert_eq!(ended.stdout_tail, "0\n");
}

#[test]
fn a_child_that_ignores_the_polite_signals_is_killed_hard() {
    let scene = Scene::new();
    cut_off(&scene, "trap '' TERM INT HUP QUIT\nwhile :; do sleep 1; done");
}

#[test]
fn a_descendant_in_a_session_of_its_own_is_found() {
    let scene = Scene::new();
    // While its parent waits, and when its parents have long ended.
    let hidden = "setsid sh -c 'echo $$ >> numbers; exec sleep 600'";
    cut_off(&scene, &format!("{hidden} & sleep 600"));
    let twice = "setsid sh -c 'setsid sh -c \"echo \\$\\$ >> numbers; exec sleep 600\" & sleep 0.1; exit 0' >/dev/null 2>&1 </dev/null &";
    let ended = ended(&scene, &format!("{twice}\nsleep 0.4; exit 0"));
    assert!(ended.exit_code == 0 && ended.strays >= 1, "{ended:?}");
    cut_off(&scene, &format!("{twice}\nsleep 600"));
}

#[test]
fn a_child_that_closes_its_output_and_stays_is_killed() {
    let scene = Scene::new();
    cut_off(&scene, "exec >&- 2>&-\nsleep 600");
}

#[test]
fn a_child_that_stops_is_killed() {
    let scene = Scene::new();
    cut_off(&scene, "kill -STOP $$");
}

#[test]
fn a_child_that_multiplies_is_killed_with_all_its_kind() {
    let scene = Scene::new();
    let spawns = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do setsid sleep 600 & echo $! >> numbers; done";
    let ended = ended(&scene, &format!("{spawns}\nexit 0"));
    assert!(ended.strays >= 20, "{ended:?}");
}

#[test]
fn a_child_that_moves_on_from_process_to_process_is_caught() {
    let scene = Scene::new();
    // Each starts the next in a session of its own and ends; it gives up by itself, lest a failure leaves it running.
    let moves = "[ $(date +%s) -lt \"$1\" ] && { setsid \"$0\" \"$1\" & }\nexit 0";
    let program = scene.script("moving", moves);
    let until = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() + 20;
    let ended = scene.run(&program, &[&until.to_string()], 10.0);
    assert_eq!(ended.left_behind, Some(0), "{ended:?}");
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(processes_with(&program.display().to_string()), [0; 0]);
}

#[test]
fn what_somebody_else_in_this_process_starts_is_let_alone() {
    let scene = Scene::new();
    let sleep = || Command::new("/bin/sleep").arg("60").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut before = sleep();
    let program = scene.script("program", "setsid sleep 600 & sleep 600");
    let (ended, mut during) = std::thread::scope(|scope| {
        let guarded = scope.spawn(|| scene.run(&program, &[], 1.0));
        std::thread::sleep(Duration::from_millis(300));
        let during = sleep();
        (guarded.join().unwrap(), during)
    });
    assert!(ended.timed_out && ended.strays >= 1);
    for child in [&mut before, &mut during] {
        assert_eq!(child.try_wait().unwrap(), None, "it was killed");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn a_death_by_signal_is_128_and_its_number() {
    let scene = Scene::new();
    for (signal, code) in [("TERM", 143), ("KILL", 137), ("USR1", 138)] {
        let ended = scene.ends(&format!("kill -{signal} $$; sleep 600"));
        assert!(ended.exit_code == code && !ended.timed_out, "{signal}: {ended:?}");
    }
    assert_eq!(scene.ends("exit 255").exit_code, 255);
}

#[test]
fn a_timeout_that_is_none_starts_nothing() {
    let scene = Scene::new();
    let tripwire = scene.tripwire();
    let ask = |seconds| ask(&host(&tripwire.program), &scene.root(), &[], seconds, None);
    for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refusals = ask(seconds).unwrap_err();
        assert!(refusals == [Refusal::TimeoutNotPositive] && refusals[0].is_usage(), "{seconds}");
    }
    for seconds in [60.1, 1e9, f64::MAX] {
        assert_eq!(ask(seconds), Err(vec![Refusal::TimeoutAboveCap]), "{seconds}");
    }
    tripwire.assert_untouched();
    start(&ask(60.0).unwrap()).unwrap();
    assert_eq!(tripwire.times(), 1);
}
