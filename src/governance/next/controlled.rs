//! The controlled runner: a result for each rendered command that has none, and a summary of its mock.

use super::{Outcome, Skipped, Wishes, builder_of, own_id, publish, publish_unless};
use crate::contract::table::contracts;
use crate::execution::build::controlled::{CONTROLLED, Intent, controlled};
use crate::execution::trail::{Trail, short};
use crate::governance::build::Refusal;
use crate::governance::terms::RENDERED;
use crate::ledger::{Ledger, LedgerError, Surroundings};
use std::collections::{BTreeSet, HashSet};

/// Publishes what is missing, as `wishes` ask; no command is run.
///
/// # Errors
/// The storage failed; what was published before stays.
pub fn run_controlled(
    ledger: &mut dyn Ledger,
    intent: Intent,
    wishes: &Wishes,
    around: &mut dyn Surroundings,
) -> Result<Outcome, LedgerError> {
    let before = ledger.passed_over();
    let trail = Trail::of(ledger)?;
    let contract = &contracts().of_type(CONTROLLED)[0];
    let mut outcome = Outcome::default();
    if ledger.passed_over() > before {
        outcome.refused.push(super::Refused::of_ledger());
        return Ok(outcome);
    }
    let done: HashSet<_> = ["rendered_command_id", "plan_id"]
        .into_iter()
        .flat_map(|field| trail.of_type(CONTROLLED).iter().map(move |kept| (field, kept.record.text(field))))
        .filter(|(_, said)| !said.is_empty())
        .collect();
    let mut seen = HashSet::new();
    for kept in trail.of_type(RENDERED).iter().filter(|kept| wishes.pick(&kept.record)) {
        let rendered = &kept.record;
        if !seen.insert(own_id(rendered)) {
            continue;
        }
        if ["rendered_command_id", "plan_id"].iter().any(|field| done.contains(&(*field, rendered.linked(field)))) {
            outcome.skipped.push(Skipped { record_type: CONTROLLED.to_owned(), record_id: own_id(rendered) });
            continue;
        }
        let faults: BTreeSet<_> = trail.faults(contract, kept);
        if !faults.is_empty() {
            outcome.refused.push(super::Refused {
                record_type: RENDERED.to_owned(),
                record_id: own_id(rendered),
                reasons: faults.into_iter().map(Refusal::Chain).collect(),
            });
            continue;
        }
        let record = controlled(rendered, intent, &wishes.source);
        let keys = ["rendered_command_id", "plan_id"].map(str::to_owned);
        publish_unless(ledger, record, &keys, &mut outcome, around)?;
    }
    if intent.mock && !intent.real {
        summaries(ledger, wishes, &mut outcome, around)?;
    }
    Ok(outcome)
}

/// The summaries of the results that were published now.
fn summaries(ledger: &mut dyn Ledger, wishes: &Wishes, outcome: &mut Outcome, around: &mut dyn Surroundings) -> Result<(), LedgerError> {
    let new: Vec<_> = outcome.published.clone();
    let Some(builder) = builder_of(short("replay_lifecycle_retry_mock_execution_summary")) else { return Ok(()) };
    for result in &new {
        let wishes = wishes.clone().linked("controlled_execution_result_id", Some(&result.text("controlled_execution_result_id")));
        for draft in (builder.drafts)(builder, ledger, &wishes, around)? {
            match draft {
                super::Draft::Ready(record) => publish(ledger, record, outcome, around)?,
                super::Draft::Refused(refused) => outcome.refused.push(refused),
                super::Draft::Recorded(_) | super::Draft::Kept(_) | super::Draft::Done(_) => {}
            }
        }
    }
    Ok(())
}
