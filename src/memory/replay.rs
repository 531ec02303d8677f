//! Replay: finds the evidence records in whatever was written down, and takes them through
//! ingestion, catalog and query again.

use super::catalog;
use super::catalog::build_catalog;
use super::ingest::{EVIDENCE_KIND, build_candidate, is_evidence_record, put, to_memory_record};
use super::query::{Filters, query};
use super::safety::{clear_flags, vector};
use super::value::{Object, clean, field, first, map, members, truthy};
use crate::json::{Value, parse};
use crate::ledger::record::owned;
use serde_json::{Value as Json, json};
use std::collections::HashSet;

/// How many levels of JSON text inside strings are opened. Quoting doubles the backslashes of each,
/// so an honest text has few.
const TEXT_LEVELS: usize = 16;
/// How many records inside records are looked for; each is copied once more.
const NESTED_RECORDS: usize = 4;

/// What a walk takes, and which strings it opens.
struct Walk {
    takes: fn(&Value<'_>) -> bool,
    opens: &'static [char],
    found: Vec<Json>,
}

impl Walk {
    fn over(&mut self, value: &Value<'_>, text_levels: usize, nested: usize) {
        match value {
            Value::Object(inner) => {
                let taken = (self.takes)(value);
                if taken {
                    self.found.push(owned(value));
                }
                if let Some(nested) = if taken { nested.checked_sub(1) } else { Some(nested) } {
                    inner.iter().for_each(|(_, value)| self.over(value, text_levels, nested));
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.over(item, text_levels, nested)),
            Value::String(text) if text_levels > 0 && text.trim_start().starts_with(self.opens) => {
                if let Ok(inner) = parse(text.as_bytes()) {
                    self.over(&inner, text_levels - 1, nested);
                }
            }
            _ => {}
        }
    }

    fn found_in(mut self, payload: &Value<'_>) -> Vec<Json> {
        self.over(payload, TEXT_LEVELS, NESTED_RECORDS);
        self.found
    }
}

fn is_text(value: Option<&Value<'_>>, wanted: &str) -> bool {
    value.and_then(Value::as_str) == Some(wanted)
}

fn is_explorer_evidence(value: &Value<'_>) -> bool {
    is_text(value.get("type"), "memory_record") && is_text(value.get("record_kind"), EVIDENCE_KIND)
}

fn is_local_evidence(value: &Value<'_>) -> bool {
    is_text(value.get("kind"), "evidence") && is_text(value.get("payload").and_then(|payload| payload.get("candidate_kind")), EVIDENCE_KIND)
}

/// The text a record is known by: the first of these that it has.
fn key_of(record: &Json, names: &[&str]) -> String {
    names.iter().map(|name| clean(field(record, name))).find(|key| !key.is_empty()).unwrap_or_default()
}

const KEYS: [&str; 4] = ["gid", "id", "content_hash", "url"];

/// The key by which extraction knows a record; blank when it has none.
pub(crate) fn extraction_key(record: &Json) -> String {
    key_of(record, &KEYS)
}

/// Drops records whose key came before; one without a key is like no other.
fn dedupe(records: Vec<Json>, names: &[&str]) -> Vec<Json> {
    let mut seen = HashSet::new();
    let is_new = |record: &Json| {
        let key = key_of(record, names);
        key.is_empty() || seen.insert(key)
    };
    let mut is_new = is_new;
    records.into_iter().filter(|record| is_new(record)).collect()
}

/// The explorer's evidence records anywhere in `payload`, in its order, the first of each key.
pub(crate) fn extract(payload: &Value<'_>) -> Vec<Json> {
    let walk = Walk { takes: is_explorer_evidence, opens: &['{', '[', '"'], found: Vec::new() };
    dedupe(walk.found_in(payload), &KEYS)
}

/// What a replay of `records` finds. A record that cannot be ingested is counted and passed over.
pub(crate) fn replay(records: &[Json], filters: &Filters, top_items_limit: i128) -> Json {
    let records = dedupe(records.iter().filter(|record| record.is_object()).cloned().collect(), &KEYS);
    let replayed: Vec<Json> = records.iter().filter_map(|record| to_memory_record(&build_candidate(record).ok()?).ok()).collect();
    let catalog = catalog::from_memory_records(&replayed, top_items_limit);
    let mut result = members(&query(&catalog, filters));
    put(
        &mut result,
        json!({
            "replay_source": "explorer_memory_evidence",
            "explorer_memory_records_seen": records.len(),
            "explorer_memory_records_replayed": replayed.len(),
            "explorer_memory_records_rejected": records.len() - replayed.len(),
            "catalog": catalog_head(&catalog),
            "testing_only": true,
        }),
    );
    Json::Object(result)
}

/// The counts and maps of a catalog, without its items.
pub(crate) fn catalog_head(catalog: &Json) -> Json {
    let names = [
        "type",
        "catalog_status",
        "input_count",
        "item_count",
        "deduped_count",
        "rejected_count",
        "by_domain",
        "by_category",
        "by_topic_tag",
    ];
    names.into_iter().map(|name| (name.to_owned(), field(catalog, name).clone())).collect::<Object>().into()
}

/// The bounded artifact of the evidence records anywhere in `payload`, ready to be replayed.
pub(crate) fn build_artifact(payload: &Value<'_>, limit: i128) -> Json {
    let takes = |value: &Value<'_>| is_explorer_evidence(value) || is_local_evidence(value);
    let walk = Walk { takes, opens: &['{'], found: Vec::new() };
    let records = walk.found_in(payload).iter().map(replayable).collect();
    let mut records = dedupe(records, &["gid", "content_hash", "url"]);
    let limit = limit.max(0);
    let available = records.len();
    records.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let mut artifact = Object::new();
    clear_flags(&mut artifact);
    put(
        &mut artifact,
        json!({
            "type": "explorer_memory_replay_artifact",
            "artifact_status": "bounded",
            "record_count": records.len(),
            "available_record_count": available,
            "truncated": available > records.len(),
            "limit": i64::try_from(limit).unwrap_or(i64::MAX),
        }),
    );
    artifact.insert("records".to_owned(), Json::Array(records));
    Json::Object(artifact)
}

/// What ingestion reads, and the contract wants at the top.
const EVIDENCE_FIELDS: [&str; 11] = [
    "url",
    "domain",
    "content_preview",
    "content_hash",
    "source_score",
    "quality_score",
    "system_relevance_score",
    "authority_score",
    "freshness_score",
    "topic_tags",
    "evidence_category",
];

/// The copy of a record that is embedded: evidence at the top, flags false, marked as a copy.
fn replayable(record: &Json) -> Json {
    let payload = map(field(record, "payload"));
    let mut copy = if is_evidence_record(record) {
        members(record)
    } else {
        let gid = first([field(payload, "source_record_gid"), field(record, "id")]).clone();
        let provenance = first([field(payload, "provenance"), field(record, "provenance")]).clone();
        let mut copy = Object::new();
        put(&mut copy, json!({"type": "memory_record", "record_kind": EVIDENCE_KIND, "gid": gid, "provenance": provenance}));
        let topic = field(record, "topic");
        if !truthy(field(payload, "evidence_category")) && truthy(topic) {
            copy.insert("evidence_category".to_owned(), topic.clone());
        }
        copy
    };
    for name in EVIDENCE_FIELDS {
        let places = ["evidence", "subject", "provenance"].map(|place| field(map(field(record, place)), name));
        let own = copy.get(name).unwrap_or(&Json::Null);
        let found = first([own, field(payload, name)].into_iter().chain(places)).clone();
        if !found.is_null() {
            copy.insert(name.to_owned(), found);
        }
    }
    // In local memory the payload is the newer half; elsewhere the record is.
    let (below, above) = if is_evidence_record(record) { (payload, record) } else { (record, payload) };
    let mut of_vector = members(below);
    of_vector.extend(members(above));
    copy.extend(vector(&Json::Object(of_vector)));
    clear_flags(&mut copy);
    let mut provenance = members(copy.get("provenance").unwrap_or(&Json::Null));
    provenance.insert("memory_replay_artifact".to_owned(), Json::Bool(true));
    clear_flags(&mut provenance);
    copy.insert("provenance".to_owned(), Json::Object(provenance));
    Json::Object(copy)
}

/// The catalog of entries that a query is asked of, for those who hold items or candidates.
pub(crate) fn catalog_of(entries: &[Json]) -> Json {
    build_catalog(entries, 10)
}

#[cfg(test)]
mod tests {
    use super::super::ingest::tests::evidence;
    use super::*;

