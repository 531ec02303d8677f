//! The optional evidence that several rules read (spec 3.5). No rule lies here.

use crate::json::Value;
use crate::landing::row::RunRow;
use std::collections::HashSet;

/// The recorded outcomes of a row's own validations, under a landed claim; none otherwise.
pub(super) fn outcomes<'r>(row: &'r RunRow<'_>) -> impl Iterator<Item = &'r Value<'r>> {
    let all = row.validation_outcomes.as_ref().filter(|_| row.claims_landed()).and_then(Value::elements).unwrap_or_default();
    // A set, so that a row of many refs and many outcomes stays linear.
    let refs = || row.validation_refs.texts().map(AsRef::as_ref).collect();
    let own: HashSet<&str> = if all.is_empty() { HashSet::new() } else { refs() };
    all.iter().filter(move |outcome| outcome.get("ref").and_then(Value::as_str).is_some_and(|named| own.contains(named)))
}

/// A fact of the row's `evidence` block; `None` where the block, or the fact, is no object.
///
/// The block is what an importer found out: `paths`, `validation`, `order`, `outcome`, `head`, `commit_attempt`,
/// `blocker` and `completion`, each with its `depth`. A declared fault weighs as much as a derived one, so no rule
/// asks for the depth.
pub(super) fn fact<'r>(row: &'r RunRow<'_>, name: &str) -> Option<&'r Value<'r>> {
    row.evidence.as_ref()?.get(name).filter(|fact| fact.is_object())
}

/// The same under a landed claim; `None` otherwise.
pub(super) fn landed_fact<'r>(row: &'r RunRow<'_>, name: &str) -> Option<&'r Value<'r>> {
    fact(row, name).filter(|_| row.claims_landed())
}
