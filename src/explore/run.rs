//! One run of the loop: seeds are published, node and meta agent tick in turn, and the result says what came of it.

use super::fetch::{Fetcher, Reader};
use super::meta::{MetaAgent, MetaTick};
use super::node::ExplorerNode;
use super::plan::Planner;
use super::target::{OfRun, PLACEHOLDER, Seeds, distinct, id, run_id, seconds, web_url};
use crate::experience::waiting::Waiting;
use crate::json::parse;
use crate::ledger::{Ledger, LedgerError, Select, Surroundings, each_record};
use crate::memory::clear_flags;
use crate::memory::ingest::put;
use crate::memory::replay::build_artifact;
use crate::memory::value::{Object, clean, collapse, field, list};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

pub use super::plan::{ADAPTERS, DEFAULT_ADAPTERS};

/// What a run is asked to do.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// The research goal.
    pub goal: String,
    /// Seed URLs.
    pub urls: Vec<String>,
    /// URLs that are evidence before all others.
    pub evidence_urls: Vec<String>,
    /// Source adapters, some of [`ADAPTERS`].
    pub adapters: Vec<String>,
    /// The most targets of adapters without a plan.
    pub source_limit: usize,
    /// Whether a source plan is made.
    pub source_plan: bool,
    /// The most candidates of the plan.
    pub source_plan_limit: usize,
    /// The run's id; made where there is none.
    pub run_id: Option<String>,
    /// How many ticks; at least one is done.
    pub ticks: u64,
    /// Seconds between two ticks.
    pub tick_delay: f64,
    /// The node's id.
    pub node_id: String,
    /// The meta agent's id.
    pub meta_id: String,
    /// Leaves the meta agent out.
    pub skip_meta: bool,
    /// The most records of the replay artifact.
    pub artifact_limit: usize,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            goal: String::new(),
            urls: Vec::new(),
            evidence_urls: Vec::new(),
            adapters: Vec::new(),
            source_limit: 20,
            source_plan: false,
            source_plan_limit: 20,
            run_id: None,
            ticks: 1,
            tick_delay: 0.0,
            node_id: "exp-node-network-read-loop".to_owned(),
            meta_id: "exp-meta-network-read-loop".to_owned(),
            skip_meta: false,
            artifact_limit: 20,
        }
    }
}

/// What a run works with.
pub struct Hands<'h> {
    /// The shared ledger.
    pub ledger: &'h mut dyn Ledger,
    /// The client.
    pub fetcher: &'h mut dyn Fetcher,
    /// The clock between ticks.
    pub waiting: &'h mut dyn Waiting,
    /// The clock of records, and the generator.
    pub around: &'h mut dyn Surroundings,
}

/// A run that is over.
#[derive(Debug)]
pub struct Done {
    /// The loop result.
    pub result: Json,
    /// The node, with what it learned.
    pub node: ExplorerNode,
    /// The meta agent, with what it handed on.
    pub meta: MetaAgent,
}

/// What a run begins with.
#[derive(Debug)]
struct Beginning {
    evidence_urls: Vec<String>,
    seed_urls: Vec<String>,
    /// Every URL, once.
    urls: Vec<String>,
    evidence: Vec<Json>,
    plan: Json,
    planned: Vec<Json>,
    of_adapters: Vec<Json>,
}

impl Beginning {
    fn of(settings: &RunSettings, run: OfRun<'_>) -> Self {
        let evidence_urls = distinct(&settings.evidence_urls);
        let seed_urls = distinct(&settings.urls);
        let evidence = evidence_urls.iter().map(|url| run.evidence_seed(url)).collect();
        let planner = Planner { run, seed_urls: &seed_urls, adapters: &settings.adapters };
        let (mut plan, mut planned, mut of_adapters) = (Json::Null, Vec::new(), Vec::new());
        if settings.source_plan {
            plan = planner.plan(i128::try_from(settings.source_plan_limit).unwrap_or(i128::MAX));
            planned = list(field(&plan, "candidates")).to_vec();
        } else {
            planned.extend(planner.seeds());
            if !settings.adapters.is_empty() {
                of_adapters = planner.adapter_targets(settings.source_limit);
            }
        }
        let mut begins = Self { evidence_urls, seed_urls, urls: Vec::new(), evidence, plan, planned, of_adapters };
        let of_targets: Vec<String> = begins.targets().iter().map(|target| clean(field(target, "url"))).collect();
        begins.urls = distinct(begins.evidence_urls.iter().chain(&begins.seed_urls).chain(&of_targets));
        if begins.urls.is_empty() {
            begins.urls.push(PLACEHOLDER.to_owned());
        }
        begins
    }

