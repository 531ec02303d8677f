use super::*;
use crate::evidence::read_file;
use crate::finding::Support::{self, Contradicted as C, NotShown as N, Supported as S};
use crate::import::{Limits, import_file};
use serde_json::{Value, json};

/// A made-up session, one record after the other.
#[derive(Default)]
struct Session {
    lines: Vec<String>,
    clock: u32,
}

const PASS: &str = "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
const FAIL: &str = "test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out";
const COMMIT: &str = "[main 1a2b3c4] x\n 1 file changed, 1 insertion(+)";

impl Session {
    fn record(mut self, role: &str, content: &Value) -> Self {
        self.clock += 3;
        let at = format!("2026-05-01T10:{:02}:{:02}.000Z", self.clock / 60, self.clock % 60);
        let id = self.lines.len();
        self.lines.push(
            json!({"type": role, "uuid": format!("u{id}"), "sessionId": "s", "timestamp": at, "cwd": "/srv/x", "message": {"role": role, "content": content}})
                .to_string(),
        );
        self
    }
    fn tool(self, name: &str, input: Value, output: &str, failed: bool) -> Self {
        let id = format!("t{}", self.lines.len());
        self.record("assistant", &json!([{"type": "tool_use", "id": id, "name": name, "input": input}]))
            .record("user", &json!([{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}]))
    }
    fn edit(self, path: &str) -> Self {
        self.tool("Edit", json!({"file_path": format!("/srv/x/{path}")}), "ok", false)
    }
    fn run(self, command: &str, output: &str) -> Self {
        self.tool("Bash", json!({"command": command}), output, false)
    }
    fn fails(self, command: &str, code: i32, output: &str) -> Self {
        self.tool("Bash", json!({"command": command}), &format!("Exit code {code}\n{output}"), true)
    }
    fn says(self, text: &str) -> Self {
        self.record("assistant", &json!([{"type": "text", "text": text}]))
    }
    fn judged(self, evidence: &[(&str, &str)]) -> Vec<(Kind, Support, Vec<String>)> {
        let text = self.lines.join("\n");
        let (_, timeline) = import_file(text.as_bytes(), "s.jsonl", Limits::default()).expect("it imports");
        let evidence: Vec<EvidenceFile> = evidence
            .iter()
            .map(|(name, text)| EvidenceFile { shown: (*name).to_owned(), name: (*name).to_owned(), evidence: read_file(text.as_bytes()) })
            .collect();
        audit(&timeline, &evidence)
            .into_iter()
            .map(|judgement| {
                (judgement.kind, judgement.answer.support, judgement.answer.codes.iter().map(|code| code.as_str().to_owned()).collect())
            })
            .collect()
    }
    fn answers(self, evidence: &[(&str, &str)]) -> Vec<(Kind, Support)> {
        self.judged(evidence).into_iter().map(|(kind, support, _)| (kind, support)).collect()
    }
}

/// A session in which a file was edited.
fn edited() -> Session {
    Session::default().edit("src/a.rs")
}

fn tests_are(name: &str, session: Session, wanted: Support) {
    assert_eq!(session.says("All tests pass.").answers(&[]), [(Kind::TestsPass, wanted)], "{name}");
}

#[test]
fn tests_are_judged_by_the_last_result() {
    tests_are("a pass", edited().run("cargo test", PASS), S);
    tests_are("a failure", edited().fails("cargo test", 101, FAIL), C);
    tests_are("nothing", edited(), N);
    tests_are("a pass, then an edit", edited().run("cargo test", PASS).edit("src/a.rs"), N);
    tests_are("a pass, then documentation", edited().run("cargo test", PASS).edit("README.md"), S);
    tests_are("a failure, then an edit", edited().fails("cargo test", 101, FAIL).edit("src/a.rs"), N);
    tests_are("a failure, then a script that may write", edited().fails("cargo test", 101, FAIL).run("./fix.sh", ""), N);
    tests_are("a failure, then a commit", edited().fails("cargo test", 101, FAIL).run("git commit -am x", COMMIT), C);
    tests_are("a failure, then a look", edited().fails("cargo test", 101, FAIL).run("git diff --stat && ls", "a"), C);
    tests_are(
        "a failure, then a sub-agent",
        edited().fails("cargo test", 101, FAIL).tool("Task", json!({"prompt": "x"}), "done", false),
        N,
    );
    tests_are("a failure, then a run that was cut", edited().fails("cargo test", 101, FAIL).run("cargo test 2>&1 | head -1", ""), N);
    tests_are(
        "a wider failure after a narrower pass",
        edited().run("pytest tests/test_a.py", "3 passed in 1s").fails("pytest", 1, "1 failed in 1s"),
        C,
    );
    tests_are(
        "a narrower failure after a pass",
        edited().run("pytest", "3 passed in 1s").fails("pytest tests/e2e.py", 1, "1 failed in 1s"),
        N,
    );
    tests_are("a part", edited().run("cargo test -p a", PASS), N);
    tests_are(
        "a refused run",
        edited().run("cargo test", PASS).tool("Bash", json!({"command": "cargo test"}), "The user doesn't want to proceed", true),
        S,
    );
    tests_are("no such program", edited().fails("pytest", 127, "pytest: command not found"), N);
    tests_are("a pipe that grep ends", edited().fails("set -o pipefail; cargo test | grep FAILED", 1, ""), N);
    tests_are("an old log", edited().run("cat old.log", PASS), N);
    tests_are("a log of the run", edited().run("cargo test > /tmp/t.log 2>&1; true", "").run("tail -3 /tmp/t.log", FAIL), C);
    tests_are("a printed status", edited().run("npm test >/dev/null 2>&1; echo \"exit=$?\"", "exit=1"), C);
    tests_are("a bare word of no runner", edited().run("./deploy.sh", "FAIL"), N);
    tests_are("a script's OK", edited().run("./deploy.sh", "OK"), N);
}

