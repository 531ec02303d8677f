//! The contract of a query result: what a reader may rely on before it believes a result.

use super::safety::{EMBEDDING_STATUSES, flags_set, is_set};
use super::value::{field, int, list, trimmed};
use serde_json::{Value as Json, json};

/// What is wrong with a query result, in order; empty when it keeps its contract.
pub(crate) fn check(result: &Json) -> Vec<String> {
    let mut errors = Vec::new();
    let said = |name: &str| field(result, name);
    for (name, wanted) in [
        ("type", "memory_evidence_query_result"),
        ("retrieval_contract_version", "memory_retrieval_v0_1"),
        ("retrieval_mode", "deterministic"),
    ] {
        if said(name) != wanted {
            errors.push(format!("{name} must be {wanted}"));
        }
    }
    for name in ["hybrid_retrieval_enabled", "semantic_retrieval_enabled"] {
        if is_set(said(name)) {
            errors.push(format!("{name} must be false"));
        }
    }
    if *said("semantic_candidates") != json!([]) {
        errors.push("semantic_candidates must be an empty list".to_owned());
    }
    let status = trimmed(said("embedding_status"));
    if !EMBEDDING_STATUSES.contains(&&*status) {
        errors.push(format!("invalid embedding_status: '{status}'"));
    }
    if result.get("embedding_dim").is_some_and(|dim| int(dim, -1) < 0) {
        errors.push("embedding_dim must be >= 0".to_owned());
    }
    errors.extend(flags_set(result).map(|flag| format!("{flag} must be false")));
    for name in ["results", "deterministic_candidates"] {
        if !said(name).is_array() {
            errors.push(format!("{name} must be a list"));
        }
    }
    for (name, counted) in [("result_count", "results"), ("deterministic_candidate_count", "deterministic_candidates")] {
        let (count, length) = (int(said(name), -1), list(said(counted)).len());
        if i128::try_from(length) != Ok(count) {
            errors.push(format!("{name} must equal len({counted}): {name}={count}, len({counted})={length}"));
        }
    }
    for (candidate, rank) in list(said("deterministic_candidates")).iter().zip(1_i128..) {
        if !candidate.is_object() {
            errors.push(format!("deterministic candidate #{rank} must be a mapping"));
            continue;
        }
        if int(field(candidate, "rank"), -1) != rank {
            errors.push(format!("deterministic candidate #{rank} rank must equal {rank}"));
        }
        if field(candidate, "retrieval_path") != "deterministic_catalog_query" {
            errors.push(format!("deterministic candidate #{rank} retrieval_path must be deterministic_catalog_query"));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_object_breaks_all_that_must_be_said() {
        let wanted = [
            "type must be memory_evidence_query_result",
            "retrieval_contract_version must be memory_retrieval_v0_1",
            "retrieval_mode must be deterministic",
            "semantic_candidates must be an empty list",
            "invalid embedding_status: ''",
            "results must be a list",
            "deterministic_candidates must be a list",
            "result_count must equal len(results): result_count=-1, len(results)=0",
            "deterministic_candidate_count must equal len(deterministic_candidates): deterministic_candidate_count=-1, \
             len(deterministic_candidates)=0",
        ];
        assert_eq!(check(&json!({})), wanted);
        assert_eq!(check(&json!([1])), wanted, "a root that is no object is no result either");
    }

    #[test]
    fn candidates_are_ranked_from_one_by_the_one_path() {
        let result = json!({"deterministic_candidates": [7, {"rank": 1}, {"rank": "3", "retrieval_path": "deterministic_catalog_query"}]});
        let errors = check(&result);
        assert_eq!(
            errors[errors.len() - 3..],
            [
                "deterministic candidate #1 must be a mapping",
                "deterministic candidate #2 rank must equal 2",
                "deterministic candidate #2 retrieval_path must be deterministic_catalog_query"
            ]
        );
    }
}
