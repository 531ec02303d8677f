//! The landing policy and its lanes as the rules see them (spec 2.2).

use super::authority::{self, Level};
use crate::json::Value;
use crate::leak::{Leaks, leaks_of};

/// The four lanes, each of which the policy must decide once.
pub const LANES: [&str; 4] = ["scoped_commit", BROAD, "metadata_blocked_patch_bundle", "hard_stop"];

/// The lane that only an operator may open.
pub const BROAD: &str = "broad_checkpoint";

/// A landing policy.
#[derive(Debug)]
pub struct Policy<'v> {
    /// `policy_id`, if it is a string.
    pub id: Option<&'v str>,
    /// The elements of `lane_decision_table`; empty when there is no such list.
    elements: &'v [Value<'v>],
    /// Whether `authority_ceiling` is present and no object.
    pub ceiling_misshapen: bool,
    /// An authority key directly in the policy or in its ceiling that is not exactly `false`.
    pub raised_authority: Option<&'static str>,
    /// What no policy may carry.
    pub leaks: Leaks,
}

/// One element of the lane table.
#[derive(Debug)]
pub struct Lane<'v> {
    /// Position in the table.
    pub index: usize,
    value: &'v Value<'v>,
    /// Whether an earlier lane has the same id.
    pub repeats: bool,
}

impl<'v> Policy<'v> {
    /// The policy that `value` is; a value that is no object is a policy without anything.
    pub fn from_value(value: &'v Value<'v>) -> Self {
        let ceiling = value.get("authority_ceiling");
        Self {
            id: value.get("policy_id").and_then(Value::as_str),
            elements: value.get("lane_decision_table").and_then(Value::elements).unwrap_or_default(),
            ceiling_misshapen: ceiling.is_some_and(|ceiling| !ceiling.is_object()),
            raised_authority: raised_in(value, Level::Policy).or_else(|| raised_in(ceiling?, Level::Policy)),
            leaks: leaks_of(value, &[]),
        }
    }

    /// The name to show in findings.
    pub fn shown_id(&self) -> String {
        shown(self.id, || "landing_policy".to_owned())
    }

    /// The lanes, one at a time: a table of millions is never held twice.
    pub fn lanes(&self) -> impl Iterator<Item = Lane<'v>> + use<'v> {
        let mut seen = std::collections::HashSet::new();
        self.elements.iter().enumerate().map(move |(index, value)| {
            let id = value.get("lane_id").and_then(Value::as_str);
            Lane { index, value, repeats: id.is_some_and(|id| !seen.insert(id)) }
        })
    }

    /// The four lanes that the table lacks.
    pub fn missing_lanes(&self) -> impl Iterator<Item = &'static str> {
        let present: std::collections::HashSet<_> = self.lanes().filter_map(|lane| lane.known_id()).collect();
        LANES.into_iter().filter(move |lane| !present.contains(lane))
    }
}

impl<'v> Lane<'v> {
    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        self.value.is_object()
    }

    /// `lane_id`, if it is a string.
    pub fn id(&self) -> Option<&'v str> {
        self.value.get("lane_id").and_then(Value::as_str)
    }

    /// The one of the four that it is.
    pub fn known_id(&self) -> Option<&'static str> {
        LANES.into_iter().find(|lane| self.id() == Some(lane))
    }

    /// A member of the lane.
    pub fn get(&self, key: &str) -> Option<&'v Value<'v>> {
        self.value.get(key)
    }

    /// An authority key of the lane, without `release_authorized`, that is not exactly `false`.
    pub fn raised_authority(&self) -> Option<&'static str> {
        raised_in(self.value, Level::Lane)
    }

    /// The name to show in findings: a known id, else the position.
    pub fn shown_id(&self) -> String {
        self.known_id().map_or_else(|| format!("lane[{}]", self.index), str::to_owned)
    }
}

fn raised_in(value: &Value<'_>, level: Level) -> Option<&'static str> {
    value.members().iter().filter(|(_, value)| !value.is_bool(false)).find_map(|(key, _)| authority::key_named(key, level))
}

/// What `value` is, without its text.
pub(crate) fn describe(value: Option<&Value<'_>>) -> &'static str {
    match value {
        None => "nothing",
        Some(Value::Null) => "null",
        Some(Value::Bool(true)) => "true",
        Some(Value::Bool(false)) => "false",
        Some(Value::Number(_)) => "a number",
        Some(Value::String(_)) => "a string",
        Some(Value::Array(_)) => "a list",
        Some(Value::Object(_)) => "an object",
    }
}

/// `id` when it can be shown on one line and leaks nothing, else the fallback.
pub(crate) fn shown(id: Option<&str>, fallback: impl FnOnce() -> String) -> String {
    let showable =
        |id: &&str| !id.trim().is_empty() && id.len() <= 256 && !id.chars().any(super::row::is_unprintable) && !crate::leak::leaks(id);
    id.filter(showable).map_or_else(fallback, str::to_owned)
}
