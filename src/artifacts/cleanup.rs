//! Cleanup: plans what retention would delete, and deletes it only where and when that is allowed.

use super::cleanup_contract::{Lists, check_lists};
use super::index::{Index, Listing, Retention};
use super::store::{ArtifactStore, Stat, Unlisted};
use crate::memory::{
    clear_flags,
    value::{field, int, members, truthy},
};
use serde_json::{Map, Value as Json, json};
use std::collections::HashSet;

pub(crate) const DRY_RUN: &str = "dry_run";
pub(crate) const EXECUTE: &str = "execute_delete_local_artifacts";
/// The counts that a cleanup takes over from an index.
pub(crate) const COUNTS: [&str; 4] = ["artifact_count", "known_artifact_count", "invalid_artifact_count", "stale_artifact_count"];

/// What is to be cleaned up.
#[derive(Debug, Clone, Copy)]
pub struct Cleanup<'c> {
    /// The folder of artifacts.
    pub root: &'c str,
    /// The one folder in which anything may be deleted.
    pub default_root: &'c str,
    /// How long artifacts are kept.
    pub retention: Retention,
    /// Now, in seconds since 1970.
    pub now: f64,
    /// Whether to delete; a dry run otherwise.
    pub execute: bool,
}

/// What was deleted, and what was not and why.
#[derive(Debug, Default)]
struct Deletions {
    /// Why nothing was tried.
    blocked: Option<Json>,
    /// By their number among the stale files.
    deleted: Vec<usize>,
    errors: Vec<(usize, String)>,
}

/// What a cleanup came to: a result of type `cluster_latest_artifacts_cleanup_result`, whose lists may be long.
#[derive(Debug)]
pub struct Cleaned {
    /// The result with its lists empty.
    pub head: Json,
    source: Index,
    done: Deletions,
}

impl Cleanup<'_> {
    /// Runs the cleanup.
    pub fn run(&self, store: &mut dyn ArtifactStore) -> Cleaned {
        let look = |store: &dyn ArtifactStore| Listing::of(store, self.root).judge(store, self.retention, self.now, &mut |_| {});
        let source = look(store);
        let resolved = store.resolve(self.root);
        let allowed = resolved.is_some() && resolved == store.resolve(self.default_root);
        let done = if self.execute { self.delete(store, &source, resolved.filter(|_| allowed)) } else { Deletions::default() };
        let status = match (&done.blocked, done.errors.is_empty(), done.deleted.is_empty()) {
            (Some(_), ..) => "blocked",
            (_, true, _) => "completed",
            (_, _, false) => "partial",
            _ => "failed",
        };
        let after = (self.execute && allowed).then(|| look(store).head);
        let summary = &source.head;
        let mut result = Map::new();
        clear_flags(&mut result);
        let more = json!({
            "type": "cluster_latest_artifacts_cleanup_result",
            "mode": if self.execute { EXECUTE } else { DRY_RUN },
            "status": status,
            "artifacts_root": self.root,
            "allowlisted_artifacts_root": self.default_root,
            "artifacts_root_allowed": allowed,
            "execute_delete_local_artifacts": self.execute,
            "local_artifact_deletion_performed": !done.deleted.is_empty(),
            "source_summary_type": field(summary, "type"),
            "source_status": field(summary, "status"),
            "source_contract_ok": source.contract_ok(),
            "retention": field(summary, "retention"),
            "would_delete_count": source.stale.len(),
            "would_delete": [],
            "deleted_count": done.deleted.len(),
            "deleted": [],
            "deletion_errors": [],
            "post_cleanup": post_cleanup(after.as_ref().unwrap_or(summary)),
            "contract_ok": source.contract_ok() && done.is_clean() && (!self.execute || allowed),
        });
        result.extend(members(&more));
        for name in COUNTS {
            result.insert(name.to_owned(), field(summary, name).clone());
        }
        Cleaned { head: Json::Object(result), source, done }
    }

    /// Deletes what the source index would delete. `root` is the resolved one, if it is allowed.
    fn delete(&self, store: &mut dyn ArtifactStore, source: &Index, root: Option<String>) -> Deletions {
        let blocked = |error| Deletions { blocked: Some(error), ..Deletions::default() };
        let Some(root) = root else {
            return blocked(json!({
                "reason": "artifacts_root_not_allowlisted", "artifacts_root": self.root, "allowlisted_root": self.default_root,
            }));
        };
        if !source.contract_ok() {
            return blocked(json!({"reason": "source_contract_not_ok", "source_status": field(&source.head, "status")}));
        }
        // Listed is what retention named, where its links lead now.
        let listed: HashSet<String> = source.stale.iter().filter_map(|stale| store.resolve(&stale.path(self.root))).collect();
        let mut done = Deletions::default();
        for (number, stale) in source.stale.iter().enumerate() {
            match delete_one(store, &stale.path(self.root), &stale.stat, &listed, &root) {
                Ok(()) => done.deleted.push(number),
                Err(reason) => done.errors.push((number, reason)),
            }
        }
        done
    }
}

