//! The experience loop from end to end, in memory and in a time that is told: nothing sleeps but the cluster.
//!
//! Longer than most files: each test begins where the walk of the one before ends.

use landfall::edge::cluster::{Cluster, up};
use landfall::edge::workers::{EndedBy, Limits};
use landfall::experience::LoopError;
use landfall::experience::bridge::{BridgeFilter, bridge};
use landfall::experience::directive::{self, DirectiveRequest};
use landfall::experience::evidence::publish_for_directive;
use landfall::experience::memory_summary::MemorySummary;
use landfall::experience::node::{Node, NodeKind, Views};
use landfall::experience::profile::{Asked, Profile};
use landfall::experience::replay_check::{self, Checked, Means, NOT_OBSERVED, Nodes, ReplayCheck};
use landfall::experience::scenario::publish_from_memory;
use landfall::experience::timeout::Timeout;
use landfall::experience::visibility::loop_metrics;
use landfall::experience::waiting;
use landfall::governance::overview::brief_of_ledger;
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Entry, Ledger, LedgerError, MemoryLedger, Record, Select, Surroundings};
use serde_json::{Value as Json, json};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const NINE: [&str; 9] = [
    "scenario_seeded",
    "directive_seeded",
    "execution_published",
    "execution_completed",
    "evidence_published",
    "memory_record_published",
    "visibility_memory_summary_replay_evidence",
    "visibility_security_lifecycle_validation",
    "visibility_crdt_trail_complete",
];

struct Walk {
    ledger: MemoryLedger,
    around: Scripted,
    waiting: waiting::Scripted,
}

impl Walk {
    fn new() -> Self {
        Self { ledger: MemoryLedger::new("test"), around: Scripted::new(1000.0, 0.001), waiting: waiting::Scripted::default() }
    }

    fn check(&mut self, check: &ReplayCheck<'_>, nodes: &mut Nodes<'_>) -> Result<Checked, LoopError> {
        let seeds = replay_check::prepare(check, &mut self.around)?;
        let mut means = Means { waiting: &mut self.waiting, metrics: &loop_metrics, nodes };
        replay_check::run(check, seeds, &mut self.ledger, &mut self.around, &mut means)
    }

    fn count(&self, record_type: &str) -> usize {
        let mut count = 0;
        let mut seen = |_: &Entry| {
            count += 1;
            Ok(())
        };
        self.ledger.each(Select { types: &[record_type] }, &mut seen).expect("memory answers");
        count
    }

    /// Every record that was published keeps its contract.
    fn assert_all_valid(&self) {
        let mut seen = 0;
        self.ledger
            .each(Select::default(), &mut |entry| {
                let record = Record::parse(&entry.payload).expect("a published record reads");
                assert!(record.verdict().valid, "{}: {:?}", entry.payload, record.verdict());
                seen += 1;
                Ok(())
            })
            .expect("memory answers");
        assert!(seen > 0, "something was published");
    }
}

fn replay<'r>(scenario_id: &'r str, directive_id: &'r str, wait: f64, poll: f64) -> ReplayCheck<'r> {
    ReplayCheck {
        scenario_id,
        action: "REDUCE_RISK",
        directive_id,
        source: "replay-evidence-check",
        expected_result_status: "applied",
        timeout: Timeout { wait_seconds: wait, poll_interval: poll },
    }
}

fn statuses(checked: &Checked) -> Vec<&'static str> {
    assert_eq!(checked.checks.iter().map(|check| check.name).collect::<Vec<_>>(), NINE);
    checked.checks.iter().map(landfall::experience::item::CheckItem::status).collect()
}

