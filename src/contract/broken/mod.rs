//! Broken records, made from valid ones: for every clause the smallest edit that violates it and no
//! other.
//!
//! [`broken_of`] is a pure function of a contract and valid records of its type. What it makes is seen
//! to be refused with exactly the reasons that the clause declares: its own, and those that it says come
//! `also`, by construction. A clause that no edit can violate alone is answered as such, never passed
//! over: either it declares too little, or another clause makes it idle, or the valid records are too few.

mod edit;
mod known;
mod plans;

use super::check::{check_against, reason_of};
use super::condition::Condition;
use super::page::also_means;
use super::table::{Clause, Contract};
use crate::json::Value;
use edit::Edit;
use known::Known;
use plans::{Plan, plans};
use std::cell::RefCell;
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
    /// The clauses for which none could be made.
    pub unbroken: Vec<Unbroken>,
}

/// A clause that no edit violates alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unbroken {
    /// The clause's place in its contract.
    pub clause: usize,
    /// The fewest clauses that any edit violated along with it; none where no edit violated it at all.
    pub beside: Vec<String>,
}

/// How often the reasons that came along are mended before a plan is given up.
const ROUNDS: usize = 6;

/// The most plans that are tried of one round.
const TRIED: usize = 64;

/// Records broken in one clause each, made from `valid` records of the contract's type.
pub fn broken_of<'r>(contract: &Contract, valid: &[&Value<'r>]) -> BrokenRecords<'r> {
    let breaker = Breaker::of(contract);
    let mut made = BrokenRecords::default();
    for (place, clause) in contract.clauses.iter().enumerate() {
        let before = made.records.len();
        let mut fewest = None;
        for way in 0..ways_of(clause) {
            match breaker.smallest(place, way, valid) {
                Ok(broken) => made.records.push(broken),
                Err(beside) => fewest = fewer(fewest, beside),
            }
        }
        if made.records.len() == before {
            made.unbroken.push(Unbroken { clause: place, beside: breaker.names(fewest) });
        }
    }
    made
}

/// In how many ways a clause can be violated.
pub fn ways_of(clause: &Clause) -> usize {
    let arms = if let Condition::Any(parts) = &clause.when { parts.len() } else { 1 };
    arms + usize::from(clause.reason_from.is_some())
}

/// The name of a record that violates a clause in one way: the clause's own, with a number from the second
/// way on.
pub fn name_of(clause: &Clause, way: usize) -> String {
    if way == 0 { clause.name().to_owned() } else { format!("{}.{}", clause.name(), way + 1) }
}

/// Breaks records of one contract, one clause in one way at a time.
pub struct Breaker<'c> {
    contract: &'c Contract,
    known: Known<'c>,
}

impl<'c> Breaker<'c> {
    /// Breaks records of a contract.
    pub fn of(contract: &'c Contract) -> Self {
        Self { contract, known: Known::of(contract) }
    }

    /// The smallest of the records that violate the clause at `place` in this way and no other clause.
    ///
    /// # Errors
    /// The names of the fewest clauses that any edit violated along with it; none where no edit violated it at all.
    ///
    /// # Panics
    /// When the contract has no clause at `place`.
    pub fn broken<'r>(&self, place: usize, way: usize, valid: &[&Value<'r>]) -> Result<Broken<'r>, Vec<String>> {
        self.smallest(place, way, valid).map_err(|beside| self.names(beside))
    }

    fn smallest<'r>(&self, place: usize, way: usize, valid: &[&Value<'r>]) -> Result<Broken<'r>, Option<Vec<usize>>> {
        let clause = &self.contract.clauses[place];
        let attempt =
            Attempt { contract: self.contract, known: &self.known, place, clause, way: the_way(clause, way), beside: RefCell::default() };
        // The first of the smallest: the order of the valid records decides between equals.
        let from_each = |rounds: usize| valid.iter().filter_map(|record| attempt.from(record, rounds)).min_by_key(|broken| broken.edits);
        let mut broken = from_each(0).or_else(|| from_each(ROUNDS)).ok_or_else(|| attempt.beside.take())?;
        broken.name = name_of(clause, way);
        Ok(broken)
    }

    fn names(&self, places: Option<Vec<usize>>) -> Vec<String> {
        let clauses = places.unwrap_or_default().into_iter().filter_map(|place| self.contract.clauses.get(place));
        clauses.map(|clause| clause.name().to_owned()).collect()
    }
}

