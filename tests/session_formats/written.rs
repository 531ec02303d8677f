//! A session as steps, and the same session as each tool would have written it down.

use rusqlite::Connection;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// What an agent did or said.
pub(crate) enum Step {
    /// It edited this file, as a path below the working directory or a whole one.
    Edit(String),
    /// It ran a command, which printed this and ended with this code.
    Run(String, String, i32),
    /// It said this.
    Say(String),
}

/// Writes a session of steps in the working directory `cwd` below a folder; what to name as the session.
pub(crate) type Written = fn(&Path, &str, &[Step]) -> &'static str;

/// Every format that is read, by a name for messages.
pub(crate) const FORMATS: [(&str, Written); 11] = [
    ("claude-code", claude_code),
    ("codex", codex),
    ("gemini lines", gemini_lines),
    ("gemini document", gemini_document),
    ("openhands folder", openhands),
    ("openhands document", openhands_document),
    ("swe-agent", swe_agent),
    ("aider", aider),
    ("opencode folder", opencode),
    ("opencode database", opencode_database),
    ("opencode export", opencode_export),
];

fn time(step: usize) -> String {
    format!("2026-05-01T10:{:02}:{:02}.000Z", step / 60, step % 60)
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
    std::fs::write(path, text).expect("it writes");
}

fn lines(records: &[Value]) -> String {
    records.iter().fold(String::new(), |mut text, record| {
        writeln!(text, "{record}").expect("memory takes it");
        text
    })
}

/// The path of a file in `cwd`.
fn whole(cwd: &str, path: &str) -> String {
    if path.starts_with(['/', 'C']) { path.to_owned() } else { format!("{cwd}/{path}") }
}

fn claude_code(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    let mut records = Vec::new();
    let mut record = |role: &str, content: Value, beside: Value| {
        let number = records.len();
        let message = json!({"role": role, "id": format!("m{number}"), "content": content});
        records.push(json!({"type": role, "uuid": format!("u{number}"), "sessionId": "s", "timestamp": time(3 * number), "cwd": cwd,
            "isSidechain": false, "message": message, "toolUseResult": beside}));
    };
    for (number, step) in steps.iter().enumerate() {
        let id = format!("t{number}");
        let mut called = |name: &str, input: Value, printed: &str, failed: bool, beside: Value| {
            record("assistant", json!([{"type": "tool_use", "id": id, "name": name, "input": input}]), Value::Null);
            record("user", json!([{"type": "tool_result", "tool_use_id": id, "content": printed, "is_error": failed}]), beside);
        };
        match step {
            Step::Edit(path) => called("Edit", json!({"file_path": whole(cwd, path)}), "ok", false, Value::Null),
            Step::Run(command, printed, code) => {
                let shown = if *code == 0 { printed.clone() } else { format!("Exit code {code}\n{printed}") };
                called("Bash", json!({"command": command}), &shown, *code != 0, json!({"stdout": printed, "stderr": ""}));
            }
            Step::Say(words) => record("assistant", json!([{"type": "text", "text": words}]), Value::Null),
        }
    }
    write(&root.join("s.jsonl"), &lines(&records));
    "s.jsonl"
}

fn codex(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    let mut records = vec![json!({"timestamp": time(0), "type": "session_meta", "payload": {"id": "t", "cwd": cwd}})];
    for (number, step) in steps.iter().enumerate() {
        let id = format!("c{number}");
        let mut item = |payload: Value| records.push(json!({"timestamp": time(3 * number), "type": "response_item", "payload": payload}));
        match step {
            Step::Edit(path) => {
                let patch = format!("*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch");
                item(json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": id, "input": patch}));
                let output = json!({"output": "Success.", "metadata": {"exit_code": 0}}).to_string();
                item(json!({"type": "custom_tool_call_output", "call_id": id, "output": output}));
            }
            Step::Run(command, printed, code) => {
                let arguments = json!({"cmd": command}).to_string();
                item(json!({"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": id}));
                let output = format!("Wall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{printed}");
                item(json!({"type": "function_call_output", "call_id": id, "output": output}));
            }
            Step::Say(words) => {
                item(json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}));
            }
        }
    }
    write(&root.join("rollout.jsonl"), &lines(&records));
    "rollout.jsonl"
}

