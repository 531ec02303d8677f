//! A session as it is given: one file, a folder, or rows of a database.

use super::aider::Aider;
use super::builder::Builder;
use super::claude_code::ClaudeCode;
use super::codex::Codex;
use super::detect::{Format, HEAD_BYTES, detect};
use super::document::{Take, read_document};
use super::gemini::Gemini;
use super::lines::{Limits, as_text, read_lines};
use super::opencode::{self, Row, Rows};
use super::openhands::OpenHands;
use super::swe_agent::SweAgent;
use super::timeline::{Place, Timeline};
use crate::folder::Folder;
use crate::json::{FaultKind, Value, parse};
use std::io::{self, Chain, Cursor, Read};

/// Reads the records of one format.
pub trait Importer {
    /// Takes in a record. Whether it is of a kind that the format is known to have.
    fn record(&mut self, record: &Value<'_>, place: Place, out: &mut Builder) -> bool;
}

/// Why nothing was read.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The content is of no format that is known.
    #[error("is of no format that is known")]
    Format,
    /// A document was longer than the limit.
    #[error("is a document over the limit")]
    TooLarge,
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
pub fn import_file(input: impl Read, shown: &str, limits: Limits) -> Result<(Format, Timeline), Unread> {
    let mut out = Builder::new(false);
    let format = one_file(input, shown, false, None, limits, &mut out)?;
    settled(format, out)
}

/// Imports the session in `input` with the sub-agents' files of `folder`, which is shown as `below`.
///
/// # Errors
/// When nothing was read.
pub fn import_with_side(
    input: impl Read,
    shown: &str,
    folder: &dyn Folder,
    below: &str,
    limits: Limits,
) -> Result<(Format, Timeline), Unread> {
    let mut out = Builder::new(true);
    let format = one_file(input, shown, false, None, limits, &mut out)?;
    for path in folder.entries("")?.iter().filter(|path| path.ends_with(".jsonl")) {
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

const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

fn one_file(
    input: impl Read,
    shown: &str,
    side: bool,
    wanted: Option<Format>,
    limits: Limits,
    out: &mut Builder,
) -> Result<Format, Unread> {
    let (head, input) = with_head(input, 4)?;
    if head == ZSTD {
        let decoder = ruzstd::decoding::StreamingDecoder::new(input).map_err(|error| io::Error::other(error.to_string()))?;
        return plain_file(decoder, shown, side, wanted, limits, out);
    }
    plain_file(input, shown, side, wanted, limits, out)
}

fn plain_file(
    input: impl Read,
    shown: &str,
    side: bool,
    wanted: Option<Format>,
    limits: Limits,
    out: &mut Builder,
) -> Result<Format, Unread> {
    let (head, mut input) = with_head(input, HEAD_BYTES)?;
    let format = detect(&head).ok_or(Unread::Format)?;
    drop(head);
    if wanted.is_some_and(|wanted| wanted != format) {
        return Err(Unread::Format);
    }
    let file = out.file(shown);
    match format {
        Format::ClaudeCode => lines(input, file, &mut ClaudeCode { side }, limits, out)?,
        Format::Codex => lines(input, file, &mut Codex::default(), limits, out)?,
        Format::GeminiLines => lines(input, file, &mut Gemini::default(), limits, out)?,
        Format::GeminiDocument => document(&mut input, file, &mut Gemini::default(), &["messages"], limits, out)?,
        Format::OpenHandsDocument => document(&mut input, file, &mut OpenHands, &["history", "", "trajectory"], limits, out)?,
        Format::SweAgent => document(&mut input, file, &mut SweAgent::default(), &["trajectory"], limits, out)?,
        Format::Aider => {
            let mut aider = Aider::default();
            read_lines(input, limits.line, |number, line| {
                out.timeline.counts.records += 1;
                match line {
                    None => out.timeline.counts.over_limits += 1,
                    Some(line) => out.timeline.counts.known += u64::from(aider.line(number, line, file, out)),
                }
            })?;
            aider.finish(file, out);
        }
        Format::OpenHands | Format::Opencode | Format::OpencodeDatabase => return Err(Unread::Format),
    }
    Ok(format)
}

fn lines(input: impl Read, file: u32, importer: &mut impl Importer, limits: Limits, out: &mut Builder) -> Result<(), Unread> {
    read_lines(input, limits.line, |number, line| {
        let Some(line) = line else {
            out.timeline.counts.records += 1;
            out.timeline.counts.over_limits += 1;
            return;
        };
        let line = line.trim_matches(|each: char| each == '\0' || each.is_whitespace());
        if line.is_empty() {
            return;
        }
        out.timeline.counts.records += 1;
        let place = Place { file, line: number };
        match parse(line.as_bytes()) {
            Ok(record) => {
                if importer.record(&record, place, out) {
                    out.timeline.counts.known += 1;
                } else {
                    out.timeline.counts.unknown += 1;
                }
            }
            Err(fault) if fault.kind == FaultKind::Depth => out.timeline.counts.over_limits += 1,
            Err(_) => out.timeline.counts.malformed += 1,
        }
    })?;
    Ok(())
}

struct Elements<'i, I> {
    importer: &'i mut I,
    out: &'i mut Builder,
    file: u32,
    lists: &'static [&'static str],
}

impl<'a, I: Importer> Take<'a> for Elements<'_, I> {
    fn element(&mut self, key: &str, index: u32, value: &Value<'a>) {
        if !self.lists.contains(&key) {
            return;
        }
        self.out.timeline.counts.records += 1;
        let place = Place { file: self.file, line: index.saturating_add(1) };
        if self.importer.record(value, place, self.out) {
            self.out.timeline.counts.known += 1;
        } else {
            self.out.timeline.counts.unknown += 1;
        }
    }

