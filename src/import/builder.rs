//! Puts a timeline together from what an importer reads, and keeps only what settles something.
//!
//! Outputs are read once, when they come, and dropped; a command that neither checks, writes nor lands
//! leaves nothing behind. So a session far longer than memory can be read.
//!
//! Longer than most files: what the importers may call is one type, and its parts share the pending calls.

use super::facts::{PATH_LIMIT, facts, patched_paths};
use super::outcome::Outcome;
use super::polled::{Polled, fill, own_file};
use super::shell::{self, Analysis, Writes};
use super::timeline::{Command, Event, Facts, Place, PlainWrite, Position, Statement, Timeline, Touch, TouchKind};
use crate::claims::{self, Claim};
use crate::evidence::{git_output, summary};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A text of the main session.
#[derive(Debug, Clone, Copy)]
pub struct Said<'t> {
    /// The text.
    pub text: &'t str,
    /// Where it is recorded.
    pub place: Place,
    /// Milliseconds since 1970.
    pub at: Option<i64>,
    /// Which message it is; 0 where messages are never taken back.
    pub message: u64,
}

/// A file with what a run prints.
struct Log {
    name: String,
    index: u32,
    /// All of it: the tool that ran it wrote the file.
    own: bool,
}

enum Call {
    Waiting(Box<Command>),
    Edits(Vec<Touch>),
    /// Its event, if it left one.
    Done(Option<u32>),
}

/// About the room that a command takes.
fn room_of(command: &Command) -> usize {
    let shell = &command.shell;
    let texts = [&shell.names, &shell.outputs, &shell.removes, &command.facts.failing_files, &command.facts.failing_tests];
    let length: usize = texts.iter().flat_map(|list| list.iter()).map(|text| text.len() + 40).sum();
    let commits: usize = command.facts.commits.made.len() * 100;
    size_of::<Command>() + size_of::<Event>() + 64 + length + commits
}

fn room_of_touch(touch: &Touch) -> usize {
    size_of::<Event>() + touch.path.len() + 40
}

fn room_of_said(claims: &[Claim], names: &[String]) -> usize {
    let length = |list: &[String]| list.iter().map(|text| text.len() + 40).sum::<usize>();
    length(names)
        + claims
            .iter()
            .map(|claim| {
                size_of::<Claim>() + length(&claim.hashes) + length(&claim.targets) + length(&claim.paths) + length(&claim.matters)
            })
            .sum::<usize>()
}

/// The most calls that are remembered for a later second result.
const CALLS_LIMIT: usize = 50_000;
/// The most ids of records that are remembered.
const SEEN_LIMIT: usize = 450_000;
/// The most bytes of calls and events that are held at a time, about.
const ROOM: usize = 20 << 20;
/// The most claims of a session.
const CLAIMS_LIMIT: usize = 20_000;
/// The most edits of one call.
const EDITS_LIMIT: usize = 1000;
/// The most logs that are remembered as outputs of a run.
const LOGS_LIMIT: usize = 32;

/// Builds a [`Timeline`].
pub struct Builder {
    /// What was built so far; importers count in it.
    pub timeline: Timeline,
    clock: Position,
    /// Positions follow times, since files of one session overlap.
    by_time: bool,
    calls: HashMap<u64, Call>,
    aliases: HashMap<u64, u64>,
    seen: HashSet<u64>,
    roots: Vec<String>,
    logs: Vec<Log>,
    polled: Polled,
    /// Where the last text with claims stands.
    last_statement: Position,
    last_said: Option<u64>,
    /// Messages with claims, which may be taken back.
    spoken: HashSet<u64>,
    taken: HashSet<u64>,
    /// Calls that are done and remembered.
    done: usize,
    /// Bytes that are held, about.
    held: usize,
    claims: usize,
    /// Room for calls and events, and the most claims.
    bounds: (usize, usize),
    /// A limit was met. From there on nothing is kept: a claim must not be judged without what came before it.
    full: bool,
    /// Where the first thing stands that was not kept.
    cut: Option<Position>,
}

