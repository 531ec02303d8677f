//! Claude Code: JSON lines, one content block a line.
//!
//! A success never carries an exit code. Sub-agents' lines, inline or in files of their own, are
//! evidence; what they say is not the main session's.

use super::builder::{Builder, Said};
use super::outcome::Outcome;
use super::session::Importer;
use super::time::milliseconds;
use super::timeline::{Place, TouchKind};
use crate::json::{Record as Value, Shape};
use std::borrow::Cow;

/// Reads records of a session.
#[derive(Debug, Default)]
pub(super) struct ClaudeCode {
    /// The file is a sub-agent's.
    pub(super) side: bool,
}

fn text<'v>(value: Value<'v>, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

fn is_true(value: Option<Value<'_>>) -> bool {
    value.is_some_and(|value| value.is_bool(true))
}

impl Importer for ClaudeCode {
    fn record(&mut self, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        let kind = text(record, "type");
        let known =
            matches!(kind, Some("user" | "assistant")) || kind == Some("system") && text(record, "subtype") == Some("compact_boundary");
        if !known {
            out.timeline.counts.beside += u64::from(kind.is_some_and(|kind| BESIDE.contains(&kind)));
            return false;
        }
        if text(record, "uuid").is_some_and(|id| out.is_repeated(id)) {
            return true;
        }
        if let Some(directory) = text(record, "cwd") {
            out.working_directory(directory);
        }
        let at = text(record, "timestamp").and_then(milliseconds);
        out.time(at);
        let Some(message) = record.get("message") else { return true };
        let side = self.side || is_true(record.get("isSidechain"));
        let assistant = kind == Some("assistant");
        let synthetic = text(message, "model") == Some("<synthetic>") || is_true(record.get("isApiErrorMessage"));
        match message.get("content") {
            Some(words) if !assistant && words.as_str().is_some_and(|words| words.starts_with("<task-notification>")) => {
                notified(words.as_str().unwrap_or_default(), place, at, out);
            }
            Some(words) if words.as_raw().is_some() => {
                if assistant && !side && !synthetic {
                    out.say(Said { text: words.as_str().unwrap_or_default(), place, at, message: 0 });
                } else if !assistant && !side {
                    out.turn(words.as_str().unwrap_or_default(), place, at);
                }
            }
            Some(list) => {
                for block in list.elements().into_iter().flatten() {
                    match text(block, "type") {
                        Some("text") if assistant && !side && !synthetic => {
                            out.say(Said { text: text(block, "text").unwrap_or_default(), place, at, message: 0 });
                        }
                        Some("text") if !assistant && !side => out.turn(text(block, "text").unwrap_or_default(), place, at),
                        Some("tool_use") => call(block, place, at, out),
                        Some("tool_result") => result(block, record, place, at, out),
                        _ => {}
                    }
                }
            }
            None => {}
        }
        true
    }
}

/// Kinds of records that hold no act and no word of the session.
const BESIDE: [&str; 8] =
    ["progress", "attachment", "queue-operation", "last-prompt", "file-history-snapshot", "summary", "pr-link", "system"];

/// Tools that change nothing. What is on no list may have done anything: a sub-agent, a tool of another kind.
const LOOKS: [&str; 22] = [
    "Read",
    "Grep",
    "Glob",
    "LS",
    "WebFetch",
    "WebSearch",
    "TodoWrite",
    "TodoRead",
    "ExitPlanMode",
    "EnterPlanMode",
    "AskUserQuestion",
    "KillShell",
    "KillBash",
    "NotebookRead",
    "ToolSearch",
    "TaskCreate",
    "TaskUpdate",
    "TaskList",
    "TaskGet",
    "TaskStop",
    "ListMcpResources",
    "",
];

