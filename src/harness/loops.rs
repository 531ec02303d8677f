//! Trials of the loop family: one a recorded record, and one a way to break a clause.
//!
//! A runner that starts a process a trial asks for one name; then only the contract is read that it names,
//! only the ledger, and only one record is broken.

use super::named::{Asked, Named, Outcome, silent};
use super::{module_name, part_name};
use crate::contract::broken::{Breaker, Broken, name_of, ways_of};
use crate::contract::check::check_against;
use crate::contract::table::{Contract, Contracts, contracts};
use crate::corpus::clauses::{by_contract, slips_through, without_case};
use crate::corpus::ledgers::{Accepted, Ledgers, judge};
use crate::edge::disk::DiskFolder;
use crate::json::Value;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const WHOLE: &str = "loop::ledgers";
const ACCEPTS: &str = "::accepts::";
const BROKEN: &str = "loop::contracts::refuses::";

/// The trials over the ledgers below a folder of fixtures.
pub(super) fn loop_trials(named: &mut Named, fixtures: &Path) {
    if !named.wants_below("loop::") {
        return;
    }
    let folder = match DiskFolder::open(fixtures) {
        Ok(folder) => folder,
        Err(error) => return named.add(WHOLE.to_owned(), || Err(format!("no folder of fixtures: {error}"))),
    };
    match named.sought().map(str::to_owned) {
        Some(name) if name.starts_with(BROKEN) => one_broken(named, &folder, &name[BROKEN.len()..]),
        Some(name) if name.contains(ACCEPTS) && !name.ends_with(']') => one_accepted(named, &folder, &name),
        _ => all(named, &folder),
    }
}

fn all(named: &mut Named, folder: &DiskFolder) {
    let ledgers = Ledgers::read(folder);
    let (accepted, unreadable) = ledgers.records();
    let whole = || unreadable.into_iter().chain(judge(contracts(), &accepted));
    named.add(WHOLE.to_owned(), || silent(whole().map(|fault| format!("{} {}: {}", fault.code, fault.place, fault.message))));
    for (index, accepted) in accepted.iter().enumerate() {
        add_accepted(named, contracts, index, accepted);
    }
    if !named.wants_below(BROKEN) {
        return;
    }
    let mut of: Vec<_> = contracts().all().map(|contract| (contract.key(), contract)).collect();
    of.sort_by(|(one, _), (other, _)| one.cmp(other));
    if *named.asked() != Asked::Everything {
        return of.iter().for_each(|(key, contract)| add_broken(named, key, contract, &[]));
    }
    let valid = by_contract(contracts(), &accepted);
    let valid_of = |key: &str| valid.get(key).map_or(&[][..], Vec::as_slice);
    // The other half of a run is spent here, and contracts do not know each other.
    let judged = each_on_all_cores(&of, |(key, contract)| broken_outcomes(contract, valid_of(key)));
    for ((key, contract), outcomes) in of.iter().zip(judged) {
        for ((name, ..), outcome) in broken_names(key, contract).zip(outcomes) {
            named.add(name, || outcome);
        }
    }
}

/// The trial of a recorded record, by the contracts that `contracts` gives.
fn add_accepted<'c>(named: &mut Named, contracts: impl FnOnce() -> &'c Contracts, index: usize, accepted: &Accepted<'_>) {
    let scenario = module_name(Path::new(accepted.scenario));
    let line = part_name(&format!("line_{}_{}", accepted.line, type_of(&accepted.record)), || format!("record[{index}]"));
    named.add(format!("loop::{scenario}{ACCEPTS}{line}"), || accepted.refusal(contracts()).map_or(Ok(()), Err));
}

