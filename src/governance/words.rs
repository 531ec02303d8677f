//! The words of a record that are counted wherever a trail is watched.

use crate::contract::fields::Fields;
use crate::contract::value::{lower, text, trimmed};
use crate::json::Value;
use std::borrow::Cow;

/// What a record says of how its stage went. Statuses and modes are folded to lower case, the others are as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words<'v> {
    pub(super) status: Cow<'v, str>,
    pub(super) reason: Cow<'v, str>,
    pub(super) profile: Cow<'v, str>,
    pub(super) mode: Cow<'v, str>,
}

impl<'v> Words<'v> {
    /// The words of a record, which may be gone when they are counted: texts without escapes lie in what it was read from.
    pub(super) fn of(record: &impl Fields<'v>) -> Self {
        let said = |field: &str| match record.get(field) {
            Some(Value::String(Cow::Borrowed(said))) => Cow::Borrowed(trimmed(said)),
            value => Cow::Owned(text(value).into_owned()),
        };
        let folded = |said: Cow<'v, str>| match lower(&said) {
            Cow::Borrowed(_) => said,
            Cow::Owned(folded) => Cow::Owned(folded),
        };
        Self {
            status: folded(said("status")),
            reason: said("reason"),
            profile: said("timeout_profile"),
            mode: folded(said("decision_mode")),
        }
    }
}
