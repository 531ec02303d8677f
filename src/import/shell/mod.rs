//! What a command line is for, and whether its exit status is its own.
//!
//! A shell reports the status of the last part. What feeds a pipe, is followed by `;` or `||`, or sits
//! in a substitution is *masked*: its status says nothing. Nothing here runs anything.

mod analysis;
mod chain;
pub mod lex;
mod masked;
pub mod program;
pub(crate) mod runners;
mod scope;
mod unseen;
mod words;

pub use analysis::{Analysis, Check, CommitFlags, Filter, PushFlags, Writes};
use chain::{echoed, leads, leads_to, leads_to_tests, next_link};
use lex::{Joint, Part, split};
pub use masked::Status;
use program::{Act, act, base, program};

const NAMES_LIMIT: usize = 32;
const NAME_LENGTH: usize = 200;

/// Understands `text`.
pub fn analyse(text: &str) -> Analysis {
    let mut analysis = Analysis { reads_only: true, ..Analysis::default() };
    let found = split(text);
    let statuses = masked::statuses(&found.parts, found.uncertain);
    let parts: Vec<(Part, Status)> = nested(found.parts, statuses, 0);
    let acts: Vec<Act> = parts.iter().map(|(part, _)| act(program(&part.words))).collect();
    let mut broad = false;
    let mut folder = 0;
    for (index, ((part, status), act)) in parts.iter().zip(&acts).enumerate() {
        name_files(part, &mut analysis);
        let words = program(&part.words);
        let args: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        if !matches!(act, Act::Shell | Act::Read) {
            analysis.reads_only = false;
        }
        let mut writes = match act {
            Act::Edit => Writes::Yes,
            Act::Remove | Act::Other | Act::Replay | Act::Reset | Act::Build(_) | Act::Release(_) => Writes::Maybe,
            _ => Writes::No,
        };
        if *act == Act::Edit
            && base(&words[0]) == "tee"
            && !matches!(args.iter().rev().find(|arg| !arg.starts_with('-')), Some(file) if is_source(file))
        {
            writes = Writes::No;
        }
        if part.outputs.iter().any(|file| is_source(file)) {
            writes = Writes::Yes;
        }
        if part.here && *act == Act::Other {
            // A script in a here-document, most often one that edits.
            writes = Writes::Yes;
        }
        if let Some(target) = folder_of(words, &args) {
            folder = target;
        }
        let here = folder_of_git(words, &args).unwrap_or(folder);
        let unseen = unseen::of(words, &args, *act);
        analysis.unseen |= unseen.commits || unseen.sends;
        // What may land work is no mere look: whether it ended well counts.
        analysis.reads_only &= !(unseen.commits || unseen.sends);
        analysis.replays |= unseen.commits || unseen.sends;
        analysis.sends |= unseen.sends;
        match act {
            Act::Test { .. } | Act::Build(_) => {
                let (name, subset) = match act {
                    Act::Test { runner, subset } => (*runner, *subset),
                    Act::Build(name) => (*name, false),
                    _ => unreachable!("matched above"),
                };
                let check = Check {
                    name,
                    subset,
                    target: scope::target(words),
                    asked: matches!(act, Act::Build(_)).then(|| scope::asked(&part.words)).flatten(),
                    status: *status,
                    silent: !part.outputs.is_empty(),
                    filter: filter_behind(&parts, index),
                    leads_to_tests: leads_to_tests(&parts, &acts, index),
                    leads: leads(&parts, &acts, index),
                    key: digest(words) ^ here.rotate_left(17) ^ surroundings(&part.words).rotate_left(31),
                };
                analysis.echoes_status = echoed(&parts, index);
                analysis.writes = analysis.writes.max(analysis.writes_after);
                analysis.writes_after = Writes::No;
                if matches!(act, Act::Test { .. }) {
                    if runners::packages(words) {
                        analysis.build = Some(check.clone());
                    }
                    analysis.test = Some(check);
                } else {
                    analysis.build = Some(check);
                    // A build writes its products, which no run depends on by being newer.
                    writes = Writes::No;
                }
            }
            Act::Commit => {
                let has = |short: char, long: &str| args.iter().any(|arg| *arg == long || is_short(arg, short));
                analysis.commit = Some(CommitFlags {
                    amend: args.contains(&"--amend"),
                    allow_empty: args.contains(&"--allow-empty"),
                    quiet: has('q', "--quiet"),
                    hidden_output: !part.outputs.is_empty() || filter_behind(&parts, index) != Filter::Open || part.joint == Joint::Pipe,
                    status: *status,
                    broad: broad || has('a', "--all"),
                    subject: subject(&args),
                    part: index.min(255) as u8,
                    folder: here,
                });
            }
            Act::Push => {
                let alone = acts.iter().enumerate().all(|(other, act)| other == index || matches!(act, Act::Shell | Act::Read));
                let force = args.iter().any(|arg| arg.starts_with("--force") || *arg == "-f" || arg.starts_with('+'));
                let behind_commit = (0..index).any(|commit| acts[commit] == Act::Commit && leads_to(&parts, commit, index));
                analysis.push = Some(PushFlags { force, alone, status: *status, behind_commit });
                // Platforms that build and start what they are sent.
                if args.iter().any(|arg| matches!(*arg, "heroku" | "dokku" | "piku")) {
                    analysis.release = Some(("git push", *status));
                }
            }
            Act::Release(name) => analysis.release = Some((name, *status)),
            Act::Reset => {
                let back = args.iter().find_map(|arg| commits_back(arg));
                analysis.reset = Some(back);
                analysis.reset_folder = here;
                // Through a wrapper, beside a checkout or behind a condition it may be another tree, or none.
                let plain = |(part, _): &(Part, Status)| part.words.first().is_some_and(|word| word == "git") && git_looks(&part.words);
                let only = parts.iter().all(plain) && part.words.get(1).is_some_and(|word| word == "reset");
                analysis.resets_to_remote = args.iter().find_map(|arg| arg.strip_prefix("origin/")).filter(|_| only).map(str::to_owned);
            }
            Act::Replay => analysis.replays = true,
            Act::Other if words.first().is_some_and(|word| base(word) == "git") => {
                let (command, rest) = program::git_command(&args);
                analysis.keeps_head |= keeps_head(command, rest);
            }
            // Other tools make commits too.
            Act::Other
                if words.iter().any(|word| word.contains("commit"))
                    || matches!(base(&words[0]), "gt" | "jj" | "sl" | "hg" | "svn" | "fossil" | "lazygit" | "git-cz") =>
            {
                analysis.replays = true;
            }
            Act::Remove => {
                analysis.removes.extend(args.iter().filter(|arg| !arg.starts_with('-')).map(|arg| base(arg).to_owned()).take(NAMES_LIMIT));
            }
            Act::Read if words.first().is_some_and(|word| base(word) == "git") => {
                let git: Vec<&str> = args.clone();
                let (command, rest) = program::git_command(&git);
                analysis.shows_status |= command == "status";
                analysis.keeps_head |= keeps_head(command, rest);
                if command == "add" {
                    broad = rest.iter().any(|arg| matches!(*arg, "-A" | "--all" | "." | "-u" | "--update" | ":/" | "*"));
                }
            }
            Act::Read if words.first().is_some_and(|word| PARTIAL.contains(&base(word))) => analysis.reads_part = true,
            _ => {}
        }
        if part.joint == Joint::Background {
            analysis.background = true;
        }
        if analysis.test.is_some() || analysis.build.is_some() {
            analysis.writes_after = analysis.writes_after.max(writes);
        } else {
            analysis.writes = analysis.writes.max(writes);
        }
    }
    analysis
}

