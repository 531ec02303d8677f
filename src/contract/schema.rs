//! JSON Schemas of record types, made from their contracts, for editors and other tools.
//!
//! A schema says what it can and nothing more: it accepts every record that the contract accepts. What
//! it cannot say (a copy that differs, the words of a command) is left out, and so is every text with a
//! character beyond ASCII, since trimming and case folding are Unicode and no pattern's. So a record that
//! a schema refuses is refused by the engine too, which a test holds over every broken record.

mod merge;

use self::merge::{all, any, merge};
use super::command_text::CommandFault;
use super::condition::{Condition, Copy, Counts, Fold, Length, Numbered, Paired, Part, Repeats, Texts, TwoTexts, Within};
use super::items::{FirstFault, ItemFault, Items, ItemsAgree, ItemsCover};
use super::predicate::{Predicate, TARGETS};
use super::table::Contract;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The schema of a contract's records (draft 2020-12).
pub fn record_schema(contract: &Contract) -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("{}.schema.json", contract.key()),
        "title": contract.key(),
        "description": format!(
            "{} Generated from the contract. The verdict stays landfall's: what no schema can say is left to `landfall check record`.",
            contract.purpose
        ),
        "type": "object",
        "properties": {"type": {"const": contract.record_type, "description": "The record's type."}},
        "required": ["type"],
    });
    let mut whole = Vec::new();
    let told = contract.discriminator.iter().map(|told| {
        let texts = Texts { field: told.field.clone(), values: vec![told.value.clone()], fold: Fold::None };
        ("what tells it from others of its type".to_owned(), one_of(&texts, true))
    });
    let clauses = contract.clauses.iter().filter(|clause| !clause.structured);
    let refused = clauses.map(|clause| (format!("{}: refused when {}", clause.name(), clause.when.describe()), of(&clause.when, false)));
    let parts: Vec<_> = told.chain(refused).chain(first_bad_items(contract)).collect();
    for (why, part) in parts {
        let Some(part) = part else { continue };
        if !merge(&mut schema, &part) {
            let mut part = part;
            part["description"] = Value::from(why);
            whole.push(part);
        }
    }
    describe_fields(contract, &mut schema);
    if !whole.is_empty() {
        schema["allOf"] = Value::from(whole);
    }
    schema
}