fn call(block: Value<'_>, place: Place, at: Option<i64>, out: &mut Builder) {
    let id = text(block, "id").unwrap_or_default();
    let input = block.get("input");
    let field = |key: &str| input.and_then(|input| text(input, key));
    match text(block, "name").unwrap_or_default() {
        "Bash" => {
            let command = field("command").unwrap_or_default();
            out.call(id, command, place, at);
        }
        "BashOutput" | "TaskOutput" | "AgentOutput" => {
            if let Some(shell) = field("bash_id").or_else(|| field("task_id")).or_else(|| field("shell_id")) {
                out.alias_of_alias(id, &format!("background:{shell}"));
            }
        }
        // A run's own output, read without a shell.
        "Read" if out.is_log(field("file_path").unwrap_or_default()) => {
            let path = field("file_path").unwrap_or_default();
            let part = input.is_some_and(|input| input.get("limit").is_some());
            if !path.contains(['\'', '\n']) {
                out.call(id, &format!("{} '{path}'", if part { "head" } else { "cat" }), place, at);
            }
        }
        "Edit" | "MultiEdit" => out.edit(id, field("file_path").unwrap_or_default(), TouchKind::Edit, place, at),
        "Write" => out.edit(id, field("file_path").unwrap_or_default(), TouchKind::Create, place, at),
        "NotebookEdit" => {
            out.edit(id, field("notebook_path").or_else(|| field("file_path")).unwrap_or_default(), TouchKind::Edit, place, at)
        }
        name if LOOKS.contains(&name) => {}
        _ => out.elsewhere(place, at),
    }
}

fn result(block: Value<'_>, record: Value<'_>, place: Place, at: Option<i64>, out: &mut Builder) {
    let id = text(block, "tool_use_id").unwrap_or_default();
    let failed = is_true(block.get("is_error"));
    if out.is_edit(id) {
        out.edited(id, !failed);
        return;
    }
    let besides = record.get("toolUseResult");
    if !out.needs_output(id) {
        background(besides, id, out);
        out.result(id, Outcome::Unknown, "", place, at);
        return;
    }
    let mut output = content(block.get("content"));
    let outcome = outcome(&output, failed, besides);
    background(besides, id, out);
    if let Some(besides) = besides {
        // What the model was shown may be cut; what the tool recorded may hold the end.
        let whole = text(besides, "stdout").unwrap_or_default();
        if whole.len() > output.len() {
            let output = output.to_mut();
            output.push('\n');
            output.push_str(whole);
        }
        if let Some(errors) = text(besides, "stderr").filter(|errors| !errors.is_empty() && !output.contains(*errors)) {
            let output = output.to_mut();
            output.push('\n');
            output.push_str(errors);
        }
    }
    let outcome = of_background(outcome, &output);
    out.result(id, outcome, &printed(&output), place, at);
    if let Some(task) = besides.and_then(|besides| text(besides, "backgroundTaskId")) {
        out.task_file(id, task);
    }
}

/// What a program printed, out of what a tool that looks after it wraps it in.
fn printed(output: &str) -> Cow<'_, str> {
    let begin = output.trim_start();
    if begin.starts_with("<status>") || begin.starts_with("<retrieval_status>") {
        let inner = |open: &str, close: &str| {
            let start = output.find(open)? + open.len();
            Some(output[start..start + output[start..].rfind(close)?].trim_matches('\n'))
        };
        let parts = [inner("<output>", "</output>"), inner("<stdout>", "</stdout>"), inner("<stderr>", "</stderr>")];
        return parts.into_iter().flatten().collect::<Vec<_>>().join("\n").into();
    }
    // A file is shown with the number of each line.
    let text_of = |line: &str| -> Option<usize> {
        let (number, _) = line.split_once('\u{2192}')?;
        number.trim_start().bytes().all(|byte| byte.is_ascii_digit()).then(|| number.len() + '\u{2192}'.len_utf8())
    };
    if begin.starts_with(|first: char| first.is_ascii_digit()) && output.lines().next().and_then(text_of).is_some() {
        return output.lines().map(|line| &line[text_of(line).unwrap_or(0)..]).collect::<Vec<_>>().join("\n").into();
    }
    output.into()
}