/// `bash -c "…"` and the like are read as the line that they hold.
fn nested(parts: Vec<Part>, statuses: Vec<Status>, depth: usize) -> Vec<(Part, Status)> {
    let mut all = Vec::new();
    for (part, status) in parts.into_iter().zip(statuses) {
        let words = program(&part.words);
        let shell = words.first().is_some_and(|word| matches!(base(word), "bash" | "sh" | "zsh" | "dash" | "fish" | "nix-shell" | "wsl"));
        let inner =
            words.iter().position(|word| matches!(word.as_str(), "-c" | "-lc" | "-ic" | "-lic" | "-xc" | "-ec" | "-euc" | "--run" | "-cl"));
        match inner.and_then(|at| words.get(at + 1)) {
            Some(text) if shell && depth < 3 => {
                let found = split(text);
                let inside = masked::statuses(&found.parts, found.uncertain);
                let inside = inside.into_iter().map(|inner| inner.within(status)).collect();
                let last = all.len();
                all.extend(nested(found.parts, inside, depth + 1));
                if let Some((end, _)) = all.get_mut(last..).and_then(<[_]>::last_mut) {
                    end.joint = part.joint;
                }
            }
            _ => all.push((part, status)),
        }
        if all.len() > 600 {
            break;
        }
    }
    all
}

