//! The index of a folder of artifacts: what each is, whether it keeps its contract, and how old it is.

use super::store::{ArtifactStore, Stat, Unlisted, join};
use crate::ledger::record::owned;
use crate::memory::{clear_flags, flags_set, smoke_check, value};
use serde_json::{Map, Value as Json, json};
use std::collections::HashSet;
use std::rc::Rc;
use value::{clean, cut, field, int, is_blank, list, members, num, round4, truthy};

/// The longest artifact that is read, in bytes.
pub(crate) const ARTIFACT_LIMIT: usize = 8 << 20;
/// The longest word of an artifact that is shown, in characters.
const WORD_LIMIT: usize = 256;
const SMOKE_TYPE: &str = "explorer_memory_replay_smoke_result";
const LATEST_TYPE: &str = "memory_replay_latest_summary";
/// The counters that an artifact is shown with.
const SHOWN_COUNTERS: [&str; 5] = [
    "total_memory_records_published",
    "memory_replay_artifact_record_count",
    "explorer_memory_records_seen",
    "explorer_memory_records_replayed",
    "memory_query_result_count",
];

/// How long artifacts are kept, in seconds; 0 keeps them for ever.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Retention(f64);

impl Retention {
    /// From two settings, of which the seconds win where they are positive. A negative one is none.
    pub fn new(seconds: f64, days: f64) -> Self {
        let chosen = if seconds > 0.0 { seconds } else { days * 86400.0 };
        Self(if chosen.is_finite() { chosen.max(0.0) } else { 0.0 })
    }

    /// From the settings that an input names.
    pub(crate) fn from_json(input: &Json) -> Self {
        let said = |name| num(field(input, name), 0.0);
        Self::new(said("retention_max_age_seconds"), said("retention_max_age_days"))
    }
}

/// A file that an index is about.
#[derive(Debug)]
struct Listed {
    name: String,
    stat: Stat,
}

/// The direct children of a folder that are JSON files.
#[derive(Debug)]
pub struct Listing {
    root: String,
    files: Vec<Listed>,
    unlisted: Option<Unlisted>,
}

