//! A check item: one named question of an evidence record or a lifecycle result, and its answer.

use serde_json::{Value as Json, json};

/// One check. Nothing is partly passed: what could not be seen has failed.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckItem {
    /// What was asked.
    pub name: &'static str,
    /// Whether it holds.
    pub passed: bool,
    /// What was seen.
    pub value: Json,
    /// The same in words; may be empty.
    pub detail: String,
}

impl CheckItem {
    /// A check of this name.
    pub fn new(name: &'static str, passed: bool, value: impl Into<Json>, detail: impl Into<String>) -> Self {
        Self { name, passed, value: value.into(), detail: detail.into() }
    }

    /// `passed` or `failed`.
    pub fn status(&self) -> &'static str {
        status_of(self.passed)
    }

    /// As it stands in a record.
    pub fn to_json(&self) -> Json {
        json!({"name": self.name, "status": self.status(), "value": self.value, "detail": self.detail})
    }
}

/// `passed` or `failed`.
pub fn status_of(passed: bool) -> &'static str {
    if passed { "passed" } else { "failed" }
}

/// Whether all of at least one check passed.
pub fn all_passed(checks: &[CheckItem]) -> bool {
    !checks.is_empty() && checks.iter().all(|check| check.passed)
}

/// The checks as they stand in a record.
pub fn to_json(checks: &[CheckItem]) -> Json {
    checks.iter().map(CheckItem::to_json).collect()
}
