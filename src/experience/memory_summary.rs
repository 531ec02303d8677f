//! What a memory node reports: a summary of the memory records, and the aggregate over nodes.
//!
//! How records are recognised is not decided here: a record may carry `recognition` and
//! `recognition_action`, and those are counted.

use super::counts::Counts;
use super::execution_evidence;
use crate::ledger::{Ledger, LedgerError, Record, Select};
use serde::Serialize;
use serde_json::Value as Json;

/// The class of a runtime evidence memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceClass {
    /// Passed, with at least one check and all of them passed.
    Gold,
    /// Somebody should look.
    Review,
    /// Failed.
    Alert,
}

/// The class of a runtime evidence memory; `None` for one that is of no class.
pub fn class_of(memory: &Record) -> Option<EvidenceClass> {
    let status = memory.text("status").to_lowercase();
    let checks = memory.get("payload.checks").or_else(|| memory.get("checks")).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let passed = |check: &Json| check.get("status").and_then(Json::as_str).is_some_and(|said| said.trim().eq_ignore_ascii_case("passed"));
    let all = checks.iter().all(passed);
    match status.as_str() {
        "failed" => Some(EvidenceClass::Alert),
        "passed" if all && !checks.is_empty() => Some(EvidenceClass::Gold),
        "partial" | "unknown" => Some(EvidenceClass::Review),
        _ if !all => Some(EvidenceClass::Review),
        _ => None,
    }
}

/// A summary of memory records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MemorySummary {
    /// All of them.
    pub total_records: u64,
    /// Those that say how they were recognised.
    pub recognized_records: u64,
    /// Recognised as worth promoting.
    pub gold_candidates: u64,
    /// Recognised as worth a look.
    pub review_candidates: u64,
    /// Recognised as dangerous.
    pub alert_candidates: u64,
    /// Recognised as a repeat.
    pub dedupe_candidates: u64,
    /// Recognised as worth shortening.
    pub compress_candidates: u64,
    /// Recognised as worth setting apart.
    pub quarantine_candidates: u64,
    /// By `recognition`.
    pub recognition_counts: Counts,
    /// By `recognition_action`.
    pub recognition_action_counts: Counts,
    /// By `kind`.
    pub by_kind: Counts,
    /// By `scope`.
    pub by_scope: Counts,
    /// Whether something could not be read.
    pub degraded: bool,
    /// Why it is degraded.
    pub reason: Option<&'static str>,
    /// Those of kind `runtime_evidence`.
    pub runtime_evidence_records: u64,
    /// Of these, gold.
    pub runtime_evidence_gold_candidates: u64,
    /// Of these, to review.
    pub runtime_evidence_review_candidates: u64,
    /// Of these, alerts.
    pub runtime_evidence_alert_candidates: u64,
    /// Runtime evidence about replay executions.
    pub replay_execution_evidence_records: u64,
    /// Of these, passed.
    pub replay_execution_evidence_passed: u64,
    /// Of these, failed.
    pub replay_execution_evidence_failed: u64,
}

impl MemorySummary {
    /// Summarises the memory records of a ledger for which `wanted` holds.
    ///
    /// # Errors
    /// The ledger failed.
    pub fn of(ledger: &dyn Ledger, wanted: &dyn Fn(&Record) -> bool) -> Result<Self, LedgerError> {
        let mut summary = Self::default();
        ledger.each(Select { types: &["memory_record"] }, &mut |entry| {
            match Record::parse(&entry.payload) {
                Ok(memory) if wanted(&memory) => summary.add(&memory),
                Ok(_) => {}
                Err(_) => summary.degrade(),
            }
            Ok(())
        })?;
        Ok(summary)
    }

    /// Counts one memory record.
    pub fn add(&mut self, memory: &Record) {
        self.total_records += 1;
        self.by_kind.add_exactly(&memory.text("kind"));
        self.by_scope.add_exactly(&memory.text("scope"));
        self.recognise(memory);
        if memory.text("kind") != "runtime_evidence" {
            return;
        }
        self.runtime_evidence_records += 1;
        match class_of(memory) {
            Some(EvidenceClass::Gold) => self.runtime_evidence_gold_candidates += 1,
            Some(EvidenceClass::Review) => self.runtime_evidence_review_candidates += 1,
            Some(EvidenceClass::Alert) => self.runtime_evidence_alert_candidates += 1,
            None => {}
        }
        if memory.linked("subject") == execution_evidence::SUBJECT {
            self.replay_execution_evidence_records += 1;
            match memory.text("status").to_lowercase().as_str() {
                "passed" => self.replay_execution_evidence_passed += 1,
                "failed" => self.replay_execution_evidence_failed += 1,
                _ => {}
            }
        }
    }

