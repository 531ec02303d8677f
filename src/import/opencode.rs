//! opencode: sessions, messages and parts, each a record of its own, in small files or in a database; and the document
//! that `opencode export` prints, whose messages hold their parts.
//!
//! Its snapshots belong to a store of its own and say nothing about the project's history.

use super::builder::{Builder, Said};
use super::outcome::Outcome;
use super::session::Importer;
use super::timeline::{Place, TouchKind};
use crate::json::{FaultKind, Record as Value, Tape};
use std::collections::BTreeMap;

/// One record: its place and its JSON. `id`, `session` and `parent` are given where they stand outside it.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// The file, as it may be shown; empty for a database.
    pub shown: String,
    /// The record's id.
    pub id: String,
    /// The session of a message, the message of a part.
    pub parent: String,
    /// When it was made, in milliseconds since 1970.
    pub created: Option<i64>,
    /// The record.
    pub json: String,
}

/// Where rows come from; each list in any order.
pub trait Rows {
    /// Sessions.
    fn sessions(&mut self) -> Vec<Row>;
    /// Messages of a session.
    fn messages(&mut self, session: &str) -> Vec<Row>;
    /// Parts of a message.
    fn parts(&mut self, message: &str) -> Vec<Row>;
}

fn text<'v>(value: Value<'v>, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

fn created(value: Value<'_>) -> Option<i64> {
    value.get("time")?.get("created")?.as_number().map(|at| at.as_f64() as i64)
}

/// The record that `json` is; what does not read is counted.
fn read<'t>(tape: &'t mut Tape, json: &'t str, out: &mut Builder) -> Option<Value<'t>> {
    tape.clear();
    match tape.read(json, 0..json.len()) {
        Ok(at) => Some(tape.record(json, at)),
        Err(fault) => {
            let counts = &mut out.timeline.counts;
            if matches!(fault.kind, FaultKind::TooMany(_)) {
                counts.over_limits += 1;
            } else {
                counts.malformed += 1;
            }
            None
        }
    }
}

/// Reads all sessions; child sessions are sub-agents of the one that has no parent.
pub(super) fn import(rows: &mut dyn Rows, out: &mut Builder) {
    let mut files: BTreeMap<String, u32> = BTreeMap::new();
    let mut file = |shown: &str, out: &mut Builder| *files.entry(shown.to_owned()).or_insert_with(|| out.file(shown));
    let mut steps: Vec<(i64, u64, Row, bool, bool)> = Vec::new();
    let mut tape = Tape::default();
    let mut order = 0;
    for session in rows.sessions() {
        out.timeline.counts.records += 1;
        let Some(value) = read(&mut tape, &session.json, out) else { continue };
        out.timeline.counts.known += 1;
        let side = text(value, "parentID").is_some() || !session.parent.is_empty();
        if let Some(directory) = text(value, "directory") {
            out.working_directory(directory);
        }
        let id = if session.id.is_empty() { text(value, "id").unwrap_or_default().to_owned() } else { session.id.clone() };
        let mut messages = rows.messages(&id);
        messages.sort_by(|one, other| (one.created, &one.id).cmp(&(other.created, &other.id)));
        for message in messages {
            out.timeline.counts.records += 1;
            let Some(value) = read(&mut tape, &message.json, out) else { continue };
            out.timeline.counts.known += 1;
            let assistant = text(value, "role") == Some("assistant");
            if let Some(directory) = value.get("path").and_then(|path| text(path, "cwd")) {
                out.working_directory(directory);
            }
            let at = created(value).or(message.created).unwrap_or(0);
            let id = if message.id.is_empty() { text(value, "id").unwrap_or_default().to_owned() } else { message.id.clone() };
            order += 1;
            steps.push((at, order, Row { id, json: String::new(), ..message }, side, assistant));
        }
    }
    steps.sort_by_key(|step| (step.0, step.1));
    for (at, _, message, side, assistant) in steps {
        let mut parts = rows.parts(&message.id);
        parts.sort_by(|one, other| one.id.cmp(&other.id));
        for (index, part) in parts.iter().enumerate() {
            out.timeline.counts.records += 1;
            let Some(value) = read(&mut tape, &part.json, out) else { continue };
            let shown = file(&part.shown, out);
            let place = Place { file: shown, line: index as u32 + 1 };
            if record(value, &part.id, place, at, side, assistant, out) {
                out.timeline.counts.known += 1;
            } else {
                out.timeline.counts.unknown += 1;
            }
        }
    }
}

