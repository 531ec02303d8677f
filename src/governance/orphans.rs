//! Orphans: records of any type whose parent is not there, by the parents of their contracts.

use crate::contract::check::contract_of;
use crate::contract::table::Parent;
use crate::contract::value::{at, text};
use crate::json::Value;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// How a parent is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    /// A record that needs a parent names none.
    Unnamed,
    /// No record has the id that it names.
    Missing,
    /// Only a record of another type has that id.
    OfOtherType,
}

/// A record without a parent that it needs or names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Orphan {
    /// The record's type.
    pub record_type: String,
    /// The record's own id; blank where its type has none.
    pub record_id: String,
    /// The field that names the parent.
    pub field: String,
    /// The parent's type.
    pub parent_type: String,
    /// The parent's id, as named.
    pub parent_id: String,
    /// How it is not there.
    pub lack: Lack,
}

/// Gathers records and finds the orphans among them, in linear time; order does not matter.
#[derive(Debug, Default)]
pub struct Orphans {
    types_of_id: HashMap<String, HashSet<&'static str>>,
    links: Vec<(&'static str, String, &'static Parent, String)>,
}

impl Orphans {
    /// Takes a record in; one without a contract changes nothing.
    pub fn add(&mut self, record: &Value<'_>) {
        let Some(contract) = contract_of(record) else { return };
        let id = contract.id.as_deref().map(|field| text(at(record, field)).into_owned()).unwrap_or_default();
        for parent in &contract.parents {
            let said = text(at(record, &parent.field)).into_owned();
            if parent.required || !said.is_empty() {
                self.links.push((&contract.record_type, id.clone(), parent, said));
            }
        }
        if !id.is_empty() {
            self.types_of_id.entry(id).or_default().insert(&contract.record_type);
        }
    }

    /// The orphans, in the order of their records.
    pub fn finish(&self) -> Vec<Orphan> {
        let lack = |parent: &Parent, said: &str| {
            if said.is_empty() {
                return Some(Lack::Unnamed);
            }
            match self.types_of_id.get(said) {
                None => Some(Lack::Missing),
                Some(types) => (!types.contains(parent.record_type.as_str())).then_some(Lack::OfOtherType),
            }
        };
        let orphan = |(record_type, id, parent, said): &(&'static str, String, &'static Parent, String)| {
            Some(Orphan {
                record_type: (*record_type).to_owned(),
                record_id: id.clone(),
                field: parent.field.clone(),
                parent_type: parent.record_type.clone(),
                parent_id: said.clone(),
                lack: lack(parent, said)?,
            })
        };
        self.links.iter().filter_map(orphan).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn a_parent_must_be_there_and_of_its_type() {
        let text = br#"[
            {"type": "swarm_directive_result", "result_id": "r1", "directive_id": "d1"},
            {"type": "swarm_directive_result", "result_id": "r2", "directive_id": "gone"},
            {"type": "swarm_directive_result", "result_id": "r3"},
            {"type": "swarm_directive_result", "result_id": "r4", "directive_id": "r1"},
            {"type": "swarm_directive", "directive_id": "d1"},
            {"type": "of_no_contract", "directive_id": "gone"}, []
        ]"#;
        let value = parse(text).expect("the test's text is JSON");
        let mut orphans = Orphans::default();
        value.elements().expect("a list").iter().for_each(|record| orphans.add(record));
        let found: Vec<_> = orphans.finish().into_iter().map(|orphan| (orphan.record_id, orphan.lack)).collect();
        let wanted = [("r2", Lack::Missing), ("r3", Lack::Unnamed), ("r4", Lack::OfOtherType)];
        assert_eq!(found, wanted.map(|(id, lack)| (id.to_owned(), lack)));
    }
}
