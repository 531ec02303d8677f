//! `artifacts`: indexes local artifacts, and cleans up what is too old where that is allowed.

use super::exit::Trouble;
use super::{Exit, World};
use crate::artifacts::{Cleanup, ENTRY_LIMIT, Index, Listing, Retention, Unlisted};
use crate::edge::artifacts::DiskArtifacts;
use crate::json::to_canonical_text;
use crate::landing::row::is_unprintable;
use crate::memory::value::{clean, field, list, shown};
use clap::{Args, Subcommand};
use serde_json::Value as Json;
use std::io::{self, Write};

/// Where the artifacts of the latest run lie, and the one folder in which any may be deleted.
pub(super) const DEFAULT_ROOT: &str = "data/cluster_runtime/latest/artifacts";

/// The commands of `artifacts`.
#[derive(Debug, Subcommand)]
pub enum ArtifactsCommand {
    /// List the artifacts, whether each keeps its contract, and how old it is; deletes nothing
    Index(IndexArguments),
    /// Show what retention would delete, and delete it when told to
    Cleanup(CleanupArguments),
}

/// Where artifacts are, how long they are kept, and how the outcome is printed.
#[derive(Debug, Args)]
struct Common {
    /// The folder of artifacts
    #[arg(long, value_name = "DIR", default_value = DEFAULT_ROOT)]
    artifacts_root: String,
    /// How many days artifacts are kept; 0 keeps them for ever
    #[arg(long, value_name = "DAYS", default_value_t = 0.0, value_parser = age, allow_negative_numbers = true)]
    retention_max_age_days: f64,
    /// The same in seconds, which win where they are positive
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = age, allow_negative_numbers = true)]
    retention_max_age_seconds: f64,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
    /// Exit with 1 unless the contract is kept
    #[arg(long, alias = "require-contract")]
    check_contract: bool,
}

fn age(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|age: &f64| age.is_finite()).ok_or_else(|| "a finite number is meant".to_owned())
}

impl Common {
    fn retention(&self) -> Retention {
        Retention::new(self.retention_max_age_seconds, self.retention_max_age_days)
    }
}

/// Arguments of `artifacts index`.
#[derive(Debug, Args)]
pub struct IndexArguments {
    #[command(flatten)]
    common: Common,
}

/// Arguments of `artifacts cleanup`.
#[derive(Debug, Args)]
pub struct CleanupArguments {
    #[command(flatten)]
    common: Common,
    /// Delete nothing; this is so without it, too
    #[arg(long, conflicts_with = "execute_delete_local_artifacts")]
    dry_run: bool,
    /// Delete what retention names, in the default folder alone and only if every artifact keeps its contract
    #[arg(long)]
    execute_delete_local_artifacts: bool,
}

pub(super) fn run(command: &ArtifactsCommand, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        ArtifactsCommand::Index(arguments) => run_index(&arguments.common, world),
        ArtifactsCommand::Cleanup(arguments) => run_cleanup(arguments, world),
    }
}

fn run_index(common: &Common, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let (now, root) = (world.around.now(), &common.artifacts_root);
    let store = DiskArtifacts::new(&world.root);
    let judged = |seen: &mut dyn FnMut(Json)| Listing::of(&store, root).judge(&store, common.retention(), now, seen);
    let index;
    if common.json {
        index = print_index(Listing::of(&store, root), &store, common.retention(), now, world.out)?;
    } else {
        // The sums come first, and a million artifacts are not kept until they are known: all are judged twice.
        index = judged(&mut |_| {});
        let keys = ["status", "artifacts_root", "artifact_count", "invalid_artifact_count", "stale_artifact_count", "contract_ok"];
        say(&index.head, &keys, world.out)?;
        let mut written = Ok(());
        judged(&mut |artifact| {
            if written.is_ok() {
                written = say_artifact(&artifact, world.out);
            }
        });
        written?;
    }
    say_unlisted(index.unlisted, root, world)?;
    end(common, index.contract_ok(), "\u{2705} cluster latest artifacts contract OK", world)
}