fn name_files(part: &Part, analysis: &mut Analysis) {
    for output in &part.outputs {
        if analysis.outputs.len() < NAMES_LIMIT && output.len() <= NAME_LENGTH && !output.starts_with("/dev/") {
            analysis.outputs.push(base(output).to_owned());
        }
    }
    for word in part.words.iter().skip(1).chain(&part.outputs) {
        let word = word.rsplit(['=', ':']).next().unwrap_or(word);
        if analysis.names.len() < NAMES_LIMIT && word.len() <= NAME_LENGTH && word.contains('.') {
            analysis.names.push(base(word).to_owned());
        }
    }
}

/// Whether a file of this name keeps work that was not committed.
pub fn is_patch(file: &str) -> bool {
    [".patch", ".diff", ".bundle"].iter().any(|end| file.ends_with(end))
}

/// Whether a name is that of a file that work depends on, rather than of a log or a note.
pub fn is_source(file: &str) -> bool {
    let outside = file.starts_with("/tmp/")
        || file.starts_with("/dev/")
        || file.starts_with("/var/")
        || file.contains("$TMP")
        || file.contains("/dev/");
    !outside
        && !is_document(file)
        && base(file).rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty()
                && !matches!(
                    ending,
                    "log" | "out" | "txt" | "xml" | "jsonl" | "tap" | "err" | "tmp" | "csv" | "pid" | "diff" | "patch" | "html" | "json"
                )
        })
}

