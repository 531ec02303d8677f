//! `check record`, `check command` and `check trail`: what the loop family answers.

use crate::landfall_binary::landfall;
use serde_json::{Value, json};

fn answer(kind: &str, input: &Value, code: i32) -> Value {
    let ran = landfall(&["check", kind]).input(input.to_string()).ends_with(code);
    serde_json::from_str(&ran.out).expect("an answer is one line of JSON")
}

#[test]
fn a_record_of_execution_tells_each_reason_once_and_sorted() {
    let record = json!({
        "type": "replay_lifecycle_retry_real_execution_capability_policy_matrix",
        "capabilities": [
            {"capability_id": "b", "production_paths_allowed": true},
            {"capability_id": "a", "production_paths_allowed": 0},
            {"capability_id": "a", "production_paths_allowed": "no"},
            {"capability_id": "two words", "production_paths_allowed": true},
        ],
    });
    let told = answer("record", &record, 1);
    let reasons: Vec<_> = told["reasons"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(reasons.is_sorted_by(|one, next| one < next), "{reasons:?}");
    let named: Vec<_> = reasons.iter().filter_map(|reason| reason.strip_prefix("capability_production_paths_allowed:")).collect();
    assert_eq!(named, ["a", "b", "unreadable"]);
    assert_eq!((&told["valid"], &told["severity"], &told["status"]), (&json!(false), &json!("critical"), &json!("blocked")));
}

#[test]
fn a_command_is_accepted_or_told_why_not() {
    let command = "python -m src.testing.run_replay_evidence_check --scenario-id s1 --directive-id d1 --timeout-profile patient";
    let told = answer("command", &json!({"command": command}), 0);
    assert_eq!((&told["allowlisted"], &told["parse_valid"], &told["reasons"]), (&json!(true), &json!(true), &json!([])));
    let told = answer("command", &json!({"command": format!("{command} | tee x")}), 1);
    let reasons = ["forbidden_token:|", "unexpected_positional:tee", "unexpected_positional:x", "unexpected_positional:|"];
    assert_eq!((&told["allowlisted"], &told["reasons"], &told["codes"]), (&json!(false), &json!(reasons), &json!(reasons)));
    assert_eq!(answer("command", &json!({}), 1)["reasons"], json!(["missing_command"]));
}

#[test]
fn a_trail_with_options_answers_whether_it_is_ready() {
    let trail = json!({"records": [{"type": "replay_lifecycle_retry_proposal"}], "options": {"require_operator_authorized": true}});
    let told = answer("trail", &trail, 1);
    assert_eq!((&told["status"], &told["ready_for_real_execution"]), (&json!("failed"), &json!(false)));
    assert_eq!(told["blocking_reasons"][0], "trail_chain_complete");
    assert_eq!(told["schema_validation"]["valid"], true);
    assert!(told["codes"].as_array().expect("a list").contains(&json!("operator_authorized")));
    assert_eq!(told["missing_stages"][0], "approval");
    let told = answer("trail", &json!({"records": []}), 1);
    assert_eq!((&told["status"], &told["codes"][0]), (&json!("blocked"), &json!("missing_approval")));
    assert_eq!(told["blocking_reasons"][0], "trail_chain_complete", "the report is there all the same");
    let attempt = json!({"records": [{"type": "execution_attempt", "execution_attempt_id": "a", "phase": "before"}]});
    assert!(answer("trail", &attempt, 1)["codes"].as_array().expect("a list").contains(&json!("execution_attempt_left_open")));
    let text = landfall(&["check", "trail", "--format", "text"]).input(trail.to_string()).ends_with(1).out;
    assert!(text.contains("blocking_reasons") && text.lines().count() < 20, "{text}");
}

#[test]
fn a_reason_of_execution_has_its_page() {
    let page = landfall(&["explain", "sandbox_workspace_created_must_be_false"]).ends_with(0).out;
    assert!(page.contains("replay_lifecycle_retry_real_execution_sandbox_workspace_plan_scaffold"), "{page}");
}
