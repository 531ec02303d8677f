//! The projection protocol as the rules see it (spec 2.3).

use super::refs::Refs;
use crate::json::Value;
use crate::leak::{Leaks, leaks_of};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The pattern every protocol must cite.
pub const REQUIRED_PATTERN: &str = "durable_agent_work_landing_replay_compound";

/// The three lists with a floor, and how many distinct usable refs each needs.
pub const FLOORS: [(&str, usize); 3] = [("source_refs", 3), ("projection_receipt_refs", 2), ("public_runtime_refs", 3)];

/// A projection protocol.
#[derive(Debug)]
pub struct Protocol<'v> {
    value: &'v Value<'v>,
    /// `protocol_id`, if it is a string.
    pub id: Option<&'v str>,
    /// What no protocol may carry.
    pub leaks: Leaks,
}

impl<'v> Protocol<'v> {
    /// The protocol that `value` is; a value that is no object is a protocol without anything.
    pub fn from_value(value: &'v Value<'v>) -> Self {
        Self { value, id: value.get("protocol_id").and_then(Value::as_str), leaks: leaks_of(value, &[]) }
    }

    /// A member.
    pub fn get(&self, key: &str) -> Option<&'v Value<'v>> {
        self.value.get(key)
    }

    /// A list of references.
    pub fn refs(&self, key: &str) -> Refs<'v> {
        let mut refs = Refs::default();
        if let Some(items) = self.get(key).and_then(Value::elements) {
            refs = Refs::list();
            items.iter().for_each(|item| refs.push(item.as_str().map(Cow::Borrowed)));
        }
        refs
    }

    /// How many different things a list names.
    pub fn distinct_refs(&self, key: &str) -> usize {
        self.refs(key).usable().map(|item| item.trim().to_owned()).collect::<BTreeSet<_>>().len()
    }

    /// Whether the required pattern is cited, exactly.
    pub fn cites_pattern(&self) -> bool {
        self.refs("source_pattern_ids").usable().any(|item| item == REQUIRED_PATTERN)
    }

    /// The name to show in findings.
    pub fn shown_id(&self) -> String {
        super::policy::shown(self.id, || "projection_protocol".to_owned())
    }
}
