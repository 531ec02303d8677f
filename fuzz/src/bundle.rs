//! A folder as a bundle and as a corpus.

use super::folder::folder;
use landfall::folder::MemoryFolder;
use landfall::landing::build::{judge_bundle_folder, judge_corpus_folder, run_bundle, run_fixture};
use landfall::landing::judge::RuleSet;

/// The target.
pub fn feed(bytes: &[u8]) {
    let (rules, files) = (RuleSet::all(), folder(bytes));
    let (findings, _) = judge_bundle_folder(&files, &rules);
    let corpus = judge_corpus_folder(&files, &rules);
    if let Ok(run) = run_bundle(&files, None, &rules) {
        assert!(findings.total() == 0 || !run.result.is_green(), "a bundle is green whose modules are refused");
    }
    if let Ok(run) = run_fixture(&files, &MemoryFolder::default(), &rules) {
        assert!(!run.result.is_green(), "a corpus is green without any of its nine cases");
        assert!(corpus.total() == 0 || !run.result.blocking_findings().is_empty(), "findings of the corpus are lost");
    }
}
