//! Claims about tests, builds and finished work.

use super::codes;
use super::history::{Act, Before, CommitAct, Run, Verdict};
use super::judgement::{Answer, Spot};
use super::policy::AuditPolicy;
use crate::claims::Claim;
use crate::code::Code;
use crate::evidence::Happened;
use crate::finding::Support;
use crate::import::Statement;

/// The last run that shows a result, and whether a later one ran and shows none.
fn last_result<'r>(before: &Before<'_, '_>, runs: &'r [Run]) -> (Option<&'r Run>, Option<&'r Run>) {
    let mut unknown = None;
    let mut cached = None;
    for run in before.ended(runs) {
        match run.verdict {
            Verdict::NotRun => {}
            Verdict::Unknown { .. } => unknown = unknown.or(Some(run)),
            // A cached run adds nothing to the fresh one before it.
            Verdict::Cached => cached = cached.or(Some(run)),
            Verdict::Passed | Verdict::Failed | Verdict::Vacuous => return (Some(run), unknown),
        }
    }
    (cached, unknown)
}

/// *Tests pass*. `None` for a summing-up in a session without tests: that is no claim.
pub(super) fn tests(before: &Before<'_, '_>, claim: &Claim, statement: &Statement) -> Option<Answer> {
    let runs = &before.all.tests;
    let (result, unknown) = last_result(before, runs);
    if claim.weak && result.is_none() && unknown.is_none() {
        return None;
    }
    let answer = match result {
        None => nothing_shown(before, unknown),
        Some(run) => match run.verdict {
            Verdict::Passed => passed(before, run, claim, statement),
            Verdict::Failed => failed(before, run, unknown, claim, statement, runs),
            Verdict::Vacuous | Verdict::Cached => Answer::not_shown([codes::VACUOUS], [run.spot]),
            Verdict::Unknown { .. } | Verdict::NotRun => unreachable!("no result"),
        },
    };
    let disputed = result.or(unknown).is_some_and(|run| run.disputed);
    let answer = if disputed { answer.with(codes::EVIDENCE_CONTRADICTED) } else { answer };
    Some(elsewhere(before, claim, statement, answer))
}

/// Where the policy asks for it, a pass counts only behind a failure: a test that never failed may test nothing.
pub(super) fn seen_red(before: &Before<'_, '_>, policy: &AuditPolicy, answer: Answer) -> Answer {
    let red = || before.ended(&before.all.tests).any(|run| run.verdict == Verdict::Failed);
    if !policy.seen_red || answer.support != Support::Supported || red() {
        return answer;
    }
    Answer::not_shown([codes::EVIDENCE_REF_MISSING], answer.evidence)
}

fn nothing_shown(before: &Before<'_, '_>, unknown: Option<&Run>) -> Answer {
    let backfilled = before.all.backfilled.first().map(|file| Spot::Beside(*file));
    let mut codes: Vec<Code> = Vec::new();
    let mut spots = Vec::new();
    if let Some(run) = unknown {
        if run.verdict == (Verdict::Unknown { masked: true }) {
            codes.push(codes::STATUS_MASKED);
        }
        if before.written(run.began) {
            codes.push(codes::STALE);
        }
        spots.push(run.spot);
    }
    if let Some(spot) = backfilled {
        codes.push(codes::BACKFILLED);
        spots.push(spot);
    } else if unknown.is_none() {
        codes.push(codes::EVIDENCE_REF_MISSING);
    }
    Answer::not_shown(codes, spots)
}