fn type_of<'v>(record: &'v Value<'_>) -> &'v str {
    record.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// The one record asked for, of `loop::SCENARIO::accepts::line_NUMBER_TYPE`.
fn one_accepted(named: &mut Named, folder: &DiskFolder, name: &str) {
    let (scenario, line) = name.split_once(ACCEPTS).unwrap_or_default();
    let line = line.strip_prefix("line_").and_then(|line| line.split('_').next()?.parse().ok());
    let ledgers = Ledgers::read_those(folder, |found| Some(&*module_name(Path::new(found))) == scenario.strip_prefix("loop::"));
    for accepted in ledgers.records_on(|number, _| Some(number) == line).0 {
        let contracts = Contracts::shipped_of(type_of(&accepted.record));
        add_accepted(named, || &contracts, 0, &accepted);
    }
}

/// The one broken record asked for, of `KEY/CLAUSE`; a key is a type and, behind a point, what tells its contract
/// from others of the type.
fn one_broken(named: &mut Named, folder: &DiskFolder, name: &str) {
    let key = name.split('/').next().unwrap_or_default();
    let record_type = key.split('.').next().unwrap_or_default();
    let contracts = Contracts::shipped_of(record_type);
    let Some(contract) = contracts.all().find(|contract| contract.key() == key) else { return };
    let ledgers = Ledgers::read(folder);
    // A line that does not hold the text of the type is of another, unless it holds it in escapes.
    let told = memchr::memmem::Finder::new(record_type);
    let (accepted, _) = ledgers.records_on(|_, line| told.find(line).is_some() || line.contains(&b'\\'));
    let valid = by_contract(&contracts, &accepted);
    add_broken(named, key, contract, valid.get(key).map_or(&[], Vec::as_slice));
}

/// The trials of the broken records of a contract, each made when it is asked for.
fn add_broken(named: &mut Named, key: &str, contract: &Contract, valid: &[&Value<'_>]) {
    for (name, place, way) in broken_names(key, contract) {
        named.add(name, || outcome_of(contract, &Breaker::of(contract), place, way, valid));
    }
}

/// The name of every way to violate a clause of the contract, with the clause's place and the way's number.
fn broken_names(key: &str, contract: &Contract) -> impl Iterator<Item = (String, usize, usize)> {
    let ways = contract.clauses.iter().enumerate().flat_map(|(place, clause)| (0..ways_of(clause)).map(move |way| (place, clause, way)));
    ways.map(move |(place, clause, way)| (format!("{BROKEN}{key}/{}", name_of(clause, way)), place, way))
}

fn broken_outcomes(contract: &Contract, valid: &[&Value<'_>]) -> Vec<Outcome> {
    let breaker = Breaker::of(contract);
    broken_names("", contract).map(|(_, place, way)| outcome_of(contract, &breaker, place, way, valid)).collect()
}

/// Whether the record broken in one way is refused as it should be.
fn outcome_of(contract: &Contract, breaker: &Breaker<'_>, place: usize, way: usize, valid: &[&Value<'_>]) -> Outcome {
    match breaker.broken(place, way, valid) {
        Ok(broken) => refused(contract, &broken),
        // An arm of an alternative that every edit violates along with another clause: that clause refuses the record
        // as well, and the other arms show that this one bears load.
        Err(beside) if !beside.is_empty() && other_ways(contract, place, way).any(|other| breaker.broken(place, other, valid).is_ok()) => {
            Ok(())
        }
        Err(beside) => Err(format!("RULE_WITHOUT_CASE: {}", without_case(&beside))),
    }
}

fn other_ways(contract: &Contract, place: usize, way: usize) -> impl Iterator<Item = usize> {
    (0..ways_of(&contract.clauses[place])).filter(move |other| *other != way)
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

/// What `work` makes of each item, in their order; every core takes the next item when it is done with one.
fn each_on_all_cores<I: Sync, O: Send>(items: &[I], work: impl Fn(&I) -> O + Sync) -> Vec<O> {
    let next = AtomicUsize::new(0);
    let take = || {
        let places = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        places.map_while(|place| Some((place, work(items.get(place)?)))).collect::<Vec<_>>()
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut made: Vec<_> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..cores).map(|_| scope.spawn(take)).collect();
        let mut made = take();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        made
    });
    made.sort_by_key(|(place, _)| *place);
    made.into_iter().map(|(_, made)| made).collect()
}
