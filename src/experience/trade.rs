//! The trade consumer: it can be told to be more careful, and nothing else.

use super::received::{Answer, Directive, Identity};
use std::collections::HashSet;

/// Something that happened to the node, for its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What: `directive_applied`.
    pub name: &'static str,
    /// The directive that did it.
    pub directive_id: String,
    /// Its action.
    pub action: String,
}

/// A trade node. It starts safe: dry-run, execution disabled.
#[derive(Debug, Clone)]
pub struct TradeNode {
    identity: Identity,
    /// Whether it only pretends.
    pub dry_run: bool,
    /// Whether it may act.
    pub execution_enabled: bool,
    handled: HashSet<String>,
    events: Vec<Event>,
}

impl TradeNode {
    /// A node of this identity.
    pub fn new(identity: Identity) -> Self {
        Self { identity, dry_run: true, execution_enabled: false, handled: HashSet::new(), events: Vec::new() }
    }

    /// Who it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The events since they were last taken.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Answers a directive; `None` for a repeat. The order of the cases is the specification's (5.2).
    pub fn consume(&mut self, directive: &Directive, now: f64) -> Option<Answer> {
        if self.handled.contains(&directive.directive_id) {
            return None;
        }
        let expired = directive.has_expired(now);
        if !expired && !self.identity.is_targeted_by(directive) {
            // Not remembered: the same id may yet be directed at this node.
            return Some(Answer::new("rejected", "directive_not_targeted", "the directive is not for this node"));
        }
        self.handled.insert(directive.directive_id.clone());
        if expired {
            return Some(Answer::new("expired", "directive_expired", "the directive outlived its time"));
        }
        Some(match directive.action.as_str() {
            "OBSERVE" => Answer::new("applied", "observe_acknowledged", "observed; nothing changed"),
            "REDUCE_RISK" | "SET_DRY_RUN" => self.apply(directive),
            _ => Answer::new("rejected", "unsupported_trade_action", "a trade node does not do this"),
        })
    }

    fn apply(&mut self, directive: &Directive) -> Answer {
        // Whatever the payload says.
        self.dry_run = true;
        self.execution_enabled = false;
        self.events.push(Event {
            name: "directive_applied",
            directive_id: directive.directive_id.clone(),
            action: directive.action.clone(),
        });
        Answer::new("applied", "directive_applied", "dry-run is on and execution is off")
            .with("dry_run", self.dry_run)
            .with("execution_enabled", self.execution_enabled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Record;
    use crate::ledger::surroundings::Scripted;
    use serde_json::json;

    fn directive(id: &str, action: &str, target: &str) -> Directive {
        Directive::of(
            &Record::new("swarm_directive")
                .with("directive_id", id)
                .with("action", action)
                .with("target", target)
                .with("target_type", "swarm")
                .with("ttl_ms", 1000)
                .with("created_at", 100.0)
                .with("payload", json!({"execution_enabled": true, "dry_run": false})),
        )
    }

    fn said(node: &mut TradeNode, directive: &Directive, now: f64) -> Option<(&'static str, &'static str)> {
        node.consume(directive, now).map(|answer| (answer.status, answer.reason))
    }

    #[test]
    fn each_case_in_its_order() {
        let mut node = TradeNode::new(Identity::new("trade-1", "trade"));
        assert_eq!(said(&mut node, &directive("a", "observe", "trade"), 100.0), Some(("applied", "observe_acknowledged")));
        assert_eq!(said(&mut node, &directive("a", "REDUCE_RISK", "trade"), 999.0), None, "handled comes before expired");
        assert_eq!(said(&mut node, &directive("b", "BUY", "memory"), 102.0), Some(("expired", "directive_expired")), "before targeting");
        assert_eq!(said(&mut node, &directive("b", "OBSERVE", "trade"), 100.0), None, "an expired one is remembered");
        let bystander = Some(("rejected", "directive_not_targeted"));
        assert_eq!(said(&mut node, &directive("c", "BUY", "memory"), 100.0), bystander, "targeting before the action");
        assert_eq!(said(&mut node, &directive("c", "OBSERVE", "memory"), 100.0), bystander, "not remembered");
        assert_eq!(said(&mut node, &directive("c", "OBSERVE", "trade"), 100.0), Some(("applied", "observe_acknowledged")));
        for action in ["BUY", "", "RUN_REPLAY", "PROMOTE_GOLD_CANDIDATES"] {
            let id = format!("d{action}");
            assert_eq!(said(&mut node, &directive(&id, action, "*"), 100.0), Some(("rejected", "unsupported_trade_action")));
            assert_eq!(said(&mut node, &directive(&id, action, "*"), 100.0), None);
        }
        assert!(node.take_events().is_empty());
    }

    #[test]
    fn being_told_to_be_careful_wins_over_the_payload() {
        for action in ["REDUCE_RISK", "set_dry_run"] {
            let mut node = TradeNode::new(Identity::new("trade-1", "trade"));
            (node.dry_run, node.execution_enabled) = (false, true);
            let directive = directive("a", action, "all");
            let answer = node.consume(&directive, 100.0).expect("it is new");
            assert_eq!((answer.status, node.dry_run, node.execution_enabled), ("applied", true, false));
            let result = answer.to_record(&Identity::new("trade-1", "trade"), &directive, &mut Scripted::new(1.0, 1.0));
            assert!(result.verdict().valid);
            assert_eq!(result.get("payload.dry_run"), Some(&json!(true)));
            assert_eq!(result.get("payload.execution_enabled"), Some(&json!(false)));
            assert_eq!(result.text("payload.action"), action.to_uppercase());
            let events = node.take_events();
            assert_eq!((events.len(), events[0].name, events[0].directive_id.as_str()), (1, "directive_applied", "a"));
        }
    }
}
