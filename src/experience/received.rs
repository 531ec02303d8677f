//! A directive as a node reads it, whom it is for, and the answer that is published.

use crate::ledger::{Record, Surroundings};
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};

/// How long a directive holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ttl {
    /// For ever.
    Endless,
    /// This many milliseconds.
    Millis(f64),
    /// It says something that is no number: nobody can tell, so it does not hold.
    Unreadable,
}

/// The parts of a directive that a node acts by.
#[derive(Debug, Clone, PartialEq)]
pub struct Directive {
    /// Its id; may be blank in a hostile record.
    pub directive_id: String,
    /// Upper-cased.
    pub action: String,
    /// As written.
    pub target: String,
    /// Lower-cased.
    pub target_type: String,
    /// How long it holds.
    pub ttl: Ttl,
    /// When it was made, in seconds since 1970.
    pub created_at: Option<f64>,
    /// The scenario to replay; may be blank.
    pub scenario_id: String,
    /// Whether its payload says `dry_run` with the boolean true.
    pub dry_run: bool,
}

impl Directive {
    /// Reads a record of type `swarm_directive`.
    pub fn of(record: &Record) -> Self {
        let target = record.text("target");
        let number = |field| record.get(field).and_then(Json::as_f64);
        Self {
            directive_id: record.text("directive_id"),
            action: record.text("action").to_uppercase(),
            target: if target.is_empty() { record.text("target_swarm") } else { target },
            target_type: record.text("target_type").to_lowercase(),
            ttl: match record.get("ttl_ms") {
                None | Some(Json::Null) => Ttl::Endless,
                Some(ttl) => ttl.as_f64().map_or(Ttl::Unreadable, Ttl::Millis),
            },
            created_at: number("created_at").or_else(|| number("ts")),
            scenario_id: record.text("payload.scenario_id"),
            dry_run: record.get("payload.dry_run") == Some(&Json::Bool(true)),
        }
    }

    /// Whether its age is greater than its time to live. Without a date of its own, an age cannot be shown to be less.
    pub fn has_expired(&self, now: f64) -> bool {
        match (self.ttl, self.created_at) {
            (Ttl::Endless, _) => false,
            (Ttl::Millis(ttl), Some(created_at)) => (now - created_at) * 1000.0 > ttl,
            _ => true,
        }
    }
}

/// Who a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its name in the ledger.
    pub node_id: String,
    /// The swarm it belongs to.
    pub swarm: &'static str,
    /// What it can do, for directives to a capability.
    pub capabilities: Vec<String>,
}

impl Identity {
    /// A node without special capabilities.
    pub fn new(node_id: &str, swarm: &'static str) -> Self {
        Self { node_id: node_id.to_owned(), swarm, capabilities: Vec::new() }
    }

    /// Whether a directive is for this node: global always; swarm, node and capability by name. A
    /// directive that names no type means a swarm.
    pub fn is_targeted_by(&self, directive: &Directive) -> bool {
        let everyone = ["*", "all"].contains(&directive.target.as_str());
        match directive.target_type.as_str() {
            "global" => true,
            "" | "swarm" => everyone || directive.target == self.swarm,
            "node" => everyone || directive.target == self.node_id,
            "capability" => self.capabilities.contains(&directive.target),
            _ => false,
        }
    }
}

/// What a node answers to a directive.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The result's status.
    pub status: &'static str,
    /// The outcome code, in `payload.reason`.
    pub reason: &'static str,
    /// For people.
    pub message: &'static str,
    /// What the payload says besides.
    pub payload: Map<String, Json>,
}

impl Answer {
    /// An answer with nothing besides.
    pub fn new(status: &'static str, reason: &'static str, message: &'static str) -> Self {
        Self { status, reason, message, payload: Map::new() }
    }

    /// With this in its payload.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Json>) -> Self {
        self.payload.insert(key.to_owned(), value.into());
        self
    }

    /// Whether it is a bystander's, who says only that the directive is not for it.
    pub fn is_bystanders(&self) -> bool {
        BYSTANDER_REASONS.contains(&self.reason)
    }

    /// The result to publish.
    pub fn to_record(self, node: &Identity, directive: &Directive, around: &mut dyn Surroundings) -> Record {
        let bystander = self.is_bystanders();
        let mut payload = self.payload;
        payload.insert("reason".to_owned(), self.reason.into());
        payload.insert("action".to_owned(), directive.action.clone().into());
        Record::new("swarm_directive_result")
            .with("result_id", result_id(&directive.directive_id, &node.node_id, bystander))
            .with("directive_id", directive.directive_id.clone())
            .with("status", self.status)
            .with("source", node.node_id.clone())
            .with("node_id", node.node_id.clone())
            .with("swarm", node.swarm)
            .with("message", self.message)
            .with("created_at", around.now())
            .with("payload", payload)
    }
}

/// The id of a node's one answer to a directive: 32 hex digits, the same in every process that runs the node.
fn result_id(directive_id: &str, node_id: &str, bystander: bool) -> String {
    let kind = if bystander { "bystander" } else { "answer" };
    let parts = [kind, directive_id, node_id].map(|part| format!("{}:{part}", part.len())).concat();
    crate::json::hex(&Sha256::digest(parts)[..16])
}

/// The outcome codes by which a node says that a directive is not for it.
const BYSTANDER_REASONS: [&str; 2] = ["directive_not_targeted", "directive_not_targeted_to_simulation"];

/// Whether a result is only a bystander's: the directive was not for its node.
pub fn is_bystanders(result: &Record) -> bool {
    BYSTANDER_REASONS.contains(&result.text("payload.reason").as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn directive(target_type: &str, target: &str) -> Directive {
        Directive::of(&Record::new("swarm_directive").with("target_type", target_type).with("target", target))
    }

    #[test]
    fn a_directive_targets_by_its_type() {
        let mut node = Identity::new("trade-1", "trade");
        node.capabilities.push("hedge".to_owned());
        for (target_type, target, targeted) in [
            ("global", "memory", true),
            ("GLOBAL", "", true),
            ("swarm", "trade", true),
            ("", "trade", true),
            ("swarm", "*", true),
            ("swarm", "all", true),
            ("swarm", "trade-1", false),
            ("swarm", "memory", false),
            ("swarm", "", false),
            ("node", "trade-1", true),
            ("node", "all", true),
            ("node", "trade", false),
            ("capability", "hedge", true),
            ("capability", "*", false),
            ("planet", "trade", false),
        ] {
            assert_eq!(node.is_targeted_by(&directive(target_type, target)), targeted, "{target_type} {target}");
        }
        let other = Record::new("swarm_directive").with("target", "").with("target_swarm", "trade");
        assert!(node.is_targeted_by(&Directive::of(&other)));
    }

    #[test]
    fn age_beyond_the_ttl_has_expired_and_what_cannot_be_told_too() {
        let at = |ttl: Json, created: Json| Directive::of(&Record::new("swarm_directive").with("ttl_ms", ttl).with("created_at", created));
        assert!(!at(json!(1000), json!(10.0)).has_expired(11.0));
        assert!(at(json!(1000), json!(10.0)).has_expired(11.001));
        assert!(!at(Json::Null, json!(10.0)).has_expired(1e12));
        assert!(at(json!("soon"), json!(10.0)).has_expired(10.0));
        assert!(at(json!(1000), json!("long ago")).has_expired(10.0));
        assert!(at(json!(-1), json!(10.0)).has_expired(10.0));
    }
}
