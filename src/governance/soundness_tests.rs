use super::*;
use crate::contract::trail::Filters;
use crate::governance::build::approval::{Decision, approval};
use crate::governance::build::{Stamp, plan::plan};
use crate::governance::fixture::{chain, of_type};
use crate::governance::scan::Scanned;
use crate::governance::terms::{ELIGIBILITY, PLAN, PROPOSAL, RENDERED, RENDERED_RESULT, RESULT};
use crate::json::parse;
use crate::ledger::Record;

fn judged_with(records: &[Record], filters: &Filters<'_>) -> Soundness {
    let mut chain = Chain::default();
    for record in records {
        let text = record.to_line();
        let value = parse(text.as_bytes()).expect("our own text reads");
        chain.add(&Scanned::of(&value).expect("a governance record"), filters.match_record(&value));
    }
    chain.finish()
}

fn faults(records: &[Record]) -> Vec<(&'static str, String)> {
    let found = judged_with(records, &Filters::default());
    assert_eq!(found.is_sound(), found.reasons.is_empty());
    found.reasons.iter().map(|unsound| (unsound.reason.as_str(), unsound.record_id.clone())).collect()
}

/// The faults of a sound chain that was broken in one way.
fn broken(how: impl FnOnce(&mut Vec<Record>)) -> Vec<(&'static str, String)> {
    let mut records = chain("seed");
    assert_eq!(faults(&records), [], "it is sound before it is broken");
    how(&mut records);
    faults(&records)
}

fn one(reason: &'static str, id: &str) -> Vec<(&'static str, String)> {
    vec![(reason, format!("replay-retry-seed-{id}-1"))]
}

#[test]
fn a_whole_chain_and_the_beginning_of_one_are_sound() {
    for length in 1..=7 {
        assert_eq!(faults(&chain("seed")[..length]), [], "{length}");
    }
    let two: Vec<_> = chain("seed").into_iter().chain(chain("other")).collect();
    assert_eq!(faults(&two), []);
}

#[test]
fn no_record_is_no_sound_chain() {
    assert_eq!(faults(&[]), [("chain_empty", String::new())]);
    let filters = Filters { proposal_id: Some("none"), ..Filters::default() };
    assert_eq!(judged_with(&chain("seed"), &filters).counts.of("chain_empty"), 1);
    let mut unread = Chain::default();
    unread.unreadable(2);
    assert_eq!(unread.finish().counts.of("record_unreadable"), 1);
}

#[test]
fn an_invalid_record_is_named_with_its_reasons() {
    let found = broken(|records| of_type(records, RENDERED).set("executed", true));
    assert_eq!(found, one("record_invalid", "rendered-command"));
    let mut records = chain("seed");
    of_type(&mut records, RENDERED).set("executed", true);
    let soundness = judged_with(&records, &Filters::default());
    assert_eq!(soundness.reasons[0].about, ["rendered_command_executed_before_runner"]);
}

#[test]
fn a_parent_must_be_there() {
    let found = broken(|records| records.retain(|record| record.record_type() != PROPOSAL));
    assert!(found.iter().all(|(reason, _)| *reason == "parent_missing"), "{found:?}");
    assert_eq!(found.len(), 6, "every later stage names its proposal");
    let found = broken(|records| {
        set_both(of_type(records, RESULT), "rendered_command_id", "gone");
    });
    assert_eq!(found, one("parent_missing", "result"));
}

#[test]
fn a_parent_must_be_of_its_type() {
    let found = broken(|records| set_both(of_type(records, RESULT), "rendered_command_id", "replay-retry-seed-approval-1"));
    assert_eq!(found, one("parent_of_other_type", "result"));
}

#[test]
fn a_parent_must_be_in_this_chain() {
    let found = broken(|records| {
        let mut others = chain("other");
        others.append(records);
        *records = others;
        let ours = records.iter_mut().rfind(|record| record.record_type() == RESULT).expect("the chain has it");
        set_both(ours, "rendered_command_id", "replay-retry-other-rendered-command-1");
    });
    assert_eq!(found, one("parent_of_other_chain", "result"));
}

