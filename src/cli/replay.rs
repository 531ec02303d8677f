//! `replay`: judges a fixture and a bundle, writes their records, prints the board.

use super::exit::Trouble;
use super::shipped::{self, open, printable};
use super::{Exit, Format, ReplayArguments, World, card, merge_records, report};
use crate::corpus::builtin;
use crate::corpus::case::CONTROL_LIMIT;
use crate::edge::{disk, records};
use crate::folder::Folder;
use crate::json::to_canonical_text;
use crate::landing::RuleSet;
use crate::landing::build::{BuildError, BundleRun, FixtureRun, run_bundle, run_bundle_shard, run_fixture, run_fixture_shard};
use crate::landing::record::files;
use crate::landing::shard::Shard;
use std::path::{Component, Path};

pub(super) fn run(arguments: &ReplayArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    if arguments.corpus.is_none() && arguments.bundle.is_none() && !world.at(shipped::FIRST_WAVE).is_dir() {
        let message = format!("no {} below this folder; name a corpus with --corpus, or make one with landfall init", shipped::FIRST_WAVE);
        return Err(Trouble::Failed(message));
    }
    let (corpus, bundle) = match (&arguments.corpus, &arguments.bundle) {
        (None, None) => (Some(world.at(shipped::FIRST_WAVE)), Some(world.at(shipped::BUNDLE))),
        (corpus, bundle) => (corpus.as_ref().map(|path| world.at(path)), bundle.as_ref().map(|path| world.at(path))),
    };
    let out = world.at(&arguments.out);
    for input in corpus.iter().chain(&bundle) {
        for part in ["", "evidence", "source_modules", "negative-cases"] {
            keep_apart(&out, &input.join(part), part.is_empty())?;
        }
    }
    let shipped = corpus.is_some() && arguments.corpus.is_none();
    for negatives in arguments.negatives.iter().map(|path| world.at(path)).chain(shipped.then(|| world.at(shipped::NEGATIVES))) {
        keep_apart(&out, &negatives, false)?;
    }
    let rules = RuleSet::all();
    if let Some(shard) = arguments.shard {
        return shards(arguments, shard, corpus.as_deref(), bundle.as_deref(), world);
    }
    let mut texts = Vec::new();
    let fixture = match &corpus {
        None => None,
        Some(path) => {
            let run = fixture(arguments, path, &rules, world)?;
            texts.extend(run.texts());
            Some(run)
        }
    };
    let bundle = match &bundle {
        None => None,
        Some(path) => {
            let prior = arguments.card.then(|| disk::read_file(&out.join(files::BUNDLE), CONTROL_LIMIT).ok()).flatten();
            let run = run_bundle(&open(path, "bundle")?, prior.as_deref(), &rules).map_err(trouble)?;
            if !run.result.receipt_reused {
                texts.insert(0, (files::BUNDLE, to_canonical_text(&run.result)));
            }
            Some(run)
        }
    };
    if !texts.is_empty() {
        write(&out, &texts)?;
    }
    let printed = Printed { card: arguments.card, format: arguments.format, out: &arguments.out };
    printed.print(fixture.as_ref(), bundle.as_ref(), world)?;
    Ok(exit_of(fixture.as_ref(), bundle.as_ref()))
}

/// Writes records, all or none.
pub(super) fn write(out: &Path, texts: &[(&str, String)]) -> Result<(), Trouble> {
    let failed = |error| Trouble::Failed(format!("could not write records into {}: {error}; no record, no verdict", printable(out)));
    records::write_all(out, texts).map_err(failed)
}

/// Whether all of it passes.
pub(super) fn exit_of(fixture: Option<&FixtureRun>, bundle: Option<&BundleRun>) -> Exit {
    let mut results = fixture.iter().map(|run| &run.result).chain(bundle.iter().map(|run| &run.result));
    if results.all(|result| result.status == "pass") { Exit::Pass } else { Exit::Blocked }
}

/// Judges one shard and writes its records, which are no verdict.
fn shards(
    arguments: &ReplayArguments,
    shard: Shard,
    corpus: Option<&Path>,
    bundle: Option<&Path>,
    world: &mut World<'_>,
) -> Result<Exit, Trouble> {
    let rules = RuleSet::all();
    let mut found = Vec::new();
    if let Some(path) = corpus {
        let judged = |folder: &dyn Folder, cases: &dyn Folder| run_fixture_shard(folder, cases, &rules, shard);
        found.push(("result", with_fixture(arguments, path, world, judged)?));
    }
    if let Some(path) = bundle {
        found.push(("bundle-result", run_bundle_shard(&open(path, "bundle")?, &rules, shard).map_err(trouble)?));
    }
    let name = |record: &str| format!("{record}.shard-{}.json", shard.to_string().replace('/', "-of-"));
    let texts: Vec<_> = found.iter().map(|(record, shard)| (name(record), to_canonical_text(shard))).collect();
    let texts: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    write(&world.at(&arguments.out), &texts)?;
    for (_, record) in &found {
        merge_records::say(record, arguments.format, world)?;
    }
    if arguments.format == Format::Text {
        let names: Vec<_> = texts.iter().map(|(name, _)| *name).collect();
        writeln!(world.out, "records in {}: {}", printable(&arguments.out), names.join(", "))?;
    }
    // What is refused already stays refused; that nothing is refused here shows nothing yet.
    Ok(if found.iter().any(|(_, record)| record.blocking_count() > 0) { Exit::Blocked } else { Exit::Pass })
}

