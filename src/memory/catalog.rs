//! The catalog: items with a ranking, one a dedupe key, counted by domain, category and tag.

use super::ingest::{EVIDENCE_KIND, PREVIEW_MINIMUM, THRESHOLD, put};
use super::safety::{clear_flags, flags_set, vector};
use super::value::{Object, chars, clamp01, clean, cut, field, first, hash, is_blank, map, members, num, round4, tags};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap};

/// Where an item stands before all others: higher is better.
pub(crate) fn ranking_score(source: f64, relevance: f64, authority: f64, freshness: f64) -> f64 {
    round4(clamp01(source * 0.35 + relevance * 0.35 + authority * 0.20 + freshness * 0.10))
}

/// The item that a candidate becomes.
///
/// # Errors
/// It is no candidate.
pub(crate) fn build_item(candidate: &Json) -> Result<Json, String> {
    let said = |name: &str| clean(field(candidate, name));
    let score = |name: &str, default| num(field(candidate, name), default);
    let kind = said("candidate_kind");
    if field(candidate, "type") != "memory_ingest_candidate" || kind.is_empty() {
        return Err("expected memory_ingest_candidate".to_owned());
    }
    let (key, address, content_hash, preview) = (said("dedupe_key"), said("url"), said("content_hash"), said("content_preview"));
    let (source, relevance) = (score("source_score", 0.0), score("system_relevance_score", 0.0));
    let (authority, freshness) = (score("authority_score", 0.0), score("freshness_score", 0.50));
    let category = said("evidence_category");
    let mut provenance = members(field(candidate, "provenance"));
    provenance.insert("source".to_owned(), "memory_ingestion".into());
    provenance.insert("source_candidate_dedupe_key".to_owned(), key.as_str().into());
    clear_flags(&mut provenance);
    let mut item = vector(candidate);
    put(
        &mut item,
        json!({
            "type": "memory_evidence_catalog_item",
            "dedupe_key": hash(&["memory_evidence_catalog_item", &key, &address, &content_hash]),
            "source_candidate_dedupe_key": key,
            "source_record_gid": said("source_record_gid"),
            "url": address,
            "domain": said("domain"),
            "summary": cut(&preview, 240).trim_end(),
            "content_preview": preview,
            "content_hash": content_hash,
            "topic_tags": tags(field(candidate, "topic_tags")),
            "evidence_category": if category.is_empty() { &kind } else { &category },
            "catalog_item_kind": kind,
            "source_score": source,
            "quality_score": source.max(score("quality_score", 0.0)),
            "system_relevance_score": relevance,
            "authority_score": authority,
            "freshness_score": freshness,
            "ranking_score": ranking_score(source, relevance, authority, freshness),
            "catalog_status": "indexed",
            "provenance": provenance,
        }),
    );
    Ok(Json::Object(item))
}

/// What is wrong with an item, in order; empty when it may be catalogued.
pub(crate) fn validate_item(item: &Json) -> Vec<String> {
    let mut errors = Vec::new();
    let mut ask = |holds: bool, reason: &str| {
        if !holds {
            errors.push(reason.to_owned());
        }
    };
    let said = |name| !is_blank(field(item, name));
    ask(field(item, "type") == "memory_evidence_catalog_item", "type must be memory_evidence_catalog_item");
    ask(said("catalog_item_kind"), "catalog_item_kind is required");
    ask(said("source_candidate_dedupe_key"), "source_candidate_dedupe_key is required");
    ask(said("dedupe_key"), "dedupe_key is required");
    ask(said("url"), "url is required");
    ask(said("domain"), "domain is required");
    ask(chars(&clean(field(item, "content_preview"))) >= PREVIEW_MINIMUM, "content_preview is too short");
    ask(said("summary"), "summary is required");
    ask(num(field(item, "source_score"), 0.0) >= THRESHOLD, "source_score below catalog threshold");
    ask(num(field(item, "system_relevance_score"), 0.0) >= THRESHOLD, "system_relevance_score below catalog threshold");
    ask((0.0..=1.0).contains(&num(field(item, "ranking_score"), -1.0)), "ranking_score must be between 0 and 1");
    errors.extend(flags_set(field(item, "provenance")).map(|flag| format!("{flag} must be false")));
    errors
}

/// What one entry of a list contributes: a ready item as it is, a candidate's item, or nothing.
fn accept(entry: &Json) -> Option<Json> {
    let item = if field(entry, "type") == "memory_evidence_catalog_item" { entry.clone() } else { build_item(entry).ok()? };
    validate_item(&item).is_empty().then_some(item)
}

/// The catalog of `entries`; at most `top_items_limit` of its items are named on top.
pub(crate) fn build_catalog(entries: &[Json], top_items_limit: i128) -> Json {
    let mut items: Vec<Json> = Vec::new();
    let mut by_key: HashMap<String, usize> = HashMap::new();
    let mut rejected = 0;
    let ranking = |item: &Json| num(field(item, "ranking_score"), 0.0);
    for entry in entries {
        let Some(item) = accept(entry) else {
            rejected += 1;
            continue;
        };
        match by_key.entry(clean(field(&item, "dedupe_key"))) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(items.len());
                items.push(item);
            }
            std::collections::hash_map::Entry::Occupied(taken) => {
                let known = &mut items[*taken.get()];
                if ranking(&item) > ranking(known) {
                    *known = item;
                }
            }
        }
    }
    let mut keyed: Vec<_> =
        items.into_iter().map(|item| (ranking(&item), clean(field(&item, "domain")), clean(field(&item, "url")), item)).collect();
    keyed.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| (&one.1, &one.2).cmp(&(&other.1, &other.2))));
    let items: Vec<Json> = keyed.into_iter().map(|(.., item)| item).collect();
    let top = items[..usize::try_from(top_items_limit.max(0)).unwrap_or(usize::MAX).min(items.len())].to_vec();
    let mut catalog = vector(&Json::Null);
    clear_flags(&mut catalog);
    put(
        &mut catalog,
        json!({
            "type": "memory_evidence_catalog",
            "catalog_status": "indexed",
            "input_count": entries.len(),
            "item_count": items.len(),
            "deduped_count": entries.len() - items.len() - rejected,
            "rejected_count": rejected,
            "by_domain": counted(items.iter().map(|item| clean(field(item, "domain")))),
            "by_category": counted(items.iter().map(|item| clean(field(item, "evidence_category")))),
            "by_topic_tag": counted(items.iter().flat_map(|item| tags(field(item, "topic_tags")))),
        }),
    );
    // Moved in, not through `json!`, which would copy them.
    catalog.insert("items".to_owned(), Json::Array(items));
    catalog.insert("top_items".to_owned(), Json::Array(top));
    Json::Object(catalog)
}

