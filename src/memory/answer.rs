//! One judgement of the family, by area and operation: from a value to the value that answers it.

use super::catalog::{build_catalog, build_item, from_memory_records, validate_item};
use super::gate::gate;
use super::handoff::handoff;
use super::ingest::{build_candidate, to_memory_record, validate_candidate};
use super::plan_rank::plan_rank;
use super::query::{Filters, query};
use super::replay::{build_artifact, catalog_of, extract, extraction_key, replay};
use super::schedule::schedule;
use super::signals::signals;
use super::smoke::{COUNTERS, counts_of, summary_from_results, summary_of, yield_of};
use super::value::{Object, clean, field, int, list, num, text};
use super::{loop_contract, query_contract, smoke_contract, template};
use crate::artifacts;
use crate::json::Value;
use crate::ledger::record::owned;
use serde_json::{Value as Json, json};

/// What a judgement came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The object that describes the outcome.
    pub output: Json,
    /// Why what was judged is refused; empty when it is not.
    pub reasons: Vec<String>,
}

/// Why there is no judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// There is no such area or operation.
    #[error("memory_operation_unknown")]
    UnknownOperation,
    /// The lay-out of files makes no sense.
    #[error("memory_layout_unreadable")]
    LayOut,
}

/// Answers `{"area": …, "input": {"op": …, …}}`.
///
/// # Errors
/// The question is none.
pub fn answer(question: &Value<'_>) -> Result<Answer, Unanswered> {
    let null = Value::Null;
    let input = question.get("input").unwrap_or(&null);
    let area = question.get("area").and_then(Value::as_str).unwrap_or_default();
    let operation = input.get("op").and_then(Value::as_str).unwrap_or_default();
    let part = |name| input.get(name).unwrap_or(&null);
    // Two operations depend on the order of the text; the rest work on an owned copy.
    match (area, operation) {
        ("source_plan_contract", "check") => return Ok(checked(loop_contract::check(part("result")))),
        ("replay", "extract") => {
            let records = extract(part("payload"));
            let keys: Vec<_> = records.iter().map(extraction_key).collect();
            return Ok(plain(json!({"record_count": records.len(), "keys": keys})));
        }
        ("replay", "build_artifact") => {
            let limit = input.get("limit").map_or(20, |limit| int(&owned(limit), 0));
            return Ok(plain(json!({"artifact": build_artifact(part("payload"), limit)})));
        }
        _ => {}
    }
    let input = owned(input);
    let part = |name: &str| field(&input, name);
    let limit = |name: &str, default| input.get(name).map_or(default, |limit| int(limit, default));
    Ok(match (area, operation) {
        ("ingest", "build_candidate") => made("candidate", build_candidate(part("record"))),
        ("ingest", "validate_candidate") => errors(validate_candidate(part("candidate"))),
        ("ingest", "to_memory_record") => made("memory_record", to_memory_record(part("candidate"))),
        ("catalog", "build_item") => made("item", build_item(part("candidate"))),
        ("catalog", "validate_item") => errors(validate_item(part("item"))),
        ("catalog", "build_catalog") => plain(catalog_view(&build_catalog(list(part("items")), limit("top_items_limit", 10)))),
        ("catalog", "from_memory_records") => plain(memory_view(&from_memory_records(list(part("records")), limit("top_items_limit", 10)))),
        ("query", "query") => {
            let mut catalog = catalog_of(list(part("catalog_items")));
            for (name, value) in part("catalog_overrides").as_object().into_iter().flatten() {
                catalog[name] = value.clone();
            }
            plain(query_view(&query(&catalog, &Filters::from_json(part("filters")))))
        }
        ("query_contract", "check") => checked(query_contract::check(part("result"))),
        ("smoke_contract", "check") => checked(smoke_contract::check(part("result"))),
        ("template", "plan") => {
            let (mut templates, audit) = template::plan(&text(part("goal")), limit("limit", 12));
            templates.iter_mut().filter_map(Json::as_object_mut).for_each(|template| drop(template.remove("rationale")));
            plain(json!({"templates": templates, "audit": audit}))
        }
        ("template", "validate") => errors(template::validate(part("template"))),
        ("template", "to_candidate") => {
            let candidate = template::to_candidate(part("template"), &text(part("goal")), part("existing_score"));
            // The rationale is free text, and no part of what is compared.
            made("candidate", candidate.map(|candidate| without(candidate, "search_query_rationale")))
        }
        ("template", "summarize") => plain(json!({"audit": template::summarize(list(part("templates")), &input)})),
        ("template", "schedule") => plain(schedule(&input)),
        ("template", "plan_rank") => plain(json!({"ranked": plan_rank(list(part("candidates")), limit("limit", 20))})),
        ("replay", "replay") => plain(replay_view(&replay(list(part("records")), &Filters::from_json(part("filters")), 100))),
        ("yield", "yield") => {
            let replay_yield = yield_of(counts_of(part("counters"), COUNTERS));
            plain(json!({"memory_replay_summary": summary_of(&replay_yield, "passed"), "memory_replay_yield": replay_yield}))
        }
        ("yield", "summary_from_results") => {
            plain(json!({"summary": summary_from_results(part("explorer_result"), part("memory_replay_result"))}))
        }
        ("quality_gate", "gate") => {
            let passage = gate(part("finding"));
            let output = json!({
                "passed": passage.reasons.is_empty(), "quality_reasons": passage.reasons, "quality_metrics": passage.metrics,
            });
            Answer { output, reasons: passage.reasons.into_iter().map(str::to_owned).collect() }
        }
        ("quality_gate", "signals") => plain(json!({"signals": signals(part("finding"))})),
        ("quality_gate", "handoff") => {
            let decision = handoff(part("finding"));
            let reasons = field(&decision, "reason").as_str().map(str::to_owned).into_iter().collect();
            Answer { output: decision, reasons }
        }
        ("artifacts" | "cleanup", _) => artifacts::answer::answer(area, operation, &input)?,
        _ => return Err(Unanswered::UnknownOperation),
    })
}

