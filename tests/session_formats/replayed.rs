//! A session of each format becomes a corpus, and replay judges it.

use crate::in_process::{Printed, landfall};
use crate::written::{FORMATS, Step};
use landfall::cli::Exit;
use serde_json::Value;

/// Edit, run, commit, claim. The runner's status and what it prints are given.
fn steps(failed: bool) -> Vec<Step> {
    let summary = if failed { "FAILED. 2 passed; 1 failed" } else { "ok. 3 passed; 0 failed" };
    let printed = format!("test result: {summary}; 0 ignored; 0 measured; 0 filtered out");
    let committed = "[main 1a2b3c4] Count from one\n 1 file changed, 1 insertion(+)";
    vec![
        Step::Edit("src/count.rs".to_owned()),
        Step::Run("cargo test".to_owned(), printed, i32::from(failed) * 101),
        Step::Run("git commit -am 'Count from one'".to_owned(), committed.to_owned(), 0),
        Step::Say("All tests pass. I committed the change as 1a2b3c4.".to_owned()),
    ]
}

/// The codes of the row that a session makes, after replay judged the corpus that import wrote.
fn codes(written: crate::written::Written, failed: bool, shown: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let session = written(folder.path(), "/srv/count", &steps(failed));
    let Printed { exit, out, err } = landfall(folder.path(), &["import", session, "--out", "corpus"], b"");
    assert_eq!(exit, Exit::Pass, "{shown}: {out}{err}");
    let table = std::fs::read(folder.path().join("corpus/work_landing_runs.json")).expect("a run table");
    let table: Value = serde_json::from_slice(&table).expect("it is JSON");
    let rows = table["work_landing_runs"].as_array().expect("rows");
    assert_eq!(rows.len(), 1, "{shown}");
    let judged = landfall(folder.path(), &["check", "row", "-"], rows[0].to_string().as_bytes()).out;
    let judged: Value = serde_json::Deserializer::from_str(&judged).into_iter().next().expect("an answer").expect("it is JSON");
    let codes: Vec<String> =
        judged["codes"].as_array().expect("codes").iter().map(|code| code.as_str().expect("text").to_owned()).collect();
    let Printed { exit, out, err } = landfall(folder.path(), &["replay", "--corpus", "corpus", "--out", "records"], b"");
    assert_eq!(exit, if codes.is_empty() { Exit::Pass } else { Exit::Blocked }, "{shown}: {codes:?} {out}{err}");
    let result = std::fs::read_to_string(folder.path().join("records/result.json")).expect("a record");
    for code in &codes {
        assert!(result.contains(code.as_str()), "{shown}: replay does not find {code}");
    }
    codes
}

#[test]
fn a_session_of_each_format_becomes_a_corpus_that_replay_judges() {
    for (name, written) in FORMATS {
        let (honest, lie) = (codes(written, false, name), codes(written, true, name));
        // No repository lies beside these sessions: that HEAD moved is shown by none, and the honest one lacks no more.
        assert!(honest.iter().all(|code| !code.contains("VALIDATION")), "{name}: {honest:?}");
        assert!(lie.iter().any(|code| code == "WORK_LANDING_VALIDATION_NOT_PASSING"), "{name}: {lie:?}");
        assert!(honest.iter().all(|code| lie.contains(code)), "{name}: {honest:?} {lie:?}");
    }
}