impl Deletions {
    fn is_clean(&self) -> bool {
        self.blocked.is_none() && self.errors.is_empty()
    }
}

impl Cleaned {
    /// The entries of `would_delete`, in order.
    pub fn would_delete(&self) -> impl Iterator<Item = Json> {
        self.source.would_delete()
    }

    /// The entries of `deleted`, in order.
    pub fn deleted(&self) -> impl Iterator<Item = Json> {
        self.done.deleted.iter().map(|&number| {
            let mut entry = self.source.stale[number].entry(&self.source.root);
            entry["deleted"] = Json::Bool(true);
            entry
        })
    }

    /// The entries of `deletion_errors`, in order.
    pub fn deletion_errors(&self) -> impl Iterator<Item = Json> {
        let error = |(number, reason): &(usize, String)| {
            let entry = self.source.stale[*number].entry(&self.source.root);
            json!({"name": entry["name"], "path": entry["path"], "reason": reason})
        };
        self.done.blocked.iter().cloned().chain(self.done.errors.iter().map(error))
    }

    /// Why nothing was looked at, where the folder was not listed.
    pub fn unlisted(&self) -> Option<Unlisted> {
        self.source.unlisted
    }

    /// Whether every artifact and the cleanup itself keep their contracts.
    pub fn contract_ok(&self) -> bool {
        truthy(field(&self.head, "contract_ok"))
    }

    /// What is wrong with the result, in order; empty when it keeps its contract.
    pub fn check(&self) -> Vec<String> {
        let errors = usize::from(self.done.blocked.is_some()) + self.done.errors.len();
        check_lists(
            &self.head,
            &Lists {
                would_delete: Some((self.source.stale.len(), &|seen| self.would_delete().for_each(|entry| seen(&entry)))),
                deleted: Some((self.done.deleted.len(), &|seen| self.deleted().for_each(|entry| seen(&entry)))),
                deletion_errors: Some(errors),
            },
        )
    }

    /// The whole result as one value: for stores that are small.
    pub fn to_json(&self) -> Json {
        let mut result = self.head.clone();
        result["would_delete"] = self.would_delete().collect();
        result["retention"]["would_delete"] = self.would_delete().collect();
        result["deleted"] = self.deleted().collect();
        result["deletion_errors"] = self.deletion_errors().collect();
        result
    }
}

fn delete_one(store: &mut dyn ArtifactStore, path: &str, seen: &Stat, listed: &HashSet<String>, root: &str) -> Result<(), String> {
    let refused = |reason: &str| Err(reason.to_owned());
    let Some(resolved) = store.resolve(path) else { return refused("artifact does not exist") };
    if !listed.contains(&resolved) {
        return refused("path_not_in_retention_would_delete");
    }
    if !resolved.strip_prefix(root).is_some_and(|below| below.starts_with('/')) {
        return refused("path_outside_artifacts_root");
    }
    let Some(stat) = store.stat(&resolved) else { return refused("artifact does not exist") };
    if !stat.is_file {
        return refused("artifact path is not a file");
    }
    store.remove(&resolved, seen).map_err(|why| if why.is_empty() { "delete_failed".to_owned() } else { why })
}

fn post_cleanup(summary: &Json) -> Json {
    let retention = field(summary, "retention");
    let clean_now = ["invalid_artifact_count", "stale_artifact_count"].iter().all(|name| int(field(summary, name), -1) == 0);
    let mut post = json!({
        "checked": true,
        "source_summary_type": field(summary, "type"),
        "status": field(summary, "status"),
        "artifacts_root": field(summary, "artifacts_root"),
        "contract_ok": truthy(field(summary, "contract_ok")),
        "cleanup_ok": clean_now && int(field(retention, "would_delete_count"), -1) == 0,
        "retention": {},
    });
    for name in COUNTS {
        post[name] = field(summary, name).clone();
    }
    for name in ["mode", "max_age_seconds", "max_age_days", "would_delete_count", "oldest_artifact_mtime", "newest_artifact_mtime"] {
        post["retention"][name] = field(retention, name).clone();
    }
    post
}

#[cfg(test)]
mod tests {
    use super::super::cleanup_contract;
    use super::super::layout::{LayOut, ROOT};
    use super::*;
    use crate::memory::value::clean;

