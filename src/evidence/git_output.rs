//! What git prints: commits made, refs updated, and why something was not.

use super::any_of;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// A line `[branch hash] subject`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitLine {
    /// The branch; `None` on a detached HEAD.
    pub branch: Option<String>,
    /// The short hash, lower case.
    pub hash: String,
    /// `N files changed` below it, where that was printed.
    pub files_changed: Option<u32>,
}

/// What one output says about commits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commits {
    /// Every printed commit, in order.
    pub made: Vec<CommitLine>,
    /// Git, or a hook, said why there is no commit.
    pub refused: bool,
    /// Git found nothing to commit.
    pub nothing: bool,
    /// Git said that a merge was committed.
    pub merged: bool,
}

/// What one output says about pushes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pushes {
    /// A ref of the remote was updated.
    pub updated: bool,
    /// A ref was rewritten by force.
    pub forced: bool,
    /// The push was rejected or could not be made, and no ref was updated behind that.
    pub refused: bool,
    /// There was nothing to send.
    pub up_to_date: bool,
    /// The branches and tags that were updated, by their names at the remote.
    pub updated_refs: Vec<String>,
    /// The same of those that were rejected.
    pub refused_refs: Vec<String>,
    /// Where the last of it went or was to go, as git names it.
    pub remote: Option<String>,
}

/// The most names of refs that are kept of one output, on each side.
const REF_LIMIT: usize = 32;

const LINE_LIMIT: usize = 1000;
const COMMIT_LIMIT: usize = 64;

/// Reads commits out of `output`.
pub fn commits(output: &str) -> Commits {
    let mut found = Commits::default();
    let mut hook_passed = false;
    for line in super::terminal::shown(output).lines().filter(|line| line.len() <= LINE_LIMIT) {
        let line = line.trim_end();
        // A hook that is told to be verbose gives its name below a pass, too.
        let of_passed = std::mem::replace(&mut hook_passed, line.ends_with("Passed") || line.ends_with("Skipped"));
        if of_passed && line.starts_with("- hook id: ") {
            continue;
        }
        if let Some(commit) = commit_line(line) {
            if found.made.len() < COMMIT_LIMIT {
                found.made.push(commit);
            }
            found.refused = false;
            found.nothing = false;
            continue;
        }
        let trimmed = line.trim_start();
        if let Some(count) = files_changed(trimmed)
            && let Some(last) = found.made.last_mut()
            && last.files_changed.is_none()
        {
            last.files_changed = Some(count);
        }
        if let Some(message) = REFUSALS.find(trimmed) {
            found.nothing |= message.pattern().as_usize() < NOTHING.len();
            found.refused = true;
        } else if trimmed.starts_with("Merge made by ") {
            found.merged = true;
        }
    }
    found
}

const NOTHING: [&str; 5] = [
    "nothing to commit",
    "no changes added to commit",
    "nothing added to commit",
    "nothing changed, nothing to commit",
    "No changes to commit",
];

const REFUSED: [&str; 26] = [
    "index.lock",
    "Read-only file system",
    "Please tell me who you are",
    "unable to auto-detect email address",
    "Author identity unknown",
    "Aborting commit",
    "gpg failed to sign the data",
    "failed to write commit object",
    "cannot lock ref",
    "fatal: not a git repository",
    "error: pathspec",
    "Committing is not possible because you have unmerged files",
    "unresolved conflict",
    "- hook id: ",
    "husky - pre-commit",
    "husky - commit-msg",
    "pre-commit hook failed",
    "commit-msg hook",
    "pre-commit script failed",
    "hook exited with code",
    "hook declined",
    "Unable to commit",
    "insufficient permission for adding an object",
    "fatal: could not open '.git/COMMIT_EDITMSG'",
    "Permission denied",
    "fatal: Unable to create",
];

static REFUSALS: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(NOTHING.into_iter().chain(REFUSED)));
static PUSH_REFUSALS: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(PUSH_REFUSED));

/// `[main 1a2b3c4] subject`, `[main (root-commit) 1a2b3c4] subject`, `[detached HEAD 1a2b3c4] subject`.
fn commit_line(line: &str) -> Option<CommitLine> {
    let inside = line.strip_prefix('[')?;
    let (inside, subject) = inside.split_once(']')?;
    if !subject.is_empty() && !subject.starts_with(' ') {
        return None;
    }
    let (before, hash) = inside.rsplit_once(' ')?;
    let before = before.strip_suffix(" (root-commit)").unwrap_or(before);
    if !is_hash(hash) || before.is_empty() {
        return None;
    }
    let branch = match before {
        "detached HEAD" => None,
        branch if branch.contains(' ') || branch.len() > 200 => return None,
        branch => Some(branch.to_owned()),
    };
    Some(CommitLine { branch, hash: hash.to_ascii_lowercase(), files_changed: None })
}

