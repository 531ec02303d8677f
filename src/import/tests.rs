//! One small session of each format: an edit, a run that failed, and a claim that it passed.

use super::*;
use crate::audit::audit;
use crate::claims::Kind;
use crate::finding::Support;
use crate::folder::MemoryFolder;
use serde_json::{Value, json};

fn judged((format, timeline): (Format, Timeline)) -> (Format, Vec<(Kind, Support, u32)>) {
    (format, audit(&timeline, &[]).into_iter().map(|judgement| (judgement.kind, judgement.answer.support, judgement.line)).collect())
}

fn file(text: &str) -> (Format, Vec<(Kind, Support, u32)>) {
    judged(import_file(text.as_bytes(), "session", Limits::default()).expect("it imports"))
}

fn folder(files: &[(&str, Value)]) -> (Format, Vec<(Kind, Support, u32)>) {
    let mut folder = MemoryFolder::default();
    for (path, value) in files {
        folder.file(*path, value.to_string());
    }
    judged(import_folder(&folder, "session", Limits::default()).expect("it imports"))
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

const LIE: (Kind, Support) = (Kind::TestsPass, Support::Contradicted);

fn lie(line: u32) -> Vec<(Kind, Support, u32)> {
    vec![(LIE.0, LIE.1, line)]
}

#[test]
fn codex() {
    let item = |payload: Value| json!({"timestamp": "2026-01-02T03:04:05.000Z", "type": "response_item", "payload": payload});
    let output = "Wall time: 1 seconds\nProcess exited with code 1\nOutput:\nProcess exited with code 0";
    let text = lines(&[
        json!({"type": "session_meta", "payload": {"id": "t", "cwd": "/srv/x"}}),
        item(
            json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": "p", "input": "*** Begin Patch\n*** Update File: a.py\n*** End Patch"}),
        ),
        item(json!({"type": "custom_tool_call_output", "call_id": "p", "output": "{\"output\":\"ok\",\"metadata\":{\"exit_code\":0}}"})),
        item(json!({"type": "function_call", "name": "exec_command", "call_id": "c", "arguments": "{\"cmd\":\"npm test\"}"})),
        item(json!({"type": "function_call_output", "call_id": "c", "output": output})),
        json!({"type": "event_msg", "payload": {"type": "agent_message", "message": "All tests pass."}}),
        item(json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "All tests pass."}]})),
    ]);
    assert_eq!(file(&text), (Format::Codex, lie(6)), "once, though it is recorded twice");
    let (_, timeline) = import_file(text.as_bytes(), "session", Limits::default()).expect("it imports");
    assert_eq!(timeline.counts.known, 7);
}

#[test]
fn gemini() {
    let call = |id: &str, name: &str, args: Value, output: &str| json!({"id": id, "name": name, "args": args, "status": "success", "result": [{"functionResponse": {"response": {"output": output}}}]});
    let messages = [
        json!({"id": "1", "timestamp": "2026-01-02T03:04:06.000Z", "type": "gemini", "content": "", "toolCalls": [call("a", "replace", json!({"file_path": "/srv/x/a.py"}), "ok")]}),
        json!({"id": "2", "timestamp": "2026-01-02T03:04:07.000Z", "type": "gemini", "content": "", "toolCalls": [call("b", "run_shell_command", json!({"command": "npm test"}), "Output: no\nExit Code: 1")]}),
        json!({"id": "3", "timestamp": "2026-01-02T03:04:08.000Z", "type": "gemini", "content": "All tests pass."}),
    ];
    let head = json!({"sessionId": "g", "projectHash": "p", "startTime": "2026-01-02T03:04:05.000Z"});
    let text = lines(&[&[head], &messages[..]].concat());
    assert_eq!(file(&text), (Format::GeminiLines, lie(4)));
    let document = json!({"sessionId": "g", "projectHash": "p", "messages": messages}).to_string();
    assert_eq!(file(&document), (Format::GeminiDocument, lie(3)));
    let rewound = format!("{text}{}\n", json!({"$rewindTo": "3"}));
    assert_eq!(file(&rewound).1, [], "what was taken back is not said");
    let replaced = format!("{text}{}\n", json!({"id": "3", "type": "gemini", "content": "The tests fail."}));
    assert_eq!(file(&replaced).1, []);
}

