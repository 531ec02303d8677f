//! Ingestion: an explorer's record becomes a candidate, a valid candidate becomes a record of local memory.

use super::safety::{clear_flags, flags_set, vector};
use super::url;
use super::value::{Object, chars, clean, cut, field, first, hash, is_blank, list, map, members, num, tags};
use serde_json::{Value as Json, json};

/// The one kind of record that is ingested, and the category of a record that names none.
pub(crate) const EVIDENCE_KIND: &str = "explorer_useful_evidence";
/// The least source score and the least relevance that memory takes in.
pub(crate) const THRESHOLD: f64 = 0.70;
/// The shortest preview, in code points, that says anything.
pub(crate) const PREVIEW_MINIMUM: usize = 30;

/// Whether `record` is an explorer's evidence record.
pub(crate) fn is_evidence_record(record: &Json) -> bool {
    field(record, "type") == "memory_record" && field(record, "record_kind") == EVIDENCE_KIND
}

/// The candidate that `record` is.
///
/// # Errors
/// The record is of another kind, or its URL has no readable authority.
pub(crate) fn build_candidate(record: &Json) -> Result<Json, String> {
    if !is_evidence_record(record) {
        return Err("expected explorer_useful_evidence memory_record".to_owned());
    }
    let provenance = map(field(record, "provenance"));
    let signals = map(field(provenance, "fallback_quality_signals"));
    let said = |name: &str| first([field(record, name), field(provenance, name), field(signals, name)]);
    let address = clean(said("url"));
    let of_address = url::split(&address)?.authority.to_lowercase();
    let mut domain = clean(said("domain"));
    if domain.is_empty() {
        of_address.strip_prefix("www.").unwrap_or(&of_address).clone_into(&mut domain);
    }
    let preview = clean(said("content_preview"));
    let content_hash = clean(said("content_hash"));
    let source_score = num(first([said("source_score"), said("quality_score")]), 0.0);
    let quality_score = source_score.max(num(field(record, "quality_score"), 0.0));
    let mut topic_tags = said("topic_tags");
    if list(topic_tags).is_empty() {
        topic_tags = field(signals, "keyword_matches");
    }
    let category = clean(said("evidence_category"));
    let gid = clean(first(["gid", "id", "source_record_gid"].map(|name| field(record, name))));
    let mut kept = members(provenance);
    kept.insert("source".to_owned(), "explorer".into());
    kept.insert("source_record_gid".to_owned(), gid.as_str().into());
    kept.insert("record_kind".to_owned(), EVIDENCE_KIND.into());
    clear_flags(&mut kept);
    let mut candidate = vector(record);
    clear_flags(&mut candidate);
    put(
        &mut candidate,
        json!({
            "type": "memory_ingest_candidate",
            "candidate_kind": EVIDENCE_KIND,
            "ingestion_status": "candidate",
            "dedupe_key": hash(&[EVIDENCE_KIND, &address, &content_hash, cut(&preview, 300)]),
            "source_record_gid": gid,
            "url": address,
            "domain": domain,
            "content_preview": preview,
            "content_hash": content_hash,
            "source_score": source_score,
            "quality_score": quality_score,
            "system_relevance_score": num(said("system_relevance_score"), 0.0),
            "authority_score": num(said("authority_score"), 0.0),
            "freshness_score": num(said("freshness_score"), 0.50),
            "topic_tags": tags(topic_tags),
            "evidence_category": if category.is_empty() { EVIDENCE_KIND } else { &category },
        }),
    );
    candidate.insert("provenance".to_owned(), Json::Object(kept));
    Ok(Json::Object(candidate))
}

/// Adds the members of `more`.
pub(crate) fn put(object: &mut Object, more: Json) {
    if let Json::Object(more) = more {
        object.extend(more);
    }
}

/// What is wrong with a candidate, in order; empty when it may be stored.
pub(crate) fn validate_candidate(candidate: &Json) -> Vec<String> {
    let mut errors = Vec::new();
    let mut ask = |holds: bool, reason: &str| {
        if !holds {
            errors.push(reason.to_owned());
        }
    };
    let said = |name| !is_blank(field(candidate, name));
    ask(field(candidate, "type") == "memory_ingest_candidate", "type must be memory_ingest_candidate");
    ask(said("candidate_kind"), "candidate_kind is required");
    ask(said("source_record_gid"), "source_record_gid is required");
    ask(said("url"), "url is required");
    ask(chars(&clean(field(candidate, "content_preview"))) >= PREVIEW_MINIMUM, "content_preview is too short");
    ask(num(field(candidate, "source_score"), 0.0) >= THRESHOLD, "source_score below ingestion threshold");
    ask(num(field(candidate, "system_relevance_score"), 0.0) >= THRESHOLD, "system_relevance_score below ingestion threshold");
    ask(said("dedupe_key"), "dedupe_key is required");
    errors.extend(flags_set(field(candidate, "provenance")).map(|flag| format!("{flag} must be false")));
    errors
}

