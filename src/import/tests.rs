//! One small session of each format: an edit, a run that failed, and a claim that it passed. Then what goes on for long.
//!
//! Longer than most files: each format has its own records to write.

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
fn swe_agent_without_steps_is_read_by_its_messages() {
    let message = |role: &str, content: &str| json!({"role": role, "content": content});
    let calls = |name: &str, arguments: Value| json!({"role": "assistant", "content": "Next.", "thought": "Next.", "tool_calls": [{"function": {"name": name, "arguments": arguments.to_string()}}]});
    let failed = "OBSERVATION:\n1 failed, 9 passed in 2.01s";
    let told = json!({"history": [message("system", "Help."), message("user", "Fix it."),
        calls("str_replace_editor", json!({"command": "str_replace", "path": "/x/a.py"})), message("tool", "OBSERVATION:\nThe file /x/a.py has been edited."),
        calls("bash", json!({"command": "pytest -q"})), json!({"role": "tool", "content": [{"type": "text", "text": failed}]}),
        json!({"role": "assistant", "content": "All tests pass.", "action": "submit"})]});
    assert_eq!(file(&told.to_string()), (Format::SweAgentMessages, lie(7)), "tools are called");
    let mut demonstrated = told.clone();
    demonstrated["trajectory"] = json!([]);
    demonstrated["history"][6]["is_demo"] = json!(true);
    assert_eq!(file(&demonstrated.to_string()), (Format::SweAgentMessages, Vec::new()), "a demonstration claims nothing");
    // The code that the agent's shell writes is the command's.
    let small = |code: u8| {
        json!({"info": {"exit_status": "Submitted"}, "trajectory_format": "mini-swe-agent-1", "messages": [message("system", "Help."), message("user", "Fix it."),
            message("assistant", "THOUGHT: Run them.\n\n```bash\n./run_tests.sh\n```"), message("user", &format!("<returncode>{code}</returncode>\n<output>\n</output>")),
            message("assistant", "THOUGHT: All tests pass.\n\n```bash\necho DONE\n```")]})
    };
    assert_eq!(file(&small(1).to_string()), (Format::SweAgentMessages, lie(5)));
    let shown = |answer: Support| vec![(Kind::TestsPass, answer, 5)];
    assert_eq!(file(&small(0).to_string()), (Format::SweAgentMessages, shown(Support::Supported)));
}

#[test]
fn openhands_code_tools_and_thoughts() {
    let answer = |steps: &[Value]| {
        let mut all = vec![
            json!({"action": "run", "args": {"command": "pytest -q"}}),
            json!({"observation": "run", "content": "1 failed, 9 passed in 1s", "extras": {"exit_code": 1}}),
        ];
        all.extend(steps.iter().cloned());
        all.push(json!({"action": "finish", "args": {"final_thought": "All tests pass."}}));
        let mut last = 0;
        for (id, event) in all.iter_mut().enumerate() {
            event["id"] = json!(id);
            event["source"] = json!("agent");
            if event.get("observation").is_some() {
                event["cause"] = json!(last);
            } else {
                last = id;
            }
        }
        file(&json!({"history": all}).to_string()).1.into_iter().map(|(_, answer, _)| answer).collect::<Vec<_>>()
    };
    let python = |code: &str, shown: &str| {
        [json!({"action": "run_ipython", "args": {"code": code}}), json!({"observation": "run_ipython", "content": shown, "extras": {}})]
    };
    assert_eq!(answer(&[]), [Support::Contradicted]);
    assert_eq!(answer(&python("edit_file_by_replace('/x/a.py', 'a', 'b')", "[File: /x/a.py]")), [Support::NotShown], "an edit");
    assert_eq!(answer(&python("open_file('/x/a.py')", "[File: /x/a.py]")), [Support::Contradicted], "a look");
    assert_eq!(answer(&python("!pytest -q", "10 passed in 1s")), [Support::Supported], "a run");
    assert_eq!(answer(&python("!pytest -q", "1 failed in 1s")), [Support::Contradicted], "a run that failed");
    assert_eq!(answer(&python("import fix; fix.all()", "")), [Support::NotShown], "code may do anything");
    for tool in ["call_tool_mcp", "delegate", "browse_interactive"] {
        assert_eq!(answer(&[json!({"action": tool, "args": {}})]), [Support::NotShown], "{tool}");
    }
    assert_eq!(
        answer(&[json!({"action": "think", "args": {"thought": "Every test is green."}})]),
        [Support::Contradicted],
        "a thought is no claim"
    );
    // What is typed into a command that runs on shows its end.
    let typed = [
        json!({"action": "run", "args": {"command": "pytest -q"}}),
        json!({"observation": "run", "content": "", "extras": {"exit_code": -1}}),
        json!({"action": "run", "args": {"command": "", "is_input": true}}),
        json!({"observation": "run", "content": "10 passed in 70s", "extras": {"exit_code": 0}}),
    ];
    assert_eq!(answer(&typed), [Support::Supported]);
}

