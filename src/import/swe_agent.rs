//! SWE-agent trajectories: steps of an action and what it showed. No codes, no times, no commits.
//!
//! Demonstrations, and the runs of its small sibling, hold no steps but the messages that they were made of.

use super::builder::{Builder, Said};
use super::outcome::Outcome;
use super::session::Importer;
use super::timeline::{Place, TouchKind};
use crate::json::{Record as Value, Shape, parse};
use std::borrow::Cow;

/// Reads steps, or messages.
#[derive(Debug, Default)]
pub(super) struct SweAgent {
    steps: u64,
    /// The action of the last message, whose observation is the next one.
    waiting: Option<(String, Place)>,
}

fn text<'v>(value: Value<'v>, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

/// The text of a message, whose content is one or a list of parts.
fn content(value: Value<'_>) -> Cow<'_, str> {
    match value.get("content").map(Value::shape) {
        Some(Shape::String(words)) => Cow::Borrowed(words),
        Some(Shape::Array(parts)) => Cow::Owned(parts.filter_map(|part| text(part, "text")).collect::<Vec<_>>().join("\n")),
        _ => Cow::Borrowed(""),
    }
}

impl Importer for SweAgent {
    fn record(&mut self, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        if let Some(role) = text(record, "role") {
            return self.message(role, record, place, out);
        }
        let (Some(action), observation) = (text(record, "action"), text(record, "observation").unwrap_or_default()) else { return false };
        out.timeline.never_commits = true;
        let response = text(record, "response").unwrap_or_default();
        let thought = text(record, "thought").unwrap_or_default();
        out.say(Said { text: if thought.trim().is_empty() { response } else { thought }, place, at: None, message: 0 });
        let state = record.get("state");
        if let Some(directory) = state.and_then(|state| text(state, "working_dir")) {
            out.working_directory(directory);
        }
        let open = state.and_then(|state| text(state, "open_file")).filter(|file| *file != "n/a").unwrap_or_default();
        self.step(action, observation, open, (place, place), out);
        true
    }
}

impl SweAgent {
    /// A message of the conversation: an action of the agent's, or what the one before it showed.
    fn message(&mut self, role: &str, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        let words = content(record);
        out.timeline.never_commits = true;
        // What a demonstration shows was not done here.
        if record.get("is_demo").is_some_and(|demo| demo.is_bool(true)) {
            return true;
        }
        match role {
            "assistant" => {
                let thought = text(record, "thought").filter(|thought| !thought.trim().is_empty());
                out.say(Said { text: thought.unwrap_or(&words), place, at: None, message: 0 });
                let action = text(record, "action").map(str::to_owned).or_else(|| called(record)).or_else(|| fenced(&words));
                self.waiting = action.map(|action| (action, place));
            }
            "user" | "tool" | "exit" => {
                if let Some((action, called)) = self.waiting.take() {
                    let observation = words.strip_prefix("OBSERVATION:\n").unwrap_or(&words);
                    self.step(&action, observation, "", (called, place), out);
                } else {
                    out.turn("", place, None);
                }
            }
            "system" => {}
            _ => return false,
        }
        true
    }

    fn step(&mut self, action: &str, observation: &str, open: &str, (called, place): (Place, Place), out: &mut Builder) {
        self.steps += 1;
        let id = format!("step:{}", self.steps);
        let action = action.trim();
        let first = action.split_whitespace().next().unwrap_or_default();
        let refused = observation.contains("Your proposed edit has introduced new syntax error")
            || observation.contains("No replacement was performed")
            || observation.contains("did not appear verbatim");
        let second = action.split_whitespace().nth(1).unwrap_or_default();
        let third = action.split_whitespace().nth(2).unwrap_or_default();
        match first {
            "edit" | "insert" | "append" => {
                out.edit(&id, open, TouchKind::Edit, called, None);
                out.edited(&id, !refused);
            }
            "create" => {
                out.edit(&id, second, TouchKind::Create, called, None);
                out.edited(&id, !refused);
            }
            "str_replace_editor" | "edit_anthropic" => {
                if second != "view" {
                    let kind = if second == "create" { TouchKind::Create } else { TouchKind::Edit };
                    out.edit(&id, third, kind, called, None);
                    out.edited(&id, !refused);
                }
            }
            "open" | "goto" | "scroll_up" | "scroll_down" | "search_file" | "search_dir" | "find_file" | "submit" | "exit" | "view"
            | "" => {}
            _ => {
                out.call(&id, action, called, None);
                out.result(&id, returned(observation).map_or(Outcome::Unknown, Outcome::Exit), observation, place, None);
            }
        }
    }
}

/// The code that an observation begins with, where the agent's shell writes one.
fn returned(observation: &str) -> Option<i32> {
    observation.trim_start().strip_prefix("<returncode>")?.split_once("</returncode>")?.0.trim().parse().ok()
}

/// The action of a message that calls tools, as the older form writes it.
fn called(record: Value<'_>) -> Option<String> {
    let function = record.get("tool_calls")?.elements()?.next()?.get("function")?;
    let arguments = parse(text(function, "arguments").unwrap_or("{}").as_bytes()).ok();
    let argument = |key: &str| arguments.as_ref().and_then(|value| value.get(key)?.as_str().map(str::to_owned)).unwrap_or_default();
    Some(match text(function, "name")? {
        "bash" | "execute_bash" | "shell" => argument("command"),
        name => format!("{name} {} {}", argument("command"), argument("path")),
    })
}

/// The last block of code of a message: there the action stands where no tools are called.
fn fenced(words: &str) -> Option<String> {
    let (before, _) = words.trim_end().rsplit_once("```")?;
    let (_, block) = before.rsplit_once("```")?;
    let (language, code) = block.split_once('\n')?;
    (!language.contains(' ')).then(|| code.trim().to_owned())
}