#[test]
fn a_directive_is_applied_proven_remembered_replayed_and_seen() {
    let mut walk = Walk::new();
    let request = DirectiveRequest { directive_id: "runtime-reduce-risk-1", ..Default::default() };
    directive::seed(&request, &mut walk.ledger, &mut walk.around).expect("it is safe");
    // The bystander comes first: it must not speak for the trade node.
    for (kind, name) in [(NodeKind::Simulation, "simulation-1"), (NodeKind::Trade, "trade-1")] {
        let results = Node::new(kind, name, true).tick(&mut walk.ledger, &mut walk.around).expect("memory answers");
        assert_eq!(results.len(), 1);
    }
    let evidence = publish_for_directive("runtime-reduce-risk-1", "check", &mut walk.ledger, &mut walk.around).expect("it is published");
    assert_eq!((evidence.text("status"), evidence.get("confidence")), ("passed".to_owned(), Some(&json!(1.0))));
    let filter = BridgeFilter { directive_id: "runtime-reduce-risk-1", ..Default::default() };
    let memory = bridge(&filter, "bridge", &mut walk.ledger, &mut walk.around).expect("memory answers");
    assert_eq!(memory.published.len(), 1);
    let summary = MemorySummary::of(&walk.ledger, &|_| true).expect("memory answers");
    assert_eq!((summary.runtime_evidence_gold_candidates, summary.replay_execution_evidence_records), (1, 0));
    let scenarios = publish_from_memory("builder", "", &mut walk.ledger, &mut walk.around).expect("memory answers");
    assert_eq!(scenarios.published[0].text("scenario_id"), "replay-runtime-reduce-risk-1");

    let mut node = Node::new(NodeKind::Simulation, "simulation-1", true);
    let mut nodes = |ledger: &mut dyn Ledger, around: &mut dyn Surroundings| node.tick(ledger, around).map(|_| ());
    let checked = walk.check(&replay("replay-runtime-reduce-risk-1", "replay-1", 3.0, 0.2), &mut nodes).expect("it runs");
    assert_eq!(statuses(&checked), ["passed"; 9]);
    assert!(checked.passed() && walk.waiting.slept.is_empty(), "the first look saw it");
    let result = &checked.result;
    for (path, said) in [
        ("type", "replay_evidence_lifecycle_result"),
        ("status", "passed"),
        ("scenario_id", "replay-runtime-reduce-risk-1"),
        ("directive_id", "replay-1"),
        ("payload.execution_id", "exec-replay-runtime-reduce-risk-1"),
        ("payload.evidence_count", "1"),
        ("payload.memory_record_count", "1"),
        ("payload.wait_seconds", "3.0"),
        ("payload.poll_interval", "0.2"),
        ("payload.failure_reason", ""),
        ("payload.visibility.memory_records", "1"),
        ("payload.visibility.lifecycle_results", "1"),
        ("payload.visibility.memory_summary.replay_execution_evidence_passed", "1"),
        ("payload.visibility.security_validation.security_validation_record_type_counts.replay_evidence_lifecycle_result", "1"),
    ] {
        assert_eq!(result.text(path), said, "{path}");
    }
    let one_each = json!({
        "simulation_replay_scenario": 1, "swarm_directive": 1, "simulation_replay_execution": 1,
        "evidence_record": 1, "memory_record": 1, "replay_evidence_lifecycle_result": 1,
    });
    assert_eq!(result.get("payload.visibility.trail_counts"), Some(&one_each));
    assert_eq!(result.get("payload.failure_reason"), Some(&Json::Null));

    // Another directive over the same scenario has records of its own; the same directive again has none more.
    let other = walk.check(&replay("replay-runtime-reduce-risk-1", "replay-2", 3.0, 0.2), &mut nodes).expect("it runs");
    assert_eq!(statuses(&other), ["passed"; 9]);
    let counts = |walk: &Walk| ["simulation_replay_execution", "evidence_record", "memory_record"].map(|name| walk.count(name));
    assert_eq!(counts(&walk), [2, 3, 3]);
    let again = walk.check(&replay("replay-runtime-reduce-risk-1", "replay-2", 3.0, 0.2), &mut nodes).expect("it runs");
    assert_eq!((statuses(&again), counts(&walk)), (vec!["passed"; 9], [2, 3, 3]));
    walk.assert_all_valid();
}

#[test]
fn without_a_node_the_check_says_that_it_saw_nothing() {
    let mut walk = Walk::new();
    let mut looks = 0;
    let checked = walk
        .check(&replay("s", "d", 1.0, 0.3), &mut |_, _| {
            looks += 1;
            Ok(())
        })
        .expect("it runs");
    assert!(!checked.passed());
    let failed = "failed";
    assert_eq!(statuses(&checked), ["passed", "passed", failed, failed, failed, failed, failed, "passed", failed]);
    assert_eq!(checked.result.text("payload.failure_reason"), NOT_OBSERVED);
    assert_eq!(checked.result.get("payload.execution_id"), Some(&Json::Null));
    let verdict = checked.result.verdict();
    assert_eq!((verdict.valid, verdict.severity.as_str(), verdict.reasons), (true, "warning", vec![NOT_OBSERVED.to_owned()]));
    assert_eq!(walk.waiting.slept[..3], [0.3; 3]);
    assert_eq!((walk.waiting.slept.len(), looks), (4, 5), "a last look when the time is over");
    assert!(walk.waiting.slept.iter().sum::<f64>() < 1.0 + 0.06);
    walk.assert_all_valid();
}