#[test]
fn aider_runs_git_and_commits_what_others_edited() {
    let chat = |lines: &str| {
        let text = format!("# aider chat started at 2026-01-02 03:04:05\n\n> Applied edit to a.py  \n> Commit 0a1b2c3 fix: a  \n\n{lines}");
        file(&text).1.into_iter().map(|(kind, answer, _)| (kind, answer)).collect::<Vec<_>>()
    };
    let push = |printed: &str| chat(&format!("#### /git push  \n\n{printed}\n\n#### and?\n\nPushed to main.\n"));
    assert_eq!(push(">    9d8c7b6..0a1b2c3  main -> main  "), [(Kind::Pushed, Support::Supported)]);
    assert_eq!(push(">  ! [rejected]        main -> main (fetch first)  "), [(Kind::Pushed, Support::Contradicted)]);
    let failed = "> Running pytest -q  \n> 1 failed in 0.1s  \n";
    assert_eq!(chat(&format!("{failed}\n#### and?\n\nAll tests pass.\n")), [(Kind::TestsPass, Support::Contradicted)]);
    let others = chat(&format!("{failed}> Commit 1b2c3d4 wip  \n\n#### and?\n\nAll tests pass.\n"));
    assert_eq!(others, [(Kind::TestsPass, Support::NotShown)], "what aider did not edit, somebody else did");
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
fn opencode_as_it_is_exported() {
    let tool = json!({"type": "tool", "tool": "bash", "callID": "c", "state": {"status": "completed", "input": {"command": "npm test"}, "output": "no", "metadata": {"exit": 1}}});
    let message =
        |role: &str, parts: Value| json!({"info": {"id": role, "sessionID": "s", "role": role, "time": {"created": 1}}, "parts": parts});
    let messages = [
        message("user", json!([{"type": "text", "text": "I committed the change."}])),
        message("assistant", json!([{"type": "step-start"}, tool, {"type": "step-finish"}])),
        message("assistant", json!([{"type": "reasoning", "text": "It builds."}, {"type": "text", "text": "All tests pass."}])),
    ];
    let document = json!({"info": {"id": "s", "directory": "/srv/x"}, "messages": messages});
    for text in [document.to_string(), serde_json::to_string_pretty(&document).expect("it is written")] {
        assert_eq!(file(&text), (Format::OpencodeExport, lie(3)));
    }
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

/// Answers of a session of Codex: steps are calls of `exec_command` (`cmd`), of `write_stdin` (no command) and texts.
fn polled_codex(steps: &[(&str, Option<&str>, Option<i32>)]) -> Vec<(Kind, Support, u32)> {
    let item = |payload: Value| json!({"timestamp": "2026-01-02T03:04:05.000Z", "type": "response_item", "payload": payload});
    let mut records = vec![json!({"type": "session_meta", "payload": {"id": "t", "cwd": "/srv/x"}})];
    for (number, (words, output, code)) in steps.iter().enumerate() {
        let id = format!("c{number}");
        let Some(output) = output else {
            records.push(item(json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]})));
            continue;
        };
        let (name, arguments) = match *words {
            "" => ("write_stdin", json!({"session_id": 7, "chars": ""})),
            command => ("exec_command", json!({"cmd": command})),
        };
        records.push(item(json!({"type": "function_call", "name": name, "call_id": id, "arguments": arguments.to_string()})));
        let state = code.map_or("Process running with session ID 7".to_owned(), |code| format!("Process exited with code {code}"));
        let output = format!("Chunk ID: 1\nWall time: 1 seconds\n{state}\nOutput:\n{output}");
        records.push(item(json!({"type": "function_call_output", "call_id": id, "output": output})));
    }
    file(&lines(&records)).1
}

