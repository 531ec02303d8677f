//! `check-corpus`: passes on the repository, and names each place that one change breaks.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use crate::folders::{copies, edit, json, read, shipped, tree, write};
use crate::landfall_binary::landfall;
use crate::process::Ran;
use serde_json::Value;
use std::path::{Path, PathBuf};

const COPY: &str = "fixtures/bundle/source_modules/tools/meta/control/scoped_commit.py";
const ORIGINAL: &str = "fixtures/control-plane/tools/meta/control/scoped_commit.py";

/// The repository's corpus in a scratch folder.
struct Repository {
    root: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let root = copies(&["fixtures", "negative-cases"]);
        // Whether the shipped records are current is tests/records.rs's question.
        landfall::cli::bless(root.path()).expect("the copy is whole");
        Self { root }
    }

    /// What `check_bundle` looks at.
    fn of_bundle() -> Self {
        Self { root: copies(&["fixtures/bundle", "fixtures/control-plane", "fixtures/records"]) }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// The whole check, audit included.
    fn check(&self, exit: i32) -> Ran {
        landfall(&["check-corpus"]).at(self.root.path()).ends_with(exit)
    }

    /// Copies, originals and coverage alone: what can be had without the audit's time.
    fn check_bundle(&self, exit: i32) -> Ran {
        let folders = [
            "--bundle",
            "fixtures/bundle",
            "--originals",
            "fixtures/control-plane",
            "--coverage",
            "fixtures/records/negative-coverage.json",
        ];
        landfall(&["check-corpus"])
            .at(self.root.path())
            .arg("--format=text")
            .arg(folders[0])
            .arg(folders[1])
            .with(folders[2], folders[3])
            .with(folders[4], folders[5])
            .ends_with(exit)
    }
}

#[track_caller]
fn names_all(ran: &Ran, said: &[&str]) {
    let unsaid: Vec<_> = said.iter().filter(|text| !ran.out.contains(**text)).collect();
    assert!(unsaid.is_empty(), "{unsaid:?} is not in\n{}", ran.out);
}

#[test]
fn the_repository_passes_and_nothing_is_written() {
    let repository = Repository::new();
    let before = tree(repository.root.path());
    let ran = repository.check(0);
    assert_eq!(ran.err, "");
    let cases =
        tree(&shipped("negative-cases")).keys().filter(|path| path.extension().is_some_and(|extension| extension == "json")).count();
    let cases = format!("checked {cases} of {cases} negative cases judged");
    names_all(
        &ran,
        &[
            "corpus: pass",
            "6 of 6 copied bodies agree",
            "6 of 6 copies compared",
            &cases,
            "6 of 6 blessed records",
            "is no proof of any landing",
        ],
    );
    assert_eq!(before, tree(repository.root.path()));
    let ran = repository.check_bundle(0);
    names_all(
        &ran,
        &["corpus: pass", "6 of 6 copied bodies agree", "6 of 6 copies compared", "1 of 1 coverage records", "skipped negative cases"],
    );
}

#[test]
fn an_edited_copy_is_named() {
    let repository = Repository::of_bundle();
    edit(&repository.path(COPY), "def ", "def  ");
    let ran = repository.check_bundle(1);
    names_all(&ran, &["corpus: blocked", "5 of 6 copied bodies agree", "WORK_LANDING_SOURCE_MODULE_DIGEST_MISMATCH", "scoped_commit"]);
    names_all(&ran, &["CORPUS_ORIGINAL_DRIFT originals/tools/meta/control/scoped_commit.py", "+def  "]);
}

#[test]
fn an_edited_original_is_named() {
    let repository = Repository::of_bundle();
    edit(&repository.path(ORIGINAL), "def ", "def  ");
    let ran = repository.check_bundle(1);
    names_all(&ran, &["6 of 6 copied bodies agree", "CORPUS_ORIGINAL_DRIFT originals/tools/meta/control/scoped_commit.py", "-def  "]);
}

#[test]
fn copy_and_original_edited_alike_differ_from_the_manifest() {
    let repository = Repository::of_bundle();
    edit(&repository.path(COPY), "def ", "def  ");
    edit(&repository.path(ORIGINAL), "def ", "def  ");
    names_all(&repository.check_bundle(1), &["6 of 6 copies compared", "WORK_LANDING_SOURCE_MODULE_DIGEST_MISMATCH"]);
}

