//! A lay-out of files in memory: folders, files with a time, and links that behave as links do.
//!
//! It holds an artifacts root, `<ROOT>`, and beside it `<OUTSIDE>`, so that index and cleanup can be
//! judged against what a case describes without a disk.

use super::store::{ArtifactStore, Stat, Unlisted};
use crate::memory::value::{clean, field, list, num, text, truthy};
use base64::Engine;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, VecDeque};

/// What the artifacts root is called in paths.
pub(crate) const ROOT: &str = "<ROOT>";
/// What the folder beside it is called.
pub(crate) const OUTSIDE: &str = "<OUTSIDE>";
const PLACES: [(&str, [&str; 2]); 2] = [(ROOT, ["base", "artifacts"]), (OUTSIDE, ["base", "outside"])];
/// The deepest path, in names, and the most links on one.
const DEPTH_LIMIT: usize = 64;
const LINK_LIMIT: usize = 40;

type Folder = BTreeMap<String, Node>;

#[derive(Debug, Clone)]
enum Node {
    Folder(Folder),
    File { bytes: Vec<u8>, modified_ns: i128, id: u64 },
    Link(String),
}

/// The lay-out.
#[derive(Debug, Clone, Default)]
pub(crate) struct LayOut {
    top: Folder,
    next_id: u64,
}

/// The names of `path`; what is relative is below `from`.
fn names_of(path: &str, from: &[String]) -> Vec<String> {
    for (place, names) in PLACES {
        if let Some(rest) = path.strip_prefix(place).filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            return names.iter().map(|name| (*name).to_owned()).chain(split(rest)).collect();
        }
    }
    if path.starts_with('/') { split(path).collect() } else { from.iter().cloned().chain(split(path)).collect() }
}

fn split(path: &str) -> impl Iterator<Item = String> {
    path.split('/').filter(|name| !matches!(*name, "" | ".")).take(DEPTH_LIMIT + 1).map(str::to_owned)
}

fn path_of(names: &[String]) -> String {
    for (place, start) in PLACES {
        if names.len() >= 2 && names[..2] == start {
            return names[2..].iter().fold(place.to_owned(), |path, name| path + "/" + name);
        }
    }
    names.iter().fold(String::new(), |path, name| path + "/" + name)
}

impl LayOut {
    /// The lay-out that an input describes, with what always lies outside.
    pub(crate) fn of(input: &Json) -> Option<Self> {
        let mut layout = Self::default();
        let now = num(field(input, "now"), 0.0);
        if input.get("root_exists") != Some(&Json::Bool(false)) {
            layout.folder(&names_of(ROOT, &[]))?;
        }
        for file in outside(now) {
            layout.add(&file, now)?;
        }
        list(field(input, "files")).iter().try_for_each(|file| layout.add(file, now))?;
        Some(layout)
    }

    /// Adds one file, folder or link; one that is there already is replaced.
    pub(crate) fn add(&mut self, file: &Json, now: f64) -> Option<()> {
        let name = field(file, "name").as_str()?;
        let mut names = names_of(name, &names_of(ROOT, &[]));
        if names.iter().any(|name| name == "..") {
            return None;
        }
        self.next_id += 1;
        let node = match &*clean(field(file, "kind")) {
            "dir" => return self.folder(&names).map(drop),
            "symlink" => Node::Link(text(field(file, "target"))),
            "" | "file" => Node::File {
                bytes: bytes_of(file)?,
                modified_ns: nanoseconds(file.get("mtime").map_or(now, |said| num(said, now))),
                id: self.next_id,
            },
            _ => return None,
        };
        let last = names.pop()?;
        self.folder(&names)?.insert(last, node);
        Some(())
    }

    /// The folder at `names`, made where there is none.
    fn folder(&mut self, names: &[String]) -> Option<&mut Folder> {
        if names.len() > DEPTH_LIMIT {
            return None;
        }
        let mut folder = &mut self.top;
        for name in names {
            match folder.entry(name.clone()).or_insert_with(|| Node::Folder(Folder::new())) {
                Node::Folder(below) => folder = below,
                _ => return None,
            }
        }
        Some(folder)
    }

