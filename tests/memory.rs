//! The commands of evidence memory and artifacts, as a shell sees them.
#![expect(clippy::disallowed_methods, reason = "these tests are about files")]

#[path = "commands/landfall.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod landfall_binary;
#[path = "commands/process.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod process;

use landfall::edge::ledger::LedgerFile;
use landfall::json::{Value, parse};
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Ledger, Record};
use landfall_binary::{Landfall, landfall};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A file with this text, and the folders above it.
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// The same, last modified long ago.
    fn old_file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.file(name, text);
        let file = std::fs::File::options().write(true).open(&path).expect("it opens");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000)).expect("it has a time");
        path
    }

    /// The binary with these arguments, in this folder.
    fn landfall(&self, arguments: &[&str]) -> Landfall {
        landfall(arguments).at(self.0.path())
    }

    fn artifact(&self, name: &str) -> PathBuf {
        self.path(ARTIFACTS).join(name)
    }
}

/// A command with more arguments.
fn with(command: Landfall, arguments: &[&str]) -> Landfall {
    arguments.iter().fold(command, |command, argument| command.arg(argument))
}

const ARTIFACTS: &str = "data/cluster_runtime/latest/artifacts";
const VALID: &str = r#"{"type": "memory_replay_latest_summary", "status": "passed", "contract_ok": true}"#;

fn evidence(gid: &str) -> String {
    format!(
        r#"{{"type": "memory_record", "record_kind": "explorer_useful_evidence", "gid": "{gid}", "url": "https://docs.python.org/3/{gid}.html",
        "content_preview": "Notes on the memory of agents\u001b[2J and what they retrieve.", "content_hash": "h-{gid}",
        "source_score": 0.8, "system_relevance_score": 0.75, "topic_tags": ["memory"]}}"#
    )
}

fn json(text: &str) -> Value<'_> {
    parse(text.as_bytes()).unwrap_or_else(|fault| panic!("{}: {text}", fault.describe()))
}

fn count(value: &Value<'_>, name: &str) -> Option<i64> {
    value.get(name)?.as_number()?.as_integer()
}

fn ledger(path: &Path) {
    let mut ledger = LedgerFile::open(path, "node").expect("it opens");
    let mut around = Scripted::new(1.0, 1.0);
    let weak = evidence("weak").replace("0.8", "0.1");
    for text in [&evidence("a"), &evidence("b"), &weak, &r#"{"type": "swarm_directive", "gid": "d"}"#.to_owned()] {
        ledger.publish(Record::parse(text).expect("it is a record"), &mut around).expect("it publishes");
    }
}

