//! The builders of guarded execution: one function for every type whose contract says how it is made.

use super::{Builder, Draft, Refused, Skipped, Wishes, own_id};
use crate::contract::build::By;
use crate::contract::table::{Contract, contracts};
use crate::execution::build::{From, own, seal, start};
use crate::execution::trail::{Trail, contract_of, short};
use crate::governance::build::Refusal;
use crate::ledger::{Ledger, LedgerError, Record, Surroundings};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

/// The builders, in the order of the graph.
pub(super) static BUILDERS: LazyLock<Vec<Builder>> = LazyLock::new(|| {
    let built = |contract: &&Contract| contract.build.as_ref().is_some_and(|build| build.by != By::Runner);
    let summary = contracts().of_type("replay_lifecycle_retry_mock_execution_summary").iter();
    let stages = contracts().execution_stages().into_iter().map(|(contract, _)| contract);
    let row = |contract: &'static Contract| Builder {
        record_type: &contract.record_type,
        short: short(&contract.record_type),
        source: "landfall",
        needs: &[],
        sweeps: true,
        drafts,
    };
    summary.chain(stages).filter(built).map(row).collect()
});

/// A child of each parent that has none.
fn drafts(builder: &Builder, ledger: &dyn Ledger, wishes: &Wishes, _: &mut dyn Surroundings) -> Result<Vec<Draft>, LedgerError> {
    let Some((contract, parent)) = contract_of(builder.record_type).and_then(|contract| Some((contract, contract.parents.first()?))) else {
        return Ok(Vec::new());
    };
    let trail = Trail::of(ledger)?;
    let done = Done::of(&trail, contract);
    let mut seen = HashSet::new();
    let mut drafts = Vec::new();
    for kept in trail.of_type(&parent.record_type) {
        let record = &kept.record;
        let id = own_id(record);
        if !wishes.pick(record) || !seen.insert(id.clone()) {
            continue;
        }
        let refused = |reasons: BTreeSet<String>| {
            let reasons = reasons.into_iter().map(Refusal::Chain).collect();
            Draft::Refused(Refused { record_type: parent.record_type.clone(), record_id: id.clone(), reasons })
        };
        let from = From { parent: record, terms: &wishes.terms, trail: &trail };
        let begun = start(contract, record);
        let made = match own(builder.record_type) {
            Some(own) => own(&from, begun),
            None => Ok(begun),
        };
        let made = made.map(|made| seal(contract, made, &wishes.source));
        if let Some(known) = made.as_ref().ok().and_then(|made| done.same(made)) {
            drafts.push(Draft::Kept(Skipped { record_type: builder.record_type.to_owned(), record_id: known }));
            continue;
        }
        let mut reasons = trail.faults(contract, kept);
        if contract.build.as_ref().is_some_and(|build| build.records_refusal) {
            // What the parent itself lacks is what the record is there to say.
            let of_parent = short(&parent.record_type);
            reasons.retain(|reason| reason.rsplit(':').next() != Some(of_parent) || reason.starts_with("lineage_orphaned"));
            let waits = made.as_ref().is_ok_and(|made| !made.verdict().valid);
            if waits {
                reasons.remove("approval_superseded");
            }
        }
        if made.as_ref().is_ok_and(|made| done.decided_otherwise(made)) {
            reasons.insert("approval_already_decided".to_owned());
        }
        drafts.push(match made {
            Ok(made) if reasons.is_empty() => match contract.build.as_ref().is_some_and(|build| build.records_refusal) {
                true => Draft::Recorded(made),
                false => Draft::Ready(made),
            },
            Ok(_) => refused(reasons),
            Err(more) => {
                reasons.extend(more);
                refused(reasons)
            }
        });
    }
    Ok(drafts)
}

/// What there is already of a type, by the fields that make a repeat.
struct Done<'c> {
    contract: &'c Contract,
    /// The own id of the record that says these.
    by_keys: HashMap<Vec<String>, String>,
    /// The texts of the field by which there is one record only.
    decided: HashSet<String>,
}

impl<'c> Done<'c> {
    fn of(trail: &Trail, contract: &'c Contract) -> Self {
        let mut done = Self { contract, by_keys: HashMap::new(), decided: HashSet::new() };
        for kept in trail.of_type(&contract.record_type) {
            let keys = done.keys(&kept.record);
            done.by_keys.entry(keys).or_insert_with(|| own_id(&kept.record));
            if let Some(once) = contract.build.as_ref().and_then(|build| build.once_by.as_ref()) {
                done.decided.insert(kept.record.text(once));
            }
        }
        done
    }

    fn keys(&self, record: &Record) -> Vec<String> {
        self.contract.idempotent_by.iter().map(|key| record.text(key)).collect()
    }

    /// The id of the record that a new one would repeat.
    fn same(&self, record: &Record) -> Option<String> {
        let keys = self.keys(record);
        self.by_keys.get(&keys).filter(|_| keys.iter().all(|key| !key.is_empty())).cloned()
    }

    /// Whether there is another decision about the same.
    fn decided_otherwise(&self, record: &Record) -> bool {
        let once = self.contract.build.as_ref().and_then(|build| build.once_by.as_ref());
        once.is_some_and(|once| self.decided.contains(&record.text(once)))
    }
}
