use super::approval::{Decision, approval};
use super::eligibility::eligibility;
use super::execution_result::execution_result;
use super::plan::plan;
use super::proposal::proposal;
use super::rendered::rendered;
use super::rendered_result::rendered_result;
use super::{Refusal, Stamp};
use crate::governance::terms::{RETRY, TIMED_OUT, command_template};
use crate::ledger::Record;
use serde_json::json;

fn stamp() -> Stamp<'static> {
    Stamp { source: "test", now: 1_700_000_000.0, id: None }
}

fn action() -> Record {
    Record::default()
        .with("recommendation", RETRY)
        .with("reason", TIMED_OUT)
        .with("timeout_profile", "standard")
        .with("command_template", command_template("standard"))
        .with("suggested_wait_seconds", 15.0)
}

fn proposed() -> Record {
    proposal(&action(), &stamp()).expect("a proposal")
}

fn approved() -> Record {
    approval(&proposed(), &Decision::by("op-ana"), &stamp()).expect("an approval")
}

fn planned() -> Record {
    plan(&proposed(), &approved(), &stamp()).expect("a plan")
}

fn command() -> Record {
    rendered(&planned(), "sc-1", "dir-2", &stamp()).expect("a command")
}

fn codes<T: std::fmt::Debug>(made: Result<T, Vec<Refusal>>) -> Vec<String> {
    let mut codes: Vec<_> = made.expect_err("it is refused").iter().map(|refusal| refusal.code().into_owned()).collect();
    codes.sort();
    codes
}

#[test]
fn ids_are_those_of_the_specification() {
    let result = rendered_result(&command(), &stamp()).expect("a result");
    let gate = eligibility(Some(&command()), Some(&result), &stamp()).expect("an eligibility");
    let made = [
        (proposed(), "proposal_id", "replay-retry-349f847a54dd6077"),
        (approved(), "approval_id", "replay-retry-approval-985fe41e02d50df3"),
        (planned(), "plan_id", "replay-retry-plan-6b52d41a0bfbb42a"),
        (command(), "rendered_command_id", "replay-retry-rendered-37e58f5e6f88d4bc"),
        (result, "rendered_command_result_id", "replay-retry-rendered-result-6aa35fe69fe5d0a4"),
        (gate, "eligibility_id", "replay-retry-eligibility-869ed2361edcee24"),
        (
            execution_result(&planned(), None, &stamp()).expect("a result"),
            "result_id",
            "replay-retry-result-replay-retry-plan-6b52d41a0bfbb42a",
        ),
    ];
    for (record, field, id) in made {
        assert_eq!(record.text(field), id);
        assert_eq!(record.verdict().reasons, Vec::<String>::new(), "{id}");
        assert_eq!(record.text("source"), "test");
    }
}

#[test]
fn given_ids_are_kept() {
    let given = Stamp { id: Some(" mine "), ..stamp() };
    assert_eq!(proposal(&action(), &given).expect("a proposal").text("proposal_id"), "mine");
}

#[test]
fn a_proposal_needs_an_action_that_asks_for_a_retry() {
    assert_eq!(codes(proposal(&action().with("recommendation", "review_replay_lifecycle_timeouts"), &stamp())), ["not_a_retry_action"]);
    for field in ["reason", "timeout_profile", "command_template"] {
        assert_eq!(codes(proposal(&action().with(field, " "), &stamp())), [format!("missing_{field}")]);
    }
    assert_eq!(codes(proposal(&action().with("timeout_profile", "fast"), &stamp())), ["invalid_timeout_profile"]);
}

#[test]
fn an_approval_says_all_that_is_wrong() {
    let ok = Decision::by("op-ana");
    let refused = |proposal: &Record, decision: &Decision<'_>| codes(approval(proposal, decision, &stamp()));
    assert_eq!(refused(&proposed().with("type", "note"), &ok), ["parent_of_wrong_type"]);
    assert_eq!(refused(&proposed().with("proposal_id", " "), &ok), ["missing_proposal_id"]);
    assert_eq!(refused(&proposed().with("proposal_id", serde_json::json!([1])), &ok), ["missing_proposal_id"]);
    assert_eq!(refused(&proposed(), &Decision { status: "maybe", ..ok }), ["invalid_approval_status"]);
    assert_eq!(refused(&proposed(), &Decision { approved_by: " ", ..ok }), ["missing_approved_by"]);
    assert_eq!(refused(&proposed(), &Decision { decision_mode: "auto", ..ok }), ["invalid_decision_mode"]);
    assert_eq!(refused(&proposed(), &Decision { execution_enabled: true, ..ok }), ["execution_enabled_before_runner"]);
    let all = Decision { status: "", approved_by: "", decision_mode: "", execution_enabled: true, ..ok };
    assert_eq!(refused(&proposed(), &all).len(), 4);
    assert!(approval(&proposed(), &Decision { status: "rejected", ..ok }, &stamp()).is_ok());
}

