//! Plans: edits after which a condition holds of a record, or no longer does.
//!
//! A plan is a proposal. Whether it breaks a record in one clause and no other is seen by checking the
//! edited record, so a plan may be wrong and must only not be missing. The match over the conditions is
//! exhaustive on purpose: a new kind of condition is not tested until it says here how it is broken.

use super::edit::{Edit, string};
use super::known::Known;
use crate::contract::allowlist::MODULE;
use crate::contract::command_text::{CommandFault, split};
use crate::contract::condition::{
    ArgvSplits, CommandText, Condition, Copy, Counts, Length, Numbered, Paired, Part, Repeats, Texts, TwoTexts, Within,
};
use crate::contract::items::{FirstBadItem, FirstFault, ItemFault, Items, ItemsAgree, ItemsCover};
use crate::contract::predicate::{Predicate, TARGETS};
use crate::contract::value::{at, is_set, text};
use crate::json::{Value, parse};
use std::sync::LazyLock;

/// Edits that belong together.
pub(super) type Plan = Vec<Edit>;

/// The most plans that are kept of one condition.
const LIMIT: usize = 48;

/// The most items of a list that are looked at one by one.
const ITEMS: usize = 16;

/// A text that no contract knows.
pub(super) const UNHEARD_OF: &str = "unheard_of";

/// Plans after which `condition` holds of `record` as `wanted`, small ones first.
pub(super) fn plans(known: &Known<'_>, condition: &Condition, record: &Value<'_>, wanted: bool) -> Vec<Plan> {
    let mut plans = Vec::new();
    if condition.holds(record) == wanted {
        plans.push(Plan::new());
    }
    plans.extend(changes(known, condition, record, wanted));
    shortest(plans)
}

fn shortest(mut plans: Vec<Plan>) -> Vec<Plan> {
    plans.sort_by_key(Vec::len);
    plans.truncate(LIMIT);
    plans
}

/// Plans of one edit each.
fn one(edits: impl IntoIterator<Item = Edit>) -> Vec<Plan> {
    edits.into_iter().map(|edit| vec![edit]).collect()
}

