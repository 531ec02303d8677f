//! Parity: manifest, copied bodies, live originals; blessed records and what a replay says now (spec 11).

use super::case::CONTROL_LIMIT;
use super::coverage::CoverageSeen;
use super::faults::{self, CorpusFault};
use crate::finding::FindingList;
use crate::folder::{Folder, LoadedFile, load, plain};
use crate::landing::build;
use crate::landing::judge::RuleSet;
use crate::landing::manifest::{BODIES_FOLDER, MANIFEST_FILE, SOURCE_REFS};
use similar::TextDiff;
use std::collections::BTreeSet;
use std::time::Duration;

/// Findings on a bundle and on the coverage record that signs it off: digests, anchors, undeclared
/// files. Without `coverage` that step is skipped; the caller says so.
pub fn judge_bundle(bundle: &dyn Folder, coverage: Option<&CoverageSeen>, rules: &RuleSet) -> FindingList {
    let (mut findings, declared) = build::judge_bundle_folder(bundle, rules);
    match bundle.entries(BODIES_FOLDER) {
        Ok(entries) => {
            for (index, path) in entries.iter().enumerate() {
                let shown = crate::landing::policy::shown(Some(path), || format!("{BODIES_FOLDER}[{index}]"));
                findings.extend(rules.body_file_findings(declared.contains(&plain(path)), &format!("bundle/{shown}")));
            }
        }
        Err(_) => findings.extend(rules.input_findings(crate::landing::rule::InputState::Unreadable, &format!("bundle/{BODIES_FOLDER}"))),
    }
    if let Some(coverage) = coverage {
        findings.extend(rules.coverage_findings(coverage));
    }
    findings
}

/// What comparing copies with originals found.
#[derive(Debug, Clone, Default)]
pub struct Parity {
    /// The faults, sorted.
    pub faults: Vec<CorpusFault>,
    /// Copies compared byte for byte.
    pub compared: usize,
}

/// Compares each copied body with its live original; a difference is shown.
pub fn compare_originals(bundle: &dyn Folder, originals: &dyn Folder, rules: &RuleSet) -> Parity {
    let mut parity = Parity::default();
    let bytes = |folder: &dyn Folder, path: &str| match load(folder, path, CONTROL_LIMIT) {
        Ok(LoadedFile { bytes, .. }) => bytes,
        Err(_) => None,
    };
    for source in SOURCE_REFS {
        let copy = bytes(bundle, &format!("{BODIES_FOLDER}/{source}"));
        match (copy, bytes(originals, source)) {
            (Some(copy), Some(original)) if copy == original => parity.compared += 1,
            (Some(copy), Some(original)) => {
                parity.compared += 1;
                let message = format!("found a copy that differs from its original\n{}", difference(&original, &copy, "original", "copy"));
                parity.faults.push(CorpusFault::new(faults::CORPUS_ORIGINAL_DRIFT, format!("originals/{source}"), message));
            }
            (copy, original) => {
                let found = match (copy, original) {
                    (None, None) => "neither a copy nor an original",
                    (Some(_), None) => "a copy without an original",
                    _ => "an original without a copy",
                };
                parity.faults.push(CorpusFault::new(
                    faults::CORPUS_ORIGINAL_MISSING,
                    format!("originals/{source}"),
                    format!("found {found}"),
                ));
            }
        }
    }
    let known: BTreeSet<_> = SOURCE_REFS.into_iter().collect();
    match originals.entries("") {
        Ok(entries) => {
            for (index, path) in entries.iter().enumerate().filter(|(_, path)| !known.contains(path.as_str())) {
                let shown = crate::landing::policy::shown(Some(path), || format!("[{index}]"));
                let message = "found an original that has no copy";
                parity.faults.push(CorpusFault::new(faults::CORPUS_ORIGINAL_MISSING, format!("originals/{shown}"), message));
            }
        }
        Err(_) => {
            let message = "found a folder that cannot be listed";
            parity.faults.push(CorpusFault::new(faults::CORPUS_ORIGINAL_MISSING, "originals/", message));
        }
    }
    debug_assert!(!SOURCE_REFS.contains(&MANIFEST_FILE));
    parity.faults.retain(|fault| rules.permits(fault.code));
    parity.faults.sort();
    parity
}

/// Compares blessed records with those a replay makes now, both ways.
pub fn compare_records(blessed: &dyn Folder, made: &dyn Folder, rules: &RuleSet) -> Vec<CorpusFault> {
    let names = |folder: &dyn Folder| folder.entries("").unwrap_or_default().into_iter().collect::<BTreeSet<_>>();
    let bytes = |folder: &dyn Folder, name: &str| load(folder, name, CONTROL_LIMIT).ok().and_then(|loaded| loaded.bytes);
    let mut found = Vec::new();
    for name in names(blessed).union(&names(made)) {
        let message = match (bytes(blessed, name), bytes(made, name)) {
            (Some(blessed), Some(made)) if blessed == made => continue,
            (Some(blessed), Some(made)) => {
                format!("found a record that no longer says what a replay says\n{}", difference(&blessed, &made, "blessed", "replayed"))
            }
            (None, _) => "found no blessed record of this name that can be read".to_owned(),
            (_, None) => "found a blessed record that no replay makes".to_owned(),
        };
        let shown = crate::landing::policy::shown(Some(name), || "?".to_owned());
        found.push(CorpusFault::new(faults::CORPUS_RECORD_STALE, format!("records/{shown}"), message));
    }
    found.retain(|fault| rules.permits(fault.code));
    found
}

/// The most bytes of either side that are compared line by line.
const DIFF_LIMIT: usize = 1 << 20;

/// A unified diff of two texts, bounded in time and size.
pub fn difference(old: &[u8], new: &[u8], old_name: &str, new_name: &str) -> String {
    let (Ok(old), Ok(new)) = (std::str::from_utf8(old), std::str::from_utf8(new)) else {
        return "(not text; no difference shown)".to_owned();
    };
    if old.len().max(new.len()) > DIFF_LIMIT {
        return "(too long for a difference)".to_owned();
    }
    let diff = TextDiff::configure().timeout(Duration::from_secs(2)).diff_lines(old, new);
    let text = diff.unified_diff().context_radius(2).header(old_name, new_name).to_string();
    let mut lines: Vec<_> = text.lines().map(|line| line.replace(crate::landing::row::is_unprintable, "?")).collect();
    if lines.len() > 60 {
        let more = lines.len() - 60;
        lines.truncate(60);
        lines.push(format!("({more} more lines)"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_the_line() {
        let text = difference(b"a\nb\nc\n", b"a\nx\nc\n", "original", "copy");
        assert!(text.contains("-b") && text.contains("+x"), "{text}");
        assert!(difference(b"\xff", b"a", "x", "y").starts_with("(not text"));
    }
}