#[test]
fn a_query_asks_the_ledger_and_an_absent_one_is_empty_and_valid() {
    let scratch = Scratch::new();
    let empty = scratch.landfall(&["memory", "query", "--json", "--check-contract"]).ends_with(0);
    let (text, fine) = empty.out.rsplit_once('}').expect("it prints an object");
    assert_eq!(fine.trim(), "\u{2705} memory evidence query contract OK");
    assert_eq!(count(&json(&format!("{text}}}")), "catalog_item_count"), Some(0));

    ledger(&scratch.path("l.db"));
    let query = |arguments: &[&str]| with(scratch.landfall(&["memory", "query", "--db-path", "l.db"]), arguments);
    let ran =
        query(&["--json", "--text-query", "AGENTS memory", "--limit", "1", "--tag", "Memory", "--json-output", "out/r.json"]).ends_with(0);
    let result = json(&ran.out);
    let counts = ["catalog_item_count", "matched_count", "result_count", "recent_limit"].map(|name| count(&result, name));
    assert_eq!(counts, [Some(2), Some(2), Some(1), Some(1000)]);
    assert!(ran.err.contains("1 evidence records of the ledger could not be ingested"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(scratch.path("out/r.json")).expect("it was written"), ran.out);
    scratch.landfall(&["memory", "check-query", "out/r.json"]).ends_with(0);

    let told = query(&["--domain", "DOCS.python.org"]).ends_with(0);
    assert!(told.out.contains("agents?[2J") && !told.out.contains('\u{1b}'), "{}", told.out);
    let none = query(&["--min-ranking-score", "0.99"]).ends_with(0);
    assert!(none.out.contains("results: none"), "{}", none.out);
    query(&["--min-ranking-score", "nan"]).ends_with(2);
}

#[test]
fn a_replay_finds_what_a_file_and_a_ledger_recorded() {
    let scratch = Scratch::new();
    ledger(&scratch.path("l.db"));
    let inner = evidence("c").replace('\n', " ").replace('\\', "\\\\").replace('"', "\\\"");
    scratch.file("loop.json", &format!(r#"{{"ticks": [{}, {{"text": "{inner}"}}]}}"#, evidence("a")));
    let replayed = |arguments: &[&str]| {
        let ran = with(scratch.landfall(&["memory", "replay-query", "--json"]), arguments).ends_with(0);
        let result = json(&ran.out);
        ["seen", "replayed", "rejected"].map(|name| count(&result, &format!("explorer_memory_records_{name}")))
    };
    assert_eq!(replayed(&["--json-input", "loop.json", "--db-path", ""]), [Some(2), Some(2), Some(0)]);
    assert_eq!(replayed(&["--json-input", "loop.json", "--db-path", "l.db"]), [Some(4), Some(3), Some(1)]);
    assert_eq!(replayed(&["--db-path", "l.db", "--max-rows-per-table", "1"]), [Some(1), Some(1), Some(0)]);
    assert_eq!(replayed(&[]), [Some(0), Some(0), Some(0)]);
    scratch.file("broken.json", "{");
    scratch.landfall(&["memory", "replay-query", "--json-input", "broken.json"]).ends_with(1);
    scratch.landfall(&["memory", "replay-query", "--json-input", "none.json"]).ends_with(3);
}

#[test]
fn checkers_say_each_reason_and_refuse_what_is_no_object() {
    let scratch = Scratch::new();
    scratch.file("r.json", r#"{"type": "memory_evidence_query_result", "embedding_status": "\u001b[2J"}"#);
    let ran = scratch.landfall(&["memory", "check-query", "r.json"]).ends_with(1);
    assert_eq!((&*ran.out, ran.err.lines().next()), ("", Some("memory evidence query contract failed:")));
    assert!(ran.err.contains("\n- invalid embedding_status: '?[2J'\n"), "{}", ran.err);
    let ran = scratch.landfall(&["memory", "check-smoke", "r.json"]).ends_with(1);
    assert!(
        ran.err.starts_with("explorer memory replay smoke contract failed:\n- type must be explorer_memory_replay_smoke_result\n"),
        "{}",
        ran.err
    );
    for (name, text) in [("list.json", "[]"), ("broken.json", "{"), ("twice.json", r#"{"a": 1, "a": 2}"#)] {
        scratch.file(name, text);
        scratch.landfall(&["memory", "check-query", name]).ends_with(1);
    }
    scratch.landfall(&["memory", "check-query", "none.json"]).ends_with(3);
    scratch.landfall(&["memory", "check-query"]).ends_with(2);
}

#[test]
fn an_index_judges_and_deletes_nothing() {
    let scratch = Scratch::new();
    scratch.landfall(&["artifacts", "index"]).ends_with(0);
    scratch.landfall(&["artifacts", "index", "--check-contract"]).ends_with(1);
    scratch.old_file(&format!("{ARTIFACTS}/old.json"), VALID);
    let ran = scratch.landfall(&["artifacts", "index", "--retention-max-age-days", "1", "--require-contract"]).ends_with(0);
    assert!(
        ran.out.contains("stale_artifact_count=1") && ran.out.ends_with("\u{2705} cluster latest artifacts contract OK\n"),
        "{}",
        ran.out
    );
    scratch.file(&format!("{ARTIFACTS}/bad.json"), "{");
    let ran = scratch.landfall(&["artifacts", "index", "--json", "--check-contract"]).ends_with(1);
    assert_eq!(count(&json(&ran.out), "invalid_artifact_count"), Some(1));
    assert!(scratch.artifact("old.json").exists());
}

#[test]
fn a_cleanup_deletes_only_when_told_and_only_in_its_folder() {
    let scratch = Scratch::new();
    let old = scratch.old_file(&format!("{ARTIFACTS}/old.json"), VALID);
    scratch.file(&format!("{ARTIFACTS}/fresh.json"), VALID);
    let elsewhere = scratch.old_file("elsewhere/old.json", VALID);
    let cleanup =
        |arguments: &[&str]| with(scratch.landfall(&["artifacts", "cleanup", "--json", "--retention-max-age-seconds", "60"]), arguments);
    for arguments in [&[][..], &["--dry-run", "--check-contract"]] {
        let ran = cleanup(arguments).ends_with(0);
        assert!(ran.out.contains("\"would_delete_count\": 1"), "{}", ran.out);
    }
    let refused = cleanup(&["--execute-delete-local-artifacts", "--artifacts-root", "elsewhere"]).ends_with(1);
    assert_eq!(json(&refused.out).get("status").and_then(Value::as_str), Some("blocked"), "the result is printed all the same");
    assert!(refused.err.contains("- artifacts_root_allowed must be true in execute mode\n"), "{}", refused.err);
    cleanup(&["--execute-delete-local-artifacts", "--dry-run"]).ends_with(2);
    assert!(old.exists() && elsewhere.exists());

    let done = cleanup(&["--execute-delete-local-artifacts", "--check-contract"]).ends_with(0);
    assert!(done.out.ends_with("\u{2705} cluster latest artifacts cleanup execute-local-artifacts contract OK\n"), "{}", done.out);
    assert!(!old.exists() && scratch.artifact("fresh.json").exists());

    symlink(&elsewhere, &old).expect("a link");
    let ran = cleanup(&["--execute-delete-local-artifacts"]).ends_with(1);
    assert_eq!(json(&ran.out).get("status").and_then(Value::as_str), Some("failed"));
    assert!(elsewhere.exists() && old.symlink_metadata().is_ok());
}

#[test]
fn the_latest_smoke_artifact_is_found_and_checked() {
    let scratch = Scratch::new();
    let latest = |arguments: &[&str]| with(scratch.landfall(&["memory", "replay-latest", "--json"]), arguments);
    assert_eq!(json(&latest(&[]).ends_with(0).out).get("status").and_then(Value::as_str), Some("missing"));
    latest(&["--require-contract"]).ends_with(1);
    scratch.file(&format!("{ARTIFACTS}/explorer_memory_replay_smoke.json"), r#"{"status": "passed"}"#);
    let ran = latest(&["--check-contract"]).ends_with(1);
    let found = json(&ran.out);
    assert_eq!(
        found.get("artifact_path").and_then(Value::as_str),
        Some("data/cluster_runtime/latest/artifacts/explorer_memory_replay_smoke.json")
    );
    assert_eq!(json(&latest(&["--json-path", "none.json"]).ends_with(0).out).get("status").and_then(Value::as_str), Some("missing"));
}

#[test]
fn a_recorded_loop_is_taken_to_an_answered_query() {
    let scratch = Scratch::new();
    let records: Vec<_> = ["a", "b", "c", "d", "e"]
        .map(|gid| evidence(gid).replacen('{', "{\"embedding_status\": \"pending\", \"embedding_dim\": 0, ", 1))
        .to_vec();
    let counts = r#""source_adapter_targets_seen": {"evidence": 5}, "source_adapter_targets_selected": {"evidence": 5}"#;
    let explorer = |published: u32| {
        format!(
            r#"{{"type": "explorer_network_read_loop_result", "total_memory_records_published": {published}, "total_targets_published": 20,
            "total_findings_emitted": 5, "node": {{{counts}}}, "memory_replay_artifact": {{"type": "explorer_memory_replay_artifact",
            "record_count": 5, "available_record_count": 5, "limit": 20, "records": [{}]}}}}"#,
            records.join(",")
        )
    };
    scratch.file("loop.json", &explorer(5));
    let smoke = |arguments: &[&str]| with(scratch.landfall(&["memory", "replay-smoke", "--explorer-result", "loop.json"]), arguments);
    let ran = smoke(&["--write-latest", "--work-dir", "work", "--json-output", "smoke.json", "--check-contract"]).ends_with(0);
    assert_eq!(
        ran.out,
        "\u{2705} explorer source-planned evidence loop contract OK\n\u{2705} memory evidence query contract OK\n\
         \u{2705} explorer memory replay smoke OK\n\u{2705} explorer memory replay smoke contract OK\n"
    );
    scratch.landfall(&["memory", "check-smoke", "smoke.json"]).ends_with(0);
    scratch.landfall(&["memory", "check-query", "work/explorer_memory_replay_query.json"]).ends_with(0);
    scratch.landfall(&["memory", "replay-latest", "--check-contract"]).ends_with(0);
    scratch.landfall(&["artifacts", "index", "--check-contract"]).ends_with(0);

    scratch.file("loop.json", &explorer(4));
    std::fs::remove_file(scratch.path("smoke.json")).expect("it goes");
    let ran = smoke(&["--json-output", "smoke.json"]).ends_with(1);
    assert!(
        ran.err.starts_with("explorer source-planned evidence loop contract failed:\n- insufficient memory evidence yield"),
        "{}",
        ran.err
    );
    assert!(!scratch.path("smoke.json").exists(), "nothing is written of what broke");
    smoke(&["--explorer-result", "none.json"]).ends_with(2);
}

#[test]
fn check_memory_answers_one_question_a_line() {
    let questions = "{\"area\": \"template\", \"input\": {\"op\": \"validate\", \"template\": {}}}\n{\"area\": \"yield\", \"input\": {\"op\": \"yield\"}}\n\
                     {\"area\": \"yield\", \"input\": {\"op\": \"none\"}}\n{\"area\": \"cleanup\", \"input\": {\"op\": \"run\", \"root_kind\": \"?\"}}\n[]\n";
    let ran = landfall(&["check", "memory", "--jsonl"]).input(questions).ends_with(1);
    let answers: Vec<_> = ran.out.lines().map(json).collect();
    let statuses: Vec<_> = answers.iter().map(|answer| answer.get("status").and_then(Value::as_str).expect("a status")).collect();
    assert_eq!(statuses, ["blocked", "pass", "blocked", "blocked", "blocked"]);
    assert_eq!(answers[0].get("output").and_then(|output| output.get("errors")?.elements()).map(<[_]>::len), Some(3));
    let code = |index: usize| answers[index].get("codes").and_then(|codes| codes.elements()?.first()?.as_str());
    assert_eq!([code(2), code(3)], [Some("memory_operation_unknown"), Some("memory_layout_unreadable")]);
}