fn fixture(arguments: &ReplayArguments, corpus: &Path, rules: &RuleSet, world: &mut World<'_>) -> Result<FixtureRun, Trouble> {
    with_fixture(arguments, corpus, world, |folder, cases| run_fixture(folder, cases, rules))
}

/// Hands the folder of a fixture and that of its negative cases to `judge`.
fn with_fixture<T>(
    arguments: &ReplayArguments,
    corpus: &Path,
    world: &mut World<'_>,
    judge: impl FnOnce(&dyn Folder, &dyn Folder) -> Result<T, BuildError>,
) -> Result<T, Trouble> {
    let folder = open(corpus, "corpus")?;
    let named = arguments.negatives.as_ref().map(|path| world.at(path)).or_else(|| {
        let shipped = (arguments.corpus.is_none()).then(|| world.at(shipped::NEGATIVES));
        shipped.or_else(|| Some(corpus.join("negative-cases")).filter(|path| path.is_dir()))
    });
    let run = match named {
        Some(path) => judge(&folder, &shipped::cases(&path)?),
        None => {
            writeln!(world.err, "landfall: the corpus has no negative-cases folder; the nine built into the binary are used")?;
            judge(&folder, &builtin::nine())
        }
    };
    run.map_err(trouble)
}

pub(super) fn trouble(error: BuildError) -> Trouble {
    match error {
        BuildError::TwoTables => Trouble::Usage(error.to_string()),
        BuildError::Read(_) => Trouble::Failed(error.to_string()),
    }
}

/// Refuses to write records where the next run would read them as inputs: into a folder of inputs or,
/// unless it is `itself_only`, anywhere below it.
fn keep_apart(out: &Path, input: &Path, itself_only: bool) -> Result<(), Trouble> {
    let real = |path: &Path| {
        // Neither folder need be there yet: the nearest ancestor that is decides, and `..` behind it is
        // taken off by name.
        path.ancestors().find_map(|ancestor| {
            let mut there = ancestor.canonicalize().ok()?;
            for part in path.strip_prefix(ancestor).ok()?.components() {
                match part {
                    Component::ParentDir => drop(there.pop()),
                    Component::CurDir => {}
                    part => there.push(part),
                }
            }
            Some(there)
        })
    };
    let Some((real_out, input)) = real(out).zip(real(input)) else { return Ok(()) };
    if real_out == input || (!itself_only && real_out.starts_with(&input)) {
        let message = format!("records would be written among the inputs, into {}; choose another --out", printable(out));
        return Err(Trouble::Failed(message));
    }
    Ok(())
}

/// How the outcome is printed.
pub(super) struct Printed<'p> {
    pub(super) card: bool,
    pub(super) format: Format,
    /// The folder of the records, as it was named.
    pub(super) out: &'p Path,
}

impl Printed<'_> {
    pub(super) fn print(&self, fixture: Option<&FixtureRun>, bundle: Option<&BundleRun>, world: &mut World<'_>) -> Result<(), Trouble> {
        if self.card || self.format == Format::Json {
            let fixture = fixture.map(|run| card::of(&run.result));
            let bundle = bundle.map(|run| card::of(&run.result));
            let text = match (fixture, bundle) {
                (Some(fixture), Some(bundle)) => to_canonical_text(&serde_json::json!({"fixture": fixture, "bundle": bundle})),
                (fixture, bundle) => to_canonical_text(&fixture.or(bundle)),
            };
            write!(world.out, "{text}")?;
            return Ok(());
        }
        if let Some(run) = fixture {
            report::fixture(run, world.out)?;
        }
        if let Some(run) = bundle {
            report::bundle(&run.result, world.out)?;
        }
        let names = fixture.iter().flat_map(|run| &run.result.receipt_paths).chain(bundle.iter().flat_map(|run| &run.result.receipt_paths));
        let names: Vec<_> = names.map(String::as_str).collect();
        writeln!(world.out, "records in {}: {}", printable(self.out), names.join(", "))?;
        Ok(())
    }
}
