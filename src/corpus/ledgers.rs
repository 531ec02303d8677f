//! Recorded ledgers below `fixtures/loop/`: the accepted records that broken ones are made from.
//!
//! Every record of every ledger must be valid, every contract must have one at least, and no ledger may be
//! empty: a contract without an accepted record might refuse everything.

use super::case::CONTROL_LIMIT;
use super::faults::{self, CorpusFault};
use crate::contract::check::{check_against, contract_in};
use crate::contract::table::{Contract, Contracts};
use crate::contract::value::{at, text};
use crate::folder::{Folder, load};
use crate::json::{Value, parse};
use std::collections::BTreeSet;

/// The folder of ledgers below the fixtures.
pub const LEDGERS_FOLDER: &str = "loop";
/// The file of a ledger's records, one a line, in ledger order.
pub const RECORDS_FILE: &str = "records.jsonl";

/// The ledgers of a folder of fixtures, as texts.
#[derive(Debug, Default)]
pub struct Ledgers {
    ledgers: Vec<Ledger>,
    /// What could not be read.
    faults: Vec<CorpusFault>,
}

#[derive(Debug)]
struct Ledger {
    scenario: String,
    shown: String,
    bytes: Vec<u8>,
}

/// A record of a ledger.
#[derive(Debug)]
pub struct Accepted<'l> {
    /// The ledger's folder.
    pub scenario: &'l str,
    /// Where it is shown: file and line.
    pub place: String,
    /// Its line, from 1.
    pub line: usize,
    /// The record.
    pub record: Value<'l>,
}

impl Ledgers {
    /// The ledgers below a folder of fixtures.
    pub fn read(fixtures: &dyn Folder) -> Self {
        Self::read_those(fixtures, |_| true)
    }

    /// The ledgers below a folder of fixtures whose scenario is `wanted`.
    pub(crate) fn read_those(fixtures: &dyn Folder, wanted: impl Fn(&str) -> bool) -> Self {
        let mut read = Self::default();
        let unlisted = || CorpusFault::new(faults::CASE_UNREADABLE, "fixtures/loop", "found a folder that cannot be listed");
        let entries = fixtures.entries(LEDGERS_FOLDER).unwrap_or_else(|_| {
            read.faults.push(unlisted());
            Vec::new()
        });
        for path in entries {
            let shown = format!("fixtures/{}", crate::landing::policy::shown(Some(&path), || "loop/?".to_owned()));
            let scenario =
                path.strip_prefix("loop/").and_then(|path| path.strip_suffix(RECORDS_FILE)).and_then(|path| path.strip_suffix('/'));
            // Other files are named by the step that looks for files nobody reads.
            let Some(scenario) = scenario.filter(|scenario| !scenario.is_empty() && !scenario.contains('/')) else { continue };
            if !wanted(scenario) {
                continue;
            }
            match load(fixtures, &path, CONTROL_LIMIT).ok().and_then(|loaded| loaded.bytes) {
                Some(bytes) => read.ledgers.push(Ledger { scenario: scenario.to_owned(), shown, bytes }),
                None => read.faults.push(CorpusFault::new(faults::CASE_UNREADABLE, shown, "found no regular file of at most 8 MiB")),
            }
        }
        read
    }

    /// The names of the ledgers.
    pub fn scenarios(&self) -> impl Iterator<Item = &str> {
        self.ledgers.iter().map(|ledger| ledger.scenario.as_str())
    }

    /// Every record that can be read, in order, and a fault for each line that cannot.
    pub fn records(&self) -> (Vec<Accepted<'_>>, Vec<CorpusFault>) {
        self.records_on(|_, _| true)
    }

    /// As [`Ledgers::records`], of the lines that `wanted` picks by their number, from 1, and their bytes.
    pub(crate) fn records_on(&self, wanted: impl Fn(usize, &[u8]) -> bool) -> (Vec<Accepted<'_>>, Vec<CorpusFault>) {
        let (mut records, mut found) = (Vec::new(), self.faults.clone());
        for ledger in &self.ledgers {
            let mut is_empty = true;
            let lines = ledger.bytes.split(|byte| *byte == b'\n').enumerate();
            for (index, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
                if !wanted(index + 1, line) {
                    is_empty = false;
                    continue;
                }
                let place = format!("{}:{}", ledger.shown, index + 1);
                match parse(line) {
                    Ok(record) => {
                        is_empty = false;
                        records.push(Accepted { scenario: &ledger.scenario, place, line: index + 1, record });
                    }
                    Err(fault) => found.push(CorpusFault::new(faults::CASE_UNREADABLE, place, format!("found {}", fault.describe()))),
                }
            }
            if is_empty {
                found.push(CorpusFault::new(faults::CASE_TWIN_MISSING, &ledger.shown, "found a ledger without a record"));
            }
        }
        (records, found)
    }
}

