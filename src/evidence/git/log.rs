//! Exported logs: `git log` with a fixed list of fields, and the paths of commits in a second file.
//!
//! A log without the list of fields could be read in more than one way; it is not read at all.

use super::object::Commit;
use crate::evidence::git_output::is_hash;
use std::collections::{BTreeMap, BTreeSet};

/// What an exported log holds.
#[derive(Debug, Default)]
pub(super) struct Exported {
    /// Commits by their whole hash.
    pub(super) commits: BTreeMap<String, Commit>,
    /// The paths that commits change, where a list of them was exported.
    pub(super) paths: BTreeMap<String, BTreeSet<String>>,
    /// Refs by their whole name, from decorations.
    pub(super) refs: BTreeMap<String, String>,
    /// The branch that HEAD is on.
    pub(super) head_branch: Option<String>,
}

/// `%H %T %P %an %at %cn %ct %D %s %b`, parted by NUL; the record ends with the record separator.
const FIELDS: usize = 10;
const COMMIT_LIMIT: usize = 200_000;
const PATH_LIMIT: usize = 5000;

fn is_whole(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && is_hash(text)
}

/// Whether `bytes` begin like one of the two exports.
pub(super) fn is_export(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(65)];
    let end = memchr::memchr(0, start);
    end.is_some_and(|end| std::str::from_utf8(&start[..end]).is_ok_and(is_whole))
}

/// Reads either export; `None` for anything else.
pub(super) fn read(text: &str) -> Option<Exported> {
    if !is_export(text.as_bytes()) {
        return None;
    }
    if text.contains('\u{1e}') { commits(text) } else { paths(text) }
}

fn commits(text: &str) -> Option<Exported> {
    let mut exported = Exported::default();
    for record in text.split('\u{1e}').map(|record| record.trim_start_matches(['\n', '\r'])).filter(|record| !record.is_empty()) {
        let fields: Vec<&str> = record.splitn(FIELDS, '\0').collect();
        let [hash, tree, parents, _, _, _, at, refs, ..] = fields[..] else { return None };
        let parents: Vec<String> = parents.split(' ').filter(|parent| !parent.is_empty()).map(str::to_ascii_lowercase).collect();
        if fields.len() != FIELDS || !is_whole(hash) || !is_whole(tree) || !parents.iter().all(|parent| is_whole(parent)) {
            return None;
        }
        let hash = hash.to_ascii_lowercase();
        decorations(refs, &hash, &mut exported);
        if exported.commits.len() < COMMIT_LIMIT {
            let parents = parents.into_iter().take(64).collect();
            exported.commits.insert(hash, Commit { tree: tree.to_ascii_lowercase(), parents, at: at.parse().ok()? });
        }
    }
    (!exported.commits.is_empty()).then_some(exported)
}

/// `HEAD -> main, tag: v1, origin/main`. A name with a slash may be a branch or a remote's: only the branch that HEAD is on,
/// and what is written out as `refs/…`, is sure.
fn decorations(text: &str, hash: &str, exported: &mut Exported) {
    for name in text.split(", ").filter(|name| !name.is_empty()) {
        let name = match name.strip_prefix("HEAD -> ") {
            Some(branch) => {
                let branch = format!("refs/heads/{}", branch.strip_prefix("refs/heads/").unwrap_or(branch));
                exported.head_branch = Some(branch.clone());
                branch
            }
            None => match name.strip_prefix("tag: ") {
                Some(tag) => format!("refs/tags/{}", tag.strip_prefix("refs/tags/").unwrap_or(tag)),
                None if name.starts_with("refs/") => name.to_owned(),
                None if !name.contains('/') && name != "HEAD" => format!("refs/heads/{name}"),
                None => continue,
            },
        };
        exported.refs.insert(name, hash.to_owned());
    }
}