#[test]
fn a_plan_needs_what_was_approved() {
    let refused = |proposal: &Record, approval: &Record| codes(plan(proposal, approval, &stamp()));
    let (p, a) = (proposed(), approved());
    assert_eq!(refused(&p.clone().with("type", "note"), &a), ["parent_of_wrong_type"]);
    assert_eq!(refused(&p, &a.clone().with("type", "note")), ["parent_of_wrong_type"]);
    assert_eq!(refused(&p.clone().with("proposal_id", ""), &a.clone().with("proposal_id", "")), ["missing_proposal_id"]);
    assert_eq!(refused(&p, &a.clone().with("approval_id", "")), ["missing_approval_id"]);
    assert_eq!(refused(&p.clone().with("status", "closed"), &a), ["proposal_not_pending"]);
    assert_eq!(refused(&p, &a.clone().with("status", "rejected")), ["approval_not_approved"]);
    assert_eq!(refused(&p, &a.clone().with("proposal_id", "other")), ["approval_for_other_proposal"]);
    assert_eq!(refused(&p, &a.clone().with("execution_enabled", true)), ["execution_enabled_before_runner"]);
    assert_eq!(refused(&p, &a.clone().with("decision_mode", "auto")), ["invalid_decision_mode"]);
    let fast = a.clone().with("payload", json!({}));
    assert_eq!(refused(&p.clone().with("timeout_profile", "fast"), &fast), ["unsafe_timeout_profile"]);
    assert_eq!(refused(&p.clone().with("command_template", ""), &fast), ["missing_command_template"]);
    assert_eq!(refused(&p.clone().with("timeout_profile", "patient"), &a), ["approval_timeout_profile_differs"]);
    assert_eq!(refused(&p.with("command_template", command_template("patient")), &a), ["approval_command_template_differs"]);
}

#[test]
fn a_command_is_rendered_from_clean_tokens_only() {
    let with = |plan: &Record, scenario: &str, directive: &str| rendered(plan, scenario, directive, &stamp());
    let p = planned();
    assert_eq!(codes(with(&p.clone().with("type", "note"), "s", "d")), ["parent_of_wrong_type"]);
    for field in ["plan_id", "proposal_id", "approval_id"] {
        assert_eq!(codes(with(&p.clone().with(field, ""), "s", "d")), [format!("missing_{field}")]);
    }
    assert_eq!(codes(with(&p.clone().with("status", "done"), "s", "d")), ["plan_not_planned"]);
    assert_eq!(codes(with(&p.clone().with("execution_enabled", "false"), "s", "d")), ["execution_enabled_before_runner"]);
    assert_eq!(codes(with(&p.clone().with("timeout_profile", "fast"), "s", "d")), ["unsafe_timeout_profile"]);
    assert_eq!(codes(with(&p.clone().with("decision_mode", ""), "s", "d")), ["invalid_decision_mode"]);
    let template = |from: &str, to: &str| p.clone().with("command_template", command_template("standard").replace(from, to));
    assert_eq!(codes(with(&template("<scenario_id>", "s"), "s", "d")), ["template_without_scenario_id"]);
    assert_eq!(codes(with(&template("<new_directive_id>", "d"), "s", "d")), ["template_without_new_directive_id"]);
    assert_eq!(codes(with(&p, " ", "d")), ["missing_scenario_id", "unsafe_scenario_id"]);
    for token in ["a;b", "a&b", "a&&b", "a|b", "a>b", "a<b", "a`b", "a$b", "a\nb", "a\rb", "a\tb", "a b", "-a", "a\u{a0}b", "a\u{1b}b"] {
        assert_eq!(codes(with(&p, token, "d")), ["unsafe_scenario_id"], "{token:?}");
        assert_eq!(codes(with(&p, "s", token)), ["unsafe_new_directive_id"], "{token:?}");
    }
    assert_eq!(codes(with(&p, "", "d")), ["missing_scenario_id"]);
    // Quotes and backslashes are no shell syntax of their own, but would change what the command says.
    assert_eq!(codes(with(&p, "'", "d")), ["rendered_command_parse_failed"]);
    assert_eq!(codes(with(&p, "a\\b", "d")), ["scenario_id_changed_by_rendering"]);
    assert_eq!(codes(with(&p, "s", "'d'")), ["new_directive_id_changed_by_rendering"]);
    assert!(codes(with(&p, "'", "'")).contains(&"missing_rendered_command_directive_id".to_owned()));
    // The text must pass the checks of a command's text.
    assert_eq!(codes(with(&template("python -m", "python -c"), "s", "d")), ["invalid_rendered_command_module"]);
    assert_eq!(codes(with(&template("standard", "patient"), "s", "d")), ["rendered_command_timeout_profile_mismatch"]);
    assert_eq!(codes(with(&template(" --db-path", " ; --db-path"), "s", "d")), ["rendered_command_contains_unsafe_shell_syntax"]);
}

