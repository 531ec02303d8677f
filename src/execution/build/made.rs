//! A record as its contract and its parent make it, before and after what only code can say.

use crate::contract::build::By;
use crate::contract::constants::{Constant, constants, paired};
use crate::contract::table::Contract;
use crate::governance::id::h16;
use crate::ledger::Record;
use serde_json::{Map, Value as Json};

/// A record that is being made.
pub type Made = Result<Record, Vec<String>>;

/// The ids that every record of the chain carries where its parent knows them, so that filters see it.
const LINKS: [&str; 3] = ["proposal_id", "plan_id", "rendered_command_id"];

/// Fields that a record says for itself, whatever its parent says under the same name.
const OWN: [&str; 4] = ["status", "reason", "recommended_next_action", "schema_version"];

/// A record of `contract`'s type as far as contract and parent say it.
///
/// A flag that must not be set is false. A text that every record has is taken from the parent where that
/// says it too, so that a child never says better than its parent. What must be true is only ever taken
/// from a parent, or said for itself by a type of which nothing is decided.
pub fn start(contract: &Contract, parent: &Record) -> Record {
    let mut record = Record::new(&contract.record_type);
    let parts = contract.id_recipe.iter().flat_map(|recipe| &recipe.parts).filter(|part| part.ends_with("_id"));
    let links = contract.parents.iter().map(|parent| &parent.field).chain(parts).map(String::as_str);
    for link in links.chain(LINKS) {
        let said = parent.linked(link);
        if !said.is_empty() {
            record.set(link, said);
        }
    }
    let itself = contract.build.as_ref().is_some_and(|build| build.by == By::Contract);
    for (field, constant) in constants(contract) {
        let same = parent.get(field).filter(|_| !OWN.contains(&field));
        match (field.starts_with("source_"), &constant) {
            (true, _) => set(&mut record, field, copied(parent, field)),
            (false, Constant::Unset | Constant::List(_)) => record.set(field, constant.value()),
            (false, Constant::Text(_)) => record.set(field, same.cloned().unwrap_or_else(|| constant.value())),
            (false, Constant::True | Constant::Number(_)) if itself => record.set(field, constant.value()),
            (false, Constant::True | Constant::Number(_)) => set(&mut record, field, same),
        }
    }
    for (field, value) in contract.build.iter().flat_map(|build| &build.says) {
        record.set(field, value.clone());
    }
    for take in contract.build.iter().flat_map(|build| &build.takes) {
        let from = match &take.from {
            Some(path) => parent.get(path),
            None if take.field.starts_with("source_") => copied(parent, &take.field),
            None => parent.get(&take.field),
        };
        set(&mut record, &take.field, from);
    }
    record
}

fn set(record: &mut Record, field: &str, value: Option<&Json>) {
    if let Some(value) = value {
        record.set(field, value.clone());
    }
}

/// What the parent says that a field called `source_…` is a copy of.
///
/// It may have been a copy there already, or stand there under its plain name, or under the name of the
/// parent's own family, of which the copy has only the last words.
fn copied<'p>(parent: &'p Record, field: &str) -> Option<&'p Json> {
    let plain = field.strip_prefix("source_")?;
    let key = crate::execution::trail::short(parent.record_type());
    let key = key.strip_prefix("real_execution_").unwrap_or(key);
    let mut names = vec![field.to_owned(), plain.to_owned(), format!("sandbox_{plain}"), format!("sandbox_workspace_{plain}")];
    for base in [key, key.strip_suffix("_scaffold").unwrap_or(key)] {
        let starts = std::iter::once(0).chain(base.match_indices('_').map(|(at, _)| at + 1));
        for rest in starts.filter_map(|at| plain.strip_prefix(&base[at..])?.strip_prefix('_')) {
            names.extend([format!("{base}_{rest}"), rest.to_owned(), format!("sandbox_{rest}"), format!("sandbox_adapter_{rest}")]);
        }
    }
    names.iter().find_map(|name| parent.get(name))
}

/// The finished record: the next action that goes with its status, its id, its source and its payload.
pub fn seal(contract: &Contract, mut record: Record, source: &str) -> Record {
    for paired in paired(contract) {
        if let Some(text) = paired.pairs.get(&record.text(&paired.by)) {
            record.set_absent(&paired.field, text.as_str());
        }
    }
    if let (Some(field), Some(recipe)) = (&contract.id, &contract.id_recipe) {
        let parts: Vec<_> = recipe.parts.iter().map(|part| said(&record, part)).collect();
        let parts: Vec<_> = parts.iter().map(String::as_str).collect();
        record.set_absent(field, format!("{}-{}", recipe.prefix, h16(&parts)));
    }
    let payload: Map<_, _> = record
        .members()
        .iter()
        .filter(|(field, _)| !matches!(field.as_str(), "type" | "source"))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    record.with("source", source.trim()).with("payload", payload)
}

/// A part of an id, as text: what is there is said, even false and nought.
fn said(record: &Record, part: &str) -> String {
    match record.get(part) {
        Some(Json::Bool(false)) => "False".to_owned(),
        Some(Json::Number(number)) => number.to_string(),
        _ => record.text(part),
    }
}
