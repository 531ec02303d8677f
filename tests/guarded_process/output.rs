//! T5: output is bounded, drained, kept as text, and searched before it is cut.

use crate::scene::Scene;
use landfall::execution::start::BYTE_CAP;
use std::fs;

fn most_memory_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn a_hundred_megabytes_are_cut_off_on_either_stream() {
    let scene = Scene::new();
    let before = most_memory_kib();
    for redirect in ["", ">&2"] {
        let ended = scene.ends(&format!("head -c 100000000 /dev/zero | tr '\\0' x {redirect}"));
        assert!(ended.output_limit_exceeded && !ended.timed_out && !ended.is_clean(), "{ended:?}");
        let (long, short) =
            if redirect.is_empty() { (&ended.stdout_tail, &ended.stderr_tail) } else { (&ended.stderr_tail, &ended.stdout_tail) };
        assert!(long.chars().count() == 4000 && short.is_empty());
        assert_eq!((ended.stdout_truncated, ended.stderr_truncated), (redirect.is_empty(), !redirect.is_empty()));
        assert_eq!(ended.left_behind, Some(0));
    }
    // The kernel counts in batches, so the most may even read a little less than before.
    assert!(most_memory_kib().saturating_sub(before) < 16 << 10, "it held more than its bounds");
}

#[test]
fn both_streams_at_once_and_without_end_are_cut_off() {
    let scene = Scene::new();
    let before = most_memory_kib();
    let ten = "head -c 10000000 /dev/zero | tr '\\0' x";
    for body in [format!("{ten} & {ten} >&2 & wait"), "yes & yes >&2 & wait".to_owned()] {
        let ended = scene.ends(&body);
        assert!(ended.output_limit_exceeded && !ended.timed_out && !ended.is_clean(), "{ended:?}");
        assert!(ended.stdout_truncated || ended.stderr_truncated);
        assert!([&ended.stdout_tail, &ended.stderr_tail].iter().all(|tail| tail.chars().count() <= 4000));
        assert_eq!(ended.left_behind, Some(0));
    }
    assert!(most_memory_kib().saturating_sub(before) < 16 << 10, "it held more than its bounds");
}

#[test]
fn as_much_as_is_allowed_is_allowed() {
    let scene = Scene::new();
    let write = |bytes: u64| scene.ends(&format!("head -c {bytes} /dev/zero | tr '\\0' x"));
    let whole = write(BYTE_CAP);
    assert!(whole.is_clean() && !whole.output_limit_exceeded && whole.stdout_truncated, "{:?}", whole.exit_code);
    assert!(write(BYTE_CAP + 1).output_limit_exceeded);
}

#[test]
fn the_last_4000_characters_are_kept() {
    let scene = Scene::new();
    let write = |count: u32| scene.ends(&format!("printf a; head -c {} /dev/zero | tr '\\0' x", count - 1));
    let (fits, cut) = (write(4000), write(4001));
    assert!(!fits.stdout_truncated && fits.stdout_tail.starts_with('a') && fits.stdout_tail.len() == 4000);
    assert!(cut.stdout_truncated && cut.stdout_tail == "x".repeat(4000) && cut.is_clean());
}

#[test]
fn a_full_standard_error_does_not_stop_the_child() {
    let scene = Scene::new();
    for (first, second) in [("2", "1"), ("1", "2")] {
        let ended = scene.ends(&format!("head -c 1000000 /dev/zero >&{first}; head -c 1000000 /dev/zero >&{second}; echo done >&{first}"));
        assert!(ended.is_clean() && ended.stdout_truncated && ended.stderr_truncated, "{ended:?}");
    }
}

#[test]
fn whatever_is_written_is_text_in_a_record() {
    let scene = Scene::new();
    let ended = scene.ends(r"printf 'a\377b\000c\033[31md\342\202\n'; printf '\300\257' >&2");
    assert_eq!(ended.stdout_tail, "a\u{fffd}b\0c\u{1b}[31md\u{fffd}\n");
    assert_eq!(ended.stderr_tail, "\u{fffd}\u{fffd}");
    let line = landfall::json::to_line(&ended.stdout_tail);
    assert!(line.is_ascii() && !line.contains(['\0', '\u{1b}', '\n']));
    assert_eq!(landfall::json::parse(line.as_bytes()).unwrap().as_str(), Some(ended.stdout_tail.as_str()));
}

#[test]
fn the_marker_is_looked_for_before_the_output_is_cut() {
    let scene = Scene::new();
    let run = |body: &str| scene.run_with(&scene.script("program", body), &[], 5.0, Some("guarded-marker-ok"));
    let far = run("echo guarded-marker-ok; head -c 5000 /dev/zero | tr '\\0' x");
    assert!(far.marker_seen && far.stdout_truncated && !far.stdout_tail.contains("guarded"));
    assert!(run("printf guarded-; sleep 0.2; printf marker-ok").marker_seen, "in two pieces");
    assert!(!run("echo guarded-marker-ok >&2").marker_seen, "on the other stream");
    assert!(!run("echo guarded-marker").marker_seen);
}

#[test]
fn what_was_written_before_the_deadline_is_kept() {
    let scene = Scene::new();
    let ended = scene.run(&scene.script("program", "echo early; sleep 600"), &[], 1.0);
    assert!(ended.timed_out && ended.stdout_tail == "early\n", "{ended:?}");
}
