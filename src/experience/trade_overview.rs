//! What trade nodes were told and what they answered: the view of `trade-meta`.

use super::counts::Counts;
use super::received::{Directive, Identity, is_bystanders};
use crate::ledger::{Ledger, LedgerError, Record, Select};
use serde::Serialize;
use std::collections::HashSet;

/// The directives for the trade swarm in a ledger, and the answers to them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TradeOverview {
    /// Directives for the swarm as a whole, each id once.
    pub directives: u64,
    /// Of these, those that no trade node has answered.
    pub unanswered: u64,
    /// Answers of trade nodes by status, without those that only say that a directive is not for them.
    pub answers: Counts,
    /// Trade nodes that answered.
    pub nodes: u64,
}

impl TradeOverview {
    /// Looks at the directives and results of a ledger.
    ///
    /// # Errors
    /// The ledger failed.
    pub fn of(ledger: &dyn Ledger) -> Result<Self, LedgerError> {
        let swarm = Identity::new("", "trade");
        let (mut told, mut answered, mut nodes) = (HashSet::new(), HashSet::new(), HashSet::new());
        let mut answers = Counts::default();
        ledger.each(Select { types: &["swarm_directive", "swarm_directive_result"] }, &mut |entry| {
            let Ok(record) = Record::parse(&entry.payload) else { return Ok(()) };
            let id = record.text("directive_id");
            if id.is_empty() {
                return Ok(());
            }
            if record.record_type() == "swarm_directive" {
                if swarm.is_targeted_by(&Directive::of(&record)) {
                    told.insert(id);
                }
            } else if record.text("swarm") == swarm.swarm && !is_bystanders(&record) {
                answers.add(&record.text("status"));
                nodes.insert(record.text("node_id"));
                answered.insert(id);
            }
            Ok(())
        })?;
        let unanswered = told.iter().filter(|id| !answered.contains(*id)).count() as u64;
        Ok(Self { directives: told.len() as u64, unanswered, answers, nodes: nodes.len() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::directive::{self, DirectiveRequest};
    use super::super::node::{Node, NodeKind};
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    #[test]
    fn what_is_for_trade_and_unanswered_is_told() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 0.001));
        let seed = |id: &str, target: &str, ledger: &mut MemoryLedger, around: &mut Scripted| {
            directive::seed(&DirectiveRequest { directive_id: id, target, ..Default::default() }, ledger, around).expect("it is safe");
        };
        seed("a", "trade", &mut ledger, &mut around);
        seed("b", "memory", &mut ledger, &mut around);
        for kind in [NodeKind::Trade, NodeKind::Simulation] {
            Node::new(kind, &format!("{}-1", kind.swarm()), true).tick(&mut ledger, &mut around).expect("memory answers");
        }
        seed("c", "trade", &mut ledger, &mut around);
        let overview = TradeOverview::of(&ledger).expect("memory answers");
        assert_eq!((overview.directives, overview.unanswered, overview.nodes), (2, 1, 1));
        assert_eq!(overview.answers.each().collect::<Vec<_>>(), [("applied", 1)]);
    }
}
