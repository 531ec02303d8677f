//! `report`: records of a replay and answers of an audit, in the formats of other programs.

use super::exit::Trouble;
use super::shipped::printable;
use super::{Exit, World};
use crate::edge::{disk, records};
use crate::json::{Value, parse};
use crate::landing::rule::InputState;
use crate::report::{Mapping, Part, Report, Verdict, answer, github, html, in_toto, json, junit, prov, sarif, stored, summary, text};
use clap::{Args, ValueEnum};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest record or answer that is read: 16 MiB. Ours are far smaller; a larger one wants to fill memory.
const LIMIT: usize = 16 << 20;

/// Arguments of `report`.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// A records folder of replay, one result record, or an answer of audit; `-` is standard input
    #[arg(required = true, value_name = "FROM")]
    pub from: Vec<PathBuf>,
    /// The format
    #[arg(long, value_enum, default_value = "text")]
    pub format: ReportFormat,
    /// Write the report into this file, atomically, instead of printing it
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Where a folder of a record lies in this repository, as corpus=landing; also negatives and bundle
    #[arg(long, value_name = "NAME=DIR")]
    pub map: Vec<String>,
    /// The resource that an in-toto statement names
    #[arg(long, value_name = "URI", default_value = in_toto::RESOURCE)]
    pub resource: String,
}

/// A format of `report`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// landfall's own, with everything in it
    Json,
    /// JUnit XML, for test dashboards
    Junit,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// GitHub annotations, for the log of a step
    Github,
    /// A GitHub step summary in Markdown
    Summary,
    /// An in-toto statement with a verification summary, unsigned
    InToto,
    /// W3C PROV as JSON
    Prov,
    /// One page without scripts
    Html,
}

/// What is wrong with one FROM; another exit code than trouble has.
enum Refused {
    /// It was read and is not what it should be.
    Blocked(String),
    /// There is nothing in it.
    Empty(String),
}

pub(super) fn run(arguments: &ReportArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let mut mapping = Mapping::default();
    for text in &arguments.map {
        mapping.add(text).map_err(|error| Trouble::Usage(format!("--map: {error}")))?;
    }
    if !is_uri(&arguments.resource) {
        return Err(Trouble::Usage("--resource is no URI; name one such as urn:x-landfall:records".to_owned()));
    }
    if arguments.from.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(Trouble::Usage("standard input is named twice".to_owned()));
    }
    if let Some(out) = &arguments.out {
        keep_apart(&world.at(out), arguments, world)?;
    }
    let mut parts = Vec::new();
    for path in &arguments.from {
        let (exit, message) = match parts_of(path, &mapping, world)? {
            Ok(found) => {
                parts.extend(found);
                continue;
            }
            Err(Refused::Blocked(message)) => (Exit::Blocked, message),
            Err(Refused::Empty(message)) => (Exit::NothingSelected, message),
        };
        writeln!(world.err, "landfall: {}: {message}; no report is made", printable(path))?;
        return Ok(exit);
    }
    let report = Report::new(parts);
    let text = match arguments.format {
        ReportFormat::Text => text::render(&report),
        ReportFormat::Json => json::render(&report),
        ReportFormat::Junit => junit::render(&report),
        ReportFormat::Sarif => sarif::render(&report),
        ReportFormat::Github => github::render(&report),
        ReportFormat::Summary => summary::render(&report),
        ReportFormat::InToto => in_toto::render(&report, &arguments.resource),
        ReportFormat::Prov => prov::render(&report),
        ReportFormat::Html => html::render(&report),
    };
    match &arguments.out {
        None => world.out.write_all(text.as_bytes())?,
        Some(out) => records::write_one(&world.at(out), &text)
            .map_err(|error| Trouble::Failed(format!("could not write {}: {error}; name a file that can be replaced", printable(out))))?,
    }
    // As `audit` does: what is only not shown does not block.
    Ok(if report.verdict == Verdict::Blocked { Exit::Blocked } else { Exit::Pass })
}

/// The parts that one FROM gives.
fn parts_of(path: &Path, mapping: &Mapping, world: &mut World<'_>) -> Result<Result<Vec<Part>, Refused>, Trouble> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = (&mut *world.input).take(LIMIT as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| Trouble::Failed(format!("could not read standard input: {error}")))?;
        return Ok(of_bytes(&bytes, mapping));
    }
    let place = world.at(path);
    if place.is_dir() {
        return of_folder(&place, mapping);
    }
    match disk::read_file(&place, LIMIT) {
        Ok(bytes) => Ok(of_bytes(&bytes, mapping)),
        Err(state) => Err(unreadable(path, state)),
    }
}

fn unreadable(path: &Path, state: InputState) -> Trouble {
    let what = match state {
        InputState::Absent => "nothing is there",
        InputState::Link => "it is a link",
        _ => "it cannot be read",
    };
    Trouble::Failed(format!("no record at {}: {what}; name a records folder, a result record or an audit answer", printable(path)))
}

fn of_folder(folder: &Path, mapping: &Mapping) -> Result<Result<Vec<Part>, Refused>, Trouble> {
    let mut files = stored::Files::new();
    for name in stored::NAMES {
        match disk::read_file(&folder.join(name), LIMIT) {
            Ok(bytes) => drop(files.insert(name.to_owned(), bytes)),
            Err(InputState::Absent) => {}
            Err(state) => return Err(unreadable(&folder.join(name), state)),
        }
    }
    Ok(match stored::parts(&files, mapping) {
        Ok(parts) if parts.is_empty() => Err(Refused::Empty("no result record lies in the folder".to_owned())),
        Ok(parts) => Ok(parts),
        Err(error) => Err(Refused::Blocked(error.to_string())),
    })
}

fn of_bytes(bytes: &[u8], mapping: &Mapping) -> Result<Vec<Part>, Refused> {
    if bytes.len() > LIMIT {
        return Err(Refused::Blocked(format!("more than {LIMIT} bytes")));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Refused::Empty("the input is empty".to_owned()));
    }
    let value = parse(bytes).map_err(|fault| Refused::Blocked(format!("not strict JSON: {}", fault.describe())))?;
    let version = value.get("schema_version").and_then(Value::as_str).unwrap_or_default();
    if let Some(part) = stored::part_of_file(bytes, version, mapping) {
        return part.map(|part| vec![part]).map_err(|error| Refused::Blocked(error.to_string()));
    }
    if !answer::is_answer(&value) {
        return Err(Refused::Blocked("neither a result record nor an audit answer".to_owned()));
    }
    match answer::read(bytes) {
        Ok(answered) if answered.nothing_read => Err(Refused::Empty("the audit read no session".to_owned())),
        Ok(answered) => Ok(vec![answered.part]),
        Err(error) => Err(Refused::Blocked(error.to_string())),
    }
}

/// A report must not replace a record that it is made from, nor lie where the next replay writes one.
fn keep_apart(out: &Path, arguments: &ReportArguments, world: &World<'_>) -> Result<(), Trouble> {
    let same = |one: &Path, other: &Path| matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other);
    let folder = match out.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let is_record = out.file_name().is_some_and(|name| stored::NAMES.iter().any(|known| name == *known));
    for from in &arguments.from {
        let from = world.at(from);
        if same(out, &from) || (is_record && same(folder, &from)) {
            return Err(Trouble::Usage("the report would replace a record that it is made from; choose another --out".to_owned()));
        }
    }
    Ok(())
}

/// Whether `text` is an absolute URI that can stand in a statement: a scheme, a colon, and printable ASCII.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(letters)
        && !rest.is_empty()
        && text.len() <= 2000
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}'))
        && !crate::leak::leaks(text)
}
