//! Whole runs over a web in memory.

use super::*;
use crate::experience::waiting::Scripted as ScriptedWaiting;
use crate::explore::fetch::{Answer, FetchError, Limits};
use crate::explore::location::Location;
use crate::explore::policy::SourcePolicy;
use crate::ledger::MemoryLedger;
use crate::ledger::record::owned;
use crate::ledger::surroundings::Scripted;
use crate::memory::{flags_set, loop_contract};

/// A web in which every page of documentation stands, and some sites hold us off.
struct Web {
    asked: Vec<String>,
}

impl Fetcher for Web {
    fn get(&mut self, location: &Location) -> Result<Answer, FetchError> {
        self.asked.push(location.to_text());
        let page =
            |status, body: String| Answer { status, content_type: Some("text/html".to_owned()), body: body.into(), ..Answer::default() };
        let path = location.path_and_query();
        Ok(match location.domain() {
            "robots.org" if path == "/robots.txt" => page(200, "User-agent: *\nDisallow: /".to_owned()),
            _ if path == "/robots.txt" => page(404, String::new()),
            "export.arxiv.org" => page(429, String::new()),
            "inward.org" => Answer { status: 302, redirect: Some("http://private.org/".to_owned()), ..Answer::default() },
            "private.org" => return Err(FetchError::PrivateAddress),
            "broken.org" => return Err(FetchError::TimedOut),
            domain => {
                let links: String = (0..9).map(|number| format!("<a href='/docs/memory-agent/{}{number}'>m</a>", path.len())).collect();
                page(
                    200,
                    format!(
                        "<title>On {domain}</title><p>Agents keep a memory of what {path} said, and retrieval finds it again in their database.</p>{links}"
                    ),
                )
            }
        })
    }
}

