//! Saved GitHub event payloads.

use super::git_output::is_hash;
use crate::import::milliseconds;
use crate::json::Value;

/// What an event shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// A remote ref moved.
    Push {
        /// The ref, as `refs/heads/x`.
        name: String,
        /// Where it points now; all zeros for a deleted one.
        after: String,
        /// Hashes of the commits listed, which may not be all.
        commits: Vec<String>,
        /// History was rewritten.
        forced: bool,
    },
    /// A pipeline ended for one hash; only `success` passes.
    Checks {
        /// The hash that was checked.
        hash: String,
        /// The conclusion; `None` for one that is neither success nor failure.
        passed: Option<bool>,
        /// When, in milliseconds since 1970.
        at: Option<i64>,
    },
    /// A pull request was closed; `merged` says whether it landed.
    Merge {
        /// Whether it was merged.
        merged: bool,
        /// The commit that it landed as, and the head that was merged.
        hashes: Vec<String>,
        /// The branch that it landed on.
        base: String,
    },
    /// A release was published; a draft is none.
    Release {
        /// The tag.
        tag: String,
        /// Whether it is out.
        out: bool,
    },
}

fn text<'v>(value: &'v Value<'_>, keys: &[&str]) -> Option<&'v str> {
    keys.iter().try_fold(value, |value, key| value.get(key))?.as_str()
}

const COMMIT_LIMIT: usize = 1000;

/// Reads one payload; `None` for anything else.
pub(super) fn read(value: &Value<'_>) -> Option<Happened> {
    for kind in ["workflow_run", "check_run", "check_suite"] {
        if let Some(run) = value.get(kind)
            && let Some(hash) = text(run, &["head_sha"])
        {
            let passed = match (text(run, &["status"]), text(run, &["conclusion"])) {
                (Some("completed") | None, Some("success")) => Some(true),
                (Some("completed") | None, Some("failure")) => Some(false),
                _ => None,
            };
            let at = text(run, &["updated_at"]).or_else(|| text(run, &["completed_at"])).and_then(milliseconds);
            return Some(Happened::Checks { hash: hash.to_ascii_lowercase(), passed, at });
        }
    }
    if let Some(release) = value.get("release") {
        let draft = release.get("draft").is_some_and(|draft| draft.is_bool(true));
        let published = matches!(text(value, &["action"]), Some("published" | "released") | None)
            && release.get("published_at").is_some_and(|at| at.as_str().is_some());
        return Some(Happened::Release { tag: text(release, &["tag_name"]).unwrap_or_default().to_owned(), out: published && !draft });
    }
    if let Some(request) = value.get("pull_request") {
        let merged = request.get("merged").is_some_and(|merged| merged.is_bool(true));
        let hashes = [text(request, &["merge_commit_sha"]), text(request, &["head", "sha"])]
            .into_iter()
            .flatten()
            .filter(|hash| is_hash(hash))
            .map(str::to_ascii_lowercase)
            .collect();
        return Some(Happened::Merge { merged, hashes, base: text(request, &["base", "ref"]).unwrap_or_default().to_owned() });
    }
    let (name, after) = (text(value, &["ref"])?, text(value, &["after"])?);
    if !is_hash(after) {
        return None;
    }
    let commits = value.get("commits").and_then(Value::elements).unwrap_or_default();
    let commits = commits.iter().take(COMMIT_LIMIT).filter_map(|commit| text(commit, &["id"])).map(str::to_ascii_lowercase).collect();
    let forced = value.get("forced").is_some_and(|forced| forced.is_bool(true));
    Some(Happened::Push { name: name.to_owned(), after: after.to_ascii_lowercase(), commits, forced })
}
