//! Broken records, made from valid ones: for every clause the smallest edit that violates it and no
//! other.
//!
//! [`broken_of`] is a pure function of a contract and valid records of its type. What it makes is seen
//! to be refused with exactly the reasons that the clause declares: its own, and those that it says come
//! `also`, by construction. A clause that no edit can violate alone is answered as such, never passed
//! over: either it declares too little, or another clause makes it idle, or the valid records are too few.

mod edit;
mod plans;

use super::check::{check_against, reason_of};
use super::condition::Condition;
use super::table::{Clause, Contract};
use crate::json::Value;
use edit::Edit;
use plans::{Plan, Planner};
use std::collections::BTreeSet;

/// A record broken in one clause.
#[derive(Debug, Clone)]
pub struct Broken<'r> {
    /// The clause's place in its contract.
    pub clause: usize,
    /// The clause's name, with a number from the second way to violate it on.
    pub name: String,
    /// The record.
    pub record: Value<'r>,
    /// Exactly the reasons it must get.
    pub expected: BTreeSet<String>,
    /// Whether it stays valid: a structured failure is listed but no fault.
    pub valid: bool,
    /// The number of edits it took.
    edits: usize,
}

/// What could be made of a contract.
#[derive(Debug, Clone, Default)]
pub struct BrokenRecords<'r> {
    /// The broken records, in clause order.
    pub records: Vec<Broken<'r>>,
    /// The places of the clauses for which none could be made.
    pub unbroken: Vec<usize>,
}

/// Records broken in one clause each, made from `valid` records of the contract's type.
pub fn broken_of<'r>(contract: &Contract, valid: &[&Value<'r>]) -> BrokenRecords<'r> {
    let planner = Planner::of(contract);
    let mut made = BrokenRecords::default();
    for (place, clause) in contract.clauses.iter().enumerate() {
        let before = made.records.len();
        for way in ways(clause) {
            let from_each = valid.iter().filter_map(|record| break_one(contract, &planner, (place, clause), &way, record));
            // The first of the smallest: the order of the valid records decides between equals.
            if let Some(mut broken) = from_each.min_by_key(|broken| broken.edits) {
                let number = made.records.len() - before + 1;
                broken.name = if number == 1 { clause.name().to_owned() } else { format!("{}.{number}", clause.name()) };
                made.records.push(broken);
            }
        }
        if made.records.len() == before {
            made.unbroken.push(place);
        }
    }
    made
}

/// A way to violate a clause: a condition to fulfil, and an edit on top.
struct Way<'c> {
    condition: &'c Condition,
    then: Option<Edit>,
}

/// Each way that a clause names: the arms of an alternative, and a reason that the record tells badly.
fn ways(clause: &Clause) -> Vec<Way<'_>> {
    let arms = match &clause.when {
        Condition::Any(parts) => parts.iter().collect(),
        whole => vec![whole],
    };
    let mut ways: Vec<_> = arms.into_iter().map(|condition| Way { condition, then: None }).collect();
    if let Some(field) = &clause.reason_from {
        ways.push(Way { condition: &clause.when, then: Some(Edit::text(field, "No reason at all")) });
    }
    ways
}

fn break_one<'r>(
    contract: &Contract,
    planner: &Planner<'_>,
    (place, clause): (usize, &Clause),
    way: &Way<'_>,
    valid: &Value<'r>,
) -> Option<Broken<'r>> {
    let mut plans: Vec<Plan> =
        planner.plans(way.condition, valid, true).into_iter().flat_map(|plan| with_twins(plan, planner, valid)).collect();
    plans.sort_by_key(Vec::len);
    plans.into_iter().find_map(|plan| {
        let mut record = valid.clone();
        plan.iter().chain(&way.then).for_each(|edit| edit.apply(&mut record));
        if !way.condition.holds(&record) || !clause.when.holds(&record) {
            return None;
        }
        let (reason, readable) = reason_of(clause, &record);
        let expected: BTreeSet<_> = clause.also.iter().cloned().chain([reason]).collect();
        let verdict = check_against(contract, &record, |_| true);
        let valid = clause.structured && readable;
        let exact = verdict.valid == valid && verdict.reasons.into_iter().collect::<BTreeSet<_>>() == expected;
        exact.then(|| Broken { clause: place, name: String::new(), record, expected, valid, edits: plan.len() })
    })
}

/// The plan as it is, with the copies of a field following it, with them taken out, and with everything
/// that said the old text saying the new one.
fn with_twins(plan: Plan, planner: &Planner<'_>, valid: &Value<'_>) -> Vec<Plan> {
    let other = |path: &str| {
        let twin = planner.twins.iter().find(|(one, other)| *one == path || *other == path);
        twin.map(|(one, other)| if *one == path { *other } else { *one })
    };
    let mut plans = vec![plan.clone()];
    let followed = plan.iter().filter_map(|edit| edit.moved(other(edit.path()?)?));
    let followed: Plan = followed.filter(|edit| !plan.iter().any(|made| made.path() == edit.path())).collect();
    if !followed.is_empty() {
        plans.push([plan.as_slice(), &followed].concat());
        let removed: Plan = followed.iter().filter_map(|edit| Some(Edit::remove(edit.path()?))).collect();
        plans.push([plan.as_slice(), &removed].concat());
    }
    let renamed: Plan = plan
        .iter()
        .filter_map(|edit| match edit {
            Edit::Set(path, Value::String(new)) => {
                let old = super::value::at(valid, path)?.as_str()?;
                (!old.is_empty() && old != new).then(|| Edit::Rename(old.to_owned(), new.to_string()))
            }
            _ => None,
        })
        .collect();
    if !renamed.is_empty() {
        plans.push([plan.as_slice(), &renamed].concat());
    }
    plans
}
