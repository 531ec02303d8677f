//! The bridge from evidence to memory: what was found once is remembered, whatever its status.

use super::publishing::{Batch, Written, publish_checked, publish_once};
use super::scenario::text_or_null;
use crate::ledger::{Ledger, LedgerError, Record, Select, Surroundings};
use serde_json::{Value as Json, json};
use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// Which evidence is bridged; every part that is not blank must match.
#[derive(Debug, Clone, Copy, Default)]
pub struct BridgeFilter<'f> {
    /// About this directive.
    pub directive_id: &'f str,
    /// With this id.
    pub evidence_id: &'f str,
    /// With this subject.
    pub subject: &'f str,
}

impl BridgeFilter<'_> {
    fn matches(&self, evidence: &Record) -> bool {
        let agree = |wanted: &str, said: String| wanted.trim().is_empty() || said == wanted.trim();
        agree(self.directive_id, evidence.linked("directive_id"))
            && agree(self.evidence_id, evidence.text("evidence_id"))
            && agree(self.subject, evidence.text("subject"))
    }
}

/// Publishes a memory record for each matching evidence record, oldest first.
///
/// # Errors
/// The ledger failed.
pub fn bridge(
    filter: &BridgeFilter<'_>,
    source: &str,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
) -> Result<Batch, LedgerError> {
    let mut found = Vec::new();
    ledger.each(Select { types: &["evidence_record"] }, &mut |entry| {
        let evidence = Record::parse(&entry.payload).ok().filter(|evidence| filter.matches(evidence));
        found.extend(evidence.map(|evidence| (created(&evidence), evidence)));
        Ok(())
    })?;
    // Stable: of equal age, in state order.
    found.sort_by(|(left, _), (right, _)| left.compare(right));
    let mut batch = Batch::default();
    let mut known = HashMap::new();
    for (_, evidence) in found {
        let memory = memory_of(&evidence, source, around);
        batch.add(publish_new(memory, &mut known, ledger, around)?);
    }
    Ok(batch)
}

/// Publishes a memory unless one with its id and its directive is there. `known` holds the directives of
/// each id that was looked up: replays of one scenario share the id, and are looked up once together.
fn publish_new(
    memory: Record,
    known: &mut HashMap<String, HashSet<String>>,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
) -> Result<Written, LedgerError> {
    let (id, directive) = (memory.text("memory_id"), memory.linked("directive_id"));
    let directives = match known.entry(id.clone()) {
        Entry::Occupied(directives) => directives.into_mut(),
        Entry::Vacant(unknown) => {
            let stored = ledger.find("memory_record", "memory_id", &id)?;
            unknown.insert(stored.iter().map(|stored| stored.linked("directive_id")).collect())
        }
    };
    if directives.contains(&directive) {
        return Ok(Written::Kept(memory));
    }
    // The first of its id in one step with looking for it, should somebody else bridge just now.
    let written =
        if directives.is_empty() { publish_once(memory, "memory_id", ledger, around)? } else { publish_checked(memory, ledger, around)? };
    if matches!(written, Written::Published(_)) {
        directives.insert(directive);
    }
    Ok(written)
}

/// When something was made: a number of seconds, or a text that is compared as one.
#[derive(Debug, Clone, PartialEq)]
enum Created {
    Seconds(f64),
    Text(String),
}

fn created(evidence: &Record) -> Created {
    match evidence.get("created_at").filter(|created| !created.is_null()).or_else(|| evidence.get("ts")) {
        Some(Json::String(text)) => Created::Text(text.clone()),
        other => Created::Seconds(other.and_then(Json::as_f64).unwrap_or(0.0)),
    }
}

impl Created {
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Seconds(left), Self::Seconds(right)) => left.total_cmp(right),
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            (Self::Seconds(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Seconds(_)) => Ordering::Greater,
        }
    }
}

fn memory_of(evidence: &Record, source: &str, around: &mut dyn Surroundings) -> Record {
    let id = evidence.text("evidence_id");
    let status = evidence.text("status").to_lowercase();
    let subject = evidence.text("subject");
    let [directive, scenario, execution] = ["directive_id", "scenario_id", "execution_id"].map(|field| evidence.linked(field));
    let own = evidence.get("checks").filter(|_| !evidence.text("checks").is_empty());
    let checks = own.or_else(|| evidence.get("payload.checks")).filter(|checks| !checks.is_null()).cloned().unwrap_or_else(|| json!([]));
    let mut tags = vec!["runtime_evidence".to_owned(), format!("status:{status}"), format!("subject:{subject}")];
    for (name, link) in [("directive", &directive), ("scenario", &scenario), ("execution", &execution)] {
        if !link.is_empty() {
            tags.push(format!("{name}:{link}"));
        }
    }
    let made = evidence.get("created_at").filter(|made| !made.is_null()).or_else(|| evidence.get("ts")).cloned();
    Record::new("memory_record")
        .with("memory_id", if id.is_empty() { String::new() } else { format!("memory-evidence-{id}") })
        .with("kind", "runtime_evidence")
        .with("scope", "global")
        .with("content", content(&subject, &status, &checks, &directive))
        .with("importance", importance(&status))
        .with("tags", tags)
        .with("source", source.trim())
        .with("created_at", made.unwrap_or_else(|| around.now().into()))
        .with("checks", checks.clone())
        .with(
            "payload",
            json!({
                "evidence_id": id,
                "subject": subject,
                "status": status,
                "confidence": evidence.get("confidence").cloned().unwrap_or(Json::Null),
                "directive_id": text_or_null(&directive),
                "scenario_id": text_or_null(&scenario),
                "execution_id": text_or_null(&execution),
                "checks": checks,
                "evidence_payload": evidence.get("payload").cloned().unwrap_or_else(|| json!({})),
            }),
        )
        .with("subject", subject)
        .with("status", status)
}

