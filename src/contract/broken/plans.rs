//! Plans: edits after which a condition holds of a record, or no longer does.
//!
//! A plan is a proposal. Whether it breaks a record in one clause and no other is seen by checking the
//! edited record, so a plan may be wrong and must only not be missing. The match over the conditions is
//! exhaustive on purpose: a new kind of condition is not tested until it says here how it is broken.

use super::edit::Edit;
use crate::contract::command_text::{CommandFault, split};
use crate::contract::condition::{CommandText, Condition, Copy, FirstBadItem, FirstFault, ItemFault, Items, Part, Texts};
use crate::contract::predicate::{Predicate, TARGETS};
use crate::contract::table::Contract;
use crate::contract::value::{at, is_set, text};
use crate::json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Edits that belong together.
pub(super) type Plan = Vec<Edit>;

/// The most plans that are kept of one condition.
const LIMIT: usize = 48;

/// A text that no contract knows.
pub(super) const UNHEARD_OF: &str = "unheard_of";

/// What plans for records of one contract draw on.
pub(super) struct Planner<'c> {
    /// The texts that some clause knows of a field, so that a field can be wrong for one clause and right for another.
    known: BTreeMap<String, Vec<&'c str>>,
    /// Fields that stand for each other: an edit of the one may have to be made on the other too.
    pub(super) twins: Vec<(&'c str, &'c str)>,
}

impl<'c> Planner<'c> {
    pub(super) fn of(contract: &'c Contract) -> Self {
        let mut planner = Self { known: BTreeMap::new(), twins: Vec::new() };
        contract.clauses.iter().for_each(|clause| planner.learn(&clause.when));
        planner
    }