/// Documentation does not make results of code stale.
pub fn is_document(path: &str) -> bool {
    let name = base(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    matches!(ending.as_str(), "md" | "txt" | "rst" | "adoc" | "markdown" | "mdx")
        || matches!(name, "LICENSE" | "NOTICE" | "AUTHORS" | "CHANGELOG" | "README")
}

fn is_short(arg: &str, letter: char) -> bool {
    arg.strip_prefix('-').is_some_and(|letters| {
        // `-am message` holds a; in `-ma` the a is the message.
        !letters.starts_with('-') && letters.chars().take_while(|each| !matches!(each, 'm' | 'F' | 'C' | 'c')).any(|each| each == letter)
    })
}

/// Whether a call of git is one beside which a reset is of the tree and the branch that the session is on.
fn git_looks(words: &[String]) -> bool {
    words.get(1).is_some_and(|word| matches!(word.as_str(), "reset" | "fetch" | "status" | "log" | "diff"))
}

/// The most bytes of a commit's subject that are kept.
const SUBJECT_LIMIT: usize = 200;

/// The first line behind `-m`, `-am`, `--message` of a commit.
fn subject(args: &[&str]) -> String {
    let short = |arg: &str| arg.starts_with('-') && !arg.starts_with("--") && arg.ends_with('m');
    let behind = args.windows(2).find(|two| two[0] == "--message" || short(two[0])).map(|two| two[1]);
    let message = behind.or_else(|| args.iter().find_map(|arg| arg.strip_prefix("--message=")));
    let line = message.and_then(|message| message.lines().next()).unwrap_or_default().trim();
    if line.len() > SUBJECT_LIMIT { String::new() } else { line.to_lowercase() }
}

fn commits_back(arg: &str) -> Option<u32> {
    let rest = arg.strip_prefix("HEAD")?;
    if let Some(count) = rest.strip_prefix('~') {
        return if count.is_empty() { Some(1) } else { count.parse().ok() };
    }
    (!rest.is_empty() && rest.bytes().all(|byte| byte == b'^')).then_some(rest.len() as u32)
}

fn digest(words: &[String]) -> u64 {
    // FNV-1a: no defence is needed, only equality within one session.
    words
        .iter()
        .flat_map(|word| word.bytes().chain([0]))
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The variables that a run is given: they may make another run of it. Those that only colour it do not.
fn surroundings(words: &[String]) -> u64 {
    const HARMLESS: [&str; 10] = [
        "RUST_BACKTRACE",
        "RUST_LOG",
        "NO_COLOR",
        "FORCE_COLOR",
        "CARGO_TERM_COLOR",
        "TERM",
        "CI",
        "COLUMNS",
        "PYTHONUNBUFFERED",
        "NODE_ENV",
    ];
    let given = words.iter().take_while(|word| program::is_assignment(word));
    let given: Vec<String> = given.filter(|word| !HARMLESS.contains(&word.split('=').next().unwrap_or_default())).cloned().collect();
    if given.is_empty() { 0 } else { digest(&given) }
}

/// Whether a command of git makes a ref, which goes on holding what HEAD holds now.
fn keeps_head(command: &str, rest: &[&str]) -> bool {
    let names = rest.iter().any(|arg| !arg.starts_with('-'));
    let deletes_or_lists = rest.iter().any(|arg| {
        matches!(
            *arg,
            "-d" | "-D" | "--delete" | "-l" | "--list" | "-a" | "-r" | "-v" | "-vv" | "--show-current" | "--contains" | "--merged"
        )
    });
    match command {
        "branch" | "tag" => names && !deletes_or_lists,
        "checkout" => rest.iter().any(|arg| matches!(*arg, "-b" | "-B")),
        "switch" => rest.iter().any(|arg| matches!(*arg, "-c" | "-C" | "--create")),
        "worktree" => rest.first() == Some(&"add"),
        "update-ref" | "bundle" | "format-patch" => names,
        _ => false,
    }
}

/// Readers that show a part of a file, and not its end.
const PARTIAL: [&str; 11] = ["head", "sed", "gsed", "awk", "gawk", "cut", "grep", "egrep", "fgrep", "rg", "ag"];

/// The folder that `cd` and its kin go to.
fn folder_of(words: &[String], args: &[&str]) -> Option<u64> {
    let goes = matches!(words.first().map(|word| base(word)), Some("cd" | "pushd"));
    goes.then(|| args.iter().find(|arg| !arg.starts_with('-')).map_or(0, |target| digest(&[(*target).to_owned()])))
}

/// The folder of `git -C folder`, `make -C folder` and the like.
fn folder_of_git(words: &[String], args: &[&str]) -> Option<u64> {
    let takes =
        matches!(words.first().map(|word| base(word)), Some("git" | "make" | "gmake" | "ninja" | "pnpm" | "npm" | "yarn" | "cargo" | "go"));
    let named = |two: &[&str]| matches!(two[0], "-C" | "--git-dir" | "--directory" | "--manifest-path" | "--prefix" | "--cwd" | "--dir");
    takes.then(|| args.windows(2).find(|two| named(two)).map(|two| digest(&[two[1].to_owned()]))).flatten()
}

/// What the pipe behind part `index` does to its output.
fn filter_behind(parts: &[(Part, Status)], index: usize) -> Filter {
    let mut at = index;
    let mut filter = Filter::Open;
    while parts[at].0.joint == Joint::Pipe
        && let Some(next) = next_link(parts, at)
    {
        at = next;
        let words = program(&parts[at].0.words);
        let Some(first) = words.first() else { continue };
        match base(first) {
            "head" => return Filter::Head,
            "sed" | "awk" | "cut" | "jq" => filter = Filter::Chosen,
            "grep" | "egrep" | "rg" | "fgrep" | "ag" => {
                let inverted = words.iter().any(|word| is_short(word, 'v') || word == "--invert-match");
                let pattern = words.iter().skip(1).map(|word| word.to_ascii_lowercase()).collect::<Vec<_>>().join(" ");
                let shows_both = ["fail", "test result", "summary", "passed", "tests:", "examples", "failures", "error"]
                    .iter()
                    .any(|word| pattern.contains(word));
                if !inverted && !shows_both {
                    filter = Filter::Chosen;
                }
                if inverted && ["fail", "error"].iter().any(|word| pattern.contains(word)) {
                    filter = Filter::Chosen;
                }
                if pattern.contains("test result: ok") {
                    filter = Filter::Chosen;
                }
            }
            _ => {}
        }
    }
    filter
}

#[cfg(test)]
mod tests;
