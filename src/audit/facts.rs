//! The facts of one landing, as the session and the evidence beside it show them.

use super::history::{Before, CommitAct, CommitFact, History, Run, Verdict};
use super::judgement::Spot;
use crate::claims::{Claim, Kind};
use crate::evidence::git::Repository;
use crate::evidence::summary::Counts;
use crate::evidence::{Happened, Signed};
use crate::import::shell::is_patch;
use crate::import::{Event, Outcome, Position, Statement, Timeline, TouchKind};
use std::collections::BTreeSet;

/// What a validation showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Validated {
    Passed,
    Failed,
    Vacuous,
    NotShown,
}

impl Validated {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Vacuous => "vacuous",
            Self::NotShown => "not_shown",
        }
    }
}

/// The validation before the commit.
pub(super) struct Validation {
    pub(super) spot: Spot,
    pub(super) result: Validated,
    pub(super) counts: Counts,
    /// Tests that ran, where the output says so.
    pub(super) executed: Option<u64>,
    /// Its own exit code, where it is recorded.
    pub(super) exit_code: Option<i32>,
    pub(super) masked: bool,
    pub(super) summed: bool,
    pub(super) disputed: bool,
    /// The runner's name.
    pub(super) name: Option<&'static str>,
    /// The commit that somebody else vouches for, and the key that signed for it, where a policy names it.
    pub(super) subject: Option<(String, Option<String>)>,
}

/// All of it. What is `None` is not known.
pub(super) struct Facts {
    pub(super) claimed: bool,
    /// The attempt was refused before it started.
    pub(super) stopped: bool,
    /// Every record was read.
    pub(super) whole: bool,
    pub(super) head_before: Option<String>,
    pub(super) head_after: Option<String>,
    pub(super) ancestor: Option<bool>,
    pub(super) claimed_paths: Vec<String>,
    pub(super) landed: Option<BTreeSet<String>>,
    /// The commit holds paths that are not claimed.
    pub(super) strangers: Option<bool>,
    pub(super) validation: Option<Validation>,
    pub(super) precedes: Option<bool>,
    pub(super) touched_after: Option<bool>,
    pub(super) made: Option<bool>,
    /// Commits that the attempt made, under any hash: a squash merge gives them another.
    pub(super) commits: Vec<String>,
    /// A patch that was kept after the refusal.
    pub(super) capture: Option<String>,
    /// The branch that the claim is about, and where it pointed before and after.
    pub(super) target: Option<Target>,
}

