//! The commands of the experience loop over a ledger file, as a shell sees them.
#![expect(clippy::disallowed_methods, reason = "these tests are about processes")]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The binary with these arguments over a ledger in `folder`.
fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_landfall"));
    command.args(arguments.split_whitespace()).current_dir(folder).env_remove("LANDFALL_LEDGER").stdin(Stdio::null());
    command
}

/// Exit code and standard output.
fn said(folder: &Path, arguments: &str) -> (i32, String) {
    told(&command(folder, arguments).output().expect("the binary starts"))
}

fn told(output: &Output) -> (i32, String) {
    (output.status.code().expect("it ends by itself"), String::from_utf8(output.stdout.clone()).expect("it prints text"))
}

/// A cluster in the background; ended when the test is.
struct Running(Option<Child>);

impl Running {
    fn start(folder: &Path, arguments: &str) -> Self {
        let child = command(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary starts");
        Self(Some(child))
    }

    /// Asks it to end, and waits until it has.
    fn terminated(mut self) -> (i32, String) {
        let child = self.0.take().expect("it ends once");
        let asked = Command::new("kill").arg(child.id().to_string()).status().expect("kill starts");
        assert!(asked.success());
        told(&child.wait_with_output().expect("it ends"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn the_walk_of_a_directive_without_a_second_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let seeded = said(at, "loop seed directive --directive-id d1 --db-path l.db");
    let db = at.join("l.db");
    assert_eq!(seeded, (0, format!("id=d1 action=REDUCE_RISK target=swarm:trade db={}\n", db.display())));
    let (code, early) = said(at, "loop publish evidence --directive-id d1 --db-path l.db");
    assert!(code == 0 && early.contains("status=failed confidence=0.0"), "evidence is published even when failed: {early}");
    let (code, answers) = said(at, "loop run nodes --once --db-path l.db");
    assert_eq!(code, 0);
    assert!(answers.contains("node_id=trade-1 directive_id=d1 status=applied reason=directive_applied\n"), "{answers}");
    assert_eq!(said(at, "loop run nodes --once --db-path l.db"), (0, String::new()), "a restart answers nothing again");
    let (code, evidence) = said(at, "loop publish evidence --directive-id d1 --db-path l.db");
    let lines: Vec<_> = evidence.lines().collect();
    assert!(code == 0 && lines[0].starts_with("evidence_id="), "{evidence}");
    assert!(lines[0].ends_with(" subject=runtime_directive_seed_check status=passed confidence=1.0 directive_id=d1"), "{evidence}");
    let checks = [
        "name=directive_seeded status=passed value=true",
        "name=directive_result_published status=passed value=true",
        "name=directive_applied status=passed value=applied",
    ];
    assert_eq!(lines[1..], checks);
    let (code, bridged) = said(at, "loop bridge --directive-id d1 --db-path l.db");
    assert_eq!((code, bridged.lines().count()), (0, 2), "evidence of any status is bridged: {bridged}");
    assert_eq!(said(at, "loop bridge --directive-id d1 --db-path l.db"), (0, String::new()), "once");
    assert_eq!(said(at, "loop bridge --subject none --db-path l.db"), (0, String::new()), "no match is no error");
    let (code, scenarios) = said(at, "loop publish scenarios --db-path l.db");
    assert!(code == 0 && scenarios.starts_with("scenario_id=replay-d1 status=pending action=REDUCE_RISK"), "{scenarios}");
    let (code, checked) = said(at, "loop run replay-check --with-nodes --scenario-id replay-d1 --directive-id r1 --db-path l.db");
    assert_eq!((code, checked.lines().count()), (0, 10), "{checked}");
    assert!(checked.starts_with("status=passed scenario_id=replay-d1 directive_id=r1\nname=scenario_seeded status=passed"), "{checked}");
}

#[test]
fn a_replay_check_that_nobody_answers_fails_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = "loop run replay-check --timeout-profile patient --wait-seconds 0.2 --format json --db-path l.db";
    let (code, result) = said(folder.path(), arguments);
    let result: serde_json::Value = serde_json::from_str(&result).expect("one JSON object");
    let payload = &result["payload"];
    assert_eq!((code, &result["status"]), (1, &"failed".into()));
    assert_eq!(payload["failure_reason"], "execution_not_observed_before_timeout");
    assert_eq!((&payload["wait_seconds"], &payload["poll_interval"]), (&0.2.into(), &1.0.into()));
    let seen = said(folder.path(), "loop run nodes --once --without-executor --db-path l.db").1;
    assert!(seen.contains("status=rejected reason=run_replay_execution_not_implemented"), "{seen}");
}

#[test]
fn what_is_refused_publishes_nothing_and_bad_flags_are_usage() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, code) in [
        ("loop seed directive --action BUY --db-path l.db", 1),
        ("loop seed directive --payload-json {\"execution_enabled\":true} --db-path l.db", 1),
        ("loop seed directive --payload-json {\"dry_run\":false} --db-path l.db", 1),
        ("loop seed directive --payload-json {\"dry_run\":false} --action RUN_REPLAY --db-path l.db", 1),
        ("loop seed directive --payload-json [] --db-path l.db", 1),
        ("loop seed directive --payload-json {\"a\":1,\"a\":2} --db-path l.db", 1),
        ("loop seed scenario --action RUN_REPLAY --db-path l.db", 1),
        ("loop run replay-check --action RUN_REPLAY --db-path l.db", 1),
        ("loop seed directive --target-type planet --db-path l.db", 2),
        ("loop seed directive --ttl-ms 0 --db-path l.db", 2),
        ("loop publish evidence --db-path l.db", 2),
        ("loop run replay-check --timeout-profile slow --db-path l.db", 2),
        ("loop run replay-check --wait-seconds nan --db-path l.db", 2),
        ("loop run replay-check --poll-interval -1 --db-path l.db", 2),
        ("loop run nodes --db-path l.db", 2),
        ("cluster up --profile nobody --db-path l.db", 2),
        ("cluster up --duration inf --db-path l.db", 2),
        ("cluster up --unsafe --duration 1 --db-path l.db", 2),
        ("cluster up --unsafe --execution-enabled --duration 1 --db-path l.db", 2),
        ("cluster up --trade-nodes -1 --db-path l.db", 2),
        ("cluster up --memory-nodes 65 --db-path l.db", 2),
        ("cluster up --strict --no-strict --db-path l.db", 2),
        ("cluster up --duration 1 --db-path .", 3),
    ] {
        let (exit, out) = said(folder.path(), arguments);
        assert_eq!((exit, out.as_str()), (code, ""), "{arguments}");
    }
    assert!(!folder.path().join("l.db").exists(), "a refused command does not even make the ledger");
}

#[test]
fn a_cluster_answers_a_check_and_ends_whole_when_it_is_asked_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let (code, _) = said(at, "loop seed directive --directive-id before --db-path l.db");
    assert_eq!(code, 0);
    let running = Running::start(at, "cluster up --profile runtime-safe --start-delay-seconds 0 --duration 0 --format json --db-path l.db");
    let (code, checked) = said(at, "loop run replay-check --wait-seconds 60 --poll-interval 0.1 --directive-id while --db-path l.db");
    assert_eq!(code, 0, "{checked}");
    let began = Instant::now();
    while !said(at, "loop publish evidence --directive-id before --db-path l.db").1.contains("status=passed confidence=1.0") {
        assert!(began.elapsed() < Duration::from_secs(60), "the trade node answers");
    }
    let (code, end) = running.terminated();
    let end: serde_json::Value = serde_json::from_str(&end).expect("one JSON object");
    assert_eq!((code, &end["ended_by"]), (0, &"interrupt".into()));
    let names: Vec<_> = end["nodes"].as_array().expect("nodes").iter().map(|node| node["name"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, ["trade-1", "security-node", "memory-1", "simulation-1", "overseer"]);
    assert_eq!(end["nodes"][3]["answers"]["applied"], 1);
    assert_eq!(end["nodes"][1]["heartbeat"]["security_validation_critical_records"], 0);
    let (code, again) = said(at, "cluster up --profile replay --duration 0.3 --db-path l.db");
    assert!(code == 0 && again.starts_with("profile=replay ended_by=duration nodes=1 answered=0 failures=0 restarts=0\n"), "{again}");
}

#[test]
fn a_run_is_described_logged_and_told_of_and_clears_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    assert_eq!(said(at, "cluster status --run-dir run").0, 4, "no run is no run that ended");
    assert_eq!(said(at, "cluster logs --run-dir run").0, 4);
    std::fs::create_dir_all(at.join("run/artifacts")).expect("a folder");
    std::fs::write(at.join("run/artifacts/kept.json"), "{}").expect("a file");
    let up =
        "cluster up --run-dir run --start-delay-seconds 0 --with-trade-meta --memory-nodes 1 --with-improver --execution-enabled --dry-run";
    let running = Running::start(at, &format!("{up} --duration 0 --format json"));
    let began = Instant::now();
    while !said(at, "cluster status --run-dir run").1.contains("name=improver event=starts") {
        assert!(began.elapsed() < Duration::from_secs(60), "it starts");
    }
    assert!(said(at, "cluster status --run-dir run").1.starts_with("status=running profile=full-safe run_dir=run "));
    assert_eq!(said(at, &format!("{up} --duration 1")).0, 3, "a folder has one run at a time");
    let (code, end) = running.terminated();
    let end: serde_json::Value = serde_json::from_str(&end).expect("one JSON object");
    assert_eq!((code, &end["ended_by"]), (0, &"interrupt".into()));
    let beat = |name: &str| {
        let nodes = end["nodes"].as_array().expect("nodes").clone();
        nodes.into_iter().find(|node| node["name"] == name).expect("it was up")["heartbeat"].clone()
    };
    assert_eq!(beat("security-meta")["security_overview"]["status"], "healthy");
    assert_eq!(beat("improver")["improvements"]["recommended_actions"], serde_json::json!([]));
    assert_eq!(beat("trade-meta")["trade_overview"]["unanswered"], 0);
    let description = std::fs::read_to_string(at.join("run/cluster_run.env")).expect("it is written");
    let ledger = at.canonicalize().expect("it is there").join("run/ledgers/swarm_crdt.local.db");
    let lines = [
        "RUN_DIR='run'",
        "PROFILE='full-safe'",
        "SAFE='true'",
        "EXECUTION_ENABLED='false'",
        "DRY_RUN='true'",
        "TRADE_NODES='1'",
        "MEMORY_NODES='1'",
        "SIMULATION_NODES='0'",
        "MEMORY_INGEST_SINCE_START='true'",
        &format!("LEDGER_PATH='{}'", ledger.display()),
        "SERVICES='trade-1 trade-meta security-node security-meta explorer-node explorer-meta memory-1 overseer improver'",
    ];
    assert_eq!(description.lines().collect::<Vec<_>>(), lines);
    assert!(ledger.exists() && at.join("run/artifacts/kept.json").exists(), "nothing was cleared");
    let (code, status) = said(at, "cluster status --run-dir run --format json");
    let status: serde_json::Value = serde_json::from_str(&status).expect("one JSON object");
    assert_eq!((code, &status["status"], &status["services"][0]["last"]["event"]), (0, &"ended".into(), &"ended".into()));
    let (code, logs) = said(at, "cluster logs --run-dir run --service overseer --lines 2");
    assert!(code == 0 && logs.lines().count() == 2 && logs.lines().all(|line| line.starts_with("overseer {")), "{logs}");
    assert_eq!(said(at, "cluster logs --run-dir run --service ../cluster_run").0, 4, "only what is there is shown");
}

