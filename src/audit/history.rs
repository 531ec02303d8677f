//! What happened, sorted by what it can show.
//!
//! Longer than most files: one walk sorts the events, and each question about them is asked of what it sorted.

use super::judgement::Spot;
use super::reports;
use crate::evidence::summary::{Counts, Shown};
use crate::evidence::{Attested, Evidence, EvidenceFile, Happened, git::Repository};
use crate::import::shell::runners::RELEASE_TARGET;
use crate::import::shell::{Check, CommitFlags, Status, Writes, is_document};
use crate::import::{Command, Event, Outcome, Position, Timeline, Touch, TouchKind};

/// What a check showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed,
    Vacuous,
    Cached,
    /// It ran, and nothing shows how it went; `true` where its status is hidden behind another command.
    Unknown {
        masked: bool,
    },
    /// It never started.
    NotRun,
}

/// A check: a test run or a build.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) began: Position,
    pub(super) ended: Position,
    pub(super) spot: Spot,
    pub(super) verdict: Verdict,
    pub(super) subset: bool,
    pub(super) counts: Counts,
    /// Equal for two runs of the same words.
    pub(super) key: u64,
    /// Its summary was printed.
    pub(super) summed: bool,
    pub(super) failing_files: Vec<String>,
    pub(super) failing_tests: Vec<String>,
    /// What its words choose, where that is one thing.
    pub(super) target: Option<String>,
    /// Of a build, its own words.
    pub(super) asked: Option<String>,
    /// Sources disagree about it.
    pub(super) disputed: bool,
    /// The index of its command.
    pub(super) event: usize,
}

/// A commit, an attempt at one, or the undoing of some.
#[derive(Debug, Clone)]
pub(super) struct CommitFact<'t> {
    pub(super) began: Position,
    pub(super) ended: Position,
    pub(super) spot: Spot,
    pub(super) command: &'t Command,
    pub(super) act: CommitAct,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommitAct {
    /// Git printed it.
    Made,
    /// Git, a hook or the status said no. `true`: there was nothing to commit.
    Refused(bool),
    /// It ran, and nothing shows how it went.
    Unknown,
    /// It never started.
    NotRun,
    /// Commits were taken back: how many, where that is known, and in which folder.
    Undone(Option<u32>, u64),
    /// A ref was made that keeps what was committed so far.
    Kept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Made,
    Refused,
    Unknown,
    NotRun,
}

/// A push or a release.
#[derive(Debug, Clone, Copy)]
pub(super) struct ActFact {
    pub(super) began: Position,
    pub(super) ended: Position,
    pub(super) spot: Spot,
    pub(super) act: Act,
    /// The index of its command.
    pub(super) event: usize,
}

/// A write into the tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Write {
    pub(super) at: Position,
    pub(super) plain: bool,
}