    const OLD: f64 = 10.0;

    fn artifact(name: &str) -> Json {
        json!({"name": name, "json": {"type": "memory_replay_latest_summary", "status": "passed", "contract_ok": true}, "mtime": OLD})
    }

    fn link(name: &str, target: &str) -> Json {
        json!({"name": name, "kind": "symlink", "target": target})
    }

    /// The result as one value; checked in pieces it says the same.
    fn run(store: &mut LayOut, root: &str, execute: bool) -> Json {
        let cleaned = Cleanup { root, default_root: ROOT, retention: Retention::new(5.0, 0.0), now: 100.0, execute }.run(store);
        let result = cleaned.to_json();
        assert_eq!(cleaned.check(), cleanup_contract::check(&result));
        result
    }

    fn reasons(result: &Json) -> Vec<String> {
        result["deletion_errors"].as_array().unwrap().iter().map(|error| clean(field(error, "reason"))).collect()
    }

    #[test]
    fn a_link_reached_first_deletes_its_file_and_stays() {
        let mut store = LayOut::of(&json!({"files": [artifact("a.json"), link("z.json", "a.json")]})).expect("the lay-out is one");
        let result = run(&mut store, ROOT, true);
        assert_eq!((result["status"].as_str(), reasons(&result)), (Some("partial"), vec!["artifact does not exist".to_owned()]));
        assert_eq!(store.remaining(), ["z.json"]);
    }

    #[test]
    fn a_link_into_a_folder_below_deletes_the_file_there() {
        let files = json!([artifact("sub/deep.json"), link("z.json", "sub/../sub/deep.json")]);
        let mut store = LayOut::of(&json!({ "files": files })).expect("the lay-out is one");
        let result = run(&mut store, ROOT, true);
        assert_eq!((result["status"].as_str(), store.remaining()), (Some("completed"), vec!["z.json".to_owned()]));
        assert_eq!(cleanup_contract::check(&result), [""; 0]);
    }

    #[test]
    fn one_invalid_artifact_blocks_every_deletion() {
        let files = json!([artifact("a.json"), {"name": "b.json", "text": "{", "mtime": OLD}]);
        let mut store = LayOut::of(&json!({ "files": files })).expect("the lay-out is one");
        let result = run(&mut store, ROOT, true);
        assert_eq!((result["status"].as_str(), reasons(&result)), (Some("blocked"), vec!["source_contract_not_ok".to_owned()]));
        assert_eq!(store.remaining(), ["a.json", "b.json"]);
        let dry = run(&mut store, ROOT, false);
        assert_eq!((dry["status"].as_str(), cleanup_contract::check(&dry)), (Some("completed"), Vec::new()));
    }

    #[test]
    fn a_folder_below_and_a_folder_above_are_not_the_root() {
        let mut store = LayOut::of(&json!({"files": [artifact("sub/a.json")]})).expect("the lay-out is one");
        for root in ["<ROOT>/sub", "<ROOT>/..", "<OUTSIDE>"] {
            let result = run(&mut store, root, true);
            assert_eq!(
                (result["status"].as_str(), reasons(&result)),
                (Some("blocked"), vec!["artifacts_root_not_allowlisted".to_owned()]),
                "{root}"
            );
        }
        assert_eq!(store.remaining(), ["sub/a.json"]);
    }

    /// A store in which somebody swaps the file between the listing and the deletion.
    struct Swapped(LayOut);

    impl ArtifactStore for Swapped {
        fn children(&self, folder: &str) -> Result<Vec<String>, Unlisted> {
            self.0.children(folder)
        }
        fn stat(&self, path: &str) -> Option<Stat> {
            self.0.stat(path)
        }
        fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, String> {
            self.0.read(path, limit)
        }
        fn resolve(&self, path: &str) -> Option<String> {
            self.0.resolve(path)
        }
        fn remove(&mut self, resolved: &str, seen: &Stat) -> Result<(), String> {
            self.0.add(&artifact("a.json"), 0.0).expect("it is a file");
            self.0.remove(resolved, seen)
        }
    }

    #[test]
    fn a_file_that_is_another_by_now_stays() {
        let mut store = Swapped(LayOut::of(&json!({"files": [artifact("a.json")]})).expect("the lay-out is one"));
        let result = Cleanup { root: ROOT, default_root: ROOT, retention: Retention::new(5.0, 0.0), now: 100.0, execute: true }
            .run(&mut store)
            .to_json();
        assert_eq!(
            (result["status"].as_str(), reasons(&result)),
            (Some("failed"), vec!["artifact changed since it was listed".to_owned()])
        );
        assert_eq!(store.0.remaining(), ["a.json"]);
    }
}
