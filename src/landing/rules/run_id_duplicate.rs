//! # WORK_LANDING_RUN_ID_DUPLICATE
//!
//! ## Refuses
//!
//! A row whose usable `run_id` an earlier row of the table has, compared exactly.
//!
//! ## Why it matters
//!
//! One attempt is not two, least of all landed and stopped at once.
//!
//! ## Evidence it reads
//!
//! `run_id` of all rows of a table.
//!
//! ## Smallest refused
//!
//! ```json runs
//! {"work_landing_runs": [{"run_id": "a"}, {"run_id": "a"}]}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json runs
//! {"work_landing_runs": [{"run_id": "a"}, {"run_id": "A"}]}
//! ```
//!
//! Source: work-landing specification, section 3.1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_RUN_ID_DUPLICATE"),
    source: include_str!("run_id_duplicate.rs"),
    always_with: &[],
    checks: &[Check::Repeat(judge)],
};

fn judge(repeats_an_earlier_id: bool) -> Option<Refusal> {
    repeats_an_earlier_id
        .then(|| Refusal::new(Support::Contradicted, "an attempt of its own", "the run_id of an earlier row", "an id no other row has"))
}