impl Listing {
    /// Lists the direct children of `root` that are JSON files, newest first.
    pub fn of(store: &dyn ArtifactStore, root: &str) -> Self {
        let (names, unlisted) = match store.children(root) {
            Ok(names) => (names, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let mut files: Vec<Listed> = names
            .into_iter()
            .filter(|name| name.ends_with(".json"))
            .filter_map(|name| {
                let stat = store.stat(&join(root, &name)).filter(|stat| stat.is_file)?;
                Some(Listed { name, stat })
            })
            .collect();
        files.sort_by(|one, other| (other.stat.modified_ns, &other.name).cmp(&(one.stat.modified_ns, &one.name)));
        Self { root: root.to_owned(), files, unlisted }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Judges each, in order, and shows it; what is kept does not grow with what the files hold.
    pub fn judge(self, store: &dyn ArtifactStore, retention: Retention, now: f64, seen: &mut dyn FnMut(Json)) -> Index {
        let Retention(max_age) = retention;
        let (count, oldest, newest) = (self.files.len(), self.files.last(), self.files.first());
        let time = |file: Option<&Listed>| file.map_or(0.0, |file| file.stat.modified());
        let (oldest, newest) = (time(oldest), time(newest));
        let (mut known, mut invalid, mut stale) = (0_u64, 0_u64, Vec::new());
        let mut words = Words::default();
        for Listed { name, stat } in self.files {
            let path = join(&self.root, &name);
            let mut artifact = inspect(store, &path);
            let modified = stat.modified();
            let age = round4(now - modified).max(0.0);
            let is_stale = max_age > 0.0 && modified > 0.0 && age > max_age;
            known += u64::from(truthy(field_of(&artifact, "contract_checked")));
            invalid += u64::from(!truthy(field_of(&artifact, "contract_ok")));
            let more = json!({"name": stem_of(&name), "path": path, "artifact_mtime": modified, "age_seconds": age, "stale": is_stale});
            artifact.extend(members(&more));
            if is_stale {
                let [kind, status] = ["type", "status"].map(|word| words.kept(field_of(&artifact, word)));
                stale.push(Stale { name, stat, kind, status, age });
            }
            seen(Json::Object(artifact));
        }
        let mut summary = Map::new();
        clear_flags(&mut summary);
        let more = json!({
            "type": "cluster_latest_artifacts_summary",
            "status": if count == 0 { "missing" } else { "indexed" },
            "artifacts_root": self.root,
            "artifact_count": count,
            "known_artifact_count": known,
            "invalid_artifact_count": invalid,
            "stale_artifact_count": stale.len(),
            "contract_ok": count > 0 && invalid == 0,
            "artifacts": [],
            "retention": {
                "mode": "inspect_only",
                "max_age_seconds": max_age,
                "max_age_days": round4(max_age / 86400.0),
                "would_delete_count": stale.len(),
                "would_delete": [],
                "oldest_artifact_mtime": oldest,
                "newest_artifact_mtime": newest,
            },
        });
        summary.extend(members(&more));
        Index { root: self.root, unlisted: self.unlisted, head: Json::Object(summary), stale }
    }
}

fn field_of<'a>(artifact: &'a Map<String, Json>, name: &str) -> &'a Json {
    artifact.get(name).unwrap_or(&Json::Null)
}

fn stem_of(name: &str) -> &str {
    name.strip_suffix(".json").filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// Words of artifacts, each kept once; of a million files most say the same.
#[derive(Default)]
struct Words(HashSet<Rc<str>>);

impl Words {
    fn kept(&mut self, word: &Json) -> Rc<str> {
        let word = word.as_str().unwrap_or_default();
        if let Some(known) = self.0.get(word) {
            return Rc::clone(known);
        }
        let word: Rc<str> = word.into();
        self.0.insert(Rc::clone(&word));
        word
    }
}

/// A file that is older than the retention allows.
#[derive(Debug)]
pub(crate) struct Stale {
    pub(crate) name: String,
    pub(crate) stat: Stat,
    kind: Rc<str>,
    status: Rc<str>,
    age: f64,
}

impl Stale {
    /// Where it lies below `root`.
    pub(crate) fn path(&self, root: &str) -> String {
        join(root, &self.name)
    }

    /// Its `would_delete` entry.
    pub(crate) fn entry(&self, root: &str) -> Json {
        json!({
            "name": stem_of(&self.name), "path": self.path(root), "type": &*self.kind, "status": &*self.status,
            "artifact_mtime": self.stat.modified(), "age_seconds": self.age, "reason": "older_than_retention_max_age",
        })
    }
}

/// An index, and what is known of the files that are older than the retention allows.
#[derive(Debug)]
pub struct Index {
    pub(crate) root: String,
    /// Why there is nothing in it, where the folder was not listed.
    pub unlisted: Option<Unlisted>,
    /// The summary, of type `cluster_latest_artifacts_summary`, with its lists empty.
    pub head: Json,
    pub(crate) stale: Vec<Stale>,
}

impl Index {
    /// Whether there is an artifact and each keeps its contract.
    pub fn contract_ok(&self) -> bool {
        truthy(field(&self.head, "contract_ok"))
    }

    /// The `would_delete` entries, in order.
    pub fn would_delete(&self) -> impl Iterator<Item = Json> {
        self.stale.iter().map(|stale| stale.entry(&self.root))
    }
}

/// The whole summary of `root` as one value: for stores that are small.
pub fn index(store: &dyn ArtifactStore, root: &str, retention: Retention, now: f64) -> Json {
    let mut artifacts = Vec::new();
    let index = Listing::of(store, root).judge(store, retention, now, &mut |artifact| artifacts.push(artifact));
    let would_delete = index.would_delete().collect();
    let mut summary = index.head;
    summary["artifacts"] = Json::Array(artifacts);
    summary["retention"]["would_delete"] = would_delete;
    summary
}

/// Reads one artifact as a value.
pub(crate) fn read_artifact(store: &dyn ArtifactStore, path: &str) -> Result<Json, String> {
    let bytes = store.read(path, ARTIFACT_LIMIT)?;
    if bytes.len() > ARTIFACT_LIMIT {
        return Err(format!("more than {ARTIFACT_LIMIT} bytes"));
    }
    let read = crate::json::parse(&bytes).map_err(|fault| {
        let place = crate::json::Place::in_text(&bytes, fault.offset);
        format!("{} at {place}", fault.describe())
    })?;
    Ok(owned(&read))
}

fn inspect(store: &dyn ArtifactStore, path: &str) -> Map<String, Json> {
    let artifact = match read_artifact(store, path) {
        Ok(artifact) => artifact,
        Err(why) => return unreadable("invalid_json", &format!("failed to read artifact JSON: {why}")),
    };
    let kind = clean(field(&artifact, "type"));
    let errors = match &*kind {
        SMOKE_TYPE => smoke_check(&artifact),
        LATEST_TYPE => {
            let own: Vec<String> = list(field(&artifact, "contract_errors")).iter().map(clean).collect();
            if own.is_empty() && !truthy(field(&artifact, "contract_ok")) {
                vec!["latest summary contract_ok is false".to_owned()]
            } else {
                own
            }
        }
        _ => vec![format!("unknown latest artifact type: '{kind}'")],
    };
    let mut shown = shown_of(&artifact);
    let more = json!({
        "type": if kind.is_empty() { "unknown" } else { cut(&kind, WORD_LIMIT) },
        "status": status_of(&artifact),
        "contract_checked": matches!(&*kind, SMOKE_TYPE | LATEST_TYPE),
        "contract_ok": errors.is_empty(),
        "contract_errors": errors,
    });
    shown.extend(members(&more));
    shown
}

pub(crate) fn status_of(artifact: &Json) -> String {
    let status = field(artifact, "status");
    if is_blank(status) { "unknown".to_owned() } else { cut(&clean(status), WORD_LIMIT).to_owned() }
}

/// What is shown of an artifact: its blocks, counters, mode and flags, as found.
pub(crate) fn shown_of(artifact: &Json) -> Map<String, Json> {
    let mut shown = Map::new();
    clear_flags(&mut shown);
    for flag in flags_set(artifact) {
        shown.insert(flag.to_owned(), Json::Bool(true));
    }
    for name in ["memory_replay_summary", "memory_replay_yield"] {
        shown.insert(name.to_owned(), Json::Object(members(field(artifact, name))));
    }
    for name in SHOWN_COUNTERS {
        let count = i64::try_from(int(field(artifact, name), 0)).unwrap_or(i64::MAX);
        shown.insert(name.to_owned(), count.into());
    }
    shown.insert("retrieval_mode".to_owned(), clean(field(artifact, "retrieval_mode")).into());
    shown
}

/// What is shown of a place where no artifact could be read.
pub(crate) fn unreadable(status: &str, error: &str) -> Map<String, Json> {
    let mut shown = Map::new();
    clear_flags(&mut shown);
    let more = json!({
        "type": status,
        "status": status,
        "contract_checked": false,
        "contract_ok": false,
        "contract_errors": [error],
        "memory_replay_summary": {},
        "memory_replay_yield": {},
    });
    shown.extend(members(&more));
    shown
}

#[cfg(test)]
mod tests {
    use super::super::layout::{LayOut, ROOT};
    use super::*;

    fn indexed(files: Json, seconds: f64) -> Json {
        let store = LayOut::of(&json!({"files": files, "now": 1000})).expect("the lay-out is one");
        index(&store, ROOT, Retention::new(seconds, 0.0), 1000.0)
    }

    fn latest(more: Json) -> Json {
        let mut latest = json!({"type": LATEST_TYPE, "status": "passed", "contract_ok": true});
        members(&more).into_iter().for_each(|(name, value)| latest[name] = value);
        latest
    }

    #[test]
    fn a_latest_summary_is_believed_only_when_it_says_so_and_lists_nothing() {
        for (more, errors) in [
            (json!({}), json!([])),
            (json!({"contract_errors": ["x"]}), json!(["x"])),
            (json!({"contract_ok": false}), json!(["latest summary contract_ok is false"])),
            (json!({"contract_ok": null, "contract_errors": "x"}), json!(["latest summary contract_ok is false"])),
        ] {
            let index = indexed(json!([{"name": "a.json", "json": latest(more), "mtime": 1}]), 0.0);
            assert_eq!(index["artifacts"][0]["contract_errors"], errors);
            assert_eq!(index["contract_ok"], errors == json!([]));
        }
    }

    #[test]
    fn files_are_listed_newest_first_then_by_name_downwards() {
        let file = |name: &str, mtime: f64| json!({"name": name, "json": latest(json!({})), "mtime": mtime});
        let index = indexed(json!([file("a.json", 5.0), file("c.json", 5.0), file("b.json", 9.5)]), 0.0);
        let names: Vec<_> = list(&index["artifacts"]).iter().map(|artifact| clean(field(artifact, "name"))).collect();
        assert_eq!(names, ["b", "c", "a"]);
        assert_eq!(index["retention"]["newest_artifact_mtime"], 9.5);
    }

    #[test]
    fn what_has_no_time_is_never_stale() {
        let file = |name: &str, mtime: f64| json!({"name": name, "json": latest(json!({})), "mtime": mtime});
        let index = indexed(json!([file("a.json", 0.0), file("b.json", 1.0)]), 10.0);
        assert_eq!(index["retention"]["would_delete"][0]["name"], "b");
        assert_eq!(index["retention"]["would_delete_count"], 1);
        assert_eq!(Retention::new(-1.0, -1.0), Retention::default());
        assert_eq!(Retention::new(0.0, 1.0), Retention(86400.0));
        assert_eq!(Retention::new(f64::NAN, f64::INFINITY), Retention::default());
    }

    #[test]
    fn an_artifact_too_long_or_no_object_is_shown_as_such() {
        let long = " ".repeat(ARTIFACT_LIMIT + 1);
        let index = indexed(json!([{"name": "a.json", "text": long, "mtime": 2}, {"name": "b.json", "text": "[]", "mtime": 1}]), 0.0);
        assert_eq!(index["artifacts"][0]["contract_errors"], json!(["failed to read artifact JSON: more than 8388608 bytes"]));
        assert_eq!(index["artifacts"][1]["contract_errors"], json!(["unknown latest artifact type: ''"]));
    }
}