/// Reads what `opencode export` prints: a message a record.
#[derive(Debug, Default)]
pub(super) struct Export;

impl Importer for Export {
    fn record(&mut self, record: Value<'_>, place: Place, out: &mut Builder) -> bool {
        let (Some(info), Some(parts)) = (record.get("info"), record.get("parts").and_then(Value::elements)) else { return false };
        if let Some(directory) = info.get("path").and_then(|path| text(path, "cwd")) {
            out.working_directory(directory);
        }
        let at = created(info).unwrap_or(0);
        let assistant = text(info, "role") == Some("assistant");
        for part in parts {
            let id = text(part, "id").unwrap_or_default();
            self::record(part, id, place, at, false, assistant, out);
        }
        true
    }
}

fn record(part: Value<'_>, id: &str, place: Place, at: i64, side: bool, assistant: bool, out: &mut Builder) -> bool {
    let is_true = |key: &str| part.get(key).is_some_and(|value| value.is_bool(true));
    match text(part, "type").unwrap_or_default() {
        "text" => {
            if !assistant && !side {
                out.turn(text(part, "text").unwrap_or_default(), place, Some(at));
            } else if assistant && !side && !is_true("synthetic") && !is_true("ignored") {
                out.say(Said { text: text(part, "text").unwrap_or_default(), place, at: Some(at), message: 0 });
            }
        }
        "tool" => tool(part, id, place, at, out),
        "patch" | "step-start" | "step-finish" | "compaction" | "subtask" | "reasoning" | "file" | "snapshot" | "agent" | "retry" => {}
        _ => return false,
    }
    true
}

fn tool(part: Value<'_>, id: &str, place: Place, at: i64, out: &mut Builder) {
    let Some(state) = part.get("state") else { return };
    let id = text(part, "callID").unwrap_or(id);
    let input = state.get("input");
    let field = |key: &str| input.and_then(|input| text(input, key)).unwrap_or_default();
    let time = |key: &str| state.get("time").and_then(|time| time.get(key)).and_then(Value::as_number).map(|at| at.as_f64() as i64);
    let started = time("start").or(Some(at));
    let status = text(state, "status").unwrap_or_default();
    match text(part, "tool").unwrap_or_default() {
        "bash" | "shell" => {
            out.call(id, field("command"), place, started);
            let output = text(state, "output").or_else(|| text(state, "error")).unwrap_or_default();
            let code = state
                .get("metadata")
                .and_then(|metadata| metadata.get("exit"))
                .and_then(Value::as_number)
                .and_then(|code| code.as_integer());
            let stopped = output.contains("(Command timed out")
                || output.contains("(Command was aborted")
                || output.contains("<bash_metadata>") && output.contains("timeout");
            let outcome = match (status, code) {
                ("error", _) => Outcome::NotRun,
                ("pending" | "running", _) => Outcome::Running,
                (_, _) if stopped => Outcome::Interrupted,
                ("completed", Some(code)) => Outcome::Exit(code.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32),
                ("completed", None) if state.get("metadata").is_some_and(|metadata| metadata.get("exit").is_some()) => Outcome::Interrupted,
                _ => Outcome::Unknown,
            };
            out.result(id, outcome, output, place, time("end").or(started));
        }
        name @ ("edit" | "write" | "patch" | "multiedit" | "apply_patch") => {
            let kind = if name == "write" { TouchKind::Create } else { TouchKind::Edit };
            if matches!(name, "patch" | "apply_patch") {
                out.patch(id, if field("patchText").is_empty() { field("input") } else { field("patchText") }, place, started);
            } else {
                out.edit(id, field("filePath"), kind, place, started);
            }
            out.edited(id, status == "completed");
        }
        "read" | "grep" | "glob" | "list" | "ls" | "webfetch" | "websearch" | "todowrite" | "todoread" | "lsp" | "question" | "skill"
        | "" => {}
        _ => out.elsewhere(place, started),
    }
}