fn content(subject: &str, status: &str, checks: &Json, directive: &str) -> String {
    let checks = checks.as_array().map_or(&[][..], Vec::as_slice);
    let passed = checks.iter().filter(|check| check["status"].as_str().is_some_and(|status| status.eq_ignore_ascii_case("passed"))).count();
    let about = if directive.is_empty() { String::new() } else { format!(" for directive {directive}") };
    format!("{subject} {status}{about}: {passed} of {} checks passed", checks.len())
}

fn importance(status: &str) -> f64 {
    match status {
        "passed" => 0.85,
        "failed" => 0.75,
        "partial" => 0.65,
        _ => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    fn evidence(id: &str, directive: &str, status: &str, created: Json) -> Record {
        Record::new("evidence_record")
            .with("evidence_id", id)
            .with("subject", "a_check")
            .with("status", status)
            .with("confidence", 1.0)
            .with("created_at", created)
            .with("payload", json!({"directive_id": directive, "checks": [{"name": "x", "status": "passed"}]}))
    }

    fn ledger_of(records: impl IntoIterator<Item = Record>) -> (MemoryLedger, Scripted) {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(50.0, 1.0));
        for record in records {
            ledger.publish(record, &mut around).expect("memory takes it");
        }
        (ledger, around)
    }

    #[test]
    fn a_memory_carries_the_evidence_and_its_links() {
        let own = evidence("e", "d", "passed", json!(7.5))
            .with("scenario_id", "s")
            .with("execution_id", "x")
            .with("checks", json!([{"name": "a", "status": "passed"}, {"name": "b", "status": "failed"}]));
        let (mut ledger, mut around) = ledger_of([own]);
        let batch = bridge(&BridgeFilter::default(), "bridge", &mut ledger, &mut around).expect("memory answers");
        let [memory] = &batch.published[..] else { panic!("one evidence, one memory") };
        assert!(memory.verdict().valid);
        for (path, said) in [
            ("memory_id", "memory-evidence-e"),
            ("kind", "runtime_evidence"),
            ("scope", "global"),
            ("status", "passed"),
            ("subject", "a_check"),
            ("source", "bridge"),
            ("importance", "0.85"),
            ("created_at", "7.5"),
            ("content", "a_check passed for directive d: 1 of 2 checks passed"),
            ("payload.evidence_id", "e"),
            ("payload.subject", "a_check"),
            ("payload.status", "passed"),
            ("payload.confidence", "1.0"),
            ("payload.directive_id", "d"),
            ("payload.scenario_id", "s"),
            ("payload.execution_id", "x"),
            ("payload.evidence_payload.directive_id", "d"),
        ] {
            assert_eq!(memory.text(path), said, "{path}");
        }
        assert_eq!(memory.get("payload.checks.0"), None);
        assert_eq!(memory.get("payload.checks").and_then(Json::as_array).map(Vec::len), Some(2), "the top level comes first");
        let tags = json!(["runtime_evidence", "status:passed", "subject:a_check", "directive:d", "scenario:s", "execution:x"]);
        assert_eq!(memory.get("tags"), Some(&tags));
    }

    #[test]
    fn oldest_first_any_status_once_and_only_what_matches() {
        let (mut ledger, mut around) = ledger_of([
            evidence("e3", "d1", "failed", json!(3)),
            evidence("e1", "d1", "partial", json!(1)),
            evidence("e4", "d1", "unknown", json!("2026-01-01")),
            evidence("e2", "d2", "passed", json!(2)),
        ]);
        let filter = BridgeFilter { directive_id: "d1", subject: "a_check", ..Default::default() };
        let batch = bridge(&filter, "b", &mut ledger, &mut around).expect("memory answers");
        let said: Vec<_> = batch.published.iter().map(|memory| (memory.text("payload.evidence_id"), memory.text("importance"))).collect();
        let expected = [("e1", "0.65"), ("e3", "0.75"), ("e4", "0.5")].map(|(id, importance)| (id.to_owned(), importance.to_owned()));
        assert_eq!(said, expected);
        assert_eq!(batch.published[0].get("payload.checks").and_then(Json::as_array).map(Vec::len), Some(1), "else the payload's checks");
        let all = bridge(&BridgeFilter::default(), "b", &mut ledger, &mut around).expect("memory answers");
        assert_eq!((all.published.len(), all.kept.len()), (1, 3));
        let none = BridgeFilter { evidence_id: "e2", directive_id: "d1", ..Default::default() };
        assert_eq!(bridge(&none, "b", &mut ledger, &mut around).expect("memory answers"), Batch::default());
    }

    #[test]
    fn evidence_that_makes_no_valid_memory_is_refused_by_name() {
        let (mut ledger, mut around) = ledger_of([
            evidence("", "d", "passed", Json::Null),
            evidence("e", "d", "splendid", Json::Null),
            evidence("f", "d", "passed", Json::Null).with("checks", "all fine"),
        ]);
        let batch = bridge(&BridgeFilter::default(), "b", &mut ledger, &mut around).expect("memory answers");
        let reasons: Vec<_> = batch.refused.iter().flat_map(|(_, reasons)| reasons.clone()).collect();
        assert_eq!(reasons, ["missing_memory_id", "missing_evidence_id_link", "invalid_memory_status", "checks_not_list"]);
        assert!(batch.published.is_empty());
    }
}
