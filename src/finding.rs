//! What a rule says about a subject, and how bad that is.

use crate::code::Code;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt;

/// How far the evidence carries the claim (spec 3.6). The order is from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// No finding.
    Supported,
    /// The evidence that would decide is not there, or cannot be read.
    NotShown,
    /// The evidence says the opposite.
    Contradicted,
    /// The input claims or carries what no input may.
    Forbidden,
}

impl Support {
    /// The word used in records and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::NotShown => "not_shown",
            Self::Contradicted => "contradicted",
            Self::Forbidden => "forbidden",
        }
    }
}

/// A part of a refusal. Most are fixed; those that are put together of fixed parts are so only when somebody reads
/// them, since of a table full of refused rows nearly no refusal is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// Always the same.
    Fixed(&'static str),
    /// What was found in a field, and the field.
    In(&'static str, &'static str),
    /// Put together for this subject.
    Made(String),
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(text) => f.write_str(text),
            Self::In(found, field) => write!(f, "{found} in {field}"),
            Self::Made(text) => f.write_str(text),
        }
    }
}

impl From<&'static str> for Words {
    fn from(text: &'static str) -> Self {
        Self::Fixed(text)
    }
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self::Made(text)
    }
}

/// A rule's answer when it refuses: what was claimed, what was found, what would have satisfied it.
///
/// None of the three may quote the input: a value is named by its kind, a place by its pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// How bad it is.
    pub support: Support,
    /// What the input claims.
    pub claimed: Words,
    /// What was found instead.
    pub found: Words,
    /// What would have satisfied the rule.
    pub needed: Words,
}

impl Refusal {
    /// Puts a refusal together.
    pub fn new(support: Support, claimed: impl Into<Words>, found: impl Into<Words>, needed: impl Into<Words>) -> Self {
        Self { support, claimed: claimed.into(), found: found.into(), needed: needed.into() }
    }

    /// The three in one line.
    pub fn message(&self) -> String {
        format!("{}; found {}; needed {}", self.claimed, self.found, self.needed)
    }
}

/// One refusal of one subject, as records show it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The case or floor the subject belongs to.
    #[serde(rename = "negative_case_id")]
    pub case_id: String,
    /// What kind of thing was judged.
    pub subject_kind: String,
    /// Its name, or its position where the name cannot be shown.
    pub subject_id: String,
    /// The code of the rule that refuses.
    pub error_code: Code,
    /// What was claimed, what was found, what would have satisfied the rule.
    pub message: String,
    /// How bad it is.
    pub support: Support,
    /// Always false: a finding carries no body.
    pub body_in_receipt: bool,
}

impl Finding {
    /// The finding for `refusal` of a subject.
    pub fn new(code: Code, refusal: &Refusal, case_id: &str, subject_kind: &str, subject_id: &str) -> Self {
        Self {
            case_id: case_id.to_owned(),
            subject_kind: subject_kind.to_owned(),
            subject_id: subject_id.to_owned(),
            error_code: code,
            message: refusal.message(),
            support: refusal.support,
            body_in_receipt: false,
        }
    }
}

/// Findings with true totals, of which only the first in record order are kept. Lists are appended in any order
/// and grouping with the same outcome.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(into = "WrittenList", from = "WrittenList")]
pub struct FindingList {
    /// The greatest of those kept is on top and goes first.
    kept: BinaryHeap<Finding>,
    totals: BTreeMap<Code, u64>,
    worst: Option<Support>,
}

impl FindingList {
    /// The most findings that a list keeps, and that a record shows.
    pub const LIMIT: usize = 1000;

    /// Counts a refusal; its finding is made only if it can still be listed.
    pub fn refuse(&mut self, code: Code, refusal: &Refusal, case_id: &str, kind: &str, subject: &str) {
        self.count(code, refusal.support);
        if self.may_list(case_id, kind, subject) {
            self.keep(Finding::new(code, refusal, case_id, kind, subject));
        }
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: Finding) {
        self.count(finding.error_code, finding.support);
        if self.may_list(&finding.case_id, &finding.subject_kind, &finding.subject_id) {
            self.keep(finding);
        }
    }