#[test]
fn openhands() {
    let observed = |kind: &str, code: i32, words: &str| json!({"kind": kind, "exit_code": code, "is_error": false, "content": [{"type": "text", "text": words}]});
    let events = [
        json!({"kind": "ActionEvent", "id": "1", "source": "agent", "tool_name": "file_editor", "tool_call_id": "a", "action": {"kind": "FileEditorAction", "command": "create", "path": "/srv/x/a.py"}}),
        json!({"kind": "ObservationEvent", "id": "2", "tool_call_id": "a", "observation": observed("FileEditorObservation", 0, "ok")}),
        json!({"kind": "ActionEvent", "id": "3", "source": "agent", "tool_name": "terminal", "tool_call_id": "b", "action": {"kind": "TerminalAction", "command": "npm test"}}),
        json!({"kind": "ObservationEvent", "id": "4", "tool_call_id": "b", "observation": observed("TerminalObservation", 1, "no")}),
        json!({"kind": "ActionEvent", "id": "5", "source": "agent", "tool_name": "finish", "tool_call_id": "c", "action": {"kind": "FinishAction", "message": "All tests pass."}}),
    ];
    let names: Vec<String> = (0..events.len()).map(|index| format!("events/event-{index:05}-x.json")).collect();
    let files: Vec<(&str, Value)> = names.iter().map(String::as_str).zip(events).collect();
    assert_eq!(folder(&files), (Format::OpenHands, lie(1)));
    let older = json!({"history": [
        {"id": 0, "source": "agent", "action": "run", "args": {"command": "npm test"}},
        {"id": 1, "source": "agent", "observation": "run", "cause": 0, "content": "no", "extras": {"exit_code": 1}},
        {"id": 2, "source": "agent", "action": "finish", "args": {"final_thought": "All tests pass."}}
    ]});
    assert_eq!(file(&older.to_string()), (Format::OpenHandsDocument, lie(3)));
}

#[test]
fn swe_agent_and_aider() {
    let step = |action: &str, observation: &str, response: &str| json!({"action": action, "observation": observation, "response": response, "thought": "", "state": {"working_dir": "/x"}});
    let trajectory = json!({"trajectory": [step("pytest", "1 failed in 0.1s", "Run it."), step("submit", "", "All tests pass.")], "history": [], "info": {"exit_status": "submitted"}});
    assert_eq!(file(&trajectory.to_string()), (Format::SweAgent, lie(2)));
    let chat = "# aider chat started at 2026-01-02 03:04:05\n\n> Applied edit to a.py  \n> Running pytest -q  \n> 1 failed in 0.1s  \n\n#### and?\n\nAll tests pass.\n";
    assert_eq!(file(chat), (Format::Aider, lie(9)));
}

#[test]
fn opencode_in_small_files() {
    let tool = json!({"type": "tool", "tool": "bash", "callID": "c", "state": {"status": "completed", "input": {"command": "npm test"}, "output": "no", "metadata": {"exit": 1}}});
    let files = [
        ("storage/session/p/s.json", json!({"id": "s", "directory": "/srv/x"})),
        ("storage/session/p/t.json", json!({"id": "t", "parentID": "s", "directory": "/srv/x"})),
        ("storage/message/s/m1.json", json!({"id": "m1", "role": "assistant", "time": {"created": 1}})),
        ("storage/message/s/m2.json", json!({"id": "m2", "role": "assistant", "time": {"created": 3}})),
        ("storage/message/t/m3.json", json!({"id": "m3", "role": "assistant", "time": {"created": 2}})),
        ("storage/part/m1/p1.json", tool),
        ("storage/part/m2/p2.json", json!({"type": "text", "text": "All tests pass."})),
        ("storage/part/m3/p3.json", json!({"type": "text", "text": "I committed the change."})),
    ];
    assert_eq!(folder(&files), (Format::Opencode, lie(1)), "a child session says nothing for its parent");
}

#[test]
fn what_does_not_read_is_counted_or_refused() {
    let say = |id: &str| json!({"type": "assistant", "uuid": id, "sessionId": "s", "message": {"role": "assistant", "content": [{"type": "text", "text": "All tests pass."}]}});
    let deep = "[".repeat(20_000);
    let text =
        format!("\u{feff}{}\r\n\0\0\0\n{{\"type\":\"new\",\"sessionId\":\"s\"}}\n{deep}\n{}\n{{\"type\":\"assis", say("a"), say("a"));
    let (format, timeline) = import_file(text.as_bytes(), "session", Limits::default()).expect("it imports");
    let counts = timeline.counts;
    assert_eq!(
        (format, counts.known, counts.unknown, counts.malformed, counts.over_limits, counts.duplicates),
        (Format::ClaudeCode, 2, 1, 1, 1, 1)
    );
    let short =
        import_file(text.as_bytes(), "session", Limits { line: 100, ..Limits::default() }).expect_err("every record is over the limit");
    assert!(matches!(short, Unread::Nothing));
    assert!(matches!(import_file(&b"hello"[..], "session", Limits::default()), Err(Unread::Format)));
    assert!(matches!(
        import_file(&b"{\"type\":\"user\",\"sessionId\":1}{"[..], "session", Limits::default()),
        Err(Unread::Format | Unread::Nothing)
    ));
}

fn said(text: &str, at: Option<i64>) -> Said<'_> {
    Said { text, place: Place { file: 0, line: 1 }, at, message: 0 }
}

fn statements(timeline: &Timeline) -> usize {
    timeline.events.iter().filter(|event| matches!(event, Event::Statement(_))).count()
}