#[test]
fn it_looks_once_at_least_and_never_too_often() {
    for (wait, poll, sleeps) in [(0.0, 0.5, 0), (f64::NAN, 0.5, 0), (-1.0, 0.5, 0), (0.2, 0.0, 4), (0.2, f64::NAN, 1)] {
        let mut walk = Walk::new();
        let mut looks = 0;
        let mut check = replay("s", "d", wait, poll);
        check.timeout = Timeout { wait_seconds: wait, poll_interval: poll };
        let ended = walk.check(&check, &mut |_, _| {
            looks += 1;
            Ok(())
        });
        assert!(ended.is_ok());
        assert_eq!((walk.waiting.slept.len(), looks), (sleeps, sleeps + 1), "{wait} {poll}");
        assert!(walk.waiting.slept.iter().all(|slept| *slept >= 0.05));
    }
}

#[test]
fn an_execution_that_comes_late_is_seen_and_one_of_another_scenario_is_not() {
    let execution = |scenario: &str, status: &str| {
        Record::new("simulation_replay_execution")
            .with("execution_id", format!("exec-{scenario}"))
            .with("scenario_id", scenario)
            .with("directive_id", "d")
            .with("status", status)
            .with("dry_run", true)
    };
    let mut walk = Walk::new();
    walk.ledger.publish(execution("other", "completed"), &mut walk.around).expect("memory takes it");
    let mut looks = 0;
    let checked = walk
        .check(&replay("s", "d", 10.0, 0.5), &mut |ledger, around| {
            looks += 1;
            if looks == 3 {
                ledger.publish(execution("s", "failed"), around)?;
            }
            Ok(())
        })
        .expect("it runs");
    assert_eq!(walk.waiting.slept, [0.5, 0.5]);
    let expected = ["passed", "passed", "passed", "failed", "passed", "passed", "passed", "passed", "passed"];
    assert_eq!(statuses(&checked), expected, "seen, but not completed");
    assert_eq!((checked.result.text("status"), checked.result.get("payload.failure_reason")), ("failed".to_owned(), Some(&Json::Null)));
    assert_eq!(checked.result.text("payload.visibility.memory_summary.replay_execution_evidence_failed"), "1");
    assert!(checked.result.verdict().valid);
}

#[test]
fn a_check_that_security_does_not_see_fails() {
    let mut walk = Walk::new();
    let check = replay("s", "d", 0.0, 0.5);
    let seeds = replay_check::prepare(&check, &mut walk.around).expect("it is safe");
    let mut node = Node::new(NodeKind::Simulation, "simulation-1", true);
    let blind = |_: &dyn Ledger| Ok(json!({"security_validation_record_type_counts": "none"}));
    let mut means =
        Means { waiting: &mut walk.waiting, metrics: &blind, nodes: &mut |ledger, around| node.tick(ledger, around).map(|_| ()) };
    let checked = replay_check::run(&check, seeds, &mut walk.ledger, &mut walk.around, &mut means).expect("it runs");
    let failed: Vec<_> = checked.checks.iter().filter(|check| !check.passed).map(|check| check.name).collect();
    assert_eq!(failed, ["visibility_security_lifecycle_validation"]);
    assert_eq!((checked.result.text("status"), checked.result.text("payload.failure_reason")), ("failed".to_owned(), String::new()));
}

#[test]
fn a_check_that_may_not_begin_publishes_nothing() {
    let mut walk = Walk::new();
    let unsafe_action = ReplayCheck { action: "BUY", ..replay("s", "d", 0.0, 0.5) };
    let expects_nothing = ReplayCheck { expected_result_status: " ", ..replay("s", "d", 0.0, 0.5) };
    let nobody = ReplayCheck { source: "", ..replay("s", "d", 0.0, 0.5) };
    for check in [unsafe_action, expects_nothing, nobody, replay(" ", "d", 0.0, 0.5), replay("s", "\n", 0.0, 0.5)] {
        assert!(matches!(walk.check(&check, &mut |_, _| Ok(())), Err(LoopError::Refused(_))), "{check:?}");
    }
    assert!(walk.ledger.is_empty());
}