fn changes(known: &Known<'_>, condition: &Condition, record: &Value<'_>, wanted: bool) -> Vec<Plan> {
    let list_at = |path: &str| at(record, path).and_then(Value::elements).unwrap_or_default();
    let said = |path: &str| text(at(record, path)).into_owned();
    match condition {
        Condition::All(parts) if wanted => every(known, parts, record, true),
        Condition::Any(parts) if !wanted => every(known, parts, record, false),
        Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(|part| plans(known, part, record, wanted)).collect(),
        Condition::Not(part) => plans(known, part, record, !wanted),
        Condition::Blank(field) if wanted => one([Edit::remove(field), Edit::text(field, "")]),
        Condition::Blank(field) => {
            let texts = known.texts_for(field).map(|text| Edit::text(field, text));
            one(texts.chain([Edit::flag(&format!("{field}.{UNHEARD_OF}"), true)]))
        }
        Condition::Flag(field) if wanted => one([Edit::flag(field, true), Edit::text(field, "false")]),
        Condition::IsTrue(field) if wanted => one([Edit::flag(field, true)]),
        Condition::IsFalse(field) if wanted => one([Edit::flag(field, false)]),
        Condition::IsFalse(field) => one([Edit::flag(field, true), Edit::remove(field)]),
        Condition::Flag(field) | Condition::IsTrue(field) => one([Edit::flag(field, false), Edit::remove(field)]),
        Condition::Present(field) | Condition::SaysSomething(field) if !wanted => one([Edit::remove(field)]),
        Condition::Present(field) | Condition::SaysSomething(field) => one([
            Edit::text(field, UNHEARD_OF),
            Edit::flag(field, true),
            integer(field, 1),
            Edit::Set(field.clone(), Value::Array(Vec::new())),
        ]),
        Condition::IsText(field) if wanted => one([Edit::text(field, UNHEARD_OF), Edit::text(field, "")]),
        Condition::IsText(field) => one([Edit::remove(field), integer(field, 1)]),
        Condition::IsInteger(field) if wanted => one([integer(field, 1), integer(field, 0)]),
        Condition::IsInteger(field) => one([Edit::remove(field), Edit::text(field, UNHEARD_OF)]),
        Condition::IsNumber(Numbered { field, number }) | Condition::AtLeast(Numbered { field, number }) if wanted => {
            one([integer(field, *number)])
        }
        Condition::IsNumber(Numbered { field, number }) => {
            one([integer(field, number.saturating_add(1)), integer(field, number.saturating_sub(1)), Edit::remove(field)])
        }
        Condition::AtLeast(Numbered { field, number }) => one([integer(field, number.saturating_sub(1)), Edit::remove(field)]),
        Condition::LongerThan(Length { field, length }) => one(lengthened(field, *length, record, wanted)),
        Condition::IsObject(field) if wanted => {
            one([Edit::Set(field.clone(), Value::Object(Vec::new())), Edit::flag(&format!("{field}.{UNHEARD_OF}"), true)])
        }
        Condition::IsList(field) if wanted => one([Edit::Set(field.clone(), Value::Array(Vec::new()))]),
        Condition::IsNonemptyList(field) if wanted => {
            one([Edit::Push(field.clone(), Value::Object(Vec::new())), Edit::Push(field.clone(), string(UNHEARD_OF))])
        }
        Condition::IsNonemptyList(field) => {
            one([Edit::Set(field.clone(), Value::Array(Vec::new())), Edit::remove(field), Edit::text(field, UNHEARD_OF)])
        }
        Condition::IsObject(field) | Condition::IsList(field) => one([Edit::text(field, UNHEARD_OF), Edit::remove(field)]),
        Condition::OneOf(texts) => one_of(known, texts, wanted),
        Condition::NotOneOf(texts) => one_of(known, texts, !wanted),
        Condition::IsExactly(Part { field, text }) if wanted => one([Edit::text(field, text.as_str())]),
        Condition::IsExactly(Part { field, text }) => {
            let others = known.texts_for(field).filter(|other| other != text).map(|other| Edit::text(field, other));
            one(others.chain([Edit::remove(field)]))
        }
        Condition::Same([left, right]) | Condition::SameText(TwoTexts { fields: [left, right], .. }) if wanted => {
            one([Edit::Copy(left.clone(), right.clone()), Edit::Copy(right.clone(), left.clone())])
        }
        Condition::Same(fields) | Condition::SameText(TwoTexts { fields, .. }) => one(fields.iter().rev().flat_map(|field| {
            known.texts_for(field).map(move |text| Edit::text(field, text)).chain([integer(field, FAR_NUMBER), Edit::remove(field)])
        })),
        Condition::Paired(paired) => pairs(known, paired, record, wanted),
        Condition::CopyDiffers(Copy { copy, of, .. }) if wanted => one([copy, of]
            .into_iter()
            .flat_map(|field| known.texts_for(copy).chain(known.texts_for(of)).map(move |text| Edit::text(field, text)))),
        Condition::CopyDiffers(Copy { copy, of, .. }) => one([Edit::remove(copy), Edit::Copy(of.clone(), copy.clone())]),
        Condition::FlagsDiffer(fields) => one(fields.iter().map(|field| Edit::flag(field, !is_set(at(record, field))))),
        Condition::Lacks(Part { field, text: part }) if wanted => {
            one([Edit::text(field, said(field).replace(part.as_str(), "")), Edit::text(field, UNHEARD_OF)])
        }
        Condition::HasPart(Part { field, text: part }) if !wanted => {
            one([Edit::text(field, said(field).replace(part.as_str(), "")), Edit::text(field, UNHEARD_OF), Edit::remove(field)])
        }
        Condition::Lacks(Part { field, text: part }) | Condition::HasPart(Part { field, text: part }) => {
            one([Edit::text(field, part.as_str()), Edit::text(field, format!("{} {part}", said(field)))])
        }
        Condition::Repeats(Repeats { field, of }) if wanted => one([
            Edit::Copy(of.clone(), field.clone()),
            Edit::text(field, format!("{} {}", said(field), said(of))),
            Edit::Copy(field.clone(), of.clone()),
        ]),
        Condition::Repeats(Repeats { field, of }) => {
            one([Edit::text(field, UNHEARD_OF), Edit::text(of, UNHEARD_OF), Edit::remove(field), Edit::remove(of)])
        }
        Condition::ListHas(Part { field, text }) if wanted => one([Edit::Push(field.clone(), string(text.as_str()))]),
        Condition::ListHas(Part { field, text }) => {
            let places = list_at(field).iter().enumerate().filter(|(_, item)| item.as_str() == Some(text)).map(|(place, _)| place);
            // From the end, so that the places before stay what they are.
            let mut dropped: Plan = places.map(|place| Edit::DropItem(field.clone(), place)).collect();
            dropped.reverse();
            vec![dropped, vec![Edit::remove(field)]]
        }
        Condition::Counts(Counts { count, list }) => {
            let items = i64::try_from(list_at(list).len()).unwrap_or(i64::MAX);
            one(if wanted { vec![integer(count, items)] } else { vec![integer(count, items.saturating_add(1)), Edit::remove(count)] })
        }
        Condition::AnyItem(of) | Condition::EachItem(of) => items(known, of, record, wanted),
        Condition::FirstBadItem(first) => first_item(first, record, wanted),
        Condition::ItemsAgree(ItemsAgree { items, key, list }) if wanted => {
            let values = list_at(items).iter().map(|item| string(text(at(item, key)))).collect();
            one([Edit::Set(list.clone(), Value::Array(values))])
        }
        Condition::ItemsAgree(ItemsAgree { items, key, list }) => one([
            Edit::Push(list.clone(), string(UNHEARD_OF)),
            Edit::InItem(items.clone(), 0, Box::new(Edit::text(key, UNHEARD_OF))),
            Edit::Item(list.clone(), 0, string(UNHEARD_OF)),
            Edit::remove(list),
            Edit::remove(items),
        ]),
        Condition::ItemsCover(cover) => covered(cover, record, wanted),
        Condition::Found(path) if wanted => one([Edit::flag(&format!("{path}.{UNHEARD_OF}"), true)]),
        Condition::Found(path) => {
            let copied = format!("payload.{path}");
            vec![vec![Edit::remove(path)], vec![Edit::remove(&copied)], vec![Edit::remove(path), Edit::remove(&copied)]]
        }
        Condition::Within(within) => inside(known, within, record, wanted),
        Condition::CommandText(command) => one(command_edits(command, record, wanted)),
        Condition::ArgvAllowlisted(field) if wanted => {
            let words = ["python", "-m", MODULE, "--scenario-id", "sc-1", "--directive-id", "dir-1", "--timeout-profile", "standard"];
            one([Edit::Set(field.clone(), Value::Array(words.map(string).to_vec()))])
        }
        Condition::ArgvAllowlisted(field) => one([Edit::Push(field.clone(), string("--unheard-of"))]),
        Condition::ArgvSplits(ArgvSplits { argv, command }) if wanted => {
            let said = said(command);
            let words = split(&said).unwrap_or_default();
            one([Edit::Set(argv.clone(), Value::Array(words.iter().map(|word| string(&**word)).collect()))])
        }
        Condition::ArgvSplits(ArgvSplits { argv, command }) => one([
            Edit::text(command, format!("{} --action REDUCE_RISK", said(command))),
            Edit::text(command, format!("{} {UNHEARD_OF}", said(command))),
            Edit::Push(argv.clone(), string(UNHEARD_OF)),
        ]),
        Condition::Climbs(field) if wanted => one([Edit::text(field, format!("{}/..", said(field))), Edit::text(field, "../x")]),
        Condition::Climbs(field) => one([Edit::text(field, UNHEARD_OF), Edit::remove(field)]),
        Condition::Predicate(predicate) => one(predicate_edits(*predicate, wanted)),
    }
}

