//! The corpora of the fuzz targets, replayed without a fuzzer through the very functions that the targets run.

#![expect(clippy::disallowed_methods, reason = "a test reads its corpus")]

#[expect(unreachable_pub, reason = "the file is the library of another package")]
#[path = "../fuzz/src/lib.rs"]
mod targets;

#[path = "fuzz_corpus/reference.rs"]
mod reference;

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use targets::TARGETS;

/// The longest corpus file: whoever reviews it reads it.
const FILE_LIMIT: usize = 128 << 10;
/// All of the corpora together.
const TOTAL_LIMIT: usize = 1 << 20;

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// The names in a folder, without their ending.
fn stems(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(package().join(folder)).unwrap_or_else(|error| panic!("fuzz/{folder}: {error}"));
    let stem = |path: PathBuf| path.file_stem().expect("an entry has a name").to_string_lossy().into_owned();
    entries.map(|entry| stem(entry.expect("an entry reads").path())).collect()
}

#[test]
fn every_target_has_its_binary_and_its_corpus_and_there_are_no_others() {
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names.len(), TARGETS.len(), "FUZZ_TARGET_TWICE: two targets of one name");
    let manifest = fs::read_to_string(package().join("Cargo.toml")).expect("the manifest reads");
    let binaries = manifest.split("[[bin]]").skip(1).filter_map(|table| table.split('"').nth(1)).map(str::to_owned).collect();
    for (what, found) in [("FUZZ_CORPUS", stems("corpus")), ("FUZZ_TARGET_FILE", stems("fuzz_targets")), ("FUZZ_BINARY", binaries)] {
        let missing: Vec<_> = names.difference(&found).collect();
        let orphan: Vec<_> = found.difference(&names).collect();
        assert!(missing.is_empty() && orphan.is_empty(), "{what}_MISSING: of targets {missing:?}; {what}_WITHOUT_TARGET: {orphan:?}");
    }
    for name in &names {
        let file = fs::read_to_string(package().join(format!("fuzz_targets/{name}.rs"))).expect("the target reads");
        assert!(
            file.contains(&format!(" landfall_fuzz::{name}::feed(bytes)")),
            "FUZZ_TARGET_FILE_OTHER: fuzz_targets/{name}.rs runs another target"
        );
    }
}

#[test]
fn every_corpus_file_keeps_the_promises_of_its_target() {
    let (mut ran, mut total, mut broken) = (0, 0, Vec::new());
    for (name, target) in TARGETS {
        let folder = package().join("corpus").join(name);
        let mut files: Vec<_> = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("FUZZ_CORPUS_MISSING: {name}: {error}"))
            .map(|entry| entry.expect("an entry reads").path())
            .collect();
        files.sort();
        assert!(!files.is_empty(), "FUZZ_CORPUS_EMPTY: {name} has no corpus file");
        for file in files {
            let bytes = fs::read(&file).expect("a corpus file reads");
            assert!(bytes.len() <= FILE_LIMIT, "FUZZ_CORPUS_FILE_TOO_LARGE: {}", file.display());
            total += bytes.len();
            ran += 1;
            if catch_unwind(|| target(&bytes)).is_err() {
                broken.push(format!("{name}/{}", file.file_name().expect("a file has a name").display()));
            }
        }
    }
    assert!(broken.is_empty(), "{} of {ran} corpus files break a promise:\n{}", broken.len(), broken.join("\n"));
    assert!(total <= TOTAL_LIMIT, "FUZZ_CORPUS_TOO_LARGE: {total} bytes, and {TOTAL_LIMIT} are the limit");
}