pub(crate) fn plain(output: Json) -> Answer {
    Answer { output, reasons: Vec::new() }
}

fn made(name: &str, made: Result<Json, String>) -> Answer {
    match made {
        Ok(value) => plain(json!({ name: value })),
        Err(error) => Answer { output: json!({"error": error}), reasons: vec![error] },
    }
}

pub(crate) fn errors(reasons: Vec<String>) -> Answer {
    Answer { output: json!({"errors": reasons}), reasons }
}

fn checked(reasons: Vec<String>) -> Answer {
    Answer { output: json!({"errors": reasons, "exit_code": u8::from(!reasons.is_empty())}), reasons }
}

fn without(mut value: Json, name: &str) -> Json {
    if let Some(members) = value.as_object_mut() {
        members.remove(name);
    }
    value
}

/// The members of `value` with these names.
fn picked(value: &Json, names: &[&str]) -> Object {
    names.iter().filter_map(|name| Some(((*name).to_owned(), value.get(name)?.clone()))).collect()
}

fn urls(items: &Json) -> Vec<String> {
    list(items).iter().map(|item| clean(field(item, "url"))).collect()
}

fn catalog_view(catalog: &Json) -> Json {
    let mut view = without(without(catalog.clone(), "items"), "top_items");
    for name in ["embedding_model", "embedding_hash", "embedding_vector_ref", "embedding_updated_at"] {
        view = without(view, name);
    }
    let items = field(catalog, "items");
    view["item_urls"] = urls(items).into();
    view["top_item_urls"] = urls(field(catalog, "top_items")).into();
    view["ranking_scores"] = list(items).iter().map(|item| num(field(item, "ranking_score"), 0.0)).collect::<Vec<_>>().into();
    view
}

fn memory_view(catalog: &Json) -> Json {
    const ITEM: [&str; 10] = [
        "url",
        "domain",
        "evidence_category",
        "topic_tags",
        "ranking_score",
        "dedupe_key",
        "source_candidate_dedupe_key",
        "source_record_gid",
        "embedding_status",
        "semantic_retrieval_enabled",
    ];
    const COUNTS: [&str; 7] = ["input_count", "item_count", "deduped_count", "rejected_count", "by_domain", "by_category", "by_topic_tag"];
    let mut view = picked(catalog, &COUNTS);
    let items = list(field(catalog, "items")).iter().map(|item| picked(item, &ITEM).into());
    view.insert("items".to_owned(), Json::Array(items.collect()));
    view.into()
}

const QUERY: [&str; 11] = [
    "query",
    "catalog_item_count",
    "matched_count",
    "result_count",
    "retrieval_mode",
    "retrieval_contract_version",
    "hybrid_retrieval_enabled",
    "semantic_retrieval_enabled",
    "semantic_candidates",
    "deterministic_candidate_count",
    "embedding_status",
];

fn query_view(result: &Json) -> Json {
    let mut view = picked(result, &QUERY);
    view.insert("result_urls".to_owned(), urls(field(result, "results")).into());
    view.into()
}

