//! The schemas of loop records, held to the contracts they are made from: never stricter, and not idle.

use crate::{json_files, root};
use boon::{Compiler, SchemaIndex, Schemas};
use landfall::contract::broken::broken_of;
use landfall::contract::check::{check, contract_of};
use landfall::contract::table::contracts;
use landfall::corpus::clauses::by_contract;
use landfall::corpus::ledgers::Ledgers;
use landfall::edge::disk::DiskFolder;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Every schema below `schemas/loop`, compiled, by the key of its contract.
struct Shelf {
    schemas: Schemas,
    by_key: BTreeMap<String, (Value, SchemaIndex)>,
}

impl Shelf {
    fn read() -> Self {
        let (mut compiler, mut schemas, mut by_key) = (Compiler::new(), Schemas::new(), BTreeMap::new());
        for path in json_files(&root().join("schemas/loop")) {
            let schema = crate::read_json(&path);
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
            let key = name.strip_suffix(".schema.json").expect("a schema's name").to_owned();
            let place = format!("file:///schemas/loop/{name}");
            compiler.add_resource(&place, schema.clone()).expect("a schema's name makes a URL");
            let index = compiler.compile(&place, &mut schemas).unwrap_or_else(|error| panic!("{name} does not compile: {error:#}"));
            by_key.insert(key, (schema, index));
        }
        Self { schemas, by_key }
    }

    fn refusal(&self, key: &str, record: &Value) -> Option<String> {
        let (_, index) = self.by_key.get(key).unwrap_or_else(|| panic!("SCHEMA_MISSING: none for {key}"));
        self.schemas.validate(record, *index).err().map(|error| format!("{error:#}"))
    }
}

fn ledgers() -> Ledgers {
    Ledgers::read(&DiskFolder::open(&root().join("fixtures")).expect("it opens"))
}

fn value_of(record: &landfall::json::Value<'_>) -> Value {
    serde_json::from_str(&record.to_text()).expect("what landfall writes is JSON")
}

#[test]
fn there_is_a_schema_for_each_contract_and_it_describes_every_property() {
    let shelf = Shelf::read();
    let mut keys: Vec<_> = contracts().all().map(landfall::contract::table::Contract::key).collect();
    keys.sort();
    assert_eq!(shelf.by_key.keys().cloned().collect::<Vec<_>>(), keys);
    for (key, (schema, _)) in &shelf.by_key {
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{key}");
        assert_eq!(schema["$id"], format!("{key}.schema.json"), "{key}");
        let told = |node: &Value, key: &str| node[key].as_str().is_some_and(|text| !text.trim().is_empty());
        assert!(told(schema, "title") && told(schema, "description"), "{key}");
        for (name, property) in schema["properties"].as_object().expect("there are properties") {
            assert!(told(property, "description"), "{key}: no description of {name}");
        }
    }
}

#[test]
fn every_recorded_record_is_valid_under_its_schema() {
    let (shelf, ledgers) = (Shelf::read(), ledgers());
    let (records, faults) = ledgers.records();
    assert_eq!(faults, []);
    for accepted in &records {
        let key = contract_of(&accepted.record).expect("it has a contract").key();
        assert_eq!(shelf.refusal(&key, &value_of(&accepted.record)), None, "{}", accepted.place);
    }
    assert!(records.len() >= contracts().all().count(), "RECORDS_MISSING: only {}", records.len());
}

#[test]
fn what_a_schema_refuses_the_engine_refuses_and_most_broken_records_are_refused() {
    let (shelf, ledgers) = (Shelf::read(), ledgers());
    let (records, _) = ledgers.records();
    let valid = by_contract(contracts(), &records);
    let (mut judged, mut refused) = (0, 0);
    for contract in contracts().all() {
        let key = contract.key();
        for broken in broken_of(contract, &valid[&key]).records {
            judged += 1;
            let refusal = shelf.refusal(&key, &value_of(&broken.record));
            assert!(refusal.is_none() || !broken.valid, "{key}/{} is valid: {}", broken.name, refusal.unwrap_or_default());
            refused += usize::from(refusal.is_some());
        }
    }
    // Copies, items against lists and words of commands are left to the engine; the rest is not.
    assert!(refused * 10 > judged * 8, "only {refused} of {judged} broken records are refused by a schema");
}

const TEXTS: &[&str] =
    &["", " ", "\u{a0}", "\u{feff}", "false", "True", "passed", " Passed\n", "PENDING", "unheard_of", "0", "\u{212a}", "--", "a\u{85}"];

/// What stands in a field of a record, in the forms that a reader may take for something else.
fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        proptest::sample::select(TEXTS).prop_map(Value::from),
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        proptest::sample::select(&[-1_i64, 0, 1, 2, 5, 7, 4000][..]).prop_map(Value::from),
        proptest::sample::select(&[0.0, -0.0, 1.0, 0.5][..]).prop_map(|number: f64| json!(number)),
        Just(json!([])),
        Just(json!({})),
        Just(json!(["unheard_of", 7])),
        Just(json!([{"status": "passed"}, {}])),
        Just(json!({"status": "passed", "enabled": false})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_schema_is_never_stricter_than_the_engine(which in any::<prop::sample::Index>(), edits in prop::collection::vec((any::<prop::sample::Index>(), anything()), 1..3)) {
        thread_local! {
            static SHELF: (Shelf, Vec<(String, Vec<String>, Value)>) = {
                let ledgers = ledgers();
                let (records, _) = ledgers.records();
                let all = records.iter().map(|accepted| {
                    let contract = contract_of(&accepted.record).expect("it has a contract");
                    let fields = contract.fields().into_iter().filter(|field| !field.contains("[]")).collect();
                    (contract.key(), fields, value_of(&accepted.record))
                });
                (Shelf::read(), all.collect())
            };
        }
        SHELF.with(|(shelf, records)| {
            let (key, fields, record) = which.get(records);
            let mut record = record.clone();
            for (field, value) in &edits {
                let pointer = format!("/{}", field.get(fields).replace('.', "/"));
                if let Some(place) = record.pointer_mut(&pointer) {
                    *place = value.clone();
                } else if let Some(object) = record.as_object_mut() {
                    object.insert(pointer[1..].to_owned(), value.clone());
                }
            }
            let text = record.to_string();
            let read = landfall::json::parse(text.as_bytes()).expect("JSON");
            // An edit may turn it into a record of another contract, or of none.
            let same = contract_of(&read).is_some_and(|contract| contract.key() == *key);
            if same && check(&read).valid {
                prop_assert_eq!(shelf.refusal(key, &record), None, "{}", text);
            }
            Ok(())
        })?;
    }
}
