//! `import`: landing rows of recorded sessions, as a corpus that `replay` judges.

use super::audit::{gather, kind_of, policy, session, shown};
use super::exit::Trouble;
use super::shipped::printable;
use super::{Exit, World, init};
use crate::audit::{AuditPolicy, landing_row, was_changed};
use crate::edge::records;
use crate::import::{Counts, Timeline, Unread};
use crate::json::to_canonical_text;
use clap::Args;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// A recorded session: a file, a folder, or `-` for standard input; each makes a row
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
    /// The policy of an audit: which runs count, whose signatures count, what a session may touch
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Apply the policy even though an imported session changed it
    #[arg(long, requires = "policy")]
    pub allow_changed_policy: bool,
    /// Folder to write a corpus into; nothing that is there is overwritten. Without it the run table is printed
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(arguments: &ImportArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let mut evidence = Vec::new();
    for path in arguments.evidence.iter().chain(&arguments.repo).chain(&arguments.objects) {
        gather(path, world, &mut evidence)?;
    }
    let policy = arguments.policy.as_ref().map(|path| policy(path, world)).transpose()?;
    if let Some(policy) = &policy {
        policy.verify(&mut evidence);
    }
    let (mut rows, mut without, mut unread) = (Vec::new(), 0, 0);
    let mut left = Counts::default();
    let mut ids = BTreeSet::new();
    for path in &arguments.sessions {
        let shown = shown(path, world);
        match session(path, &shown, world) {
            Ok((format, mut timeline)) => {
                left.add(&timeline.counts);
                let mut changed = false;
                if let Some((policy, path)) = policy.as_ref().zip(arguments.policy.as_ref()) {
                    changed = was_changed(&self::shown(path, world), &timeline, &evidence);
                    if changed && !arguments.allow_changed_policy {
                        let advice = "name the policy as it was before, or say --allow-changed-policy";
                        writeln!(world.err, "landfall: an imported session changed the policy; {advice}; nothing was written")?;
                        return Ok(Exit::Blocked);
                    }
                    policy.narrow(&mut timeline);
                }
                let Some(mut row) = landing_row(format, &timeline, &evidence) else {
                    without += 1;
                    continue;
                };
                {
                    // Two sessions may be called the same; their rows may not.
                    let id = row["run_id"].as_str().unwrap_or("session").to_owned();
                    let unique =
                        (1..).map(|count| if count == 1 { id.clone() } else { format!("{id}.{count}") }).find(|id| !ids.contains(id));
                    let unique = unique.expect("one of them is free");
                    row["run_id"] = serde_json::json!(unique);
                    ids.insert(unique);
                    if let Some(policy) = &policy {
                        row["audit_policy"] = of_policy(policy, changed, &timeline);
                    }
                    rows.push(row);
                }
            }
            Err(Unread::Io(error)) => {
                return Err(Trouble::Failed(format!("a session could not be read: {}; name a session file or folder", kind_of(&error))));
            }
            Err(reason) => {
                unread += 1;
                writeln!(world.err, "landfall: a session {reason}; no row was made of it")?;
            }
        }
    }
    let of_all = arguments.sessions.len();
    writeln!(
        world.err,
        "landfall: {} of {of_all} sessions made a row; {without} claim no commit and were refused none, {unread} did not read",
        rows.len()
    )?;
    writeln!(
        world.err,
        "landfall: of {} records {} were of no known kind, {} malformed, {} repeated, {} over limits",
        left.records, left.unknown, left.malformed, left.duplicates, left.over_limits
    )?;
    if rows.is_empty() {
        return Ok(Exit::NothingSelected);
    }
    let table = to_canonical_text(&serde_json::json!({"body_in_receipt": false, "work_landing_runs": rows}));
    match &arguments.out {
        None => world.out.write_all(table.as_bytes())?,
        Some(dir) => {
            let shown = printable(dir);
            let mut texts = vec![("work_landing_runs.json".to_owned(), table)];
            texts.extend(init::beside_runs());
            records::write_new(&world.at(dir), &texts)
                .map_err(|error| Trouble::Failed(format!("could not write a corpus into {shown}: {error}; nothing is overwritten")))?;
            writeln!(world.out, "{} rows lie in {shown}; judge them: landfall replay --corpus {shown}", rows.len())?;
        }
    }
    Ok(if unread > 0 { Exit::NothingSelected } else { Exit::Pass })
}

/// What a row says of the policy it was made under. What the session touched outside is a place in it, as in an audit.
fn of_policy(policy: &AuditPolicy, changed: bool, timeline: &Timeline) -> serde_json::Value {
    let outside: Vec<u32> = policy.outside(timeline).into_iter().map(|place| place.line).collect();
    serde_json::json!({"digest": policy.digest, "changed_by_session": changed, "touched_outside": outside})
}