    fn member(&mut self, _: &str, _: &Value<'a>) {}

    fn wants(&self, _: &str) -> bool {
        false
    }
}

fn document(
    input: &mut impl Read,
    file: u32,
    importer: &mut impl Importer,
    lists: &'static [&'static str],
    limits: Limits,
    out: &mut Builder,
) -> Result<(), Unread> {
    let mut bytes = Vec::new();
    input.take(limits.document as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limits.document {
        return Err(Unread::TooLarge);
    }
    let text = as_text(&mut bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.trim_matches('\0');
    let mut elements = Elements { importer, out: &mut *out, file, lists };
    if let Err(fault) = read_document(text.as_bytes(), &mut elements) {
        let counts = &mut out.timeline.counts;
        if fault.kind == FaultKind::Depth {
            counts.over_limits += 1;
        } else {
            counts.malformed += 1;
        }
    }
    Ok(())
}

/// Imports the session that a folder is; `shown` names it.
///
/// # Errors
/// When nothing was read.
pub fn import_folder(folder: &dyn Folder, shown: &str, limits: Limits) -> Result<(Format, Timeline), Unread> {
    let entries = folder.entries("")?;
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
        if let Some(bytes) = bytes_of(folder, path, limits)
            && let Ok(state) = parse(&bytes)
            && let Some(directory) = state.get("workspace").and_then(|workspace| workspace.get("working_dir")).and_then(Value::as_str)
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
    let mut importer = OpenHands;
    for path in events {
        out.timeline.counts.records += 1;
        let file = out.file(&name(path));
        let Some(bytes) = bytes_of(folder, path, limits) else {
            out.timeline.counts.over_limits += 1;
            continue;
        };
        match parse(&bytes) {
            Ok(event) if importer.record(&event, Place { file, line: 1 }, &mut out) => out.timeline.counts.known += 1,
            Ok(_) => out.timeline.counts.unknown += 1,
            Err(_) => out.timeline.counts.malformed += 1,
        }
    }
    out
}

fn bytes_of(folder: &dyn Folder, path: &str, limits: Limits) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    folder.open(path).ok()?.take(limits.line as u64 + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() > limits.line {
        return None;
    }
    as_text(&mut bytes);
    Some(bytes)
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
                let json = bytes_of(self.folder, path, self.limits)?;
                let id = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".json").to_owned();
                let created =
                    parse(&json).ok().and_then(|value| value.get("time")?.get("created")?.as_number().map(|at| at.as_f64() as i64));
                Some(Row { shown: (self.name)(path), id, parent: String::new(), created, json })
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