#[test]
fn a_child_may_not_stand_before_its_parent() {
    let found = broken(|records| {
        let approval = records.remove(1);
        records.insert(2, approval);
    });
    assert_eq!(found, one("child_before_parent", "plan"));
}

#[test]
fn one_parent_has_one_record_of_a_stage() {
    let found = broken(|records| {
        let mut second = of_type(records, ELIGIBILITY).clone();
        second.set("eligibility_id", "second");
        records.push(second);
    });
    assert_eq!(found, [("stage_duplicated", "second".to_owned())]);
}

#[test]
fn the_same_id_stands_once() {
    let found = broken(|records| {
        let mut again = of_type(records, PROPOSAL).clone();
        again.set("gid", "another-entry");
        again.set("created_at", 1.0);
        records.push(again);
    });
    assert_eq!(found, one("record_repeated", "proposal"));
    let found = broken(|records| {
        let mut other = of_type(records, PROPOSAL).clone();
        other.set("source", "somebody else");
        records.push(other);
    });
    assert_eq!(found, one("id_reused", "proposal"));
}

#[test]
fn the_approval_must_approve() {
    let found = broken(|records| {
        of_type(records, APPROVAL).set("status", "rejected");
        set_copy(of_type(records, APPROVAL), "approval_status", "rejected");
    });
    assert_eq!(found, one("approval_not_approved", "approval"));
}

#[test]
fn nothing_is_approved_and_rejected_at_once() {
    let found = broken(|records| {
        let decision = Decision { status: "rejected", ..Decision::by("somebody") };
        let stamp = Stamp { source: "test", now: 9.0, id: Some("second") };
        let second = approval(of_type(records, PROPOSAL), &decision, &stamp).expect("a rejection");
        records.push(second);
    });
    let approval = "replay-retry-seed-approval-1".to_owned();
    let second = || "second".to_owned();
    // It is a second decision of one proposal, too.
    assert_eq!(found, [("approved_and_rejected", approval), ("stage_duplicated", second()), ("approved_and_rejected", second())]);
}

#[test]
fn a_filter_by_plan_does_not_hide_what_the_plan_rests_on() {
    let mut records = chain("seed");
    of_type(&mut records, APPROVAL).set("status", "rejected");
    let filters = Filters { plan_id: Some("replay-retry-seed-plan-1"), ..Filters::default() };
    assert_eq!(judged_with(&records, &filters).counts.of("approval_not_approved"), 1);
    assert!(judged_with(&chain("seed"), &filters).is_sound());
    // Another proposal's faults are not this chain's.
    let mut both = chain("other");
    of_type(&mut both, RENDERED_RESULT).set("status", "ran");
    both.extend(chain("seed"));
    let ours = Filters { proposal_id: Some("replay-retry-seed-proposal-1"), ..Filters::default() };
    assert!(judged_with(&both, &ours).is_sound());
    assert!(!judged_with(&both, &Filters::default()).is_sound());
}

#[test]
fn hostile_numbers_of_records_are_judged_in_linear_time_and_listed_up_to_a_limit() {
    let mut records = chain("seed");
    let stamp = Stamp { source: "test", now: 9.0, id: Some("same") };
    let second = plan(&records[0], &records[1], &stamp).expect("a plan");
    records.extend(std::iter::repeat_n(second, 3000));
    let found = judged_with(&records, &Filters::default());
    assert_eq!(found.counts.of("record_repeated"), 2999);
    assert_eq!(found.counts.of("stage_duplicated"), 3000);
    assert_eq!(found.reasons.len(), LISTED);
}