fn ran(settings: &RunSettings, ledger: &mut MemoryLedger, web: &mut Web) -> Json {
    let reader = Reader::new(SourcePolicy::default(), Limits::default());
    let hands = Hands { ledger, fetcher: web, waiting: &mut ScriptedWaiting::default(), around: &mut Scripted::new(1000.0, 0.01) };
    run(settings, reader, hands).expect("memory answers").result
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_planned_run_keeps_its_contract_and_sets_no_flag() {
    let settings = RunSettings {
        goal: "autonomous agents memory systems".to_owned(),
        source_plan: true,
        adapters: texts(&["github", "arxiv", "search", "sitemap"]),
        ticks: 3,
        run_id: Some("r".to_owned()),
        ..RunSettings::default()
    };
    let (mut ledger, mut web) = (MemoryLedger::new("n"), Web { asked: Vec::new() });
    let result = ran(&settings, &mut ledger, &mut web);
    let text = crate::json::to_canonical_text(&result);
    assert_eq!(loop_contract::check(&parse(text.as_bytes()).expect("our own text")), [""; 0]);
    assert!(result["node"]["source_adapter_targets_selected"]["evidence"].as_u64() >= Some(5));
    assert_eq!(result["memory_replay_artifact"]["record_count"], result["total_memory_records_published"]);
    assert_eq!(result["tick_results"].as_array().map(Vec::len), Some(3));
    let mut records = 0;
    each_record(&ledger, Select::default(), &mut |_, record| {
        records += 1;
        let verdict = crate::contract::check::check(record);
        let record = owned(record);
        assert!(verdict.valid || record["type"] == "swarm_event", "{verdict:?}: {record}");
        assert_eq!(flags_set(&record).chain(flags_set(field(&record, "provenance"))).count(), 0, "{record}");
        for flag in ["external_write_performed", "real_execution_enabled"] {
            assert_eq!(record["provenance"][flag], false, "it is said: {record}");
        }
    })
    .expect("it reads");
    assert!(records > 20);
    let mut again = MemoryLedger::new("n");
    assert_eq!(ran(&settings, &mut again, &mut Web { asked: Vec::new() }), result, "a run is a function of what it is given");
}

#[test]
fn who_holds_us_off_is_counted_with_safe_reasons_only() {
    let settings = RunSettings { goal: "memory".to_owned(), adapters: texts(&["rss", "arxiv"]), ticks: 2, ..RunSettings::default() };
    let mut ledger = MemoryLedger::new("n");
    let mut target = |url: &str, kind: &str| {
        let data =
            json!({"exploration_run_id": "r", "targets": [{"url": url, "source_adapter": "sitemap", "source_kind": kind}], "urls": []});
        let record = crate::ledger::Record::new("explorer_targets").with("gid", url).with("data", data);
        ledger.publish(record, &mut Scripted::new(1.0, 0.1)).expect("memory takes it");
    };
    target("https://robots.org/x", "sitemap_xml");
    target("https://inward.org/x", "sitemap_xml");
    for number in 0..5 {
        target(&format!("https://often.org/{number}"), "sitemap_xml");
    }
    let settings = RunSettings { run_id: Some("r".to_owned()), ticks: 3, ..settings };
    let mut web = Web { asked: Vec::new() };
    let result = ran(&settings, &mut ledger, &mut web);
    let limits = result["node"]["source_adapter_rate_limits"].as_object().expect("counts");
    let reasons: Vec<&str> = limits.keys().map(|key| key.rsplit(':').next().expect("a reason")).collect();
    for reason in ["robots_disallowed", "domain_window_rate_limited", "http_429"] {
        assert!(reasons.contains(&reason), "{reason} in {limits:?}");
    }
    assert!(
        reasons.iter().all(|reason| ["robots_disallowed", "domain_window_rate_limited", "http_429", "policy_blocked"].contains(reason))
    );
    assert_eq!(limits.get("sitemap:inward.org:robots_disallowed").or(limits.get("sitemap:inward.org:policy_blocked")), Some(&json!(1)));
    assert_eq!(result["node"]["source_adapter_blocked_targets"], json!({"sitemap": 1}), "the fifth is not tried any more");
    assert!(result["record_counts"]["swarm_event:robots_disallowed"].as_u64().is_some());
    assert!(web.asked.iter().all(|url| !url.starts_with("https://robots.org/x")));
}

#[test]
fn an_unplanned_run_reads_its_seeds_and_a_failed_read_is_a_finding() {
    let settings = RunSettings {
        goal: "agent memory".to_owned(),
        urls: texts(&["https://broken.org/a", "a.org/docs/memory"]),
        evidence_urls: texts(&["https://docs.python.org/3/library/queue.html"]),
        ..RunSettings::default()
    };
    let (mut ledger, mut web) = (MemoryLedger::new("n"), Web { asked: Vec::new() });
    let result = ran(&settings, &mut ledger, &mut web);
    assert_eq!((&result["total_fetches_attempted"], &result["total_fetches_failed"]), (&json!(3), &json!(1)));
    assert_eq!(result["node"]["source_adapter_targets_selected"], json!({"evidence_seed": 1, "seed": 2}));
    assert_eq!(result["total_findings_emitted"], 3);
    assert!(result["total_memory_records_published"].as_u64() >= Some(1));
    assert_eq!((&result["source_plan"], &result["node"]["safe_public_search_templates_seen"]), (&Json::Null, &Json::Null));
    let failed = ledger.find("explorer_finding", "fetch_status", "error").expect("memory answers");
    assert!(failed.iter().all(|finding| finding.get("content_hash") == Some(&Json::Null)) && !failed.is_empty());
    assert_eq!(result["exploration_run_id"].as_str().map(|named| named.starts_with("exp_run_1000_")), Some(true));
}

#[test]
fn nothing_at_all_is_the_placeholder_which_never_reaches_memory() {
    let (mut ledger, mut web) = (MemoryLedger::new("n"), Web { asked: Vec::new() });
    let result = ran(&RunSettings { skip_meta: true, ..RunSettings::default() }, &mut ledger, &mut web);
    assert_eq!((&result["seed_urls"], &result["meta_agent"]["skipped"]), (&json!([PLACEHOLDER]), &json!(true)));
    let result = ran(&RunSettings { ticks: 2, ..RunSettings::default() }, &mut ledger, &mut web);
    assert_eq!(result["total_memory_records_published"], 0);
    assert!(result["total_findings_emitted"].as_u64() >= Some(1));
    assert!(ledger.find("explorer_targets", "event_type", "targets_suggested").expect("memory answers").len() >= 2);
}
