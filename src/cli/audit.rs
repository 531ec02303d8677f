//! `audit`: claims of recorded sessions against what is recorded.

use super::exit::Trouble;
use super::sessions::{Next, each_session};
use super::{Exit, Format, World};
use crate::audit::{AuditPolicy, AuditRecord, PolicyRecord, audit_under, was_changed};
use crate::corpus::case::CONTROL_LIMIT;
use crate::edge::disk::{self, DiskFolder};
use crate::edge::opencode::SessionDatabase;
use crate::evidence::git::Repository;
use crate::evidence::{Evidence, EvidenceFile, FILE_LIMIT, read_file};
use crate::finding::Support;
use crate::folder::{Folder, load};
use crate::import::{self, Limits, Timeline, Unread};
use crate::json::to_canonical_text;
use anstyle::{AnsiColor, Style};
use clap::Args;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

/// Arguments of `audit`.
#[derive(Debug, Args)]
pub struct AuditArguments {
    /// A recorded session: a file, a folder, or `-` for standard input
    #[arg(required = true, value_name = "SESSION")]
    pub sessions: Vec<PathBuf>,
    /// A repository, or a copied `.git` folder, to read commits and refs from; Git is not run
    #[arg(long, value_name = "DIR", conflicts_with = "objects")]
    pub repo: Option<PathBuf>,
    /// Git objects: a folder of loose ones, a pack or a bundle
    #[arg(long, value_name = "PATH")]
    pub objects: Option<PathBuf>,
    /// Evidence beside the session: test reports, statements, events, a reflog, a Git folder
    #[arg(long, value_name = "PATH")]
    pub evidence: Vec<PathBuf>,
    /// What the audit asks for beyond its rules: which answers block, which validations count, what may be touched
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Apply the policy even though a judged session changed it
    #[arg(long, requires = "policy")]
    pub allow_changed_policy: bool,
    /// How to print the answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// The most files of an evidence folder.
const FILES_LIMIT: usize = 1000;

/// Runs the command.
pub(super) fn run(arguments: &AuditArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let mut evidence = Vec::new();
    for path in arguments.evidence.iter().chain(&arguments.repo).chain(&arguments.objects) {
        gather(path, world, &mut evidence)?;
    }
    let mut record = AuditRecord::new(&evidence);
    if let Some(path) = &arguments.policy {
        let policy = policy(path, world)?;
        policy.verify(&mut evidence);
        record.policy = Some(PolicyRecord { policy, ..PolicyRecord::default() });
        record.note_signatures(&evidence);
    }
    let mut unread = false;
    let next = each_session(&arguments.sessions, world, |imported, world| {
        match imported {
            Ok((format, mut timeline)) => {
                if let (Some(applied), Some(path)) = (&mut record.policy, &arguments.policy)
                    && was_changed(&self::shown(path, world), &timeline, &evidence)
                {
                    if !arguments.allow_changed_policy {
                        let advice = "name the policy as it was before, or say --allow-changed-policy";
                        writeln!(world.err, "landfall: a judged session changed the policy; {advice}; nothing was judged")?;
                        return Ok(Next::Stop);
                    }
                    applied.changed_by_session = true;
                }
                let policy = record.policy.as_ref().map(|record| record.policy.clone()).unwrap_or_default();
                policy.narrow(&mut timeline);
                let judgements = audit_under(&timeline, &evidence, &policy);
                record.add(format, &timeline, &evidence, &judgements);
                record.hold_to_policy(&timeline);
            }
            Err(Unread::Io(error)) => {
                return Err(Trouble::Failed(format!("a session could not be read: {}; name a session file or folder", kind_of(&error))));
            }
            Err(reason) => {
                unread = true;
                writeln!(world.err, "landfall: a session {reason}; nothing of it was judged")?;
            }
        }
        Ok(Next::Go)
    })?;
    if next == Next::Stop {
        return Ok(Exit::Blocked);
    }
    match arguments.format {
        Format::Json => world.out.write_all(to_canonical_text(&record).as_bytes())?,
        Format::Text => page(&record, world.out)?,
    }
    Ok(if record.is_blocked() {
        Exit::Blocked
    } else if unread {
        Exit::NothingSelected
    } else {
        Exit::Pass
    })
}

pub(super) fn kind_of(error: &io::Error) -> String {
    // The text of an error may hold a path; its kind does not.
    error.kind().to_string()
}

/// The policy file, which must read.
pub(super) fn policy(path: &Path, world: &World<'_>) -> Result<AuditPolicy, Trouble> {
    let bytes = disk::read_file(&world.at(path), CONTROL_LIMIT)
        .map_err(|_| Trouble::Failed("the policy cannot be read; name a regular file".to_owned()))?;
    AuditPolicy::read(&bytes).map_err(|fault| Trouble::Usage(format!("the policy {fault}; see docs/claims.md")))
}

/// A path as it may be shown: below the root as given, elsewhere its last name.
pub(super) fn shown(path: &Path, world: &World<'_>) -> String {
    let below = if path.is_absolute() { path.strip_prefix(&world.root).ok() } else { Some(path) };
    match below {
        Some(below) if !below.components().any(|part| matches!(part, Component::ParentDir)) => below
            .components()
            .filter(|part| !matches!(part, Component::CurDir))
            .map(|part| part.as_os_str().to_string_lossy())
            .collect::<Vec<_>>()
            .join("/"),
        _ => format!("<outside>/{}", path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default()),
    }
}

pub(super) fn session(path: &Path, shown: &str, world: &mut World<'_>) -> Result<(import::Format, Timeline), Unread> {
    if path.as_os_str() == "-" {
        return import::import_file(&mut *world.input, "-", Limits::default());
    }
    session_at(&world.at(path), shown)
}

/// The session at `place`, a file or a folder.
pub(super) fn session_at(place: &Path, shown: &str) -> Result<(import::Format, Timeline), Unread> {
    let limits = Limits::default();
    let Ok(mut file) = disk::open_file(place) else {
        let folder = DiskFolder::open(place)?;
        if folder.open("opencode.db").is_ok() {
            let mut rows = SessionDatabase::open(&place.join("opencode.db"), &format!("{shown}/opencode.db"))?;
            return import::import_rows(&mut rows);
        }
        return import::import_folder(&folder, shown, limits);
    };
    let mut head = Vec::new();
    (&mut file).take(16).read_to_end(&mut head)?;
    if head.starts_with(b"SQLite format 3\0") {
        let mut rows = SessionDatabase::open(place, shown)?;
        return import::import_rows(&mut rows);
    }
    let input = io::Cursor::new(head).chain(file);
    // Sub-agents of a session lie in a folder of its name.
    let side = place.with_extension("").join("subagents");
    match DiskFolder::open(&side) {
        Ok(folder) => import::import_with_side(input, shown, &folder, &format!("{}/subagents", shown.trim_end_matches(".jsonl")), limits),
        Err(_) => import::import_file(input, shown, limits),
    }
}

/// Reads evidence: a file, a Git folder, or a folder of files.
pub(super) fn gather(path: &Path, world: &World<'_>, evidence: &mut Vec<EvidenceFile>) -> Result<(), Trouble> {
    let place = world.at(path);
    let shown = shown(path, world);
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    if let Ok(bytes) = disk::read_file(&place, FILE_LIMIT) {
        let found = if bytes.len() > FILE_LIMIT { Evidence::Unknown } else { read_file(&bytes) };
        evidence.push(EvidenceFile { name: name(&shown), shown, evidence: found });
        return Ok(());
    }
    let missing = || Trouble::Failed("an evidence path cannot be read; name a file or a folder".to_owned());
    let folder = DiskFolder::open(&place).map_err(|_| missing())?;
    if let Some(repository) = Repository::read(Box::new(folder)) {
        evidence.push(EvidenceFile { name: name(&shown), shown, evidence: Evidence::Git(Box::new(repository)) });
        return Ok(());
    }
    let folder = DiskFolder::open(&place).map_err(|_| missing())?;
    for path in folder.entries("")?.into_iter().take(FILES_LIMIT) {
        let Ok(file) = load(&folder, &path, FILE_LIMIT) else { continue };
        let found = file.bytes.as_deref().map_or(Evidence::Unknown, read_file);
        evidence.push(EvidenceFile { name: name(&path), shown: format!("{shown}/{path}"), evidence: found });
    }
    Ok(())
}

const GREEN: Style = AnsiColor::Green.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// The answer as people read it, rendered from the record.
fn page(record: &AuditRecord, out: &mut dyn Write) -> io::Result<()> {
    let of = |support: Support| record.claims.iter().filter(|claim| claim.answer == support).count();
    let (supported, contradicted, open) = (of(Support::Supported), of(Support::Contradicted), of(Support::NotShown));
    match record.claims.len() {
        0 => writeln!(out, "no claims found")?,
        all => writeln!(out, "{all} claims: {supported} supported, {contradicted} contradicted, {open} not shown")?,
    }
    for claim in &record.claims {
        let (style, word) = match claim.answer {
            Support::Supported => (GREEN, "supported"),
            Support::NotShown => (DIM, "not shown"),
            Support::Contradicted | Support::Forbidden => (RED, "contradicted"),
        };
        writeln!(out, "\n{style}{word:<13}{style:#} {:<10} {}:{}", claim.kind.as_str(), claim.file, claim.line)?;
        for code in &claim.codes {
            writeln!(out, "  code       {code}")?;
        }
        for place in &claim.evidence {
            writeln!(out, "  evidence   {}:{}", place.file, place.line)?;
        }
        if claim.answer != Support::Supported {
            writeln!(out, "  would show {}", claim.would_show)?;
        }
    }
    if let Some(applied) = &record.policy {
        writeln!(out, "\npolicy: {}", applied.policy.digest)?;
        for statement in &applied.statements {
            writeln!(out, "  statement {}: {}", statement.file, statement.signature)?;
        }
        for place in &applied.touched_outside {
            writeln!(out, "  touched what it may not: {}:{}", place.file, place.line)?;
        }
    }
    let (read, unread) = (&record.counts.read, &record.counts.not_read);
    let formats: Vec<String> = read.sessions.iter().map(|(format, count)| format!("{count} {format}")).collect();
    writeln!(
        out,
        "\nread: {} ({} records, {} texts, {} commands, {} evidence files)",
        if formats.is_empty() { "nothing".to_owned() } else { formats.join(", ") },
        read.records,
        read.texts,
        read.commands,
        read.evidence_files
    )?;
    writeln!(
        out,
        "not read: {} unknown, {} malformed, {} repeated, {} over limits, {} evidence files",
        unread.unknown, unread.malformed, unread.duplicates, unread.over_limits, unread.evidence_files
    )
}
