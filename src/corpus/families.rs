//! The families of a folder of negative cases, as one folder of cases.
//!
//! Where the cases of the landing family lie in `landing/`, they are seen at the top, as the nine are
//! named, and every other folder (`loop/` among them) beside them under its own name. Where there is no
//! `landing/`, the folder is seen as it is. Nothing of it is passed over.

use crate::folder::Folder;
use crate::landing::rule::InputState;
use std::collections::BTreeSet;
use std::io::{self, Read};

const LANDING: &str = "landing/";

/// A folder of cases of all families.
#[derive(Debug)]
pub struct Families<F> {
    folder: F,
    /// The folders beside `landing`; nothing where there is no `landing`.
    beside: Option<BTreeSet<String>>,
}

/// A file that lies beside the folder `landing`: whether it is a case of that family nobody can say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} lies beside the folder landing of the negative cases; keep the cases in one folder")]
pub struct CaseBeside(pub String);

impl<F: Folder> Families<F> {
    /// The families of a folder.
    ///
    /// # Errors
    /// A file beside `landing/`, by the name it can be shown under.
    pub fn of(folder: F) -> Result<Self, CaseBeside> {
        // What cannot be listed is found by whoever lists it.
        let entries = folder.entries("").unwrap_or_default();
        if !entries.iter().any(|entry| entry.starts_with(LANDING)) {
            return Ok(Self { folder, beside: None });
        }
        if let Some(beside) = entries.iter().find(|entry| !entry.contains('/')) {
            return Err(CaseBeside(crate::landing::policy::shown(Some(beside), || "a file".to_owned())));
        }
        let others = entries.iter().filter_map(|entry| Some(entry.split_once('/')?.0)).filter(|name| *name != "landing");
        let beside = Some(others.map(str::to_owned).collect());
        Ok(Self { folder, beside })
    }

    /// Whether a path begins with a folder beside `landing/`, or with that itself.
    fn is_whole(&self, path: &str) -> bool {
        let first = path.split('/').next().unwrap_or_default();
        path.contains('/') && (first == "landing" || self.beside.as_ref().is_some_and(|beside| beside.contains(first)))
    }
}

impl<F: Folder> Folder for Families<F> {
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send + '_>, InputState> {
        if self.beside.is_none() || self.is_whole(path) { self.folder.open(path) } else { self.folder.open(&format!("{LANDING}{path}")) }
    }

    fn entries(&self, path: &str) -> io::Result<Vec<String>> {
        if self.beside.is_none() {
            return self.folder.entries(path);
        }
        let mut entries = self.folder.entries("")?;
        for entry in &mut entries {
            if let Some(inside) = entry.strip_prefix(LANDING).filter(|inside| !self.is_whole(inside)) {
                *entry = inside.to_owned();
            }
        }
        let below = format!("{path}/");
        entries.retain(|entry| path.is_empty() || entry == path || entry.starts_with(&below));
        entries.sort();
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::{MemoryFolder, load};

    fn folder(paths: &[&str]) -> MemoryFolder {
        let mut folder = MemoryFolder::default();
        paths.iter().for_each(|path| folder.file(*path, *path));
        folder
    }

    #[test]
    fn every_file_is_seen_once_and_opens() {
        let files = ["landing/a.json", "landing/loop/b.json", "landing/sub/c.json", "loop/trail/d.json", "other/e.json"];
        let families = Families::of(folder(&files)).expect("nothing lies beside");
        let entries = families.entries("").expect("memory lists");
        assert_eq!(entries, ["a.json", "landing/loop/b.json", "loop/trail/d.json", "other/e.json", "sub/c.json"]);
        for entry in entries {
            let bytes = load(&families, &entry, 100).expect("it opens").bytes.expect("it is short");
            assert!(String::from_utf8_lossy(&bytes).ends_with(&entry), "{entry}");
        }
        assert_eq!(families.entries("loop").expect("memory lists"), ["loop/trail/d.json"]);
    }

    #[test]
    fn a_flat_folder_is_seen_as_it_is() {
        let families = Families::of(folder(&["a.json", "loop/b.json"])).expect("there is no folder landing");
        assert_eq!(families.entries("").expect("memory lists"), ["a.json", "loop/b.json"]);
        assert!(families.open("a.json").is_ok());
    }

    #[test]
    fn a_case_beside_the_folder_is_refused() {
        assert_eq!(Families::of(folder(&["landing/a.json", "b.json"])).err(), Some(CaseBeside("b.json".to_owned())));
    }
}
