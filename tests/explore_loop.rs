//! The whole path on loopback: a goal, the loop over a small site, the replay, the artifact, its end.
#![expect(clippy::disallowed_methods, reason = "these tests are about a real server and files")]

#[path = "commands/landfall.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod landfall_binary;
#[path = "commands/process.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod process;

use landfall_binary::{Landfall, landfall};
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A server that is every site, by the Host header; it keeps what it was asked.
struct Site {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
        let address = listener.local_addr().expect("its address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let lines = BufReader::new(stream.try_clone().expect("a second handle")).lines();
                let head: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
                let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
                let host = head.iter().find_map(|line| line.to_lowercase().strip_prefix("host: ").map(str::to_owned)).unwrap_or_default();
                kept.lock().expect("nobody panics with it").push(format!("{host}{path}"));
                // The client may hang up first.
                let _ = answer(&host, &path, &mut stream);
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("nobody panics with it").clone()
    }
}

fn answer(host: &str, path: &str, stream: &mut TcpStream) -> std::io::Result<()> {
    let mut send = |status: &str, more: &str, body: &str| {
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n{body}", body.len())
    };
    match (host, path) {
        ("arxiv.org", "/robots.txt") => send("200 OK", "", "User-agent: *\nDisallow: /search\n"),
        (_, "/robots.txt") => send("404 Not Found", "", ""),
        ("export.arxiv.org", _) => send("429 Too Many Requests", "Retry-After: 60\r\n", ""),
        ("duckduckgo.com", _) => send("302 Found", "Location: http://10.0.0.1/inside\r\n", ""),
        ("docs.github.com", "/en/copilot") => {
            send("200 OK", "Content-Type: text/html\r\n", "<html><head><title>x</title></head><body></body>")
        }
        _ => {
            let links: String = (0..9).map(|number| format!("<a href=\"/docs/agents-memory/{}-{number}\">more</a>", path.len())).collect();
            let body = format!(
                "<!doctype html><title>{host}</title><body><h1>Agents and memory</h1><p>What {host}{path} says of agents that keep a memory, and of how they find in it what they need.</p>{links}"
            );
            send("200 OK", "Content-Type: text/html; charset=utf-8\r\n", &body)
        }
    }
}

/// A folder in which commands work.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn landfall(&self, arguments: &[&str]) -> Landfall {
        landfall(arguments).at(self.0.path()).env("NO_PROXY", "").env("http_proxy", "http://127.0.0.1:9")
    }

    fn json(&self, name: &str) -> Json {
        serde_json::from_str(&std::fs::read_to_string(self.path(name)).expect("it was written")).expect("it is JSON")
    }
}

const FLAGS: [&str; 4] = ["external_write_performed", "real_execution_enabled", "production_paths_mutated", "production_secrets_accessed"];

/// Asserts that no safety flag is set anywhere in `value`.
fn assert_no_flag(value: &Json) {
    match value {
        Json::Object(members) => members.iter().for_each(|(name, member)| {
            assert!(!FLAGS.contains(&name.as_str()) || *member == false, "{name} is {member}");
            assert_no_flag(member);
        }),
        Json::Array(items) => items.iter().for_each(assert_no_flag),
        _ => {}
    }
}

fn records(scratch: &Scratch, ledger: &Path) -> Vec<Json> {
    let shown = scratch.landfall(&["ledger", "show", "--format", "json", "--db-path"]).arg(ledger).ends_with(0);
    let lines = shown.out.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    lines.map(|line| line.get("payload").or(line.get("record")).cloned().unwrap_or(line)).collect()
}

