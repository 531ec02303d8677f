//! OpenHands: events, a file each, or a history in one document of the older form.

use super::builder::{Builder, Said};
use super::outcome::Outcome;
use super::session::Importer;
use super::timeline::{Place, TouchKind};
use crate::json::{Record as Value, Shape};
use std::borrow::Cow;

/// Reads events. Their times have no zone, so order is all that they give.
#[derive(Debug, Default)]
pub(super) struct OpenHands;

fn text<'v>(value: Value<'v>, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

fn code(value: Option<Value<'_>>) -> Option<i32> {
    value?.as_number()?.as_integer()?.try_into().ok()
}

impl Importer for OpenHands {
    fn record(&mut self, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        match text(record, "kind") {
            Some(kind) => current(kind, record, place, out),
            None => older(record, place, out),
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

fn current(kind: &str, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
    let id = text(record, "tool_call_id").or_else(|| text(record, "action_id")).or_else(|| text(record, "id")).unwrap_or_default();
    match kind {
        "MessageEvent" => {
            if text(record, "source") == Some("agent") {
                let message = words(record.get("llm_message").and_then(|message| message.get("content")));
                out.say(Said { text: &message, place, at: None, message: 0 });
            } else {
                out.turn();
            }
        }
        "ActionEvent" => {
            let Some(action) = record.get("action").filter(|action| action.is_object()) else { return true };
            if let Some(thought) = record.get("thought") {
                out.say(Said { text: &words(Some(thought)), place, at: None, message: 0 });
            }
            act(action, text(record, "tool_name").unwrap_or_default(), id, place, out);
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
            looked_at(code, id, out);
            out.result(id, of_code(code, observation), &words(observation.get("content")), place, None);
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

fn refused(id: &str, place: Place, out: &mut Builder) {
    if out.is_edit(id) {
        out.edited(id, false);
    } else {
        out.result(id, Outcome::NotRun, "", place, None);
    }
}

fn act(action: Value<'_>, tool: &str, id: &str, place: Place, out: &mut Builder) {
    let kind = text(action, "kind").unwrap_or_default();
    if kind.starts_with("Finish") || tool == "finish" {
        out.say(Said { text: text(action, "message").unwrap_or_default(), place, at: None, message: 0 });
    } else if kind.contains("Terminal") || kind.contains("Bash") || matches!(tool, "terminal" | "execute_bash" | "bash") {
        let command = text(action, "command").unwrap_or_default();
        if action.get("is_input").is_some_and(|input| input.is_bool(true)) || command.trim().is_empty() {
            out.alias_of_alias(id, TERMINAL);
        } else {
            out.call(id, command, place, None);
        }
    } else if let Some(path) = text(action, "path")
        && let Some(kind) = edits(text(action, "command").unwrap_or_default())
    {
        out.edit(id, path, kind, place, None);
    }
}

/// What a poll of the terminal is an alias of: the command that runs in it.
const TERMINAL: &str = "terminal:running";

/// A command that still runs is what the terminal shows next.
fn looked_at(code: Option<i32>, id: &str, out: &mut Builder) {
    match code {
        Some(-1) => out.alias(TERMINAL, id),
        Some(_) => out.alias(TERMINAL, "terminal:free"),
        None => {}
    }
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

/// The older form: actions, and observations that name their cause.
fn older(record: Value<'_>, place: Place, out: &mut Builder) -> bool {
    let number = |key: &str| record.get(key).and_then(Value::as_number).map(|number| format!("older:{}", number.as_str()));
    let arguments = record.get("args");
    let argument = |key: &str| arguments.and_then(|arguments| text(arguments, key)).unwrap_or_default();
    let agent = text(record, "source") == Some("agent");
    if let Some(action) = text(record, "action") {
        let id = number("id").unwrap_or_default();
        if agent && !matches!(action, "message" | "finish") {
            out.say(Said { text: argument("thought"), place, at: None, message: 0 });
        }
        match action {
            "message" if agent => {
                let content = argument("content");
                let content = if content.is_empty() { text(record, "message").unwrap_or_default() } else { content };
                out.say(Said { text: content, place, at: None, message: 0 });
            }
            "message" => out.turn(),
            "finish" => {
                let thought = [argument("final_thought"), argument("thought"), text(record, "message").unwrap_or_default()];
                let said = thought.iter().find(|words| !words.is_empty()).copied().unwrap_or_default();
                let outputs = arguments
                    .and_then(|arguments| arguments.get("outputs"))
                    .and_then(|outputs| text(outputs, "content"))
                    .unwrap_or_default();
                out.say(Said { text: if said.is_empty() { outputs } else { said }, place, at: None, message: 0 });
            }
            "run"
                if argument("command").trim().is_empty()
                    || arguments.is_some_and(|arguments| arguments.get("is_input").is_some_and(|input| input.is_bool(true))) =>
            {
                out.alias_of_alias(&id, TERMINAL);
            }
            "run" | "run_ipython"
                if !arguments.is_some_and(|arguments| arguments.get("is_input").is_some_and(|input| input.is_bool(true))) =>
            {
                let command = if action == "run" { argument("command") } else { "" };
                out.call(&id, command, place, None);
            }
            "edit" | "write" => {
                if let Some(kind) = if action == "write" {
                    Some(TouchKind::Create)
                } else {
                    edits(if argument("command").is_empty() { "edit" } else { argument("command") })
                } {
                    out.edit(&id, argument("path"), kind, place, None);
                }
            }
            "read" | "browse" | "browse_interactive" | "recall" | "system" | "think" | "delegate" | "null" | "change_agent_state"
            | "condensation" | "mcp" => {}
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
            looked_at(code, &id, out);
            out.result(&id, of_code(code, record), text(record, "content").unwrap_or_default(), place, None);
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