/// Plans after which every part holds as `wanted`.
fn every(known: &Known<'_>, parts: &[Condition], record: &Value<'_>, wanted: bool) -> Vec<Plan> {
    parts.iter().fold(vec![Plan::new()], |so_far, part| {
        let more = plans(known, part, record, wanted);
        let pairs = so_far.iter().flat_map(|plan| more.iter().map(move |other| [plan.as_slice(), other].concat()));
        shortest(pairs.collect())
    })
}

/// Plans after which a field's text is one of these, or none of them.
fn one_of(known: &Known<'_>, texts: &Texts, wanted: bool) -> Vec<Plan> {
    let Texts { field, values, .. } = texts;
    if wanted {
        return one(values.iter().map(|value| Edit::text(field, value.as_str())));
    }
    let others = known.texts_for(field).filter(|text| !values.iter().any(|value| value == text)).map(|text| Edit::text(field, text));
    one(others.chain([Edit::remove(field)]))
}

fn pairs(known: &Known<'_>, paired: &Paired, record: &Value<'_>, wanted: bool) -> Vec<Plan> {
    let Paired { field, by, pairs } = paired;
    if wanted {
        let here = pairs.get(&*text(at(record, by))).map(|paired| vec![Edit::text(field, paired.as_str())]);
        let both = pairs.iter().map(|(by_text, paired)| vec![Edit::text(by, by_text.as_str()), Edit::text(field, paired.as_str())]);
        return here.into_iter().chain(both).collect();
    }
    let texts = known.texts_for(field).chain(pairs.values().map(String::as_str)).map(|text| Edit::text(field, text));
    one(texts.chain([Edit::remove(field)]).chain(known.texts_for(by).map(|text| Edit::text(by, text))))
}

