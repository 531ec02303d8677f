//! Gemini CLI: messages with their tool calls inside, and lines that change the past.
//!
//! `success` of a call does not mean exit 0. A message that was taken back was said and is not part of the
//! conversation; what its tools did was done all the same.

use super::builder::{Builder, Said, key};
use super::outcome::Outcome;
use super::session::Importer;
use super::time::milliseconds;
use super::timeline::{Place, TouchKind};
use crate::json::{Record as Value, Shape};
use std::collections::HashMap;

/// Reads messages.
#[derive(Debug, Default)]
pub(super) struct Gemini {
    /// Messages of the conversation as it stands: the digest of the id, and the number of what was said.
    messages: Vec<(u64, u64)>,
    by_id: HashMap<u64, usize>,
    said: u64,
}

/// The most messages of a conversation.
const MESSAGES_LIMIT: usize = 200_000;

fn text<'v>(value: Value<'v>, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

impl Importer for Gemini {
    fn record(&mut self, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        if let Some(set) = record.get("$set") {
            if let Some(messages) = set.get("messages").and_then(Value::elements) {
                self.rewind(0, out);
                for message in messages {
                    self.message(message, place, out);
                }
            }
            return true;
        }
        if let Some(id) = text(record, "$rewindTo") {
            let from = self.by_id.get(&key(id)).copied().unwrap_or(0);
            self.rewind(from, out);
            return true;
        }
        if record.get("type").is_none() {
            let known = record.get("sessionId").is_some();
            out.time(text(record, "startTime").and_then(milliseconds));
            return known;
        }
        self.message(record, place, out)
    }
}

impl Gemini {
    fn rewind(&mut self, from: usize, out: &mut Builder) {
        for (id, said) in self.messages.drain(from.min(self.messages.len())..) {
            self.by_id.remove(&id);
            out.take_back(said);
        }
    }

    fn message(&mut self, message: Value<'_>, place: Place, out: &mut Builder) -> bool {
        let at = text(message, "timestamp").and_then(milliseconds);
        self.said += 1;
        let id = text(message, "id").map_or(u64::MAX - self.said, key);
        match self.by_id.get(&id) {
            Some(&index) => {
                out.take_back(self.messages[index].1);
                self.messages[index].1 = self.said;
            }
            // What is not remembered could not be taken back: it is not read, nor is what comes behind it.
            None if self.messages.len() >= MESSAGES_LIMIT => {
                out.over_limits();
                return true;
            }
            None => {
                self.by_id.insert(id, self.messages.len());
                self.messages.push((id, self.said));
            }
        }
        match text(message, "type") {
            Some("user") => out.turn(&content(message.get("content")), place, at),
            Some("gemini" | "model" | "assistant") => {
                // A message is said, then its tools run.
                out.say(Said { text: &content(message.get("content")), place, at, message: self.said });
                for call in message.get("toolCalls").and_then(Value::elements).into_iter().flatten() {
                    tool(call, place, out);
                }
            }
            Some("info" | "warning" | "error") => {}
            _ => return false,
        }
        true
    }
}

fn content(content: Option<Value<'_>>) -> String {
    match content.map(Value::shape) {
        Some(Shape::String(words)) => words.to_owned(),
        Some(Shape::Array(parts)) => parts
            .filter(|part| !part.get("thought").is_some_and(|thought| thought.is_bool(true)))
            .filter_map(|part| part.as_str().or_else(|| text(part, "text")))
            .collect::<Vec<_>>()
            .join("\n"),
        Some(Shape::Object(object)) => text(object, "text").unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

fn tool(call: Value<'_>, place: Place, out: &mut Builder) {
    let id = text(call, "id").unwrap_or_default();
    let at = text(call, "timestamp").and_then(milliseconds);
    let status = text(call, "status").unwrap_or_default();
    let argument = |key: &str| call.get("args").and_then(|args| text(args, key)).unwrap_or_default();
    match text(call, "name").unwrap_or_default() {
        "run_shell_command" => {
            out.call(id, argument("command"), place, at);
            let printed = printed(call);
            let (outcome, output) = ended(status, &printed);
            out.result(id, outcome, output, place, at);
        }
        name @ ("write_file" | "replace" | "edit") => {
            let kind = if name == "write_file" { TouchKind::Create } else { TouchKind::Edit };
            let path = call.get("args").and_then(|args| text(args, "file_path").or_else(|| text(args, "path"))).unwrap_or_default();
            out.edit(id, path, kind, place, at);
            let refused = call
                .get("result")
                .and_then(Value::elements)
                .is_some_and(|mut parts| parts.any(|part| response(part).is_some_and(|response| response.get("error").is_some())));
            out.edited(id, status == "success" && !refused);
        }
        name if LOOKS.contains(&name) => {}
        _ => out.elsewhere(place, at),
    }
}

/// Tools that change nothing in the tree. A server's tool has a name of its own, and may have done anything.
const LOOKS: [&str; 20] = [
    "read_file",
    "read_many_files",
    "list_directory",
    "glob",
    "grep",
    "search_file_content",
    "grep_search",
    "ripgrep",
    "google_web_search",
    "web_fetch",
    "save_memory",
    "write_todos",
    "write_todos_list",
    "get_internal_docs",
    "activate_skill",
    "ask_user",
    "enter_plan_mode",
    "exit_plan_mode",
    "complete_task",
    "",
];

fn response(part: Value<'_>) -> Option<Value<'_>> {
    part.get("functionResponse")?.get("response")
}

fn printed(call: Value<'_>) -> String {
    let mut words = String::new();
    match call.get("result").map(Value::shape) {
        Some(Shape::Array(parts)) => {
            for part in parts {
                let words_of = response(part)
                    .and_then(|response| text(response, "output").or_else(|| text(response, "error")))
                    .or_else(|| text(part, "text"));
                words.push_str(words_of.unwrap_or_default());
            }
        }
        Some(Shape::String(result)) => words.push_str(result),
        _ => {}
    }
    if words.is_empty() {
        words.push_str(text(call, "resultDisplay").unwrap_or_default());
    }
    words
}

/// How a shell command ended, and what the program itself printed.
fn ended<'w>(status: &str, words: &'w str) -> (Outcome, &'w str) {
    let below = |mark: &str| words.find(mark).filter(|at| words[..*at].lines().count() <= 4).map(|at| &words[at + mark.len()..]);
    // The older form keeps the two streams apart.
    let body = below("Output: ").or_else(|| below("\nStdout: ")).unwrap_or(words);
    let last = |mark: &str| words.lines().rev().find_map(|line| line.strip_prefix(mark)).map(str::trim);
    if status == "cancelled" {
        let started = !body.trim().is_empty() && words.contains("Output:");
        return (if started { Outcome::Interrupted } else { Outcome::NotRun }, body);
    }
    if words.contains("moved to background") {
        return (Outcome::Running, body);
    }
    if let Some(code) = last("Exit Code: ").and_then(|code| code.parse().ok()) {
        return (Outcome::Exit(code), body);
    }
    if last("Signal: ").is_some_and(|signal| signal != "(none)")
        || words.starts_with("Command was cancelled")
        || words.starts_with("Command timed out")
    {
        return (Outcome::Interrupted, body);
    }
    match status {
        "success" => (Outcome::OkNoCode, body),
        "error" => (Outcome::FailedNoCode, body),
        _ => (Outcome::Unknown, body),
    }
}
