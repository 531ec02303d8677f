//! The contract of a source-planned loop: yields, known rate limits, template telemetry, audit, artifact.

use super::artifact_contract;
use super::safety::{FLAGS, flags_set, is_set};
use super::value::{field, int, list, map, quoted, shown, truthy};
use crate::json::Value;
use crate::ledger::record::owned;
use serde_json::Value as Json;

/// What a loop result must have in evidence targets, findings and memory records.
const MINIMUM: i128 = 5;
/// What a loop result must have in published targets.
const TARGET_MINIMUM: i128 = 20;
/// Why a source may hold us off. These are telemetry, and never an error.
const RATE_LIMITS: [&str; 4] = ["robots_disallowed", "domain_window_rate_limited", "http_429", "policy_blocked"];
const SEEN: &str = "safe_public_search_templates_seen";
const SELECTED: &str = "safe_public_search_templates_selected";
const FETCHED: &str = "safe_public_search_templates_fetched";
const BLOCKED: &str = "safe_public_search_templates_blocked";
const UNSAFE: &str = "unsafe_public_search_templates_detected";

/// What is wrong with a loop result, in order; empty when it keeps its contract. Rate limits are
/// reported in the order of the text, so it is the text's own value that is checked.
pub(crate) fn check(result: &Value<'_>) -> Vec<String> {
    let ordered_ticks = ticks_of(result.get("ticks"), result.get("tick_results"));
    let json = owned(result);
    let mut errors = Vec::new();
    let ticks_said = json.get("ticks");
    let ticks: Vec<&Json> = list(ticks_said.filter(|ticks| ticks.is_array()).unwrap_or(field(&json, "tick_results")))
        .iter()
        .filter(|tick| tick.is_object())
        .collect();
    check_head(&json, ticks_said, &mut errors);
    check_flags(&json, &ticks, &mut errors);
    let is_node = |node: &&Json| node.is_object() && truthy(node);
    let last_node = || ticks.iter().rev().map(|tick| field(tick, "node")).find(is_node);
    let node = Some(field(&json, "node")).filter(is_node).or_else(last_node);
    check_yields(&json, &ticks, node, &mut errors);
    check_rate_limits(result.get("node"), &ordered_ticks, &mut errors);
    if let Some(node) = node {
        check_templates(node, &mut errors);
    }
    check_audit(&json, map(node.unwrap_or(&Json::Null)), &mut errors);
    artifact_contract::check(&json, &mut errors);
    errors
}

fn ticks_of<'v, 'a>(ticks: Option<&'v Value<'a>>, results: Option<&'v Value<'a>>) -> Vec<&'v Value<'a>> {
    let listed = ticks.and_then(Value::elements).or_else(|| results.and_then(Value::elements)).unwrap_or_default();
    listed.iter().filter(|tick| tick.is_object()).collect()
}

fn check_head(result: &Json, ticks: Option<&Json>, errors: &mut Vec<String>) {
    let said = |name: &str| field(result, name);
    if said("type") != "explorer_network_read_loop_result" {
        errors.push(format!("unexpected result type: {}, expected 'explorer_network_read_loop_result'", quoted(said("type"))));
    }
    let status = said("status");
    if truthy(status) && status != "completed" && status != "ok" {
        errors.push(format!("unexpected result status: {}", quoted(status)));
    }
    let (completed, requested) = (said("ticks_completed"), said("ticks_requested"));
    if !completed.is_null() && !requested.is_null() && int(completed, -1) != int(requested, -1) {
        let (completed, requested) = (shown(completed), shown(requested));
        errors.push(format!("ticks_completed must equal ticks_requested (completed={completed}, requested={requested})"));
    }
    if ticks.is_some_and(|ticks| !list(ticks).iter().any(Json::is_object)) {
        errors.push("ticks array is present but empty or malformed".to_owned());
    }
}

fn check_flags(result: &Json, ticks: &[&Json], errors: &mut Vec<String>) {
    errors.extend(flags_set(result).map(|flag| format!("unsafe top-level flag is true: {flag}")));
    for (tick, number) in ticks.iter().zip(1..) {
        errors.extend(flags_set(tick).map(|flag| format!("unsafe tick {number} flag is true: {flag}")));
        let node = field(tick, "node");
        let of_node = FLAGS.into_iter().take(2).filter(|flag| is_set(field(node, flag)));
        errors.extend(of_node.map(|flag| format!("unsafe tick {number} node flag is true: {flag}")));
    }
}

