//! A session as it is given: one file, a folder, or rows of a database.

use super::aider::Aider;
use super::batch::{Cut, What, each_batch, into_text};
use super::builder::Builder;
use super::claude_code::ClaudeCode;
use super::codex::Codex;
use super::detect::{Format, HEAD_BYTES, detect};
use super::document::Document;
use super::gemini::Gemini;
use super::lines::{Limits, Lines};
use super::opencode::{self, Row, Rows};
use super::openhands::OpenHands;
use super::swe_agent::SweAgent;
use super::timeline::{Place, Timeline};
use super::unpacked;
use crate::folder::Folder;
use crate::json::{FaultKind, Record, Tape};
use std::io::{self, Chain, Cursor, Read};

/// Reads the records of one format.
pub trait Importer {
    /// Takes in a record. Whether it is of a kind that the format is known to have.
    fn record(&mut self, record: Record<'_>, place: Place, out: &mut Builder) -> bool;
}

/// Why nothing was read.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The content is of no format that is known.
    #[error("is of no format that is known")]
    Format,
    /// No record of a known kind.
    #[error("holds no record that is known")]
    Nothing,
    /// Reading failed.
    #[error("could not be read: {0}")]
    Io(#[from] io::Error),
}

type Rest<R> = Chain<Cursor<Vec<u8>>, R>;

/// The beginning of `input`, and `input` as it was.
fn with_head<R: Read>(mut input: R, length: usize) -> io::Result<(Vec<u8>, Rest<R>)> {
    let mut head = Vec::new();
    (&mut input).take(length as u64).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(input)))
}

/// Imports the session in `input`, compressed or not; `shown` names it.
///
/// # Errors
/// When nothing was read.
pub fn import_file(input: impl Read + Send, shown: &str, limits: Limits) -> Result<(Format, Timeline), Unread> {
    let mut out = Builder::new(false);
    let format = one_file(input, shown, false, None, limits, &mut out)?;
    settled(format, out)
}

/// Imports the session in `input` with the sub-agents' files of `folder`, which is shown as `below`.
///
/// # Errors
/// When nothing was read.
pub fn import_with_side(
    input: impl Read + Send,
    shown: &str,
    folder: &dyn Folder,
    below: &str,
    limits: Limits,
) -> Result<(Format, Timeline), Unread> {
    let mut out = Builder::new(true);
    let format = one_file(input, shown, false, None, limits, &mut out)?;
    let (entries, beyond) = folder.first_entries("", limits.files)?;
    out.timeline.counts.records += beyond;
    out.timeline.counts.over_limits += beyond;
    for path in entries.iter().filter(|path| path.ends_with(".jsonl")) {
        if let Ok(input) = folder.open(path)
            && one_file(input, &format!("{below}/{path}"), true, Some(format), limits, &mut out).is_err()
        {
            out.timeline.counts.unknown += 1;
        }
    }
    settled(format, out)
}

fn settled(format: Format, out: Builder) -> Result<(Format, Timeline), Unread> {
    let timeline = out.finish();
    if timeline.counts.known == 0 { Err(Unread::Nothing) } else { Ok((format, timeline)) }
}

fn one_file(
    input: impl Read + Send,
    shown: &str,
    side: bool,
    wanted: Option<Format>,
    limits: Limits,
    out: &mut Builder,
) -> Result<Format, Unread> {
    let (head, input) = with_head(input, 4)?;
    if head == unpacked::MAGIC {
        return plain_file(unpacked::unpacked(input)?, shown, side, wanted, limits, out);
    }
    plain_file(input, shown, side, wanted, limits, out)
}