    fn node(&self, names: &[String]) -> Option<&Node> {
        let (last, above) = names.split_last()?;
        let mut folder = &self.top;
        for name in above {
            match folder.get(name)? {
                Node::Folder(below) => folder = below,
                _ => return None,
            }
        }
        folder.get(last)
    }

    /// The names with every link and `..` resolved as far as they exist.
    fn real(&self, path: &str) -> Option<Vec<String>> {
        let mut pending: VecDeque<String> = names_of(path, &[]).into();
        let (mut reached, mut links) = (Vec::new(), 0);
        while let Some(name) = pending.pop_front() {
            if name == ".." {
                reached.pop();
                continue;
            }
            reached.push(name);
            if reached.len() + pending.len() > DEPTH_LIMIT {
                return None;
            }
            if let Some(Node::Link(target)) = self.node(&reached) {
                links += 1;
                if links > LINK_LIMIT {
                    return None;
                }
                reached.pop();
                let target = names_of(target, &reached);
                reached.clear();
                target.into_iter().rev().for_each(|name| pending.push_front(name));
            }
        }
        Some(reached)
    }

    fn reached(&self, path: &str) -> Option<&Node> {
        self.node(&self.real(path)?)
    }

    /// The files and links below the root, by their path from it.
    pub(crate) fn remaining(&self) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(Node::Folder(root)) = self.node(&names_of(ROOT, &[])) {
            list_below(root, "", &mut found);
        }
        found.sort_unstable();
        found
    }

    /// Whether what always lies outside still does, as it was.
    pub(crate) fn outside_intact(&self) -> bool {
        let kept = |file: &Json| {
            let name = text(field(file, "name"));
            matches!(self.node(&names_of(&name, &[])), Some(Node::File { bytes, .. }) if Some(bytes) == bytes_of(file).as_ref())
        };
        outside(0.0).iter().all(kept)
    }
}

fn list_below(folder: &Folder, above: &str, found: &mut Vec<String>) {
    for (name, node) in folder {
        match node {
            Node::Folder(below) => list_below(below, &format!("{above}{name}/"), found),
            Node::File { .. } | Node::Link(_) => found.push(format!("{above}{name}")),
        }
    }
}

fn outside(now: f64) -> [Json; 2] {
    let valid = json!({"type": "memory_replay_latest_summary", "status": "passed", "contract_ok": true, "contract_errors": []});
    [
        json!({"name": format!("{OUTSIDE}/secret.json"), "text": "{}", "mtime": now - 1000.0}),
        json!({"name": format!("{OUTSIDE}/valid.json"), "json": valid, "mtime": now - 1000.0}),
    ]
}

fn bytes_of(file: &Json) -> Option<Vec<u8>> {
    if let Some(value) = file.get("json") {
        return Some(value.to_string().into_bytes());
    }
    if truthy(field(file, "base64")) {
        return base64::engine::general_purpose::STANDARD.decode(field(file, "base64").as_str()?).ok();
    }
    Some(text(field(file, "text")).into_bytes())
}

fn nanoseconds(seconds: f64) -> i128 {
    // No disk keeps a time beyond this, and an integer has its end.
    let seconds = seconds.clamp(-1e18, 1e18);
    seconds.floor() as i128 * 1_000_000_000 + ((seconds - seconds.floor()) * 1e9).floor() as i128
}