fn check_yields(result: &Json, ticks: &[&Json], node: Option<&Json>, errors: &mut Vec<String>) {
    for (what, name, minimum) in [
        ("memory evidence", "memory_records_published", MINIMUM),
        ("target publication", "targets_published", TARGET_MINIMUM),
        ("finding", "findings_emitted", MINIMUM),
    ] {
        let total = match result.get(format!("total_{name}")) {
            Some(total) => int(total, 0),
            None => ticks.iter().map(|tick| int(field(tick, name), 0)).fold(0, i128::saturating_add),
        };
        if total < minimum {
            errors.push(format!("insufficient {what} yield: total_{name}={total}, minimum={minimum}"));
        }
    }
    let Some(node) = node else {
        errors.push("missing node result for evidence target counters".to_owned());
        return;
    };
    let counters = ["seen", "selected"].map(|stage| (stage, field(node, &format!("source_adapter_targets_{stage}")).get("evidence")));
    for (stage, count) in counters {
        if count.is_none() {
            errors.push(format!("missing node.source_adapter_targets_{stage}.evidence"));
        }
    }
    let [seen, selected] = counters.map(|(stage, count)| {
        let count = count.map_or(0, |count| int(count, 0));
        if count < MINIMUM {
            errors.push(format!("insufficient evidence targets {stage}: {stage}={count}, minimum={MINIMUM}"));
        }
        count
    });
    if seen < selected {
        errors.push(format!("evidence targets seen must be >= selected (seen={seen}, selected={selected})"));
    }
}

fn check_rate_limits(node: Option<&Value<'_>>, ticks: &[&Value<'_>], errors: &mut Vec<String>) {
    let nodes = node.into_iter().chain(ticks.iter().filter_map(|tick| tick.get("node"))).filter(|node| node.is_object());
    for (node, index) in nodes.zip(1..) {
        for (key, _) in node.get("source_adapter_rate_limits").map(Value::members).unwrap_or_default() {
            let reason = key.rsplit(':').next().unwrap_or(key);
            if !RATE_LIMITS.contains(&reason) {
                errors.push(format!(
                    "unsafe or unknown source adapter rate-limit reason: node_index={index}, key='{key}', reason='{reason}'"
                ));
            }
        }
    }
}

fn check_templates(node: &Json, errors: &mut Vec<String>) {
    if ![SEEN, SELECTED, FETCHED, BLOCKED, UNSAFE].iter().any(|name| node.get(name).is_some()) {
        return;
    }
    let count = |name| int(field(node, name), 0);
    if count(UNSAFE) != 0 {
        errors.push(format!("unsafe public search templates detected: {UNSAFE}={}", count(UNSAFE)));
    }
    if count(SEEN) <= 0 {
        errors.push("safe public search template telemetry is present but no templates were seen".to_owned());
    }
    for ((less, of_less), (more, of_more)) in [
        (("selected", SELECTED), ("seen", SEEN)),
        (("fetched", FETCHED), ("selected", SELECTED)),
        (("blocked", BLOCKED), ("fetched", FETCHED)),
    ] {
        let (of_less, of_more) = (count(of_less), count(of_more));
        if of_less > of_more {
            errors.push(format!("safe public search templates {less} must be <= {more} ({less}={of_less}, {more}={of_more})"));
        }
    }
}