/// The shorter of two lists, if there is one.
fn fewer(one: Option<Vec<usize>>, other: Option<Vec<usize>>) -> Option<Vec<usize>> {
    one.into_iter().chain(other).min_by_key(Vec::len)
}

/// A way to violate a clause: a condition to fulfil, and an edit on top.
struct Way<'c> {
    condition: &'c Condition,
    then: Option<Edit>,
}

/// One of the ways that a clause names: an arm of an alternative, or a reason that the record tells badly.
fn the_way(clause: &Clause, way: usize) -> Way<'_> {
    let arms = if let Condition::Any(parts) = &clause.when { parts.as_slice() } else { std::slice::from_ref(&clause.when) };
    match (arms.get(way), &clause.reason_from) {
        (Some(condition), _) => Way { condition, then: None },
        (None, field) => Way { condition: &clause.when, then: field.as_deref().map(|field| Edit::text(field, "No reason at all")) },
    }
}

/// One way to violate one clause.
struct Attempt<'a> {
    contract: &'a Contract,
    known: &'a Known<'a>,
    place: usize,
    clause: &'a Clause,
    way: Way<'a>,
    /// The fewest clauses that a plan violated along with this one.
    beside: RefCell<Option<Vec<usize>>>,
}

/// What a plan came to.
enum Tried<'r> {
    Exact(Box<Broken<'r>>),
    /// The clause is violated, and these others are too.
    Beside(Value<'r>, Vec<usize>),
    Missed,
}

impl Attempt<'_> {
    /// A broken record made of a valid one, the reasons that come along mended in so many rounds.
    fn from<'r>(&self, valid: &Value<'r>, rounds: usize) -> Option<Broken<'r>> {
        let planned = plans(self.known, self.way.condition, valid, true);
        let mut open: Vec<Plan> = planned.into_iter().flat_map(|plan| with_twins(plan, self.known, valid)).collect();
        open.sort_by_key(Vec::len);
        for round in 0..=rounds {
            let mut next = Vec::new();
            for plan in open {
                match self.tried(valid, &plan) {
                    Tried::Exact(broken) => return Some(*broken),
                    Tried::Beside(record, others) => {
                        if round < rounds && next.len() < TRIED {
                            next.extend(self.mends(&record, &others).map(|mend| [plan.as_slice(), &mend].concat()));
                        }
                        let fewest = self.beside.take();
                        self.beside.replace(fewer(fewest, Some(others)));
                    }
                    Tried::Missed => {}
                }
            }
            next.sort_by_key(Vec::len);
            next.truncate(TRIED);
            open = next;
        }
        None
    }

    /// Plans against the clauses that came along: against all at once, and against the first in each way.
    fn mends(&self, record: &Value<'_>, others: &[usize]) -> impl Iterator<Item = Plan> {
        let against = |other: &usize| plans(self.known, &self.contract.clauses[*other].when, record, false);
        let all: Plan = others.iter().filter_map(|other| against(other).into_iter().next()).flatten().collect();
        let first = others.first().map(against).unwrap_or_default();
        std::iter::once(all).chain(first.into_iter().take(12)).filter(|plan| !plan.is_empty())
    }

    fn tried<'r>(&self, valid: &Value<'r>, plan: &Plan) -> Tried<'r> {
        let Self { contract, clause, .. } = *self;
        let mut record = valid.clone();
        plan.iter().chain(&self.way.then).for_each(|edit| edit.apply(&mut record));
        if !self.way.condition.holds(&record) || !clause.when.holds(&record) {
            return Tried::Missed;
        }
        let expected: BTreeSet<_> = check_against(contract, &record, |other| clause.declares(other)).reasons.into_iter().collect();
        let comes_along = |also: &String| {
            let mut meant = contract.clauses.iter().filter(|other| also_means(also, other.name())).peekable();
            meant.peek().is_some() && meant.all(|other| other.when.holds(&record))
        };
        if !clause.also.iter().all(comes_along) {
            return Tried::Missed;
        }
        let verdict = check_against(contract, &record, |_| true);
        let found: BTreeSet<_> = verdict.reasons.into_iter().collect();
        let valid = clause.structured && reason_of(clause, &record).1;
        if verdict.valid == valid && found == expected {
            let broken = Broken { clause: self.place, name: String::new(), record, expected, valid, edits: plan.len() };
            return Tried::Exact(Box::new(broken));
        }
        if !found.is_superset(&expected) {
            return Tried::Missed;
        }
        let others = contract.clauses.iter().enumerate();
        let others = others.filter(|(_, other)| !clause.declares(other) && other.when.holds(&record)).map(|(place, _)| place);
        let others = others.collect();
        Tried::Beside(record, others)
    }
}

