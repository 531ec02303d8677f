//! `replay`: judges a fixture and a bundle, writes their records, prints the board.

use super::exit::Trouble;
use super::shipped::{self, open, printable};
use super::{Exit, Format, ReplayArguments, World, card, report};
use crate::corpus::builtin;
use crate::corpus::case::CONTROL_LIMIT;
use crate::edge::{disk, records};
use crate::json::to_canonical_text;
use crate::landing::RuleSet;
use crate::landing::build::{BuildError, BundleRun, FixtureRun, run_bundle, run_fixture};
use crate::landing::record::files;
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
        records::write_all(&out, &texts).map_err(|error| {
            Trouble::Failed(format!("could not write records into {}: {error}; no record, no verdict", printable(&out)))
        })?;
    }
    print(arguments, fixture.as_ref(), bundle.as_ref(), world)?;
    let green = fixture.iter().map(|run| &run.result).chain(bundle.iter().map(|run| &run.result)).all(|result| result.status == "pass");
    Ok(if green { Exit::Pass } else { Exit::Blocked })
}

fn fixture(arguments: &ReplayArguments, corpus: &Path, rules: &RuleSet, world: &mut World<'_>) -> Result<FixtureRun, Trouble> {
    let folder = open(corpus, "corpus")?;
    let named = arguments.negatives.as_ref().map(|path| world.at(path)).or_else(|| {
        let shipped = (arguments.corpus.is_none()).then(|| world.at(shipped::NEGATIVES));
        shipped.or_else(|| Some(corpus.join("negative-cases")).filter(|path| path.is_dir()))
    });
    let run = match named {
        Some(path) => run_fixture(&folder, &shipped::cases(&path)?, rules),
        None => {
            writeln!(world.err, "landfall: the corpus has no negative-cases folder; the nine built into the binary are used")?;
            run_fixture(&folder, &builtin::nine(), rules)
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

fn print(
    arguments: &ReplayArguments,
    fixture: Option<&FixtureRun>,
    bundle: Option<&BundleRun>,
    world: &mut World<'_>,
) -> Result<(), Trouble> {
    if arguments.card || arguments.format == Format::Json {
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
    writeln!(world.out, "records in {}: {}", printable(&arguments.out), names.join(", "))?;
    Ok(())
}
