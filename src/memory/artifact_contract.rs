//! The contract of the replay artifact inside a loop result: bounded, countable, replayable, harmless.

use super::safety::{EMBEDDING_STATUSES, flags_set, is_set};
use super::value::{field, int, is_blank, list, map, quoted, truthy};
use serde_json::Value as Json;

/// Appends what is wrong with the artifact of a loop result. Only the explicit total says whether
/// records were published; a sum over ticks does not.
pub(crate) fn check(result: &Json, errors: &mut Vec<String>) {
    let published = int(field(result, "total_memory_records_published"), 0);
    let artifact = map(field(result, "memory_replay_artifact"));
    if !truthy(artifact) {
        if published > 0 {
            errors.push("memory replay artifact is required when total_memory_records_published > 0".to_owned());
        }
        return;
    }
    let said = |name: &str| field(artifact, name);
    if said("type") != "explorer_memory_replay_artifact" {
        errors.push(format!("memory replay artifact has invalid type: {}", quoted(said("type"))));
    }
    errors.extend(flags_set(artifact).map(|flag| format!("memory replay artifact unsafe flag is true: {flag}")));
    if !said("records").is_array() {
        errors.push("memory replay artifact records must be a list".to_owned());
    }
    let records = list(said("records"));
    let (count, available) = (int(said("record_count"), -1), int(said("available_record_count"), -1));
    if i128::try_from(records.len()) != Ok(count) {
        let length = records.len();
        errors.push(format!("memory replay artifact record_count must equal len(records): record_count={count}, len(records)={length}"));
    }
    if available < count {
        errors.push(format!(
            "memory replay artifact available_record_count must be >= record_count: available_record_count={available}, record_count={count}"
        ));
    }
    if artifact.get("limit").is_some_and(|limit| int(limit, 0) < 0) {
        errors.push("memory replay artifact limit must be >= 0".to_owned());
    }
    if truthy(said("truncated")) && available <= count {
        errors.push("memory replay artifact truncated=true requires available_record_count > record_count".to_owned());
    }
    if published > 0 && count <= 0 {
        errors.push("memory replay artifact must include replayable records when total_memory_records_published > 0".to_owned());
    }
    for (record, number) in records.iter().zip(1..) {
        errors.extend(wrong_with(record).into_iter().map(|reason| format!("memory replay record #{number} {reason}")));
    }
}

fn wrong_with(record: &Json) -> Vec<String> {
    if !record.is_object() {
        return vec!["must be a mapping".to_owned()];
    }
    let mut wrong = Vec::new();
    let said = |name: &str| field(record, name);
    for (name, wanted) in [("type", "memory_record"), ("record_kind", "explorer_useful_evidence")] {
        if said(name) != wanted {
            wrong.push(format!("{name} must be {wanted}"));
        }
    }
    for name in ["url", "content_hash", "content_preview"] {
        if is_blank(said(name)) {
            wrong.push(format!("{name} is required"));
        }
    }
    wrong.extend(flags_set(record).map(|flag| format!("unsafe flag is true: {flag}")));
    if is_set(said("semantic_retrieval_enabled")) {
        wrong.push("semantic_retrieval_enabled must be false".to_owned());
    }
    if !said("embedding_status").as_str().is_some_and(|status| EMBEDDING_STATUSES.contains(&status)) {
        wrong.push(format!("invalid embedding_status: {}", quoted(said("embedding_status"))));
    }
    if int(said("embedding_dim"), -1) < 0 {
        wrong.push("embedding_dim must be >= 0".to_owned());
    }
    wrong.extend(flags_set(map(said("provenance"))).map(|flag| format!("provenance unsafe flag is true: {flag}")));
    wrong
}

#[cfg(test)]
mod tests {
    use super::super::replay::build_artifact;
    use super::*;
    use crate::json::parse;
    use serde_json::json;

    fn errors(result: &Json) -> Vec<String> {
        let mut errors = Vec::new();
        check(result, &mut errors);
        errors
    }

    #[test]
    fn what_build_artifact_makes_keeps_the_contract() {
        let text = json!([super::super::ingest::tests::evidence("a"), super::super::ingest::tests::evidence("b")]).to_string();
        let payload = parse(text.as_bytes()).expect("it is JSON");
        let artifact = build_artifact(&payload, 1);
        assert_eq!(errors(&json!({"total_memory_records_published": 2, "memory_replay_artifact": artifact})), [""; 0]);
    }

    #[test]
    fn an_artifact_without_records_is_none_when_some_were_published() {
        let empty = json!({"type": "explorer_memory_replay_artifact", "record_count": 0, "available_record_count": 0, "records": []});
        assert_eq!(errors(&json!({"memory_replay_artifact": empty})), [""; 0]);
        assert_eq!(errors(&json!({"memory_replay_artifact": [], "total_memory_records_published": 0})), [""; 0]);
        assert_eq!(
            errors(&json!({"memory_replay_artifact": empty, "total_memory_records_published": 1})),
            ["memory replay artifact must include replayable records when total_memory_records_published > 0"]
        );
    }

    #[test]
    fn an_artifact_of_the_wrong_kinds_is_told_all_of_it() {
        let artifact = json!({"type": null, "records": {}, "truncated": "false"});
        assert_eq!(
            errors(&json!({"memory_replay_artifact": artifact})),
            [
                "memory replay artifact has invalid type: None",
                "memory replay artifact records must be a list",
                "memory replay artifact record_count must equal len(records): record_count=-1, len(records)=0",
                "memory replay artifact truncated=true requires available_record_count > record_count"
            ]
        );
    }
}