#[test]
fn a_goal_becomes_evidence_that_is_remembered_replayed_and_cleaned_up() {
    let (site, scratch) = (Site::start(), Scratch::new());
    let address = site.address.to_string();
    let smoke = scratch
        .landfall(&["memory", "replay-smoke", "--work-dir", "work", "--write-latest", "--check-contract", "--json-output", "smoke.json"])
        .with("--loopback-site", &address)
        .ends_with(0);
    let fine: Vec<&str> = smoke.out.lines().collect();
    assert_eq!(
        fine,
        [
            "\u{2705} explorer source-planned evidence loop contract OK",
            "\u{2705} memory evidence query contract OK",
            "\u{2705} explorer memory replay smoke OK",
            "\u{2705} explorer memory replay smoke contract OK"
        ]
    );
    let summary = scratch.json("smoke.json");
    assert_eq!(summary, scratch.json("data/cluster_runtime/latest/artifacts/explorer_memory_replay_smoke.json"));
    let count = |name: &str| summary[name].as_f64().expect("a count");
    let (published, artifact, seen) =
        (count("total_memory_records_published"), count("memory_replay_artifact_record_count"), count("explorer_memory_records_seen"));
    let (replayed, found) = (count("explorer_memory_records_replayed"), count("memory_query_result_count"));
    assert!(published >= 5.0 && seen <= artifact && replayed <= seen && (1.0..=5.0).contains(&found), "{summary}");
    let round = |ratio: f64| (ratio * 10_000.0).round() / 10_000.0;
    for (name, ratio) in [
        ("artifact_capture_ratio", artifact / published),
        ("replay_visibility_ratio", seen / artifact),
        ("replay_acceptance_ratio", replayed / seen),
        ("query_result_ratio", found / replayed),
        ("full_replay_path_ratio", found / published),
    ] {
        let said = summary["memory_replay_yield"][name].as_f64().expect("a ratio");
        assert!((said - round(ratio)).abs() < 1e-9, "{name}: {said}");
    }
    assert_eq!(summary["loopback_site"], true, "nobody takes it for the network");

    let result = scratch.json("work/explorer_plan_result.json");
    assert_no_flag(&result);
    let ledger = scratch.path("work/explorer_plan_crdt.sqlite3");
    let records = records(&scratch, &ledger);
    assert!(records.len() > 20, "{}", records.len());
    for record in &records {
        assert_no_flag(record);
    }
    let findings: Vec<_> = records.iter().filter(|record| record["type"] == "explorer_finding").collect();
    assert!(findings.iter().all(|finding| finding["provenance"]["loopback_site"] == true && finding["provenance"]["agent"].is_string()));
    let previews: Vec<_> = findings.iter().filter_map(|finding| finding["provenance"]["content_preview_source"].as_str()).collect();
    assert!(previews.contains(&"make_content_preview") && previews.contains(&"synthetic_evidence_preview"), "{previews:?}");

    // Who held us off: a window, a robots.txt, a 429; the way into the private network is not gone.
    let limits = result["node"]["source_adapter_rate_limits"].as_object().expect("counts");
    assert!(
        limits.contains_key("arxiv:arxiv.org:robots_disallowed") && limits.contains_key("arxiv:export.arxiv.org:http_429"),
        "{limits:?}"
    );
    assert!(limits.keys().any(|key| key.ends_with(":domain_window_rate_limited")), "{limits:?}");
    let safe = ["robots_disallowed", "domain_window_rate_limited", "http_429", "policy_blocked"];
    assert!(limits.keys().all(|key| safe.contains(&key.rsplit(':').next().expect("a reason"))), "{limits:?}");
    let asked = site.asked();
    assert!(asked.iter().all(|page| !page.contains("/inside") && !page.starts_with("arxiv.org/search")), "{asked:?}");
    assert!(asked.iter().filter(|page| page.starts_with("duckduckgo.com/html")).count() == 1, "then it is left alone");

    scratch.landfall(&["explore", "check", "work/explorer_plan_result.json"]).ends_with(0);
    for memory in ["work/explorer_plan_crdt.sqlite3", "work/explorer_plan_meta.sqlite3"] {
        let asked = scratch.landfall(&["memory", "query", "--text-query", "memory", "--json", "--db-path", memory]).ends_with(0);
        let answer: Json = serde_json::from_str(&asked.out).expect("it is JSON");
        assert_eq!(answer["matched_count"].as_f64(), Some(replayed), "{memory}");
    }
    scratch.landfall(&["memory", "replay-query", "--db-path", "work/explorer_plan_crdt.sqlite3", "--check-contract"]).ends_with(0);
    scratch.landfall(&["memory", "replay-latest", "--check-contract"]).ends_with(0);
    scratch.landfall(&["artifacts", "index", "--check-contract"]).ends_with(0);
    std::thread::sleep(std::time::Duration::from_millis(20));
    let old = ["--retention-max-age-seconds", "0.01", "--check-contract", "--json"];
    let artifact = scratch.path("data/cluster_runtime/latest/artifacts/explorer_memory_replay_smoke.json");
    let dry = scratch.landfall(&["artifacts", "cleanup", "--dry-run"]);
    old.iter().fold(dry, Landfall::arg).ends_with(0);
    assert!(artifact.exists());
    let execute = scratch.landfall(&["artifacts", "cleanup", "--execute-delete-local-artifacts"]);
    let done = old.iter().fold(execute, Landfall::arg).ends_with(0);
    assert!(!artifact.exists() && done.out.contains("\"deleted_count\": 1"), "{}", done.out);
}