    fn learn(&mut self, condition: &'c Condition) {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| self.learn(part)),
            Condition::Not(part) => self.learn(part),
            Condition::OneOf(texts) | Condition::NotOneOf(texts) => self.learn_texts(String::new(), texts),
            Condition::AnyItem(items) | Condition::EachItem(items) => {
                if let ItemFault::NotOneOf(texts) = &items.fault {
                    self.learn_texts(format!("{}[]", items.list), texts);
                }
            }
            Condition::FirstBadItem(first) => {
                let known = self.known.entry(format!("{}[]status", first.list)).or_default();
                known.extend(first.statuses.iter().map(String::as_str));
            }
            Condition::CopyDiffers(Copy { copy, of, .. }) => self.twins.push((copy, of)),
            Condition::FlagsDiffer([one, other]) => self.twins.push((one, other)),
            Condition::Predicate(Predicate::DirectiveTargetUnsupported) => {
                self.known.entry("target".to_owned()).or_default().extend(TARGETS);
            }
            Condition::Blank(_)
            | Condition::Flag(_)
            | Condition::IsTrue(_)
            | Condition::Present(_)
            | Condition::SaysSomething(_)
            | Condition::IsObject(_)
            | Condition::IsList(_)
            | Condition::IsNonemptyList(_)
            | Condition::Lacks(_)
            | Condition::CommandText(_) => {}
        }
    }

    fn learn_texts(&mut self, list: String, texts: &'c Texts) {
        self.known.entry(format!("{list}{}", texts.field)).or_default().extend(texts.values.iter().map(String::as_str));
    }

    /// The texts known of a field, a text nobody knows first.
    fn texts_for(&self, field: &str) -> impl Iterator<Item = &'c str> {
        std::iter::once(UNHEARD_OF).chain(self.known.get(field).into_iter().flatten().copied())
    }

    /// Plans after which `condition` holds of `record` as `wanted`, small ones first.
    pub(super) fn plans(&self, condition: &Condition, record: &Value<'_>, wanted: bool) -> Vec<Plan> {
        let mut plans = Vec::new();
        if condition.holds(record) == wanted {
            plans.push(Plan::new());
        }
        plans.extend(self.changes(condition, record, wanted));
        plans.sort_by_key(Vec::len);
        plans.truncate(LIMIT);
        plans
    }

    fn changes(&self, condition: &Condition, record: &Value<'_>, wanted: bool) -> Vec<Plan> {
        let one = |edits: Vec<Edit>| edits.into_iter().map(|edit| vec![edit]).collect();
        match condition {
            Condition::All(parts) if wanted => self.every(parts, record, true),
            Condition::Any(parts) if !wanted => self.every(parts, record, false),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(|part| self.plans(part, record, wanted)).collect(),
            Condition::Not(part) => self.plans(part, record, !wanted),
            Condition::Blank(field) if wanted => one(vec![Edit::remove(field), Edit::text(field, "")]),
            Condition::Blank(field) => self.texts_for(field).map(|text| vec![Edit::text(field, text)]).collect(),
            Condition::Flag(field) if wanted => one(vec![Edit::flag(field, true), Edit::text(field, "false")]),
            Condition::IsTrue(field) if wanted => one(vec![Edit::flag(field, true)]),
            Condition::Flag(field) | Condition::IsTrue(field) => one(vec![Edit::flag(field, false), Edit::remove(field)]),
            Condition::Present(field) | Condition::SaysSomething(field) if !wanted => one(vec![Edit::remove(field)]),
            Condition::Present(field) | Condition::SaysSomething(field) => {
                one(vec![Edit::text(field, UNHEARD_OF), Edit::flag(field, true)])
            }
            Condition::IsObject(field) if wanted => one(vec![Edit::Set(field.clone(), Value::Object(Vec::new()))]),
            Condition::IsList(field) if wanted => one(vec![Edit::Set(field.clone(), Value::Array(Vec::new()))]),
            Condition::IsNonemptyList(field) if wanted => {
                one(vec![Edit::Set(field.clone(), Value::Array(vec![Value::Object(Vec::new())]))])
            }
            Condition::IsNonemptyList(field) => {
                one(vec![Edit::Set(field.clone(), Value::Array(Vec::new())), Edit::remove(field), Edit::text(field, UNHEARD_OF)])
            }
            Condition::IsObject(field) | Condition::IsList(field) => one(vec![Edit::text(field, UNHEARD_OF), Edit::remove(field)]),
            Condition::OneOf(texts) => self.texts(texts, wanted),
            Condition::NotOneOf(texts) => self.texts(texts, !wanted),
            Condition::CopyDiffers(Copy { copy, of, .. }) if wanted => {
                let known = self.texts_for(copy).chain(self.texts_for(of));
                known.flat_map(|text| [vec![Edit::text(copy, text)], vec![Edit::text(of, text)]]).collect()
            }
            Condition::CopyDiffers(Copy { copy, .. }) => one(vec![Edit::remove(copy)]),
            Condition::FlagsDiffer(fields) => {
                let turned = |field: &String| Edit::flag(field, !is_set(at(record, field)));
                one(fields.iter().map(turned).collect())
            }
            Condition::Lacks(Part { field, text: part }) if wanted => {
                let without = text(at(record, field)).replace(part.as_str(), "");
                one(vec![Edit::text(field, without), Edit::text(field, UNHEARD_OF)])
            }
            Condition::Lacks(Part { field, text: part }) => one(vec![Edit::text(field, part.as_str())]),
            Condition::AnyItem(items) | Condition::EachItem(items) => one(self.items(items, wanted)),
            Condition::FirstBadItem(first) => one(first_item(first, wanted)),
            Condition::CommandText(command) => one(command_edits(command, record, wanted)),
            Condition::Predicate(Predicate::DirectiveTargetUnsupported) => {
                let text = if wanted { UNHEARD_OF } else { TARGETS[0] };
                one(vec![Edit::text("target", text), Edit::text("target_swarm", text)])
            }
        }
    }

    /// Plans after which every part holds as `wanted`.
    fn every(&self, parts: &[Condition], record: &Value<'_>, wanted: bool) -> Vec<Plan> {
        parts.iter().fold(vec![Plan::new()], |so_far, part| {
            let more = self.plans(part, record, wanted);
            let pairs = so_far.iter().flat_map(|plan| more.iter().map(move |other| [plan.as_slice(), other].concat()));
            let mut plans: Vec<_> = pairs.collect();
            plans.sort_by_key(Vec::len);
            plans.truncate(LIMIT);
            plans
        })
    }

    /// Plans after which a field's text is one of these, or none of them.
    fn texts(&self, texts: &Texts, one_of: bool) -> Vec<Plan> {
        let field = &texts.field;
        if one_of {
            return texts.values.iter().map(|value| vec![Edit::text(field, value.as_str())]).collect();
        }
        let others = self.texts_for(field).filter(|text| !texts.values.iter().any(|value| value == text));
        let mut plans: Vec<_> = others.map(|text| vec![Edit::text(field, text)]).collect();
        plans.push(vec![Edit::remove(field)]);
        plans
    }

    fn items(&self, items: &Items, wanted: bool) -> Vec<Edit> {
        let Items { list, fault } = items;
        if !wanted {
            return vec![Edit::remove(list), Edit::Set(list.clone(), Value::Array(Vec::new()))];
        }
        match fault {
            ItemFault::NotObject => vec![Edit::Item(list.clone(), 0, string(UNHEARD_OF))],
            ItemFault::Blank(field) => vec![Edit::ItemField(list.clone(), 0, field.clone(), None)],
            ItemFault::NotOneOf(texts) => {
                let known = format!("{list}[]{}", texts.field);
                let others = self.texts_for(&known).filter(|text| !texts.values.iter().any(|value| value == text));
                others.map(|text| Edit::ItemField(list.clone(), 0, texts.field.clone(), Some(string(text)))).collect()
            }
        }
    }
}

