//! A folder of Git records, or loose objects and packs without refs.

use super::log::{self, Exported};
use super::object::{self, Commit, Entry, Kind};
use super::pack::Pack;
use crate::evidence::reflog::{self, Movement};
use crate::folder::{Folder, load};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::fmt;

/// What was recorded of a repository.
pub struct Repository {
    folder: Option<Box<dyn Folder>>,
    /// Where `objects/` lies below the folder: empty where the folder is it.
    objects: String,
    packs: Vec<Pack>,
    exported: Exported,
    /// Refs by their whole name.
    pub refs: BTreeMap<String, String>,
    /// The branch that HEAD is on, as `refs/heads/x`.
    pub head_branch: Option<String>,
    /// The commit that HEAD is on where it is on no branch.
    detached: Option<String>,
    /// The reflog of HEAD.
    pub head_log: Option<Vec<Movement>>,
    /// Reflogs of branches, by their whole name.
    pub branch_logs: BTreeMap<String, Vec<Movement>>,
}

impl fmt::Debug for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repository").field("refs", &self.refs).field("head_branch", &self.head_branch).finish_non_exhaustive()
    }
}

const SMALL: usize = 1 << 20;
const PACK_LIMIT: usize = 64 << 20;
const REF_LIMIT: usize = 20_000;
const WALK_LIMIT: usize = 50_000;
const PATH_LIMIT: usize = 5000;

impl Repository {
    /// Reads a folder. `None` where it holds no Git records at all.
    pub fn read(folder: Box<dyn Folder>) -> Option<Self> {
        let small = |path: &str| {
            load(&*folder, path, SMALL).ok().and_then(|file| file.bytes).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let below = |path: &str| folder.entries(path).unwrap_or_default();
        // A working tree holds its records one folder down.
        let root = if small(".git/HEAD").is_some() { ".git/" } else { "" };
        let mut refs = BTreeMap::new();
        for line in small(&format!("{root}packed-refs")).unwrap_or_default().lines().filter(|line| !line.starts_with(['#', '^'])) {
            if let Some((hash, name)) = line.split_once(' ') {
                refs.insert(name.to_owned(), hash.to_ascii_lowercase());
            }
        }
        for path in below(&format!("{root}refs")).into_iter().take(REF_LIMIT) {
            if let Some(hash) = small(&path) {
                refs.insert(path[root.len()..].to_owned(), hash.trim().to_ascii_lowercase());
            }
        }
        let head = small(&format!("{root}HEAD"));
        let head_branch = head.as_deref().and_then(|head| head.trim().strip_prefix("ref: ")).map(str::to_owned);
        let detached = head.as_deref().map(str::trim).filter(|head| matches!(head.len(), 40 | 64)).map(str::to_ascii_lowercase);
        let log = |path: &str| {
            let bytes = load(&*folder, path, PACK_LIMIT).ok()?.bytes?;
            reflog::read(&String::from_utf8_lossy(&bytes))
        };
        let head_log = log(&format!("{root}logs/HEAD"));
        let mut branch_logs = BTreeMap::new();
        for path in below(&format!("{root}logs/refs/heads")).into_iter().take(REF_LIMIT) {
            if let Some(movements) = log(&path) {
                branch_logs.insert(path[root.len() + "logs/".len()..].to_owned(), movements);
            }
        }
        let mut entries = below(&format!("{root}objects"));
        let mut objects = format!("{root}objects/");
        if entries.is_empty() {
            entries = below("");
            objects = String::new();
        }
        let is_loose = |path: &String| {
            let name = &path[objects.len().min(path.len())..];
            name.len() >= 41 && name.as_bytes().get(2) == Some(&b'/') && name.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'/')
        };
        let any_loose = entries.iter().any(is_loose);
        let packs: Vec<Pack> = entries
            .iter()
            .filter(|path| path.ends_with(".pack") || path.ends_with(".bundle"))
            .take(16)
            .filter_map(|path| Pack::read(&load(&*folder, path, PACK_LIMIT).ok()?.bytes?))
            .collect();
        if refs.is_empty() && head.is_none() && head_log.is_none() && !any_loose && packs.is_empty() {
            return None;
        }
        let mut repository = Self {
            folder: Some(folder),
            objects,
            packs,
            exported: Exported::default(),
            refs,
            head_branch,
            detached,
            head_log,
            branch_logs,
        };
        repository.take_refs();
        Some(repository)
    }

    /// A pack or a bundle alone.
    pub fn of_pack(bytes: &[u8]) -> Option<Self> {
        let pack = Pack::read(bytes)?;
        let mut repository = Self {
            folder: None,
            objects: String::new(),
            packs: vec![pack],
            exported: Exported::default(),
            refs: BTreeMap::new(),
            head_branch: None,
            detached: None,
            head_log: None,
            branch_logs: BTreeMap::new(),
        };
        repository.take_refs();
        Some(repository)
    }

    /// An exported log, or the paths of its commits; `None` for anything else.
    pub fn of_log(text: &str) -> Option<Self> {
        let mut exported = log::read(text)?;
        let (refs, head_branch) = (std::mem::take(&mut exported.refs), exported.head_branch.take());
        Some(Self { exported, refs, head_branch, ..Self::of_reflog(Vec::new()) }.without_log())
    }

