//! Codex rollouts: JSON lines of items and events, which repeat each other.

use super::builder::{Builder, Said};
use super::outcome::Outcome;
use super::session::Importer;
use super::time::milliseconds;
use super::timeline::Place;
use crate::evidence::git_output::is_hash;
use crate::json::{FaultKind, Record as Value, Shape, Tape};
use std::borrow::Cow;

/// Reads records of a rollout.
#[derive(Debug, Default)]
pub(super) struct Codex {
    /// Lines before this ordinal are a parent's.
    own_from: Option<i64>,
    /// Whether the thread's own first record was seen.
    started: bool,
    /// Room for what texts of records hold.
    inner: Tape,
}

fn text<'v>(value: Value<'v>, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

fn integer(value: Value<'_>, key: &str) -> Option<i64> {
    value.get(key)?.as_number()?.as_integer()
}

impl Importer for Codex {
    fn record(&mut self, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        let at = text(record, "timestamp").and_then(milliseconds);
        let kind = text(record, "type").unwrap_or_default();
        // Older rollouts have items without an envelope.
        let Some(payload) = record.get("payload") else { return self.item(record, place, at, out) };
        if self.own_from.zip(integer(record, "ordinal")).is_some_and(|(from, ordinal)| ordinal < from && kind != "session_meta") {
            return true;
        }
        match kind {
            "session_meta" => {
                if let Some(directory) = text(payload, "cwd") {
                    out.working_directory(directory);
                }
                out.time(at);
                if !self.started {
                    self.started = true;
                    self.own_from = integer(payload, "subagent_history_start_ordinal");
                    out.timeline.head = payload
                        .get("git")
                        .and_then(|git| text(git, "commit_hash"))
                        .filter(|hash| is_hash(hash))
                        .map(str::to_ascii_lowercase);
                }
                true
            }
            "turn_context" => {
                if let Some(directory) = text(payload, "cwd") {
                    out.working_directory(directory);
                }
                true
            }
            "compacted" => true,
            "response_item" => self.item(payload, place, at, out),
            "event_msg" => event(payload, place, at, out),
            _ => false,
        }
    }
}

impl Codex {
    fn item(&mut self, item: Value<'_>, place: Place, at: Option<i64>, out: &mut Builder) -> bool {
        let id = text(item, "call_id").or_else(|| text(item, "id")).unwrap_or_default();
        match text(item, "type").unwrap_or_default() {
            "message" => {
                let words = content(item.get("content"));
                match text(item, "role") {
                    Some("assistant") => out.say(Said { text: &words, place, at, message: 0 }),
                    Some("user") => out.turn(&words, place, at),
                    _ => {}
                }
            }
            "function_call" => {
                let arguments = text(item, "arguments").unwrap_or_default();
                self.inner.clear();
                match self.inner.read(arguments, 0..arguments.len()) {
                    Ok(root) => {
                        let arguments = self.inner.record(arguments, root);
                        function(text(item, "name").unwrap_or_default(), id, arguments, place, at, out);
                    }
                    Err(fault) => out.timeline.counts.over_limits += u64::from(matches!(fault.kind, FaultKind::TooMany(_))),
                }
            }
            "local_shell_call" => {
                if let Some(command) = item.get("action").and_then(|action| action.get("command")) {
                    out.call(id, &command_line(command), place, at);
                }
            }
            "custom_tool_call" => {
                let input = text(item, "input").unwrap_or_default();
                if input.contains("*** Begin Patch") || text(item, "name") == Some("apply_patch") {
                    out.patch(id, input, place, at);
                } else {
                    out.call(id, input, place, at);
                }
            }
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
                output(id, item.get("output"), place, at, out)
            }
            "reasoning" | "web_search_call" | "ghost_snapshot" => {}
            _ => return false,
        }
        true
    }
}

fn content(content: Option<Value<'_>>) -> String {
    match content.map(Value::shape) {
        Some(Shape::String(words)) => words.to_owned(),
        Some(Shape::Array(parts)) => parts
            .filter(|part| matches!(text(*part, "type"), Some("output_text" | "input_text" | "text")))
            .filter_map(|part| text(part, "text"))
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}

/// A command as a list is a line again; what a shell is given to run is the line.
fn command_line(command: Value<'_>) -> String {
    match command.shape() {
        Shape::String(line) => line.to_owned(),
        Shape::Array(words) => {
            let words: Vec<&str> = words.filter_map(Value::as_str).collect();
            match words.as_slice() {
                [shell, flag, line] if shell.ends_with("sh") && flag.starts_with('-') && flag.ends_with('c') => (*line).to_owned(),
                ["apply_patch", patch] => format!("apply_patch <<'PATCH'\n{patch}\nPATCH"),
                words => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
            }
        }
        _ => String::new(),
    }
}

fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(&byte));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn function(name: &str, id: &str, arguments: Value<'_>, place: Place, at: Option<i64>, out: &mut Builder) {
    match name {
        "write_stdin" => {
            let session = arguments.get("session_id").and_then(|id| id.as_str().or_else(|| Some(id.as_number()?.as_str())));
            if let Some(session) = session {
                out.alias_of_alias(id, &format!("session:{}", session.trim_matches('"')));
            }
        }
        "apply_patch" => {
            let patch = text(arguments, "input").or_else(|| text(arguments, "patch")).unwrap_or_default();
            out.patch(id, patch, place, at);
        }
        _ => {
            let command = ["cmd", "command"].iter().find_map(|key| arguments.get(key));
            match command {
                Some(command) => out.call(id, &command_line(command), place, at),
                None if name.starts_with("mcp") || name.contains("agent") || name.contains("__") => out.elsewhere(place, at),
                None => {}
            }
        }
    }
}

