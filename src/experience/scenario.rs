//! Replay scenarios: one seeded by hand, or one from each passed runtime memory.

use super::publishing::{Batch, LoopError, Written, checked, publish_once};
use crate::ledger::surroundings::random_hex;
use crate::ledger::{Ledger, LedgerError, Record, Select, Surroundings};
use serde_json::{Value as Json, json};

/// The actions that a scenario may replay.
pub const REPLAY_ACTIONS: [&str; 4] = ["OBSERVE", "REDUCE_RISK", "SET_DRY_RUN", "PROMOTE_GOLD_CANDIDATES"];

/// What a scenario is seeded from.
#[derive(Debug, Clone, Copy)]
pub struct ScenarioRequest<'r> {
    /// Its id.
    pub scenario_id: &'r str,
    /// The action that is replayed, in any case.
    pub action: &'r str,
    /// The result status that the action should have.
    pub expected_result_status: &'r str,
    /// Who seeds it.
    pub source: &'r str,
    /// The directive it belongs to; may be blank.
    pub directive_id: &'r str,
}

impl Default for ScenarioRequest<'_> {
    fn default() -> Self {
        Self {
            scenario_id: "replay-runtime-reduce-risk-1",
            action: "REDUCE_RISK",
            expected_result_status: "applied",
            source: "scenario-seed",
            directive_id: "runtime-reduce-risk-1",
        }
    }
}

/// Publishes one pending scenario, unless its id is there.
///
/// # Errors
/// It is refused and nothing is published: a blank id, an action that may not be replayed, or a
/// record that breaks its contract. Or the ledger failed.
pub fn seed(request: &ScenarioRequest<'_>, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Written, LoopError> {
    publish(prepare(request, around)?, ledger, around)
}