/// A schema of all records for which the condition holds as `wanted`, and maybe of others; nothing where
/// no schema narrows them down.
fn of(condition: &Condition, wanted: bool) -> Option<Value> {
    match condition {
        Condition::All(parts) if wanted => all(parts.iter().map(|part| of(part, true))),
        Condition::Any(parts) if !wanted => all(parts.iter().map(|part| of(part, false))),
        Condition::All(parts) | Condition::Any(parts) => any(parts.iter().map(|part| of(part, wanted))),
        Condition::Not(part) => of(part, !wanted),
        Condition::Blank(path) => Some(if wanted { field(path, blank(), true) } else { field(path, said(), false) }),
        Condition::Flag(path) if wanted => Some(field(path, json!({"not": {"enum": [false, null]}}), false)),
        Condition::Flag(path) => Some(field(path, json!({"enum": [false, null]}), true)),
        Condition::IsTrue(path) => Some(either(path, json!({"const": true}), wanted)),
        Condition::Present(path) if wanted => Some(field(path, json!({}), false)),
        Condition::Present(path) => Some(field(path, json!({"not": {}}), true)),
        Condition::SaysSomething(path) => Some(either(path, json!({"not": {"const": null}}), wanted)),
        Condition::IsObject(path) => Some(either(path, json!({"type": "object"}), wanted)),
        Condition::IsList(path) => Some(either(path, json!({"type": "array"}), wanted)),
        Condition::IsNonemptyList(path) => Some(either(path, json!({"type": "array", "minItems": 1}), wanted)),
        Condition::IsFalse(path) => Some(either(path, json!({"const": false}), wanted)),
        Condition::IsText(path) => Some(either(path, json!({"type": "string"}), wanted)),
        Condition::IsNumber(Numbered { field: path, number }) if wanted => Some(field(path, json!({"const": number}), false)),
        Condition::AtLeast(Numbered { field: path, number }) if wanted => {
            Some(field(path, json!({"type": "number", "minimum": number}), false))
        }
        Condition::IsInteger(path) if wanted => Some(field(path, json!({"type": "number"}), false)),
        // 1.0 is an integer to a schema and none to the engine, so that these say nothing of what is not.
        Condition::IsNumber(_) | Condition::AtLeast(_) | Condition::IsInteger(_) => None,
        Condition::LongerThan(Length { field: path, length }) if wanted => {
            Some(field(path, json!({"type": ["array", "string"], "minItems": length + 1, "minLength": length + 1}), false))
        }
        Condition::LongerThan(Length { field: path, length }) => Some(field(path, json!({"maxItems": length, "maxLength": length}), true)),
        Condition::OneOf(texts) => one_of(texts, wanted),
        Condition::NotOneOf(texts) => one_of(texts, !wanted),
        Condition::IsExactly(Part { field: path, text }) => Some(either(path, json!({"const": text}), wanted)),
        Condition::ListHas(Part { field: path, text }) => Some(either(path, json!({"type": "array", "contains": {"const": text}}), wanted)),
        Condition::Paired(Paired { field: path, pairs, .. }) if wanted => {
            let texts = Texts { field: path.clone(), values: pairs.values().cloned().collect(), fold: Fold::None };
            one_of(&texts, true)
        }
        Condition::HasPart(Part { field: path, text }) => lacks(path, text, !wanted).filter(|_| wanted),
        Condition::Repeats(Repeats { field: path, .. }) => wanted.then(|| field(path, said(), false)),
        Condition::Counts(Counts { count, .. }) => wanted.then(|| field(count, json!({"type": "number", "minimum": 0}), false)),
        Condition::ItemsAgree(ItemsAgree { items, list, .. }) if wanted => {
            all([items, list].map(|path| Some(field(path, json!({"type": "array"}), false))))
        }
        Condition::ItemsCover(ItemsCover { items, texts, .. }) => {
            (wanted && !texts.is_empty()).then(|| field(items, json!({"type": "array", "minItems": 1}), false))
        }
        Condition::ArgvAllowlisted(path) | Condition::ArgvSplits(super::condition::ArgvSplits { argv: path, .. }) => {
            wanted.then(|| field(path, json!({"type": "array", "items": {"type": "string"}}), false))
        }
        Condition::Climbs(path) => wanted.then(|| field(path, said(), false)),
        // Two fields against each other, and objects that may lie in either of two places.
        Condition::Same(_)
        | Condition::SameText(TwoTexts { .. })
        | Condition::Paired(_)
        | Condition::ItemsAgree(_)
        | Condition::Found(_)
        | Condition::Within(Within { .. }) => None,
        Condition::CopyDiffers(Copy { copy, .. }) => wanted.then(|| field(copy, said(), false)),
        Condition::FlagsDiffer([one, other]) if !wanted => {
            let flags = |set| all([one, other].map(|path| of(&Condition::Flag(path.clone()), set)));
            any([flags(true), flags(false)])
        }
        Condition::FlagsDiffer(_) => None,
        Condition::Lacks(Part { field: path, text }) => lacks(path, text, wanted),
        Condition::AnyItem(items) | Condition::EachItem(items) => an_item(items, wanted),
        Condition::FirstBadItem(first) => wanted.then(|| field(&first.list, json!({"type": "array", "minItems": 1}), false)),
        Condition::CommandText(command) if wanted => Some(field(&command.field, said(), false)),
        Condition::CommandText(command) => (command.fault == CommandFault::Unsafe).then(|| {
            let safe = format!("^{SPACE}*[^;&|><`$\\n\\r]*{SPACE}*$|{BEYOND_ASCII}");
            field(&command.field, json!({"pattern": safe}), true)
        }),
        Condition::Predicate(Predicate::ArgvDigestUnreadable) => {
            let digest = json!({"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"});
            Some(either("argv_digest", digest, !wanted))
        }
        Condition::Predicate(Predicate::NoopArgvNotFixed) => {
            wanted.then(|| field("noop_argv", json!({"type": "array", "minItems": 1}), false))
        }
        Condition::Predicate(Predicate::DirectiveTargetUnsupported) if wanted => None,
        Condition::Predicate(Predicate::DirectiveTargetUnsupported) => {
            let values = TARGETS.iter().copied().chain([""]).map(str::to_owned).collect();
            one_of(&Texts { field: "target".to_owned(), values, fold: Fold::None }, true)
        }
    }
}