fn say_artifact(artifact: &Json, out: &mut dyn Write) -> io::Result<()> {
    say(artifact, &["name", "type", "status", "age_seconds", "stale", "contract_ok"], out)?;
    list(field(artifact, "contract_errors")).iter().try_for_each(|error| writeln!(out, "  - {}", printable(&clean(error))))
}

/// Prints the summary as its artifacts are judged: what comes before them in it is known before.
fn print_index(listing: Listing, store: &DiskArtifacts, retention: Retention, now: f64, out: &mut dyn Write) -> Result<Index, Trouble> {
    let before = format!("{{\n  \"artifact_count\": {},\n  \"artifacts\": [", listing.len());
    write!(out, "{before}")?;
    let (mut written, mut items) = (Ok(()), Items::at("  "));
    let index = listing.judge(store, retention, now, &mut |artifact| {
        if written.is_ok() {
            written = items.put(&artifact, out);
        }
    });
    written?;
    items.end(out)?;
    let text = to_canonical_text(&index.head);
    let rest = text.strip_prefix(&*before).and_then(|rest| rest.strip_prefix(']')).expect("the keys of a summary are sorted");
    print_filled(rest, &mut [("    ", "would_delete", &mut index.would_delete())], out)?;
    Ok(index)
}

/// The entries of a list of a canonical text, printed one by one.
struct Items {
    indent: &'static str,
    any: bool,
}

impl Items {
    /// Of a list whose key stands behind `indent`, and whose bracket is printed.
    fn at(indent: &'static str) -> Self {
        Self { indent, any: false }
    }

    fn put(&mut self, item: &Json, out: &mut dyn Write) -> io::Result<()> {
        let indent = self.indent;
        let comma = if std::mem::replace(&mut self.any, true) { "," } else { "" };
        let text = to_canonical_text(item);
        write!(out, "{comma}\n{indent}  {}", text.trim_end().replace('\n', &format!("\n{indent}  ")))
    }

    fn end(self, out: &mut dyn Write) -> io::Result<()> {
        if self.any { write!(out, "\n{}]", self.indent) } else { write!(out, "]") }
    }
}