/// Sets a field to an integer. A number keeps the text it was read from, so the texts are made once; what
/// contracts ask about lies well within.
fn integer(field: &str, number: i64) -> Edit {
    const LEAST: i64 = -64;
    static DIGITS: LazyLock<Vec<String>> = LazyLock::new(|| (LEAST..=FAR_NUMBER).map(|number| number.to_string()).collect());
    let place = usize::try_from(number.clamp(LEAST, FAR_NUMBER) - LEAST).expect("it is not less than the least");
    let value = parse(DIGITS[place].as_bytes()).expect("an integer is JSON");
    Edit::Set(field.to_owned(), value)
}

/// A number that no record says by chance.
const FAR_NUMBER: i64 = 7001;

/// Edits after which a field is longer than so many items or characters, or is not.
fn lengthened(field: &str, length: usize, record: &Value<'_>, wanted: bool) -> Vec<Edit> {
    /// No contract bounds anything by more.
    const LONGEST: usize = 1 << 16;
    let short = vec![Edit::text(field, ""), Edit::Set(field.to_owned(), Value::Array(Vec::new())), Edit::remove(field)];
    let as_list = Edit::Set(field.to_owned(), Value::Array(vec![string(UNHEARD_OF); length.min(LONGEST) + 1]));
    let as_text = Edit::text(field, "x".repeat(length.min(LONGEST) + 1));
    match (wanted, at(record, field)) {
        (false, _) => short,
        (true, Some(Value::Array(_))) => vec![as_list],
        (true, Some(Value::String(_))) => vec![as_text],
        (true, _) => vec![as_list, as_text],
    }
}

/// Plans about the items of a list.
fn items(known: &Known<'_>, of: &Items, record: &Value<'_>, wanted: bool) -> Vec<Plan> {
    let Items { list, fault } = of;
    let found = at(record, list).and_then(Value::elements).unwrap_or_default();
    let within =
        |place: usize, plan: Plan| plan.into_iter().map(|edit| Edit::InItem(list.clone(), place, Box::new(edit))).collect::<Plan>();
    if !wanted {
        let whole = [vec![Edit::Set(list.clone(), Value::Array(Vec::new()))], vec![Edit::remove(list)]];
        let faulty = found.iter().enumerate().filter(|(_, item)| of.faulty(record).any(|faulty| std::ptr::eq(faulty, *item)));
        let mended = faulty.take(ITEMS).map(|(place, item)| match item_condition(fault) {
            Some(condition) => within(place, plans(known, &condition, item, false).into_iter().next().unwrap_or_default()),
            None => vec![match fault {
                ItemFault::Outside(texts) => Edit::Item(list.clone(), place, string(texts.first().map_or("", String::as_str))),
                _ => Edit::DropItem(list.clone(), place),
            }],
        });
        // From the end, so that the places before stay what they are.
        let mut mended: Vec<Plan> = mended.collect();
        mended.reverse();
        return [mended.concat()].into_iter().chain(whole).collect();
    }
    let Some(condition) = item_condition(fault) else {
        let bad = match fault {
            ItemFault::NamesSecret => "API_TOKEN",
            _ => UNHEARD_OF,
        };
        return one([Edit::Push(list.clone(), string(bad)), Edit::Item(list.clone(), 0, string(bad))]);
    };
    let in_place = found.iter().take(ITEMS).enumerate().filter(|(_, item)| item.is_object());
    let in_place = in_place.flat_map(|(place, item)| plans(known, &condition, item, true).into_iter().map(move |plan| (place, plan)));
    let in_place = in_place.map(|(place, plan)| within(place, plan));
    let added = [Edit::Push(list.clone(), Value::Object(Vec::new()))];
    let fresh = plans(known, &condition, &Value::Object(Vec::new()), true).into_iter();
    let fresh = fresh.map(|plan| added.iter().cloned().chain(within(found.len(), plan)).collect());
    in_place.chain(fresh).collect()
}

/// What a fault asks of an item, where that is a condition on an object.
fn item_condition(fault: &ItemFault) -> Option<Condition> {
    match fault {
        ItemFault::Blank(field) => Some(Condition::Blank(field.clone())),
        ItemFault::NotOneOf(texts) => Some(Condition::NotOneOf(texts.clone())),
        ItemFault::Meets(condition) => Some((**condition).clone()),
        ItemFault::NotObject | ItemFault::Outside(_) | ItemFault::NamesSecret => None,
    }
}

