//! A trail of records, as `check trail` takes it: inspector, soundness, readiness, metrics, brief. What passes is held
//! against what the texts ask of every record of it.

use super::contract::hold;
use super::reference::record::check as refer;
use landfall::contract::execution_readiness::{ReadinessOptions, report};
use landfall::contract::trail::{Filters, stages};
use landfall::governance::observe::{brief_of, observe};
use landfall::governance::readiness::of_watched;
use landfall::governance::terms::CHAIN;
use landfall::governance::watch::Watch;
use landfall::json::{Value, parse};

/// The target.
pub fn feed(bytes: &[u8]) {
    let Ok(trail) = parse(bytes) else { return };
    let Some(records) = trail.get("records").and_then(Value::elements) else { return };
    records.iter().for_each(hold);
    let said = |key: &str| trail.get("filters").and_then(|filters| filters.get(key)).and_then(Value::as_str);
    let filters = Filters { proposal_id: said("proposal_id"), approval_id: said("approval_id"), plan_id: said("plan_id") };
    let mut watch = Watch::new(filters);
    records.iter().for_each(|record| watch.add(record));
    let watched = watch.finish();
    observe(&watched, filters.proposal_id);
    brief_of(&watched);
    let required = trail.get("options").and_then(|options| options.get("require_operator_authorized"));
    let options = ReadinessOptions {
        proposal_id: filters.proposal_id,
        rendered_command_id: said("rendered_command_id"),
        require_operator_authorized: required == Some(&Value::Bool(true)),
        rows_unreadable: 0,
    };
    let ready = report(records, &options);
    assert!(ready.is_well_formed(), "the readiness report breaks its own schema");
    let whole = filters.proposal_id.is_none() && filters.approval_id.is_none() && filters.plan_id.is_none();
    if whole {
        stages_are_counted(records, &filters);
        if watched.soundness.is_sound() {
            sound(records);
        }
        if of_watched(&watched, None).passed() {
            // Readiness asks whether the stages are there and valid; whether they are one chain, soundness says.
            assert!(watched.summary.chain_complete, "ready without a stage");
            chain(records).for_each(|record| accepted(record, "a chain that is ready"));
        }
        if ready.passed() && options.rendered_command_id.is_none() {
            records.iter().filter(|record| is_execution(record)).for_each(|record| accepted(record, "a trail that is ready"));
        }
    }
}

fn record_type<'v>(record: &'v Value<'v>) -> &'v str {
    record.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// The records of the seven stages.
fn chain<'r, 'v>(records: &'r [Value<'v>]) -> impl Iterator<Item = &'r Value<'v>> {
    records.iter().filter(|record| CHAIN.contains(&record_type(record)))
}

fn is_execution(record: &Value<'_>) -> bool {
    let known = super::reference::transcript::sections().iter().any(|section| section.sorted && section.record_type == record_type(record));
    known && !CHAIN.contains(&record_type(record))
}

fn accepted(record: &Value<'_>, of: &str) {
    let verdict = refer(record);
    assert!(verdict.valid, "{of} has a {} that the reference refuses for {:?}", record_type(record), verdict.reasons);
}

/// The stages, counted by hand.
fn stages_are_counted(records: &[Value<'_>], filters: &Filters<'_>) {
    let found = stages(records, filters);
    let counts = CHAIN.map(|stage| records.iter().filter(|record| record_type(record) == stage).count() as u64);
    assert_eq!(found.counts.values().sum::<u64>(), counts.iter().sum::<u64>(), "records of stages were lost or made up");
    assert_eq!(
        found.missing.len(),
        counts.iter().filter(|count| **count == 0).count(),
        "the missing stages are not those without a record"
    );
}

/// A sound chain: records that are accepted, of which each stands behind the parent that it names.
fn sound(records: &[Value<'_>]) {
    const PARENTS: [(usize, &str, usize, &str); 5] = [
        (1, "proposal_id", 0, "proposal_id"),
        (2, "proposal_id", 0, "proposal_id"),
        (2, "approval_id", 1, "approval_id"),
        (3, "plan_id", 2, "plan_id"),
        (4, "rendered_command_id", 3, "rendered_command_id"),
    ];
    let chain: Vec<_> = chain(records).collect();
    assert!(!chain.is_empty(), "a chain without records is sound");
    let said = |record: &Value<'_>, field: &str| landfall::contract::value::text(record.get(field)).into_owned();
    for (place, record) in chain.iter().enumerate() {
        accepted(record, "a sound chain");
        for (child, field, parent, id) in PARENTS.iter().filter(|(child, ..)| CHAIN[*child] == record_type(record)) {
            let named = said(record, field);
            let there = chain[..place].iter().any(|earlier| record_type(earlier) == CHAIN[*parent] && said(earlier, id) == named);
            assert!(there, "a sound chain has a {} whose {field} names no record before it", CHAIN[*child]);
        }
    }
}
