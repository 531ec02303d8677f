//! Evidence about a directive: was it seeded, was it answered, was it applied.

use super::item::{self, CheckItem};
use super::publishing::{LoopError, publish};
use super::received::is_bystanders;
use crate::ledger::surroundings::random_hex;
use crate::ledger::{Ledger, Record, Surroundings};
use serde_json::{Value as Json, json};

/// The subject of this evidence.
pub const SUBJECT: &str = "runtime_directive_seed_check";

/// Publishes the evidence about one directive, passed or failed.
///
/// # Errors
/// The id is blank, or the ledger failed; nothing is published then.
pub fn publish_for_directive(
    directive_id: &str,
    source: &str,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
) -> Result<Record, LoopError> {
    let id = directive_id.trim();
    if id.is_empty() {
        return Err(LoopError::Refused("the directive id is blank".to_owned()));
    }
    let directive = ledger.find("swarm_directive", "directive_id", id)?.into_iter().next();
    let result = first_answer(ledger.find("swarm_directive_result", "directive_id", id)?);
    let status = result.as_ref().map(|result| result.text("status").to_lowercase());
    let applied = status.as_deref() == Some("applied");
    let checks = [
        CheckItem::new("directive_seeded", directive.is_some(), directive.is_some(), "the directive is in the ledger"),
        CheckItem::new("directive_result_published", result.is_some(), result.is_some(), "a node answered it"),
        CheckItem::new("directive_applied", applied, json!(status), "the answer is that it was applied"),
    ];
    let passed = item::all_passed(&checks);
    let compact = |record: Option<&Record>, fields: &[&str]| record.map_or(Json::Null, |record| pick(record, fields));
    let evidence = Record::new("evidence_record")
        .with("evidence_id", random_hex(around))
        .with("subject", SUBJECT)
        .with("status", item::status_of(passed))
        .with("confidence", if passed { 1.0 } else { 0.0 })
        .with("severity", if passed { "info" } else { "warning" })
        .with("source", source.trim())
        .with("checks", item::to_json(&checks))
        .with("created_at", around.now())
        .with(
            "payload",
            json!({
                "directive_id": id,
                "directive": compact(directive.as_ref(), &["directive_id", "action", "target", "target_type", "status", "source", "created_at"]),
                "result": compact(result.as_ref(), &["result_id", "status", "node_id", "swarm", "source", "message", "created_at"]),
            }),
        );
    publish(evidence, ledger, around)
}

/// The first result. A node that ignored the directive, or for which it was not, has not answered it
/// while another has: each node of a cluster says something to every directive.
fn first_answer(results: Vec<Record>) -> Option<Record> {
    let bystander = |result: &Record| is_bystanders(result) || result.text("status").eq_ignore_ascii_case("ignored");
    let first = results.iter().position(|result| !bystander(result)).unwrap_or(0);
    results.into_iter().nth(first)
}

/// A smaller copy: these fields, null where absent.
pub(super) fn pick(record: &Record, fields: &[&str]) -> Json {
    fields.iter().map(|field| ((*field).to_owned(), record.get(field).cloned().unwrap_or(Json::Null))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::directive::{self, DirectiveRequest};
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    fn result(status: &str, reason: &str) -> Record {
        Record::new("swarm_directive_result")
            .with("directive_id", "d")
            .with("status", status)
            .with("source", "trade-1")
            .with("payload", json!({"reason": reason}))
    }

    /// The statuses of the evidence and of its three checks.
    fn found(seeded: bool, results: &[Record]) -> (String, Vec<String>, Json) {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 1.0));
        if seeded {
            directive::seed(&DirectiveRequest { directive_id: "d", ..Default::default() }, &mut ledger, &mut around).expect("it is safe");
        }
        for result in results {
            ledger.publish(result.clone(), &mut around).expect("memory takes it");
        }
        let evidence = publish_for_directive("d", "s", &mut ledger, &mut around).expect("it is published even when failed");
        assert!(evidence.verdict().valid);
        let checks = evidence.get("checks").and_then(Json::as_array).expect("checks").clone();
        let names: Vec<_> = checks.iter().map(|check| check["name"].as_str().unwrap_or_default()).collect();
        assert_eq!(names, ["directive_seeded", "directive_result_published", "directive_applied"]);
        let statuses = checks.iter().map(|check| check["status"].as_str().unwrap_or_default().to_owned()).collect();
        assert_eq!(evidence.get("confidence"), Some(&json!(if evidence.text("status") == "passed" { 1.0 } else { 0.0 })));
        (evidence.text("status"), statuses, checks[2]["value"].clone())
    }

    #[test]
    fn only_an_applied_directive_passes() {
        let applied = result("applied", "directive_applied");
        assert_eq!(found(true, std::slice::from_ref(&applied)), ("passed".into(), vec!["passed".into(); 3], json!("applied")));
        let (status, checks, value) = found(true, &[]);
        assert_eq!((status.as_str(), checks, value), ("failed", vec!["passed".into(), "failed".into(), "failed".into()], Json::Null));
        assert_eq!(found(false, std::slice::from_ref(&applied)).0, "failed");
        assert_eq!(found(false, &[]).1, ["failed"; 3]);
        assert_eq!(found(true, &[result("rejected", "x"), applied]).2, json!("rejected"), "the first answer counts");
    }

    #[test]
    fn a_bystander_does_not_speak_for_the_node_meant() {
        let bystanders = [result("ignored", "directive_not_targeted_to_simulation"), result("rejected", "directive_not_targeted")];
        let [ignored, rejected] = bystanders;
        assert_eq!(found(true, &[ignored.clone(), rejected, result("applied", "directive_applied")]).0, "passed");
        assert_eq!(found(true, &[ignored]).2, json!("ignored"), "alone it is what there is");
    }

    #[test]
    fn a_blank_id_is_refused() {
        let mut ledger = MemoryLedger::new("n");
        let refused = publish_for_directive(" ", "s", &mut ledger, &mut Scripted::new(1.0, 1.0));
        assert!(matches!(refused, Err(LoopError::Refused(_))) && ledger.is_empty());
    }
}