/// All of it.
pub(super) struct History<'t> {
    pub(super) timeline: &'t Timeline,
    pub(super) tests: Vec<Run>,
    pub(super) builds: Vec<Run>,
    pub(super) commits: Vec<CommitFact<'t>>,
    pub(super) pushes: Vec<ActFact>,
    pub(super) releases: Vec<ActFact>,
    pub(super) writes: Vec<Write>,
    pub(super) touches: Vec<&'t Touch>,
    /// Deletions of files, by position and last name.
    pub(super) deletions: Vec<(Position, String)>,
    pub(super) repositories: Vec<(usize, &'t Repository)>,
    pub(super) attested: Vec<(usize, &'t Attested)>,
    pub(super) events: Vec<(usize, &'t Happened)>,
    pub(super) trackers: Vec<(usize, u64, u64)>,
    /// Reports that an edit wrote, by file.
    pub(super) backfilled: Vec<usize>,
}

/// What was recorded before a position.
pub(super) struct Before<'h, 't> {
    pub(super) all: &'h History<'t>,
    pub(super) at: Position,
}

impl<'t> History<'t> {
    pub(super) fn of(timeline: &'t Timeline, evidence: &'t [EvidenceFile]) -> Self {
        let mut history = Self {
            timeline,
            tests: Vec::new(),
            builds: Vec::new(),
            commits: Vec::new(),
            pushes: Vec::new(),
            releases: Vec::new(),
            writes: Vec::new(),
            touches: Vec::new(),
            deletions: Vec::new(),
            repositories: Vec::new(),
            attested: Vec::new(),
            events: Vec::new(),
            trackers: Vec::new(),
            backfilled: Vec::new(),
        };
        for (index, event) in timeline.events.iter().enumerate() {
            match event {
                Event::Command(command) => history.command(index, command),
                Event::Write(write) => history.writes.push(Write { at: write.began, plain: write.plain }),
                Event::Touch(touch) => history.touch(touch),
                Event::Statement(_) => {}
            }
        }
        for (index, file) in evidence.iter().enumerate() {
            match &file.evidence {
                Evidence::Git(repository) => history.repositories.push((index, repository)),
                Evidence::Attested(statements) => {
                    history
                        .attested
                        .extend(statements.iter().filter(|statement| statement.is_trusted()).map(|statement| (index, statement)));
                }
                Evidence::Events(events) => history.events.extend(events.iter().map(|event| (index, event))),
                Evidence::Tracker(closed, all) => history.trackers.push((index, *closed, *all)),
                Evidence::Report(report) => reports::take(&mut history, index, file, report),
                Evidence::Unknown => {}
            }
        }
        history.tests.sort_by_key(|run| run.began);
        history.writes.sort_by_key(|write| write.at);
        history
    }

    fn touch(&mut self, touch: &'t Touch) {
        self.touches.push(touch);
        if touch.kind == TouchKind::Delete {
            self.deletions.push((touch.began, crate::import::shell::program::base(&touch.path).to_owned()));
        }
        if !is_document(&touch.path) {
            self.writes.push(Write { at: touch.began, plain: true });
        }
    }

    fn command(&mut self, index: usize, command: &'t Command) {
        let shell = &command.shell;
        let ended = command.ended.unwrap_or(Position::MAX);
        let spot = Spot::Session(command.place);
        let ran = command.outcome != Outcome::NotRun;
        for (writes, at) in [(shell.writes, command.began), (shell.writes_after, command.ended.unwrap_or(command.began))] {
            if ran && writes != Writes::No {
                self.writes.push(Write { at, plain: writes == Writes::Yes });
            }
        }
        if ran {
            self.deletions.extend(shell.removes.iter().map(|name| (command.began, name.clone())));
        }
        let check = |check: Option<&Check>, verdict: Verdict| Run {
            began: command.began,
            ended,
            spot,
            verdict,
            subset: check.is_some_and(|check| check.subset) || command.facts.summary.is_some_and(|found| found.counts.filtered > 0),
            counts: command.facts.summary.map(|found| found.counts).unwrap_or_default(),
            key: check.map_or(0, |check| check.key),
            summed: command.facts.summary.is_some(),
            failing_files: command.facts.failing_files.clone(),
            failing_tests: command.facts.failing_tests.clone(),
            target: check.and_then(|check| match &check.target {
                // What builds says what is built where its words do not.
                target if check.name == "docker build" => Some(format!("docker {}", target.as_deref().unwrap_or_default())),
                target => target.clone(),
            }),
            asked: check.and_then(|check| check.asked.clone()),
            disputed: false,
            event: index,
        };
        if shell.test.is_some() || command.facts.summary.is_some() || command.facts.tasks.is_some() {
            self.tests.push(check(shell.test.as_ref(), test_verdict(command)));
        }
        if let Some(build) = &shell.build {
            self.builds.push(check(Some(build), build_verdict(command, build)));
        } else if shell.test.as_ref().is_some_and(|test| compiles(test.name))
            && matches!(test_verdict(command), Verdict::Passed | Verdict::Vacuous)
        {
            // What ran was built.
            let mut run = check(None, Verdict::Passed);
            run.subset = false;
            self.builds.push(run);
        } else if let Some((RELEASE_TARGET, status)) = shell.release {
            // `make release` may build a release, or send one out.
            let verdict = match command.outcome {
                Outcome::NotRun => Verdict::NotRun,
                Outcome::Running | Outcome::Interrupted => Verdict::Unknown { masked: false },
                // Any other failure may be that of sending it out.
                _ if command.facts.compile_error => Verdict::Failed,
                outcome if outcome.succeeded() && status.shows_success() => Verdict::Passed,
                _ => Verdict::Unknown { masked: status == Status::Masked },
            };
            self.builds.push(check(None, verdict));
        } else if command.facts.did_not_compile && ran && command.outcome != Outcome::Running {
            // What was to run was not.
            self.builds.push(check(None, Verdict::Failed));
        }
        if let Some(act) = commit_act(command) {
            self.commits.push(CommitFact { began: command.began, ended, spot, command, act });
        }
        if shell.keeps_head && ran {
            self.commits.push(CommitFact { began: command.began, ended, spot, command, act: CommitAct::Kept });
        }
        if let Some(back) = shell.reset
            && command.outcome.succeeded()
            && command.facts.commits.made.is_empty()
        {
            // What the branch elsewhere has, of a session that sent nothing, has none of what it made. A command in between may
            // have gone to another tree or branch, be it a mere `cd`.
            let directly = self.commits.last().is_some_and(|fact| fact.command.number + 1 == command.number);
            let back = if shell.resets_to_remote.is_some() { directly.then_some(u32::MAX) } else { back };
            self.commits.push(CommitFact { began: command.began, ended, spot, command, act: CommitAct::Undone(back, shell.reset_folder) });
        }
        let pushes = &command.facts.pushes;
        if shell.push.is_some() || pushes.updated {
            let status = shell.push.as_ref();
            let failed = matches!(command.outcome, Outcome::Exit(code) if code != 0 && !is_stopped(code))
                && status.is_some_and(|push| push.alone && push.status == Status::Sole)
                && !pushes.up_to_date;
            let act = match command.outcome {
                Outcome::NotRun => Act::NotRun,
                _ if pushes.updated && !pushes.refused => Act::Made,
                outcome if outcome.succeeded() && status.is_some_and(|push| push.status.shows_success()) => Act::Unknown,
                _ if pushes.refused || failed => Act::Refused,
                // The commit before it was refused, so it never started.
                _ if status.is_some_and(|push| push.behind_commit)
                    && !pushes.up_to_date
                    && matches!(commit_act(command), Some(CommitAct::Refused(false))) =>
                {
                    Act::Refused
                }
                _ => Act::Unknown,
            };
            self.pushes.push(ActFact { began: command.began, ended, spot, act, event: index });
        }
        if shell.elsewhere || shell.sends && !command.outcome.failed() && ran {
            let unknown = ActFact { began: command.began, ended, spot, act: Act::Unknown, event: index };
            self.pushes.push(unknown);
            self.releases.push(unknown);
        }
        if let Some((name, status)) = shell.release {
            let stopped = |code: i32| is_stopped(code) && !(name == "ssh deploy" && matches!(code, 126 | 127));
            let act = match command.outcome {
                Outcome::NotRun => Act::NotRun,
                Outcome::Running | Outcome::Interrupted => Act::Unknown,
                // Nothing new was sent.
                _ if name == "git push" && pushes.up_to_date && !pushes.updated => Act::Unknown,
                outcome if outcome.succeeded() && status.shows_success() => Act::Made,
                // What is out already cannot go out again: whoever says that it is out says nothing wrong.
                _ if command.facts.already_out => Act::Unknown,
                _ if command.facts.not_published => Act::Refused,
                Outcome::Exit(code) if code != 0 && !stopped(code) && status.shows_failure() => Act::Refused,
                _ if command.facts.published && !command.outcome.failed() => Act::Made,
                _ => Act::Unknown,
            };
            self.releases.push(ActFact { began: command.began, ended, spot, act, event: index });
        }
    }

    pub(super) fn before(&self, at: Position) -> Before<'_, 't> {
        Before { all: self, at }
    }
}

/// Codes by which a shell says that a program was stopped or never found.
pub(super) fn is_stopped(code: i32) -> bool {
    matches!(code, 124 | 126 | 127 | 130 | 137 | 141 | 143) || code < 0
}

fn compiles(runner: &str) -> bool {
    matches!(runner, "cargo test" | "cargo nextest" | "go test" | "gradle test" | "mvn test" | "dotnet test" | "test")
}

fn test_verdict(command: &Command) -> Verdict {
    let check = command.shell.test.as_ref();
    let masked = check.is_none_or(|check| check.status == Status::Masked);
    match command.outcome {
        Outcome::NotRun => return Verdict::NotRun,
        // The file of all that it printed holds its summary: it came to its end.
        Outcome::Running if command.facts.own_file && check.is_some_and(|check| sums_up_once(check.name)) => {}
        Outcome::Running | Outcome::Interrupted => return Verdict::Unknown { masked: false },
        _ => {}
    }
    if let Some(found) = command.facts.summary {
        // libtest sums up each binary: one that crashed has no line, only a status.
        let crashed = command.outcome.failed() && check.is_some_and(|check| check.name == "cargo test" && check.status == Status::Sole);
        return match found.shown {
            Shown::Failed => Verdict::Failed,
            Shown::Passed if crashed => Verdict::Unknown { masked: false },
            Shown::Passed => Verdict::Passed,
            Shown::Vacuous => Verdict::Vacuous,
            Shown::Cached => Verdict::Cached,
            // One passed at its second attempt, or another did: whose task failed is named.
            Shown::Mixed if command.facts.tasks == Some(Shown::Failed) => Verdict::Failed,
            Shown::Mixed => Verdict::Unknown { masked },
        };
    }
    // Of what counts no tests, the tasks are what there is: Gradle says at the end that all of its own went well.
    match command.facts.tasks {
        Some(Shown::Failed) => return Verdict::Failed,
        Some(Shown::Passed) if !command.outcome.failed() => return Verdict::Passed,
        Some(Shown::Cached) if !command.outcome.failed() => return Verdict::Cached,
        Some(Shown::Vacuous) if !command.outcome.failed() => return Verdict::Vacuous,
        _ => {}
    }
    let Some(check) = check else { return Verdict::Unknown { masked } };
    let of_code = |code: i32| match code {
        0 => Verdict::Passed,
        code if is_stopped(code) || command.facts.could_not_run => Verdict::Unknown { masked: false },
        5 if check.name == "pytest" => Verdict::Vacuous,
        2..=4 if check.name == "pytest" => Verdict::Unknown { masked: false },
        // A target may fail for a reason that is no test.
        _ if matches!(check.name, "make" | "tox") => Verdict::Unknown { masked: false },
        _ => Verdict::Failed,
    };
    if let Some(code) = command.facts.echoed_status {
        return of_code(code);
    }
    match command.outcome {
        Outcome::Exit(0) if check.status.shows_success() => Verdict::Passed,
        Outcome::Exit(code) if code != 0 && check.status.shows_failure() => of_code(code),
        _ => Verdict::Unknown { masked },
    }
}

/// Runners that sum up at their end, and only there.
fn sums_up_once(runner: &str) -> bool {
    matches!(runner, "pytest" | "unittest" | "rspec" | "phpunit" | "jest" | "cargo nextest" | "playwright" | "node" | "mix test" | "ctest")
}

fn build_verdict(command: &Command, build: &Check) -> Verdict {
    let (status, facts) = (build.status, &command.facts);
    let tests = || test_verdict(command);
    // `mvn package` builds and tests: a failure may be that of a test, or of a check of style.
    if command.shell.test.as_ref().is_some_and(|test| test.key == build.key) {
        return match command.outcome {
            Outcome::NotRun => Verdict::NotRun,
            Outcome::Running | Outcome::Interrupted => Verdict::Unknown { masked: false },
            outcome if outcome.succeeded() && status.shows_success() => Verdict::Passed,
            _ if facts.compile_error => Verdict::Failed,
            _ if facts.built == Some(false) => Verdict::Unknown { masked: status == Status::Masked },
            outcome if facts.built == Some(true) && !outcome.failed() => Verdict::Passed,
            _ if matches!(tests(), Verdict::Passed | Verdict::Vacuous) => Verdict::Passed,
            _ => Verdict::Unknown { masked: status == Status::Masked },
        };
    }
    let built = facts.built;
    // In `build && test` the tests that sum up show that the build did not fail: what says so is theirs.
    if build.leads_to_tests && facts.summary.is_some() && command.outcome.ended() {
        match (tests(), built) {
            (_, Some(false)) => return Verdict::Unknown { masked: true },
            // What stands behind `&&` began: what stands before it went well.
            (Verdict::Passed | Verdict::Failed, _) => return Verdict::Passed,
            _ => {}
        }
    }
    match command.outcome {
        Outcome::NotRun => Verdict::NotRun,
        Outcome::Running | Outcome::Interrupted => Verdict::Unknown { masked: false },
        outcome if outcome.succeeded() && status.shows_success() => Verdict::Passed,
        Outcome::Exit(code)
            if code != 0 && status.shows_failure() && !is_stopped(code) && (built == Some(false) || !command.facts.could_not_run) =>
        {
            Verdict::Failed
        }
        _ if built == Some(false) => Verdict::Failed,
        outcome if built == Some(true) && (!outcome.failed() || build.leads) => Verdict::Passed,
        _ => match command.facts.echoed_status {
            Some(0) => Verdict::Passed,
            Some(code) if !is_stopped(code) && !command.facts.could_not_run => Verdict::Failed,
            _ => Verdict::Unknown { masked: status == Status::Masked },
        },
    }
}

fn commit_act(command: &Command) -> Option<CommitAct> {
    let facts = &command.facts.commits;
    if !facts.made.is_empty() || facts.merged {
        return Some(CommitAct::Made);
    }
    let flags: &CommitFlags = match &command.shell.commit {
        Some(flags) => flags,
        None if command.shell.replays && command.outcome.succeeded() => return Some(CommitAct::Unknown),
        None => return None,
    };
    // A success prints its line unless it is told not to; so a failure without one made no commit.
    // A success that is the commit's own is no refusal, whatever other parts print.
    let succeeded = command.outcome.succeeded() && flags.status.shows_success();
    // `git status` says *nothing to commit* too; a commit that prints nothing cannot be told from it.
    let echo = facts.nothing && command.shell.shows_status && (flags.quiet || flags.hidden_output) && !command.outcome.failed();
    let by_status = matches!(command.outcome, Outcome::Exit(code) if code != 0 && !is_stopped(code))
        && !flags.quiet
        && !flags.hidden_output
        && flags.status != Status::Masked;
    Some(match command.outcome {
        Outcome::NotRun => CommitAct::NotRun,
        _ if succeeded || echo => CommitAct::Unknown,
        Outcome::Running | Outcome::Interrupted if !facts.refused => CommitAct::Unknown,
        _ if facts.refused || by_status => CommitAct::Refused(facts.nothing),
        _ => CommitAct::Unknown,
    })
}

impl Before<'_, '_> {
    /// The last plain write before the claim and after `after`.
    pub(super) fn written(&self, after: Position) -> bool {
        self.last_write(|write| write.plain).is_some_and(|at| at > after)
    }

    /// The same, with writes that only may have been.
    pub(super) fn maybe_written(&self, after: Position) -> bool {
        self.last_write(|_| true).is_some_and(|at| at > after)
    }

    pub(super) fn last_write(&self, wanted: impl Fn(&Write) -> bool) -> Option<Position> {
        let end = self.all.writes.partition_point(|write| write.at < self.at);
        self.all.writes[..end].iter().rev().take(5000).find(|write| wanted(write)).map(|write| write.at)
    }

    /// Whether a plain write lies between two positions.
    pub(super) fn written_between(&self, from: Position, to: Position) -> bool {
        let start = self.all.writes.partition_point(|write| write.at <= from);
        self.all.writes[start..].iter().take_while(|write| write.at < to).take(5000).any(|write| write.plain)
    }

    /// Runs that had ended, the last first.
    pub(super) fn ended<'r>(&self, runs: &'r [Run]) -> impl Iterator<Item = &'r Run> {
        let end = runs.partition_point(|run| run.began < self.at);
        let at = self.at;
        runs[..end].iter().rev().take(2000).filter(move |run| run.ended < at)
    }

    /// Commits that had ended, the last first.
    pub(super) fn commits(&self) -> impl Iterator<Item = &CommitFact<'_>> {
        let end = self.all.commits.partition_point(|fact| fact.began < self.at);
        let at = self.at;
        self.all.commits[..end].iter().rev().take(5000).filter(move |fact| fact.ended < at)
    }

    /// Pushes or releases that had ended, the last first.
    pub(super) fn acts<'r>(&self, acts: &'r [ActFact]) -> impl Iterator<Item = &'r ActFact> {
        let end = acts.partition_point(|fact| fact.began < self.at);
        let at = self.at;
        acts[..end].iter().rev().take(5000).filter(move |fact| fact.ended < at)
    }
}