/// The result of a call: a code stands in fields or in the header, never below `Output:`.
fn output(id: &str, output: Option<Value<'_>>, place: Place, at: Option<i64>, out: &mut Builder) {
    let mut words = match output.map(Value::shape) {
        Some(Shape::String(words)) => Cow::Borrowed(words),
        Some(Shape::Array(parts)) => Cow::Owned(parts.filter_map(|part| text(part, "text")).collect::<Vec<_>>().join("\n")),
        Some(Shape::Object(object)) => Cow::Borrowed(text(object, "content").or_else(|| text(object, "output")).unwrap_or_default()),
        _ => Cow::Borrowed(""),
    };
    let mut code = output.and_then(exit_code);
    let mut inner = Tape::default();
    if words.trim_start().starts_with('{')
        && let Ok(root) = inner.read(&words, 0..words.len())
        && let inner = inner.record(&words, root)
        && (inner.get("output").is_some() || inner.get("metadata").is_some())
    {
        code = code.or_else(|| exit_code(inner));
        words = Cow::Owned(text(inner, "output").unwrap_or_default().to_owned());
    }
    if out.is_edit(id) {
        let refused = code.is_some_and(|code| code != 0)
            || code.is_none() && (words.contains("verification failed") || words.contains("Failed to") || words.contains("rejected"));
        out.edited(id, !refused);
        return;
    }
    let (head, body) = match words.find("Output:\n").or_else(|| words.ends_with("Output:").then(|| words.len() - 7)) {
        Some(at) if words[..at].lines().count() <= 12 && is_header(&words[..at]) => {
            (&words[..at], words[at..].trim_start_matches("Output:").trim_start_matches('\n'))
        }
        _ if is_header(words.lines().next().unwrap_or_default()) && !words.contains("Output:") => (&*words, ""),
        _ => ("", &*words),
    };
    let mut running = None;
    for line in head.lines() {
        let after = |mark: &str| line.trim().strip_prefix(mark).map(str::trim);
        if let Some(number) = after("Process exited with code ").or_else(|| after("Exit code: ")) {
            code = code.or_else(|| number.parse().ok());
        }
        running = running.or_else(|| after("Process running with session ID "));
    }
    if let Some(session) = running {
        out.alias(&format!("session:{session}"), id);
    }
    let begin = words.char_indices().nth(300).map_or(&*words, |(end, _)| &words[..end]);
    let outcome = match code {
        Some(code) => Outcome::Exit(code),
        None if running.is_some() => Outcome::Running,
        None if begin.contains("rejected by user")
            || begin.contains("exec command rejected")
            || begin.contains("approval") && begin.contains("denied")
            || begin.starts_with("failed in sandbox") =>
        {
            Outcome::NotRun
        }
        None if begin.contains("timed out") || begin.contains("aborted by user") => Outcome::Interrupted,
        None => Outcome::Unknown,
    };
    out.result(id, outcome, body, place, at);
}

/// Whether the first line is one of the tool's own header.
fn is_header(head: &str) -> bool {
    head.lines().next().is_some_and(|line| {
        [
            "Chunk ID:",
            "Wall time:",
            "Process exited with code",
            "Exit code:",
            "Process running with session",
            "Total output lines:",
            "Original token count:",
            "Command:",
        ]
        .iter()
        .any(|mark| line.starts_with(mark))
    })
}

fn exit_code(value: Value<'_>) -> Option<i32> {
    let code = value.get("metadata").and_then(|metadata| integer(metadata, "exit_code")).or_else(|| integer(value, "exit_code"))?;
    code.try_into().ok()
}

fn event(payload: Value<'_>, place: Place, at: Option<i64>, out: &mut Builder) -> bool {
    let id = text(payload, "call_id").unwrap_or_default();
    match text(payload, "type").unwrap_or_default() {
        "agent_message" => out.say(Said { text: text(payload, "message").unwrap_or_default(), place, at, message: 0 }),
        "task_complete" | "turn_complete" => {
            out.say(Said { text: text(payload, "last_agent_message").unwrap_or_default(), place, at, message: 0 })
        }
        "user_message" => out.turn(text(payload, "message").unwrap_or_default(), place, at),
        "exec_command_end" => {
            let printed = text(payload, "aggregated_output").map_or_else(
                || format!("{}\n{}", text(payload, "stdout").unwrap_or_default(), text(payload, "stderr").unwrap_or_default()),
                str::to_owned,
            );
            let outcome = match exit_code(payload) {
                Some(code) => Outcome::Exit(code),
                None => match text(payload, "status") {
                    Some("failed") => Outcome::FailedNoCode,
                    Some("declined") => Outcome::NotRun,
                    _ => Outcome::Unknown,
                },
            };
            if let Some(command) = payload.get("command") {
                out.call(id, &command_line(command), place, at);
            }
            out.result(id, outcome, printed.trim(), place, at);
        }
        "patch_apply_end" => {
            if out.is_edit(id) {
                out.edited(id, payload.get("success").is_none_or(|success| success.is_bool(true)));
            }
        }
        "task_started"
        | "turn_started"
        | "turn_aborted"
        | "token_count"
        | "agent_reasoning"
        | "exec_command_begin"
        | "patch_apply_begin"
        | "agent_message_delta"
        | "error"
        | "context_compacted" => {}
        _ => return false,
    }
    true
}