    fn recognise(&mut self, memory: &Record) {
        let (recognition, action) = (memory.linked("recognition").to_lowercase(), memory.linked("recognition_action").to_lowercase());
        if recognition.is_empty() && action.is_empty() {
            return;
        }
        self.recognized_records += 1;
        self.recognition_counts.add(&recognition);
        self.recognition_action_counts.add(&action);
        for (word, count) in [
            ("gold", &mut self.gold_candidates),
            ("review", &mut self.review_candidates),
            ("alert", &mut self.alert_candidates),
            ("dedupe", &mut self.dedupe_candidates),
            ("compress", &mut self.compress_candidates),
            ("quarantine", &mut self.quarantine_candidates),
        ] {
            *count += u64::from(recognition == word || action == word);
        }
    }

    fn degrade(&mut self) {
        self.degraded = true;
        self.reason = Some("unreadable_records");
    }

    fn merge(&mut self, other: &Self) {
        let count = |into: &mut u64, more: u64| *into = into.saturating_add(more);
        count(&mut self.total_records, other.total_records);
        count(&mut self.recognized_records, other.recognized_records);
        count(&mut self.gold_candidates, other.gold_candidates);
        count(&mut self.review_candidates, other.review_candidates);
        count(&mut self.alert_candidates, other.alert_candidates);
        count(&mut self.dedupe_candidates, other.dedupe_candidates);
        count(&mut self.compress_candidates, other.compress_candidates);
        count(&mut self.quarantine_candidates, other.quarantine_candidates);
        count(&mut self.runtime_evidence_records, other.runtime_evidence_records);
        count(&mut self.runtime_evidence_gold_candidates, other.runtime_evidence_gold_candidates);
        count(&mut self.runtime_evidence_review_candidates, other.runtime_evidence_review_candidates);
        count(&mut self.runtime_evidence_alert_candidates, other.runtime_evidence_alert_candidates);
        count(&mut self.replay_execution_evidence_records, other.replay_execution_evidence_records);
        count(&mut self.replay_execution_evidence_passed, other.replay_execution_evidence_passed);
        count(&mut self.replay_execution_evidence_failed, other.replay_execution_evidence_failed);
        self.recognition_counts.merge(&other.recognition_counts);
        self.recognition_action_counts.merge(&other.recognition_action_counts);
        self.by_kind.merge(&other.by_kind);
        self.by_scope.merge(&other.by_scope);
        if other.degraded {
            self.degraded = true;
            self.reason = self.reason.or(other.reason);
        }
    }

    fn status(&self) -> &'static str {
        let any = |counts: [u64; 2]| counts.into_iter().any(|count| count > 0);
        if self.degraded {
            "degraded"
        } else if any([self.alert_candidates, self.runtime_evidence_alert_candidates]) {
            "danger_detected"
        } else if any([self.review_candidates, self.runtime_evidence_review_candidates]) {
            "needs_review"
        } else if any([self.gold_candidates, self.runtime_evidence_gold_candidates]) {
            "valuable_activity"
        } else {
            "healthy"
        }
    }
}

/// `memory_intelligence.aggregate` of the Overseer: the sum over memory nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MemoryAggregate {
    /// By first match: `degraded`, `danger_detected`, `needs_review`, `valuable_activity`, `healthy`; `unknown` without a heartbeat.
    pub status: &'static str,
    /// How many nodes reported.
    pub nodes: usize,
    /// The sums.
    #[serde(flatten)]
    pub summary: MemorySummary,
}

