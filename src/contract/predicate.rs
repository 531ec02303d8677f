//! What no condition can say: named predicates.

use super::value::text;
use crate::json::Value;
use serde::{Deserialize, Serialize};

/// A predicate, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    /// A directive's `target`, or its `target_swarm` where the target says nothing, is none we have.
    DirectiveTargetUnsupported,
    /// `noop_argv` has words, and they are not the fixed noop: a word names the governed command, or the
    /// last one does not print the marker.
    NoopArgvNotFixed,
}

const NOOP_MARKER: &str = "controlled-noop-ok";

/// The swarms that a directive can be meant for.
pub(super) const TARGETS: [&str; 7] = ["trade", "memory", "simulation", "security", "explorer", "overseer", "*"];

impl Predicate {
    /// Whether it holds of `record`.
    pub fn holds(self, record: &Value<'_>) -> bool {
        match self {
            Self::DirectiveTargetUnsupported => {
                let target = text(record.get("target"));
                let said = if target.is_empty() { text(record.get("target_swarm")) } else { target };
                !said.is_empty() && !TARGETS.contains(&&*said)
            }
            Self::NoopArgvNotFixed => {
                let words = record.get("noop_argv").and_then(Value::elements).unwrap_or_default();
                let has = |word: &Value<'_>, part: &str| text(Some(word)).contains(part);
                words.last().is_some_and(|last| !has(last, NOOP_MARKER) || words.iter().any(|word| has(word, "run_replay_evidence_check")))
            }
        }
    }
}