#[test]
fn results_are_skipped_or_rejected_and_never_executed() {
    let r = command();
    for field in ["rendered_command_id", "plan_id", "command"] {
        assert_eq!(codes(rendered_result(&r.clone().with(field, ""), &stamp())), [format!("missing_{field}")]);
    }
    assert_eq!(codes(rendered_result(&planned(), &stamp()))[0], "missing_command");
    let outcome = |record: &Record| (record.text("status"), record.text("reason"), record.is_set("executed"), record.verdict().valid);
    let said = |status: &str, reason: &str| (status.to_owned(), reason.to_owned(), false, true);
    let enabled = r.clone().with("execution_enabled", true);
    assert_eq!(outcome(&rendered_result(&r, &stamp()).expect("a result")), said("skipped", "execution_disabled"));
    assert_eq!(outcome(&rendered_result(&enabled, &stamp()).expect("a result")), said("rejected", "execution_not_supported"));
    let enabled = planned().with("execution_enabled", true);
    assert_eq!(outcome(&execution_result(&planned(), None, &stamp()).expect("a result")), said("skipped", "execution_disabled"));
    assert_eq!(outcome(&execution_result(&enabled, None, &stamp()).expect("a result")), said("rejected", "execution_not_supported"));
    assert_eq!(codes(execution_result(&planned().with("plan_id", ""), None, &stamp())), ["missing_plan_id"]);
    assert_eq!(codes(execution_result(&proposed(), None, &stamp())), ["missing_plan_id", "parent_of_wrong_type"]);
}

#[test]
fn an_eligibility_is_blocked_in_every_situation() {
    let (r, enabled) = (command(), command().with("execution_enabled", true));
    let result = rendered_result(&r, &stamp()).expect("a result");
    let executed = result.clone().with("executed", true);
    let situations = [
        (None, None, "missing_rendered_command"),
        (Some(&r), None, "missing_rendered_command_result"),
        (Some(&r), Some(&executed), "execution_not_supported"),
        (Some(&r), Some(&result), "execution_disabled"),
        (Some(&enabled), Some(&result), "execution_not_supported"),
    ];
    for (rendered, result, reason) in situations {
        let gate = eligibility(rendered, result, &stamp()).expect("an eligibility");
        assert_eq!((gate.text("status"), gate.text("reason")), ("blocked".to_owned(), reason.to_owned()));
        assert!(gate.verdict().valid);
        for flag in ["execution_supported", "execution_enabled", "executed"] {
            assert!(!gate.is_set(flag) && !gate.is_set(&format!("payload.{flag}")), "{flag}");
        }
    }
    let alone = eligibility(None, None, &stamp()).expect("an eligibility");
    assert_eq!((alone.text("timeout_profile"), alone.text("decision_mode")), ("unknown".to_owned(), "unknown".to_owned()));
    assert_eq!(alone.text("plan_id"), "");
    assert_eq!(codes(eligibility(Some(&proposed()), None, &stamp())), ["parent_of_wrong_type"]);
    assert_eq!(codes(eligibility(Some(&r), Some(&r), &stamp())), ["parent_of_wrong_type"]);
}
