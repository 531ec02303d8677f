//! What a rule says about a subject, and how bad that is.

use crate::code::Code;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

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

/// A rule's answer when it refuses: what was claimed, what was found, what would have satisfied it.
///
/// None of the three may quote the input: a value is named by its kind, a place by its pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// How bad it is.
    pub support: Support,
    /// What the input claims.
    pub claimed: Cow<'static, str>,
    /// What was found instead.
    pub found: Cow<'static, str>,
    /// What would have satisfied the rule.
    pub needed: Cow<'static, str>,
}

impl Refusal {
    /// Puts a refusal together.
    pub fn new(
        support: Support,
        claimed: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
        needed: impl Into<Cow<'static, str>>,
    ) -> Self {
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

/// The worst support among `findings`; supported when there are none.
pub fn worst<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Support {
    findings.into_iter().map(|finding| finding.support).max().unwrap_or(Support::Supported)
}
