//! Sessions that are no sessions, or far too much of one: what can be read is judged, and what was not read is counted.
//!
//! Small forms of the floods that `cargo bench --bench audit_sessions -- floods` measures at full size.

use landfall::audit::audit;
use landfall::folder::MemoryFolder;
use landfall::import::{Limits, Timeline, import_file, import_folder};

const LINE_LIMIT: usize = 400_000;

fn limits() -> Limits {
    Limits { line: LINE_LIMIT, files: 4 }
}

/// A record of Claude Code in which something is said or run.
fn record(id: &str, session: &str, block: &str) -> String {
    format!(
        r#"{{"type":"assistant","uuid":"{id}","sessionId":"{session}","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/srv/x","isSidechain":false,"message":{{"role":"assistant","content":[{block}]}}}}"#
    ) + "\n"
}

fn said(id: &str, words: &str) -> String {
    record(id, "s", &format!(r#"{{"type":"text","text":"{words}"}}"#))
}

fn run(id: &str, command: &str) -> String {
    record(id, "s", &format!(r#"{{"type":"tool_use","id":"{id}","name":"Bash","input":{{"command":"{command}"}}}}"#))
}

/// `middle` between two claims.
fn between(middle: &[u8]) -> Vec<u8> {
    [said("first", "All tests pass.").as_bytes(), middle, b"\n", said("last", "I pushed it.").as_bytes()].concat()
}

fn aider(rest: &str) -> Vec<u8> {
    format!("# aider chat started at 2026-01-02 03:04:05\n\n{rest}\n\n#### and?\n\nI committed it.\n").into_bytes()
}

/// What was read: claims, records of known kinds, malformed ones, and what is over a limit.
type Read = (usize, u64, u64, u64);

fn read(timeline: &Timeline) -> Read {
    let counts = timeline.counts;
    (audit(timeline, &[]).len(), counts.known, counts.malformed, counts.over_limits)
}

#[test]
fn what_can_be_read_is_judged_and_the_rest_is_counted() {
    let long = "x".repeat(LINE_LIMIT + 1);
    let talk = aider(&"looks fine so far\n".repeat(20_000));
    let printed = aider(&format!("> Running x  \n{}", "> so it goes  \n".repeat(400_000)));
    let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    let (talk_lines, printed_lines) = (lines(&talk), lines(&printed));
    let interleaved: String = (0..100)
        .flat_map(|number| ["a", "b"].map(|session| (format!("{session}{number}"), session)))
        .map(|(id, session)| record(&id, session, &format!(r#"{{"type":"text","text":"All tests pass. Round {id}."}}"#)))
        .collect();
    let cases: Vec<(&str, Vec<u8>, Read)> = vec![
        ("nothing between", between(b""), (2, 2, 0, 0)),
        ("NUL bytes", between(&vec![0; 1000]), (2, 2, 0, 0)),
        ("a flood of NUL bytes", between(&vec![0; LINE_LIMIT + 1]), (2, 2, 0, 1)),
        ("a line that never ends", between(long.as_bytes()), (2, 2, 0, 1)),
        ("a record that is too long", between(format!(r#"{{"type":"user","x":"{long}"}}"#).as_bytes()), (2, 2, 0, 1)),
        ("a line of no text", between(&vec![0xff; 1000]), (2, 2, 1, 0)),
        ("lines of no text", between(&b"\xff\xfe{\"type\":\"user\"}\n".repeat(1000)), (2, 2, 1000, 0)),
        ("a deep record", between("[".repeat(100_000).as_bytes()), (2, 2, 0, 1)),
        ("deep records", between(format!("{}\n", "[".repeat(200)).repeat(1000).as_bytes()), (2, 2, 0, 1000)),
        ("blank lines", between("\n".repeat(500_000).as_bytes()), (2, 2, 0, 0)),
        ("a record that was cut", [between(b""), said("cut", "Pushed.").as_bytes()[..40].to_vec()].concat(), (2, 2, 1, 0)),
        ("two sessions in turns", interleaved.into_bytes(), (200, 200, 0, 0)),
        ("more text than is read", between(said("long", &"so it goes ".repeat(30_000)).as_bytes()), (2, 3, 0, 1)),
        ("more sentences than are read", between(said("long", &"Yes. ".repeat(20_000)).as_bytes()), (2, 3, 0, 1)),
        ("a command longer than is read", between(run("long", &format!("echo {}", "x".repeat(70_000))).as_bytes()), (2, 3, 0, 1)),
        ("more talk than is kept", talk, (1, talk_lines, 0, 1)),
        ("more output than is kept", printed, (1, printed_lines, 0, 18_700)),
    ];
    for (name, bytes, expected) in cases {
        let (_, timeline) = import_file(bytes.as_slice(), "session", limits()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read(&timeline), expected, "{name}");
    }
}

#[test]
fn floods_of_claims_and_files_are_bounded_and_none_is_left_out_unsaid() {
    let many: String = (0..25_000).map(|number| said(&format!("m{number}"), &format!("All tests pass. This is text {number}."))).collect();
    let (_, timeline) = import_file(many.as_bytes(), "session", limits()).expect("it reads");
    let (claims, known, _, beyond) = read(&timeline);
    assert!(claims <= 20_000 && claims as u64 + beyond >= 25_000, "{claims} claims, {beyond} beyond");
    assert_eq!(known, 25_000);
    let mut folder = MemoryFolder::default();
    for number in 0..50 {
        folder.file(format!("{number:03}.jsonl"), said(&format!("f{number}"), &format!("All tests pass. Part {number}.")));
    }
    let (_, timeline) = import_folder(&folder, "sessions", limits()).expect("it reads");
    assert_eq!(read(&timeline), (4, 4, 0, 46), "files beyond the limit are counted");
}

#[test]
fn what_holds_no_session_is_an_error() {
    for bytes in [vec![0; 1 << 20], vec![0xff; 1 << 20], b"[".repeat(1 << 20), Vec::new(), b"\n".repeat(1 << 20)] {
        assert!(import_file(bytes.as_slice(), "session", limits()).is_err());
    }
}