/// The record of local memory that a valid candidate becomes.
///
/// # Errors
/// The reasons of [`validate_candidate`], joined.
pub(crate) fn to_memory_record(candidate: &Json) -> Result<Json, String> {
    let errors = validate_candidate(candidate);
    if !errors.is_empty() {
        return Err(format!("invalid memory ingest candidate: {}", errors.join("; ")));
    }
    let said = |name: &str| clean(field(candidate, name));
    let score = |name: &str, default| num(field(candidate, name), default);
    let category = Some(said("evidence_category")).filter(|category| !category.is_empty()).unwrap_or_else(|| EVIDENCE_KIND.to_owned());
    let topic_tags = tags(field(candidate, "topic_tags"));
    let mut all_tags = topic_tags.clone();
    all_tags.extend(["memory_ingest_candidate".to_owned(), EVIDENCE_KIND.to_owned(), category.clone()]);
    all_tags.sort_unstable();
    all_tags.dedup();
    let (source, relevance) = (score("source_score", 0.0), score("system_relevance_score", 0.0));
    let mut payload = vector(candidate);
    put(
        &mut payload,
        json!({
            "candidate_kind": said("candidate_kind"),
            "source_record_gid": said("source_record_gid"),
            "url": said("url"),
            "domain": said("domain"),
            "content_preview": said("content_preview"),
            "content_hash": said("content_hash"),
            "source_score": source,
            "quality_score": score("quality_score", 0.0),
            "system_relevance_score": relevance,
            "authority_score": score("authority_score", 0.0),
            "freshness_score": score("freshness_score", 0.50),
            "evidence_category": category,
            "topic_tags": topic_tags,
            "tags": all_tags,
            "provenance": members(field(candidate, "provenance")),
        }),
    );
    let mut record = vector(candidate);
    clear_flags(&mut record);
    put(
        &mut record,
        json!({
            "id": said("dedupe_key"),
            "kind": "evidence",
            "scope": "shared",
            "topic": category,
            "payload": payload,
            "source": {"originNodeId": "explorer", "originPeerId": "", "swarm": "explorer", "parents": [said("source_record_gid")]},
            "confidence": source.max(relevance).min(1.0),
            "priority": 1,
            "verified": true,
        }),
    );
    Ok(Json::Object(record))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A record that is ingested, under this id.
    pub(crate) fn evidence(gid: &str) -> Json {
        json!({
            "type": "memory_record", "record_kind": EVIDENCE_KIND, "gid": gid, "url": format!("https://docs.python.org/3/{gid}.html"),
            "content_preview": "Notes on the retrieval of what agents remember.", "content_hash": format!("hash-{gid}"),
            "source_score": 0.8, "system_relevance_score": 0.75, "topic_tags": ["memory", " agents", "memory"]
        })
    }

    #[test]
    fn the_domain_comes_from_the_authority_as_a_last_resort() {
        let mut record = evidence("a");
        record["url"] = "https://WWW.User@Example.org:8080/x".into();
        assert_eq!(build_candidate(&record).expect("it is evidence")["domain"], "user@example.org:8080");
        record["url"] = "https://[::1/x".into();
        record["domain"] = "example.org".into();
        assert_eq!(build_candidate(&record), Err("Invalid IPv6 URL".to_owned()), "also when a domain is given");
    }

    #[test]
    fn a_zero_score_is_a_score_and_no_reason_to_look_further() {
        let mut record = evidence("a");
        record["source_score"] = 0.into();
        record["provenance"] = json!({"source_score": 0.9});
        assert_eq!(build_candidate(&record).expect("it is evidence")["source_score"], 0.0);
        record["source_score"] = Json::Null;
        assert_eq!(build_candidate(&record).expect("it is evidence")["source_score"], 0.9);
    }

    #[test]
    fn a_non_finite_score_passes_no_threshold() {
        let mut candidate = build_candidate(&evidence("a")).expect("it is evidence");
        assert_eq!(validate_candidate(&candidate), [""; 0]);
        candidate["source_score"] = "inf".into();
        candidate["system_relevance_score"] = "nan".into();
        assert_eq!(
            validate_candidate(&candidate),
            ["source_score below ingestion threshold", "system_relevance_score below ingestion threshold"]
        );
    }

    #[test]
    fn a_set_flag_in_the_provenance_of_a_candidate_is_a_reason() {
        let mut candidate = build_candidate(&evidence("a")).expect("it is evidence");
        candidate["provenance"]["real_execution_enabled"] = "false".into();
        assert_eq!(to_memory_record(&candidate), Err("invalid memory ingest candidate: real_execution_enabled must be false".to_owned()));
    }
}
