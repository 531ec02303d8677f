//! What is known of a command line: its validation, commit and push, what it writes and names.

use super::Status;

/// A validation that a command line starts: a test run or a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The runner's or builder's name, from the tables.
    pub name: &'static str,
    /// Whether its arguments choose a part of what could be checked.
    pub subset: bool,
    /// What its arguments choose, in lower case, where that is one thing: a folder, a file, a name.
    pub target: Option<String>,
    /// Of a build, its words and the variables that it is given, in lower case: what it asks for.
    pub asked: Option<String>,
    /// Whose status the command's is.
    pub status: Status,
    /// Its output goes into a file or nowhere.
    pub silent: bool,
    /// Its output is cut or filtered before it is seen.
    pub filter: Filter,
    /// A test run of the same line runs only if this one succeeded.
    pub leads_to_tests: bool,
    /// Something follows on the same line that may fail by itself.
    pub leads: bool,
    /// A digest of its words and its folder, so that two runs of the same thing can be told.
    pub key: u64,
}

/// What stands between a check's output and the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// Nothing that hides a failure: nothing at all, or something that keeps the end.
    #[default]
    Open,
    /// Only the beginning is kept.
    Head,
    /// Only lines of a pattern that failures may not match.
    Chosen,
}

/// `git commit`, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommitFlags {
    /// `--amend`
    pub amend: bool,
    /// `--allow-empty`
    pub allow_empty: bool,
    /// `-q`: a success prints nothing.
    pub quiet: bool,
    /// Its output is hidden, by a pipe that cuts or a file that takes it.
    pub hidden_output: bool,
    /// Whose status the command's is.
    pub status: Status,
    /// Everything was staged: `-a`, `add -A`, `add .`.
    pub broad: bool,
    /// The first line of its message, in lower case, where the line has it.
    pub subject: String,
    /// Part of the line that it is.
    pub part: u8,
    /// A digest of the folder that the line goes to for it; 0 where it goes nowhere.
    pub folder: u64,
}

/// `git push`, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PushFlags {
    /// `--force` and its kin.
    pub force: bool,
    /// Nothing but the push and harmless parts could have failed.
    pub alone: bool,
    /// It does not start unless a commit of the same line succeeds.
    pub behind_commit: bool,
    /// Whose status the command's is.
    pub status: Status,
}

/// How plainly a command line writes into the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Writes {
    /// It does not.
    #[default]
    No,
    /// It may.
    Maybe,
    /// It plainly does.
    Yes,
}

/// A command line, understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The last test run of the line.
    pub test: Option<Check>,
    /// The last build of the line.
    pub build: Option<Check>,
    /// The last commit of the line.
    pub commit: Option<CommitFlags>,
    /// The last push of the line.
    pub push: Option<PushFlags>,
    /// The last release command of the line, and whose status it has.
    pub release: Option<(&'static str, Status)>,
    /// A branch is moved back: how many commits, where the line says so.
    pub reset: Option<Option<u32>>,
    /// The folder of that, as in [`CommitFlags::folder`].
    pub reset_folder: u64,
    /// It is moved to what this branch has elsewhere, and the line does nothing else.
    pub resets_to_remote: Option<String>,
    /// A branch, a tag or a working tree is made: it keeps what HEAD has, wherever HEAD goes.
    pub keeps_head: bool,
    /// Commits may appear by another name: merge, rebase, cherry-pick, revert, pull.
    pub replays: bool,
    /// A script, a target or an alias that may land work: what it does is not in the record. Then it
    /// [`replays`](Self::replays) as well.
    pub unseen: bool,
    /// Something that may push or release without a word of git's.
    pub sends: bool,
    /// Somebody else was sent to work whose record is not here: a sub-agent, a tool of another kind.
    pub elsewhere: bool,
    /// `git status` is among its parts.
    pub shows_status: bool,
    /// Parts only read or print: what they print is no run.
    pub reads_only: bool,
    /// A part shows some lines of a file, and not its end.
    pub reads_part: bool,
    /// Writes before or beside the last check of the line, or anywhere where it has none.
    pub writes: Writes,
    /// Writes behind the last check of the line.
    pub writes_after: Writes,
    /// It goes to the background.
    pub background: bool,
    /// Files named: arguments and targets of redirections, by their last name.
    pub names: Vec<String>,
    /// Files that outputs are written to, by their last name.
    pub outputs: Vec<String>,
    /// Test files that are deleted, by their last name.
    pub removes: Vec<String>,
    /// What an `echo` prints before the status of a check: `exit=$?`.
    pub echoes_status: Option<String>,
}
