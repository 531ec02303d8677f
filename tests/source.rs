//! House rules that a machine can hold.

use std::path::{Path, PathBuf};

/// The most lines of a file that says nothing of its length.
const LINES: usize = 400;

#[test]
fn a_long_file_says_why() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut read, mut silent) = (0, Vec::new());
    for folder in ["src", "xtask/src", "tests", "benches", "fuzz/src"] {
        for path in sources(&root.join(folder)) {
            read += 1;
            let text = text(&path);
            let front = text.lines().take_while(|line| line.starts_with("//!"));
            let says = front.map(str::to_lowercase).any(|line| line.contains("longer than most files") || line.contains("file is long"));
            if text.lines().count() > LINES && !says {
                silent.push(path.strip_prefix(root).expect("it lies below").display().to_string());
            }
        }
    }
    assert!(read > 500, "SOURCES_MISSING: only {read} files were read");
    assert!(silent.is_empty(), "more than {LINES} lines, and nothing at the top says why: {}", silent.join(", "));
}

/// The Rust files below a folder.
#[expect(clippy::disallowed_methods, reason = "the test reads the sources")]
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
    let paths = entries.map(|entry| entry.expect("it reads").path());
    paths
        .flat_map(|path| match path.extension() {
            // What was built of a package of its own is nobody's source.
            _ if path.ends_with("target") => Vec::new(),
            _ if path.is_dir() => sources(&path),
            Some(extension) if extension == "rs" => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "the test reads the sources")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a source is text")
}