    fn targets(&self) -> Vec<Json> {
        self.evidence.iter().chain(&self.planned).chain(&self.of_adapters).cloned().collect()
    }

    fn audit(&self) -> Json {
        let audit = field(&self.plan, "safe_public_search_template_audit");
        if audit.is_object() { audit.clone() } else { json!({}) }
    }
}

/// The source plan that a run with these settings would follow. Nothing is read, and nothing published.
pub fn plan(settings: &RunSettings) -> Json {
    let goal = collapse(&settings.goal);
    let named = settings.run_id.clone().unwrap_or_default();
    Beginning::of(&RunSettings { source_plan: true, ..settings.clone() }, OfRun { goal: &goal, run_id: &named }).plan
}

/// Publishes what a run with these settings begins with, for nodes that are up elsewhere; the run's id and the
/// record's.
///
/// # Errors
/// The ledger failed.
pub fn seed(settings: &RunSettings, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<(String, String), LedgerError> {
    let (goal, now) = (collapse(&settings.goal), around.now());
    let named = named(settings, &goal, now);
    let run = OfRun { goal: &goal, run_id: &named };
    let gid = publish_seeds(settings, &Beginning::of(settings, run), run, ledger, around, now)?;
    Ok((named, gid))
}

/// The run's id: what was asked for, else one that is made.
fn named(settings: &RunSettings, goal: &str, now: f64) -> String {
    let asked = settings.run_id.as_deref().map(collapse).filter(|named| !named.is_empty());
    asked.unwrap_or_else(|| run_id(goal, &settings.evidence_urls, &settings.urls, now))
}

/// Runs the loop.
///
/// # Errors
/// The ledger failed.
pub fn run(settings: &RunSettings, reader: Reader, hands: Hands<'_>) -> Result<Done, LedgerError> {
    let Hands { ledger, fetcher, waiting, around } = hands;
    let goal = collapse(&settings.goal);
    let now = around.now();
    let named = named(settings, &goal, now);
    let run = OfRun { goal: &goal, run_id: &named };
    let begins = Beginning::of(settings, run);
    let seed_gid = publish_seeds(settings, &begins, run, ledger, around, now)?;
    let mut node = ExplorerNode::new(&settings.node_id, &named, &goal, reader);
    let mut meta = MetaAgent::new(&settings.meta_id, &named, &goal, settings.artifact_limit);
    let (mut ticks, mut totals, mut last_meta) = (Vec::new(), [0_u64; 3], MetaAgent::skipped(&named));
    let requested = settings.ticks.max(1);
    for number in 1..=requested {
        if number > 1 && settings.tick_delay > 0.0 {
            waiting.sleep(settings.tick_delay);
        }
        let before = node.counters();
        ledger.refresh()?;
        node.tick(ledger, fetcher, around)?;
        ledger.refresh()?;
        let of_meta = if settings.skip_meta {
            MetaTick { result: MetaAgent::skipped(&named), ..MetaTick::default() }
        } else {
            meta.tick(ledger, around)?
        };
        ledger.refresh()?;
        let mut tick = Object::new();
        node.counters().since(&before).tell(&mut tick);
        put(
            &mut tick,
            json!({
                "tick": number,
                "node": node.result(),
                "meta_agent": of_meta.result,
                "classifications_published": of_meta.classified,
                "meta_targets_published": of_meta.suggested,
                "memory_records_published": of_meta.remembered,
            }),
        );
        clear_flags(&mut tick);
        ticks.push(Json::Object(tick));
        for (total, count) in totals.iter_mut().zip([of_meta.classified, of_meta.suggested, of_meta.remembered]) {
            *total += count;
        }
        last_meta = of_meta.result;
    }
    let artifact = artifact_of(&meta, settings.artifact_limit);
    let mut result = Object::new();
    let totals_of_node = node.counters();
    put(
        &mut result,
        json!({
            "type": "explorer_network_read_loop_result",
            "status": "completed",
            "seed_urls": begins.urls,
            "research_goal": goal,
            "exploration_run_id": named,
            "source_adapters": settings.adapters,
            "source_adapter_targets": begins.of_adapters,
            "evidence_seed_urls": begins.evidence_urls,
            "evidence_seed_targets": begins.evidence,
            "source_plan_enabled": settings.source_plan,
            "source_plan_audit": {"safe_public_search_template_audit": begins.audit()},
            "safe_public_search_template_audit": begins.audit(),
            "source_plan_targets": if settings.source_plan { &begins.planned[..] } else { &[] },
            "source_plan": begins.plan,
            "seed_record_gid": seed_gid,
            "ticks_requested": requested,
            "ticks_completed": ticks.len(),
            "total_fetches_attempted": totals_of_node.fetches_attempted,
            "total_fetches_failed": totals_of_node.fetches_failed,
            "total_findings_emitted": totals_of_node.findings_emitted,
            "total_targets_discovered": totals_of_node.targets_discovered,
            "total_targets_published": totals_of_node.targets_published,
            "total_classifications_published": totals[0],
            "total_meta_targets_published": totals[1],
            "total_memory_records_published": totals[2],
            "memory_replay_artifact_record_count": field(&artifact, "record_count"),
            "memory_replay_artifact_available_record_count": field(&artifact, "available_record_count"),
            "node": node.result(),
            "meta_agent": last_meta,
            "record_counts": record_counts(ledger)?,
        }),
    );
    result.insert("tick_results".to_owned(), Json::Array(ticks));
    result.insert("memory_replay_artifact".to_owned(), artifact);
    if fetcher.is_loopback() {
        result.insert("loopback_site".to_owned(), Json::Bool(true));
    }
    clear_flags(&mut result);
    Ok(Done { result: Json::Object(result), node, meta })
}

/// Publishes what the run begins with; the id of that record.
fn publish_seeds(
    settings: &RunSettings,
    begins: &Beginning,
    run: OfRun<'_>,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
    now: f64,
) -> Result<String, LedgerError> {
    let mut gid = format!("exp_seed_{}", seconds(now));
    // Two runs may begin in one second; the second must not replace the first's seeds.
    if !ledger.find("explorer_targets", "gid", &gid)?.is_empty() {
        gid = id("exp_seed", around);
    }
    let mut targets = begins.targets();
    for target in &mut targets {
        target["gid"] = id("exp_tgt", around).into();
        if let Some(url) = web_url(&clean(field(target, "url"))) {
            target["normalized_url"] = url.into();
        }
    }
    let seeds = Seeds {
        run,
        agent: &settings.node_id,
        urls: &begins.urls,
        targets: &targets,
        adapters: &settings.adapters,
        adapter_target_count: begins.of_adapters.len(),
    };
    ledger.publish(seeds.to_record(&gid, now), around)?;
    Ok(gid)
}

/// The bounded artifact of the run's replay copies. What was published and is not held is available all the same.
fn artifact_of(meta: &MetaAgent, limit: usize) -> Json {
    let text = crate::json::to_line(&meta.replay_copies());
    let limit = i128::try_from(limit).unwrap_or(i128::MAX);
    let mut artifact = match parse(text.as_bytes()) {
        Ok(payload) => build_artifact(&payload, limit),
        Err(_) => build_artifact(&crate::json::Value::Null, limit),
    };
    let available = meta.published_count();
    artifact["available_record_count"] = available.into();
    artifact["truncated"] = (Some(available) > field(&artifact, "record_count").as_u64()).into();
    artifact
}

/// How many live records of each type the ledger has.
fn record_counts(ledger: &dyn Ledger) -> Result<BTreeMap<String, u64>, LedgerError> {
    let mut counts = BTreeMap::new();
    each_record(ledger, Select::default(), &mut |_, record| {
        let text = |name| record.get(name).and_then(crate::json::Value::as_str).unwrap_or_default();
        let record_type = text("type");
        *counts.entry(record_type.to_owned()).or_default() += 1;
        if record_type == "swarm_event" {
            *counts.entry(format!("swarm_event:{}", text("event_type"))).or_default() += 1;
        }
    })?;
    Ok(counts)
}

#[cfg(test)]
mod tests;