/// ASCII white space, as trimming takes it off.
const SPACE: &str = "[\\t-\\r ]";
/// A character that leaves the text to the engine.
const BEYOND_ASCII: &str = "[^\\u0000-\\u007f]";

/// What is blank whatever it says.
fn empty() -> Value {
    json!({"enum": [null, false, 0, "", [], {}]})
}

fn blank() -> Value {
    json!({"anyOf": [empty(), {"type": "string", "pattern": format!("^{SPACE}*$|{BEYOND_ASCII}")}]})
}

fn said() -> Value {
    json!({"not": empty(), "pattern": "[^\\t-\\r ]"})
}

/// A field that is there and like `value`, or else is not like it, absent included.
fn either(path: &str, value: Value, wanted: bool) -> Value {
    if wanted { field(path, value, false) } else { field(path, json!({"not": value}), true) }
}

/// A schema of objects that have `value` at a path.
fn field(path: &str, value: Value, absent_too: bool) -> Value {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let below = match rest {
        None => value,
        Some(rest) => {
            let mut below = field(rest, value, absent_too);
            if !absent_too {
                below["type"] = "object".into();
            }
            below
        }
    };
    let mut schema = json!({"properties": {head: below}});
    if !absent_too {
        schema["required"] = json!([head]);
    }
    schema
}

fn one_of(texts: &Texts, wanted: bool) -> Option<Value> {
    let Texts { field: path, values, fold } = texts;
    let blank_too = values.iter().any(String::is_empty);
    let words: Vec<_> = values.iter().filter(|value| !value.is_empty()).collect();
    let pattern = words.iter().map(|word| pattern_of(word, *fold)).collect::<Vec<_>>().join("|");
    let pattern = format!("^{SPACE}*(?:{pattern}){SPACE}*$");
    if !wanted {
        let word = json!({"type": "string", "pattern": pattern});
        let value = if blank_too { json!({"not": {"anyOf": [empty(), word]}}) } else { json!({"not": word}) };
        return Some(field(path, value, !blank_too));
    }
    // Other things than texts print as text too; a word that one of them could print says nothing here.
    let plain = |word: &&String| {
        let first = word.bytes().next().unwrap_or_default();
        word.is_ascii() && !first.is_ascii_digit() && !b"-[{".contains(&first) && !word.eq_ignore_ascii_case("true")
    };
    if !words.iter().all(plain) {
        return None;
    }
    let word = json!({"type": "string", "pattern": format!("{pattern}|{BEYOND_ASCII}")});
    Some(if blank_too { field(path, json!({"anyOf": [blank(), word]}), true) } else { field(path, word, false) })
}

/// A pattern of one word, in its own spelling or in both cases.
fn pattern_of(word: &str, fold: Fold) -> String {
    let mut pattern = String::new();
    for letter in word.chars() {
        if fold != Fold::None && letter.is_ascii_alphabetic() {
            pattern.extend(['[', letter.to_ascii_uppercase(), letter.to_ascii_lowercase(), ']']);
        } else if letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | ' ' | ':' | ',' | '<' | '>' | '=') {
            pattern.push(letter);
        } else if letter.is_ascii() {
            pattern.extend(['\\', letter]);
        } else {
            pattern.push(letter);
        }
    }
    pattern
}

fn lacks(path: &str, part: &str, wanted: bool) -> Option<Value> {
    let holds = json!({"type": "string", "pattern": pattern_of(part, Fold::None)});
    if wanted {
        let mut value = said();
        value["not"] = json!({"anyOf": [empty(), holds]});
        return (part.trim() == part).then(|| field(path, value, false));
    }
    // What is no text prints as a few characters: too few to contain a longer part.
    (part.len() > 10 && !part.bytes().all(|byte| byte.is_ascii_digit())).then(|| field(path, json!({"anyOf": [blank(), holds]}), true))
}

