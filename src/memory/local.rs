//! What a node's local memory holds of a ledger's records, and what a question finds in it.

use super::catalog::from_memory_records;
use super::ingest::{EVIDENCE_KIND, build_candidate, is_evidence_record, put, to_memory_record};
use super::query::{Filters, query};
use super::replay::catalog_head;
use super::value::{field, map, members};
use serde_json::{Value as Json, json};
use std::collections::{HashSet, VecDeque};

/// The types of record that may become evidence in local memory.
pub const REMEMBERED_TYPES: [&str; 3] = ["memory_record", "memory_ingest_candidate", "local_memory_evidence_record"];

/// The evidence among a ledger's records, as records of local memory: the most recent ones, in order.
#[derive(Debug)]
pub struct LocalMemory {
    recent_limit: usize,
    records: VecDeque<Json>,
    known: HashSet<String>,
    /// How many were evidence and could not be ingested.
    pub rejected: u64,
}

impl LocalMemory {
    /// An empty memory that keeps this many records.
    pub fn new(recent_limit: usize) -> Self {
        Self { recent_limit, records: VecDeque::new(), known: HashSet::new(), rejected: 0 }
    }

    /// Takes in a ledger's record, if it is evidence and new. One bad record stops nothing.
    pub fn take_in(&mut self, record: &Json) {
        match held(record) {
            None => {}
            Some(Err(_)) => self.rejected += 1,
            Some(Ok(record)) => {
                let id = super::value::clean(field(&record, "id"));
                if id.is_empty() || self.known.insert(id) {
                    self.records.push_back(record);
                }
                if self.records.len() > self.recent_limit {
                    self.records.pop_front();
                }
            }
        }
    }

    /// What `filters` find in it.
    pub fn ask(&mut self, filters: &Filters, top_items_limit: u64, node_id: &str) -> Json {
        let catalog = from_memory_records(self.records.make_contiguous(), i128::from(top_items_limit));
        ask_result(&query(&catalog, filters), catalog_head(&catalog), self.recent_limit, top_items_limit, node_id)
    }
}

/// The record of local memory that a ledger's record becomes, or why it cannot; `None` for what is no evidence.
pub(super) fn held(record: &Json) -> Option<Result<Json, String>> {
    if is_evidence_record(record) {
        Some(build_candidate(record).and_then(|candidate| to_memory_record(&candidate)))
    } else if field(record, "type") == "memory_ingest_candidate" {
        Some(to_memory_record(record))
    } else {
        let is_held = field(record, "kind") == "evidence" && field(map(field(record, "payload")), "candidate_kind") == EVIDENCE_KIND;
        is_held.then(|| Ok(record.clone()))
    }
}

/// The result of a query as the query tool gives it.
pub(super) fn ask_result(result: &Json, catalog_head: Json, recent_limit: usize, top_items_limit: u64, node_id: &str) -> Json {
    let mut result = members(result);
    put(
        &mut result,
        json!({
            "catalog": catalog_head,
            "recent_limit": recent_limit,
            "top_items_limit": top_items_limit,
            "node_id": node_id,
            "testing_only": true,
        }),
    );
    Json::Object(result)
}

/// The records that a heartbeat looks at, and the items that it names on top.
const HEARTBEAT: (usize, i128) = (200, 5);

impl LocalMemory {
    /// What a memory node tells of its evidence in a heartbeat.
    pub fn heartbeat(&mut self) -> Json {
        let records = self.records.make_contiguous();
        let catalog = from_memory_records(&records[records.len().saturating_sub(HEARTBEAT.0)..], HEARTBEAT.1);
        let names = |map: &str| field(&catalog, map).as_object().map_or(0, serde_json::Map::len);
        json!({
            "metrics": {
                "evidence_catalog_items": field(&catalog, "item_count"),
                "evidence_catalog_rejected_items": field(&catalog, "rejected_count"),
                "evidence_catalog_domains": names("by_domain"),
                "evidence_catalog_categories": names("by_category"),
                "evidence_catalog_topic_tags": names("by_topic_tag"),
                "evidence_catalog_top_items": super::value::list(field(&catalog, "top_items")).len(),
            },
            "details": {
                "evidence_catalog_status": field(&catalog, "catalog_status"),
                "evidence_catalog_input_count": field(&catalog, "input_count"),
                "evidence_catalog_deduped_count": field(&catalog, "deduped_count"),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::ingest::tests::evidence;
    use super::super::query_contract;
    use super::*;

    #[test]
    fn memory_holds_the_recent_evidence_once_in_any_of_its_forms() {
        let candidate = build_candidate(&evidence("b")).expect("it is evidence");
        let held = to_memory_record(&candidate).expect("it is valid");
        let mut weak = evidence("c");
        weak["source_score"] = 0.1.into();
        let mut memory = LocalMemory::new(2);
        for record in [&evidence("a"), &candidate, &held, &weak, &json!({"type": "memory_record"}), &evidence("d"), &json!(7)] {
            memory.take_in(record);
        }
        assert_eq!(memory.rejected, 1);
        let result = memory.ask(&Filters::default(), 100, "node");
        assert_eq!(
            (&result["catalog_item_count"], &result["catalog"]["item_count"], &result["node_id"]),
            (&json!(2), &json!(2), &json!("node"))
        );
        assert_eq!(query_contract::check(&result), [""; 0]);
    }

    #[test]
    fn a_heartbeat_counts_the_recent_evidence() {
        let mut memory = LocalMemory::new(1000);
        (0..HEARTBEAT.0 + 3).for_each(|number| memory.take_in(&evidence(&format!("r{number}"))));
        let told = memory.heartbeat();
        let metrics =
            ["items", "domains", "topic_tags", "top_items"].map(|name| told["metrics"][format!("evidence_catalog_{name}")].as_u64());
        assert_eq!(metrics, [Some(200), Some(1), Some(2), Some(5)]);
        let empty = LocalMemory::new(9).heartbeat();
        assert_eq!(
            (&empty["metrics"]["evidence_catalog_items"], &empty["details"]["evidence_catalog_status"]),
            (&json!(0), &json!("indexed"))
        );
    }

    #[test]
    fn an_empty_memory_is_an_empty_valid_result() {
        let result = LocalMemory::new(9).ask(&Filters::default(), 100, "node");
        assert_eq!((&result["result_count"], query_contract::check(&result)), (&json!(0), Vec::new()));
    }
}