/// Publishes a scenario that was prepared, unless its id is there.
///
/// # Errors
/// The ledger failed, or does not take the record.
pub fn publish(scenario: Record, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Written, LoopError> {
    match publish_once(scenario, "scenario_id", ledger, around)? {
        Written::Refused(_, reasons) => Err(LoopError::Refused(format!("the scenario was refused: {}", reasons.join(", ")))),
        written => Ok(written),
    }
}

/// The scenario, unpublished.
///
/// # Errors
/// As [`seed`], but for the ledger.
pub fn prepare(request: &ScenarioRequest<'_>, around: &mut dyn Surroundings) -> Result<Record, LoopError> {
    checked(build(request, around)?)
}

fn build(request: &ScenarioRequest<'_>, around: &mut dyn Surroundings) -> Result<Record, LoopError> {
    let action = request.action.trim().to_uppercase();
    if !REPLAY_ACTIONS.contains(&action.as_str()) {
        return Err(LoopError::Refused(format!("the action may not be replayed; it may be {}", REPLAY_ACTIONS.join(", "))));
    }
    if request.scenario_id.trim().is_empty() {
        return Err(LoopError::Refused("the scenario id is blank".to_owned()));
    }
    Ok(Record::new("simulation_replay_scenario")
        .with("scenario_id", request.scenario_id.trim())
        .with("status", "pending")
        .with("replay_kind", "manual_seed")
        .with("action", action)
        .with("expected_result_status", request.expected_result_status.trim())
        .with("source", request.source.trim())
        .with("directive_id", text_or_null(request.directive_id))
        .with("created_at", around.now())
        .with("payload", json!({"seeded": true, "runtime_check": true})))
}

/// Publishes a pending scenario for each passed runtime memory, of one directive or of all.
///
/// # Errors
/// The ledger failed.
pub fn publish_from_memory(
    source: &str,
    directive_id: &str,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
) -> Result<Batch, LoopError> {
    let directive_id = directive_id.trim();
    let mut memories = Vec::new();
    ledger.each(Select { types: &["memory_record"] }, &mut |entry| {
        if let Ok(memory) = Record::parse(&entry.payload) {
            let passed = memory.text("kind") == "runtime_evidence" && memory.text("status").eq_ignore_ascii_case("passed");
            if passed && (directive_id.is_empty() || memory.linked("directive_id") == directive_id) {
                memories.push(Links::of(&memory));
            }
        }
        Ok(())
    })?;
    let mut batch = Batch::default();
    for links in memories {
        batch.add(links.publish(source, ledger, around)?);
    }
    Ok(batch)
}

/// What a scenario takes from a memory; the rest of it need not be held.
struct Links {
    directive_id: String,
    evidence_id: String,
    memory_id: String,
    action: String,
    expected: String,
    subject: String,
}

impl Links {
    fn of(memory: &Record) -> Self {
        let own = memory.text("memory_id");
        Self {
            directive_id: memory.linked("directive_id"),
            evidence_id: memory.linked("evidence_id"),
            memory_id: if own.is_empty() { memory.text("id") } else { own },
            action: memory.text("payload.evidence_payload.directive.action").to_uppercase(),
            expected: memory.text("payload.evidence_payload.result.status").to_lowercase(),
            subject: memory.linked("subject"),
        }
    }

    fn publish(self, source: &str, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Written, LedgerError> {
        let of = [&self.directive_id, &self.evidence_id].into_iter().find(|id| !id.is_empty()).cloned();
        let of = of.unwrap_or_else(|| random_hex(around));
        let scenario = Record::new("simulation_replay_scenario")
            .with("scenario_id", format!("replay-{of}"))
            .with("status", "pending")
            .with("replay_kind", "runtime_evidence")
            .with("action", text_or_null(&self.action))
            .with("expected_result_status", if self.expected.is_empty() { "applied" } else { &self.expected })
            .with("source", source.trim())
            .with("directive_id", text_or_null(&self.directive_id))
            .with("evidence_id", text_or_null(&self.evidence_id))
            .with("memory_id", text_or_null(&self.memory_id))
            .with("created_at", around.now())
            .with("payload", json!({"evidence_subject": text_or_null(&self.subject), "runtime_check": true}));
        publish_once(scenario, "scenario_id", ledger, around)
    }
}

/// The text, or null where it is blank.
pub(super) fn text_or_null(text: &str) -> Json {
    let text = text.trim();
    if text.is_empty() { Json::Null } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    fn memory(directive: &str, evidence: &str, status: &str, action: &str) -> Record {
        Record::new("memory_record").with("memory_id", format!("memory-evidence-{evidence}")).with("kind", "runtime_evidence").with("status", status).with(
            "payload",
            json!({"evidence_id": evidence, "directive_id": directive, "evidence_payload": {"directive": {"action": action}, "result": {"status": "applied"}}}),
        )
    }

    #[test]
    fn a_seeded_scenario_is_pending_valid_and_there_once() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        let Ok(Written::Published(scenario)) = seed(&ScenarioRequest::default(), &mut ledger, &mut around) else { panic!("it is new") };
        assert!(scenario.verdict().valid);
        assert_eq!((scenario.text("status"), scenario.text("replay_kind")), ("pending".to_owned(), "manual_seed".to_owned()));
        assert!(matches!(seed(&ScenarioRequest::default(), &mut ledger, &mut around), Ok(Written::Kept(_))));
        assert_eq!(ledger.len(), 1);
    }

    #[test]
    fn a_scenario_that_may_not_be_replayed_is_refused() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        for request in [
            ScenarioRequest { action: "RUN_REPLAY", ..Default::default() },
            ScenarioRequest { action: "BUY", ..Default::default() },
            ScenarioRequest { scenario_id: " \t", ..Default::default() },
            ScenarioRequest { expected_result_status: "", ..Default::default() },
            ScenarioRequest { source: "", ..Default::default() },
        ] {
            assert!(matches!(seed(&request, &mut ledger, &mut around), Err(LoopError::Refused(_))), "{request:?}");
        }
        assert!(ledger.is_empty());
    }

    #[test]
    fn each_passed_runtime_memory_gives_one_scenario() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        let other = memory("d9", "e9", "passed", "OBSERVE").with("kind", "note");
        for record in [
            memory("d1", "e1", "passed", "REDUCE_RISK"),
            memory("", "e2", "passed", "observe"),
            memory("", "", "passed", ""),
            memory("d4", "e4", "failed", "OBSERVE"),
            memory("d5", "e5", "passed", "RUN_REPLAY"),
            other,
        ] {
            ledger.publish(record, &mut around).expect("memory takes it");
        }
        let batch = publish_from_memory("b", "", &mut ledger, &mut around).expect("memory answers");
        let ids: Vec<_> = batch.published.iter().map(|scenario| scenario.text("scenario_id")).collect();
        assert_eq!(&ids[..2], ["replay-d1", "replay-e2"]);
        assert_eq!(ids.len(), 3, "a memory without links gets a random id");
        assert!(batch.published.iter().all(|scenario| scenario.verdict().valid && scenario.text("status") == "pending"));
        assert_eq!(batch.published[1].text("action"), "OBSERVE");
        assert_eq!(batch.refused.len(), 1, "a replay is not replayed");
        let again = publish_from_memory("b", "d1", &mut ledger, &mut around).expect("memory answers");
        assert_eq!((again.published.len(), again.kept.len()), (0, 1));
    }
}
