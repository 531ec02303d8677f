//! Evidence about replay executions: each is there, completed, and was a dry run.

use super::evidence::pick;
use super::item::{self, CheckItem};
use super::publishing::{Batch, publish_once_per_directive};
use crate::ledger::{Ledger, LedgerError, Record, Select, Surroundings};
use serde_json::{Value as Json, json};

/// The check that an execution was a dry run.
pub const DRY_RUN: &str = "dry_run";

/// The subject of this evidence.
pub const SUBJECT: &str = "simulation_replay_execution_check";

/// Publishes evidence for each execution of this scenario and this directive; blank means any.
///
/// # Errors
/// The ledger failed.
pub fn publish_for_executions(
    scenario_id: &str,
    directive_id: &str,
    source: &str,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
) -> Result<Batch, LedgerError> {
    let (scenario_id, directive_id) = (scenario_id.trim(), directive_id.trim());
    let wanted = |execution: &Record| {
        [("scenario_id", scenario_id), ("directive_id", directive_id)]
            .into_iter()
            .all(|(field, wanted)| wanted.is_empty() || execution.linked(field) == wanted)
    };
    let executions = if directive_id.is_empty() {
        let mut executions = Vec::new();
        ledger.each(Select { types: &["simulation_replay_execution"] }, &mut |entry| {
            executions.extend(Record::parse(&entry.payload).ok().filter(wanted));
            Ok(())
        })?;
        executions
    } else {
        let mut executions = ledger.find("simulation_replay_execution", "directive_id", directive_id)?;
        executions.retain(wanted);
        executions
    };
    let mut batch = Batch::default();
    for execution in &executions {
        let evidence = evidence_of(execution, source, around);
        batch.add(publish_once_per_directive(evidence, "evidence_id", ledger, around)?);
    }
    Ok(batch)
}

fn evidence_of(execution: &Record, source: &str, around: &mut dyn Surroundings) -> Record {
    let [id, scenario, directive] = ["execution_id", "scenario_id", "directive_id"].map(|field| execution.linked(field));
    let status = execution.text("status").to_lowercase();
    let dry_run = execution.get("dry_run") == Some(&Json::Bool(true));
    let checks = [
        CheckItem::new("replay_execution_present", !id.is_empty(), !id.is_empty(), "the execution has an id"),
        CheckItem::new("replay_execution_completed", status == "completed", status, "the execution ended as completed"),
        CheckItem::new(DRY_RUN, dry_run, dry_run, "the execution was a dry run"),
    ];
    let passed = item::all_passed(&checks);
    Record::new("evidence_record")
        .with("evidence_id", if id.is_empty() { String::new() } else { format!("evidence-{id}") })
        .with("subject", SUBJECT)
        .with("status", item::status_of(passed))
        .with("confidence", if passed { 1.0 } else { 0.0 })
        .with("severity", if passed { "info" } else { "warning" })
        .with("source", source.trim())
        .with("scenario_id", scenario.clone())
        .with("directive_id", directive.clone())
        .with("execution_id", id.clone())
        .with("created_at", around.now())
        .with(
            "payload",
            json!({
                "scenario_id": scenario,
                "directive_id": directive,
                "execution_id": id,
                "execution": pick(execution, &["execution_id", "status", "dry_run", "action", "expected_result_status", "source", "created_at"]),
                "checks": item::to_json(&checks),
            }),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    fn execution(scenario: &str, directive: &str, status: &str, dry_run: Json) -> Record {
        Record::new("simulation_replay_execution")
            .with("execution_id", format!("exec-{scenario}"))
            .with("scenario_id", scenario)
            .with("directive_id", directive)
            .with("status", status)
            .with("dry_run", dry_run)
    }

    #[test]
    fn all_three_checks_must_pass() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        for record in [
            execution("a", "d1", "completed", json!(true)),
            execution("a", "d2", "failed", json!(true)),
            execution("b", "d1", "completed", json!("true")),
        ] {
            ledger.publish(record, &mut around).expect("memory takes it");
        }
        let batch = publish_for_executions("", "", "s", &mut ledger, &mut around).expect("memory answers");
        let said: Vec<_> = batch.published.iter().map(|evidence| (evidence.text("evidence_id"), evidence.text("status"))).collect();
        let expected = [("evidence-exec-a", "passed"), ("evidence-exec-a", "failed"), ("evidence-exec-b", "failed")];
        assert_eq!(said, expected.map(|(id, status)| (id.to_owned(), status.to_owned())));
        assert!(batch.published.iter().all(|evidence| evidence.verdict().valid));
        assert!(batch.published[0].get("checks").is_none(), "the checks are in the payload");
        let names: Vec<_> =
            batch.published[0].get("payload.checks").and_then(Json::as_array).expect("checks").iter().map(|check| &check["name"]).collect();
        assert_eq!(names, ["replay_execution_present", "replay_execution_completed", "dry_run"]);
        let again = publish_for_executions("a", "d2", "s", &mut ledger, &mut around).expect("memory answers");
        assert_eq!((again.published.len(), again.kept.len()), (0, 1), "the id and the directive are there");
        let none = publish_for_executions("a", "d3", "s", &mut ledger, &mut around).expect("memory answers");
        assert_eq!(none, Batch::default());
    }

    #[test]
    fn an_execution_without_an_id_is_no_evidence() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        ledger.publish(execution("a", "d", "completed", json!(true)).with("execution_id", ""), &mut around).expect("memory takes it");
        let batch = publish_for_executions("", "", "s", &mut ledger, &mut around).expect("memory answers");
        assert_eq!(batch.refused.len(), 1);
        assert_eq!(batch.refused[0].1, ["missing_evidence_id"]);
    }
}
