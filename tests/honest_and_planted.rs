//! Small sessions, in five formats each: no honest one is ever accused, and every planted lie is found.
//!
//! `fixtures/audit/honest.jsonl` holds what an honest agent does in odd situations: retries, wrappers, other folders,
//! hooks, baselines, failures that are told. None of their claims may be `contradicted`. `planted.jsonl` holds lies, each
//! with the claim and the answer that finds it. `answers.jsonl` holds sessions that show most of what they claim, in the words
//! of many runners, each with all of its answers: `supported` is earned, too. A session is written down as steps; here it is put into the records of each
//! format, so that no answer hangs on one of them.

#![expect(clippy::disallowed_methods, reason = "a test reads its fixtures and writes sessions to read")]

use landfall::audit::audit;
use landfall::edge::disk::DiskFolder;
use landfall::import::{Limits, Timeline, import_file, import_folder};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/audit").join(file);
    let text = std::fs::read_to_string(path).expect("it reads");
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a session")).collect();
    assert!(all.len() > 40, "too few sessions to say anything");
    all
}

fn time(step: usize) -> String {
    format!("2026-05-01T10:{:02}:{:02}.000Z", step / 60, step % 60)
}

fn text<'v>(step: &'v Value, key: &str) -> Option<&'v str> {
    step.get(key).and_then(Value::as_str)
}

fn in_background(step: &Value) -> bool {
    step.get("background").is_some()
}

/// A step's exit code; `None` for a call that was refused.
fn exit(step: &Value) -> Option<i64> {
    step["exit"].as_i64()
}

fn imported(lines: &[Value]) -> Timeline {
    let mut text = String::new();
    lines.iter().for_each(|line| writeln!(text, "{line}").expect("memory takes it"));
    import_file(text.as_bytes(), "session.jsonl", Limits::default()).expect("it imports").1
}

fn claude_code(steps: &[Value]) -> Timeline {
    let mut lines = Vec::new();
    let mut record = |role: &str, content: Value| {
        let number = lines.len();
        lines.push(json!({"type": role, "uuid": format!("u{number}"), "sessionId": "s", "timestamp": time(3 * number), "cwd": "/srv/x",
            "isSidechain": false, "message": {"role": role, "id": format!("m{number}"), "content": content}}));
    };
    for (number, step) in steps.iter().enumerate() {
        let id = format!("t{number}");
        if let Some(command) = text(step, "run") {
            let output = text(step, "prints").unwrap_or_default();
            let input =
                if in_background(step) { json!({"command": command, "run_in_background": true}) } else { json!({"command": command}) };
            record("assistant", json!([{"type": "tool_use", "id": id, "name": "Bash", "input": input}]));
            let (content, failed) = match exit(step) {
                _ if in_background(step) => (output.to_owned(), false),
                None => ("The user doesn't want to proceed with this tool use.".to_owned(), true),
                Some(0) => (output.to_owned(), false),
                Some(code) => (format!("Exit code {code}\n{output}"), true),
            };
            record("user", json!([{"type": "tool_result", "tool_use_id": id, "content": content, "is_error": failed}]));
        } else if let Some(path) = text(step, "edit") {
            let input = json!({"file_path": format!("/srv/x/{path}")});
            record("assistant", json!([{"type": "tool_use", "id": id, "name": "Edit", "input": input}]));
            record("user", json!([{"type": "tool_result", "tool_use_id": id, "content": "ok"}]));
        } else if let Some(words) = text(step, "user") {
            record("user", json!(words));
        } else {
            record("assistant", json!([{"type": "text", "text": step["say"]}]));
        }
    }
    imported(&lines)
}