#[test]
fn all_polls_of_a_command_are_one_output() {
    let of = |steps: &[(&str, Option<&str>, Option<i32>)]| -> Vec<(Kind, Support)> {
        polled_codex(steps).into_iter().map(|(kind, support, _)| (kind, support)).collect()
    };
    let (tests, say) = (Kind::TestsPass, ("All tests pass.", None, None));
    let run =
        |first, second, code| of(&[("pytest", Some("collecting..."), None), ("", Some(first), None), ("", Some(second), Some(code)), say]);
    assert_eq!(run(".....", "1 failed, 12 passed in 70s", 1), [(tests, Support::Contradicted)]);
    assert_eq!(run(".....", "13 passed in 70s", 0), [(tests, Support::Supported)]);
    assert_eq!(run("", "13 passed in 70s", 0), [(tests, Support::Supported)]);
    let cargo = |result: &str, failed: u32| {
        format!("test result: {result}. 3 passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s")
    };
    let binaries = |first: &str, second: &str, code| {
        of(&[("cargo test --no-fail-fast", Some(first), None), ("", Some(""), None), ("", Some(second), Some(code)), say])
    };
    assert_eq!(binaries(&cargo("FAILED", 1), &cargo("ok", 0), 101), [(tests, Support::Contradicted)], "an earlier binary failed");
    assert_eq!(binaries(&cargo("ok", 0), &cargo("ok", 0), 0), [(tests, Support::Supported)]);
    let commit = |last: &str, code| {
        of(&[
            ("git commit -am x", Some("lint-staged"), None),
            ("", Some(""), None),
            ("", Some(last), Some(code)),
            ("Committed.", None, None),
        ])
    };
    assert_eq!(commit("[main abc1234] x\n 1 file changed", 0), [(Kind::Committed, Support::Supported)]);
    assert_eq!(commit("husky - pre-commit script failed (code 1)", 1), [(Kind::Committed, Support::Contradicted)]);
    let build = of(&[
        ("cargo build", Some("   Compiling a"), None),
        ("", Some(""), None),
        ("", Some("    Finished `dev` profile"), Some(0)),
        ("The build succeeds.", None, None),
    ]);
    assert_eq!(build, [(Kind::BuildOk, Support::Supported)]);
}

#[test]
fn a_claim_between_two_polls_is_judged_by_the_first() {
    let failed = ("pytest", Some("1 failed, 12 passed in 70s"), Some(1));
    let say = ("All tests pass.", None, None);
    let answers = polled_codex(&[
        failed,
        ("pytest", Some("13 passed in 70s"), None),
        say,
        ("", Some(""), Some(0)),
        ("Now all tests pass.", None, None),
    ]);
    let answers: Vec<Support> = answers.into_iter().map(|(_, support, _)| support).collect();
    assert_eq!(answers, [Support::NotShown, Support::Supported]);
    let answers = polled_codex(&[
        ("pytest", Some("..."), None),
        say,
        ("", Some("1 failed, 12 passed in 70s"), Some(1)),
        ("So all tests pass.", None, None),
    ]);
    let answers: Vec<Support> = answers.into_iter().map(|(_, support, _)| support).collect();
    assert_eq!(answers, [Support::NotShown, Support::Contradicted], "a failure does not reach back");
}

