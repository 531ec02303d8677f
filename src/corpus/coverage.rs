//! The nine broken cases of the floor, and the record that says they were caught (spec 4, 11).

use super::case_code::CaseCode;
use crate::code::Code;
use crate::json::{Value, parse};
use std::collections::BTreeSet;

/// The nine, each with the code it stands for, by id.
pub const NINE: [(&str, Code); 9] = [
    ("claim_without_work_ledger_closeout", Code::named("WORK_LANDING_LEDGER_CLOSEOUT_MISSING")),
    ("commit_claim_without_head_change", Code::named("WORK_LANDING_HEAD_ADVANCE_MISSING")),
    ("dirty_tree_boundary_missing", Code::named("WORK_LANDING_DIRTY_TREE_BOUNDARY_MISSING")),
    ("live_git_mutation_authorized", Code::named("WORK_LANDING_LIVE_GIT_MUTATION_AUTHORITY")),
    ("missing_evidence_ref", Code::named("WORK_LANDING_EVIDENCE_REF_MISSING")),
    ("private_path_leakage", Code::named("WORK_LANDING_PRIVATE_PATH_LEAKAGE")),
    ("release_overclaim", Code::named("WORK_LANDING_RELEASE_OVERCLAIM")),
    ("uncaptured_blocker", Code::named("WORK_LANDING_BLOCKER_CAPTURE_MISSING")),
    ("validation_after_commit_attempt", Code::named("WORK_LANDING_VALIDATION_ORDER_MISSING")),
];

/// The ids of the nine, sorted.
pub fn nine_ids() -> Vec<String> {
    NINE.iter().map(|(id, _)| (*id).to_owned()).collect()
}

/// One of the nine as it was found.
#[derive(Debug, Clone)]
pub enum CaseSeen<'c> {
    /// No regular file.
    Absent,
    /// Its input is no object.
    NotObject,
    /// It was judged.
    Judged {
        /// Whether its `case_id` is its file stem.
        says_its_id: bool,
        /// The codes it must produce.
        expected: &'c [CaseCode],
        /// The codes it produced.
        codes: &'c BTreeSet<CaseCode>,
    },
}

/// The coverage record that `check-corpus` is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CoverageSeen {
    /// There is none that can be read.
    Missing,
    /// It was read.
    Read {
        /// Whether it signs the nine off.
        passing: bool,
        /// Why not, if not.
        why: &'static str,
    },
}

impl CoverageSeen {
    /// What the bytes of a coverage record say; `None` stands for no file.
    pub fn of_bytes(bytes: Option<&[u8]>) -> Self {
        bytes.and_then(|bytes| parse(bytes).ok()).map_or(Self::Missing, |value| Self::of_value(&value))
    }

    /// What a coverage record says.
    pub fn of_value(record: &Value<'_>) -> Self {
        let list = |key: &str| record.get(key).and_then(Value::elements);
        let accepts_the_nine = list("accepted_negative_cases").is_some_and(|accepted| {
            accepted.len() == NINE.len() && NINE.iter().zip(accepted).all(|((id, _), found)| found.as_str() == Some(id))
        });
        let why = if !record.is_object() {
            "no object"
        } else if record.get("status").and_then(Value::as_str) != Some("pass") {
            "a status that is not pass"
        } else if !list("missing_negative_cases").is_some_and(<[_]>::is_empty) {
            "missing_negative_cases that is no empty list"
        } else if !accepts_the_nine {
            "accepted_negative_cases that are not exactly the nine, sorted"
        } else {
            ""
        };
        Self::Read { passing: why.is_empty(), why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nine_are_sorted_and_stand_for_codes_that_rules_have() {
        assert!(NINE.is_sorted());
        for (id, code) in NINE {
            assert_eq!(Code::lookup(code.as_str()), Some(code), "{id}");
        }
    }
}
