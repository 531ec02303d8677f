//! Findings: what came of one read, with where it comes from.

use super::fetch::Answer;
use super::location::Location;
use super::preview::{self, Content};
use super::target::{CHANNEL, OfRun, TIER};
use crate::json::hex;
use crate::ledger::Record;
use crate::memory::clear_flags;
use crate::memory::ingest::put;
use crate::memory::url;
use crate::memory::value::{Object, chars, clean, cut, field, int};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

/// What is known of a read before its answer.
#[derive(Debug)]
pub(crate) struct Read<'r> {
    pub(crate) run: OfRun<'r>,
    pub(crate) agent: &'r str,
    pub(crate) target: &'r Json,
    pub(crate) target_gid: &'r str,
    /// The record of targets that named it.
    pub(crate) source_gid: &'r str,
    pub(crate) url: &'r str,
    pub(crate) fetch_gid: &'r str,
    pub(crate) finding_gid: &'r str,
    pub(crate) now: f64,
    pub(crate) robots_respected: bool,
    pub(crate) crawl_delay: Option<f64>,
    /// Whether the answer came from a site on this machine that a test runs.
    pub(crate) loopback: bool,
}

/// What a target says of its quality, and a finding goes on saying.
const TARGET_FIELDS: [&str; 21] = [
    "source_adapter",
    "source_kind",
    "discovery_method",
    "discovered_from_adapter",
    "preferred_evidence_target",
    "goal_terms_matched",
    "seed_score",
    "source_type_score",
    "source_score",
    "quality_score",
    "system_relevance_score",
    "authority_score",
    "freshness_score",
    "goal_alignment_score",
    "plan_rank",
    "evidence_category",
    "topic_tags",
    "search_query",
    "search_query_site",
    "search_query_template_kind",
    "safe_public_search_template",
];

impl Read<'_> {
    fn provenance(&self, more: Json) -> Object {
        let mut provenance = Object::new();
        for name in TARGET_FIELDS {
            if let Some(value) = self.target.get(name) {
                provenance.insert(name.to_owned(), value.clone());
            }
        }
        put(
            &mut provenance,
            json!({
                "agent": self.agent,
                "target_gid": self.target_gid,
                "fetch_gid": self.fetch_gid,
                "url": self.url,
                "normalized_url": self.url,
                "domain": url::domain(self.url),
                "timestamp": self.now,
                "execution_risk_tier": TIER,
                "coordination_channel": CHANNEL,
                "evidence_kind": "web_fetch",
                "network_read_performed": true,
                "policy_allowed": true,
                "policy_reason": "ok",
                "robots_respected": self.robots_respected,
                "robots_allowed": true,
                "crawl_delay": self.crawl_delay,
                "memory_ingestion_candidate": true,
                "exploration_run_id": self.run.run_id,
                "research_goal_id": self.run.run_id,
                "goal": self.run.goal,
                "research_goal": self.run.goal,
                "research_goal_text": self.run.goal,
                "parent_gid": self.target_gid,
                "source_event_gid": self.source_gid,
                "source_gids": [self.source_gid, self.target_gid],
                "target_depth": i64::try_from(int(field(self.target, "target_depth"), 0)).unwrap_or(0),
            }),
        );
        if self.loopback {
            provenance.insert("loopback_site".to_owned(), Json::Bool(true));
        }
        put(&mut provenance, more);
        clear_flags(&mut provenance);
        provenance
    }

    fn record(&self, more: Json, provenance: Object) -> Record {
        let mut finding = Object::new();
        put(
            &mut finding,
            json!({
                "type": "explorer_finding",
                "event_type": "finding_published",
                "gid": self.finding_gid,
                "source_gid": self.target_gid,
                "url": self.url,
                "domain": url::domain(self.url),
                "classification": "unclassified",
                "confidence": 0.0,
                "reason": "not classified yet",
                "timestamp": self.now,
            }),
        );
        put(&mut finding, more);
        clear_flags(&mut finding);
        finding.insert("provenance".to_owned(), Json::Object(provenance));
        Record::from_map(finding)
    }

    /// The finding of a read that had no answer.
    pub(crate) fn failed(&self, why: &str) -> Record {
        let why = cut(&clean(&Json::from(why)), 500).to_owned();
        let provenance = self.provenance(json!({
            "fetch_status": "error",
            "http_status": null,
            "content_bytes": 0,
            "content_hash": null,
            "content_preview_source": "",
            "content_preview_chars": 0,
            "source_adapter_rate_limited": false,
            "source_adapter_backoff_domain": false,
            "content_already_seen": false,
            "discovered_targets": [],
            "discovered_target_count": 0,
        }));
        let more = json!({"fetch_status": "error", "fetch_error": why, "content_preview": null, "content_hash": null});
        self.record(more, provenance)
    }

    /// The finding of an answer from `at`.
    pub(crate) fn answered(&self, at: &Location, answer: &Answer, content: &Content, noted: &Noted<'_>) -> Record {
        let domain = url::domain(self.url);
        let (preview, preview_source) = preview::make(content, self.target, self.url, &domain);
        let status = if answer.status < 400 { "ok".to_owned() } else { format!("http_{}", answer.status) };
        let discovered: Vec<&Json> = noted.discovered.iter().map(|target| field(target, "url")).collect();
        let provenance = self.provenance(json!({
            "fetch_status": status,
            "http_status": answer.status,
            "final_url": at.to_text(),
            "content_bytes": answer.body.len(),
            "content_hash": noted.content_hash,
            "content_preview_source": preview_source,
            "content_preview_chars": chars(&preview),
            "source_adapter_rate_limited": noted.rate_limited,
            "source_adapter_backoff_domain": noted.backing_off,
            "content_already_seen": noted.already_seen,
            "discovered_targets": discovered,
            "discovered_target_count": discovered.len(),
        }));
        let more = json!({"fetch_status": status, "fetch_error": null, "content_preview": preview, "content_hash": noted.content_hash});
        self.record(more, provenance)
    }
}

/// What the node noted about an answer.
#[derive(Debug)]
pub(crate) struct Noted<'n> {
    pub(crate) content_hash: &'n str,
    pub(crate) rate_limited: bool,
    pub(crate) backing_off: bool,
    pub(crate) already_seen: bool,
    pub(crate) discovered: &'n [Json],
}

/// The digest of a body's text.
pub(crate) fn content_hash(content: &Content) -> String {
    hex(&Sha256::digest(content.body.as_bytes()))
}

/// The event of a read that was refused, which has no finding.
pub(crate) fn refused(read: &Read<'_>, outcome: &str, reason: &str) -> Record {
    let mut provenance = read.provenance(json!({
        "network_read_performed": false,
        "policy_allowed": outcome == "robots_disallowed",
        "policy_reason": reason,
        "robots_allowed": outcome != "robots_disallowed",
        "memory_ingestion_candidate": false,
    }));
    provenance.remove("evidence_kind");
    let mut event = Object::new();
    put(
        &mut event,
        json!({
            "type": "swarm_event",
            "event_type": outcome,
            "gid": read.fetch_gid,
            "source_gid": read.target_gid,
            "url": read.url,
            "domain": url::domain(read.url),
            "status": reason,
            "timestamp": read.now,
        }),
    );
    clear_flags(&mut event);
    event.insert("provenance".to_owned(), Json::Object(provenance));
    Record::from_map(event)
}