    /// All findings, those not kept included.
    pub fn total(&self) -> u64 {
        self.totals.values().sum()
    }

    /// Every code.
    pub fn codes(&self) -> BTreeSet<Code> {
        self.totals.keys().copied().collect()
    }

    /// The number of findings by code.
    pub fn totals(&self) -> &BTreeMap<Code, u64> {
        &self.totals
    }

    /// Whether nothing was refused.
    pub fn is_empty(&self) -> bool {
        self.totals.is_empty()
    }

    /// The worst support of all findings.
    pub fn worst(&self) -> Support {
        self.worst.unwrap_or(Support::Supported)
    }

    /// The findings kept, in record order.
    pub fn into_sorted(self) -> Vec<Finding> {
        self.kept.into_sorted_vec()
    }

    /// Takes in everything another list has.
    pub fn append(&mut self, other: Self) {
        for (code, count) in other.totals {
            *self.totals.entry(code).or_default() += count;
        }
        self.worst = self.worst.max(other.worst);
        for finding in other.kept {
            self.keep(finding);
        }
    }

    /// The list with each kept finding changed by `change`; totals stay.
    #[must_use]
    pub fn map(self, change: impl FnMut(Finding) -> Finding) -> Self {
        Self { kept: self.kept.into_iter().map(change).collect(), ..self }
    }

    /// Counts refusals of which no finding is listed.
    pub(crate) fn add(&mut self, code: Code, support: Support, refusals: u64) {
        *self.totals.entry(code).or_default() += refusals;
        self.worst = self.worst.max(Some(support));
    }

    fn count(&mut self, code: Code, support: Support) {
        self.add(code, support, 1);
    }

    /// Whether a finding on this subject could still be listed; if not, none on a later one (in order) can.
    pub(crate) fn may_list(&self, case_id: &str, kind: &str, subject: &str) -> bool {
        let place = |finding: &Finding| (case_id, kind, subject) <= (&*finding.case_id, &*finding.subject_kind, &*finding.subject_id);
        self.kept.len() < Self::LIMIT || self.kept.peek().is_some_and(place)
    }

    fn keep(&mut self, finding: Finding) {
        self.kept.push(finding);
        if self.kept.len() > Self::LIMIT {
            self.kept.pop();
        }
    }
}

/// A list as a partial record writes it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenList {
    kept: Vec<Finding>,
    totals: BTreeMap<Code, u64>,
    worst: Option<Support>,
}

impl From<FindingList> for WrittenList {
    fn from(list: FindingList) -> Self {
        Self { totals: list.totals.clone(), worst: list.worst, kept: list.into_sorted() }
    }
}

impl From<WrittenList> for FindingList {
    fn from(written: WrittenList) -> Self {
        let mut list = Self { kept: BinaryHeap::new(), totals: written.totals, worst: written.worst };
        written.kept.into_iter().for_each(|finding| list.keep(finding));
        list
    }
}

impl From<Vec<Finding>> for FindingList {
    fn from(findings: Vec<Finding>) -> Self {
        findings.into_iter().collect()
    }
}