fn plain_file(
    input: impl Read + Send,
    shown: &str,
    side: bool,
    wanted: Option<Format>,
    limits: Limits,
    out: &mut Builder,
) -> Result<Format, Unread> {
    let (head, input) = with_head(input, HEAD_BYTES)?;
    let format = detect(&head).ok_or(Unread::Format)?;
    drop(head);
    if wanted.is_some_and(|wanted| wanted != format) {
        return Err(Unread::Format);
    }
    let file = out.file(shown);
    let limit = limits.line;
    match format {
        Format::ClaudeCode => records(Lines::of_json(input, limit), file, &mut ClaudeCode { side }, out)?,
        Format::Codex => records(Lines::of_json(input, limit), file, &mut Codex::default(), out)?,
        Format::GeminiLines => records(Lines::of_json(input, limit), file, &mut Gemini::default(), out)?,
        Format::GeminiDocument => records(Document::new(input, &["messages"], limit), file, &mut Gemini::default(), out)?,
        Format::OpenHandsDocument => {
            records(Document::new(input, &["history", "", "trajectory"], limit), file, &mut OpenHands::default(), out)?
        }
        Format::SweAgent => records(Document::new(input, &["trajectory"], limit), file, &mut SweAgent::default(), out)?,
        Format::SweAgentMessages => records(Document::new(input, &["history", "messages"], limit), file, &mut SweAgent::default(), out)?,
        Format::OpencodeExport => records(Document::new(input, &["messages"], limit), file, &mut opencode::Export, out)?,
        Format::Aider => text(Lines::of_text(input, limit), file, &mut Aider::default(), out)?,
        Format::OpenHands | Format::Opencode | Format::OpencodeDatabase => return Err(Unread::Format),
    }
    Ok(format)
}

/// Takes in the records that `cut` finds.
fn records(cut: impl Cut + Send, file: u32, importer: &mut impl Importer, out: &mut Builder) -> Result<(), Unread> {
    each_batch(cut, |batch| {
        for found in &batch.found {
            let place = Place { file, line: found.number };
            out.timeline.counts.records += u64::from(!matches!(found.what, What::Broken(_)));
            match found.what {
                What::Record(at) => {
                    if importer.record(batch.tape.record(&batch.text, at), place, out) {
                        out.timeline.counts.known += 1;
                    } else {
                        out.timeline.counts.unknown += 1;
                    }
                }
                What::OverLimits | What::Broken(true) => out.timeline.counts.over_limits += 1,
                What::Malformed | What::Broken(false) => out.timeline.counts.malformed += 1,
                What::Line(_) => {}
            }
        }
    })?;
    Ok(())
}

/// Takes in the lines of a text.
fn text(cut: impl Cut + Send, file: u32, aider: &mut Aider, out: &mut Builder) -> Result<(), Unread> {
    each_batch(cut, |batch| {
        for found in &batch.found {
            out.timeline.counts.records += 1;
            match &found.what {
                What::Line(line) => {
                    out.timeline.counts.known += u64::from(aider.line(found.number, &batch.text[line.clone()], file, out));
                }
                _ => out.timeline.counts.over_limits += 1,
            }
        }
    })?;
    aider.finish(file, out);
    Ok(())
}

/// Imports the session that a folder is; `shown` names it.
///
/// # Errors
/// When nothing was read.
pub fn import_folder(folder: &dyn Folder, shown: &str, limits: Limits) -> Result<(Format, Timeline), Unread> {
    let (entries, beyond) = folder.first_entries("", limits.files)?;
    let settled = |format: Format, mut out: Builder| {
        out.timeline.counts.records += beyond;
        out.timeline.counts.over_limits += beyond;
        settled(format, out)
    };
    let name = |path: &str| format!("{}/{path}", shown.trim_end_matches('/'));
    let events: Vec<&String> = entries.iter().filter(|path| is_event(path)).collect();
    if !events.is_empty() {
        return settled(Format::OpenHands, events_of(folder, &entries, &events, &name, limits));
    }
    if let Some(root) =
        entries.iter().find_map(|path| path.find("session/").filter(|_| path.ends_with(".json")).map(|at| path[..at].to_owned()))
        && entries.iter().any(|path| path.starts_with(&format!("{root}message/")))
    {
        let mut out = Builder::new(false);
        opencode::import(&mut Stored { folder, entries: &entries, root, name: &name, limits }, &mut out);
        return settled(Format::Opencode, out);
    }
    let files: Vec<&String> =
        entries.iter().filter(|path| [".jsonl", ".json", ".md", ".traj", ".zst"].iter().any(|ending| path.ends_with(ending))).collect();
    let mut out = Builder::new(files.len() > 1);
    let mut found = None;
    for path in files {
        let Ok(input) = folder.open(path) else { continue };
        let last = path.rsplit('/').next().unwrap_or(path);
        let side = path.contains("subagents/") || last.starts_with("agent-");
        match one_file(input, &name(path), side, found, limits, &mut out) {
            Ok(format) => found = found.or(Some(format)),
            Err(Unread::Io(error)) => return Err(error.into()),
            Err(_) => {
                out.timeline.counts.unknown += 1;
                out.timeline.counts.beside += u64::from(is_checkpoint_note(path));
            }
        }
    }
    settled(found.ok_or(Unread::Format)?, out)
}