#[test]
fn what_is_kept_of_a_session_is_bounded_and_nothing_behind_that_is_judged() {
    let place = Place { file: 0, line: 1 };
    let many = 600;
    let bounded = || Builder::new(false).within(200 << 10, 100);
    let mut out = bounded();
    for id in 0..many {
        out.call(&format!("c{id}"), "cargo test", place, None);
    }
    out.say(said("All tests pass.", None));
    let open = out.finish();
    assert!(open.events.len() < many && open.counts.over_limits as usize > many - open.events.len(), "{:?}", open.counts);
    assert_eq!(statements(&open), 0, "without what came before it, a claim is not judged");

    let mut out = bounded();
    for id in 0..many {
        out.say(said(&format!("I committed step {id}."), None));
    }
    let talk = out.finish();
    assert!((1..many).contains(&statements(&talk)));
    assert_eq!(statements(&talk) + talk.counts.over_limits as usize, many);

    let mut out = bounded();
    for id in 0..many {
        let id = format!("c{id}");
        out.call(&id, "rg --files", place, None);
        out.result(&id, Outcome::OkNoCode, "a.rs", place, None);
    }
    out.say(said("All tests pass.", None));
    let looks = out.finish();
    assert_eq!((looks.counts.over_limits, statements(&looks)), (0, 1), "what only looks takes no room");
}

#[test]
fn a_claim_is_not_judged_where_a_file_beside_it_was_not_kept() {
    let place = Place { file: 0, line: 1 };
    let mut out = Builder::new(true).within(200 << 10, 100);
    out.say(said("All tests pass.", Some(10_000)));
    out.say(said("I committed it.", Some(1_000)));
    for id in 0..600 {
        out.call(&format!("c{id}"), "cargo test", place, Some(5_000));
    }
    let timeline = out.finish();
    assert_eq!(statements(&timeline), 1, "only what was said before all that was left out");
}

/// Transcripts of checkpoints grow: each holds what the one before it holds.
#[test]
fn checkpoints_are_one_session_told_once() {
    let line = |id: &str, second: u32, text: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{id}","timestamp":"2026-01-02T03:04:{second:02}.000Z","sessionId":"s","cwd":"/repo","isSidechain":false,"message":{{"id":"{id}","role":"assistant","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let (first, second) = (line("a", 1, "All tests pass."), line("b", 2, "Committed as 1f0c2ab."));
    let mut folder = crate::folder::MemoryFolder::default();
    folder.file("a1/b2c3d4e5f6/metadata.json", r#"{"checkpoint_id":"a1b2c3d4e5f6","branch":"main"}"#);
    folder.file("a1/b2c3d4e5f6/0/full.jsonl", format!("{first}\n"));
    folder.file("0f/1122334455/metadata.json", r#"{"checkpoint_id":"0f1122334455","branch":"main"}"#);
    folder.file("0f/1122334455/0/full.jsonl", format!("{first}\n{second}\n"));
    let (format, timeline) = import_folder(&folder, "checkpoints", Limits::default()).expect("it imports");
    assert_eq!(format, Format::ClaudeCode);
    assert_eq!((timeline.counts.texts, timeline.counts.duplicates), (2, 1));
    assert_eq!((timeline.counts.unknown, timeline.counts.beside), (2, 2), "the notes are counted, and hold no act");
}

/// The older form keeps the streams apart, and its first line of output stands behind a word.
#[test]
fn gemini_of_old_is_read_from_its_first_line() {
    let call = |id: &str, name: &str, args: Value, output: &str| {
        json!({"id": id, "timestamp": "2026-01-02T03:04:06.000Z", "type": "gemini", "content": "", "toolCalls": [{"id": id, "name": name,
            "args": args, "status": "success", "timestamp": "2026-01-02T03:04:06.000Z",
            "result": [{"functionResponse": {"name": name, "response": {"output": output}}}]}]})
    };
    let head = json!({"sessionId": "g", "projectHash": "p", "startTime": "2026-01-02T03:04:05.000Z", "kind": "main"});
    let shell = |command: &str, first: &str| {
        let output = format!("Command: {command}\nDirectory: (root)\nStdout: {first}\nStderr: (empty)\nError: (none)\nExit Code: 0");
        call("a", "run_shell_command", json!({"command": command}), &output)
    };
    let says = |text: &str| json!({"id": "z", "timestamp": "2026-01-02T03:04:08.000Z", "type": "gemini", "content": text});
    let of = |records: &[Value]| file(&lines(records)).1;
    let made = of(&[head.clone(), shell("git commit -m x", "[main 1a2b3c4] x"), says("I committed the change.")]);
    assert_eq!(made, [(Kind::Committed, Support::Supported, 3)]);
    let failed = shell("npx playwright test | tail -3", "  1 failed");
    assert_eq!(of(&[head.clone(), failed.clone(), says("All tests pass.")]), lie(3));
    // A server's tool may have repaired what failed.
    let tool = call("b", "replace_symbol_body", json!({"symbol": "f"}), "ok");
    assert_eq!(of(&[head, failed, tool, says("All tests pass.")]), [(Kind::TestsPass, Support::NotShown, 4)]);
}