/// A digest for tables of one session.
pub(super) fn key(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

impl Builder {
    /// An empty one. `by_time`: files overlap in time, so their order does not say what came first.
    pub fn new(by_time: bool) -> Self {
        Self {
            timeline: Timeline::default(),
            clock: 0,
            by_time,
            calls: HashMap::new(),
            aliases: HashMap::new(),
            seen: HashSet::new(),
            roots: Vec::new(),
            logs: Vec::new(),
            polled: Polled::default(),
            last_statement: 0,
            last_said: None,
            spoken: HashSet::new(),
            taken: HashSet::new(),
            done: 0,
            held: 0,
            claims: 0,
            bounds: (ROOM, CLAIMS_LIMIT),
            full: false,
            cut: None,
        }
    }

    /// The same with less room, and fewer claims.
    #[cfg(test)]
    pub(super) fn within(self, room: usize, claims: usize) -> Self {
        Self { bounds: (room, claims), ..self }
    }

    /// Whether `room` more bytes may be held for what began at `began`. What may not be is counted, and so is all that
    /// comes behind it.
    fn takes(&mut self, room: usize, began: Position) -> bool {
        self.full |= self.held + room > self.bounds.0;
        if self.full {
            self.timeline.counts.over_limits += 1;
            self.cut = Some(self.cut.map_or(began, |cut| cut.min(began)));
        } else {
            self.held += room;
        }
        !self.full
    }

    /// A limit of a format's own was met: nothing behind it is kept.
    pub fn over_limits(&mut self) {
        self.full = true;
        self.takes(0, self.clock);
    }

    /// Adds a file by the name under which it may be shown.
    pub fn file(&mut self, shown: &str) -> u32 {
        self.timeline.files.push(shown.to_owned());
        self.timeline.files.len() as u32 - 1
    }

    /// Whether a record of this id was read before; remembers it.
    pub fn is_repeated(&mut self, id: &str) -> bool {
        let id = key(id);
        // Far apart repeats are let by rather than remembered without end.
        let repeated = if self.seen.len() < SEEN_LIMIT { !self.seen.insert(id) } else { self.seen.contains(&id) };
        self.timeline.counts.duplicates += u64::from(repeated);
        repeated
    }

    /// A recorded working directory: paths below it are relative, names of homes in it are private.
    pub fn working_directory(&mut self, path: &str) {
        let root = path.trim_end_matches(['/', '\\']);
        if root.is_empty() || path.len() > 4096 || self.roots.len() >= 16 || self.roots.iter().any(|known| known == root) {
            return;
        }
        self.roots.push(root.to_owned());
        let mut names = root.split(['/', '\\']);
        while let Some(name) = names.next() {
            if matches!(name.to_ascii_lowercase().as_str(), "home" | "users")
                && let Some(user) = names.next()
                && user.len() >= 2
            {
                self.timeline.private.push(user.to_owned());
            }
        }
    }

    /// A user's turn, which parts what was said before from what is said after. What the user says to have done, or ran in
    /// a shell beside the agent's, may have landed anything.
    pub fn turn(&mut self, words: &str, place: Place, at: Option<i64>) {
        self.last_said = None;
        if claims::is_done_by_user(words) {
            self.elsewhere(place, at);
        }
    }

    fn tick(&mut self, at: Option<i64>) -> Position {
        if let Some(at) = at {
            self.timeline.started = Some(self.timeline.started.map_or(at, |started| started.min(at)));
            self.timeline.ended = Some(self.timeline.ended.map_or(at, |ended| ended.max(at)));
        }
        self.clock += 1;
        match at {
            Some(at) if self.by_time => ((at.max(0) as u64) << 20) | (self.clock & 0xF_FFFF),
            _ => self.clock,
        }
    }

    /// A time of a record that is otherwise of no weight.
    pub fn time(&mut self, at: Option<i64>) {
        self.tick(at);
    }

    /// A command was called.
    pub fn call(&mut self, id: &str, text: &str, place: Place, at: Option<i64>) {
        let id = key(id);
        let began = self.tick(at);
        if self.calls.contains_key(&id) {
            return;
        }
        self.timeline.counts.commands += 1;
        self.last_said = None;
        if self.full {
            self.takes(0, began);
            return;
        }
        self.timeline.counts.over_limits += u64::from(text.len() > shell::lex::TEXT_LIMIT);
        let shell = shell::analyse(text);
        for (path, kind) in patched_paths(text) {
            self.touch(&path, kind, place, at);
        }
        let command = Command {
            number: self.timeline.counts.commands,
            began,
            ended: None,
            call: place,
            place,
            times: (at, None),
            outcome: Outcome::Unknown,
            shell,
            facts: Facts::default(),
        };
        if self.takes(room_of(&command), began) {
            self.calls.insert(id, Call::Waiting(Box::new(command)));
        }
    }

    /// Somebody else was sent to work: a sub-agent, or a tool whose work is not recorded here. It may have done anything.
    pub fn elsewhere(&mut self, place: Place, at: Option<i64>) {
        let began = self.tick(at);
        let ended = Some(self.tick(at));
        let shell = Analysis { elsewhere: true, replays: true, writes: Writes::Maybe, ..Analysis::default() };
        let command = Command {
            number: self.timeline.counts.commands,
            began,
            ended,
            call: place,
            place,
            times: (at, at),
            outcome: Outcome::OkNoCode,
            shell,
            facts: Facts::default(),
        };
        if let Some(Event::Command(last)) = self.timeline.events.last_mut()
            && last.shell == command.shell
            && !self.full
        {
            last.began = began;
            last.ended = ended;
            return;
        }
        if self.takes(room_of(&command), began) {
            self.timeline.events.push(Event::Command(Box::new(command)));
        }
    }

    /// Results for `alias` are results of the call `id`, or of the call that `id` is itself an alias of: a poll names the
    /// session of the command that it looks at once more.
    pub fn alias(&mut self, alias: &str, id: &str) {
        if self.aliases.len() < CALLS_LIMIT {
            let id = key(id);
            self.aliases.insert(key(alias), self.aliases.get(&id).copied().unwrap_or(id));
        }
    }

    /// Results for `alias` are results of the call that `name` stands for, if it stands for one.
    pub fn alias_of_alias(&mut self, alias: &str, name: &str) {
        if let Some(&id) = self.aliases.get(&key(name))
            && self.aliases.len() < CALLS_LIMIT
        {
            self.aliases.insert(key(alias), id);
        }
    }

    /// Whether what `id` printed may settle something. Most outputs are of tools and commands that only look.
    pub fn needs_output(&self, id: &str) -> bool {
        let id = key(id);
        match self.calls.get(self.aliases.get(&id).unwrap_or(&id)) {
            Some(Call::Waiting(command)) => {
                let shell = &command.shell;
                let looks = shell.reads_only && shell.outputs.is_empty() && shell.writes.max(shell.writes_after) == Writes::No;
                !looks || self.logs.iter().any(|log| shell.names.contains(&log.name))
            }
            Some(Call::Done(index)) => index.is_some(),
            Some(Call::Edits(_)) => true,
            None => false,
        }
    }

    /// A result of a command was recorded. A second one adds what the first left open.
    pub fn result(&mut self, id: &str, outcome: Outcome, output: &str, place: Place, at: Option<i64>) {
        let ended = self.tick(at);
        let id = key(id);
        let id = self.aliases.get(&id).copied().unwrap_or(id);
        match self.calls.get_mut(&id) {
            Some(Call::Waiting(_)) => {
                let Some(Call::Waiting(mut command)) = self.calls.insert(id, Call::Done(None)) else { return };
                self.held -= room_of(&command);
                self.done += 1;
                command.outcome = outcome;
                command.ended = Some(ended);
                command.place = place;
                command.times.1 = at;
                command.facts = facts(&command.shell, output);
                if command.shell.background && outcome.succeeded() {
                    command.outcome = Outcome::Running;
                }
                if command.shell.reads_only {
                    self.read_log(&command.shell, output, (ended, place, at));
                }
                let runs = command.outcome == Outcome::Running;
                let index = self.keep(command);
                self.calls.insert(id, Call::Done(index));
                if let Some(index) = index {
                    if runs {
                        self.polled.begin(id, output);
                    }
                    own_file(output).into_iter().for_each(|name| self.log(name.to_owned(), index, true));
                }
                if self.done > CALLS_LIMIT {
                    self.done = 0;
                    self.calls.retain(|_, call| !matches!(call, Call::Done(_)));
                }
            }
            Some(Call::Done(Some(index))) => {
                let index = *index;
                let (index, shown_before) = self.followed(index);
                self.calls.insert(id, Call::Done(Some(index)));
                let whole = self.polled.more(id, output);
                if let Some(Event::Command(command)) = self.timeline.events.get_mut(index as usize) {
                    let running = command.outcome == Outcome::Running;
                    let open = running || command.outcome == Outcome::Unknown;
                    if open || matches!(outcome, Outcome::Exit(_)) && !matches!(command.outcome, Outcome::Exit(_)) {
                        command.outcome = outcome;
                    }
                    if open {
                        command.ended = Some(ended);
                        command.place = place;
                        command.times.1 = at;
                    }
                    if command.outcome != Outcome::Running {
                        self.polled.end(id);
                    }
                    let known = &mut command.facts;
                    match whole {
                        // All that was shown so far is one output.
                        Some(whole) => {
                            *known = facts(&command.shell, &whole);
                            let mut seen = HashSet::new();
                            known.commits.made.retain(|line| seen.insert(line.hash.clone()));
                            known.commits.made.drain(..shown_before.min(known.commits.made.len()));
                        }
                        None => fill(known, facts(&command.shell, output), open),
                    }
                }
            }
            _ => {}
        }
    }

    /// Puts a command into the timeline if it settles something.
    fn keep(&mut self, command: Box<Command>) -> Option<u32> {
        let shell = &command.shell;
        let lands = shell.commit.is_some()
            || shell.push.is_some()
            || shell.release.is_some()
            || shell.reset.is_some()
            || shell.replays
            || shell.keeps_head;
        let checks = shell.test.is_some() || shell.build.is_some();
        let shows = command.facts.summary.is_some() || !command.facts.commits.made.is_empty() || command.facts.pushes.updated;
        let written = shell.writes.max(shell.writes_after) != Writes::No;
        let runs_on = command.outcome == Outcome::Running && !shell.reads_only;
        let keeps = shell.outputs.iter().any(|output| shell::is_patch(output));
        if !(lands || checks || shows || written || runs_on || keeps) {
            return None;
        }
        let index = self.timeline.events.len() as u32;
        if checks || !shell.reads_only {
            for output in shell.outputs.clone() {
                self.log(output, index, false);
            }
        }
        let plain =
            !lands && !checks && !shows && shell.outputs.is_empty() && shell.removes.is_empty() && command.outcome != Outcome::Running;
        if plain {
            self.write(&command);
            return None;
        }
        if !self.takes(room_of(&command), command.began) {
            return None;
        }
        self.timeline.events.push(Event::Command(command));
        Some(index)
    }

    /// A command that is of interest only because it writes. Of writes in a row only the last one matters.
    fn write(&mut self, command: &Command) {
        let plain = command.shell.writes.max(command.shell.writes_after) == Writes::Yes;
        let (began, at) = (command.began, command.times.0);
        if command.outcome == Outcome::NotRun {
            return;
        }
        let write = PlainWrite { began, at, plain };
        // Nothing is kept behind a limit, not even in place of something.
        if let Some(Event::Write(last)) = self.timeline.events.last_mut()
            && last.plain <= plain
            && !self.full
        {
            *last = write;
        } else if self.takes(size_of::<Event>(), began) {
            self.timeline.events.push(Event::Write(write));
        }
    }

    /// The name of a file with what a run prints. `own`: all of it, by the tool that ran it.
    fn log(&mut self, name: String, index: u32, own: bool) {
        if self.logs.len() >= LOGS_LIMIT {
            self.logs.remove(0);
        }
        self.logs.push(Log { name, index, own });
    }

    /// The tool writes what the task `task` of the call `id` prints into a file of that name.
    pub fn task_file(&mut self, id: &str, task: &str) {
        if let Some(Call::Done(Some(index))) = self.calls.get(&key(id))
            && task.len() <= PATH_LIMIT
        {
            let index = *index;
            self.log(format!("{task}.output"), index, true);
        }
    }

    /// Whether a file of this name holds what a run printed.
    pub fn is_log(&self, path: &str) -> bool {
        self.logs.iter().any(|log| log.name == shell::program::base(path))
    }

    /// A command that reads a log of a run reads the run's output.
    fn read_log(&mut self, shell: &Analysis, output: &str, (ended, place, at): (Position, Place, Option<i64>)) {
        let Some(log) = self.logs.iter().rev().find(|log| shell.names.contains(&log.name)) else { return };
        let (index, own) = (log.index, log.own);
        let Some(Event::Command(run)) = self.timeline.events.get(index as usize) else { return };
        // A preview in the run's own result is less than its file.
        if run.facts.summary.is_some() && !own {
            return;
        }
        let runner = run.shell.test.as_ref().map_or("", |check| check.name);
        let Some(found) = summary::of_runner(output, !shell.reads_part, runner) else { return };
        let (index, _) = self.followed(index);
        if let Some(Event::Command(run)) = self.timeline.events.get_mut(index as usize) {
            run.facts.summary = Some(found);
            run.facts.own_file = own;
            run.ended = Some(ended);
            run.place = place;
            run.times.1 = at;
        }
    }

    /// Where more is to be noted of the command `index`. Claims that were made since its last result must go on to see it
    /// as it was shown to be: they keep the event, and what follows gets one of its own. With how many commits stay there.
    fn followed(&mut self, index: u32) -> (u32, usize) {
        let Some(Event::Command(command)) = self.timeline.events.get(index as usize) else { return (index, 0) };
        if command.ended.is_none_or(|ended| self.last_statement <= ended) {
            return (index, 0);
        }
        let mut command = command.clone();
        let shown = command.facts.commits.made.len();
        // What it landed stays where it was shown.
        let runs = command.outcome == Outcome::Running;
        let shell = &mut command.shell;
        shell.commit.take_if(|_| shown > 0 || !runs);
        shell.push.take_if(|_| command.facts.pushes.updated || !runs);
        shell.release.take_if(|_| !runs);
        shell.reset.take_if(|_| !runs);
        shell.replays &= runs;
        shell.keeps_head = false;
        command.facts.commits = git_output::Commits::default();
        command.facts.pushes = git_output::Pushes::default();
        if !self.takes(room_of(&command), command.began) {
            return (index, 0);
        }
        let next = self.timeline.events.len() as u32;
        self.timeline.events.push(Event::Command(command));
        self.logs.iter_mut().filter(|log| log.index == index).for_each(|log| log.index = next);
        (next, shown)
    }

    /// An edit was called; it counts once its result says that it was made.
    pub fn edit(&mut self, id: &str, path: &str, kind: TouchKind, place: Place, at: Option<i64>) {
        let began = self.tick(at);
        let touch = Touch { began, place, at, path: self.relative(path), kind };
        self.last_said = None;
        if !self.takes(room_of_touch(&touch), began) {
            return;
        }
        match self.calls.entry(key(id)).or_insert_with(|| Call::Edits(Vec::new())) {
            Call::Edits(edits) if edits.len() < EDITS_LIMIT => edits.push(touch),
            call => {
                self.held -= room_of_touch(&touch);
                self.timeline.counts.over_limits += u64::from(matches!(call, Call::Edits(_)));
            }
        }
    }

    /// Edits of a patch text were called.
    pub fn patch(&mut self, id: &str, text: &str, place: Place, at: Option<i64>) {
        for (path, kind) in patched_paths(text) {
            self.edit(id, &path, kind, place, at);
        }
    }

    /// The edits of `id` were made, or not.
    pub fn edited(&mut self, id: &str, made: bool) {
        let id = key(id);
        if let Some(Call::Edits(edits)) = self.calls.get_mut(&id) {
            let edits = std::mem::take(edits);
            if made {
                self.timeline.events.extend(edits.into_iter().map(Event::Touch));
            } else {
                self.held -= edits.iter().map(room_of_touch).sum::<usize>();
            }
            self.calls.insert(id, Call::Done(None));
            self.done += 1;
        }
    }

    /// Whether `id` is a call of an edit that waits for its result.
    pub fn is_edit(&self, id: &str) -> bool {
        matches!(self.calls.get(&key(id)), Some(Call::Edits(_)))
    }

    /// A file was touched.
    pub fn touch(&mut self, path: &str, kind: TouchKind, place: Place, at: Option<i64>) {
        let began = self.tick(at);
        self.last_said = None;
        let touch = Touch { began, place, at, path: self.relative(path), kind };
        if self.takes(room_of_touch(&touch), began) {
            self.timeline.events.push(Event::Touch(touch));
        }
    }

    /// The main session said something. Formats repeat a text in several records: once is enough.
    pub fn say(&mut self, said: Said<'_>) {
        let began = self.tick(said.at);
        let digest = key(said.text.trim());
        if said.text.trim().is_empty() || self.last_said == Some(digest) {
            return;
        }
        self.last_said = Some(digest);
        self.timeline.counts.texts += 1;
        // What can not be kept is not read: a flood costs no more than its reading.
        if self.full {
            self.takes(0, began);
            return;
        }
        let found = claims::find(said.text);
        self.timeline.counts.over_limits += u64::from(found.cut);
        if found.claims.is_empty() {
            return;
        }
        self.claims += found.claims.len();
        self.full |= self.claims > self.bounds.1;
        if self.takes(size_of::<Event>() + room_of_said(&found.claims, &found.names), began) {
            self.last_statement = self.last_statement.max(began);
            self.spoken.extend((said.message != 0).then_some(said.message));
            self.timeline.events.push(Event::Statement(Statement {
                began,
                place: said.place,
                at: said.at,
                claims: found.claims,
                names_failure: found.names_failure,
                names_skips: found.names_skips,
                names: found.names,
                message: said.message,
            }));
        }
    }

    /// Takes back what a message said. What its tools did was done.
    pub fn take_back(&mut self, message: u64) {
        self.last_said = None;
        if self.spoken.contains(&message) {
            self.taken.insert(message);
        }
    }

    fn relative(&self, path: &str) -> String {
        let below = self
            .roots
            .iter()
            .filter_map(|root| path.strip_prefix(root.as_str())?.strip_prefix(['/', '\\']))
            .min_by_key(|below| below.len());
        let shown = match below {
            Some(below) => below,
            // What leads out of the folder may lead anywhere.
            None if path.split(['/', '\\']).any(|name| name == "..") => shell::program::base(path),
            None if path.starts_with(['/', '\\', '~']) || path.get(1..2) == Some(":") => shell::program::base(path),
            None => path.strip_prefix("./").unwrap_or(path),
        };
        let mut end = shown.len().min(PATH_LIMIT);
        while !shown.is_char_boundary(end) {
            end -= 1;
        }
        shown[..end].replace('\\', "/")
    }

    /// The timeline; calls without a result are in it as such.
    pub fn finish(mut self) -> Timeline {
        let waiting: Vec<Box<Command>> =
            self.calls.into_values().filter_map(|call| if let Call::Waiting(command) = call { Some(command) } else { None }).collect();
        self.timeline.events.extend(waiting.into_iter().map(Event::Command));
        let taken = self.taken;
        self.timeline.events.retain(|event| !matches!(event, Event::Statement(statement) if taken.contains(&statement.message)));
        // Files overlap in time: a claim may stand before a limit was met and behind what was left out.
        if let Some(cut) = self.cut {
            let before = self.timeline.events.len();
            self.timeline.events.retain(|event| !matches!(event, Event::Statement(statement) if statement.began > cut));
            self.timeline.counts.over_limits += (before - self.timeline.events.len()) as u64;
        }
        self.timeline.events.sort_by_key(Event::began);
        self.timeline
    }
}