fn replay_view(result: &Json) -> Json {
    const REPLAY: [&str; 18] = [
        "type",
        "replay_source",
        "explorer_memory_records_seen",
        "explorer_memory_records_replayed",
        "explorer_memory_records_rejected",
        "catalog",
        "query",
        "catalog_item_count",
        "matched_count",
        "result_count",
        "testing_only",
        "deterministic_candidates",
        "deterministic_candidate_count",
        "retrieval_mode",
        "external_write_performed",
        "real_execution_enabled",
        "production_paths_mutated",
        "production_secrets_accessed",
    ];
    let mut view = picked(result, &REPLAY);
    view.insert("result_urls".to_owned(), urls(field(result, "results")).into());
    view.insert("contract_errors".to_owned(), query_contract::check(result).into());
    view.into()
}

#[cfg(test)]
mod tests {
    use super::super::ingest::tests::evidence;
    use super::*;
    use crate::json::parse;
    use proptest::prelude::*;

    /// Every question there is, with the members that its input is asked for.
    const QUESTIONS: [(&str, &str, &[&str]); 27] = [
        ("ingest", "build_candidate", &["record"]),
        ("ingest", "validate_candidate", &["candidate"]),
        ("ingest", "to_memory_record", &["candidate"]),
        ("catalog", "build_item", &["candidate"]),
        ("catalog", "validate_item", &["item"]),
        ("catalog", "build_catalog", &["items", "top_items_limit"]),
        ("catalog", "from_memory_records", &["records", "top_items_limit"]),
        ("query", "query", &["catalog_items", "catalog_overrides", "filters"]),
        ("query_contract", "check", &["result"]),
        ("smoke_contract", "check", &["result"]),
        ("source_plan_contract", "check", &["result"]),
        ("template", "plan", &["goal", "limit"]),
        ("template", "validate", &["template"]),
        ("template", "to_candidate", &["template", "goal", "existing_score"]),
        ("template", "summarize", &["templates", "generated_count"]),
        ("template", "schedule", &["targets", "batch_limit", "max_targets_per_domain_per_tick", "rate_limited_domains"]),
        ("template", "plan_rank", &["candidates", "limit"]),
        ("replay", "extract", &["payload"]),
        ("replay", "replay", &["records", "filters"]),
        ("replay", "build_artifact", &["payload", "limit"]),
        ("yield", "yield", &["counters"]),
        ("yield", "summary_from_results", &["explorer_result", "memory_replay_result"]),
        ("quality_gate", "gate", &["finding"]),
        ("quality_gate", "signals", &["finding"]),
        ("quality_gate", "handoff", &["finding"]),
        ("artifacts", "latest", &["search_roots", "json_path"]),
        ("cleanup", "validate", &["result"]),
    ];

    /// What the rules read, so that values meet them.
    const NAMES: [&str; 24] = [
        "type",
        "url",
        "domain",
        "content_preview",
        "source_score",
        "provenance",
        "payload",
        "fallback_quality_signals",
        "topic_tags",
        "items",
        "results",
        "records",
        "retention",
        "would_delete",
        "memory_replay_yield",
        "memory_replay_artifact",
        "node",
        "ticks",
        "source_adapter_rate_limits",
        "safe_public_search_template",
        "limit",
        "query",
        "embedding_dim",
        "classification",
    ];

    fn any_value() -> impl Strategy<Value = Json> {
        let texts =
            ["", "explorer_useful_evidence", "memory_record", "https://[::1/x", "USEFUL", "nan", "-1", "\u{df}\u{130}%zz", "[{\"a\": 1}]"];
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            any::<f64>().prop_map(Json::from),
            prop::sample::select(texts.to_vec()).prop_map(Json::from),
            "\\PC{0,40}".prop_map(Json::from),
            Just(evidence("x")),
        ];
        leaf.prop_recursive(4, 40, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Json::Array),
                prop::collection::vec((prop::sample::select(NAMES.to_vec()), inner), 0..8)
                    .prop_map(|members| Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_question_has_an_answer_whatever_the_values(at in 0..QUESTIONS.len(), values in prop::collection::vec(any_value(), 4)) {
            let (area, operation, names) = QUESTIONS[at];
            let mut input = json!({"op": operation});
            for (name, value) in names.iter().zip(values) {
                input[*name] = value;
            }
            let text = json!({"area": area, "input": input}).to_string();
            let question = parse(text.as_bytes()).expect("it is JSON");
            let answered = answer(&question).expect("there is such a question");
            let again = crate::json::to_line(&answered.output);
            prop_assert!(parse(again.as_bytes()).is_ok());
        }
    }

    #[test]
    fn what_is_no_question_has_no_answer() {
        for (text, why) in [
            ("{}", Unanswered::UnknownOperation),
            (r#"{"area": "ingest", "input": {"op": "check"}}"#, Unanswered::UnknownOperation),
            (r#"{"area": "artifacts", "input": {"op": "index", "files": [7]}}"#, Unanswered::LayOut),
        ] {
            assert_eq!(answer(&parse(text.as_bytes()).expect("it is JSON")), Err(why), "{text}");
        }
    }
}
