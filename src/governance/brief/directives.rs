//! Proposed directives: what a brief's actions may ask the swarms to do (loop governance, section 8.4).
//!
//! All are dry or mere observation. A retry gives no directive: it becomes a proposal first.

use super::{Brief, Item};
use crate::ledger::surroundings::random_hex;
use crate::ledger::{Record, Surroundings};
use serde_json::{Map, Value as Json, json};

/// How long a proposed directive is good for, in milliseconds.
const TTL_MS: u64 = 120_000;

/// The directives that the brief's recommended actions give rise to.
pub fn proposed_directives(brief: &Brief, source: &str, around: &mut dyn Surroundings) -> Vec<Record> {
    brief.recommended_actions.iter().filter_map(|action| directive(brief, action, source, around)).collect()
}

fn directive(brief: &Brief, action: &Item, source: &str, around: &mut dyn Surroundings) -> Option<Record> {
    let said = |key: &str| action.payload.get(key).and_then(Json::as_str).unwrap_or_default();
    let recommendation = said("recommendation");
    let (order, target, reason) = match (said("directive"), recommendation) {
        ("PROMOTE_GOLD_CANDIDATES", _) => ("PROMOTE_GOLD_CANDIDATES", "memory", "gold_candidates_detected"),
        ("REDUCE_RISK", _) => ("REDUCE_RISK", "trade", "risk_reduction_recommended"),
        (_, "review_runtime_evidence_alerts") => ("OBSERVE", "memory", "runtime_evidence_alert_candidates_detected"),
        (_, "review_security_validation_failures") => ("OBSERVE", "security", "security_validation_failures_detected"),
        (_, "observe_simulation_replay") => ("OBSERVE", "simulation", "simulation_replay_pending_detected"),
        _ => return None,
    };
    let mut payload = Map::from_iter([
        ("brief_id".to_owned(), json!(brief.brief_id)),
        ("reason_item".to_owned(), json!(if recommendation.is_empty() { &action.title } else { recommendation })),
    ]);
    if order == "REDUCE_RISK" {
        payload.insert("dry_run".to_owned(), json!(true));
        payload.insert("execution_enabled".to_owned(), json!(false));
    }
    let record = Record::new("swarm_directive")
        .with("directive_id", random_hex(around))
        .with("source", source)
        .with("action", order)
        .with("target", target)
        .with("target_type", "swarm")
        .with("status", "issued")
        .with("severity", action.severity.as_str())
        .with("reason", reason)
        .with("ttl_ms", TTL_MS)
        .with("created_at", brief.created_at)
        .with("payload", payload);
    Some(record)
}
