//! Finds the latest artifact of a replay smoke and says what it holds.

use super::index::{read_artifact, shown_of, status_of, unreadable};
use super::store::{ArtifactStore, Stat, join};
use crate::memory::{smoke_check, value::members};
use serde_json::{Map, Value as Json, json};
use std::collections::HashSet;

/// The summary of the artifact at `path`, when one is named; else of the newest below `roots`.
///
/// A path that is named and missing is missing: nothing else is searched.
pub fn latest(store: &dyn ArtifactStore, path: Option<&str>, roots: &[String]) -> Json {
    let found = match path {
        Some(path) => is_file(store, path).map(|stat| (path.to_owned(), stat)),
        None => newest(store, roots),
    };
    let Some((path, stat)) = found else {
        return summary(String::new(), unreadable("missing", "no memory replay smoke artifact found"));
    };
    match read_artifact(store, &path) {
        Err(why) => summary(path, unreadable("invalid_json", &format!("failed to read memory replay smoke artifact: {why}"))),
        Ok(artifact) => {
            let errors = smoke_check(&artifact);
            let mut shown = shown_of(&artifact);
            let more = json!({
                "status": status_of(&artifact),
                "artifact_mtime": stat.modified(),
                "contract_ok": errors.is_empty(),
                "contract_errors": errors,
            });
            shown.extend(members(&more));
            summary(path, shown)
        }
    }
}

fn summary(path: String, mut shown: Map<String, Json>) -> Json {
    shown.remove("contract_checked");
    shown.insert("type".to_owned(), "memory_replay_latest_summary".into());
    shown.insert("artifact_path".to_owned(), path.into());
    Json::Object(shown)
}

fn is_file(store: &dyn ArtifactStore, path: &str) -> Option<Stat> {
    store.stat(path).filter(|stat| stat.is_file)
}

/// The newest candidate; of equally new ones the one whose name comes last.
fn newest(store: &dyn ArtifactStore, roots: &[String]) -> Option<(String, Stat)> {
    let mut candidates: Vec<(String, Stat)> = Vec::new();
    let mut seen = HashSet::new();
    for root in roots {
        if let Some(stat) = is_file(store, root) {
            candidates.push((root.clone(), stat));
            continue;
        }
        for folder in [root.clone(), join(root, "artifacts")] {
            let mut names = store.children(&folder).unwrap_or_default();
            names.retain(|name| name.starts_with("explorer_memory_replay_smoke") && name.ends_with(".json"));
            names.sort_unstable();
            let paths = names.iter().map(|name| join(&folder, name));
            candidates.extend(paths.filter_map(|path| is_file(store, &path).map(|stat| (path, stat))));
        }
    }
    candidates.retain(|(path, _)| store.resolve(path).is_some_and(|resolved| seen.insert(resolved)));
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    // The first of equals stays, as a stable sort downwards would have it.
    candidates.into_iter().rev().max_by_key(|(path, stat)| (stat.modified_ns, name(path)))
}

#[cfg(test)]
mod tests {
    use super::super::layout::{LayOut, ROOT};
    use super::*;

    fn found(files: Json, roots: &[&str]) -> Json {
        let store = LayOut::of(&json!({ "files": files })).expect("the lay-out is one");
        latest(&store, None, &roots.iter().map(|root| (*root).to_owned()).collect::<Vec<_>>())["artifact_path"].clone()
    }

    fn file(name: &str, mtime: f64) -> Json {
        json!({"name": name, "json": {}, "mtime": mtime})
    }

    #[test]
    fn the_newest_of_root_and_its_artifacts_is_found() {
        let files = json!([
            file("explorer_memory_replay_smoke.json", 1.0),
            file("artifacts/explorer_memory_replay_smoke_b.json", 3.0),
            file("artifacts/explorer_memory_replay_smoke_a.json", 3.0),
            file("other.json", 9.0),
            file("explorer_memory_replay_smoke.txt", 9.0),
            file("artifacts/artifacts/explorer_memory_replay_smoke.json", 9.0)
        ]);
        assert_eq!(found(files.clone(), &[ROOT]), "<ROOT>/artifacts/explorer_memory_replay_smoke_b.json");
        assert_eq!(found(files.clone(), &["<ROOT>/other.json", ROOT]), "<ROOT>/other.json", "a root that is a file is taken itself");
        assert_eq!(found(files, &["<ROOT>/none", "<OUTSIDE>"]), "");
    }

    #[test]
    fn a_link_and_its_file_are_one_candidate() {
        let files = json!([
            file("explorer_memory_replay_smoke.json", 1.0),
            {"name": "explorer_memory_replay_smoke_z.json", "kind": "symlink", "target": "explorer_memory_replay_smoke.json"},
            {"name": "explorer_memory_replay_smoke_zz.json", "kind": "symlink", "target": "<ROOT>/none.json"}
        ]);
        assert_eq!(found(files, &[ROOT]), "<ROOT>/explorer_memory_replay_smoke.json");
    }

    #[test]
    fn a_path_that_is_named_is_taken_whatever_it_is_called() {
        let store = LayOut::of(&json!({"files": [file("x.txt", 1.0), {"name": "d.json", "kind": "dir"}]})).expect("the lay-out is one");
        let of = |path: &str| latest(&store, Some(path), &[ROOT.to_owned()]);
        assert_eq!(of("<ROOT>/x.txt")["status"], "unknown");
        assert_eq!(of("<ROOT>/d.json")["status"], "missing");
        assert_eq!(of("<ROOT>/d.json").get("retrieval_mode"), None);
    }
}