/// What a checkpoint says of itself, `<2 hex>/<10 hex>/metadata.json` and the same of each of its sessions: no act is in it.
/// The transcripts beside it grow from checkpoint to checkpoint; what repeats is dropped as anywhere.
fn is_checkpoint_note(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let hex = |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let note = parts.last() == Some(&"metadata.json");
    note && parts.windows(2).any(|two| hex(two[0], 2) && hex(two[1], 10))
}

/// `events/event-00001-….json`, and `events/1.json` of the older form.
fn is_event(path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/').or(Some(("", path))) else { return false };
    let stem = name.strip_suffix(".json");
    let inside = folder == "events" || folder.ends_with("/events") || folder.is_empty() && name.starts_with("event-");
    inside && stem.is_some_and(|stem| stem.strip_prefix("event-").unwrap_or(stem).starts_with(|first: char| first.is_ascii_digit()))
}

fn events_of(folder: &dyn Folder, entries: &[String], events: &[&String], name: &dyn Fn(&str) -> String, limits: Limits) -> Builder {
    let mut out = Builder::new(false);
    // Of the state only the working directory is read: it holds keys.
    for path in entries.iter().filter(|path| path.ends_with("base_state.json")) {
        let mut tape = Tape::default();
        if let Some(text) = text_of(folder, path, limits)
            && let Ok(at) = tape.read(&text, 0..text.len())
            && let Some(directory) =
                tape.record(&text, at).get("workspace").and_then(|workspace| workspace.get("working_dir")).and_then(Record::as_str)
        {
            out.working_directory(directory);
        }
    }
    let index = |path: &str| {
        let stem = path.rsplit('/').next().unwrap_or(path);
        let digits: String = stem.trim_start_matches("event-").chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap_or(u64::MAX)
    };
    let mut events = events.to_vec();
    events.sort_by_key(|path| (index(path), path.as_str()));
    let mut importer = OpenHands::default();
    let mut tape = Tape::default();
    for path in events {
        out.timeline.counts.records += 1;
        let file = out.file(&name(path));
        let Some(text) = text_of(folder, path, limits) else {
            out.timeline.counts.over_limits += 1;
            continue;
        };
        tape.clear();
        match tape.read(&text, 0..text.len()) {
            Ok(at) if importer.record(tape.record(&text, at), Place { file, line: 1 }, &mut out) => out.timeline.counts.known += 1,
            Ok(_) => out.timeline.counts.unknown += 1,
            Err(fault) if matches!(fault.kind, FaultKind::TooMany(_)) => out.timeline.counts.over_limits += 1,
            Err(_) => out.timeline.counts.malformed += 1,
        }
    }
    out
}

fn text_of(folder: &dyn Folder, path: &str, limits: Limits) -> Option<String> {
    let mut bytes = Vec::new();
    folder.open(path).ok()?.take(limits.line as u64 + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() > limits.line {
        return None;
    }
    Some(into_text(bytes))
}

struct Stored<'f> {
    folder: &'f dyn Folder,
    entries: &'f [String],
    root: String,
    name: &'f dyn Fn(&str) -> String,
    limits: Limits,
}

impl Stored<'_> {
    /// The files below `below`: sorted entries are searched, not walked.
    fn rows(&self, below: &str) -> Vec<Row> {
        let below = format!("{}{below}", self.root);
        let from = self.entries.partition_point(|path| path.as_str() < below.as_str());
        let paths = self.entries[from..].iter().take_while(|path| path.starts_with(&below)).filter(|path| path.ends_with(".json"));
        paths
            .filter_map(|path| {
                let json = text_of(self.folder, path, self.limits)?;
                let id = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".json").to_owned();
                Some(Row { shown: (self.name)(path), id, parent: String::new(), created: None, json })
            })
            .collect()
    }
}

impl Rows for Stored<'_> {
    fn sessions(&mut self) -> Vec<Row> {
        self.rows("session/")
    }
    fn messages(&mut self, session: &str) -> Vec<Row> {
        self.rows(&format!("message/{session}/"))
    }
    fn parts(&mut self, message: &str) -> Vec<Row> {
        self.rows(&format!("part/{message}/"))
    }
}

/// Imports a session from rows of a database.
///
/// # Errors
/// When nothing was read.
pub fn import_rows(rows: &mut dyn Rows) -> Result<(Format, Timeline), Unread> {
    let mut out = Builder::new(false);
    opencode::import(rows, &mut out);
    settled(Format::OpencodeDatabase, out)
}