/// A branch that was to move.
pub(super) struct Target {
    pub(super) name: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// Every record was read: none is broken, over a limit, or of a kind that may hold an act.
fn is_whole(timeline: &Timeline) -> bool {
    let counts = timeline.counts;
    counts.malformed == 0 && counts.over_limits == 0 && counts.unknown <= counts.beside
}

impl Facts {
    /// `None` where no commit is claimed, and none was refused.
    pub(super) fn of(history: &History<'_>) -> Option<Self> {
        let timeline = history.timeline;
        let end = history.before(Position::MAX);
        let said = last_word(timeline);
        let claim = said.and_then(|said| said.claims.iter().find(|claim| matches!(claim.kind, Kind::Committed | Kind::Pushed)));
        let made = history.commits.iter().rev().find(|fact| fact.act == CommitAct::Made);
        let tried = history.commits.iter().rev().find(|fact| !matches!(fact.act, CommitAct::Undone(..)));
        let refused = tried.filter(|fact| matches!(fact.act, CommitAct::Refused(_) | CommitAct::NotRun));
        if claim.is_none() && refused.is_none() {
            return None;
        }
        let whole = is_whole(timeline);
        let attempt = made.filter(|_| claim.is_some()).or(tried);
        let (landed, head) = landed(history, made, said);
        let claimed_paths = claimed_paths(history, claim, attempt, landed.as_ref());
        let strangers = landed.as_ref().filter(|_| !claimed_paths.is_empty()).and_then(|landed| {
            let other = landed.iter().any(|path| !claimed_paths.contains(path));
            // What a shell wrote has no path in the record: then a stranger may be the session's own.
            let by_hand = history.writes.len() <= history.touches.len();
            if other && !by_hand { None } else { Some(other) }
        });
        // Nothing was committed, and nothing was staged but what was named.
        let scoped = made.is_none() && refused.and_then(|fact| fact.command.shell.commit.as_ref()).is_some_and(|flags| !flags.broad);
        let strangers = strangers.or((scoped && whole).then_some(false));
        let at = attempt.map_or(Position::MAX, |fact| fact.began);
        let run =
            end.ended(&history.tests).chain(end.ended(&history.builds)).filter(|run| run.ended < at && run.verdict != Verdict::NotRun);
        let run = run.max_by_key(|run| (run.verdict == Verdict::Passed, run.began));
        let touched_after = run.filter(|_| attempt.is_some()).map(|run| end.written_between(run.began, at));
        let passed = run.is_some_and(|run| run.verdict == Verdict::Passed);
        let precedes = match (attempt, run) {
            (None, _) => None,
            (Some(_), Some(_)) if passed && touched_after == Some(false) => Some(true),
            (Some(_), Some(run)) if matches!(run.verdict, Verdict::Unknown { .. } | Verdict::Cached) => None,
            _ => whole.then_some(false),
        };
        Some(Self {
            claimed: claim.is_some(),
            stopped: refused.is_some_and(|fact| fact.act == CommitAct::NotRun),
            whole,
            ancestor: None,
            head_before: head.before,
            head_after: head.after,
            claimed_paths,
            landed,
            strangers,
            validation: run.map(|run| validation(history, run, &end)),
            precedes,
            touched_after,
            made: match (made, claim, refused) {
                (Some(_), ..) => Some(true),
                (None, _, Some(_)) => whole.then_some(false),
                _ => None,
            },
            commits: commits(history, made),
            target: claim.zip(said).and_then(|(claim, said)| target(history, &end, claim, said, made)),
            capture: refused.and_then(|refused| capture(timeline, refused.began)),
        })
        .map(|facts| facts.with_ancestor(history))
    }