impl MemoryAggregate {
    /// The aggregate of these nodes' summaries.
    pub fn of(summaries: &[MemorySummary]) -> Self {
        let mut summary = MemorySummary::default();
        summaries.iter().for_each(|one| summary.merge(one));
        let status = if summaries.is_empty() { "unknown" } else { summary.status() };
        Self { status, nodes: summaries.len(), summary }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;
    use serde_json::json;

    fn memory(status: &str, checks: &[&str]) -> Record {
        let checks: Json = checks.iter().map(|status| json!({"name": "c", "status": status})).collect();
        Record::new("memory_record")
            .with("kind", "runtime_evidence")
            .with("scope", "global")
            .with("status", status)
            .with("payload", json!({"checks": checks, "subject": execution_evidence::SUBJECT}))
    }

    fn summary(memories: &[Record]) -> MemorySummary {
        let mut summary = MemorySummary::default();
        memories.iter().for_each(|memory| summary.add(memory));
        summary
    }

    #[test]
    fn a_class_follows_from_status_and_checks() {
        use EvidenceClass::{Alert, Gold, Review};
        for (status, checks, class) in [
            ("passed", &["passed", "passed"][..], Some(Gold)),
            ("Passed", &["passed"], Some(Gold)),
            ("passed", &[], None),
            ("passed", &["passed", "failed"], Some(Review)),
            ("passed", &["unknown"], Some(Review)),
            ("failed", &["passed"], Some(Alert)),
            ("failed", &[], Some(Alert)),
            ("partial", &["passed"], Some(Review)),
            ("unknown", &[], Some(Review)),
            ("odd", &["failed"], Some(Review)),
            ("odd", &["passed"], None),
        ] {
            assert_eq!(class_of(&memory(status, checks)), class, "{status} {checks:?}");
        }
    }

    #[test]
    fn a_ledger_is_summarised() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        let note = Record::new("memory_record")
            .with("kind", "note")
            .with("recognition", "Gold")
            .with("payload", json!({"recognition_action": "dedupe"}));
        for record in [memory("passed", &["passed"]), memory("failed", &[]), memory("partial", &[]), note, Record::new("evidence_record")] {
            ledger.publish(record, &mut around).expect("memory takes it");
        }
        let summary = MemorySummary::of(&ledger, &|_| true).expect("memory answers");
        assert_eq!((summary.total_records, summary.runtime_evidence_records, summary.recognized_records), (4, 3, 1));
        assert_eq!((summary.gold_candidates, summary.dedupe_candidates, summary.alert_candidates), (1, 1, 0));
        assert_eq!(
            (
                summary.runtime_evidence_gold_candidates,
                summary.runtime_evidence_review_candidates,
                summary.runtime_evidence_alert_candidates
            ),
            (1, 1, 1)
        );
        assert_eq!(
            (summary.replay_execution_evidence_records, summary.replay_execution_evidence_passed, summary.replay_execution_evidence_failed),
            (3, 1, 1)
        );
        assert_eq!((summary.by_kind.of("runtime_evidence"), summary.by_kind.of("note"), summary.by_scope.of("unknown")), (3, 1, 1));
        let fields = json!(summary);
        for field in "total_records recognized_records gold_candidates review_candidates alert_candidates dedupe_candidates \
             compress_candidates quarantine_candidates recognition_counts recognition_action_counts by_kind by_scope degraded reason \
             runtime_evidence_records runtime_evidence_gold_candidates runtime_evidence_review_candidates \
             runtime_evidence_alert_candidates replay_execution_evidence_records replay_execution_evidence_passed \
             replay_execution_evidence_failed"
            .split_whitespace()
        {
            assert!(fields.get(field).is_some(), "{field}");
        }
    }

    #[test]
    fn the_aggregate_takes_the_first_status_that_fits() {
        let [gold, review, alert] = [("passed", &["passed"][..]), ("partial", &[]), ("failed", &[])].map(|(s, c)| summary(&[memory(s, c)]));
        let mut degraded = gold.clone();
        degraded.degrade();
        let status = |summaries: &[MemorySummary]| MemoryAggregate::of(summaries).status;
        assert_eq!(status(&[]), "unknown");
        assert_eq!(status(&[MemorySummary::default()]), "healthy");
        assert_eq!(status(std::slice::from_ref(&gold)), "valuable_activity");
        assert_eq!(status(&[gold.clone(), review.clone()]), "needs_review");
        assert_eq!(status(&[review.clone(), gold.clone(), alert.clone()]), "danger_detected");
        assert_eq!(status(&[alert, degraded]), "degraded");
        assert_eq!(MemoryAggregate::of(&[gold, review]).summary.total_records, 2);
    }
}
