//! Every builder, held to the records of the shared trail: from the parent that stands there, the child that does.

use landfall::contract::table::contracts;
use landfall::execution::build::{From, own, seal, start};
use landfall::execution::trail::Trail;
use landfall::ledger::surroundings::Scripted;
use landfall::ledger::{Ledger, MemoryLedger, Record};
use std::collections::BTreeMap;
use std::path::Path;

/// What a builder cannot know, or what a runner says.
const GIVEN: [(&str, &str); 5] = [
    ("approval_status", "pending"),
    ("review_status", "approved"),
    ("operator_authorized", "given"),
    ("env_keys", "PATH,PYTHONPATH"),
    ("allow_missing_real_execution_request", "given"),
];

#[test]
fn each_child_is_what_the_shared_trail_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/loop-execution/trail-contour-broken-link.json");
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("not run: the shared cases are not here");
        return;
    };
    let case = Record::parse(&text).expect("the case reads");
    let records = case.get("records").and_then(|records| records.as_array()).expect("it has records");
    let records: Vec<_> = records.iter().map(|record| Record::from_map(record.as_object().expect("an object").clone())).collect();
    let mut ledger = MemoryLedger::new("case");
    let mut around = Scripted::new(1.0, 1.0);
    for record in &records {
        ledger.publish(record.clone(), &mut around).expect("it is published");
    }
    let trail = Trail::of(&ledger).expect("it is read");
    let terms: BTreeMap<_, _> = GIVEN.iter().map(|(name, said)| ((*name).to_owned(), (*said).to_owned())).collect();
    let (mut compared, mut wrong) = (0, String::new());
    for expected in &records {
        let contract = &contracts().of_type(expected.record_type())[0];
        let Some(build) = &contract.build else { continue };
        if build.by == landfall::contract::build::By::Runner {
            continue;
        }
        let Some(parent) = trail.named_by(expected, &contract.parents[0].record_type) else { continue };
        let begun = start(contract, parent);
        let from = From { parent, terms: &terms, trail: &trail };
        let made = own(expected.record_type()).map_or(Ok(begun.clone()), |own| own(&from, begun)).expect("it is made");
        let made = seal(contract, made, "landfall");
        compared += 1;
        if !made.verdict().valid {
            wrong += &format!("{} is invalid: {:?}\n", contract.record_type, made.verdict().reasons);
        }
        for (field, value) in expected.members() {
            // The case's preflight says that a real run was asked for; the result that it comes from does not.
            let asked = ["real_execution_requested", "reason", "reasons"].contains(&field.as_str());
            if field == "payload" || asked && contract.record_type.ends_with("real_execution_preflight") {
                continue;
            }
            if made.get(field) != Some(value) {
                wrong += &format!("{}.{field}: {:?}, not {value}\n", contract.record_type, made.get(field).map(ToString::to_string));
            }
        }
    }
    assert!(compared > 30, "{compared}");
    assert!(wrong.is_empty(), "{wrong}");
}
