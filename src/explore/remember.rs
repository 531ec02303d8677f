//! What goes on to memory: the record of a finding that is useful and passed the gate.

use super::target::{CHANNEL, TIER};
use crate::ledger::Record;
use crate::memory::clear_flags;
use crate::memory::gate::gate;
use crate::memory::handoff::{handoff, repair_preview};
use crate::memory::ingest::{EVIDENCE_KIND, put};
use crate::memory::value::{Object, clean, field, map, members};
use serde_json::{Value as Json, json};

/// What the gate and the steps before it decided.
#[derive(Debug)]
pub(crate) enum Decision {
    /// It is handed on: its identity, and the record once it has an id.
    HandedOn(Box<Handoff>),
    /// It is not; the entry says why.
    Skipped(Json),
}

/// A finding on its way to memory.
#[derive(Debug)]
pub(crate) struct Handoff {
    /// By which memory knows the evidence.
    pub(crate) identity: String,
    finding: Json,
    metrics: Json,
}

/// Decides whether a classified finding goes on to memory; the ledger is not asked.
pub(crate) fn decide(classified: &Json, run_id: &str) -> Decision {
    let decision = handoff(classified);
    let finding = repair_preview(classified).unwrap_or_else(|| classified.clone());
    if field(&decision, "published") != true {
        let mut skip = members(&decision);
        skip.remove("published");
        skip.remove("repaired_preview");
        if clean(field(&decision, "reason")) == "quality_gate_failed" {
            skip.insert("quality_metrics".to_owned(), gate(&finding).metrics);
        }
        for name in ["url", "classification", "confidence"] {
            skip.insert(name.to_owned(), field(classified, name).clone());
        }
        skip.insert("source_record_gid".to_owned(), field(classified, "parent_gid").clone());
        return Decision::Skipped(Json::Object(skip));
    }
    let or = |text: String, none: &str| if text.is_empty() { none.to_owned() } else { text };
    let identity = format!(
        "{EVIDENCE_KIND}|{}|{}|{}",
        or(run_id.to_owned(), "no_run"),
        or(clean(field(&finding, "url")), "no_url"),
        or(clean(field(&finding, "content_hash")), "no_content_hash")
    );
    Decision::HandedOn(Box::new(Handoff { identity, metrics: gate(&finding).metrics, finding }))
}

/// What evidence says of its source; absent fields stay absent.
const EVIDENCE_FIELDS: [&str; 10] = [
    "source_adapter",
    "source_kind",
    "discovery_method",
    "source_score",
    "quality_score",
    "system_relevance_score",
    "authority_score",
    "freshness_score",
    "goal_alignment_score",
    "source_type_score",
];

