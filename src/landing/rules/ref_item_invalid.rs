//! # WORK_LANDING_REF_ITEM_INVALID
//!
//! ## Refuses
//!
//! A list of refs in which a usable item has one beside it that is not: a number, `null`, a blank, a
//! placeholder.
//!
//! ## Why it matters
//!
//! Evidence is judged whole or not at all; dropping the bad item would let one good ref carry any number of
//! empty ones.
//!
//! ## Evidence it reads
//!
//! `validation_refs` and `claimed_path_refs` of a row; the four lists of the projection protocol.
//!
//! ## Smallest refused
//!
//! ```json row
//! {"validation_refs": ["make test: ok", null]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {"validation_refs": ["make test: ok"]}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::protocol::Protocol;
use crate::landing::row::RunRow;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_REF_ITEM_INVALID"),
    source: include_str!("ref_item_invalid.rs"),
    always_with: &[],
    checks: &[Check::Row(judge_row), Check::Protocol(judge_protocol)],
};

fn judge_row(row: &RunRow<'_>) -> Option<Refusal> {
    let lists = [("validation_refs", row.validation_refs.is_mixed()), ("claimed_path_refs", row.claimed_path_refs.is_mixed())];
    refuse(lists)
}

fn judge_protocol(protocol: &Protocol<'_>) -> Option<Refusal> {
    refuse(LISTS.map(|list| (list, protocol.refs(list).is_mixed())))
}

const LISTS: [&str; 4] = ["source_pattern_ids", "source_refs", "projection_receipt_refs", "public_runtime_refs"];

fn refuse<const N: usize>(lists: [(&str, bool); N]) -> Option<Refusal> {
    let mixed: Vec<_> = lists.into_iter().filter_map(|(list, mixed)| mixed.then_some(list)).collect();
    let found = || format!("an item in {} that names nothing", mixed.join(" and "));
    (!mixed.is_empty()).then(|| Refusal::new(Support::NotShown, "refs to evidence", found(), "a list in which every item is a usable ref"))
}