/// The tool's own note that a command in the background ended.
fn notified(words: &str, place: Place, at: Option<i64>, out: &mut Builder) {
    let tag = |open: &str, close: &str| {
        let start = words.find(open)? + open.len();
        Some(words[start..start + words[start..].find(close)?].trim())
    };
    let Some(task) = tag("<task-id>", "</task-id>") else { return };
    let code = ["(exit code ", "with exit code "].iter().find_map(|mark| {
        let rest = &words[words.find(mark)? + mark.len()..];
        rest.split(|each: char| !each.is_ascii_digit()).next()?.parse().ok()
    });
    let outcome = match (tag("<status>", "</status>"), code) {
        (Some("killed" | "stopped"), _) => Outcome::Interrupted,
        (Some("completed" | "failed"), Some(code)) => Outcome::Exit(code),
        (Some("completed"), None) => Outcome::OkNoCode,
        (Some("failed"), None) => Outcome::FailedNoCode,
        _ => return,
    };
    out.result(&format!("background:{task}"), outcome, "", place, at);
}

/// Later results name the command by its task.
fn background(besides: Option<Value<'_>>, id: &str, out: &mut Builder) {
    if let Some(task) = besides.and_then(|besides| text(besides, "backgroundTaskId").or_else(|| text(besides, "shellId"))) {
        out.alias(&format!("background:{task}"), id);
    }
}

/// The answer of a tool that looks after a command in the background.
fn of_background(outcome: Outcome, output: &str) -> Outcome {
    let tag = |open: &str, close: &str| {
        let start = output.find(open)? + open.len();
        let end = output[start..].find(close)?;
        Some(output[start..start + end].trim())
    };
    let Some(status) = tag("<status>", "</status>") else { return outcome };
    match (status, tag("<exit_code>", "</exit_code>").and_then(|code| code.parse().ok())) {
        ("running", _) => Outcome::Running,
        ("killed", _) => Outcome::Interrupted,
        (_, Some(code)) => Outcome::Exit(code),
        ("completed", None) => Outcome::OkNoCode,
        ("failed", None) => Outcome::FailedNoCode,
        _ => outcome,
    }
}

/// The text of a result; borrowed where it is one, since outputs may be megabytes.
fn content<'v>(content: Option<Value<'v>>) -> Cow<'v, str> {
    match content.map(Value::shape) {
        Some(Shape::String(words)) => Cow::Borrowed(words),
        Some(Shape::Array(blocks)) => {
            let mut texts = blocks.filter_map(|block| text(block, "text"));
            let first = texts.next().unwrap_or_default();
            match texts.next() {
                None => Cow::Borrowed(first),
                Some(second) => Cow::Owned([first, second].into_iter().chain(texts).collect::<Vec<_>>().join("\n")),
            }
        }
        _ => Cow::Borrowed(""),
    }
}

const REFUSED: [&str; 14] = [
    "The user doesn't want to proceed",
    "User rejected",
    "user rejected",
    "Permission to use",
    "permission denied by",
    "requires approval",
    "has been denied",
    "Sibling tool call errored",
    "parallel tool call",
    "Command blocked",
    "PreToolUse:",
    "was blocked",
    "haven't granted",
    "Request interrupted by user for tool use",
];

fn outcome(output: &str, failed: bool, besides: Option<Value<'_>>) -> Outcome {
    let interrupted = besides.is_some_and(|besides| is_true(besides.get("interrupted")));
    if failed {
        let words = output.trim_start();
        let words = words.strip_prefix("Error: ").unwrap_or(words);
        if let Some(rest) = words.strip_prefix("Exit code ") {
            let digits: String = rest.chars().take_while(|each| each.is_ascii_digit()).collect();
            if let Ok(code) = digits.parse() {
                return Outcome::Exit(code);
            }
        }
        let mut end = words.len().min(600);
        while !words.is_char_boundary(end) {
            end -= 1;
        }
        let begin = &words[..end];
        if REFUSED.iter().any(|refusal| begin.contains(refusal)) {
            return Outcome::NotRun;
        }
        if interrupted || begin.contains("timed out") || begin.contains("[Request interrupted") {
            return Outcome::Interrupted;
        }
        return Outcome::FailedNoCode;
    }
    if besides.is_some_and(|besides| text(besides, "backgroundTaskId").is_some())
        || output.starts_with("Command running in background with ID")
    {
        return Outcome::Running;
    }
    if interrupted {
        return Outcome::Interrupted;
    }
    Outcome::OkNoCode
}