fn check_audit(result: &Json, node: &Json, errors: &mut Vec<String>) {
    const NAME: &str = "safe_public_search_template_audit";
    let audit =
        [field(result, NAME), field(field(result, "source_plan_audit"), NAME)].into_iter().find(|audit| audit.is_object() && truthy(audit));
    let Some(audit) = audit else { return };
    if field(audit, "type") != NAME {
        errors.push(format!("safe public search template audit has invalid type: {}", quoted(field(audit, "type"))));
    }
    errors.extend(flags_set(audit).map(|flag| format!("safe public search template audit has unsafe flag true: {flag}")));
    let count = |name: &str| int(field(audit, name), 0);
    for name in ["generated_count", "accepted_count", "rejected_count", "unsafe_rejected_count", "deduped_count"] {
        if count(name) < 0 {
            errors.push(format!("safe public search audit {name} must be >= 0"));
        }
    }
    let (accepted, generated) = (count("accepted_count"), count("generated_count"));
    if generated != 0 && accepted > generated {
        errors.push(format!(
            "safe public search audit accepted_count must be <= generated_count (accepted_count={accepted}, generated_count={generated})"
        ));
    }
    let at_runtime = |name| int(field(node, name), 0);
    if at_runtime(UNSAFE) != 0 {
        errors.push(format!("unsafe public search templates detected at runtime: {UNSAFE}={}", at_runtime(UNSAFE)));
    }
    let searched = int(field(field(node, "source_adapter_targets_seen"), "search"), 0);
    if (at_runtime(SEEN) > 0 || searched > 0) && accepted <= 0 {
        errors.push("safe public search audit accepted_count must be > 0 when runtime search template telemetry is present".to_owned());
    }
    if accepted > 0 {
        for name in ["by_site", "by_kind"] {
            if !field(audit, name).is_object() {
                errors.push(format!("safe public search audit {name} must be a mapping"));
            }
        }
        if !field(audit, "queries").is_array() {
            errors.push("safe public search audit queries must be a list".to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn errors(text: &str) -> Vec<String> {
        check(&parse(text.as_bytes()).expect("the test's text is JSON"))
    }

    const YIELDS: &str = r#""type": "explorer_network_read_loop_result", "total_memory_records_published": 5, "total_targets_published": 20,
        "total_findings_emitted": 5, "memory_replay_artifact": {"type": "explorer_memory_replay_artifact", "record_count": 1,
        "available_record_count": 1, "records": [{"type": "memory_record", "record_kind": "explorer_useful_evidence", "url": "u",
        "content_hash": "h", "content_preview": "p", "embedding_status": "failed", "embedding_dim": 0}]}"#;
    const COUNTS: &str = r#""source_adapter_targets_seen": {"evidence": 5}, "source_adapter_targets_selected": {"evidence": 5}"#;

    #[test]
    fn the_last_node_of_the_ticks_stands_in_for_a_missing_one() {
        assert_eq!(errors(&format!(r#"{{{YIELDS}, "ticks": [{{"node": {{{COUNTS}}}}}, {{"node": {{}}}}, 7]}}"#)), [""; 0]);
        assert_eq!(errors(&format!(r#"{{{YIELDS}}}"#)), ["missing node result for evidence target counters"]);
    }

    #[test]
    fn rate_limits_are_reported_in_the_order_of_the_text() {
        let limits = r#""source_adapter_rate_limits": {"z:y:captcha": 1, "a": 1, "x:http_429": 2}"#;
        assert_eq!(
            errors(&format!(r#"{{{YIELDS}, "node": {{{COUNTS}, {limits}}}, "ticks": []}}"#)),
            [
                "ticks array is present but empty or malformed",
                "unsafe or unknown source adapter rate-limit reason: node_index=1, key='z:y:captcha', reason='captcha'",
                "unsafe or unknown source adapter rate-limit reason: node_index=1, key='a', reason='a'"
            ]
        );
    }

    #[test]
    fn flags_of_ticks_and_their_nodes_are_named_by_their_number() {
        let ticks = r#""tick_results": [7, {}, {"real_execution_enabled": "no", "node": {"external_write_performed": 1, "production_paths_mutated": 1}}]"#;
        assert_eq!(
            errors(&format!(r#"{{{YIELDS}, "node": {{{COUNTS}}}, {ticks}}}"#)),
            ["unsafe tick 2 flag is true: real_execution_enabled", "unsafe tick 2 node flag is true: external_write_performed"]
        );
    }

    #[test]
    fn each_stage_of_a_template_is_within_the_one_before() {
        let node = format!(r#"{COUNTS}, "{SELECTED}": 2, "{FETCHED}": 3, "{BLOCKED}": 4, "{UNSAFE}": 1"#);
        let audit = r#""source_plan_audit": {"safe_public_search_template_audit": {"accepted_count": 1}}"#;
        assert_eq!(
            errors(&format!(r#"{{{YIELDS}, "node": {{{node}}}, {audit}}}"#)),
            [
                "unsafe public search templates detected: unsafe_public_search_templates_detected=1",
                "safe public search template telemetry is present but no templates were seen",
                "safe public search templates selected must be <= seen (selected=2, seen=0)",
                "safe public search templates fetched must be <= selected (fetched=3, selected=2)",
                "safe public search templates blocked must be <= fetched (blocked=4, fetched=3)",
                "safe public search template audit has invalid type: None",
                "unsafe public search templates detected at runtime: unsafe_public_search_templates_detected=1",
                "safe public search audit by_site must be a mapping",
                "safe public search audit by_kind must be a mapping",
                "safe public search audit queries must be a list"
            ]
        );
    }
}
