//! The meta agent: classifies what nodes found, suggests where to go on, hands useful evidence to memory.

use super::classify::classify;
use super::discover::rank;
use super::node::targets_record;
use super::remember::{Decision, decide};
use super::target::{OfRun, id, targets_of, web_url};
use crate::ledger::record::owned;
use crate::ledger::{Ledger, LedgerError, Record, Select, Surroundings, each_record};
use crate::memory::clear_flags;
use crate::memory::handoff::repair_preview;
use crate::memory::ingest::put;
use crate::memory::value::{Object, clean, field, list, map, members, truthy};
use serde_json::{Value as Json, json};
use std::collections::{HashMap, HashSet, VecDeque};

/// How many findings one tick classifies.
const CLASSIFIED: usize = 8;
/// How many targets one tick suggests.
const SUGGESTED: usize = 5;
/// How many records and skips are kept for the result.
const KEPT: usize = 20;

/// How many replay copies are held, however large the limit and however long the run.
const COPIES: usize = 1000;

/// The meta agent of one run.
#[derive(Debug)]
pub struct MetaAgent {
    agent_id: String,
    run_id: String,
    goal: String,
    /// How many records a run embeds in its result.
    limit: usize,
    /// The fetches whose findings are done with.
    done: HashSet<String>,
    published: Vec<Json>,
    published_count: u64,
    skips: VecDeque<Json>,
}

/// What one tick of the meta agent came to.
#[derive(Debug, Default)]
pub struct MetaTick {
    /// The result.
    pub result: Json,
    /// How many findings it classified.
    pub classified: u64,
    /// How many targets it suggested.
    pub suggested: u64,
    /// How many memory records it published.
    pub remembered: u64,
}

impl MetaAgent {
    /// An agent of this run that keeps at most `limit` replay copies.
    pub fn new(agent_id: &str, run_id: &str, goal: &str, limit: usize) -> Self {
        Self {
            agent_id: agent_id.to_owned(),
            run_id: run_id.to_owned(),
            goal: goal.to_owned(),
            limit,
            done: HashSet::new(),
            published: Vec::new(),
            published_count: 0,
            skips: VecDeque::new(),
        }
    }

    /// The run that it is of.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// The result of a tick in which the agent was left out.
    pub fn skipped(run_id: &str) -> Json {
        json!({
            "skipped": true, "snapshot_findings": 0, "decision_action": null, "targets_published": 0, "classifications_published": 0,
            "exploration_run_id": run_id, "memory_records_published": 0, "memory_records": [], "memory_replay_records": [],
            "memory_handoff_skips": [],
        })
    }

    /// How many records it handed to memory.
    pub fn published_count(&self) -> u64 {
        self.published_count
    }

    /// The replay copies of what was handed to memory, the first of the run first; a thousand at most.
    pub fn replay_copies(&self) -> &[Json] {
        &self.published
    }