#[test]
fn an_edited_manifest_is_named() {
    for (old, new, code) in [
        ("\"sha256\": \"sha256:", "\"sha256\": \"sha256:0", "WORK_LANDING_SOURCE_MODULE_DIGEST_MISMATCH"),
        ("\"module_count\": 6", "\"module_count\": 7", "WORK_LANDING_SOURCE_MODULE_COUNT_MISMATCH bundle/source_module_manifest.json"),
        ("\"required_anchors\": [", "\"required_anchors\": [\"not in any body\",", "WORK_LANDING_SOURCE_MODULE_ANCHOR_MISSING"),
        ("\"exact_copy\"", "\"adapted_copy\"", "WORK_LANDING_SOURCE_MODULE_RELATION_UNVERIFIED"),
    ] {
        let repository = Repository::of_bundle();
        edit(&repository.path("fixtures/bundle/source_module_manifest.json"), old, new);
        names_all(&repository.check_bundle(1), &["corpus: blocked", code]);
    }
}

#[test]
fn a_body_or_an_original_too_many_or_too_few_is_named() {
    let repository = Repository::of_bundle();
    write(&repository.path("fixtures/bundle/source_modules/tools/meta/control/extra.py"), "pass\n");
    let ran = repository.check_bundle(1);
    names_all(&ran, &["WORK_LANDING_CORPUS_BODY_UNDECLARED bundle/source_modules/tools/meta/control/extra.py"]);
    let repository = Repository::of_bundle();
    write(&repository.path("fixtures/control-plane/tools/meta/control/extra.py"), "pass\n");
    names_all(&repository.check_bundle(1), &["CORPUS_ORIGINAL_MISSING originals/tools/meta/control/extra.py"]);
    std::fs::remove_file(repository.path(ORIGINAL)).expect("it is there");
    std::fs::remove_file(repository.path(COPY)).expect("it is there");
    let ran = repository.check_bundle(1);
    names_all(
        &ran,
        &["CORPUS_ORIGINAL_MISSING originals/tools/meta/control/scoped_commit.py", "WORK_LANDING_SOURCE_MODULE_TARGET_MISSING"],
    );
    names_all(&ran, &["5 of 6 copies compared"]);
}

#[test]
fn a_coverage_record_that_does_not_sign_off_is_named() {
    let repository = Repository::of_bundle();
    let record = repository.path("fixtures/records/negative-coverage.json");
    let text = read(&record);
    for (changed, code) in [
        (text.replacen("\"uncaptured_blocker\"", "\"captured_blocker\"", 1), "WORK_LANDING_CORPUS_ACCEPTANCE_NOT_PASSING coverage_record"),
        (text.replacen("\"status\": \"pass\"", "\"status\": \"blocked\"", 9), "WORK_LANDING_CORPUS_ACCEPTANCE_NOT_PASSING coverage_record"),
        ("[]".to_owned(), "WORK_LANDING_CORPUS_ACCEPTANCE_NOT_PASSING coverage_record"),
        (String::new(), "WORK_LANDING_CORPUS_ACCEPTANCE_MISSING coverage_record"),
    ] {
        write(&record, changed);
        names_all(&repository.check_bundle(1), &["corpus: blocked", code]);
    }
    std::fs::remove_file(&record).expect("it is there");
    names_all(&repository.check_bundle(1), &["WORK_LANDING_CORPUS_ACCEPTANCE_MISSING coverage_record"]);
}

#[test]
fn a_removed_case_is_named_by_what_lacks_it() {
    let repository = Repository::new();
    std::fs::remove_file(repository.path("negative-cases/landing/history_rewritten.json")).expect("it is there");
    let ran = repository.check(1);
    names_all(&ran, &["corpus: blocked", "RULE_WITHOUT_CASE WORK_LANDING_HISTORY_REWRITTEN"]);
    names_all(
        &ran,
        &["CORPUS_RECORD_STALE records/corpus-digests.json", "-      \"path\": \"negative-cases/landing/history_rewritten.json\""],
    );
    names_all(&ran, &["CORPUS_RECORD_STALE records/result.json", "CORPUS_RECORD_STALE records/negative-coverage.json"]);
}

