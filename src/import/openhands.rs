//! OpenHands: events, a file each, or a history in one document of the older form.

use super::builder::{Builder, Said};
use super::outcome::Outcome;
use super::session::Importer;
use super::timeline::{Place, TouchKind};
use crate::json::{Record as Value, Shape};
use std::borrow::Cow;

/// Reads events. Their times have no zone, so order is all that they give.
#[derive(Debug, Default)]
pub(super) struct OpenHands {
    /// The command that was still running when its result was recorded: what is typed into it shows more of it.
    running: Option<String>,
}

fn text<'v>(value: Value<'v>, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

fn code(value: Option<Value<'_>>) -> Option<i32> {
    value?.as_number()?.as_integer()?.try_into().ok()
}

impl Importer for OpenHands {
    fn record(&mut self, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        match text(record, "kind") {
            Some(kind) => self.current(kind, record, place, out),
            None => self.older(record, place, out),
        }
    }
}

fn words(content: Option<Value<'_>>) -> Cow<'_, str> {
    match content.map(Value::shape) {
        Some(Shape::String(words)) => Cow::Borrowed(words),
        Some(Shape::Array(parts)) => Cow::Owned(parts.filter_map(|part| text(part, "text")).collect::<Vec<_>>().join("\n")),
        _ => Cow::Borrowed(""),
    }
}

impl OpenHands {
    /// A command, or what is typed into the one that runs.
    fn command(&mut self, id: &str, command: &str, is_input: bool, place: Place, out: &mut Builder) {
        match &self.running {
            Some(running) if is_input || command.trim().is_empty() => out.alias(id, running),
            _ if is_input => {}
            _ => {
                self.running = None;
                out.call(id, command, place, None);
            }
        }
    }

    fn result(&mut self, id: &str, outcome: Outcome, output: &str, place: Place, out: &mut Builder) {
        if outcome == Outcome::Running {
            self.running.get_or_insert_with(|| id.to_owned());
        } else if outcome != Outcome::Unknown {
            self.running = None;
        }
        out.result(id, outcome, output, place, None);
    }

    fn current(&mut self, kind: &str, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        let id = text(record, "tool_call_id").or_else(|| text(record, "action_id")).or_else(|| text(record, "id")).unwrap_or_default();
        match kind {
            "MessageEvent" => {
                if text(record, "source") == Some("agent") {
                    let message = words(record.get("llm_message").and_then(|message| message.get("content")));
                    out.say(Said { text: &message, place, at: None, message: 0 });
                } else {
                    out.turn(&words(record.get("llm_message").and_then(|message| message.get("content"))), place, None);
                }
            }
            "ActionEvent" => {
                let Some(action) = record.get("action").filter(|action| action.is_object()) else { return true };
                if let Some(thought) = record.get("thought") {
                    out.say(Said { text: &words(Some(thought)), place, at: None, message: 0 });
                }
                self.act(action, text(record, "tool_name").unwrap_or_default(), id, place, out);
            }
            "ObservationEvent" => {
                let Some(observation) = record.get("observation") else { return true };
                let failed = observation.get("is_error").is_some_and(|error| error.is_bool(true));
                if out.is_edit(id) {
                    out.edited(id, !failed);
                    return true;
                }
                let metadata = observation.get("metadata");
                let code = code(observation.get("exit_code")).or_else(|| code(metadata.and_then(|metadata| metadata.get("exit_code"))));
                if let Some(directory) = metadata.and_then(|metadata| text(metadata, "working_dir")) {
                    out.working_directory(directory);
                }
                self.result(id, of_code(code, observation), &words(observation.get("content")), place, out);
            }
            "UserRejectObservation" => refused(id, place, out),
            "AgentErrorEvent" => refused(id, place, out),
            "HookExecutionEvent"
            | "SystemPromptEvent"
            | "ConversationStateUpdateEvent"
            | "Condensation"
            | "CondensationRequest"
            | "PauseEvent"
            | "ConversationErrorEvent" => {}
            _ => return false,
        }
        true
    }

    fn act(&mut self, action: Value<'_>, tool: &str, id: &str, place: Place, out: &mut Builder) {
        let kind = text(action, "kind").unwrap_or_default();
        if kind.starts_with("Finish") || tool == "finish" {
            out.say(Said { text: text(action, "message").unwrap_or_default(), place, at: None, message: 0 });
        } else if kind.contains("Terminal") || kind.contains("Bash") || matches!(tool, "terminal" | "execute_bash" | "bash") {
            let is_input = action.get("is_input").is_some_and(|input| input.is_bool(true));
            self.command(id, text(action, "command").unwrap_or_default(), is_input, place, out);
        } else if let Some(patch) = text(action, "patch").or_else(|| text(action, "patch_text")) {
            out.patch(id, patch, place, None);
        } else if let Some(path) = text(action, "path").or_else(|| text(action, "file_path")) {
            let command = text(action, "command").unwrap_or(if writes(kind) { "edit" } else { "view" });
            if let Some(kind) = edits(command) {
                out.edit(id, path, kind, place, None);
            }
        } else if !looks(kind) {
            // A tool of another kind, or another agent: what it does is not recorded here.
            out.elsewhere(place, None);
        }
    }
}

/// Whether an action of this kind changes the file that it names.
fn writes(kind: &str) -> bool {
    ["Edit", "Write", "Replace", "Create", "Insert"].iter().any(|word| kind.contains(word))
}

/// Whether an action of this kind only looks, or speaks.
fn looks(kind: &str) -> bool {
    ["Think", "Task", "Browser", "Glob", "Grep", "Read", "List", "Finish", "Message", "View", "Search"]
        .iter()
        .any(|word| kind.contains(word))
        && !kind.starts_with("MCP")
}

fn refused(id: &str, place: Place, out: &mut Builder) {
    if out.is_edit(id) {
        out.edited(id, false);
    } else {
        out.result(id, Outcome::NotRun, "", place, None);
    }
}

/// Code for the agent's own Python session. Its editing functions edit, lines behind `!` are a shell's, the rest may do
/// anything.
fn python(code: &str, id: &str, place: Place, out: &mut Builder) {
    const LOOKS: [&str; 7] = ["open_file(", "goto_line(", "scroll_down(", "scroll_up(", "search_dir(", "search_file(", "find_file("];
    const EDITS: [&str; 8] = [
        "file_editor(",
        "edit_file(",
        "edit_file_by_replace(",
        "edit_file_by_line(",
        "insert_content_at_line(",
        "append_file(",
        "create_file(",
        "str_replace_editor(",
    ];
    let calls = |names: &[&str]| names.iter().any(|name| code.contains(name));
    if calls(&EDITS) {
        let views =
            ["'command': 'view'", "\"command\": \"view\"", "command='view'", "command=\"view\""].iter().any(|view| code.contains(view));
        if !views {
            out.edit(id, path_of(code), TouchKind::Edit, place, None);
        }
        return;
    }
    if calls(&LOOKS) {
        return;
    }
    let code = code.trim_start();
    let script = code.strip_prefix("%%bash").or_else(|| code.strip_prefix("%%sh"));
    let shell = script.map_or_else(
        || code.lines().filter_map(|line| line.trim_start().strip_prefix(['!', '%'])).collect::<Vec<_>>().join("\n"),
        str::to_owned,
    );
    if shell.trim().is_empty() {
        out.call(id, &format!("python3 -c '{}'", code.replace('\'', "\"")), place, None);
    } else {
        out.call(id, shell.trim(), place, None);
    }
}

/// The first text in `code` that could be a path; empty where none is.
fn path_of(code: &str) -> &str {
    let texts = code.split(['\'', '"']).skip(1).step_by(2);
    texts.take(16).find(|text| !text.contains(char::is_whitespace) && (text.contains('/') || text.contains('.'))).unwrap_or_default()
}

/// What a command of a file editor does; `None` for one that looks.
fn edits(command: &str) -> Option<TouchKind> {
    match command {
        "view" | "" => None,
        "create" => Some(TouchKind::Create),
        _ => Some(TouchKind::Edit),
    }
}

fn of_code(code: Option<i32>, observation: Value<'_>) -> Outcome {
    match code {
        Some(-1) => Outcome::Running,
        Some(code) => Outcome::Exit(code),
        None if observation.get("timeout").is_some_and(|timeout| timeout.is_bool(true)) => Outcome::Interrupted,
        None => Outcome::Unknown,
    }
}

impl OpenHands {
    /// The older form: actions, and observations that name their cause.
    fn older(&mut self, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        let number = |key: &str| record.get(key).and_then(Value::as_number).map(|number| format!("older:{}", number.as_str()));
        let arguments = record.get("args");
        let argument = |key: &str| arguments.and_then(|arguments| text(arguments, key)).unwrap_or_default();
        let agent = text(record, "source") == Some("agent");
        if let Some(action) = text(record, "action") {
            let id = number("id").unwrap_or_default();
            if agent && !matches!(action, "message" | "finish" | "think") {
                out.say(Said { text: argument("thought"), place, at: None, message: 0 });
            }
            match action {
                "message" if agent => {
                    let content = argument("content");
                    let content = if content.is_empty() { text(record, "message").unwrap_or_default() } else { content };
                    out.say(Said { text: content, place, at: None, message: 0 });
                }
                "message" => {
                    let content = argument("content");
                    out.turn(if content.is_empty() { text(record, "message").unwrap_or_default() } else { content }, place, None);
                }
                "finish" => {
                    let thought = [argument("final_thought"), argument("thought"), text(record, "message").unwrap_or_default()];
                    let said = thought.iter().find(|words| !words.is_empty()).copied().unwrap_or_default();
                    let outputs = arguments
                        .and_then(|arguments| arguments.get("outputs"))
                        .and_then(|outputs| text(outputs, "content"))
                        .unwrap_or_default();
                    out.say(Said { text: if said.is_empty() { outputs } else { said }, place, at: None, message: 0 });
                }
                "run" => {
                    let is_input = arguments.is_some_and(|arguments| arguments.get("is_input").is_some_and(|input| input.is_bool(true)));
                    self.command(&id, argument("command"), is_input, place, out);
                }
                "run_ipython" => python(argument("code"), &id, place, out),
                "edit" | "write" => {
                    if let Some(kind) = if action == "write" {
                        Some(TouchKind::Create)
                    } else {
                        edits(if argument("command").is_empty() { "edit" } else { argument("command") })
                    } {
                        out.edit(&id, argument("path"), kind, place, None);
                    }
                }
                "call_tool_mcp" | "mcp" | "delegate" | "browse_interactive" => out.elsewhere(place, None),
                "read" | "browse" | "recall" | "system" | "think" | "null" | "change_agent_state" | "condensation" => {}
                _ => return false,
            }
            return true;
        }
        let Some(observation) = text(record, "observation") else { return false };
        let id = number("cause").unwrap_or_default();
        let extras = record.get("extras");
        match observation {
            "run" | "run_ipython" => {
                let metadata = extras.and_then(|extras| extras.get("metadata"));
                let code = code(extras.and_then(|extras| extras.get("exit_code")))
                    .or_else(|| code(metadata.and_then(|metadata| metadata.get("exit_code"))));
                if let Some(directory) = metadata.and_then(|metadata| text(metadata, "working_dir")) {
                    out.working_directory(directory);
                }
                if observation == "run_ipython" && out.is_edit(&id) {
                    let failed = text(record, "content")
                        .is_some_and(|content| content.contains("ERROR") || content.contains("No replacement was performed"));
                    out.edited(&id, !failed);
                    return true;
                }
                self.result(&id, of_code(code, record), text(record, "content").unwrap_or_default(), place, out);
            }
            "edit" | "write" | "read" => {
                let failed = text(record, "content").is_some_and(|content| content.starts_with("ERROR"));
                out.edited(&id, !failed);
            }
            "error" | "user_rejected" => refused(&id, place, out),
            _ => {
                return matches!(
                    observation,
                    "browse" | "recall" | "null" | "agent_state_changed" | "success" | "think" | "delegate" | "condense" | "mcp"
                );
            }
        }
        true
    }
}