fn first_item(first: &FirstBadItem, record: &Value<'_>, wanted: bool) -> Vec<Plan> {
    let FirstBadItem { list, fault, .. } = first;
    let whole = [Edit::remove(list), Edit::Set(list.clone(), Value::Array(Vec::new()))];
    let some = at(record, list).and_then(Value::elements).is_some_and(|items| !items.is_empty());
    let bad = || Value::Object(vec![("status".into(), string(UNHEARD_OF))]);
    match (wanted, fault) {
        (false, _) => one(whole),
        (true, FirstFault::NotObject) if some => one([Edit::Item(list.clone(), 0, string(UNHEARD_OF))]),
        (true, FirstFault::Status) if some => {
            one([Edit::InItem(list.clone(), 0, Box::new(Edit::text("status", UNHEARD_OF))), Edit::Item(list.clone(), 0, bad())])
        }
        (true, FirstFault::NotObject) => one([Edit::Push(list.clone(), string(UNHEARD_OF))]),
        (true, FirstFault::Status) => one([Edit::Push(list.clone(), bad())]),
    }
}

fn covered(cover: &ItemsCover, record: &Value<'_>, wanted: bool) -> Vec<Plan> {
    let ItemsCover { items, key, texts } = cover;
    let found = at(record, items).and_then(Value::elements).unwrap_or_default();
    let says = |item: &Value<'_>, wanted: &str| *text(at(item, key)) == *wanted;
    if wanted {
        let missing = texts.iter().filter(|text| !found.iter().any(|item| says(item, text)));
        return vec![
            missing.map(|text| Edit::Push(items.clone(), Value::Object(vec![(key.clone().into(), string(text.as_str()))]))).collect(),
        ];
    }
    let named = found.iter().enumerate().filter(|(_, item)| texts.iter().any(|text| says(item, text))).take(ITEMS);
    let named: Vec<_> = named.map(|(place, _)| place).collect();
    let changed = named.iter().map(|place| Edit::InItem(items.clone(), *place, Box::new(Edit::text(key, UNHEARD_OF))));
    one(changed.chain(named.iter().map(|place| Edit::DropItem(items.clone(), *place))).chain([Edit::remove(items)]))
}

/// Plans about an object that lies in the record or, failing that, in its payload.
fn inside(known: &Known<'_>, within: &Within, record: &Value<'_>, wanted: bool) -> Vec<Plan> {
    let Within { object, meets } = within;
    let top = object.split('.').next().unwrap_or(object);
    let own = at(record, top).is_some_and(|value| !value.members().is_empty());
    let path = if own { object.clone() } else { format!("payload.{object}") };
    let nothing = Value::Object(Vec::new());
    let found = at(record, &path).filter(|value| value.is_object()).unwrap_or(&nothing);
    let edited = plans(known, meets, found, wanted).into_iter().filter(|plan| !plan.is_empty());
    let mut plans: Vec<Plan> = edited.map(|plan| plan.into_iter().map(|edit| edit.under(&path)).collect()).collect();
    if !wanted {
        plans.push(vec![Edit::remove(&path)]);
    }
    plans
}

/// Edits of a command's text: the words stay, but for what the fault is about.
fn command_edits(command: &CommandText, record: &Value<'_>, wanted: bool) -> Vec<Edit> {
    let CommandText { field, fault } = command;
    let said = text(at(record, field)).into_owned();
    let words = split(&said).unwrap_or_default();
    let profile = "--timeout-profile";
    if !wanted {
        let named = words.iter().position(|word| word == profile).and_then(|place| words.get(place + 1));
        return named.map(|named| Edit::text("timeout_profile", &**named)).into_iter().chain([Edit::remove(field)]).collect();
    }
    let without = |option: &str| {
        let at = words.iter().position(|word| word == option).unwrap_or(words.len());
        let kept = words.iter().enumerate().filter(|(index, _)| !(at..at + 2).contains(index));
        kept.map(|(_, word)| &**word).collect::<Vec<_>>().join(" ")
    };
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

fn predicate_edits(predicate: Predicate, wanted: bool) -> Vec<Edit> {
    match predicate {
        Predicate::DirectiveTargetUnsupported => {
            let text = if wanted { UNHEARD_OF } else { TARGETS[0] };
            vec![Edit::text("target", text), Edit::text("target_swarm", text)]
        }
        Predicate::NoopArgvNotFixed if wanted => vec![Edit::Push("noop_argv".to_owned(), string(UNHEARD_OF))],
        Predicate::NoopArgvNotFixed => vec![Edit::remove("noop_argv")],
        Predicate::ArgvDigestUnreadable if wanted => vec![Edit::remove("argv_digest"), Edit::text("argv_digest", UNHEARD_OF)],
        Predicate::ArgvDigestUnreadable => vec![Edit::text("argv_digest", format!("sha256:{}", "0".repeat(64)))],
    }
}