    /// One tick over the ledger.
    ///
    /// # Errors
    /// The ledger failed.
    pub fn tick(&mut self, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<MetaTick, LedgerError> {
        let findings = self.findings(ledger)?;
        let mut tick = MetaTick::default();
        let before = self.published.len();
        let mut led_on = Vec::new();
        let open: Vec<&(String, Json)> = findings.iter().filter(|(key, finding)| self.is_open(key, finding)).take(CLASSIFIED).collect();
        for (key, finding) in open {
            let classified = self.classify(finding, around);
            ledger.publish(Record::from_map(members(&classified)), around)?;
            tick.classified += 1;
            self.done.insert(key.clone());
            if clean(field(&classified, "classification")) != "NEUTRAL" {
                led_on.push(classified.clone());
            }
            tick.remembered += u64::from(self.hand_on(&classified, ledger, around)?);
        }
        tick.suggested = self.suggest(&led_on, ledger, around)?;
        // The first records of a run are embedded, up to the limit; what comes later is counted.
        let embedded: Vec<&Json> = self.published.iter().take(self.limit).skip(before).collect();
        let embedded = &embedded[embedded.len().saturating_sub(KEPT)..];
        tick.result = json!({
            "skipped": false,
            "agent_id": self.agent_id,
            "snapshot_findings": findings.len(),
            "decision_action": if tick.classified > 0 { "CLASSIFY_FINDINGS" } else { "MAINTAIN" },
            "targets_published": tick.suggested,
            "classifications_published": tick.classified,
            "exploration_run_id": self.run_id,
            "memory_records_published": tick.remembered,
            "memory_records": embedded,
            "memory_replay_records": embedded,
            "memory_handoff_skips": self.skips,
        });
        Ok(tick)
    }

    fn is_open(&self, key: &str, finding: &Json) -> bool {
        !self.done.contains(key) && matches!(&*clean(field(finding, "classification")), "" | "unclassified")
    }

    /// The run's findings, one a fetch whatever the forms in which it was recorded, in the order of the ledger.
    fn findings(&self, ledger: &dyn Ledger) -> Result<Vec<(String, Json)>, LedgerError> {
        let mut order: Vec<(String, Json)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        each_record(ledger, Select { types: &["explorer_finding", "swarm_event"] }, &mut |_, record| {
            let record = owned(record);
            let Some(finding) = form_of(record) else { return };
            let provenance = map(field(&finding, "provenance"));
            if clean(field(provenance, "exploration_run_id")) != self.run_id {
                return;
            }
            let key = [field(provenance, "fetch_gid"), field(&finding, "gid")].map(clean).into_iter().find(|key| !key.is_empty());
            let Some(key) = key else { return };
            match places.get(&key) {
                Some(&place) => order[place].1 = reconciled(&order[place].1, &finding),
                None => {
                    places.insert(key.clone(), order.len());
                    order.push((key, finding));
                }
            }
        })?;
        Ok(order)
    }

    /// The finding with its classification.
    fn classify(&self, finding: &Json, around: &mut dyn Surroundings) -> Json {
        let first = classify(finding);
        let may_repair = truthy(field(&first.signals, "concrete_evidence_page")) && clean(field(finding, "fetch_status")) == "ok";
        let repaired = if may_repair { repair_preview(finding) } else { None };
        let finding = repaired.as_ref().unwrap_or(finding);
        let verdict = if repaired.is_some() { classify(finding) } else { first };
        let mut provenance = members(field(finding, "provenance"));
        put(
            &mut provenance,
            json!({
                "classified_by": self.agent_id,
                "classification_method": "deterministic_rule",
                "fallback_quality_signals": verdict.quality,
                "fallback_classification_signals": verdict.signals,
                "classified_record_gid": field(finding, "gid"),
            }),
        );
        clear_flags(&mut provenance);
        let mut classified = members(finding);
        put(
            &mut classified,
            json!({
                "event_type": "finding_classified",
                "parent_gid": field(finding, "gid"),
                "gid": id("exp_cls", around),
                "classification": verdict.name,
                "confidence": verdict.confidence,
                "reason": verdict.reason,
                "timestamp": around.now(),
                "provenance": provenance,
            }),
        );
        // The ledger fills these anew: the record is the agent's.
        for name in ["node", "node_id", "ts"] {
            classified.remove(name);
        }
        clear_flags(&mut classified);
        Json::Object(classified)
    }

    /// Hands a classified finding to memory, if it may go; whether a record was published.
    fn hand_on(&mut self, classified: &Json, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<bool, LedgerError> {
        let handoff = match decide(classified, &self.run_id) {
            Decision::HandedOn(handoff) => handoff,
            Decision::Skipped(skip) => {
                self.skips.push_back(skip);
                if self.skips.len() > KEPT {
                    self.skips.pop_front();
                }
                return Ok(false);
            }
        };
        let now = around.now();
        let record = handoff.to_record(&id("mem_ev", around), &self.agent_id, &self.run_id, now);
        let copy = replay_copy(&record);
        let same = [("memory_evidence_identity", handoff.identity.as_str())];
        if ledger.publish_unless(record, &same, around)?.is_none() {
            return Ok(false);
        }
        self.published_count += 1;
        if self.published.len() < COPIES {
            self.published.push(copy);
        }
        Ok(true)
    }

    /// Suggests targets among the links of pages that are useful or lead on, which nobody published yet.
    fn suggest(&self, findings: &[Json], ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<u64, LedgerError> {
        if findings.is_empty() {
            return Ok(0);
        }
        let mut known = HashSet::new();
        each_record(ledger, Select { types: &["explorer_targets"] }, &mut |_, record| {
            let record = owned(record);
            if clean(field(field(&record, "data"), "exploration_run_id")) == self.run_id {
                known.extend(targets_of(&record).iter().filter_map(|target| web_url(&clean(field(target, "url")))));
            }
        })?;
        let run = OfRun { goal: &self.goal, run_id: &self.run_id };
        let mut targets = Vec::new();
        for finding in findings {
            for said in list(field(map(field(finding, "provenance")), "discovered_targets")) {
                if let Some(url) = web_url(&clean(said)).filter(|url| known.insert(url.clone())) {
                    targets.extend(super::discover::suggested(&url, finding, run));
                }
            }
        }
        targets.sort_by(rank);
        targets.truncate(SUGGESTED);
        if targets.is_empty() {
            return Ok(0);
        }
        let parent = clean(field(&findings[0], "gid"));
        let record = targets_record(&targets, "meta_agent", run, &parent, &self.agent_id, around);
        ledger.publish(record, around)?;
        Ok(targets.len() as u64)
    }
}

/// The finding that a record is a form of.
fn form_of(record: Json) -> Option<Json> {
    if field(&record, "type") == "explorer_finding" {
        return Some(record);
    }
    let is_event = matches!(&*clean(field(&record, "event_type")), "finding_published" | "finding_classified");
    let data = field(&record, "data");
    match (is_event, data.is_object()) {
        (true, true) => Some(data.clone()),
        (true, false) => Some(record),
        (false, _) => None,
    }
}

/// What two forms of one finding say together: the newer wins where it says anything.
fn reconciled(older: &Json, newer: &Json) -> Json {
    let mut merged = members(older);
    for (name, value) in newer.as_object().into_iter().flatten() {
        let is_raw =
            ["content_preview", "content_hash", "fetch_status", "fetch_error", "domain", "source_gid", "url"].contains(&name.as_str());
        if (!is_raw || truthy(value)) && name != "provenance" {
            merged.insert(name.clone(), value.clone());
        }
    }
    // A form that was not classified does not undo a classification.
    if matches!(&*clean(field(newer, "classification")), "" | "unclassified") {
        for name in ["classification", "confidence", "reason", "event_type", "gid", "parent_gid"] {
            if let Some(value) = older.get(name) {
                merged.insert(name.to_owned(), value.clone());
            }
        }
    }
    let mut provenance = members(field(older, "provenance"));
    provenance.extend(members(field(newer, "provenance")));
    merged.insert("provenance".to_owned(), Json::Object(provenance));
    Json::Object(merged)
}

fn replay_copy(record: &Record) -> Json {
    let mut copy: Object = record.members().clone();
    clear_flags(&mut copy);
    let mut provenance = members(copy.get("provenance").unwrap_or(&Json::Null));
    provenance.insert("memory_replay_artifact".to_owned(), Json::Bool(true));
    clear_flags(&mut provenance);
    copy.insert("provenance".to_owned(), Json::Object(provenance));
    Json::Object(copy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    fn finding(number: u32) -> Record {
        let finding = json!({
            "type": "explorer_finding", "event_type": "finding_published", "gid": format!("exp_find_{number}"),
            "url": format!("https://docs.python.org/3/library/{number}.html"), "domain": "docs.python.org", "fetch_status": "ok",
            "content_hash": format!("h{number}"), "classification": "unclassified", "confidence": 0.0,
            "content_preview": "Agents keep a memory in a database, and retrieval finds in it what they saw before they slept.",
            "provenance": {
                "exploration_run_id": "r", "fetch_gid": format!("exp_fetch_{number}"), "source_adapter": "evidence",
                "preferred_evidence_target": true, "source_score": 0.8, "system_relevance_score": 0.8,
                "discovered_targets": [format!("https://docs.python.org/3/memory/{number}"), "junk:"]
            }
        });
        Record::from_map(members(&finding))
    }

    #[test]
    fn a_tick_classifies_a_few_and_publishes_each_once() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(100.0, 0.1));
        for number in 0..10 {
            ledger.publish(finding(number), &mut around).expect("memory takes it");
        }
        // The same fetch in another form, and a finding of another run.
        let event = json!({"type": "swarm_event", "event_type": "finding_published", "data": finding(3).members()});
        ledger.publish(Record::from_map(members(&event)), &mut around).expect("memory takes it");
        let mut other = members(&Json::Object(finding(77).members().clone()));
        other.insert("provenance".to_owned(), json!({"exploration_run_id": "x"}));
        ledger.publish(Record::from_map(other), &mut around).expect("memory takes it");
        let mut meta = MetaAgent::new("meta", "r", "agent memory", 9);
        let first = meta.tick(&mut ledger, &mut around).expect("memory answers");
        assert_eq!((first.classified, first.remembered, first.suggested), (8, 8, 5));
        assert_eq!((&first.result["snapshot_findings"], &first.result["decision_action"]), (&json!(10), &json!("CLASSIFY_FINDINGS")));
        let second = meta.tick(&mut ledger, &mut around).expect("memory answers");
        assert_eq!((second.classified, second.remembered), (2, 2));
        assert_eq!(second.result["memory_records"].as_array().map(Vec::len), Some(1), "nine are embedded in all");
        let third = meta.tick(&mut ledger, &mut around).expect("memory answers");
        assert_eq!((third.classified, &third.result["decision_action"]), (0, &json!("MAINTAIN")));
        // An agent that was started again classifies nothing twice.
        let again = MetaAgent::new("meta", "r", "agent memory", 9).tick(&mut ledger, &mut around).expect("memory answers");
        assert_eq!((again.classified, again.remembered), (0, 0));
        let mut flags = 0;
        each_record(&ledger, Select::default(), &mut |_, record| flags += crate::memory::flags_set(&owned(record)).count())
            .expect("it reads");
        assert_eq!(flags, 0);
    }

    #[test]
    fn evidence_that_memory_knows_is_passed_over_in_silence() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(100.0, 0.1));
        ledger.publish(finding(1), &mut around).expect("memory takes it");
        let mut twin = finding(1);
        twin.set("gid", "exp_find_x");
        let mut provenance = members(&Json::Object(twin.members().clone())["provenance"]);
        provenance.insert("fetch_gid".to_owned(), "exp_fetch_x".into());
        twin.set("provenance", provenance);
        ledger.publish(twin, &mut around).expect("memory takes it");
        let tick = MetaAgent::new("meta", "r", "g", 9).tick(&mut ledger, &mut around).expect("memory answers");
        assert_eq!((tick.classified, tick.remembered, &tick.result["memory_handoff_skips"]), (2, 1, &json!([])));
    }
}
