//! The contract of a smoke result: flags, modes, and counters that agree with each other three times.

use super::safety::{flags_set, is_set};
use super::smoke::{COUNTERS, FLAT_COUNTERS, RATIOS, SUMMARY_COUNTERS, SUMMARY_RATIOS, counts_of, ratio};
use super::value::{field, float_text, int, num, shown};
use serde_json::{Value as Json, json};

/// How far a stored ratio may be from the one its counters give.
const TOLERANCE: f64 = 0.00001;

/// What is wrong with a smoke result, in order; empty when it keeps its contract.
pub(crate) fn check(result: &Json) -> Vec<String> {
    let mut errors = Vec::new();
    let said = |name: &str| field(result, name);
    if said("type") != "explorer_memory_replay_smoke_result" {
        errors.push("type must be explorer_memory_replay_smoke_result".to_owned());
    }
    if said("status") != "passed" {
        errors.push("status must be passed".to_owned());
    }
    for name in ["explorer_contract_ok", "memory_query_contract_ok"] {
        if *said(name) != Json::Bool(true) {
            errors.push(format!("{name} must be true"));
        }
    }
    if said("retrieval_mode") != "deterministic" {
        errors.push("retrieval_mode must be deterministic".to_owned());
    }
    for name in ["hybrid_retrieval_enabled", "semantic_retrieval_enabled"] {
        if is_set(said(name)) {
            errors.push(format!("{name} must be false"));
        }
    }
    if *said("semantic_candidates") != json!([]) {
        errors.push("semantic_candidates must be an empty list".to_owned());
    }
    errors.extend(flags_set(result).map(|flag| format!("{flag} must be false")));
    let replay_yield = said("memory_replay_yield");
    if !replay_yield.is_object() {
        errors.push("memory_replay_yield must be a mapping".to_owned());
        return errors;
    }
    check_yield(replay_yield, counts_of(result, FLAT_COUNTERS), &mut errors);
    check_summary(said("memory_replay_summary"), replay_yield, said("status"), &mut errors);
    errors
}

fn check_yield(replay_yield: &Json, flat: [i128; 6], errors: &mut Vec<String>) {
    let counts = COUNTERS.map(|name| int(field(replay_yield, name), -1));
    for (name, count) in COUNTERS.into_iter().zip(counts) {
        if count < 0 {
            errors.push(format!("memory_replay_yield.{name} must be >= 0"));
        }
    }
    for ((name, actual), expected) in COUNTERS.into_iter().zip(counts).zip(flat) {
        if actual != expected {
            errors.push(format!("memory_replay_yield.{name} must match summary counter: actual={actual}, expected={expected}"));
        }
    }
    if flat[2] < flat[1] {
        errors.push(format!("{} must be >= {}", FLAT_COUNTERS[2], FLAT_COUNTERS[1]));
    }
    for (less, more) in [(3, 1), (4, 3), (5, 4)] {
        if flat[less] > flat[more] {
            errors.push(format!("{} must be <= {}", FLAT_COUNTERS[less], FLAT_COUNTERS[more]));
        }
    }
    for (name, ..) in RATIOS {
        if !is_share(num(field(replay_yield, name), -1.0)) {
            errors.push(format!("memory_replay_yield.{name} must be between 0.0 and 1.0"));
        }
    }
    for (name, part, whole) in RATIOS {
        let (stored, expected) = (field(replay_yield, name), ratio(flat[part], flat[whole]));
        if (num(stored, -1.0) - expected).abs() > TOLERANCE {
            errors.push(format!("memory_replay_yield.{name} must equal {}: actual={}", float_text(expected), shown(stored)));
        }
    }
}

fn is_share(ratio: f64) -> bool {
    (0.0..=1.0).contains(&ratio)
}

fn check_summary(summary: &Json, replay_yield: &Json, status: &Json, errors: &mut Vec<String>) {
    if !summary.is_object() {
        errors.push("memory_replay_summary must be a mapping".to_owned());
        return;
    }
    if field(summary, "status") != status {
        errors.push("memory_replay_summary.status must match smoke status".to_owned());
    }
    for name in SUMMARY_COUNTERS {
        let (actual, expected) = (int(field(summary, name), -1), int(field(replay_yield, name), -1));
        if actual < 0 {
            errors.push(format!("memory_replay_summary.{name} must be >= 0"));
        }
        if actual != expected {
            errors
                .push(format!("memory_replay_summary.{name} must match memory_replay_yield.{name}: actual={actual}, expected={expected}"));
        }
    }
    for name in SUMMARY_RATIOS {
        let (actual, expected) = (num(field(summary, name), -1.0), num(field(replay_yield, name), -1.0));
        if !is_share(actual) {
            errors.push(format!("memory_replay_summary.{name} must be between 0.0 and 1.0"));
        }
        if (actual - expected).abs() > TOLERANCE {
            let (actual, expected) = (float_text(actual), float_text(expected));
            errors
                .push(format!("memory_replay_summary.{name} must match memory_replay_yield.{name}: actual={actual}, expected={expected}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::smoke::{summary_of, yield_of};
    use super::*;

    fn smoke() -> Json {
        let counts = [8, 7, 7, 7, 6, 3];
        let mut result = json!({
            "type": "explorer_memory_replay_smoke_result", "status": "passed", "explorer_contract_ok": true,
            "memory_query_contract_ok": true, "retrieval_mode": "deterministic", "semantic_candidates": [],
            "memory_replay_yield": yield_of(counts), "memory_replay_summary": summary_of(&yield_of(counts), "passed")
        });
        for (name, count) in FLAT_COUNTERS.into_iter().zip([8, 7, 7, 7, 6, 3]) {
            result[name] = count.into();
        }
        result
    }

    #[test]
    fn a_run_whose_counters_agree_is_fine() {
        assert_eq!(check(&smoke()), [""; 0]);
    }

    #[test]
    fn a_run_that_embeds_more_than_it_published_fails() {
        let mut result = smoke();
        result["total_memory_records_published"] = 6.into();
        let errors = check(&result);
        assert_eq!(errors[0], "memory_replay_yield.records_published must match summary counter: actual=8, expected=6");
        assert!(errors.contains(&"memory_replay_yield.artifact_capture_ratio must equal 1.1667: actual=0.875".to_owned()), "{errors:?}");
    }

    #[test]
    fn only_the_boolean_says_that_a_contract_was_kept() {
        let mut result = smoke();
        result["explorer_contract_ok"] = 1.into();
        result["semantic_candidates"] = Json::Null;
        result["memory_replay_summary"] = json!([]);
        assert_eq!(
            check(&result),
            ["explorer_contract_ok must be true", "semantic_candidates must be an empty list", "memory_replay_summary must be a mapping"]
        );
    }
}