/// The JSON object that a command printed, without the line behind it.
fn printed(out: &str) -> Json {
    serde_json::from_str(&out[..=out.rfind('}').expect("an object")]).expect("it is JSON")
}

#[test]
fn each_step_taken_by_itself_leads_to_the_same_end() {
    let (site, scratch) = (Site::start(), Scratch::new());
    let explored = scratch.landfall(&["explore", "run", "--goal", "autonomous agents memory systems", "--source-plan", "--ticks", "3"]);
    let adapters = ["github", "arxiv", "search", "sitemap"].into_iter();
    let explored = adapters.fold(explored, |command, adapter| command.with("--source-adapter", adapter));
    let stores = [("--db-path", "l.db"), ("--node-memory-db", "n.db"), ("--meta-memory-db", "m.db"), ("--json-output", "loop.json")];
    let explored = stores.into_iter().fold(explored, |command, (option, file)| command.with(option, file));
    explored.with("--loopback-site", site.address.to_string()).ends_with(0);
    scratch.landfall(&["explore", "check", "loop.json"]).ends_with(0);
    let asked = site.asked().len();

    let smoke =
        ["memory", "replay-smoke", "--explorer-result", "loop.json", "--check-contract", "--write-latest", "--json-output", "s.json"];
    let said = scratch.landfall(&smoke).ends_with(0);
    assert!(said.out.ends_with("\u{2705} explorer memory replay smoke contract OK\n"), "{}", said.out);
    assert_eq!(site.asked().len(), asked, "a replay reads nothing");
    let (explored, summary) = (scratch.json("loop.json"), scratch.json("s.json"));
    let count = |name: &str| summary[name].as_f64().expect("a count");
    assert_eq!(summary["total_memory_records_published"], explored["total_memory_records_published"]);
    let ratios = &summary["memory_replay_yield"];
    for (ratio, one, other) in [
        ("artifact_capture_ratio", "memory_replay_artifact_record_count", "total_memory_records_published"),
        ("artifact_availability_ratio", "memory_replay_artifact_available_record_count", "total_memory_records_published"),
        ("replay_visibility_ratio", "explorer_memory_records_seen", "memory_replay_artifact_record_count"),
        ("replay_acceptance_ratio", "explorer_memory_records_replayed", "explorer_memory_records_seen"),
        ("query_result_ratio", "memory_query_result_count", "explorer_memory_records_replayed"),
        ("full_replay_path_ratio", "memory_query_result_count", "total_memory_records_published"),
    ] {
        let expected = (count(one) / count(other) * 10_000.0).round() / 10_000.0;
        assert!((ratios[ratio].as_f64().expect("a ratio") - expected).abs() < 1e-9, "{ratio}: {ratios}");
    }

    let artifacts = |arguments: &[&str]| {
        let command = scratch.landfall(&["artifacts"]);
        printed(&arguments.iter().chain(&["--json", "--check-contract"]).fold(command, Landfall::arg).ends_with(0).out)
    };
    std::thread::sleep(std::time::Duration::from_millis(20));
    let index = artifacts(&["index"]);
    let dry = artifacts(&["cleanup", "--dry-run", "--retention-max-age-seconds", "0.01"]);
    assert_eq!((&index["artifact_count"], &dry["would_delete_count"], &dry["deleted_count"]), (&json!(1), &json!(1), &json!(0)));
    let done = artifacts(&["cleanup", "--execute-delete-local-artifacts", "--retention-max-age-seconds", "0.01"]);
    assert_eq!((&done["deleted_count"], &done["post_cleanup"]["artifact_count"]), (&json!(1), &json!(0)));
    for record in records(&scratch, &scratch.path("l.db")).iter().chain([&explored, &summary, &index, &dry, &done]) {
        assert_no_flag(record);
    }
    for result in [&explored, &summary, &index, &dry, &done] {
        assert!(FLAGS.iter().all(|flag| result[*flag] == false), "each flag is said: {result}");
    }
}