/// The plan as it is, with the copies of a field following it, with them taken out, and with everything
/// that said the old text saying the new one.
fn with_twins(plan: Plan, known: &Known<'_>, valid: &Value<'_>) -> Vec<Plan> {
    let other = |path: &str| {
        let twin = known.twins.iter().find(|(one, other)| *one == path || *other == path);
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
    let renamed = plan.iter().filter_map(|edit| match edit {
        Edit::Set(path, Value::String(new)) => {
            let old = super::value::at(valid, path)?.as_str()?;
            (!old.is_empty() && old != new).then(|| Edit::Rename(old.to_owned(), new.to_string()))
        }
        _ => None,
    });
    let renamed: Plan = renamed.collect();
    if !renamed.is_empty() {
        plans.push([plan.as_slice(), &renamed].concat());
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::table::Contracts;
    use crate::json::parse;

    const CONTRACT: &str = r#"{
        "type": "note", "id": "note_id", "scanned": true, "severity": "critical", "parents": [], "idempotent_by": [],
        "clauses": [
            {"reason": "missing_note_id", "when": {"blank": "note_id"}},
            {"reason": "payload_note_id_mismatch", "when": {"copy_differs": {"copy": "payload.note_id", "of": "note_id"}}},
            {"reason": "note_sent", "when": {"any": [{"flag": "sent"}, {"flag": "payload.sent"}]}},
            {"reason": "missing_payload", "also": ["missing_text"], "when": {"not": {"is_object": "payload"}}},
            {"reason": "missing_text", "when": {"blank": "payload.text"}}
        ]
    }"#;

    fn made(contract: &str, record: &str) -> (Vec<(String, String)>, Vec<Unbroken>) {
        let contracts = Contracts::read(&[("governance/note", contract)]).expect("the test's contract reads");
        let record = parse(record.as_bytes()).expect("the test's record is JSON");
        let made = broken_of(&contracts.of_type("note")[0], &[&record]);
        (made.records.iter().map(|broken| (broken.name.clone(), broken.record.to_text())).collect(), made.unbroken)
    }

    fn unbroken(clause: usize, beside: &str) -> Unbroken {
        Unbroken { clause, beside: vec![beside.to_owned()] }
    }

    #[test]
    fn every_clause_is_broken_by_the_smallest_edit_and_alone() {
        let (records, unbroken) = made(CONTRACT, r#"{"type":"note","note_id":"n-1","payload":{"note_id":"n-1","text":"x"}}"#);
        let records: Vec<_> = records.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(
            records,
            [
                // Its copy would differ: it goes too.
                ("missing_note_id", r#"{"type":"note","payload":{"text":"x"}}"#),
                ("payload_note_id_mismatch", r#"{"type":"note","note_id":"n-1","payload":{"note_id":"unheard_of","text":"x"}}"#),
                ("note_sent", r#"{"type":"note","note_id":"n-1","payload":{"note_id":"n-1","text":"x"},"sent":true}"#),
                ("note_sent.2", r#"{"type":"note","note_id":"n-1","payload":{"note_id":"n-1","text":"x","sent":true}}"#),
                ("missing_payload", r#"{"type":"note","note_id":"n-1","payload":"unheard_of"}"#),
                ("missing_text", r#"{"type":"note","note_id":"n-1","payload":{"note_id":"n-1"}}"#),
            ]
        );
        assert_eq!(unbroken, []);
    }

    #[test]
    fn a_clause_that_declares_too_little_or_too_much_is_named() {
        let record = r#"{"type":"note","note_id":"n-1","payload":{"text":"x"}}"#;
        let silent = CONTRACT.replace(r#""also": ["missing_text"], "#, "");
        assert_eq!(made(&silent, record).1, [unbroken(3, "missing_text")]);
        let boastful = CONTRACT.replace(r#""also": ["missing_text"]"#, r#""also": ["missing_text", "note_sent"]"#);
        assert_eq!(made(&boastful, record).1.iter().map(|unbroken| unbroken.clause).collect::<Vec<_>>(), [3]);
    }
}