/// Whether `text` is the name of a commit, whole or short.
pub fn is_hash(text: &str) -> bool {
    (4..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        || text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn files_changed(line: &str) -> Option<u32> {
    let (count, rest) = line.split_once(' ')?;
    (rest.starts_with("file changed") || rest.starts_with("files changed")).then(|| count.parse().ok())?
}

const PUSH_REFUSED: [&str; 18] = [
    "! [rejected]",
    "! [remote rejected]",
    "error: failed to push some refs",
    "fatal: unable to access",
    "fatal: Could not read from remote repository",
    "fatal: could not read Username",
    "fatal: Authentication failed",
    "does not appear to be a git repository",
    "fatal: No configured push destination",
    "has no upstream branch",
    "error: src refspec",
    "remote: Permission to",
    "ERROR: Repository not found",
    "fatal: repository",
    "fatal: The current branch",
    "fatal: Unable to push",
    "hint: Updates were rejected because",
    "hint: See the 'Note about fast-forwards'",
];

/// Reads pushes out of `output`. Lines under `From …` are of a fetch.
pub fn pushes(output: &str) -> Pushes {
    let mut found = Pushes::default();
    let mut fetching = false;
    // Of several refs of one push some may be rejected: an update among them is a push.
    let mut updated_here = false;
    // A tag that the remote has is refused, and is there.
    let mut there = false;
    for line in super::terminal::shown(output).lines().filter(|line| line.len() <= LINE_LIMIT) {
        let line = line.trim();
        if line.starts_with("From ") || line.starts_with("To ") {
            fetching = line.starts_with('F');
            if let Some(remote) = line.strip_prefix("To ") {
                found.remote = Some(remote.to_owned());
            }
            updated_here = false;
            there = false;
        }
        if line.starts_with("! [rejected]") && line.ends_with("(already exists)")
            || there && line.starts_with("error: failed to push some refs")
        {
            there = true;
            found.up_to_date = true;
        } else if PUSH_REFUSALS.is_match(line) || line.starts_with("!\t") && line.contains(":refs/") {
            found.refused |= !updated_here;
            if line.starts_with("! [") {
                note_ref(line, &mut found.refused_refs);
            }
        } else if line == "Everything up-to-date" || line.starts_with("=\t") && line.contains(":refs/") {
            found.up_to_date = true;
        } else if let Some(forced) = ref_update(line)
            && !fetching
        {
            found.updated = true;
            note_ref(line, &mut found.updated_refs);
            found.forced |= forced;
            found.refused = false;
            updated_here = true;
        }
    }
    found
}

/// Keeps the name behind the arrow of a line.
fn note_ref(line: &str, refs: &mut Vec<String>) {
    let name = line.split_once(" -> ").and_then(|(_, right)| right.split(' ').next());
    if let Some(name) = name.filter(|name| !name.is_empty() && refs.len() < REF_LIMIT) {
        refs.push(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned());
    }
}

/// Whether a line says that a ref was updated, and then whether by force.
fn ref_update(line: &str) -> Option<bool> {
    if let Some(forced) = ref_update_for_programs(line) {
        return Some(forced);
    }
    let line = line.strip_prefix("remote: ").unwrap_or(line);
    let (left, right) = line.split_once(" -> ")?;
    let target = right.split(' ').next().unwrap_or_default();
    if target.starts_with("origin/")
        || target.starts_with("upstream/")
        || target.is_empty()
        || target.starts_with("refs/remotes/")
        || target == "FETCH_HEAD"
    {
        return None;
    }
    let left = left.trim_start_matches("* ").trim_start_matches('+').trim();
    if left.starts_with("[new branch]") || left.starts_with("[new tag]") || left.starts_with("[new reference]") {
        return Some(false);
    }
    let range = left.split(' ').next()?;
    let (old, new) = range.split_once("...").or_else(|| range.split_once(".."))?;
    (is_hash(old) && is_hash(new)).then(|| range.contains("...") || right.contains("forced update"))
}

/// The same of `--porcelain`: a flag, both refs and a summary, with tabs between them.
fn ref_update_for_programs(line: &str) -> Option<bool> {
    let (flag, line) = match line.split_once('\t')? {
        (flag @ ("*" | "+" | ""), rest) => (flag, rest),
        // The flag of a plain update is a space, which is gone at the beginning of a line.
        (refs, _) if refs.contains(":refs/") => ("", line),
        _ => return None,
    };
    let (refs, summary) = line.split_once('\t')?;
    let (_, to) = refs.split_once(':')?;
    if !to.starts_with("refs/") || to.starts_with("refs/remotes/") {
        return None;
    }
    let range = summary.split(' ').next()?;
    let hashes = range.split_once("...").or_else(|| range.split_once("..")).is_some_and(|(old, new)| is_hash(old) && is_hash(new));
    (hashes || summary.starts_with("[new ")).then(|| flag == "+" || summary.contains("forced update"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_read_from_their_line() {
        let found = commits("ruff....Passed\n[main (root-commit) 3c9a1f0] start\n 2 files changed, 1 insertion(+)");
        assert_eq!(found.made, [CommitLine { branch: Some("main".to_owned()), hash: "3c9a1f0".to_owned(), files_changed: Some(2) }]);
        assert_eq!(commits("[detached HEAD 57cccb7] guard").made[0].branch, None);
        for nothing in ["[INFO] 1234", "[1234abcd]", "[main abc xyz] a", "[2/3] abcd", "[main 3c9a1f0]x"] {
            assert!(commits(nothing).made.is_empty(), "{nothing}");
        }
        assert!(!commits("pytest......Passed\n- hook id: pytest\n- duration: 1.2s").refused, "a verbose hook that passed");
        assert!(commits("pytest......Failed\n- hook id: pytest\n- exit code: 1").refused);
        let refused = commits("On branch main\nnothing to commit, working tree clean");
        assert!(refused.refused && refused.nothing);
        assert!(commits("fatal: Unable to create '.git/index.lock': Read-only file system").refused);
    }

    #[test]
    fn pushes_are_read_from_ref_updates() {
        assert!(pushes("To git.example.invalid:team/demo.git\n   77bc901..e01fa2b  main -> main").updated);
        assert!(pushes(" * [new branch]      fix -> fix").updated);
        let forced = pushes(" + 1111111...2222222 main -> main (forced update)");
        assert!(forced.updated && forced.forced);
        assert!(!pushes("From git.example.invalid:team/demo\n   77bc901..e01fa2b  main       -> origin/main").updated);
        assert!(pushes("To x\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x'").refused);
        assert!(!pushes(" ! [rejected] main -> main").updated);
        assert!(pushes("Everything up-to-date").up_to_date);
        let both = pushes(
            "To x\n ! [rejected] a -> a (fetch first)\nerror: failed to push some refs to 'x'\nTo x\n 1111111..2222222 main -> main",
        );
        assert!(both.updated && !both.refused, "the second push went through");
        let some = pushes("To x\n * [new tag] v1 -> v1\n ! [rejected] main -> main (fetch first)\nerror: failed to push some refs to 'x'");
        assert!(some.updated && !some.refused);
        let tags = pushes(
            "To x\n 1111111..2222222 main -> main\nTo x\n ! [rejected] v1 -> v1 (already exists)\nerror: failed to push some refs to 'x'",
        );
        assert!(tags.updated && !tags.refused, "a tag that is there takes nothing from the branch");
        let retried = pushes("fatal: unable to access 'x'\nTo x\n 1111111..2222222 main -> main");
        assert!(retried.updated && !retried.refused);
        assert!(pushes("hint: See the 'Note about fast-forwards' in 'git push --help' for details.").refused, "its last line alone");
        let porcelain = |flag: &str, rest: &str| pushes(&format!("To x\n{flag}\trefs/heads/main:refs/heads/main\t{rest}\nDone"));
        assert!(porcelain(" ", "1f2e3d4..5a6b7c8").updated);
        assert!(porcelain("*", "[new branch]").updated);
        let forced = porcelain("+", "1f2e3d4...5a6b7c8 (forced update)");
        assert!(forced.updated && forced.forced);
        assert!(porcelain("!", "[rejected] (fetch first)").refused);
        let same = porcelain("=", "[up to date]");
        assert!(same.up_to_date && !same.updated && !same.refused);
    }
}