impl Extend<Finding> for FindingList {
    fn extend<I: IntoIterator<Item = Finding>>(&mut self, findings: I) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

impl FromIterator<Finding> for FindingList {
    fn from_iter<I: IntoIterator<Item = Finding>>(findings: I) -> Self {
        let mut list = Self::default();
        list.extend(findings);
        list
    }
}

/// The worst support among `findings`; supported when there are none.
pub fn worst<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Support {
    findings.into_iter().map(|finding| finding.support).max().unwrap_or(Support::Supported)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(at: usize) -> Code {
        crate::code::all().nth(at).expect("there are many codes")
    }

    fn finding(subject: usize, support: Support) -> Finding {
        Finding::new(code(0), &Refusal::new(support, "a claim", "a fact", "another"), "case", "kind", &format!("{subject:05}"))
    }

    #[test]
    fn a_list_counts_all_and_keeps_the_first() {
        let mut list = FindingList::default();
        assert!(list.is_empty());
        assert_eq!((list.total(), list.worst()), (0, Support::Supported));
        // From behind, so that each one goes in front of those that are kept.
        for subject in (1..=FindingList::LIMIT + 1).rev() {
            list.push(finding(subject, Support::NotShown));
        }
        list.add(code(1), Support::Contradicted, 5);
        assert!(!list.is_empty());
        assert_eq!(list.totals(), &BTreeMap::from([(code(0), FindingList::LIMIT as u64 + 1), (code(1), 5)]));
        assert_eq!((list.total(), list.worst()), (FindingList::LIMIT as u64 + 6, Support::Contradicted));
        let last = format!("{:05}", FindingList::LIMIT);
        assert!(list.may_list("case", "kind", &last), "the last that is kept may be told once more");
        assert!(!list.may_list("case", "kind", &format!("{last}.")));
        list.refuse(code(0), &Refusal::new(Support::Forbidden, "a claim", "a fact", "another"), "case", "kind", "00000");
        assert_eq!(list.worst(), Support::Forbidden);
        let kept: Vec<String> = list.into_sorted().into_iter().map(|finding| finding.subject_id).collect();
        let first: Vec<String> = (0..FindingList::LIMIT).map(|subject| format!("{subject:05}")).collect();
        assert_eq!(kept, first);
    }

    #[test]
    fn lists_are_appended_in_any_order() {
        let list = |subjects: std::ops::Range<usize>, support| subjects.map(|at| finding(at, support)).collect::<FindingList>();
        let (few, more) = (list(0..2, Support::Forbidden), list(2..5, Support::NotShown));
        let (mut one, mut other) = (few.clone(), more.clone());
        one.append(more);
        other.append(few);
        assert_eq!((one.total(), one.worst()), (5, Support::Forbidden));
        assert_eq!(crate::json::to_line(&one), crate::json::to_line(&other));
    }

    #[test]
    fn words_are_put_together_when_they_are_read() {
        let refusal = Refusal::new(Support::NotShown, "a claim", Words::In("null", "a_field"), "another".to_owned());
        assert_eq!(refusal.message(), "a claim; found null in a_field; needed another");
    }

    #[test]
    fn a_short_list_may_list_anything() {
        let mut list = FindingList::default();
        (1..FindingList::LIMIT).for_each(|subject| list.push(finding(subject, Support::NotShown)));
        assert!(list.may_list("case", "kind", "99999"));
        list.push(finding(0, Support::NotShown));
        assert!(!list.may_list("case", "kind", "99999"), "it is full");
    }

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let list: FindingList = (0..3).map(|subject| finding(subject, Support::Forbidden)).collect();
        let changed = list.map(|finding| Finding { case_id: "other".to_owned(), ..finding });
        let text = crate::json::to_line(&changed);
        let read: FindingList = serde_json::from_str(&text).expect("it reads");
        assert_eq!((read.total(), read.worst()), (3, Support::Forbidden));
        let kept = read.into_sorted();
        assert_eq!(kept.len(), 3);
        assert!(kept.iter().all(|finding| finding.case_id == "other"));
        assert_eq!(worst(&kept), Support::Forbidden);
        assert_eq!(worst(&[]), Support::Supported);
    }

    #[test]
    fn a_support_is_called_as_records_write_it() {
        for support in [Support::Supported, Support::NotShown, Support::Contradicted, Support::Forbidden] {
            assert_eq!(crate::json::to_line(&support), format!("\"{}\"", support.as_str()));
        }
    }
}
