//! Chains for tests: sound ones, made by the builders.

use super::next::{Wishes, build, builder_of};
use super::seed::{SeedTrail, publish_trail};
use super::terms::{ELIGIBILITY, RENDERED_RESULT};
use crate::ledger::surroundings::Scripted;
use crate::ledger::{Ledger, MemoryLedger, Record, Select};

/// The ledger of a whole chain whose ids have this word in them.
pub(crate) fn chain(word: &str) -> Vec<Record> {
    let mut around = Scripted::new(1_700_000_000.0, 1.0);
    let mut ledger = MemoryLedger::new("test");
    let records = SeedTrail::named("test", word).records(&mut around).expect("the defaults are fit to be seeded");
    publish_trail(&mut ledger, records, &mut around).expect("memory takes it");
    for record_type in [RENDERED_RESULT, ELIGIBILITY] {
        let builder = builder_of(record_type).expect("a builder");
        build(&mut ledger, builder, &Wishes::default(), &mut around).expect("memory takes it");
    }
    records_of(&ledger)
}

/// The records of a ledger, in state order.
pub(crate) fn records_of(ledger: &dyn Ledger) -> Vec<Record> {
    let mut records = Vec::new();
    let read = ledger.each(Select::default(), &mut |entry| {
        records.push(Record::parse(&entry.payload).expect("a published record reads"));
        Ok(())
    });
    read.expect("memory answers");
    records
}

/// The record of a type.
pub(crate) fn of_type<'r>(records: &'r mut [Record], record_type: &str) -> &'r mut Record {
    records.iter_mut().find(|record| record.record_type() == record_type).expect("the chain has it")
}
