//! SWE-agent trajectories: steps of an action and what it showed. No codes, no times, no commits.

use super::builder::{Builder, Said};
use super::outcome::Outcome;
use super::session::Importer;
use super::timeline::{Place, TouchKind};
use crate::json::Record as Value;

/// Reads steps.
#[derive(Debug, Default)]
pub(super) struct SweAgent {
    steps: u64,
}

fn text<'v>(value: Value<'v>, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

impl Importer for SweAgent {
    fn record(&mut self, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        let (Some(action), observation) = (text(record, "action"), text(record, "observation").unwrap_or_default()) else { return false };
        out.timeline.never_commits = true;
        let response = text(record, "response").unwrap_or_default();
        let thought = text(record, "thought").unwrap_or_default();
        out.say(Said { text: if thought.trim().is_empty() { response } else { thought }, place, at: None, message: 0 });
        self.steps += 1;
        let id = format!("step:{}", self.steps);
        let action = action.trim();
        let first = action.split_whitespace().next().unwrap_or_default();
        let state = record.get("state");
        if let Some(directory) = state.and_then(|state| text(state, "working_dir")) {
            out.working_directory(directory);
        }
        let open = state.and_then(|state| text(state, "open_file")).filter(|file| *file != "n/a").unwrap_or_default();
        let refused = observation.contains("Your proposed edit has introduced new syntax error")
            || observation.contains("No replacement was performed")
            || observation.contains("did not appear verbatim");
        let second = action.split_whitespace().nth(1).unwrap_or_default();
        let third = action.split_whitespace().nth(2).unwrap_or_default();
        match first {
            "edit" | "insert" | "append" => {
                out.edit(&id, open, TouchKind::Edit, place, None);
                out.edited(&id, !refused);
            }
            "create" => {
                out.edit(&id, second, TouchKind::Create, place, None);
                out.edited(&id, !refused);
            }
            "str_replace_editor" | "edit_anthropic" => {
                if second != "view" {
                    let kind = if second == "create" { TouchKind::Create } else { TouchKind::Edit };
                    out.edit(&id, third, kind, place, None);
                    out.edited(&id, !refused);
                }
            }
            "open" | "goto" | "scroll_up" | "scroll_down" | "search_file" | "search_dir" | "find_file" | "submit" | "exit" | "view"
            | "" => {}
            _ => {
                out.call(&id, action, place, None);
                out.result(&id, Outcome::Unknown, observation, place, None);
            }
        }
        true
    }
}