/// `%H`, and behind it `--name-status -z`: a status and its path, or two paths of a rename or a copy.
fn paths(text: &str) -> Option<Exported> {
    let mut exported = Exported::default();
    let mut commit: Option<String> = None;
    let mut tokens = text.split('\0').map(|token| token.trim_start_matches(['\n', '\r'])).filter(|token| !token.is_empty());
    while let Some(token) = tokens.next() {
        if is_whole(token) {
            let hash = token.to_ascii_lowercase();
            exported.paths.entry(hash.clone()).or_default();
            commit = Some(hash);
            continue;
        }
        let status = token.as_bytes();
        let known = matches!(status[0], b'A' | b'C' | b'D' | b'M' | b'R' | b'T' | b'U' | b'X' | b'B');
        if !known || !status[1..].iter().all(u8::is_ascii_digit) {
            return None;
        }
        let changed = exported.paths.get_mut(commit.as_ref()?)?;
        for _ in 0..if matches!(status[0], b'C' | b'R') { 2 } else { 1 } {
            let path = tokens.next()?;
            if changed.len() < PATH_LIMIT {
                changed.insert(path.to_owned());
            }
        }
    }
    Some(exported)
}

#[cfg(test)]
mod tests {
    use crate::evidence::{Evidence, read_file};

    const FIRST: &str = "1111111111111111111111111111111111111111";
    const SECOND: &str = "2222222222222222222222222222222222222222";
    const TREE: &str = "3333333333333333333333333333333333333333";
    const OTHER_TREE: &str = "4444444444444444444444444444444444444444";

    fn log() -> String {
        let record = |hash: &str, tree: &str, parent: &str, at: u32, refs: &str| {
            format!("{hash}\0{tree}\0{parent}\0A\0{at}\0A\0{at}\0{refs}\0subject\0body\n\nEntire-Checkpoint: a1b2c3d4e5f6\n\u{1e}")
        };
        format!("{}\n{}\n", record(SECOND, OTHER_TREE, FIRST, 60, "HEAD -> main, tag: v1, origin/main"), record(FIRST, TREE, "", 1, ""))
    }

    #[test]
    fn a_log_with_its_list_of_fields_is_read() {
        let Evidence::Git(repository) = read_file(log().as_bytes()) else { panic!("Git records") };
        assert_eq!(repository.whole_hash("2222222"), Some(SECOND.to_owned()));
        assert_eq!(repository.commit(SECOND).map(|commit| (commit.at, commit.parents)), Some((60, vec![FIRST.to_owned()])));
        assert_eq!(repository.reaches(SECOND, FIRST), Some(true));
        assert_eq!(repository.head_tip(), Some(SECOND));
        assert_eq!(repository.refs.get("refs/tags/v1").map(String::as_str), Some(SECOND));
        assert_eq!(repository.changed_paths(SECOND), None, "a log without paths shows none");
    }

    #[test]
    fn the_paths_of_the_second_file_are_read() {
        let text = format!("{SECOND}\0\nM\0src/a.rs\0R100\0old.rs\0new.rs\0{FIRST}\0\nA\0src/a.rs\0");
        let Evidence::Git(repository) = read_file(text.as_bytes()) else { panic!("Git records") };
        let changed = repository.changed_paths(SECOND).expect("paths");
        assert_eq!(changed.into_iter().collect::<Vec<_>>(), ["new.rs", "old.rs", "src/a.rs"]);
    }

    #[test]
    fn other_lists_of_fields_are_not_guessed_at() {
        for text in [
            format!("{SECOND}\0{TREE}\0\u{1e}"),
            format!("{SECOND}\0{TREE}\0nothing\0A\01\0A\01\0\0s\0b\u{1e}"),
            format!("{SECOND}\0\nQ\0src/a.rs\0"),
            format!("{SECOND}\0\nR100\0only-one\0"),
            format!("{SECOND} subject\n"),
        ] {
            assert!(!matches!(read_file(text.as_bytes()), Evidence::Git(_)), "{text:?}");
        }
    }
}