fn codex(steps: &[Value]) -> Timeline {
    let mut lines = Vec::new();
    let mut record = |kind: &str, payload: Value| {
        let number = lines.len();
        lines.push(json!({"timestamp": time(3 * number), "ordinal": number, "type": kind, "payload": payload}));
    };
    record(
        "session_meta",
        json!({"id": "th1", "cwd": "/srv/x", "cli_version": "0.150.0", "git": {"commit_hash": "1".repeat(40), "branch": "main"}}),
    );
    for (number, step) in steps.iter().enumerate() {
        let id = format!("c{number}");
        if let Some(command) = text(step, "run") {
            let arguments = json!({"cmd": command}).to_string();
            record("response_item", json!({"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": id}));
            let output = match exit(step) {
                _ if in_background(step) => "Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n".to_owned(),
                None => "exec_command failed: rejected by user".to_owned(),
                Some(code) => {
                    format!(
                        "Wall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{}",
                        text(step, "prints").unwrap_or_default()
                    )
                }
            };
            record("response_item", json!({"type": "function_call_output", "call_id": id, "output": output}));
        } else if let Some(path) = text(step, "edit") {
            let patch = format!("*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch");
            record("response_item", json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": id, "input": patch}));
            let output = json!({"output": "Success.", "metadata": {"exit_code": 0}}).to_string();
            record("response_item", json!({"type": "custom_tool_call_output", "call_id": id, "output": output}));
        } else if let Some(words) = text(step, "user") {
            let content = json!([{"type": "input_text", "text": words}]);
            record("response_item", json!({"type": "message", "role": "user", "content": content}));
        } else {
            let content = json!([{"type": "output_text", "text": step["say"]}]);
            record("response_item", json!({"type": "message", "role": "assistant", "content": content}));
        }
    }
    imported(&lines)
}

fn gemini(steps: &[Value]) -> Timeline {
    let mut lines = vec![json!({"sessionId": "g1", "projectHash": "p", "startTime": time(0), "lastUpdated": time(0), "kind": "main"})];
    for (number, step) in steps.iter().enumerate() {
        let mut message = json!({"id": format!("m{number}"), "timestamp": time(3 * number), "type": "gemini", "content": ""});
        let call = |name: &str, args: Value, status: &str, output: String| {
            json!([{"id": format!("t{number}"), "name": name, "args": args, "status": status, "timestamp": time(3 * number + 1),
                "result": [{"functionResponse": {"name": name, "response": {"output": output}}}]}])
        };
        if let Some(command) = text(step, "run") {
            let printed = format!("Output: {}", text(step, "prints").unwrap_or_default());
            let (status, output) = match exit(step) {
                _ if in_background(step) => ("success", "Command moved to background (PID: 12).".to_owned()),
                None => ("cancelled", "[Operation Cancelled]".to_owned()),
                Some(0) => ("success", printed),
                Some(code) => ("success", format!("{printed}\nExit Code: {code}")),
            };
            message["toolCalls"] = call("run_shell_command", json!({"command": command}), status, output);
        } else if let Some(path) = text(step, "edit") {
            message["toolCalls"] = call("replace", json!({"file_path": format!("/srv/x/{path}")}), "success", "ok".to_owned());
        } else if let Some(words) = text(step, "user") {
            message["type"] = json!("user");
            message["content"] = json!(words);
        } else {
            message["content"] = step["say"].clone();
        }
        lines.push(message);
    }
    imported(&lines)
}

fn in_folder(write: impl FnOnce(&Path)) -> Timeline {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    import_folder(&DiskFolder::open(folder.path()).expect("it opens"), "session", Limits::default()).expect("it imports").1
}

fn write(path: &Path, value: &Value) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
    std::fs::write(path, value.to_string()).expect("it writes");
}

fn openhands(steps: &[Value]) -> Timeline {
    in_folder(|root| {
        write(&root.join("base_state.json"), &json!({"workspace": {"working_dir": "/srv/x"}}));
        let mut count = 0;
        let mut record = |mut event: Value| {
            event["id"] = json!(format!("e{count}"));
            event["timestamp"] = json!(time(3 * count).trim_end_matches('Z'));
            write(&root.join(format!("events/event-{count:05}-e{count}.json")), &event);
            count += 1;
        };
        for (number, step) in steps.iter().enumerate() {
            let id = format!("c{number}");
            let action = |tool: &str, action: Value| json!({"kind": "ActionEvent", "source": "agent", "tool_name": tool, "tool_call_id": id, "action": action});
            let seen = |tool: &str, observation: Value| json!({"kind": "ObservationEvent", "source": "environment", "tool_name": tool, "tool_call_id": id, "observation": observation});
            if let Some(command) = text(step, "run") {
                record(action("terminal", json!({"kind": "TerminalAction", "command": command, "is_input": false})));
                let code = if in_background(step) { Some(-1) } else { exit(step) };
                record(match code {
                    None => json!({"kind": "UserRejectObservation", "source": "environment", "tool_name": "terminal", "tool_call_id": id,
                        "rejection_source": "user"}),
                    Some(code) => seen(
                        "terminal",
                        json!({"kind": "TerminalObservation", "command": command, "exit_code": code, "timeout": false,
                        "is_error": false, "content": [{"type": "text", "text": step["prints"]}]}),
                    ),
                });
            } else if let Some(path) = text(step, "edit") {
                record(action(
                    "file_editor",
                    json!({"kind": "FileEditorAction", "command": "str_replace", "path": format!("/srv/x/{path}")}),
                ));
                record(seen(
                    "file_editor",
                    json!({"kind": "FileEditorObservation", "is_error": false, "content": [{"type": "text", "text": "ok"}]}),
                ));
            } else if let Some(words) = text(step, "user") {
                let content = json!([{"type": "text", "text": words}]);
                record(json!({"kind": "MessageEvent", "source": "user", "llm_message": {"role": "user", "content": content}}));
            } else {
                let content = json!([{"type": "text", "text": step["say"]}]);
                record(json!({"kind": "MessageEvent", "source": "agent", "llm_message": {"role": "assistant", "content": content}}));
            }
        }
    })
}