#[test]
fn the_tools_of_a_cluster_say_what_they_run_and_end_as_it_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let (code, out) = said(at, "cluster memory-query --check-contract");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(
        lines[..2],
        ["memory evidence query", "$ landfall memory query '--text-query=agents memory' --limit=5 --json --check-contract"]
    );
    assert_eq!((code, lines.last().copied()), (0, Some("\u{2705} memory evidence query contract OK")));
    let (code, out) = said(at, "cluster latest-artifacts --check-contract");
    assert!(code == 1 && out.starts_with("latest artifacts\n$ landfall artifacts index --check-contract\nstatus=missing "), "{out}");
    let (code, out) = said(at, "cluster latest-artifacts-cleanup --retention-max-age-days 1 --dry-run");
    assert!(code == 0 && out.contains("\n$ landfall artifacts cleanup --retention-max-age-days=1 --dry-run\nmode=dry_run "), "{out}");
    assert_eq!(said(at, "cluster memory-replay-query --json-input none.json").0, 3);
    assert_eq!(said(at, "cluster memory-replay-latest --require-contract").0, 1);
    let (code, out) = said(at, "cluster memory-replay-smoke --explorer-result none.json");
    assert_eq!((code, out.as_str()), (3, "explorer memory replay smoke\n$ landfall memory replay-smoke --explorer-result none.json\n"));
    assert_eq!(said(at, "cluster memory-replay-smoke --no-such-option").0, 2);
}

#[test]
fn profiles_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, profiles) = said(folder.path(), "cluster profiles");
    assert!(code == 0 && profiles.contains("runtime-safe: "), "{profiles}");
    assert!(profiles.contains("trade-1 security-node memory-1 simulation-1 overseer"), "{profiles}");
}

#[test]
fn a_directive_that_runs_nothing_is_published_as_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [
        "--target-type capability",
        "--target-type node --target trade-1",
        "--target all",
        "--action RUN_REPLAY",
        "--action OBSERVE --payload-json {\"dry_run\":false}",
        "--action PROMOTE_GOLD_CANDIDATES --payload-json {\"dry_run\":false}",
    ] {
        let (exit, out) = said(folder.path(), &format!("loop seed directive {arguments} --db-path l.db"));
        assert!(exit == 0 && out.starts_with("id="), "{arguments}: {out}");
    }
}