/// Prints a canonical text whose empty lists are filled as it goes; each with its indent and key, in their order. No text
/// inside can be taken for one: a line break in a text is escaped.
fn print_filled(mut text: &str, lists: &mut [(&'static str, &str, &mut dyn Iterator<Item = Json>)], out: &mut dyn Write) -> io::Result<()> {
    for (indent, key, entries) in lists {
        let place = format!("\n{indent}\"{key}\": [");
        let at = text.find(&place).expect("the list is in the text, and empty") + place.len();
        write!(out, "{}", &text[..at])?;
        let mut items = Items::at(indent);
        entries.try_for_each(|entry| items.put(&entry, out))?;
        items.end(out)?;
        text = text[at..].strip_prefix(']').expect("the list is empty");
    }
    write!(out, "{text}")
}

fn say_unlisted(unlisted: Option<Unlisted>, root: &str, world: &mut World<'_>) -> io::Result<()> {
    if unlisted == Some(Unlisted::TooMany) {
        writeln!(world.err, "landfall: {} has more than {ENTRY_LIMIT} names and was not listed", printable(root))?;
    }
    Ok(())
}

fn run_cleanup(arguments: &CleanupArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let common = &arguments.common;
    let execute = arguments.execute_delete_local_artifacts;
    let cleanup = Cleanup {
        root: &common.artifacts_root,
        default_root: DEFAULT_ROOT,
        retention: common.retention(),
        now: world.around.now(),
        execute,
    };
    let cleaned = cleanup.run(&mut DiskArtifacts::new(&world.root));
    if common.json {
        let mut lists: [(_, _, &mut dyn Iterator<Item = Json>); 4] = [
            ("  ", "deleted", &mut cleaned.deleted()),
            ("  ", "deletion_errors", &mut cleaned.deletion_errors()),
            ("    ", "would_delete", &mut cleaned.would_delete()),
            ("  ", "would_delete", &mut cleaned.would_delete()),
        ];
        print_filled(&to_canonical_text(&cleaned.head), &mut lists, world.out)?;
    } else {
        let keys = ["mode", "status", "artifacts_root", "artifacts_root_allowed", "would_delete_count", "deleted_count", "contract_ok"];
        say(&cleaned.head, &keys, world.out)?;
        let lists: [(_, _, &mut dyn Iterator<Item = Json>); 3] = [
            ("would delete", ["path", "age_seconds"], &mut cleaned.would_delete()),
            ("deleted", ["path", "age_seconds"], &mut cleaned.deleted()),
            ("error", ["path", "reason"], &mut cleaned.deletion_errors()),
        ];
        for (label, keys, entries) in lists {
            for entry in entries {
                write!(world.out, "  {label}: ")?;
                say(&entry, &keys, world.out)?;
            }
        }
    }
    say_unlisted(cleaned.unlisted(), &common.artifacts_root, world)?;
    let errors = cleaned.check();
    if !errors.is_empty() {
        writeln!(world.err, "cluster latest artifacts cleanup contract failed:")?;
        for error in &errors {
            writeln!(world.err, "- {}", printable(error))?;
        }
        return Ok(Exit::Blocked);
    }
    let fine = if execute {
        "\u{2705} cluster latest artifacts cleanup execute-local-artifacts contract OK"
    } else {
        "\u{2705} cluster latest artifacts cleanup dry-run contract OK"
    };
    end(common, cleaned.contract_ok(), fine, world)
}

/// The end of a command: the contract decides only when it is asked for.
fn end(common: &Common, holds: bool, fine: &str, world: &mut World<'_>) -> Result<Exit, Trouble> {
    if !common.check_contract {
        return Ok(Exit::Pass);
    }
    if !holds {
        return Ok(Exit::Blocked);
    }
    writeln!(world.out, "{fine}")?;
    Ok(Exit::Pass)
}

fn printable(text: &str) -> String {
    text.replace(is_unprintable, "?")
}

/// One line of `key=value`, for the keys that are there.
fn say(object: &Json, keys: &[&str], out: &mut dyn Write) -> io::Result<()> {
    let said = keys.iter().filter_map(|key| object.get(key).map(|value| format!("{key}={}", printable(&shown(value)))));
    writeln!(out, "{}", said.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_that_are_filled_as_they_come_give_the_canonical_text() {
        for entries in [vec![], vec![json!({"b": {"x": []}, "a": [1, "\n  \"deleted\": []"]})], vec![json!(1), json!({}), json!([])]] {
            let whole = json!({"a": "\n  \"deleted\": []", "deleted": entries, "retention": {"would_delete": entries}, "z": []});
            let head = json!({"a": "\n  \"deleted\": []", "deleted": [], "retention": {"would_delete": []}, "z": []});
            let mut lists: [(_, _, &mut dyn Iterator<Item = Json>); 2] =
                [("  ", "deleted", &mut entries.iter().cloned()), ("    ", "would_delete", &mut entries.iter().cloned())];
            let mut out = Vec::new();
            print_filled(&to_canonical_text(&head), &mut lists, &mut out).expect("memory takes it");
            assert_eq!(String::from_utf8(out).expect("it is text"), to_canonical_text(&whole));
        }
    }

    #[test]
    fn a_printed_index_is_the_summary() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let base = scratch.path().canonicalize().expect("it is there");
        let store = DiskArtifacts::new(&base);
        let retention = Retention::new(1e-9, 0.0);
        for files in 0..4 {
            let now = 4e9;
            let mut out = Vec::new();
            print_index(Listing::of(&store, "."), &store, retention, now, &mut out).expect("memory takes it");
            let summary = crate::artifacts::index(&store, ".", retention, now);
            assert_eq!(summary["artifact_count"], files);
            assert_eq!(String::from_utf8(out).expect("it is text"), to_canonical_text(&summary));
            crate::edge::records::write_one(&base.join(format!("{files}.json")), "{\"type\": \"x\"}").expect("a file");
        }
    }
}