fn gemini(cwd: &str, steps: &[Step]) -> Vec<Value> {
    let message = |(number, step): (usize, &Step)| {
        let call = |name: &str, args: Value, output: String| {
            json!({"id": format!("m{number}"), "timestamp": time(3 * number), "type": "gemini", "content": "", "toolCalls": [{
                "id": format!("t{number}"), "name": name, "args": args, "status": "success", "timestamp": time(3 * number + 1),
                "result": [{"functionResponse": {"name": name, "response": {"output": output}}}]}]})
        };
        match step {
            Step::Edit(path) => call("replace", json!({"file_path": whole(cwd, path)}), "ok".to_owned()),
            Step::Run(command, printed, 0) => call("run_shell_command", json!({"command": command}), format!("Output: {printed}")),
            Step::Run(command, printed, code) => {
                call("run_shell_command", json!({"command": command}), format!("Output: {printed}\nExit Code: {code}"))
            }
            Step::Say(words) => json!({"id": format!("m{number}"), "timestamp": time(3 * number), "type": "gemini", "content": words}),
        }
    };
    steps.iter().enumerate().map(message).collect()
}

fn gemini_lines(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    let mut records = vec![json!({"sessionId": "g", "projectHash": "p", "startTime": time(0)})];
    records.extend(gemini(cwd, steps));
    write(&root.join("session.jsonl"), &lines(&records));
    "session.jsonl"
}

fn gemini_document(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    let document = json!({"sessionId": "g", "projectHash": "p", "startTime": time(0), "messages": gemini(cwd, steps)});
    write(&root.join("session.json"), &document.to_string());
    "session.json"
}

fn openhands(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    let folder = root.join("conversation");
    write(&folder.join("base_state.json"), &json!({"workspace": {"working_dir": cwd}}).to_string());
    let mut count = 0;
    let mut record = |event: Value| {
        write(&folder.join(format!("events/event-{count:05}-e{count}.json")), &event.to_string());
        count += 1;
    };
    for (number, step) in steps.iter().enumerate() {
        let id = format!("c{number}");
        let mut done = |tool: &str, action: Value, observation: Value| {
            record(json!({"kind": "ActionEvent", "source": "agent", "tool_name": tool, "tool_call_id": id, "action": action}));
            record(json!({"kind": "ObservationEvent", "source": "environment", "tool_name": tool, "tool_call_id": id,
                "observation": observation}));
        };
        match step {
            Step::Edit(path) => done(
                "file_editor",
                json!({"kind": "FileEditorAction", "command": "str_replace", "path": whole(cwd, path)}),
                json!({"kind": "FileEditorObservation", "is_error": false, "content": [{"type": "text", "text": "ok"}]}),
            ),
            Step::Run(command, printed, code) => done(
                "terminal",
                json!({"kind": "TerminalAction", "command": command, "is_input": false}),
                json!({"kind": "TerminalObservation", "command": command, "exit_code": code, "timeout": false, "is_error": false,
                    "content": [{"type": "text", "text": printed}]}),
            ),
            Step::Say(words) => record(json!({"kind": "MessageEvent", "source": "agent",
                "llm_message": {"role": "assistant", "content": [{"type": "text", "text": words}]}})),
        }
    }
    "conversation"
}

fn openhands_document(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    let mut history = Vec::new();
    for step in steps {
        let id = history.len();
        match step {
            Step::Edit(path) => history.extend([
                json!({"id": id, "source": "agent", "action": "edit", "args": {"command": "str_replace", "path": whole(cwd, path)}}),
                json!({"id": id + 1, "source": "agent", "observation": "edit", "cause": id, "content": "ok"}),
            ]),
            Step::Run(command, printed, code) => history.extend([
                json!({"id": id, "source": "agent", "action": "run", "args": {"command": command, "thought": ""}}),
                json!({"id": id + 1, "source": "agent", "observation": "run", "cause": id, "content": printed,
                    "extras": {"metadata": {"exit_code": code, "working_dir": cwd}}}),
            ]),
            Step::Say(words) => history.push(json!({"id": id, "source": "agent", "action": "message", "args": {"content": words}})),
        }
    }
    write(&root.join("trajectory.json"), &json!({"history": history}).to_string());
    "trajectory.json"
}

fn swe_agent(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    let step = |step: &Step| {
        let (action, observation, response, open) = match step {
            Step::Edit(path) => ("edit 1:2\nx\nend_of_edit".to_owned(), "[File updated]", "Edit it.", whole(cwd, path)),
            Step::Run(command, printed, _) => (command.clone(), printed.as_str(), "Run it.", "n/a".to_owned()),
            Step::Say(words) => ("submit".to_owned(), "", words.as_str(), "n/a".to_owned()),
        };
        json!({"action": action, "observation": observation, "response": response, "thought": "",
            "state": {"working_dir": cwd, "open_file": open}})
    };
    let trajectory: Vec<Value> = steps.iter().map(step).collect();
    write(&root.join("x.traj"), &json!({"trajectory": trajectory, "history": [], "info": {"exit_status": "submitted"}}).to_string());
    "x.traj"
}