#[test]
fn a_changed_byte_of_evidence_a_stale_record_and_files_that_nothing_reads_are_named() {
    let repository = Repository::new();
    let evidence = "fixtures/first-wave/evidence/validation/scoped-commit-landed.log";
    edit(&repository.path(evidence), "OK", "ok");
    edit(&repository.path("fixtures/records/board.json"), "\"count\": 3", "\"count\": 4");
    std::fs::rename(repository.path("fixtures/records/validation.json"), repository.path("fixtures/records/validation-2.json"))
        .expect("it moves");
    write(&repository.path("fixtures/first-wave/notes.txt"), "nobody reads this");
    write(&repository.path("fixtures/corpus/unnamed.json"), "{}");
    write(&repository.path("negative-cases/landing/notes.txt"), "nobody reads this");
    let ran = repository.check(1);
    names_all(&ran, &["CORPUS_RECORD_STALE records/corpus-digests.json", &format!("\"path\": \"{evidence}\"")]);
    names_all(&ran, &["CORPUS_RECORD_STALE records/result.json", "\"path\": \"corpus/evidence/validation/scoped-commit-landed.log\""]);
    names_all(&ran, &["CORPUS_RECORD_STALE records/board.json", "-      \"count\": 4", "+      \"count\": 3"]);
    names_all(&ran, &["CORPUS_RECORD_STALE records/validation.json", "CORPUS_RECORD_STALE records/validation-2.json"]);
    names_all(&ran, &["CASE_FILE_UNREAD fixtures/first-wave/notes.txt", "CASE_FILE_UNREAD fixtures/corpus/unnamed.json"]);
    names_all(&ran, &["CASE_FILE_UNREAD negatives/notes.txt"]);
}

#[test]
fn a_bundle_alone_says_what_is_skipped() {
    let ran = landfall(&["check-corpus", "--format", "json"]).with("--bundle", shipped("fixtures/bundle")).ends_with(0);
    let said: Value = serde_json::from_str(&ran.out).expect("one JSON object");
    assert_eq!((&said["status"], &said["codes"], &said["findings"]), (&"pass".into(), &serde_json::json!([]), &serde_json::json!([])));
    assert_eq!(said["skipped"].as_array().map(Vec::len), Some(3), "{said}");
    assert!(said["anti_claim"].as_str().is_some_and(|text| text.contains("no proof of any landing")), "{said}");
}

#[test]
fn without_its_folders_it_could_not_work() {
    let empty = crate::folders::scratch();
    for arguments in [&["check-corpus"][..], &["check-corpus", "--bundle", "no_such_folder"]] {
        let ran = landfall(arguments).at(empty.path()).ends_with(3);
        assert!(ran.err.starts_with("landfall: no bundle at ") && ran.out.is_empty(), "{}", ran.err);
    }
    let missing = landfall(&["check-corpus", "--originals", "no_such_folder"]).with("--bundle", shipped("fixtures/bundle"));
    missing.at(empty.path()).ends_with(3);
}

#[test]
fn the_other_commands_agree_on_the_copy() {
    // `check manifest` and `check-corpus` look at one bundle with one eye.
    let repository = Repository::of_bundle();
    edit(&repository.path(COPY), "def ", "def  ");
    let ran = landfall(&["check", "manifest"]).arg(repository.path("fixtures/bundle")).ends_with(1);
    let answer: Value = serde_json::from_str(&ran.out).expect("one JSON object");
    let ran = landfall(&["check-corpus", "--format", "json"]).with("--bundle", repository.path("fixtures/bundle")).ends_with(1);
    let report: Value = serde_json::from_str(&ran.out).expect("one JSON object");
    assert_eq!(answer["codes"], report["codes"]);
    assert_eq!(answer["findings"], report["findings"]);
    let manifest = json(Path::new(&repository.path("fixtures/bundle/source_module_manifest.json")));
    assert_eq!(manifest["modules"].as_array().map(Vec::len), Some(6));
}