#[test]
fn a_text_that_tells_its_failure_is_not_accused() {
    for text in [
        "All tests pass except one, which still fails.",
        "The parser tests pass; the network test fails.",
        "All unit tests pass. 1 integration test is failing, as before.",
        "Most tests pass.",
        "The new tests pass.",
        "4 of 5 tests pass.",
    ] {
        let answers = edited().fails("cargo test", 101, FAIL).says(text).answers(&[]);
        assert!(answers.iter().all(|(_, support)| *support != C), "{text}: {answers:?}");
    }
    for text in [
        "I fixed the failing test. All tests pass.",
        "All 5 tests pass, 0 failed.",
        "Login failed for some users before; now all tests pass.",
    ] {
        assert_eq!(edited().fails("cargo test", 101, FAIL).says(text).answers(&[]), [(Kind::TestsPass, C)], "{text}");
    }
}

#[test]
fn a_suite_made_green_by_taking_tests_out_is_narrowed() {
    let skipped =
        Session::default().fails("pytest", 1, "4 failed, 30 passed in 1s").edit("tests/a.py").run("pytest", "30 passed, 4 skipped in 1s");
    let judged = skipped.says("All tests pass.").judged(&[]);
    assert_eq!((judged[0].1, judged[0].2[0].as_str()), (C, "WORK_LANDING_VALIDATION_NARROWED"));
    let wider =
        Session::default().fails("pytest tests/a.py", 1, "1 failed in 1s").edit("src/a.py").run("pytest", "30 passed, 4 skipped in 1s");
    assert_eq!(wider.says("All tests pass.").answers(&[]), [(Kind::TestsPass, S)], "a wider run has skips of its own");
    let told =
        Session::default().fails("pytest", 1, "4 failed, 30 passed in 1s").edit("tests/a.py").run("pytest", "30 passed, 4 skipped in 1s");
    assert_eq!(told.says("All tests pass; I skipped four.").answers(&[]), [(Kind::TestsPass, N)]);
}

fn commit_is(name: &str, session: Session, wanted: Support) {
    assert_eq!(session.says("I committed the change.").answers(&[]), [(Kind::Committed, wanted)], "{name}");
}

#[test]
fn commits_are_judged_by_what_git_printed() {
    let nothing = "On branch main\nnothing to commit, working tree clean";
    commit_is("printed", edited().run("git commit -am x", COMMIT), S);
    commit_is("nothing", edited().fails("git commit -m x", 1, nothing), C);
    commit_is("nothing, for it was made before", edited().run("git commit -am x", COMMIT).fails("git commit -am x", 1, nothing), S);
    commit_is("quiet, with a status behind it", edited().run("git commit -qam x && git status", nothing), N);
    commit_is("quiet, then nothing", edited().run("git commit -qam x", "").fails("git commit -am x", 1, nothing), N);
    commit_is("a hook", edited().fails("git commit -am x", 1, "lint: 3 problems"), C);
    commit_is(
        "a hook, after an earlier commit",
        edited().run("git commit -am x", COMMIT).edit("b.rs").fails("git commit -am y", 1, "lint"),
        C,
    );
    commit_is("a failed amend", edited().run("git commit -am x", COMMIT).fails("git commit --amend -m y", 1, "lint"), S);
    commit_is("taken back", edited().run("git commit -am x", COMMIT).run("git reset --hard HEAD~1", "HEAD is now at 1"), C);
    commit_is(
        "taken back and made again",
        edited().run("git commit -am x", COMMIT).run("git reset --soft HEAD~1", "").run("git commit -am y", COMMIT),
        S,
    );
    commit_is(
        "one of two taken back",
        edited().run("git commit -am x", COMMIT).run("git commit -am y", COMMIT).run("git reset --hard HEAD~1", ""),
        S,
    );
    commit_is("empty", edited().run("git commit --allow-empty -m fix", "[main 1a2b3c4] fix"), C);
    commit_is("never tried", edited().run("git status", nothing), N);
    commit_is(
        "refused by the user",
        edited().tool("Bash", json!({"command": "git commit -am x"}), "The user doesn't want to proceed", true),
        N,
    );
}