fn aider(root: &Path, _: &str, steps: &[Step]) -> &'static str {
    let mut text = "# aider chat started at 2026-05-01 10:00:00\n\n".to_owned();
    for step in steps {
        let quoted = |printed: &str| printed.lines().map(|line| format!("> {line}  \n")).collect::<String>();
        match step {
            Step::Edit(path) => write!(text, "> Applied edit to {path}  \n\n"),
            // aider commits by itself, and prints that in its own words.
            Step::Run(command, printed, 0) if command.starts_with("git commit") => {
                let hash = printed.split([' ', ']']).nth(1).unwrap_or_default();
                write!(text, "> Commit {hash} what was asked  \n\n")
            }
            Step::Run(command, printed, _) => write!(text, "> Running {command}  \n{}\n#### go on\n\n", quoted(printed)),
            Step::Say(words) => write!(text, "{words}\n\n"),
        }
        .expect("memory takes it");
    }
    write(&root.join(".aider.chat.history.md"), &text);
    ".aider.chat.history.md"
}

/// Rows of sessions, messages and parts: id, parent, time and record.
fn opencode_rows(cwd: &str, steps: &[Step]) -> [Vec<(String, String, i64, Value)>; 3] {
    let start = 1_790_000_000_000_i64;
    let session = json!({"id": "s1", "projectID": "p", "directory": cwd, "time": {"created": start, "updated": start}});
    let mut rows = [vec![("s1".to_owned(), String::new(), start, session)], Vec::new(), Vec::new()];
    for (number, step) in steps.iter().enumerate() {
        let (message, part, at) = (format!("m{number:04}"), format!("p{number:04}"), start + 3000 * number as i64);
        let of = json!({"id": message, "sessionID": "s1", "role": "assistant", "time": {"created": at, "completed": at + 1000},
            "path": {"cwd": cwd, "root": cwd}});
        let tool = |name: &str, input: Value, output: &str, metadata: Value| {
            json!({"id": part, "sessionID": "s1", "messageID": message, "type": "tool", "callID": format!("c{number}"), "tool": name,
                "state": {"status": "completed", "input": input, "output": output, "title": "", "metadata": metadata,
                "time": {"start": at, "end": at + 500}}})
        };
        let record = match step {
            Step::Edit(path) => tool("edit", json!({"filePath": whole(cwd, path)}), "", json!({})),
            Step::Run(command, printed, code) => tool("bash", json!({"command": command}), printed, json!({"exit": code})),
            Step::Say(words) => json!({"id": part, "sessionID": "s1", "messageID": message, "type": "text", "text": words}),
        };
        rows[1].push((message.clone(), "s1".to_owned(), at, of));
        rows[2].push((part, message, at, record));
    }
    rows
}

fn opencode(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    for (kind, rows) in ["session", "message", "part"].into_iter().zip(opencode_rows(cwd, steps)) {
        for (id, parent, _, record) in rows {
            let parent = if parent.is_empty() { "p" } else { parent.as_str() };
            write(&root.join(format!("share/storage/{kind}/{parent}/{id}.json")), &record.to_string());
        }
    }
    "share"
}

fn opencode_database(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    let database = Connection::open(root.join("opencode.db")).expect("it is made");
    let tables = [("session", "parent_id"), ("message", "session_id"), ("part", "message_id")];
    for ((table, parent), rows) in tables.into_iter().zip(opencode_rows(cwd, steps)) {
        let made = format!("CREATE TABLE {table} (id TEXT, {parent} TEXT, time_created INTEGER, data TEXT, directory TEXT)");
        database.execute_batch(&made).expect("it is made");
        for (id, of, at, record) in rows {
            let of = (!of.is_empty()).then_some(of);
            let row = (id, of, at, record.to_string(), cwd);
            database.execute(&format!("INSERT INTO {table} VALUES (?1, ?2, ?3, ?4, ?5)"), row).expect("it is put in");
        }
    }
    "opencode.db"
}

fn opencode_export(root: &Path, cwd: &str, steps: &[Step]) -> &'static str {
    let [sessions, messages, parts] = opencode_rows(cwd, steps);
    let messages = messages.iter().zip(&parts).map(|(message, part)| json!({"info": message.3, "parts": [part.3]}));
    let document = json!({"info": sessions[0].3, "messages": messages.collect::<Vec<_>>()});
    let printed = serde_json::to_string_pretty(&document).expect("it is written");
    write(&root.join("export.json"), &printed);
    "export.json"
}
