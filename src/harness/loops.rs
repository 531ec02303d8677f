//! Trials of the loop family: one a recorded record, and one a way to break a clause.
//!
//! A runner that starts a process a trial asks for one name; then only the records of that contract are
//! broken, or none at all.

use super::{Asked, Named, Outcome, module_name, part_name};
use crate::contract::broken::{Broken, broken_of};
use crate::contract::check::check_against;
use crate::contract::table::{Clause, Contract, contracts};
use crate::corpus::clauses::{by_contract, slips_through, without_case};
use crate::corpus::ledgers::{Ledgers, judge};
use crate::edge::disk::DiskFolder;
use std::collections::BTreeSet;
use std::path::Path;

/// The trials over the ledgers below a folder of fixtures.
pub(super) fn loop_trials(named: &mut Named, fixtures: &Path) {
    let folder = match DiskFolder::open(fixtures) {
        Ok(folder) => folder,
        Err(error) => return named.add("loop::ledgers".to_owned(), Err(format!("no folder of fixtures: {error}"))),
    };
    let ledgers = Ledgers::read(&folder);
    let (accepted, unreadable) = ledgers.records();
    let whole = unreadable
        .into_iter()
        .chain(judge(contracts(), &accepted))
        .map(|fault| format!("{} {}: {}", fault.code, fault.place, fault.message));
    named.add("loop::ledgers".to_owned(), super::silent(whole));
    for (index, accepted) in accepted.iter().enumerate() {
        let scenario = module_name(Path::new(accepted.scenario));
        let record_type = accepted.record.get("type").and_then(crate::json::Value::as_str).unwrap_or_default();
        let line = part_name(&format!("line_{}_{record_type}", accepted.line), || format!("record[{index}]"));
        let outcome = accepted.refusal(contracts()).map_or(Ok(()), Err);
        named.add(format!("loop::{scenario}::accepts::{line}"), outcome);
    }
    let valid = by_contract(contracts(), &accepted);
    let mut all: Vec<_> = contracts().all().collect();
    all.sort_by_key(|contract| contract.key());
    for contract in all {
        let prefix = format!("loop::contracts::refuses::{}/", contract.key());
        if matches!(&named.asked, Asked::Only(name) if !name.starts_with(&prefix)) {
            continue;
        }
        let made = broken_of(contract, valid.get(&contract.key()).map_or(&[], Vec::as_slice));
        for broken in &made.records {
            named.add(format!("{prefix}{}", broken.name), refused(contract, broken));
        }
        for unbroken in &made.unbroken {
            let clause = contract.clauses.get(unbroken.clause).map(Clause::name).unwrap_or_default();
            named.add(format!("{prefix}{clause}"), Err(format!("RULE_WITHOUT_CASE: {}", without_case(&unbroken.beside))));
        }
    }
}

/// Whether a broken record is refused with exactly its reasons, and slips through without its clause.
fn refused(contract: &Contract, broken: &Broken<'_>) -> Outcome {
    let verdict = check_against(contract, &broken.record, |_| true);
    let found: BTreeSet<_> = verdict.reasons.into_iter().collect();
    if verdict.valid != broken.valid || found != broken.expected {
        let list = |reasons: &BTreeSet<String>| reasons.iter().cloned().collect::<Vec<_>>().join(", ");
        return Err(format!("found {}; expected {}\n{}", list(&found), list(&broken.expected), broken.record.to_text()));
    }
    if slips_through(contract, broken) {
        return Ok(());
    }
    Err(format!("RULE_BEARS_NO_LOAD: without the clause the record is refused all the same\n{}", broken.record.to_text()))
}