#[test]
fn an_id_that_would_break_out_of_json_stays_an_id() {
    let mut walk = Walk::new();
    let id = "s\", \"dry_run\": false, \"x\": \"";
    let mut node = Node::new(NodeKind::Simulation, "simulation-1", true);
    let mut nodes = |ledger: &mut dyn Ledger, around: &mut dyn Surroundings| node.tick(ledger, around).map(|_| ());
    let checked = walk.check(&replay(id, "d", 0.0, 0.5), &mut nodes).expect("it runs");
    assert_eq!(statuses(&checked), ["passed"; 9]);
    let directives = walk.ledger.find("swarm_directive", "directive_id", "d").expect("memory answers");
    assert_eq!(directives[0].get("payload.dry_run"), Some(&Json::Bool(true)));
    assert_eq!(directives[0].text("payload.scenario_id"), id.trim());
}

/// A ledger in memory that several nodes have a handle on.
#[derive(Clone)]
struct Shared {
    ledger: Arc<Mutex<MemoryLedger>>,
    known: u64,
}

impl Shared {
    fn new() -> Self {
        Self { ledger: Arc::new(Mutex::new(MemoryLedger::new("shared"))), known: 0 }
    }
}

impl Ledger for Shared {
    fn publish(&mut self, record: Record, around: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        self.ledger.lock().expect("no holder panicked").publish(record, around)
    }
    fn publish_unless(
        &mut self,
        record: Record,
        same: &[(&str, &str)],
        around: &mut dyn Surroundings,
    ) -> Result<Option<Entry>, LedgerError> {
        self.ledger.lock().expect("no holder panicked").publish_unless(record, same, around)
    }
    fn each(&self, select: Select<'_>, seen: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        let ledger = self.ledger.lock().expect("no holder panicked").clone();
        ledger.each(select, seen)
    }
    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError> {
        self.ledger.lock().expect("no holder panicked").find(record_type, field, said)
    }
    fn refresh(&mut self) -> Result<u64, LedgerError> {
        let now = self.ledger.lock().expect("no holder panicked").len() as u64;
        Ok(now - std::mem::replace(&mut self.known, now))
    }
}

fn limits(seconds: f64, strict: bool) -> Limits {
    let moment = Duration::from_millis(5);
    let duration = Some(Duration::from_secs_f64(seconds));
    Limits { duration, tick: moment, strict, backoff: moment, longest_backoff: moment, ..Limits::default() }
}

const VIEWS: Views<'_> = Views { metrics: &loop_metrics, brief: &brief_of_ledger };

