//! The worked example of CONTRIBUTING, done as it says: its contract reads, its record is valid, and each of the
//! broken records made from it is refused, and slips through without its clause.

use crate::root;
use landfall::contract::broken::broken_of;
use landfall::contract::check::{check_against, contract_in};
use landfall::contract::page::record_page;
use landfall::contract::schema::record_schema;
use landfall::contract::table::Contracts;
use landfall::corpus::clauses::slips_through;
use landfall::json::parse;
use std::collections::BTreeSet;
use std::fs;

/// The block of the section whose fence says `kind`, without the indent of its list.
fn block(kind: &str) -> String {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).expect("it reads");
    let section = text.split("\n## ").find(|section| section.starts_with("A loop record type\n")).expect("the section is there");
    let (_, after) = section.split_once(&format!("```{kind}\n")).unwrap_or_else(|| panic!("no block of {kind}"));
    let (block, _) = after.split_once("```").expect("the block ends");
    block.lines().map(|line| line.strip_prefix("   ").unwrap_or(line)).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// The shipped contracts, by file as they are read.
fn shipped() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for family in ["governance", "execution"] {
        for entry in fs::read_dir(root().join("contracts").join(family)).expect("it lists") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("names are text");
            files.push((format!("{family}/{name}"), fs::read_to_string(&path).expect("it reads")));
        }
    }
    files
}

fn with_example(example: &str) -> Contracts {
    let files = shipped();
    let named = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let all: Vec<_> = named.chain([("governance/handover_note", example)]).collect();
    Contracts::read(&all).unwrap_or_else(|why| panic!("the example reads: {why}"))
}

#[test]
fn the_example_of_a_loop_record_type_does_what_it_says() {
    let (text, line) = (block("json contract"), block("json fixture"));
    let contracts = with_example(&text);
    let record = parse(line.as_bytes()).expect("the fixture's line is JSON");
    let contract = contract_in(&contracts, &record).expect("the example is its contract");
    let verdict = check_against(contract, &record, |_| true);
    assert!(verdict.valid && verdict.reasons.is_empty(), "{verdict:?}");

    let made = broken_of(contract, &[&record]);
    assert_eq!(made.unbroken, []);
    let names: Vec<_> = made.records.iter().map(|broken| broken.name.as_str()).collect();
    assert_eq!(names.join("\n"), block("text broken"));
    for broken in &made.records {
        let verdict = check_against(contract, &broken.record, |_| true);
        assert!(!verdict.valid, "{}", broken.name);
        assert_eq!(verdict.reasons.into_iter().collect::<BTreeSet<_>>(), broken.expected, "{}", broken.name);
        assert!(slips_through(contract, broken), "{}", broken.name);
        // The same, with the clause gone from the file.
        let mut less: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        less["clauses"].as_array_mut().expect("a list").remove(broken.clause);
        let contracts = with_example(&less.to_string());
        let contract = contract_in(&contracts, &broken.record).expect("it is still the contract");
        assert!(check_against(contract, &broken.record, |_| true).valid, "{} is refused without its clause", broken.name);
    }
    assert!(record_page(contract).contains(&contract.purpose));
    assert_eq!(record_schema(contract)["properties"]["executed"]["enum"], serde_json::json!([false, null]));
}
