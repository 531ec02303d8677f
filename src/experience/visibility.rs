//! Whether others see a replayed directive: the memory summary, the Security metrics, the trail of its
//! records in the ledger. Looked at with a result that is yet to be published counted in.

use super::memory_summary::MemorySummary;
use crate::ledger::{Entry, Ledger, LedgerError, Record, Select, Surroundings};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

/// What computes the Security heartbeat metrics over a ledger.
pub type SecurityMetrics<'m> = dyn Fn(&dyn Ledger) -> Result<Json, LedgerError> + Sync + 'm;

/// The name by which a lifecycle result is counted.
pub const LIFECYCLE_RESULT: &str = "replay_evidence_lifecycle_result";

/// A ledger as it will be once `draft` is published; it is read only.
pub struct WithDraft<'l> {
    ledger: &'l dyn Ledger,
    draft: &'l Record,
}

impl<'l> WithDraft<'l> {
    /// The ledger with this record more.
    pub fn new(ledger: &'l dyn Ledger, draft: &'l Record) -> Self {
        Self { ledger, draft }
    }
}

impl std::fmt::Debug for WithDraft<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WithDraft").field("draft", self.draft).finish_non_exhaustive()
    }
}

fn read_only() -> LedgerError {
    LedgerError::Unpublishable("a draft is only looked at".to_owned())
}

impl Ledger for WithDraft<'_> {
    fn publish(&mut self, _: Record, _: &mut dyn Surroundings) -> Result<Entry, LedgerError> {
        Err(read_only())
    }

    fn publish_unless(&mut self, _: Record, _: &[(&str, &str)], _: &mut dyn Surroundings) -> Result<Option<Entry>, LedgerError> {
        Err(read_only())
    }

    fn each(&self, select: Select<'_>, seen: &mut dyn FnMut(&Entry) -> Result<(), LedgerError>) -> Result<(), LedgerError> {
        self.ledger.each(select, seen)?;
        if select.types.is_empty() || select.types.contains(&self.draft.record_type()) {
            let (gid, node_id) = ("draft".to_owned(), self.draft.text("node_id"));
            seen(&Entry { gid, payload: self.draft.to_line(), clock: u64::MAX, node_id, ts: 0.0 })?;
        }
        Ok(())
    }

    fn find(&self, record_type: &str, field: &str, said: &str) -> Result<Vec<Record>, LedgerError> {
        let mut found = self.ledger.find(record_type, field, said)?;
        found.extend((self.draft.record_type() == record_type && self.draft.text(field) == said).then(|| self.draft.clone()));
        Ok(found)
    }

    fn refresh(&mut self) -> Result<u64, LedgerError> {
        Ok(0)
    }

    fn passed_over(&self) -> u64 {
        self.ledger.passed_over()
    }
}

/// How many records of each type belong to a replay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TrailCounts {
    /// By scenario id.
    pub simulation_replay_scenario: u64,
    /// By directive id, as all that follow.
    pub swarm_directive: u64,
    /// Executions.
    pub simulation_replay_execution: u64,
    /// Evidence.
    pub evidence_record: u64,
    /// Memory.
    pub memory_record: u64,
    /// Lifecycle results.
    pub replay_evidence_lifecycle_result: u64,
}

impl TrailCounts {
    /// Whether there is at least one of each.
    pub fn complete(&self) -> bool {
        [
            self.simulation_replay_scenario,
            self.swarm_directive,
            self.simulation_replay_execution,
            self.evidence_record,
            self.memory_record,
            self.replay_evidence_lifecycle_result,
        ]
        .iter()
        .all(|count| *count > 0)
    }
}

/// What others see of a replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Visibility {
    /// Memory records of this scenario and directive.
    pub memory_records: u64,
    /// Lifecycle results of this scenario and directive.
    pub lifecycle_results: u64,
    /// The trail.
    pub trail_counts: TrailCounts,
    /// The summary over those memory records.
    pub memory_summary: MemorySummary,
    /// The Security heartbeat metrics.
    pub security_validation: Json,
}

impl Visibility {
    /// Looks at a ledger.
    ///
    /// # Errors
    /// The ledger failed.
    pub fn collect(ledger: &dyn Ledger, scenario_id: &str, directive_id: &str, metrics: &SecurityMetrics<'_>) -> Result<Self, LedgerError> {
        let mut trail = TrailCounts::default();
        let mut lifecycle_results = 0;
        let mut summary = MemorySummary::default();
        let types = [
            "simulation_replay_scenario",
            "swarm_directive",
            "simulation_replay_execution",
            "evidence_record",
            "memory_record",
            LIFECYCLE_RESULT,
        ];
        ledger.each(Select { types: &types }, &mut |entry| {
            let Ok(record) = Record::parse(&entry.payload) else { return Ok(()) };
            let of_scenario = record.linked("scenario_id") == scenario_id;
            let of_directive = record.linked("directive_id") == directive_id;
            match record.record_type() {
                "simulation_replay_scenario" => trail.simulation_replay_scenario += u64::from(of_scenario),
                "swarm_directive" => trail.swarm_directive += u64::from(of_directive),
                "simulation_replay_execution" => trail.simulation_replay_execution += u64::from(of_directive),
                "evidence_record" => trail.evidence_record += u64::from(of_directive),
                "memory_record" => {
                    trail.memory_record += u64::from(of_directive);
                    if of_scenario && of_directive {
                        summary.add(&record);
                    }
                }
                _ => {
                    trail.replay_evidence_lifecycle_result += u64::from(of_directive);
                    lifecycle_results += u64::from(of_scenario && of_directive);
                }
            }
            Ok(())
        })?;
        Ok(Self {
            memory_records: summary.total_records,
            lifecycle_results,
            trail_counts: trail,
            memory_summary: summary,
            security_validation: metrics(ledger)?,
        })
    }