    /// No log is not an empty one.
    fn without_log(mut self) -> Self {
        self.head_log = None;
        self
    }

    /// A reflog alone.
    pub fn of_reflog(movements: Vec<Movement>) -> Self {
        Self {
            folder: None,
            objects: String::new(),
            packs: Vec::new(),
            exported: Exported::default(),
            refs: BTreeMap::new(),
            head_branch: None,
            detached: None,
            head_log: Some(movements),
            branch_logs: BTreeMap::new(),
        }
    }

    /// The commit that HEAD is on.
    pub fn head_tip(&self) -> Option<&str> {
        self.head_branch.as_ref().and_then(|branch| self.refs.get(branch)).or(self.detached.as_ref()).map(String::as_str)
    }

    fn take_refs(&mut self) {
        for (name, hash) in self.packs.iter().flat_map(|pack| &pack.refs) {
            self.refs.entry(name.clone()).or_insert_with(|| hash.clone());
        }
    }

    fn get(&self, hash: &str) -> Option<(Kind, Vec<u8>)> {
        if hash.len() < 40 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        if let Some(found) = self.packs.iter().find_map(|pack| pack.get(hash)) {
            return Some(found);
        }
        let folder = self.folder.as_deref()?;
        let path = format!("{}{}/{}", self.objects, &hash[..2], &hash[2..]);
        object::loose(&load(folder, &path, object::OBJECT_LIMIT).ok()?.bytes?)
    }

    /// The whole hash of a short one; `None` where none or several match.
    pub fn whole_hash(&self, short: &str) -> Option<String> {
        if short.len() < 4 || !short.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut found: BTreeSet<String> = self.packs.iter().flat_map(|pack| pack.named(short).take(2).cloned()).collect();
        if let Some(folder) = self.folder.as_deref() {
            let at = format!("{}{}", self.objects, &short[..2]);
            let names = folder.entries(&at).unwrap_or_default();
            found.extend(names.iter().filter_map(|path| {
                let hash: String = path[self.objects.len()..].chars().filter(|each| *each != '/').collect();
                hash.starts_with(short).then_some(hash)
            }));
        }
        for movement in self.head_log.iter().flatten().chain(self.branch_logs.values().flatten()) {
            if movement.new.starts_with(short) {
                found.insert(movement.new.clone());
            }
        }
        let exported = || self.exported.commits.keys().chain(self.exported.paths.keys());
        found.extend(exported().filter(|hash| hash.starts_with(short)).take(2).cloned());
        if found.len() == 1 { found.pop_first() } else { None }
    }

    /// A commit.
    pub fn commit(&self, hash: &str) -> Option<Commit> {
        if let Some(commit) = self.exported.commits.get(hash) {
            return Some(commit.clone());
        }
        match self.get(hash)? {
            (Kind::Commit, body) => object::commit(&body),
            _ => None,
        }
    }

    fn tree(&self, hash: &str) -> Option<Vec<Entry>> {
        match self.get(hash)? {
            (Kind::Tree, body) => object::tree(&body, hash.len() / 2),
            _ => None,
        }
    }

    /// Whether `commit` is reached from `tip`; `None` where a commit on the way is missing, or the way too long.
    pub fn reaches(&self, tip: &str, commit: &str) -> Option<bool> {
        let mut seen = HashSet::new();
        let mut open = VecDeque::from([tip.to_owned()]);
        let mut missing = false;
        while let Some(hash) = open.pop_front() {
            if hash == commit {
                return Some(true);
            }
            if seen.len() > WALK_LIMIT {
                return None;
            }
            if !seen.insert(hash.clone()) {
                continue;
            }
            match self.commit(&hash) {
                Some(found) => open.extend(found.parents),
                None => missing = true,
            }
        }
        (!missing).then_some(false)
    }

    /// The paths that a commit changes against its first parent; `None` where an object is missing.
    pub fn changed_paths(&self, hash: &str) -> Option<BTreeSet<String>> {
        if let Some(paths) = self.exported.paths.get(hash) {
            return Some(paths.clone());
        }
        let commit = self.commit(hash)?;
        self.paths_between(commit.parents.first().map(String::as_str), hash)
    }

    /// The paths in which the trees of two commits differ, all of them where `before` is none; `None` where an object is missing.
    pub fn paths_between(&self, before: Option<&str>, after: &str) -> Option<BTreeSet<String>> {
        let old = match before {
            Some(before) => Some(self.commit(before)?.tree),
            None => None,
        };
        let new = self.commit(after)?.tree;
        let mut changed = BTreeSet::new();
        let mut budget = PATH_LIMIT;
        self.differ(old.as_deref(), Some(&new), "", 0, &mut changed, &mut budget)?;
        Some(changed)
    }