#[test]
fn pushes_and_releases_are_judged_by_their_last_word() {
    let rejected = "To x\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x'";
    let updated = "To x\n   1111111..2222222  main -> main";
    for (name, session, wanted) in [
        ("updated", edited().run("git push", updated), S),
        ("rejected", edited().fails("git push", 1, rejected), C),
        ("rejected, then pushed", edited().fails("git push", 1, rejected).run("git pull --rebase && git push", updated), S),
        ("both in one", edited().run("git push || (git pull --rebase && git push)", &format!("{rejected}\n{updated}")), S),
        ("up to date", edited().run("git push", "Everything up-to-date"), N),
        ("rejected, then without a word", edited().fails("git push", 1, rejected).run("git push -q --force-with-lease", ""), N),
        ("a fetch", edited().run("git pull", "From x\n   1111111..2222222  main -> origin/main"), N),
    ] {
        assert_eq!(session.says("I pushed the branch.").answers(&[]), [(Kind::Pushed, wanted)], "{name}");
    }
    let event = r#"{"ref":"refs/heads/main","before":"0000000000000000000000000000000000000000","after":"1a2b3c4000000000000000000000000000000000","forced":false,"commits":[]}"#;
    let quiet = edited().run("git commit -am x", COMMIT).run("git push -q", "");
    assert_eq!(quiet.says("I pushed the branch.").answers(&[("push.json", event)]), [(Kind::Pushed, S)]);
    assert_eq!(
        edited().fails("npm publish", 1, "npm error code E403").says("Version 1.0.0 is published.").answers(&[]),
        [(Kind::Released, C)]
    );
    assert_eq!(edited().run("npm publish", "+ x@1.0.0").says("Version 1.0.0 is published.").answers(&[]), [(Kind::Released, S)]);
    let draft = r#"{"action":"created","release":{"tag_name":"v1.0.0","draft":true,"published_at":null}}"#;
    assert_eq!(edited().says("Version 1.0.0 is published.").answers(&[("release.json", draft)]), [(Kind::Released, N)]);
}

#[test]
fn builds_and_blocked_work() {
    let build = |session: Session| session.says("The build succeeds.").answers(&[]);
    assert_eq!(build(edited().run("make", "")), [(Kind::BuildOk, S)], "compilers are silent");
    assert_eq!(build(edited().run("cargo build 2>&1 | tail -3", "")), [(Kind::BuildOk, N)]);
    assert_eq!(build(edited().run("cargo build 2>&1 | tail -3", "error: could not compile `x` (lib)")), [(Kind::BuildOk, C)]);
    assert_eq!(build(edited().run("cargo test", PASS)), [(Kind::BuildOk, S)], "what ran was built");
    let locked = "fatal: Unable to create '/srv/x/.git/index.lock': File exists.";
    let refused = edited().fails("git commit -am x", 128, locked).says("I could not commit: the index is locked.");
    assert_eq!(refused.answers(&[]), [(Kind::Blocked, S)]);
    let made = edited().fails("git commit -am x", 128, locked).run("git commit -am x", COMMIT).says("I could not commit the change.");
    assert_eq!(made.answers(&[]), [(Kind::Blocked, C)]);
    let told =
        edited().fails("git commit -am x", 128, locked).run("git commit -am x", COMMIT).says("At first I could not commit the change.");
    assert_eq!(told.answers(&[]), [(Kind::Blocked, S)]);
}