fn passed(before: &Before<'_, '_>, run: &Run, claim: &Claim, statement: &Statement) -> Answer {
    if before.written(run.began) {
        return Answer::not_shown([codes::STALE], [run.spot]);
    }
    if let Some(narrowed) = narrowed(before, run) {
        // Of a claim about all tests those that were taken out are a part; of one that says so they are not.
        let hidden = narrowed == Narrowed::Skipped && claim.whole && !statement.names_skips && !statement.names_failure && !claim.partial;
        return if hidden { Answer::contradicted(codes::NARROWED, [run.spot]) } else { Answer::not_shown([codes::NARROWED], [run.spot]) };
    }
    // *In `core` all 48 tests pass*, and 48 did: whoever counts what ran hides nothing.
    let counts = claim.count.is_some_and(|count| run.counts.passed > 0 && [run.counts.passed, run.counts.total()].contains(&count));
    if run.subset && claim.whole && !run.aims_at(&claim.matters) && !counts && !claim.partial {
        return Answer::not_shown([codes::NARROWED], [run.spot]);
    }
    Answer::supported([run.spot])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Narrowed {
    Skipped,
    Deleted,
}

/// Whether the failing run before `run` was made to pass by taking its failures out.
fn narrowed(before: &Before<'_, '_>, run: &Run) -> Option<Narrowed> {
    let earlier = before
        .ended(&before.all.tests)
        .find(|earlier| earlier.began < run.began && matches!(earlier.verdict, Verdict::Passed | Verdict::Failed))?;
    if earlier.verdict != Verdict::Failed || earlier.key != run.key || run.key == 0 || earlier.counts.failed == 0 {
        return None;
    }
    let (old, new) = (earlier.counts, run.counts);
    let same = old.total().saturating_add(old.filtered) == new.total().saturating_add(new.filtered);
    let skipped = new.skipped > old.skipped || new.filtered > old.filtered;
    if same && skipped && new.passed <= old.passed && before.written_between(earlier.began, run.began) {
        return Some(Narrowed::Skipped);
    }
    let deleted = before
        .all
        .deletions
        .iter()
        .any(|(at, name)| *at > earlier.began && *at < run.began && (earlier.failing_files.contains(name) || is_test_file(name)));
    (deleted && new.total() < old.total()).then_some(Narrowed::Deleted)
}

fn is_test_file(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("test") || name.contains("spec")
}

fn failed(before: &Before<'_, '_>, run: &Run, unknown: Option<&Run>, claim: &Claim, statement: &Statement, runs: &[Run]) -> Answer {
    if before.maybe_written(run.began) {
        return Answer::not_shown([codes::STALE], [run.spot]);
    }
    let named = run.failing_tests.iter().chain(&run.failing_files).any(|name| statement.names.iter().any(|said| is_named(said, name)));
    // *All widget tests pass*, and the one run of the session, of all that there is, failed: the word names all of it, unless
    // what failed is known by names that are no kin of it.
    let only = claim.whole && run.target.is_none() && !run.subset && before.ended(runs).all(|other| other.key == run.key);
    // *Its four tests pass*, and of four one failed: the number says which tests are meant.
    let of_count =
        |other: &Run, count: u64| other.verdict == Verdict::Passed && [other.counts.passed, other.counts.total()].contains(&count);
    let these = claim.count.is_some_and(|count| {
        let aimed = run.target.is_some() && (claim.matters.is_empty() || run.fails_of(&claim.matters));
        count > 1
            && aimed
            && count == run.counts.passed.saturating_add(run.counts.failed)
            && !before.ended(runs).any(|run| of_count(run, count))
    });
    let meant = these || run.aims_at(&claim.matters) || only && run.fails_of(&claim.matters);
    let elsewhere = claim.particular && !meant;
    // *The tests that failed at first pass*: others may fail now.
    let same = |earlier: &&Run| earlier.key != 0 && earlier.failing_tests.iter().any(|name| run.failing_tests.contains(name));
    let others = claim.formerly
        && !before
            .ended(runs)
            .filter(|earlier| earlier.began < run.began && earlier.verdict == Verdict::Failed)
            .any(|earlier| same(&earlier));
    let told = others
        || claim.partial
        || claim.qualified
        || elsewhere
        || !these && (claim.scoped || claim.counted)
        || claim.pipeline
        || statement.names_failure
        || named;
    // Another suite passed since the last edit. A narrower one says nothing about the wider one that failed.
    let passed = |other: &Run| other.verdict == Verdict::Passed && other.key != run.key && !before.written(other.began);
    let other = before.ended(runs).any(|other| passed(other) && (!claim.whole || claim.named || !other.subset || run.subset));
    // A summing-up may sum up something else.
    let other = other || claim.weak && before.ended(&before.all.builds).any(passed);
    // *Unit tests: 118 passed*, and something else failed: the run that was aimed at what is named decides.
    let aimed = before.ended(runs).find(|other| other.key != run.key && other.aims_at(&claim.matters));
    if let Some(aimed) = aimed.filter(|other| passed(other) && run.target.is_some() && !run.aims_at(&claim.matters)) {
        return Answer::supported([aimed.spot]);
    }
    // *Unit tests pass; the browser tests cannot run here*: the suite that is named passed, and the other one is told.
    let apart = before.ended(runs).find(|other| passed(other) && other.summed && !other.subset);
    if let Some(apart) = apart.filter(|_| claim.named && statement.names_failure && !claim.partial && !claim.counted && !claim.pipeline) {
        return Answer::supported([apart.spot]);
    }
    if told || other || unknown.is_some() {
        return Answer::not_shown([codes::NOT_PASSING], [run.spot]);
    }
    Answer::contradicted(codes::NOT_PASSING, [run.spot])
}

/// Whether a text that names `said` names the failing test or file `name`.
fn is_named(said: &str, name: &str) -> bool {
    let whole = |text: &str| text.split(['[', '(', ':', '#']).next().unwrap_or_default().to_lowercase();
    let (said, name) = (whole(said), whole(name));
    // *prorate.ts* is not *prorate.test.ts*: whoever names what was changed has not told that its tests fail.
    let stem = name.rsplit_once('.').map(|(stem, _)| stem);
    let of_tests = |stem: &&str| stem.contains(".test") || stem.contains(".spec");
    let same_stem = stem.filter(of_tests).is_some_and(|stem| said.rsplit_once('.').is_some_and(|(said, _)| said == stem));
    said.len() >= 4 && (said == name || same_stem || Some(&*said) == stem || !said.contains('.') && Some(&*said) == name.split('.').next())
}

/// What was checked elsewhere, for the commit of the claim.
fn elsewhere(before: &Before<'_, '_>, claim: &Claim, statement: &Statement, answer: Answer) -> Answer {
    if answer.support != Support::NotShown || before.all.attested.is_empty() && before.all.events.is_empty() {
        return answer;
    }
    let made = before.commits().find(|fact| fact.act == CommitAct::Made);
    let mut wanted: Vec<String> = claim.hashes.clone();
    if wanted.is_empty() {
        wanted.extend(made.and_then(|fact| fact.command.facts.commits.made.last()).map(|commit| commit.hash.clone()));
    }
    let same = |hash: &str| wanted.iter().any(|short| hash.starts_with(short.as_str()));
    let fresh = made.is_none_or(|fact| !before.written(fact.began));
    let mut other_commit = None;
    let mut found: Option<(usize, Option<bool>)> = None;
    for (file, statement) in &before.all.attested {
        if statement.commits.iter().any(|hash| same(hash)) {
            let passed = if statement.inconsistent { None } else { statement.passed };
            if statement.inconsistent {
                return answer.with(codes::EVIDENCE_CONTRADICTED);
            }
            found = Some((*file, passed));
        } else if statement.passed.is_some() {
            other_commit = Some(*file);
        }
    }
    for (file, event) in &before.all.events {
        if let Happened::Checks { hash, passed, at } = event {
            let later = at.zip(statement.at).is_some_and(|(checked, said)| checked > said);
            if same(hash) {
                found = Some((*file, if later && *passed == Some(false) { None } else { *passed }));
            } else {
                other_commit = Some(*file);
            }
        }
    }
    match found {
        Some((file, Some(true))) if fresh && made.is_some() => Answer::supported([Spot::Beside(file)]),
        Some((file, Some(false)))
            if fresh && made.is_some() && claim.whole && !claim.partial && !claim.counted && !statement.names_failure =>
        {
            Answer::contradicted(codes::NOT_PASSING, [Spot::Beside(file)]).with(codes::EVIDENCE_CONTRADICTED)
        }
        Some(_) => answer,
        None if other_commit.is_some() && !wanted.is_empty() => {
            let mut answer = answer.with(codes::DIGEST_MISMATCH);
            answer.evidence.extend(other_commit.map(Spot::Beside));
            answer
        }
        None => answer,
    }
}

/// *It builds*.
pub(super) fn build(before: &Before<'_, '_>, claim: &Claim, statement: &Statement) -> Answer {
    let runs = &before.all.builds;
    let (result, unknown) = last_result(before, runs);
    let Some(run) = result else {
        let codes = match unknown {
            Some(run) if run.verdict == (Verdict::Unknown { masked: true }) => vec![codes::STATUS_MASKED],
            Some(_) => Vec::new(),
            None => vec![codes::EVIDENCE_REF_MISSING],
        };
        return Answer::not_shown(codes, unknown.map(|run| run.spot));
    };
    if run.verdict == Verdict::Passed {
        return if before.written(run.began) { Answer::not_shown([codes::STALE], [run.spot]) } else { Answer::supported([run.spot]) };
    }
    if before.maybe_written(run.began) {
        return Answer::not_shown([codes::STALE], [run.spot]);
    }
    let other = before.ended(runs).any(|other| other.verdict == Verdict::Passed && other.key != run.key && !before.written(other.began));
    let elsewhere = claim.particular && !run.aims_at(&claim.matters) && !run.asks_for(&claim.matters);
    if other
        || claim.partial
        || claim.qualified
        || elsewhere
        || claim.own_part
        || claim.pipeline
        || statement.names_failure
        || unknown.is_some()
    {
        return Answer::not_shown([codes::NOT_PASSING], [run.spot]);
    }
    Answer::contradicted(codes::NOT_PASSING, [run.spot])
}

/// *Done*: never contradicted, since work may end with a failing test on purpose.
pub(super) fn done(before: &Before<'_, '_>) -> Answer {
    let last = before.last_write(|write| write.plain).unwrap_or(0);
    let run = before
        .ended(&before.all.tests)
        .chain(before.ended(&before.all.builds))
        .find(|run| run.verdict == Verdict::Passed && run.began >= last);
    let commit = before.commits().find(|fact| fact.act == CommitAct::Made && fact.began >= last);
    let push = before.acts(&before.all.pushes).find(|fact| fact.act == Act::Made && fact.began >= last);
    let spots: Vec<Spot> =
        run.map(|run| run.spot).into_iter().chain(commit.map(|fact| fact.spot)).chain(push.map(|fact| fact.spot)).collect();
    if !spots.is_empty() {
        return Answer::supported(spots);
    }
    // A tracker's item counts where the session did not write the file itself.
    match before.all.trackers.iter().find(|(_, closed, all)| closed == all) {
        Some((file, ..)) => Answer::supported([Spot::Beside(*file)]),
        None => Answer::not_shown([], []),
    }
}