/// How often each name comes, by name; a blank one is none.
pub(crate) fn counted(names: impl Iterator<Item = String>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for name in names.filter(|name| !name.is_empty()) {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// The candidate that a record of local memory holds; `None` for a record of anything else.
fn of_memory_record(record: &Json) -> Option<Json> {
    let payload = map(field(record, "payload"));
    if field(record, "kind") != "evidence" || field(payload, "candidate_kind") != EVIDENCE_KIND {
        return None;
    }
    let said = |name: &str| clean(field(payload, name));
    let (gid, address, content_hash, preview) = (said("source_record_gid"), said("url"), said("content_hash"), said("content_preview"));
    let mut key = clean(first([field(payload, "dedupe_key"), field(record, "id")]));
    if key.is_empty() {
        key = hash(&["memory_ingest_candidate", &gid, &address, &content_hash, cut(&preview, 300)]);
    }
    let category = Some(said("evidence_category")).filter(|said| !said.is_empty()).unwrap_or_else(|| clean(field(record, "topic")));
    let mut provenance = members(field(payload, "provenance"));
    provenance.insert("source".to_owned(), "local_memory".into());
    // The payload's own fields, where it has them, lie over the record's.
    let mut candidate: Object = members(record);
    candidate.extend(members(payload));
    candidate = vector(&Json::Object(candidate));
    for name in ["source_score", "quality_score", "system_relevance_score", "authority_score", "freshness_score", "topic_tags"] {
        candidate.insert(name.to_owned(), field(payload, name).clone());
    }
    put(
        &mut candidate,
        json!({
            "type": "memory_ingest_candidate",
            "candidate_kind": EVIDENCE_KIND,
            "source_record_gid": gid,
            "url": address,
            "domain": said("domain"),
            "content_preview": preview,
            "content_hash": content_hash,
            "dedupe_key": key,
            "evidence_category": category,
            "provenance": provenance,
        }),
    );
    Some(Json::Object(candidate))
}

/// The item that a record of local memory becomes, `None` inside if the catalog rejects it; `None` if it is not asked.
pub(super) fn item_of_memory_record(record: &Json) -> Option<Option<Json>> {
    of_memory_record(record).map(|candidate| accept(&candidate))
}

/// The catalog of the evidence among `records` of local memory; what is no evidence is not counted.
pub(crate) fn from_memory_records(records: &[Json], top_items_limit: i128) -> Json {
    let candidates: Vec<_> = records.iter().filter_map(of_memory_record).collect();
    build_catalog(&candidates, top_items_limit)
}

#[cfg(test)]
mod tests {
    use super::super::ingest::{build_candidate, tests::evidence, to_memory_record};
    use super::*;

    fn candidate(gid: &str) -> Json {
        build_candidate(&evidence(gid)).expect("it is evidence")
    }

    #[test]
    fn an_equal_ranking_does_not_replace_and_a_higher_one_keeps_its_place() {
        let (low, mut high) = (candidate("a"), candidate("a"));
        high["authority_score"] = 0.9.into();
        high["source_record_gid"] = "better".into();
        let mut equal = high.clone();
        equal["source_record_gid"] = "late".into();
        let catalog = build_catalog(&[low.clone(), high, low, equal], 10);
        assert_eq!((&catalog["item_count"], &catalog["deduped_count"]), (&json!(1), &json!(3)));
        assert_eq!(catalog["items"][0]["source_record_gid"], "better");
    }

    #[test]
    fn what_cannot_be_catalogued_is_counted_as_rejected() {
        let mut no_domain = candidate("b");
        no_domain["domain"] = " ".into();
        let catalog = build_catalog(&[candidate("a"), no_domain, json!("text"), json!(null), json!({"type": "x"})], 0);
        assert_eq!((&catalog["item_count"], &catalog["rejected_count"], &catalog["input_count"]), (&json!(1), &json!(4), &json!(5)));
        assert_eq!(catalog["top_items"], json!([]));
    }

    #[test]
    fn a_record_of_local_memory_comes_back_as_the_candidate_it_was() {
        let record = to_memory_record(&candidate("a")).expect("it is valid");
        let catalog = from_memory_records(&[record, json!({"kind": "note"}), json!(7)], 5);
        assert_eq!((&catalog["input_count"], &catalog["item_count"], &catalog["rejected_count"]), (&json!(1), &json!(1), &json!(0)));
        let direct = build_item(&candidate("a")).expect("it is a candidate");
        for name in ["dedupe_key", "ranking_score", "url", "domain", "topic_tags", "evidence_category", "summary"] {
            assert_eq!(catalog["items"][0][name], direct[name], "{name}");
        }
    }
}