/// Answers of a session of Claude Code: each record is a call and its result, or a text.
fn claude(steps: &[Value]) -> Vec<(Kind, Support)> {
    let mut records = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let mut push = |role: &str, content: Value, besides: Value| {
            let uuid = format!("u{}", records.len());
            records.push(json!({"type": role, "uuid": uuid, "sessionId": "s", "cwd": "/srv/x", "isSidechain": false,
                "timestamp": "2026-01-02T03:04:05.000Z", "message": {"role": role, "content": content}, "toolUseResult": besides}));
        };
        if let Some(text) = step.get("say") {
            push("assistant", json!([{"type": "text", "text": text}]), Value::Null);
        } else if let Some(text) = step.get("told") {
            push("user", text.clone(), Value::Null);
        } else {
            let id = format!("t{number}");
            push("assistant", json!([{"type": "tool_use", "id": id, "name": step["tool"], "input": step["input"]}]), Value::Null);
            let result = json!([{"type": "tool_result", "tool_use_id": id, "content": step["prints"], "is_error": false}]);
            push("user", result, step.get("besides").cloned().unwrap_or(Value::Null));
        }
    }
    file(&lines(&records)).1.into_iter().map(|(kind, support, _)| (kind, support)).collect()
}

fn in_background(command: &str) -> Value {
    json!({"tool": "Bash", "input": {"command": command, "run_in_background": true}, "prints": "Command running in background with ID: b1",
        "besides": {"stdout": "", "stderr": "", "interrupted": false, "backgroundTaskId": "b1"}})
}

#[test]
fn a_run_in_the_background_is_followed_to_its_end() {
    let poll = |status: &str, code: Option<i32>, printed: &str| {
        let code = code.map(|code| format!("<exit_code>{code}</exit_code>\n\n")).unwrap_or_default();
        let prints = format!("<status>{status}</status>\n\n{code}<stdout>\n{printed}\n</stdout>");
        json!({"tool": "BashOutput", "input": {"bash_id": "b1"}, "prints": prints, "besides": {"shellId": "b1", "status": status, "stdout": printed}})
    };
    let say = json!({"say": "All tests pass."});
    let run = |command: &str, polls: &[Value]| {
        let mut steps = vec![in_background(command)];
        steps.extend_from_slice(polls);
        steps.push(say.clone());
        claude(&steps)
    };
    let tests = |support| vec![(Kind::TestsPass, support)];
    let waits = poll("running", None, "collecting");
    assert_eq!(run("pytest", &[waits.clone(), poll("failed", Some(1), "1 failed, 12 passed in 61.20s")]), tests(Support::Contradicted));
    assert_eq!(
        run("pytest", &[waits.clone(), waits.clone(), poll("completed", Some(0), "13 passed in 61.20s")]),
        tests(Support::Supported)
    );
    // The whole output each time, as another tool gives it.
    let whole = |status: &str, code: &str, printed: &str| {
        let prints = format!(
            "<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<status>{status}</status>\n\n{code}<output>\n{printed}\n</output>"
        );
        json!({"tool": "TaskOutput", "input": {"task_id": "b1"}, "prints": prints})
    };
    let line = "[main abc1234] x\n 1 file changed, 1 insertion(+)";
    let polls = [whole("running", "", line), whole("running", "", line), whole("completed", "<exit_code>0</exit_code>", line)];
    let mut steps = vec![json!({"tool": "Edit", "input": {"file_path": "/srv/x/a.py"}, "prints": "ok"}), in_background("git commit -am x")];
    steps.extend_from_slice(&polls);
    steps.push(json!({"tool": "Bash", "input": {"command": "git reset --hard HEAD~1"}, "prints": "HEAD is now at 1111111 y"}));
    steps.push(json!({"say": "Committed."}));
    assert_eq!(claude(&steps), [(Kind::Committed, Support::Contradicted)], "the line is one commit, however often it is shown");
    // The tool's own note of the end.
    let note = |status: &str, code: i32| json!({"told": format!("<task-notification>\n<task-id>b1</task-id>\n<status>{status}</status>\n<summary>Background command \"pytest\" {status} (exit code {code})</summary>\n</task-notification>")});
    assert_eq!(run("npx jest", &[note("failed", 1)]), tests(Support::Contradicted));
}