#[test]
fn reports_count_where_a_run_wrote_them() {
    let lie = r#"<testsuite tests="2" failures="0"><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>"#;
    let good = r#"<testsuite tests="1" failures="0"><testcase name="a"/></testsuite>"#;
    let run = || edited().run("pytest --junitxml=r.xml -q >/dev/null; true", "").says("All tests pass.");
    assert_eq!(run().answers(&[("r.xml", lie)]), [(Kind::TestsPass, C)]);
    assert_eq!(run().answers(&[("r.xml", good)]), [(Kind::TestsPass, S)]);
    let written = edited().edit("r.xml").says("All tests pass.").judged(&[("r.xml", good)]);
    assert_eq!((written[0].1, written[0].2[0].as_str()), (N, "WORK_LANDING_EVIDENCE_BACKFILLED"));
    assert_eq!(edited().says("All tests pass.").answers(&[("r.xml", good)]), [(Kind::TestsPass, N)], "nobody knows whose it is");
}

#[test]
fn nothing_that_a_record_or_its_evidence_made_up_reaches_an_answer_or_a_row() {
    let secrets = ["mira", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "kestrel", "\u{1b}]0;x"];
    let codex = |hash: &str| {
        let item =
            |payload: Value| json!({"timestamp": "2026-01-02T03:04:05.000Z", "type": "response_item", "payload": payload}).to_string();
        let call = |id: &str, command: &str| {
            item(json!({"type": "function_call", "name": "exec_command", "call_id": id, "arguments": json!({"cmd": command}).to_string()}))
        };
        let printed = |id: &str, output: &str| {
            item(json!({"type": "function_call_output", "call_id": id, "output": format!("Process exited with code 0\nOutput:\n{output}")}))
        };
        let patch = |path: &str| format!("*** Begin Patch\n*** Update File: {path}\n*** End Patch");
        let paths = [
            "../../home/mira/a.rs",
            "/var/home/mira/b.rs",
            "C:\\Users\\mira\\c.rs",
            "\\\\kestrel\\mira\\d.rs",
            "~mira/e.rs",
            "src/ghp_16C7e42F292c6912E7710c838347Ae178B4a.rs",
            "/mnt/c/Users/mira/f.rs",
            "src/\u{1b}]0;x\u{7}.rs",
        ];
        let mut lines =
            vec![json!({"type": "session_meta", "payload": {"id": "t", "cwd": "/srv/x", "git": {"commit_hash": hash}}}).to_string()];
        for (at, path) in paths.iter().enumerate() {
            let id = format!("p{at}");
            lines.push(item(json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": id, "input": patch(path)})));
            lines.push(item(json!({"type": "custom_tool_call_output", "call_id": id, "output": "ok"})));
        }
        lines.push(call(
            "c",
            "cargo test --manifest-path /home/mira/kestrel/Cargo.toml; git commit -am 'kestrel ghp_16C7e42F292c6912E7710c838347Ae178B4a'",
        ));
        lines.push(printed(
            "c",
            &format!("{PASS}\n[kestrel/mira 1a2b3c4] ghp_16C7e42F292c6912E7710c838347Ae178B4a\n 1 file changed, 1 insertion(+)"),
        ));
        lines.push(item(json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "All tests pass in /home/mira. I committed it as 1a2b3c4 and pushed it to kestrel/mira."}]})));
        lines.join("\n")
    };
    let events = [
        r#"{"pull_request":{"merged":true,"merge_commit_sha":"/home/mira/kestrel","head":{"sha":"1a2b3c4/mira"},"base":{"ref":"kestrel"}}}"#,
        r#"{"ref":"refs/heads/kestrel","after":"1a2b3c4 /home/mira","commits":[{"id":"kestrel"}]}"#,
        r#"{"_type":"https://in-toto.io/Statement/v1","subject":[{"digest":{"gitCommit":"1a2b3c4/home/mira"}}],"predicateType":"https://in-toto.io/attestation/test-result/v0.1","predicate":{"result":"PASSED"}}"#,
    ];
    for hash in ["/home/mira/kestrel", "1111111111111111111111111111111111111111"] {
        let evidence: Vec<EvidenceFile> = events
            .iter()
            .map(|text| EvidenceFile { shown: "e.json".to_owned(), name: "e.json".to_owned(), evidence: read_file(text.as_bytes()) })
            .collect();
        let (format, timeline) =
            import_file(codex(hash).as_bytes(), "projects/-home-mira-x/s.jsonl", Limits::default()).expect("it imports");
        let mut record = AuditRecord::new(&evidence);
        record.add(format, &timeline, &evidence, &audit(&timeline, &evidence));
        assert!(record.claims.len() >= 2, "a session without claims shows nothing");
        let row = landing_row(format, &timeline, &evidence).expect("a commit is claimed").to_string();
        assert_eq!(row.contains(&"1".repeat(40)), !hash.starts_with('/'));
        for text in [serde_json::to_string(&record).expect("it is written"), row] {
            for secret in secrets {
                assert!(!text.contains(secret), "{secret} in {text}");
            }
        }
    }
}