impl Handoff {
    /// The memory record, under this id.
    pub(crate) fn to_record(&self, gid: &str, agent: &str, run_id: &str, now: f64) -> Record {
        let said = |name: &str| field(&self.finding, name).clone();
        let provenance = map(field(&self.finding, "provenance"));
        let signals = map(field(provenance, "fallback_quality_signals"));
        let gate_fields = json!({
            "memory_evidence_identity": self.identity,
            "handoff_quality_gate_passed": true,
            "handoff_quality_reasons": [],
            "handoff_quality_metrics": self.metrics,
        });
        let read = json!({
            "url": said("url"),
            "domain": said("domain"),
            "content_preview": said("content_preview"),
            "content_hash": said("content_hash"),
            "fetch_status": said("fetch_status"),
            "classification": said("classification"),
            "confidence": said("confidence"),
            "reason": said("reason"),
        });
        let mut evidence = members(&read);
        evidence.insert("evidence_kind".to_owned(), "web_fetch".into());
        for name in EVIDENCE_FIELDS {
            // What the signals made of a score is what the gate judged.
            let value = [field(signals, name), field(provenance, name)].into_iter().find(|value| !value.is_null());
            if let Some(value) = value {
                evidence.insert(name.to_owned(), value.clone());
            }
        }
        put(&mut evidence, gate_fields.clone());
        let mut payload = members(&read);
        put(&mut payload, json!({"exploration_run_id": run_id, "research_goal_id": run_id, "memory_ingestion_candidate": true}));
        put(&mut payload, gate_fields.clone());
        let (parent, classified) = (said("parent_gid"), said("gid"));
        let mut with_source: Object = members(provenance);
        // Scores as they were judged; ingestion looks for them here.
        for name in EVIDENCE_FIELDS.into_iter().filter(|name| name.ends_with("_score")) {
            if let Some(value) = evidence.get(name) {
                with_source.insert(name.to_owned(), value.clone());
            }
        }
        put(
            &mut with_source,
            json!({
                "agent": agent,
                "source_swarm": "explorer",
                "source_record_gid": parent,
                "classification_event_gid": classified,
                "handoff_reason": "fallback_useful_classification",
                "record_kind": EVIDENCE_KIND,
                "execution_risk_tier": TIER,
                "coordination_channel": CHANNEL,
            }),
        );
        put(&mut with_source, gate_fields.clone());
        clear_flags(&mut with_source);
        let mut record = Object::new();
        put(
            &mut record,
            json!({
                "type": "memory_record",
                "schema_version": "1.0",
                "record_kind": EVIDENCE_KIND,
                "gid": gid,
                "timestamp": now,
                "source_swarm": "explorer",
                "source_agent": agent,
                "source_record_gid": parent,
                "source_gid": said("source_gid"),
                "classification_event_gid": classified,
                "parent_gid": parent,
                "exploration_run_id": run_id,
                "research_goal_id": run_id,
                "memory_ingestion_candidate": true,
                "status": "candidate",
                "content_preview": said("content_preview"),
                "subject": {
                    "type": "web_source", "url": said("url"), "domain": said("domain"), "content_hash": said("content_hash"),
                },
                "evidence": evidence,
                "payload": payload,
                "provenance": with_source,
            }),
        );
        put(&mut record, gate_fields);
        clear_flags(&mut record);
        Record::from_map(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::ingest::{build_candidate, to_memory_record};

    fn classified(confidence: f64, preview: &str) -> Json {
        json!({
            "type": "explorer_finding", "gid": "exp_cls_1", "parent_gid": "exp_find_1", "source_gid": "exp_tgt_1",
            "url": "https://docs.python.org/3/library/queue.html", "domain": "docs.python.org", "content_hash": "h", "fetch_status": "ok",
            "content_preview": preview, "classification": "USEFUL", "confidence": confidence,
            "provenance": {
                "source_adapter": "evidence", "source_kind": "curated_evidence_url", "preferred_evidence_target": true,
                "source_score": 0.72, "system_relevance_score": 0.72, "real_execution_enabled": true
            }
        })
    }

    #[test]
    fn what_is_handed_on_can_be_ingested() {
        let Decision::HandedOn(handoff) = decide(&classified(0.7, "The queue module hands work between threads."), "r") else {
            panic!("it is useful")
        };
        assert_eq!(handoff.identity, "explorer_useful_evidence|r|https://docs.python.org/3/library/queue.html|h");
        let record = Json::Object(handoff.to_record("mem_ev_1", "meta", "r", 5.0).members().clone());
        assert!(record.get("url").is_none() && record.get("content_hash").is_none(), "evidence is not at the top");
        assert_eq!(record["provenance"]["real_execution_enabled"], false);
        assert!(crate::memory::flags_set(&record).next().is_none());
        // Its URL is found where ingestion looks for it.
        let mut with_url = record;
        with_url["provenance"]["url"] = "https://docs.python.org/3/library/queue.html".into();
        let candidate = build_candidate(&with_url).expect("it is evidence");
        assert_eq!(candidate["system_relevance_score"], 0.72);
        assert!(to_memory_record(&candidate).is_ok());
    }

    #[test]
    fn a_skip_says_why() {
        for (finding, reason) in [
            (classified(0.4, "The queue module hands work between threads."), "confidence_below_threshold"),
            (json!({"classification": "NEUTRAL"}), "classification_not_useful"),
            (classified(0.7, "short"), "quality_gate_failed"),
        ] {
            let Decision::Skipped(skip) = decide(&finding, "r") else { panic!("{finding}") };
            assert_eq!(skip["reason"], reason);
            assert_eq!(skip.get("quality_metrics").is_some(), reason == "quality_gate_failed");
        }
    }

    #[test]
    fn a_preview_that_got_lost_is_made_again() {
        let Decision::HandedOn(handoff) = decide(&classified(0.7, " "), "") else { panic!("it is repaired") };
        assert!(handoff.identity.starts_with("explorer_useful_evidence|no_run|"));
        let record = handoff.to_record("mem_ev_1", "meta", "", 5.0);
        assert_eq!(record.text("provenance.memory_handoff_preview_source"), "meta_synthetic_evidence_preview");
    }
}