fn string(text: &str) -> Value<'static> {
    Value::String(Cow::Owned(text.to_owned()))
}

fn first_item(first: &FirstBadItem, wanted: bool) -> Vec<Edit> {
    let FirstBadItem { list, fault, .. } = first;
    match (wanted, fault) {
        (false, _) => vec![Edit::remove(list), Edit::Set(list.clone(), Value::Array(Vec::new()))],
        (true, FirstFault::NotObject) => vec![Edit::Item(list.clone(), 0, string(UNHEARD_OF))],
        (true, FirstFault::Status) => vec![Edit::ItemField(list.clone(), 0, "status".to_owned(), Some(string(UNHEARD_OF)))],
    }
}

/// Edits of a command's text: the words stay, but for what the fault is about.
fn command_edits(command: &CommandText, record: &Value<'_>, wanted: bool) -> Vec<Edit> {
    let CommandText { field, fault } = command;
    if !wanted {
        return vec![Edit::remove(field)];
    }
    let said = text(at(record, field)).into_owned();
    let words = split(&said).unwrap_or_default();
    let without = |option: &str| {
        let at = words.iter().position(|word| word == option).unwrap_or(words.len());
        let kept = words.iter().enumerate().filter(|(index, _)| !(at..at + 2).contains(index));
        kept.map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" ")
    };
    let profile = "--timeout-profile";
    let edited = match fault {
        CommandFault::Unsafe => format!("{said}; true"),
        CommandFault::Unsplittable => format!("{said} 'open"),
        CommandFault::OtherProgram => format!("env {said}"),
        CommandFault::ScenarioId => without("--scenario-id"),
        CommandFault::DirectiveId => without("--directive-id"),
        CommandFault::NoTimeoutProfile => without(profile),
        CommandFault::TimeoutProfileLast => format!("{} {profile}", without(profile)),
        CommandFault::TimeoutProfileDiffers => format!("{said} {profile} {UNHEARD_OF}"),
    };
    vec![Edit::text(field, edited)]
}