impl ArtifactStore for LayOut {
    fn children(&self, folder: &str) -> Result<Vec<String>, Unlisted> {
        let names = self.real(folder).ok_or(Unlisted::Missing)?;
        let folder = match self.node(&names) {
            _ if names.is_empty() => &self.top,
            Some(Node::Folder(folder)) => folder,
            _ => return Err(Unlisted::Missing),
        };
        Ok(folder.keys().cloned().collect())
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        match self.reached(path)? {
            Node::Folder(_) => Some(Stat { is_file: false, is_folder: true, modified_ns: 0, identity: (0, 0) }),
            Node::File { modified_ns, id, .. } => {
                Some(Stat { is_file: true, is_folder: false, modified_ns: *modified_ns, identity: (0, *id) })
            }
            Node::Link(_) => None,
        }
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, String> {
        match self.reached(path) {
            Some(Node::File { bytes, .. }) => Ok(bytes[..bytes.len().min(limit.saturating_add(1))].to_vec()),
            _ => Err("no regular file".to_owned()),
        }
    }

    fn resolve(&self, path: &str) -> Option<String> {
        Some(path_of(&self.real(path)?))
    }

    fn remove(&mut self, resolved: &str, seen: &Stat) -> Result<(), String> {
        let mut names = names_of(resolved, &[]);
        let same = matches!(self.node(&names), Some(Node::File { id, .. }) if *id == seen.identity.1);
        let last = names.pop().filter(|_| same).ok_or_else(|| "artifact changed since it was listed".to_owned())?;
        let folder = self.folder(&names).ok_or_else(String::new)?;
        folder.remove(&last);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(files: Json) -> LayOut {
        LayOut::of(&json!({"files": files, "now": 5000})).expect("the lay-out is one")
    }

    #[test]
    fn links_lead_where_they_say() {
        let store = layout(json!([
            {"name": "sub/a.json", "text": "a"}, {"name": "to-sub", "kind": "symlink", "target": "sub"},
            {"name": "sub/up", "kind": "symlink", "target": "../../outside"}, {"name": "round", "kind": "symlink", "target": "<ROOT>/round"},
            {"name": "gone", "kind": "symlink", "target": "<OUTSIDE>/none/x"}
        ]));
        for (path, resolved) in [
            ("<ROOT>/to-sub/a.json", Some("<ROOT>/sub/a.json")),
            ("<ROOT>/to-sub/up/secret.json", Some("<OUTSIDE>/secret.json")),
            ("<ROOT>/to-sub/../x", Some("<ROOT>/x")),
            ("<ROOT>/../artifacts", Some(ROOT)),
            ("/base/artifacts/./sub//a.json", Some("<ROOT>/sub/a.json")),
            ("<ROOT>/gone", Some("<OUTSIDE>/none/x")),
            ("<ROOT>/../../../..", Some("")),
            ("<ROOT>/round/x", None),
        ] {
            assert_eq!(store.resolve(path).as_deref(), resolved, "{path}");
        }
        assert_eq!(store.read("<ROOT>/to-sub/a.json", 9), Ok(b"a".to_vec()));
        assert!(store.stat("<ROOT>/gone").is_none());
        assert_eq!(store.remaining(), ["gone", "round", "sub/a.json", "sub/up", "to-sub"]);
    }

    #[test]
    fn what_is_no_lay_out_is_refused() {
        let deep = format!("{}x", "d/".repeat(200));
        assert!(LayOut::of(&json!({"now": 1e300, "files": [{"name": "a", "mtime": -1e300}]})).is_some());
        for file in [
            json!({"name": "../x"}),
            json!({"name": deep}),
            json!({"name": "a", "base64": "?"}),
            json!({"name": "a", "kind": "fifo"}),
            json!(7),
        ] {
            assert!(LayOut::of(&json!({"files": [file]})).is_none(), "{file}");
        }
    }

    #[test]
    fn only_the_file_that_was_seen_is_removed() {
        let mut store = layout(json!([{"name": "a.json", "text": ""}]));
        let seen = store.stat("<ROOT>/a.json").expect("it is there");
        store.add(&json!({"name": "a.json", "text": ""}), 0.0).expect("it is a file");
        assert!(store.remove("<ROOT>/a.json", &seen).is_err());
        let seen = store.stat("<ROOT>/a.json").expect("it is there");
        assert_eq!(store.remove("<ROOT>/a.json", &seen), Ok(()));
        assert!(store.outside_intact());
    }
}
