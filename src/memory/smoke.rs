//! Yield: how much of what was published came all the way to an answered query.

use super::ingest::put;
use super::safety::{clear_flags, is_set};
use super::value::{Object, clean, field, int, list, map, round4};
use serde_json::{Value as Json, json};

/// The counters of a yield, in order.
pub(crate) const COUNTERS: [&str; 6] =
    ["records_published", "artifact_records", "artifact_available_records", "records_seen", "records_replayed", "query_results"];
/// The flat names of the same counters in a smoke result.
pub(crate) const FLAT_COUNTERS: [&str; 6] = [
    "total_memory_records_published",
    "memory_replay_artifact_record_count",
    "memory_replay_artifact_available_record_count",
    "explorer_memory_records_seen",
    "explorer_memory_records_replayed",
    "memory_query_result_count",
];
/// The ratios, in order, each with the positions of its two counters.
pub(crate) const RATIOS: [(&str, usize, usize); 6] = [
    ("artifact_capture_ratio", 1, 0),
    ("artifact_availability_ratio", 2, 0),
    ("replay_visibility_ratio", 3, 1),
    ("replay_acceptance_ratio", 4, 3),
    ("query_result_ratio", 5, 4),
    ("full_replay_path_ratio", 5, 0),
];
/// The counters of the compact summary.
pub(crate) const SUMMARY_COUNTERS: [&str; 4] = ["records_published", "artifact_records", "records_replayed", "query_results"];
/// The ratios of the compact summary.
pub(crate) const SUMMARY_RATIOS: [&str; 3] = ["artifact_capture_ratio", "replay_acceptance_ratio", "full_replay_path_ratio"];

/// The ratio of two counters; nothing of nothing is 0.
pub(crate) fn ratio(part: i128, whole: i128) -> f64 {
    if whole <= 0 { 0.0 } else { round4(part as f64 / whole as f64) }
}

/// A counter as JSON holds it.
fn counter(count: i128) -> Json {
    i64::try_from(count).map_or_else(|_| Json::from(count as f64), Json::from)
}

/// The yield of six counters.
pub(crate) fn yield_of(counts: [i128; 6]) -> Json {
    let mut fields = Object::new();
    for (name, count) in COUNTERS.into_iter().zip(counts) {
        fields.insert(name.to_owned(), counter(count));
    }
    for (name, part, whole) in RATIOS {
        fields.insert(name.to_owned(), ratio(counts[part], counts[whole]).into());
    }
    Json::Object(fields)
}

/// The compact summary of a yield.
pub(crate) fn summary_of(replay_yield: &Json, status: &str) -> Json {
    let mut fields = Object::new();
    fields.insert("status".to_owned(), status.into());
    for name in SUMMARY_COUNTERS.into_iter().chain(SUMMARY_RATIOS) {
        fields.insert(name.to_owned(), field(replay_yield, name).clone());
    }
    Json::Object(fields)
}

/// The counters that `said` names, absent ones 0.
pub(crate) fn counts_of(said: &Json, names: [&str; 6]) -> [i128; 6] {
    names.map(|name| int(field(said, name), 0))
}

/// The success summary of a smoke run, from the results of its two stages; paths and commands are
/// the caller's.
pub(crate) fn summary_from_results(explorer: &Json, replay: &Json) -> Json {
    let artifact = map(field(explorer, "memory_replay_artifact"));
    let flat_or_artifact = |flat: &str, inner: &str| match int(field(explorer, flat), 0) {
        0 => int(field(artifact, inner), 0),
        count => count,
    };
    let counts = [
        int(field(explorer, FLAT_COUNTERS[0]), 0),
        flat_or_artifact(FLAT_COUNTERS[1], "record_count"),
        flat_or_artifact(FLAT_COUNTERS[2], "available_record_count"),
        int(field(replay, FLAT_COUNTERS[3]), 0),
        int(field(replay, FLAT_COUNTERS[4]), 0),
        int(field(replay, "result_count"), 0),
    ];
    let replay_yield = yield_of(counts);
    let mut summary = Object::new();
    clear_flags(&mut summary);
    for (name, count) in FLAT_COUNTERS.into_iter().zip(counts) {
        summary.insert(name.to_owned(), counter(count));
    }
    put(
        &mut summary,
        json!({
            "type": "explorer_memory_replay_smoke_result",
            "status": "passed",
            "explorer_contract_ok": true,
            "memory_query_contract_ok": true,
            "memory_replay_summary": summary_of(&replay_yield, "passed"),
            "memory_replay_yield": replay_yield,
            "retrieval_mode": clean(field(replay, "retrieval_mode")),
            "hybrid_retrieval_enabled": is_set(field(replay, "hybrid_retrieval_enabled")),
            "semantic_retrieval_enabled": is_set(field(replay, "semantic_retrieval_enabled")),
            "semantic_candidates": list(field(replay, "semantic_candidates")),
        }),
    );
    Json::Object(summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_from_nothing_breaks_its_contract_by_its_mode_alone() {
        let summary = summary_from_results(&json!({}), &json!(null));
        assert_eq!(super::super::smoke_contract::check(&summary), ["retrieval_mode must be deterministic"]);
        let summary = summary_from_results(&json!({}), &json!({"retrieval_mode": "deterministic"}));
        assert_eq!(super::super::smoke_contract::check(&summary), [""; 0]);
    }

    #[test]
    fn flat_counts_win_unless_they_are_zero() {
        let explorer =
            json!({"memory_replay_artifact_record_count": 3, "memory_replay_artifact": {"record_count": 9, "available_record_count": 4}});
        let summary = summary_from_results(&explorer, &json!({}));
        assert_eq!(summary["memory_replay_artifact_record_count"], 3);
        assert_eq!(summary["memory_replay_artifact_available_record_count"], 4);
    }
}