    fn with<T>(payload: &Json, act: impl Fn(&Value<'_>) -> T) -> T {
        let text = payload.to_string();
        act(&parse(text.as_bytes()).expect("it is JSON"))
    }

    fn keys(payload: &Json) -> Vec<String> {
        with(payload, |payload| extract(payload).iter().map(extraction_key).collect())
    }

    #[test]
    fn records_are_found_in_lists_objects_and_text_inside_text() {
        let inner = json!([evidence("c")]).to_string();
        let text = json!({"row": [json!({"deep": inner}).to_string(), "{broken", "[plain"]});
        assert_eq!(keys(&json!([{"z": evidence("a")}, text, [[evidence("b")]], "text"])), ["a", "c", "b"]);
        let quoted = json!(json!(evidence("d")).to_string()).to_string();
        assert_eq!(keys(&json!({"cell": quoted})), ["d"]);
    }

    #[test]
    fn the_order_is_the_order_of_the_text() {
        let text = format!(r#"{{"z": {}, "a": {}}}"#, evidence("first"), evidence("second"));
        let found = extract(&parse(text.as_bytes()).expect("it is JSON"));
        assert_eq!(found.iter().map(extraction_key).collect::<Vec<_>>(), ["first", "second"]);
    }

    #[test]
    fn records_inside_records_do_not_multiply() {
        let mut nest = evidence("r0");
        for level in 1..60 {
            let mut outer = evidence(&format!("r{level}"));
            outer["payload"] = nest;
            nest = outer;
        }
        assert_eq!(keys(&nest).len(), NESTED_RECORDS + 1);
        let mut text = json!("x").to_string();
        for _ in 0..18 {
            text = json!(text).to_string();
        }
        assert_eq!(keys(&json!([text])), [""; 0]);
    }

    #[test]
    fn records_without_any_key_are_each_their_own() {
        let bare = json!({"type": "memory_record", "record_kind": EVIDENCE_KIND});
        assert_eq!(keys(&json!([bare, bare])), ["", ""]);
    }

    #[test]
    fn a_replay_counts_what_it_rejects() {
        let mut weak = evidence("b");
        weak["source_score"] = 0.1.into();
        let result = replay(&[evidence("a"), weak, evidence("a"), json!("junk"), json!({})], &Filters::default(), 100);
        let counts = ["seen", "replayed", "rejected"].map(|name| result[format!("explorer_memory_records_{name}")].as_u64());
        assert_eq!(counts, [Some(3), Some(1), Some(2)]);
        assert_eq!(super::super::query_contract::check(&result), [""; 0]);
    }

    #[test]
    fn evidence_in_the_payload_comes_to_the_top() {
        let record = json!({
            "type": "memory_record", "record_kind": EVIDENCE_KIND, "gid": "a", "content_preview": "", "real_execution_enabled": true,
            "payload": {"url": "https://a.org/", "content_preview": "p"}, "evidence": {"content_hash": "h", "url": "https://b.org/"},
            "subject": {"domain": "a.org"}, "provenance": {"source_score": 0.8, "external_write_performed": true}
        });
        let artifact = with(&json!([record]), |payload| build_artifact(payload, 5));
        let copy = &artifact["records"][0];
        for (name, said) in [
            ("url", json!("https://a.org/")),
            ("content_preview", json!("p")),
            ("content_hash", json!("h")),
            ("domain", json!("a.org")),
            ("source_score", json!(0.8)),
        ] {
            assert_eq!(copy[name], said, "{name}");
        }
        assert_eq!((&copy["real_execution_enabled"], &copy["provenance"]["external_write_performed"]), (&json!(false), &json!(false)));
        assert!(copy.get("authority_score").is_none(), "what nobody said is not made up");
    }

    #[test]
    fn a_record_of_local_memory_is_turned_back() {
        let local = to_memory_record(&build_candidate(&evidence("a")).expect("it is evidence")).expect("it is valid");
        let artifact = with(&json!({"records": [local, evidence("a"), evidence("b")]}), |payload| build_artifact(payload, 1));
        assert_eq!(
            (&artifact["record_count"], &artifact["available_record_count"], &artifact["truncated"]),
            (&json!(1), &json!(2), &json!(true))
        );
        let back = &artifact["records"][0];
        assert_eq!((&back["gid"], &back["type"], &back["url"]), (&json!("a"), &json!("memory_record"), &evidence("a")["url"]));
        assert!(build_candidate(back).is_ok());
    }
}