fn an_item(items: &Items, wanted: bool) -> Option<Value> {
    let Items { list, fault } = items;
    let item = match fault {
        ItemFault::NotObject => Some(either_item(wanted)),
        ItemFault::Blank(path) => of(&Condition::Blank(path.clone()), wanted),
        ItemFault::NotOneOf(texts) => one_of(texts, !wanted),
        // Only objects meet a condition; what is none passes every one of its keywords but `type`.
        ItemFault::Meets(condition) => of(condition, wanted),
        ItemFault::Outside(texts) => Some(if wanted { json!({"not": {"enum": texts}}) } else { json!({"enum": texts}) }),
        ItemFault::NamesSecret => None,
    };
    if wanted {
        let faulty = item.unwrap_or_else(|| json!({}));
        return Some(field(list, json!({"type": "array", "contains": faulty}), false));
    }
    item.map(|item| field(list, json!({"items": item}), true))
}

fn either_item(faulty: bool) -> Value {
    if faulty { json!({"not": {"type": "object"}}) } else { json!({"type": "object"}) }
}

/// Where both faults of a first bad item are refused, every item is an object with a known status.
fn first_bad_items(contract: &Contract) -> Vec<(String, Option<Value>)> {
    let firsts = contract.clauses.iter().filter_map(|clause| match &clause.when {
        Condition::FirstBadItem(first) => Some(first),
        _ => None,
    });
    let firsts: Vec<_> = firsts.collect();
    let whole = firsts.iter().filter(|first| first.fault == FirstFault::Status).filter(|first| {
        firsts.iter().any(|other| other.fault == FirstFault::NotObject && other.list == first.list && other.statuses == first.statuses)
    });
    let part = |first: &&&super::items::FirstBadItem| {
        let texts = Texts { field: "status".to_owned(), values: first.statuses.clone(), fold: Fold::Lower };
        let mut item = one_of(&texts, true)?;
        item["type"] = "object".into();
        Some(field(&first.list, json!({"items": item}), true))
    };
    whole.map(|first| (format!("every item of `{}` is an object with a known status", first.list), part(&first))).collect()
}

/// Every field of the contract, with what it is read for and the texts an editor can offer.
fn describe_fields(contract: &Contract, schema: &mut Value) {
    for path in contract.fields().iter().filter(|path| !path.contains("[]")) {
        let mut here = &mut *schema;
        for key in path.split('.') {
            let object = here.as_object_mut().expect("a property is described by an object");
            let properties = object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
            here = properties.as_object_mut().expect("properties are an object").entry(key).or_insert_with(|| json!({}));
        }
        let readers: BTreeSet<_> = contract
            .clauses
            .iter()
            .filter(|clause| {
                let mut fields = BTreeSet::new();
                clause.when.fields(&mut fields);
                fields.contains(path)
            })
            .map(super::table::Clause::name)
            .collect();
        let readers = readers.into_iter().collect::<Vec<_>>().join(", ");
        here["description"] = if readers.is_empty() {
            "A link to another record, or what tells it apart.".to_owned()
        } else {
            format!("Read for {readers}.")
        }
        .into();
        let mut values = Vec::new();
        contract.clauses.iter().for_each(|clause| clause.when.wants_of(path, &mut values));
        if !values.is_empty() {
            here["examples"] = Value::from(values);
        }
    }
    for (name, property) in schema["properties"].as_object_mut().into_iter().flatten() {
        let said = if name == "payload" {
            "Copies of the record's own fields, and what belongs to the matter."
        } else {
            "An object whose fields are read."
        };
        if let Some(property) = property.as_object_mut() {
            property.entry("description").or_insert_with(|| said.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::merge::strings;
    use super::*;
    use crate::contract::table::contracts;

    #[test]
    fn a_schema_says_what_is_required_what_stays_false_and_what_may_be_said() {
        let contract = contracts().of_type("replay_lifecycle_retry_execution_eligibility").first().expect("it is there");
        let schema = record_schema(contract);
        assert_eq!(schema["properties"]["execution_enabled"]["enum"], json!([false, null]));
        assert_eq!(schema["properties"]["payload"]["properties"]["executed"]["enum"], json!([false, null]));
        assert!(strings(&schema["required"]).any(|field| field == "eligibility_id"));
        assert_eq!(schema["properties"]["status"]["examples"], json!(["blocked"]));
    }
}
