//! # WORK_LANDING_PROJECTION_PROTOCOL_DENSITY_MISSING
//!
//! ## Refuses
//!
//! A protocol that does not cite the pattern `durable_agent_work_landing_replay_compound`, or names fewer than
//! 3 sources, 2 projection receipts or 3 public runtime refs. Only distinct, usable refs count.
//!
//! ## Why it matters
//!
//! A projection that cites too little can be neither traced to its sources nor checked; one ref three times is
//! one ref.
//!
//! ## Evidence it reads
//!
//! `source_pattern_ids`, `source_refs`, `projection_receipt_refs`, `public_runtime_refs`.
//!
//! ## Smallest refused
//!
//! ```json protocol
//! {
//!   "source_pattern_ids": [
//!     "durable_agent_work_landing_replay_compound"
//!   ],
//!   "source_refs": [
//!     "a",
//!     "b",
//!     "a "
//!   ],
//!   "projection_receipt_refs": [
//!     "d",
//!     "e"
//!   ],
//!   "public_runtime_refs": [
//!     "f",
//!     "g",
//!     "h"
//!   ]
//! }
//! ```
//!
//! ## Nearest accepted
//!
//! ```json protocol
//! {
//!   "source_pattern_ids": [
//!     "durable_agent_work_landing_replay_compound"
//!   ],
//!   "source_refs": [
//!     "a",
//!     "b",
//!     "c"
//!   ],
//!   "projection_receipt_refs": [
//!     "d",
//!     "e"
//!   ],
//!   "public_runtime_refs": [
//!     "f",
//!     "g",
//!     "h"
//!   ]
//! }
//! ```
//!
//! Source: work-landing specification, section 3.3.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::protocol::{FLOORS, Protocol, REQUIRED_PATTERN};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_PROJECTION_PROTOCOL_DENSITY_MISSING"),
    source: include_str!("projection_protocol_density_missing.rs"),
    always_with: &[],
    checks: &[Check::Protocol(judge)],
};

fn judge(protocol: &Protocol<'_>) -> Option<Refusal> {
    let mut short: Vec<_> = FLOORS
        .into_iter()
        .map(|(list, floor)| (list, protocol.distinct_refs(list), floor))
        .filter(|(_, count, floor)| count < floor)
        .map(|(list, count, floor)| format!("{count} of {floor} in {list}"))
        .collect();
    if !protocol.cites_pattern() {
        short.push("no citation of the required pattern".to_owned());
    }
    (!short.is_empty()).then(|| {
        let needed = format!("{REQUIRED_PATTERN} among source_pattern_ids, and enough distinct refs in each list");
        Refusal::new(Support::NotShown, "a projection of cited sources", short.join(", "), needed)
    })
}
