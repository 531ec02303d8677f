//! The audit of contracts: does every clause bear its load?
//!
//! A clause needs a record that only it refuses: with the clause taken out, in process, the record slips
//! through. Most such records are made ([`crate::contract::broken`]); a case written by hand counts as well.

use super::faults::{self, CorpusFault};
use super::ledgers::Accepted;
use crate::contract::broken::{Broken, broken_of};
use crate::contract::check::{check_against, contract_in};
use crate::contract::table::{Clause, Contract, Contracts};
use crate::json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A clause by its contract's key and its own name.
pub type ClauseName = (String, String);

/// What the audit of the clauses found, and how much it looked at.
#[derive(Debug, Clone, Default)]
pub struct ClausesAudited {
    /// The faults.
    pub faults: Vec<CorpusFault>,
    /// Clauses of all contracts.
    pub clauses_found: usize,
    /// Those whose record slipped through without them.
    pub clauses_bearing: usize,
    /// Broken records made and judged.
    pub records_made: usize,
}

/// The accepted records of each contract, those that get no reason at all, in ledger order.
pub fn by_contract<'r, 'l>(contracts: &Contracts, accepted: &'r [Accepted<'l>]) -> BTreeMap<String, Vec<&'r Value<'l>>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for accepted in accepted {
        let Some(contract) = contract_in(contracts, &accepted.record) else { continue };
        if check_against(contract, &accepted.record, |_| true).reasons.is_empty() {
            found.entry(contract.key()).or_default().push(&accepted.record);
        }
    }
    found
}

/// Audits every clause, given what cases written by hand expect, and which clauses they show to bear load.
pub fn audit_clauses(
    contracts: &Contracts,
    accepted: &[Accepted<'_>],
    expected_by_cases: &BTreeSet<ClauseName>,
    borne_by_cases: &BTreeSet<ClauseName>,
) -> ClausesAudited {
    let mut audited = ClausesAudited::default();
    let valid = by_contract(contracts, accepted);
    let mut all: Vec<_> = contracts.all().collect();
    all.sort_by_key(|contract| contract.key());
    for contract in all {
        let key = contract.key();
        let made = broken_of(contract, valid.get(&key).map_or(&[], Vec::as_slice));
        audited.records_made += made.records.len();
        let bearing: BTreeSet<_> =
            made.records.iter().filter(|broken| slips_through(contract, broken)).map(|broken| broken.clause).collect();
        for (place, clause) in contract.clauses.iter().enumerate() {
            audited.clauses_found += 1;
            let name = (key.clone(), clause.name().to_owned());
            if bearing.contains(&place) || borne_by_cases.contains(&name) {
                audited.clauses_bearing += 1;
                continue;
            }
            let subject = format!("{key}/{}", clause.name());
            let unbroken = made.unbroken.iter().find(|unbroken| unbroken.clause == place);
            audited.faults.push(if expected_by_cases.contains(&name) || unbroken.is_none() {
                CorpusFault::new(faults::RULE_BEARS_NO_LOAD, subject, "found no record that only this clause refuses")
            } else {
                let beside = unbroken.map(|unbroken| unbroken.beside.as_slice()).unwrap_or_default();
                CorpusFault::new(faults::RULE_WITHOUT_CASE, subject, without_case(beside))
            });
        }
    }
    audited
}

/// Why no record shows a clause, with what came along when one nearly did.
pub fn without_case(beside: &[String]) -> String {
    let found = "found no case that expects this reason, and no edit of an accepted record that gives it alone";
    match beside {
        [] => found.to_owned(),
        beside => format!("{found}; at best it comes with {}", beside.join(", ")),
    }
}

/// Whether a broken record, which gets its own reasons and no others, gets none at all without its clause and
/// what comes along with that.
pub fn slips_through(contract: &Contract, broken: &Broken<'_>) -> bool {
    contract.clauses.get(broken.clause).is_some_and(|clause| bears(contract, clause, &broken.record))
}

fn bears(contract: &Contract, clause: &Clause, record: &Value<'_>) -> bool {
    clause.when.holds(record) && check_against(contract, record, |other| !clause.declares(other)).reasons.is_empty()
}

/// The clauses whose reasons a record gets, and the one that it shows to bear load, if it does.
pub fn shown_by(contracts: &Contracts, record: &Value<'_>) -> (Vec<ClauseName>, Option<ClauseName>) {
    let Some(contract) = contract_in(contracts, record) else { return (Vec::new(), None) };
    let name = |clause: &Clause| (contract.key(), clause.name().to_owned());
    let met: Vec<_> = contract.clauses.iter().filter(|clause| clause.when.holds(record)).collect();
    let bearing = met.iter().find(|clause| bears(contract, clause, record)).map(|clause| name(clause));
    (met.iter().map(|clause| name(clause)).collect(), bearing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    const CONTRACT: &str = r#"{"type": "note", "id": "note_id", "scanned": true, "severity": "critical", "parents": [], "idempotent_by": [],
        "clauses": [{"reason": "missing_note_id", "when": {"blank": "note_id"}}, {"reason": "IDLE", "when": WHEN}]}"#;

    fn faults_of(reason: &str, when: &str) -> Vec<(String, String)> {
        let text = CONTRACT.replace("IDLE", reason).replace("WHEN", when);
        let contracts = Contracts::read(&[("governance/note", &text)]).expect("the test's contract reads");
        let record = parse(br#"{"type": "note", "note_id": "n-1"}"#).expect("JSON");
        let accepted = [Accepted { scenario: "s", place: String::new(), line: 1, record }];
        let audited = audit_clauses(&contracts, &accepted, &BTreeSet::new(), &BTreeSet::new());
        assert_eq!(audited.clauses_found, 2);
        assert_eq!(audited.clauses_bearing + audited.faults.len(), 2);
        audited.faults.into_iter().map(|fault| (fault.code.as_str().to_owned(), fault.place)).collect()
    }

    #[test]
    fn a_clause_that_another_makes_idle_or_that_nothing_meets_is_named() {
        let named = |code: &str| vec![(code.to_owned(), "note/idle".to_owned())];
        assert_eq!(faults_of("idle", r#"{"flag": "sent"}"#), []);
        assert_eq!(faults_of("idle", r#"{"all": [{"blank": "note_id"}, {"not": {"present": "note_id"}}]}"#), named("RULE_WITHOUT_CASE"));
        assert_eq!(faults_of("idle", r#"{"all": [{"flag": "sent"}, {"not": {"flag": "sent"}}]}"#), named("RULE_WITHOUT_CASE"));
    }

    #[test]
    fn a_case_by_hand_shows_its_clause() {
        let text = CONTRACT.replace("IDLE", "note_sent").replace("WHEN", r#"{"flag": "sent"}"#);
        let contracts = Contracts::read(&[("governance/note", &text)]).expect("the test's contract reads");
        let shown = |text: &str| shown_by(&contracts, &parse(text.as_bytes()).expect("JSON"));
        let name = |clause: &str| ("note".to_owned(), clause.to_owned());
        assert_eq!(shown(r#"{"type": "note", "sent": true}"#), (vec![name("missing_note_id"), name("note_sent")], None));
        assert_eq!(shown(r#"{"type": "note", "note_id": "n", "sent": 1}"#), (vec![name("note_sent")], Some(name("note_sent"))));
        assert_eq!(shown(r#"{"type": "other"}"#), (vec![], None));
    }
}
