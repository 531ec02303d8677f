//! Targets: what may be read next, and what a run begins with.

use super::goal;
use crate::ledger::{Record, Surroundings};
use crate::memory::ingest::put;
use crate::memory::url;
use crate::memory::value::{Object, clean, collapse, field, lower};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

/// What a read of a public source is.
pub(crate) const TIER: &str = "network_read";
/// The label under which explorers coordinate.
pub(crate) const CHANNEL: &str = "crdt_genomes";
/// What a run without any URL is aimed at. It never reaches memory.
pub(crate) const PLACEHOLDER: &str = "https://example.com/";

/// An id `<prefix>_<unix seconds>_<8 hex>`.
pub(crate) fn id(prefix: &str, around: &mut dyn Surroundings) -> String {
    let [.., a, b, c, d] = around.random();
    format!("{prefix}_{}_{}", seconds(around.now()), crate::json::hex(&[a, b, c, d]))
}

/// Whole seconds of a time.
pub(crate) fn seconds(now: f64) -> i64 {
    now as i64
}

/// The id of a run that nobody named.
pub(crate) fn run_id(goal: &str, evidence: &[String], seeds: &[String], now: f64) -> String {
    let mut urls = distinct(evidence.iter().chain(seeds));
    urls.truncate(10);
    if urls.is_empty() {
        urls.push(PLACEHOLDER.to_owned());
    }
    let text = format!("explorer|{TIER}|{}|{}|{}", collapse(goal), urls.join("|"), seconds(now));
    format!("exp_run_{}_{}", seconds(now), &crate::json::hex(&Sha256::digest(text.as_bytes()))[..12])
}

/// The normalised URLs, the first of each; what is no address on the web is left out.
pub(crate) fn distinct<'s>(urls: impl IntoIterator<Item = &'s String>) -> Vec<String> {
    let mut seen = HashSet::new();
    urls.into_iter().filter_map(|said| web_url(said)).filter(|url| seen.insert(url.clone())).collect()
}

/// The normal form of a URL on the web.
pub(crate) fn web_url(said: &str) -> Option<String> {
    let normal = url::normalise(said);
    (normal.starts_with("http://") || normal.starts_with("https://")).then_some(normal).filter(|normal| !url::domain(normal).is_empty())
}

/// Whose run a target belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfRun<'r> {
    pub(crate) goal: &'r str,
    pub(crate) run_id: &'r str,
}

impl OfRun<'_> {
    /// Adds what every target of the run says.
    pub(crate) fn mark(&self, target: &mut Object) {
        put(
            target,
            json!({
                "goal": self.goal,
                "research_goal": self.goal,
                "research_goal_text": self.goal,
                "exploration_run_id": self.run_id,
                "research_goal_id": self.run_id,
                "execution_risk_tier": TIER,
                "coordination_channel": CHANNEL,
                "network_read_candidate": true,
                "external_write_performed": false,
                "real_execution_enabled": false,
            }),
        );
    }

    /// The target of a URL that the operator named as evidence.
    pub(crate) fn evidence_seed(&self, normal: &str) -> Json {
        let matched = goal::matched(&goal::seed_terms(self.goal), &normal.to_lowercase().replace(['-', '_'], " "));
        let (source, alignment, relevance) = if matched.is_empty() { (0.88, 0.14, 0.75) } else { (0.95, 0.28, 0.92) };
        let mut target = Object::new();
        put(
            &mut target,
            json!({
                "url": normal,
                "domain": url::domain(normal),
                "source_adapter": "evidence_seed",
                "source_kind": "goal_evidence_url",
                "discovery_method": "operator_seeded_evidence_url",
                "score": source,
                "source_score": source,
                "quality_score": source,
                "goal_alignment_score": alignment,
                "system_relevance_score": relevance,
                "seed_score": 1.0,
                "source_type_score": 0.95,
                "authority_score": 0.80,
                "freshness_score": 0.50,
                "preferred_evidence_target": true,
                "goal_terms_matched": matched,
            }),
        );
        self.mark(&mut target);
        Json::Object(target)
    }
}

/// What a run begins with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seeds<'s> {
    pub(crate) run: OfRun<'s>,
    pub(crate) agent: &'s str,
    pub(crate) urls: &'s [String],
    pub(crate) targets: &'s [Json],
    pub(crate) adapters: &'s [String],
    pub(crate) adapter_target_count: usize,
}

impl Seeds<'_> {
    /// The record that names the targets of a run, under this id.
    pub(crate) fn to_record(self, gid: &str, now: f64) -> Record {
        let mut provenance = Object::new();
        self.run.mark(&mut provenance);
        put(
            &mut provenance,
            json!({
                "agent": self.agent,
                "source": "manual_seed",
                "source_adapters": self.adapters,
                "source_adapter_target_count": self.adapter_target_count,
            }),
        );
        let data = json!({
            "urls": self.urls,
            "targets": self.targets,
            "goal": self.run.goal,
            "source_adapters": self.adapters,
            "exploration_run_id": self.run.run_id,
            "research_goal_id": self.run.run_id,
        });
        Record::new("explorer_targets")
            .with("event_type", "targets_suggested")
            .with("gid", gid)
            .with("timestamp", now)
            .with("source_gids", json!([]))
            .with("data", data)
            .with("provenance", provenance)
    }
}

/// The targets that a record of targets names: those it describes, then bare URLs.
pub(crate) fn targets_of(record: &Json) -> Vec<Json> {
    let data = field(record, "data");
    let described = crate::memory::value::list(field(data, "targets")).iter().filter(|target| target.is_object()).cloned();
    let bare = crate::memory::value::list(field(data, "urls")).iter().filter(|url| url.is_string());
    described.chain(bare.map(|url| json!({"url": clean(url), "source_adapter": "seed", "source_kind": "operator_seed_url"}))).collect()
}

/// The adapter of a target, lower-cased; blank when it has none.
pub(crate) fn adapter(target: &Json) -> String {
    lower(field(target, "source_adapter"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evidence_seed_is_worth_more_when_its_address_speaks_of_the_goal() {
        let run = OfRun { goal: "agent-memory systems", run_id: "r" };
        let near = run.evidence_seed("https://docs.python.org/3/Memory_management");
        assert_eq!((&near["source_score"], &near["goal_alignment_score"]), (&json!(0.95), &json!(0.28)));
        assert_eq!((&near["goal_terms_matched"], &near["research_goal_id"]), (&json!(["memory"]), &json!("r")));
        let far = run.evidence_seed("https://docs.python.org/3");
        assert_eq!((&far["source_score"], &far["system_relevance_score"]), (&json!(0.88), &json!(0.75)));
    }

    #[test]
    fn a_run_is_named_by_its_goal_its_urls_and_its_second() {
        let urls = ["www.a.org/".to_owned(), "https://www.a.org".to_owned(), "ftp://a.org".to_owned()];
        assert_eq!(distinct(&urls), ["https://www.a.org/"]);
        let named = run_id(" a  goal ", &urls, &[], 12.9);
        assert_eq!(named, run_id("a goal", &[], &urls, 12.1));
        assert!(named.starts_with("exp_run_12_") && named.len() == "exp_run_12_".len() + 12);
        assert_ne!(named, run_id("a goal", &[], &[], 12.1));
    }

    #[test]
    fn a_hostile_record_names_few_targets() {
        assert_eq!(targets_of(&json!({"data": {"targets": [7, {"url": "x"}], "urls": [null, "y", {}]}})).len(), 2);
        assert!(targets_of(&json!([])).is_empty());
    }
}