    /// How many lifecycle results Security counted.
    pub fn lifecycle_results_seen(&self) -> u64 {
        self.security_validation["security_validation_record_type_counts"][LIFECYCLE_RESULT].as_u64().unwrap_or(0)
    }
}

/// The Security heartbeat metrics without the breakdowns of retry governance: entries, validity,
/// severities, types and reasons.
///
/// # Errors
/// The ledger failed.
pub fn loop_metrics(ledger: &dyn Ledger) -> Result<Json, LedgerError> {
    let mut counts: Map<String, Json> = Map::new();
    let names = ["records", "valid_records", "invalid_records", "critical_records"];
    let mut totals = [0_u64; 4];
    let [mut severities, mut types, mut invalid, mut warnings] = std::array::from_fn(|_| super::counts::Counts::default());
    crate::ledger::each_record(ledger, Select::default(), &mut |_, record| {
        let Some(contract) = crate::contract::check::contract_of(record).filter(|contract| contract.scanned) else { return };
        let verdict = crate::contract::check::check(record);
        let severity = verdict.severity.as_str();
        for (total, holds) in totals.iter_mut().zip([true, verdict.valid, !verdict.valid, severity == "critical"]) {
            *total += u64::from(holds);
        }
        severities.add_exactly(severity);
        types.add_exactly(&contract.record_type);
        for reason in &verdict.reasons {
            if !verdict.valid {
                invalid.add_exactly(reason);
            }
            if severity == "warning" {
                warnings.add_exactly(reason);
            }
        }
    })?;
    for (name, total) in names.into_iter().zip(totals) {
        counts.insert(format!("security_validation_{name}"), total.into());
    }
    for (name, by) in
        [("severity_counts", severities), ("record_type_counts", types), ("invalid_reasons", invalid), ("warning_reasons", warnings)]
    {
        counts.insert(format!("security_validation_{name}"), json!(by));
    }
    Ok(counts.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    #[test]
    fn a_draft_is_seen_and_never_published() {
        let draft = Record::new(LIFECYCLE_RESULT).with("directive_id", "d").with("scenario_id", "s").with("status", "failed");
        let mut around = Scripted::new(1.0, 1.0);
        let ledger = MemoryLedger::new("n");
        let mut with = WithDraft::new(&ledger, &draft);
        assert_eq!(with.find(LIFECYCLE_RESULT, "directive_id", "d").expect("memory answers").len(), 1);
        assert!(with.publish(draft.clone(), &mut around).is_err());
        let seen = Visibility::collect(&with, "s", "d", &loop_metrics).expect("memory answers");
        assert_eq!((seen.lifecycle_results, seen.lifecycle_results_seen(), seen.memory_records), (1, 1, 0));
        assert!(!seen.trail_counts.complete());
        assert_eq!(seen.security_validation["security_validation_invalid_reasons"]["missing_checks"], 1);
        let nothing = Visibility::collect(&ledger, "s", "d", &loop_metrics).expect("memory answers");
        assert_eq!((nothing.lifecycle_results, nothing.lifecycle_results_seen()), (0, 0));
    }

    #[test]
    fn a_trail_is_counted_by_scenario_or_by_directive() {
        let mut around = Scripted::new(1.0, 1.0);
        let mut ledger = MemoryLedger::new("n");
        for record in [
            Record::new("simulation_replay_scenario").with("scenario_id", "s").with("directive_id", "other"),
            Record::new("swarm_directive").with("directive_id", "d"),
            Record::new("simulation_replay_execution").with("directive_id", "d"),
            Record::new("evidence_record").with("payload", json!({"directive_id": "d"})),
            Record::new("memory_record").with("payload", json!({"directive_id": "d", "scenario_id": "s"})),
            Record::new("memory_record").with("payload", json!({"directive_id": "d", "scenario_id": "t"})),
            Record::new(LIFECYCLE_RESULT).with("directive_id", "d").with("scenario_id", "t"),
            Record::new(LIFECYCLE_RESULT).with("directive_id", "e").with("scenario_id", "s"),
        ] {
            ledger.publish(record, &mut around).expect("memory takes it");
        }
        let seen = Visibility::collect(&ledger, "s", "d", &loop_metrics).expect("memory answers");
        let expected = TrailCounts {
            simulation_replay_scenario: 1,
            swarm_directive: 1,
            simulation_replay_execution: 1,
            evidence_record: 1,
            memory_record: 2,
            replay_evidence_lifecycle_result: 1,
        };
        assert_eq!((seen.trail_counts.clone(), seen.memory_records, seen.lifecycle_results), (expected, 1, 0));
        assert!(seen.trail_counts.complete());
    }
}