    fn with_ancestor(mut self, history: &History<'_>) -> Self {
        if let Some((before, after)) = self.head_before.as_deref().zip(self.head_after.as_deref()) {
            self.ancestor = history.repositories.iter().find_map(|(_, repository)| repository.reaches(after, before));
        }
        self
    }
}

fn commits(history: &History<'_>, made: Option<&CommitFact<'_>>) -> Vec<String> {
    let Some(made) = made else { return Vec::new() };
    let merged = history.events.iter().filter_map(|(_, event)| match event {
        Happened::Merge { merged: true, hashes, .. } => Some(hashes),
        _ => None,
    });
    let all: BTreeSet<&String> = made.command.facts.commits.made.iter().map(|line| &line.hash).chain(merged.flatten()).take(1000).collect();
    all.into_iter().cloned().collect()
}

/// The last text of the main session that speaks of the commit.
fn last_word(timeline: &Timeline) -> Option<&Statement> {
    timeline.events.iter().rev().find_map(|event| match event {
        Event::Statement(said) if said.claims.iter().any(speaks_of_commit) => Some(said),
        _ => None,
    })
}

fn speaks_of_commit(claim: &Claim) -> bool {
    matches!(claim.kind, Kind::Committed | Kind::Pushed) || claim.kind == Kind::Blocked && matches!(claim.act, None | Some(Kind::Committed))
}

#[derive(Default)]
struct Head {
    before: Option<String>,
    after: Option<String>,
}

/// The paths of the commit, and HEAD on both sides.
fn landed(history: &History<'_>, made: Option<&CommitFact<'_>>, said: Option<&Statement>) -> (Option<BTreeSet<String>>, Head) {
    let timeline = history.timeline;
    let mut head = Head { before: timeline.head.clone(), after: None };
    let mut paths = None;
    let printed = made.and_then(|fact| fact.command.facts.commits.made.last());
    // A squash or a merge elsewhere lands the work under a hash that the session may never have seen.
    let merged = history.events.iter().find_map(|(_, event)| match event {
        Happened::Merge { merged: true, hashes, .. } if made.is_some() => hashes.first().cloned(),
        _ => None,
    });
    head.after = merged.clone();
    for (_, repository) in &history.repositories {
        let logged = by_log(repository, timeline, said);
        head.before = logged.before.or(head.before);
        head.after = head.after.or(logged.after);
        let landed = merged.clone().filter(|hash| repository.commit(hash).is_some());
        let whole = landed
            .or_else(|| printed.and_then(|line| repository.whole_hash(&line.hash)))
            .or_else(|| head.after.clone().filter(|_| made.is_some()));
        if let Some(hash) = whole {
            let amends = made.and_then(|fact| fact.command.shell.commit.as_ref()).is_some_and(|flags| flags.amend);
            if head.before.is_none() && !amends {
                // HEAD, when a commit is made, is its first parent.
                head.before = repository.commit(&hash).and_then(|commit| commit.parents.first().cloned());
            }
            paths = paths.or_else(|| repository.changed_paths(&hash));
            head.after = head.after.or(Some(hash));
        }
    }
    for (_, event) in &history.events {
        if let Happened::Push { after, .. } = event {
            head.after = head.after.or_else(|| Some(after.clone()));
        }
    }
    head.after = head.after.or_else(|| printed.map(|line| line.hash.clone()));
    (paths, head)
}

/// HEAD before the session and after the claim, by the reflog.
fn by_log(repository: &Repository, timeline: &Timeline, said: Option<&Statement>) -> Head {
    let seconds = |time: i64| time.div_euclid(1000);
    let window = timeline.started.map(seconds).zip(said.and_then(|said| said.at).or(timeline.ended).map(seconds));
    let Some(((start, end), log)) = window.zip(repository.head_log.as_ref()) else { return Head::default() };
    let value_at =
        |wanted: &dyn Fn(i64) -> bool| log.iter().take_while(|movement| wanted(movement.at)).last().map(|movement| movement.new.clone());
    let before = value_at(&|at| at < start)
        .or_else(|| log.first().filter(|first| first.at >= start && !is_zero(&first.old)).map(|first| first.old.clone()));
    Head { before, after: value_at(&|at| at <= end + 2) }
}

/// The branch of the claim: one that it names, else the one that git printed. Where the branch stood still, that is said only
/// where the audit itself holds it against the claim: a log that ends early shows no stillness.
fn target(history: &History<'_>, end: &Before<'_, '_>, claim: &Claim, said: &Statement, made: Option<&CommitFact<'_>>) -> Option<Target> {
    let printed = made.and_then(|fact| fact.command.facts.commits.made.last()).and_then(|line| line.branch.clone());
    let started = history.timeline.started?.div_euclid(1000);
    let ended = said.at.or(history.timeline.ended)?.div_euclid(1000);
    for (_, repository) in &history.repositories {
        for branch in claim.targets.iter().chain(&printed) {
            let name = format!("refs/heads/{branch}");
            let Some(log) = repository.branch_logs.get(&name) else { continue };
            let before = log.iter().take_while(|movement| movement.at < started).last().map(|movement| &movement.new);
            let before = before.or_else(|| log.first().map(|movement| &movement.old)).filter(|hash| !is_zero(hash));
            let after = log.iter().take_while(|movement| movement.at <= ended + 2).last().map(|movement| &movement.new);
            let Some((before, after)) = before.zip(after) else { continue };
            if before != after || super::commits::committed(end, claim, said).codes.contains(&super::codes::TARGET_REF_NOT_ADVANCED) {
                return Some(Target { name, before: before.clone(), after: after.clone() });
            }
        }
    }
    None
}

fn is_zero(hash: &str) -> bool {
    hash.bytes().all(|byte| byte == b'0')
}

/// Paths that the claim names, and those that the session touched for it.
fn claimed_paths(
    history: &History<'_>,
    claim: Option<&Claim>,
    attempt: Option<&CommitFact<'_>>,
    landed: Option<&BTreeSet<String>>,
) -> Vec<String> {
    let until = attempt.map_or(Position::MAX, |fact| fact.began);
    let touched: BTreeSet<&str> =
        history.touches.iter().filter(|touch| touch.began < until && !touch.path.is_empty()).map(|touch| touch.path.as_str()).collect();
    let known = |path: &str| touched.contains(path) || landed.is_some_and(|landed| landed.contains(path));
    let named = claim.into_iter().flat_map(|claim| &claim.paths).filter(|path| known(path)).cloned();
    let committed: Vec<String> =
        touched.iter().filter(|path| landed.is_none_or(|landed| landed.contains(**path))).map(|path| (*path).to_owned()).collect();
    // Where nothing that was touched landed, the claim is of what was touched.
    let own = if committed.is_empty() { touched.iter().map(|path| (*path).to_owned()).collect() } else { committed };
    let all: BTreeSet<String> = named.chain(own).filter(|path| !crate::leak::leaks(path)).take(1000).collect();
    all.into_iter().collect()
}

fn validation(history: &History<'_>, run: &Run, end: &Before<'_, '_>) -> Validation {
    let command =
        history.timeline.events.get(run.event).and_then(|event| if let Event::Command(command) = event { Some(command) } else { None });
    let check = command.and_then(|command| command.shell.test.as_ref().or(command.shell.build.as_ref()));
    let result = match run.verdict {
        Verdict::Passed => Validated::Passed,
        Verdict::Failed => Validated::Failed,
        Verdict::Vacuous | Verdict::Cached => Validated::Vacuous,
        Verdict::Unknown { .. } | Verdict::NotRun => Validated::NotShown,
    };
    let masked = check.is_some_and(|check| !check.status.shows_success());
    let exit_code = command.and_then(|command| if let Outcome::Exit(code) = command.outcome { Some(code) } else { None });
    let made = end.commits().find(|fact| fact.act == CommitAct::Made).map(|fact| &fact.command.facts.commits.made);
    let ours = |hash: &&String| made.is_some_and(|lines| lines.iter().any(|line| hash.starts_with(&line.hash)));
    let vouched = history.attested.iter().filter(|(_, attested)| attested.passed == Some(true) && !attested.inconsistent);
    Validation {
        spot: run.spot,
        result,
        counts: run.counts,
        executed: run.summed.then(|| run.counts.passed.saturating_add(run.counts.failed)),
        exit_code: exit_code.filter(|_| !masked),
        masked,
        summed: run.summed,
        disputed: run.disputed,
        name: check.map(|check| check.name),
        subject: vouched
            .flat_map(|(_, attested)| attested.commits.iter().map(move |commit| (commit, &attested.signed)))
            .find(|(commit, _)| ours(commit))
            .map(|(commit, signed)| (commit.clone(), if let Signed::By(key) = signed { Some(key.clone()) } else { None })),
    }
}

/// A patch that was written after the refusal: the work is kept. The error text alone is no capture.
fn capture(timeline: &Timeline, refused: Position) -> Option<String> {
    timeline.events.iter().filter(|event| event.began() > refused).find_map(|event| match event {
        Event::Touch(touch) if touch.kind != TouchKind::Delete && is_patch(&touch.path) => Some(touch.path.clone()),
        Event::Command(command) if command.outcome.succeeded() => command.shell.outputs.iter().find(|name| is_patch(name)).cloned(),
        _ => None,
    })
}