    fn differ(
        &self,
        old: Option<&str>,
        new: Option<&str>,
        below: &str,
        depth: usize,
        changed: &mut BTreeSet<String>,
        budget: &mut usize,
    ) -> Option<()> {
        if old == new {
            return Some(());
        }
        if depth > 64 {
            return None;
        }
        let list = |hash: Option<&str>| hash.map_or(Some(Vec::new()), |hash| self.tree(hash));
        let by_name = |entries: Vec<Entry>| entries.into_iter().map(|entry| (entry.name.clone(), entry)).collect::<BTreeMap<_, _>>();
        let (old, new) = (by_name(list(old)?), by_name(list(new)?));
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names {
            let (before, after) = (old.get(name), new.get(name));
            if before.map(|entry| &entry.content) == after.map(|entry| &entry.content) {
                continue;
            }
            *budget = budget.checked_sub(1)?;
            let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            let folder = |entry: Option<&Entry>| entry.filter(|entry| entry.folder).map(|entry| entry.content.1.clone());
            let (old_folder, new_folder) = (folder(before), folder(after));
            if old_folder.is_some() || new_folder.is_some() {
                self.differ(old_folder.as_deref(), new_folder.as_deref(), &path, depth + 1, changed, budget)?;
            }
            if before.is_some_and(|entry| !entry.folder) || after.is_some_and(|entry| !entry.folder) {
                changed.insert(path);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::MemoryFolder;
    use std::io::Write;

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    }

    fn add(folder: &mut MemoryFolder, kind: Kind, body: &[u8]) -> String {
        use sha1::{Digest, Sha1};
        let mut whole = format!("{} {}\0", kind.word(), body.len()).into_bytes();
        whole.extend_from_slice(body);
        let hash = crate::json::hex(&Sha1::digest(&whole));
        folder.file(format!("objects/{}/{}", &hash[..2], &hash[2..]), zlib(&whole));
        hash
    }

    fn tree_of(names: &[(&str, u8)]) -> Vec<u8> {
        names.iter().flat_map(|(name, byte)| [format!("100644 {name}\0").as_bytes(), &[*byte; 20]].concat()).collect()
    }

    #[test]
    fn commits_are_compared_by_their_trees() {
        let mut folder = MemoryFolder::default();
        let old = add(&mut folder, Kind::Tree, &tree_of(&[("a", 1), ("b", 2)]));
        let new = add(&mut folder, Kind::Tree, &tree_of(&[("a", 1), ("b", 3), ("c", 4)]));
        let first = add(&mut folder, Kind::Commit, format!("tree {old}\nauthor A <a> 1 +0000\ncommitter A <a> 5 +0000\n\nx\n").as_bytes());
        let second = add(&mut folder, Kind::Commit, format!("tree {new}\nparent {first}\ncommitter A <a> 9 +0000\n\ny\n").as_bytes());
        folder.file("HEAD", "ref: refs/heads/main\n");
        folder.file("refs/heads/main", format!("{second}\n"));
        let repository = Repository::read(Box::new(folder)).expect("records");
        assert_eq!(repository.whole_hash(&second[..7]), Some(second.clone()));
        assert_eq!(repository.changed_paths(&second).expect("all objects are there"), BTreeSet::from(["b".to_owned(), "c".to_owned()]));
        assert_eq!(repository.reaches(&second, &first), Some(true));
        assert_eq!(repository.reaches(&first, &second), Some(false));
        assert_eq!(repository.commit(&second).map(|commit| commit.at), Some(9));
        assert!(Repository::read(Box::new(MemoryFolder::default())).is_none());
    }

    /// Made by Git in a repository of that format, once.
    #[test]
    fn objects_named_by_sha256_are_read() {
        let bundle: &[u8] = include_bytes!("../../../fixtures/objects/sha256.bundle");
        let repository = Repository::of_pack(bundle).expect("a bundle");
        let tip = repository.refs.get("refs/heads/main").expect("a branch").clone();
        assert_eq!(tip.len(), 64);
        assert_eq!(repository.commit(&tip).map(|commit| commit.at), Some(1_790_000_060));
        assert_eq!(repository.changed_paths(&tip), Some(BTreeSet::from(["b.txt".to_owned(), "src/a.txt".to_owned()])));
        // A pack alone says by its own digest how its objects are named.
        let pack: &[u8] = include_bytes!("../../../fixtures/objects/sha256.pack");
        let alone = Repository::of_pack(pack).expect("a pack");
        assert_eq!(alone.whole_hash(&tip[..7]), Some(tip.clone()));
        assert_eq!(alone.changed_paths(&tip), repository.changed_paths(&tip));
        let unknown = bundle.to_vec();
        let text = b"@object-format=sha256";
        let at = unknown.windows(text.len()).position(|bytes| bytes == text).expect("it says its format");
        let unknown = [&unknown[..at], b"@object-format=sha512", &unknown[at + text.len()..]].concat();
        assert!(Pack::read(&unknown).is_none(), "a format that is not known is not guessed at");
    }

    #[test]
    fn hostile_packs_end() {
        assert!(Pack::read(b"PACK\0\0\0\x02\xff\xff\xff\xff").is_none());
        assert!(Pack::read(b"# v2 git bundle\n\nPACK").is_none());
        assert!(Pack::read(b"PACK\0\0\0\x02\0\0\0\x01\xb0").is_none());
    }
}