fn gathered(records: &[Record]) -> Chain {
    let mut gathered = Chain::default();
    for record in records {
        let text = record.to_line();
        let value = parse(text.as_bytes()).expect("our own text reads");
        gathered.add(&Scanned::of(&value).expect("a governance record"), true);
    }
    gathered
}

#[test]
fn what_is_repeated_is_kept_once() {
    let mut records = chain("seed");
    for entry in 0..100 {
        let mut again = chain("seed");
        again.iter_mut().for_each(|record| record.set("gid", format!("entry {entry}")));
        records.extend(again);
    }
    let gathered = gathered(&records);
    assert_eq!((gathered.order.len(), gathered.nodes.len()), (707, 7));
    assert_eq!(gathered.finish().counts.of("record_repeated"), 700);
}

#[test]
fn a_long_id_is_told_whole() {
    let long = "x".repeat(10_000);
    let mut records = chain("seed");
    set_both(of_type(&mut records, RESULT), "result_id", long.as_str());
    set_both(of_type(&mut records, PLAN), "plan_id", format!("{long}y"));
    let gathered = gathered(&records);
    assert_eq!(gathered.ids()[6].first(), Some(&long));
    let found = gathered.finish();
    let of_result: Vec<_> = found.reasons.iter().filter(|unsound| unsound.record_type == RESULT).collect();
    assert!(!of_result.is_empty() && of_result.iter().all(|unsound| unsound.record_id == long));
    // Two that differ at their end only are two.
    assert!(found.counts.of("parent_missing") > 0, "{:?}", found.counts);
}

/// Sets a field at the top and in the payload.
fn set_both(record: &mut Record, field: &str, value: impl Into<serde_json::Value>) {
    let value = value.into();
    set_copy(record, field, value.clone());
    record.set(field, value);
}

fn set_copy(record: &mut Record, field: &str, value: impl Into<serde_json::Value>) {
    let mut payload = record.get("payload").cloned().expect("the builders write one");
    payload[field] = value.into();
    record.set("payload", payload);
}

/// The reasons, with what they are about, of a sound chain that was broken in one way.
fn about(how: impl FnOnce(&mut Vec<Record>)) -> Vec<(&'static str, String)> {
    let mut records = chain("seed");
    how(&mut records);
    let found = judged_with(&records, &Filters::default());
    found.reasons.iter().map(|unsound| (unsound.reason.as_str(), format!("{}:{}", unsound.record_type, unsound.about.join(",")))).collect()
}

#[test]
fn what_was_approved_is_what_is_planned_rendered_and_answered() {
    let differs = |record_type: &str, field: &str| ("terms_differ", format!("{record_type}:{field}"));
    let template = |profile: &str| crate::governance::terms::command_template(profile);
    let found = about(|records| set_copy(of_type(records, APPROVAL), "command_template", template("standard").replace("REDUCE", "ADD")));
    // The plan has what was proposed, not what was approved.
    assert_eq!(found, [differs(APPROVAL, "command_template"), differs(PLAN, "command_template")]);
    let found = about(|records| set_copy(of_type(records, APPROVAL), "timeout_profile", "patient"));
    assert_eq!(found, [differs(APPROVAL, "timeout_profile"), differs(PLAN, "timeout_profile")]);
    let found = about(|records| set_both(of_type(records, PLAN), "decision_mode", "policy"));
    assert_eq!(found[0], differs(PLAN, "decision_mode"));
    assert!(found.contains(&differs(RENDERED, "decision_mode")), "{found:?}");
    let found = about(|records| {
        let other = of_type(records, PLAN).text("command_template").replace("REDUCE_RISK", "OBSERVE");
        set_both(of_type(records, PLAN), "command_template", other);
    });
    assert!(found.iter().any(|(_, said)| *said == format!("{PLAN}:command_template")), "{found:?}");
    assert!(found.contains(&differs(RENDERED, "command_template,command")), "{found:?}");
    let found = about(|records| {
        for record_type in [RENDERED, RENDERED_RESULT, ELIGIBILITY] {
            let other = of_type(records, record_type).text("command").replace("REDUCE_RISK", "OBSERVE");
            set_both(of_type(records, record_type), "command", other);
        }
    });
    assert_eq!(found, [differs(RENDERED, "command")]);
    for field in ["scenario_id", "new_directive_id"] {
        let found = about(|records| set_both(of_type(records, RENDERED), field, "another"));
        assert_eq!(found, [differs(RENDERED, "command")], "{field}");
    }
    for record_type in [RENDERED_RESULT, ELIGIBILITY] {
        let found = about(|records| set_both(of_type(records, record_type), "command", "rm -rf /"));
        assert_eq!(found, [differs(record_type, "command")]);
        let found = about(|records| set_both(of_type(records, record_type), "timeout_profile", "patient"));
        assert_eq!(found, [differs(record_type, "timeout_profile")]);
    }
    // A result says whether what it answers was to run; over a disabled command or plan nothing was.
    for record_type in [RENDERED_RESULT, RESULT] {
        let found = about(|records| {
            let result = of_type(records, record_type);
            set_both(result, "execution_enabled", true);
            result.set("status", "rejected");
            result.set("reason", "execution_not_supported");
        });
        assert_eq!(found, [differs(record_type, "execution_enabled")]);
    }
}