#[test]
fn a_way_into_the_private_network_is_blocked_by_policy_and_a_site_is_remembered_over_runs() {
    let (site, scratch) = (Site::start(), Scratch::new());
    let address = site.address.to_string();
    let run = |more: &[&str]| {
        let arguments = ["explore", "run", "--goal", "agents memory", "--json", "--db-path", "ledger.db", "--loopback-site", &address];
        let ran = more.iter().fold(scratch.landfall(&arguments).env("EXPLORER_RESPECT_ROBOTS", "false"), Landfall::arg).ends_with(0);
        serde_json::from_str::<Json>(&ran.out).expect("it is JSON")
    };
    let searched = run(&["--source-adapter", "search", "--ticks", "2"]);
    assert_eq!(searched["node"]["source_adapter_rate_limits"], json!({"search:duckduckgo.com:policy_blocked": 1}));
    let node = &searched["node"];
    let count = |stage: &str| node[format!("safe_public_search_templates_{stage}")].as_u64().expect("a count");
    assert!(count("seen") >= count("selected") && count("selected") >= count("fetched") && count("fetched") >= count("blocked"), "{node}");
    assert_eq!((count("blocked"), searched["total_findings_emitted"].as_u64()), (8, Some(0)));
    let seed = ["--url", "https://docs.python.org/3/library/memory.html", "--exploration-run-id"];
    for number in 0..3 {
        let named = format!("run-{number}");
        assert_eq!(run(&[seed[0], seed[1], seed[2], &named])["total_findings_emitted"], 1);
    }
    let held_off = run(&[seed[0], seed[1], seed[2], "run-4"]);
    assert_eq!((&held_off["total_findings_emitted"], &held_off["record_counts"]["swarm_event:policy_blocked"]), (&json!(0), &json!(2)));
}