impl Accepted<'_> {
    /// Why the record is not accepted, in a line; nothing when it is.
    pub fn refusal(&self, contracts: &Contracts) -> Option<String> {
        let Some(contract) = contract_in(contracts, &self.record) else {
            return Some("found a record of a type that no contract has".to_owned());
        };
        let verdict = check_against(contract, &self.record, |_| true);
        // A structured failure is valid: the record tells what went wrong, and tells it well.
        (!verdict.valid).then(|| format!("found {} on an accepted record", verdict.reasons.join(", ")))
    }
}

/// The faults of accepted records: refused ones, and contracts that have none.
pub fn judge(contracts: &Contracts, accepted: &[Accepted<'_>]) -> Vec<CorpusFault> {
    let refused = accepted
        .iter()
        .filter_map(|record| record.refusal(contracts).map(|why| CorpusFault::new(faults::CASE_TWIN_REFUSED, &record.place, why)));
    let seen: BTreeSet<_> = accepted.iter().filter_map(|record| contract_in(contracts, &record.record)).map(Contract::key).collect();
    let missing = contracts.all().map(Contract::key).filter(|key| !seen.contains(key));
    let missing = missing.map(|key| CorpusFault::new(faults::CASE_TWIN_MISSING, key, "found no accepted record of this type in a ledger"));
    refused.chain(missing).collect()
}

/// The record of a ledger that has this id or `gid`, if it is the only one.
pub fn record_named<'r, 'l>(accepted: &'r [Accepted<'l>], scenario: &str, id: &str) -> Option<&'r Value<'l>> {
    let named = |record: &Value<'_>| {
        let own = crate::contract::check::contract_of(record).and_then(|contract| contract.id.as_deref());
        own.is_some_and(|field| text(at(record, field)) == id) || text(record.get("gid")) == id
    };
    let mut found =
        accepted.iter().filter(|record| record.scenario == scenario).map(|accepted| &accepted.record).filter(|record| named(record));
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::table::contracts;
    use crate::folder::MemoryFolder;

    const RESULT: &str = r#"{"type":"swarm_directive_result","result_id":"r-1","directive_id":"d-1","status":"applied","source":"n"}"#;

    fn faults_of(text: &str) -> Vec<String> {
        let mut folder = MemoryFolder::default();
        folder.file("loop/one/records.jsonl", text);
        let ledgers = Ledgers::read(&folder);
        let (records, mut faults) = ledgers.records();
        faults.extend(judge(contracts(), &records));
        let of_ledger = |fault: &CorpusFault| fault.place.starts_with("fixtures/").then(|| format!("{} {}", fault.place, fault.code));
        faults.iter().filter_map(of_ledger).collect()
    }

    #[test]
    fn a_ledger_is_read_line_by_line_and_every_record_is_judged() {
        assert_eq!(faults_of(&format!("{RESULT}\n\n{RESULT}\n")), [""; 0]);
        assert_eq!(faults_of(&format!("{RESULT}\n{{\n")), ["fixtures/loop/one/records.jsonl:2 CASE_UNREADABLE"]);
        assert_eq!(faults_of(&RESULT.replace("applied", "issued")), ["fixtures/loop/one/records.jsonl:1 CASE_TWIN_REFUSED"]);
        assert_eq!(faults_of("{}"), ["fixtures/loop/one/records.jsonl:1 CASE_TWIN_REFUSED"]);
        assert_eq!(faults_of(" \n"), ["fixtures/loop/one/records.jsonl CASE_TWIN_MISSING"]);
    }

    #[test]
    fn a_record_is_named_by_its_own_id_and_only_if_no_other_has_it() {
        let mut folder = MemoryFolder::default();
        folder.file("loop/one/records.jsonl", RESULT);
        folder.file("loop/two/records.jsonl", format!("{RESULT}\n{RESULT}"));
        let ledgers = Ledgers::read(&folder);
        let (records, _) = ledgers.records();
        assert!(record_named(&records, "one", "r-1").is_some());
        assert!(record_named(&records, "one", "d-1").is_none(), "the directive's id is not its own");
        assert!(record_named(&records, "two", "r-1").is_none());
    }
}
