//! Folders of the shipped corpus and scratch copies of them.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A path below the repository's root.
pub(crate) fn shipped(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A folder that goes with the test.
pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a scratch folder")
}

/// A scratch folder that holds copies of these folders of the repository, at the same places.
pub(crate) fn copies(paths: &[&str]) -> tempfile::TempDir {
    let folder = scratch();
    for path in paths {
        copy(&shipped(path), &folder.path().join(path));
    }
    folder
}

/// A small repository: the first wave, the bundle, and of the cases the nine, which are judged in no time.
pub(crate) fn repository() -> tempfile::TempDir {
    let folder = copies(&["fixtures/first-wave", "fixtures/bundle"]);
    for (id, text) in landfall::corpus::builtin::NINE_TEXTS {
        write(&folder.path().join(format!("negative-cases/landing/{id}.json")), text);
    }
    folder
}

/// Copies a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("folders");
    for entry in fs::read_dir(from).expect("it lists") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("it copies");
        }
    }
}

/// Every entry below a folder, with the bytes of files and the targets of links.
pub(crate) fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("it lists") {
            let path = entry.expect("an entry").path();
            let bytes = if path.is_symlink() {
                fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
            } else if path.is_dir() {
                open.push(path.clone());
                Vec::new()
            } else if path.is_file() {
                fs::read(&path).expect("it reads")
            } else {
                // A FIFO would wait for a writer.
                b"special".to_vec()
            };
            found.insert(path, bytes);
        }
    }
    found
}

/// The names in a folder, sorted, without those that start with a dot.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it lists");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    names
}

/// A file's text.
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes a file, its folder too.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folders");
    fs::write(path, bytes).expect("it writes");
}

/// Replaces the first `old` in a file; it must be there, or the test would change nothing.
pub(crate) fn edit(path: &Path, old: &str, new: &str) {
    let text = read(path);
    assert!(text.contains(old), "{} has no {old}", path.display());
    write(path, text.replacen(old, new, 1));
}

/// A JSON file.
pub(crate) fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