#[test]
fn a_cluster_looks_for_evidence_remembers_it_and_leaves_artifacts_where_they_are() {
    let (site, scratch) = (Site::start(), Scratch::new());
    let artifact = scratch.path("data/cluster_runtime/latest/artifacts/kept.json");
    std::fs::create_dir_all(artifact.parent().expect("it lies in a folder")).expect("a folder");
    std::fs::write(&artifact, "{}").expect("a file");
    scratch.landfall(&["explore", "seed", "--goal", "agents memory", "--source-plan", "--exploration-run-id", "r"]).ends_with(0);
    let up = |more: &[&str]| {
        let arguments = ["cluster", "up", "--profile", "explorer-memory-evidence", "--duration", "6", "--format", "json"];
        let ran = more.iter().fold(scratch.landfall(&arguments), Landfall::arg).ends_with(0);
        serde_json::from_str::<Json>(ran.out.lines().last().expect("a line")).expect("it is JSON")
    };
    let beat = |end: &Json, name: &str| {
        let nodes = end["nodes"].as_array().expect("nodes").clone();
        nodes.into_iter().find(|node| node["name"] == name).expect("it was up")["heartbeat"].clone()
    };
    let idle = up(&[]);
    assert_eq!(beat(&idle, "explorer-node"), json!({"network_read_enabled": false}));
    assert!(site.asked().is_empty());
    let end = up(&["--loopback-site", &site.address.to_string()]);
    assert!(beat(&end, "explorer-node")["findings_emitted"].as_u64() >= Some(1), "{end}");
    assert!(beat(&end, "explorer-meta")["memory_records_published"].as_u64() >= Some(1), "{end}");
    assert!(beat(&end, "memory-1")["metrics"]["evidence_catalog_items"].as_u64() >= Some(1), "{end}");
    assert_no_flag(&end);
    assert!(artifact.exists(), "a cluster clears nothing");
    let profiles = scratch.landfall(&["cluster", "profiles"]).ends_with(0);
    for name in ["full-safe", "explorer-evidence", "memory-evidence", "explorer-memory-evidence"] {
        assert!(profiles.out.contains(&format!("{name}: ")), "{name}");
    }
}

#[test]
fn the_network_is_not_touched_unless_it_is_asked_for() {
    let scratch = Scratch::new();
    let silent = scratch.landfall(&["explore", "run", "--url", "https://docs.python.org/3"]).ends_with(2);
    assert!(silent.err.contains("--network"), "{}", silent.err);
    scratch.landfall(&["memory", "replay-smoke", "--work-dir", "work"]).ends_with(2);
    assert!(!scratch.path("work").exists() && !scratch.path("data").exists(), "and nothing is written");
    for private in ["10.0.0.1:80", "192.168.0.1:1", "8.8.8.8:53", "localhost:1", "127.0.0.1"] {
        scratch.landfall(&["explore", "run", "--loopback-site", private]).ends_with(2);
    }
    let plan = scratch.landfall(&["explore", "plan", "--goal", "agents memory", "--json"]).ends_with(0);
    let plan: Json = serde_json::from_str(&plan.out).expect("it is JSON");
    assert_eq!((&plan["type"], &plan["candidate_count"]), (&json!("explorer_research_source_plan"), &json!(20)));
}

#[test]
fn a_run_that_falls_short_fails_its_check_and_the_smoke() {
    let (site, scratch) = (Site::start(), Scratch::new());
    let smoke = scratch
        .landfall(&["memory", "replay-smoke", "--work-dir", "work", "--no-source-plan", "--ticks", "1", "--write-latest"])
        .with("--loopback-site", site.address.to_string())
        .ends_with(1);
    assert!(smoke.err.contains("insufficient evidence targets seen"), "{}", smoke.err);
    assert!(!scratch.path("data/cluster_runtime/latest/artifacts/explorer_memory_replay_smoke.json").exists());
    scratch.landfall(&["explore", "check", "work/explorer_plan_result.json"]).ends_with(1);
    std::fs::write(scratch.path("list.json"), "[]").expect("a file");
    scratch.landfall(&["explore", "check", "list.json"]).ends_with(1);
    scratch.landfall(&["explore", "check"]).ends_with(2);
    // A step that fails is named, and nothing is written.
    std::fs::create_dir_all(scratch.path("taken/explorer_plan_node.sqlite3")).expect("a folder in the way");
    let failed = scratch
        .landfall(&["memory", "replay-smoke", "--work-dir", "taken", "--json", "--json-output", "out.json"])
        .with("--loopback-site", site.address.to_string())
        .ends_with(1);
    let result: Json = serde_json::from_str(&failed.out).expect("it is JSON");
    assert_eq!(
        (&result["status"], &result["failure_stage"], &result["returncode"]),
        (&json!("failed"), &json!("explorer_runtime"), &json!(1))
    );
    assert!(!scratch.path("out.json").exists());
    assert_no_flag(&result);
}