#[test]
fn the_file_of_a_run_s_output_is_its_output() {
    let read = |path: &str, printed: &str| json!({"tool": "Bash", "input": {"command": format!("tail -4 {path}")}, "prints": printed});
    let say = json!({"say": "All tests pass."});
    let tests = |support| vec![(Kind::TestsPass, support)];
    let own = "/tmp/claude/tasks/b1.output";
    assert_eq!(claude(&[in_background("pytest -q"), read(own, "13 passed in 70s"), say.clone()]), tests(Support::Supported));
    assert_eq!(claude(&[in_background("pytest -q"), read(own, "1 failed, 12 passed in 70s"), say.clone()]), tests(Support::Contradicted));
    assert_eq!(
        claude(&[in_background("pytest -q"), read("/tmp/claude/tasks/b2.output", "13 passed in 70s"), say.clone()]),
        tests(Support::NotShown)
    );
    let one = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s";
    assert_eq!(claude(&[in_background("cargo test"), read(own, one), say.clone()]), tests(Support::NotShown), "binaries may follow");
    let tool = json!({"tool": "Read", "input": {"file_path": own}, "prints": "     1\u{2192}.....\n     2\u{2192}13 passed in 70s"});
    assert_eq!(claude(&[in_background("pytest -q"), tool, say.clone()]), tests(Support::Supported));
    let long = json!({"tool": "Bash", "input": {"command": "cargo test --workspace"}, "prints": format!(
        "<persisted-output>\nOutput too large (61.2KB). Full output saved to: /home/k/.claude/projects/x/tool-results/t1.txt\n\nPreview (first 2KB):\n\n{one}\n...\n</persisted-output>")});
    assert_eq!(claude(&[long.clone(), say.clone()]), tests(Support::NotShown), "what follows the preview may have failed");
    let file = "/home/k/.claude/projects/x/tool-results/t1.txt";
    assert_eq!(claude(&[long.clone(), read(file, one), say.clone()]), tests(Support::Supported));
    let failed = "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s";
    assert_eq!(claude(&[long, read(file, failed), say.clone()]), tests(Support::Contradicted));
}

#[test]
fn a_terminal_that_is_looked_at_again_shows_the_command_that_runs_in_it() {
    let action = |id: &str, command: &str, input: bool| json!({"kind": "ActionEvent", "id": format!("a{id}"), "source": "agent", "tool_name": "terminal", "tool_call_id": id, "action": {"kind": "TerminalAction", "command": command, "is_input": input}});
    let seen = |id: &str, code: i32, words: &str| json!({"kind": "ObservationEvent", "id": format!("o{id}"), "tool_call_id": id, "observation": {"kind": "TerminalObservation", "exit_code": code, "is_error": false, "content": [{"type": "text", "text": words}]}});
    let finish = json!({"kind": "ActionEvent", "id": "f", "source": "agent", "tool_name": "finish", "tool_call_id": "f", "action": {"kind": "FinishAction", "message": "All tests pass."}});
    let answer = |code: i32, words: &str, input: bool| {
        let events = [
            action("1", "pytest -q", false),
            seen("1", -1, "collecting"),
            action("2", "", input),
            seen("2", -1, "[Below is the output of the previous command.]\n....."),
            action("3", "", input),
            seen("3", code, words),
            finish.clone(),
        ];
        let names: Vec<String> = (0..events.len()).map(|index| format!("events/event-{index:05}-x.json")).collect();
        let files: Vec<(&str, Value)> = names.iter().map(String::as_str).zip(events).collect();
        folder(&files).1.into_iter().map(|(_, support, _)| support).collect::<Vec<_>>()
    };
    assert_eq!(answer(1, "1 failed, 12 passed in 70s", true), [Support::Contradicted]);
    assert_eq!(answer(0, "13 passed in 70s", false), [Support::Supported]);
}