#[test]
fn a_payload_repeats_its_record() {
    let differs = |record_type: &str, field: &str| ("copy_differs", format!("{record_type}:{field}"));
    let found = about(|records| set_copy(of_type(records, APPROVAL), "approval_status", "rejected"));
    assert_eq!(found, [differs(APPROVAL, "approval_status")]);
    for (record_type, field) in
        [(RENDERED, "proposal_id"), (RENDERED, "approval_id"), (RENDERED_RESULT, "proposal_id"), (RESULT, "approval_id")]
    {
        let found = about(|records| set_copy(of_type(records, record_type), field, "another"));
        assert_eq!(found, [differs(record_type, field)]);
    }
    let found = about(|records| {
        let result = of_type(records, RESULT);
        result.set("approval_id", "");
        set_copy(result, "approval_id", "another");
    });
    assert!(found.contains(&differs(RESULT, "approval_id")), "{found:?}");
}

#[test]
fn an_eligibility_misses_what_is_missing_and_names_what_it_is_about() {
    let says = |records: &mut Vec<Record>, reason: &str, without: &[&str]| {
        let eligibility = of_type(records, ELIGIBILITY);
        set_both(eligibility, "reason", reason);
        without.iter().for_each(|field| set_both(eligibility, field, ""));
    };
    let found = about(|records| says(records, "missing_rendered_command_result", &["approval_id"]));
    assert_eq!(found, [("not_missing", format!("{ELIGIBILITY}:{RENDERED_RESULT}"))]);
    let found = about(|records| says(records, "missing_rendered_command", &["rendered_command_id"]));
    assert_eq!(found, [("not_missing", format!("{ELIGIBILITY}:{RENDERED}"))]);
    let all = ["rendered_command_id", "plan_id", "proposal_id", "approval_id"];
    let found = about(|records| says(records, "missing_rendered_command", &all));
    assert_eq!(found, [("eligibility_orphaned", format!("{ELIGIBILITY}:"))]);
    // What came later was missing then.
    let found = about(|records| {
        says(records, "missing_rendered_command_result", &[]);
        records.retain(|record| record.record_type() != RENDERED_RESULT);
    });
    assert_eq!(found, []);
}

#[test]
fn a_list_is_no_id() {
    let found = about(|records| {
        for record in records.iter_mut().filter(|record| !record.text("plan_id").is_empty()) {
            set_both(record, "plan_id", serde_json::json!([1]));
        }
    });
    assert!(!found.is_empty() && found.iter().all(|(reason, said)| *reason == "id_unreadable" && said.ends_with(":plan_id")), "{found:?}");
}