fn opencode(steps: &[Value]) -> Timeline {
    in_folder(|root| {
        let start = 1_790_000_000_000_i64;
        let session = json!({"id": "s1", "projectID": "p", "directory": "/srv/x", "time": {"created": start, "updated": start}});
        write(&root.join("storage/session/p/s1.json"), &session);
        for (number, step) in steps.iter().enumerate() {
            let (id, at) = (format!("m{number:04}"), start + 3000 * number as i64);
            let message = json!({"id": id, "sessionID": "s1", "role": if step.get("user").is_some() { "user" } else { "assistant" }, "time": {"created": at, "completed": at + 1000},
                "path": {"cwd": "/srv/x", "root": "/srv/x"}});
            write(&root.join(format!("storage/message/s1/{id}.json")), &message);
            let mut part = json!({"id": format!("p{number:04}"), "sessionID": "s1", "messageID": id});
            let times = json!({"start": at, "end": at + 500});
            let tool = |name: &str, state: Value| {
                [("type", json!("tool")), ("callID", json!(format!("c{number}"))), ("tool", json!(name)), ("state", state)]
            };
            let members: Vec<(&str, Value)> = if let Some(command) = text(step, "run") {
                let status = if in_background(step) { "running" } else { "completed" };
                let state = match exit(step) {
                    None if !in_background(step) => {
                        json!({"status": "error", "input": {"command": command}, "error": "The user rejected it", "time": times})
                    }
                    code => {
                        json!({"status": status, "input": {"command": command}, "output": step["prints"], "title": "", "metadata": {"exit": code}, "time": times})
                    }
                };
                tool("bash", state).into()
            } else if let Some(path) = text(step, "edit") {
                tool("edit", json!({"status": "completed", "input": {"filePath": format!("/srv/x/{path}")}, "output": "", "title": "", "metadata": {}, "time": times})).into()
            } else {
                let words = step.get("user").unwrap_or(&step["say"]);
                vec![("type", json!("text")), ("text", words.clone())]
            };
            members.into_iter().for_each(|(key, value)| part[key] = value);
            write(&root.join(format!("storage/part/{id}/p{number:04}.json")), &part);
        }
    })
}

type Format = (&'static str, fn(&[Value]) -> Timeline);
const FORMATS: [Format; 5] =
    [("claude-code", claude_code), ("codex", codex), ("gemini-cli", gemini), ("openhands", openhands), ("opencode", opencode)];

/// Kind, answer and codes of each claim, in words.
fn answers(import: fn(&[Value]) -> Timeline, case: &Value) -> Vec<(String, String, Vec<String>)> {
    let timeline = import(case["steps"].as_array().expect("steps"));
    let word = |value: Value| value.as_str().expect("a word").to_owned();
    audit(&timeline, &[])
        .into_iter()
        .map(|judgement| {
            let support = word(serde_json::to_value(judgement.answer.support).expect("a word"));
            let codes = judgement.answer.codes.iter().map(|code| code.as_str().to_owned()).collect();
            (judgement.kind.as_str().to_owned(), support, codes)
        })
        .collect()
}

#[test]
fn no_honest_agent_is_accused() {
    let mut accused = Vec::new();
    let mut claims = 0;
    for case in cases("honest.jsonl") {
        for (format, import) in FORMATS {
            let found = answers(import, &case);
            claims += found.len();
            if found.iter().any(|(_, answer, _)| answer == "contradicted") {
                accused.push(format!("{format}: {}: {found:?}", case["name"]));
            }
        }
    }
    assert!(claims > 500, "only {claims} claims were judged: silence is no fairness");
    assert!(accused.is_empty(), "{} accusations:\n{}", accused.len(), accused.join("\n"));
}

#[test]
fn every_planted_lie_is_found() {
    let mut missed = Vec::new();
    for case in cases("planted.jsonl") {
        for (format, import) in FORMATS {
            let found = answers(import, &case);
            let code = text(&case, "code");
            let caught = found.iter().any(|(kind, answer, codes)| {
                *kind == case["claim"] && *answer == case["answer"] && code.is_none_or(|code| codes.iter().any(|found| found == code))
            });
            if !caught {
                missed.push(format!("{format}: {}: {found:?}", case["name"]));
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

/// What shows a claim is read in every format; a claim is neither missed nor judged by somebody else's run.
#[test]
fn answers_are_those_that_a_reader_gives() {
    let mut wrong = Vec::new();
    for case in cases("answers.jsonl") {
        let expected: Vec<(String, String)> = serde_json::from_value(case["answers"].clone()).expect("kinds and answers");
        for (format, import) in FORMATS {
            let mut found = answers(import, &case);
            for (kind, answer) in &expected {
                match found.iter().position(|(of, given, _)| of == kind && given == answer) {
                    Some(at) => drop(found.remove(at)),
                    None => wrong.push(format!("{format}: {}: no {kind} {answer} in {found:?}", case["name"])),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} answers are not given:\n{}", wrong.len(), wrong.join("\n"));
}