#[test]
fn a_cluster_answers_what_is_seeded_before_and_while_it_runs() {
    let shared = Shared::new();
    let mut ours = shared.clone();
    let mut around = landfall::edge::surroundings::Real;
    directive::seed(&DirectiveRequest { directive_id: "before", ..Default::default() }, &mut ours, &mut around).expect("it is safe");
    let open = |_: &str| Ok(Box::new(Shared { known: 0, ..shared.clone() }) as Box<dyn Ledger>);
    let nodes = Profile::named("runtime-safe").expect("the base profile").nodes(Asked::default());
    let cluster = Cluster {
        nodes,
        executor: true,
        limits: limits(60.0, true),
        open: &open,
        views: VIEWS,
        sources: None,
        remembers_older: false,
        told: &|_, _, _| {},
    };
    let done = AtomicBool::new(false);
    let (end, checked) = std::thread::scope(|scope| {
        let running = scope.spawn(|| up(&cluster, &done));
        let check = replay("s", "while", 60.0, 0.05);
        let seeds = replay_check::prepare(&check, &mut around).expect("it is safe");
        let mut means =
            Means { waiting: &mut landfall::edge::waiting::RealTime::start(), metrics: &loop_metrics, nodes: &mut |_, _| Ok(()) };
        let checked = replay_check::run(&check, seeds, &mut ours, &mut around, &mut means).expect("it runs");
        // Both have been answered by both before it ends.
        for _ in 0..6000 {
            let answered =
                ["before", "while"].map(|id| ours.find("swarm_directive_result", "directive_id", id).expect("memory answers").len());
            if answered == [2, 2] {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        done.store(true, std::sync::atomic::Ordering::SeqCst);
        (running.join().expect("no panic").expect("memory answers"), checked)
    });
    assert_eq!(statuses(&checked), ["passed"; 9]);
    assert_eq!(end.ended_by, EndedBy::Interrupt);
    let told: Vec<_> = end.nodes.iter().map(|node| (node.worker.name.as_str(), node.work.answered, node.worker.failures)).collect();
    assert_eq!(told, [("trade-1", 2, 0), ("security-node", 0, 0), ("memory-1", 0, 0), ("simulation-1", 2, 0), ("overseer", 0, 0)]);
    let beat = |index: usize| &end.nodes[index].heartbeat;
    assert_eq!(beat(1)["security_validation_critical_records"], 0);
    assert_eq!(beat(2)["memory_summary"]["replay_execution_evidence_passed"], 1);
    assert_eq!(beat(3)["simulation_replay_execution_completed"], 1);
    assert_eq!(beat(4)["memory_intelligence"]["aggregate"]["status"], "valuable_activity");
    let status = |id: &str, node: &str| {
        let results = ours.find("swarm_directive_result", "directive_id", id).expect("memory answers");
        results.iter().find(|result| result.text("node_id") == node).map(|result| result.text("status"))
    };
    assert_eq!((status("before", "trade-1"), status("while", "simulation-1")), (Some("applied".to_owned()), Some("applied".to_owned())));
}

#[test]
fn a_node_whose_ledger_fails_is_started_again_or_ends_the_cluster() {
    let shared = Shared::new();
    let (starts, done) = (Mutex::new(0), AtomicBool::new(false));
    // The first is the cluster's own look, then come the starts of the node.
    let open = |_: &str| {
        let mut starts = starts.lock().expect("no holder panicked");
        *starts += 1;
        done.store(*starts == 4, std::sync::atomic::Ordering::SeqCst);
        if [2, 3].contains(&*starts) {
            Err(LedgerError::Storage("held".to_owned()))
        } else {
            Ok(Box::new(shared.clone()) as Box<dyn Ledger>)
        }
    };
    let nodes = vec![("trade-1".to_owned(), NodeKind::Trade)];
    let mut cluster = Cluster {
        nodes,
        executor: true,
        limits: limits(600.0, false),
        open: &open,
        views: VIEWS,
        sources: None,
        remembers_older: false,
        told: &|_, _, _| {},
    };
    let end = up(&cluster, &done).expect("memory answers");
    let worker = &end.nodes[0].worker;
    assert_eq!((end.ended_by, worker.failures, worker.restarts, worker.ticks), (EndedBy::Interrupt, 2, 2, 1));
    *starts.lock().expect("no holder panicked") = 0;
    cluster.limits = limits(60.0, true);
    let end = up(&cluster, &AtomicBool::new(false)).expect("memory answers");
    assert_eq!((end.ended_by, end.nodes[0].worker.last_failure.as_deref()), (EndedBy::Failure, Some("held")));
    *starts.lock().expect("no holder panicked") = 1;
    assert!(up(&cluster, &AtomicBool::new(false)).is_err(), "a ledger that cannot be had is said at once");
}

#[test]
fn an_execution_that_was_no_dry_run_is_no_passed_replay() {
    for (dry_run, status) in [(json!(true), "passed"), (json!(false), "failed"), (Json::Null, "failed"), (json!("true"), "failed")] {
        let mut walk = Walk::new();
        let mut wrote = false;
        let checked = walk
            .check(&replay("s", "d", 5.0, 1.0), &mut |ledger, around| {
                if !std::mem::replace(&mut wrote, true) {
                    let execution = Record::new("simulation_replay_execution")
                        .with("execution_id", "exec-s")
                        .with("scenario_id", "s")
                        .with("directive_id", "d")
                        .with("status", "completed")
                        .with("dry_run", dry_run.clone());
                    ledger.publish(execution, around)?;
                }
                Ok(())
            })
            .expect("memory answers");
        let item = checked.checks.iter().find(|check| check.name == "evidence_published").expect("it is asked");
        assert_eq!((item.status(), &item.value), (status, &json!(1)), "{dry_run}");
        assert!(status == "passed" || !checked.passed(), "{dry_run}");
        assert_eq!(checked.checks[3].status(), "passed", "it is completed by the letter");
    }
}
