//! A node over a ledger: it reads what is new, answers directives, and reports.
//!
//! Trade and simulation nodes answer. The others only report: the specification gives them metrics and no
//! directive of their own.

use super::execution::{DryRun, ReplayExecutor};
use super::memory_summary::{MemoryAggregate, MemorySummary};
use super::received::{Directive, Identity, is_bystanders};
use super::simulation::SimulationNode;
use super::simulation_metrics::SimulationMetrics;
use super::trade::TradeNode;
use super::trade_overview::TradeOverview;
use super::visibility::SecurityMetrics;
use crate::ledger::{Ledger, LedgerError, Record, Select, Surroundings};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeKind {
    /// Can be told to be careful.
    Trade,
    /// Sums up what trade nodes were told and answered.
    TradeMeta,
    /// Reports the Security metrics.
    Security,
    /// Says what these metrics mean: how things stand, and the risks.
    SecurityMeta,
    /// Reads public sources, where the network was asked for.
    Explorer,
    /// Classifies what explorers found, and hands it to memory.
    ExplorerMeta,
    /// Reports the memory summary.
    Memory,
    /// Replays scenarios.
    Simulation,
    /// Reports the aggregate over memory nodes.
    Overseer,
    /// Lists the actions that a brief recommends; it takes none.
    Improver,
}

impl NodeKind {
    /// The swarm of such a node.
    pub fn swarm(self) -> &'static str {
        match self {
            Self::Trade | Self::TradeMeta => "trade",
            Self::Security | Self::SecurityMeta => "security",
            Self::Explorer | Self::ExplorerMeta => "explorer",
            Self::Memory => "memory",
            Self::Simulation => "simulation",
            // It reads what the Overseer says.
            Self::Overseer | Self::Improver => "overseer",
        }
    }

    /// Whether such a node answers directives.
    pub fn answers(self) -> bool {
        matches!(self, Self::Trade | Self::Simulation)
    }
}

#[derive(Debug)]
enum Role {
    Trade(TradeNode),
    Simulation(SimulationNode),
    Watch,
}

/// A running node.
#[derive(Debug)]
pub struct Node {
    identity: Identity,
    role: Role,
    /// Entries that were read, by key and clock.
    seen: HashSet<(String, u64)>,
    /// What it said to each directive so far, also before it was started again.
    said: HashMap<String, Said>,
}

/// What a node said to a directive so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    /// That it is not for this node. The id may be directed at it yet.
    NotForMe,
    /// Its answer.
    Answered,
}

impl Node {
    /// A node of this kind; `executor` says whether a simulation node can replay.
    pub fn new(kind: NodeKind, node_id: &str, executor: bool) -> Self {
        let identity = Identity::new(node_id, kind.swarm());
        let role = match kind {
            NodeKind::Trade => Role::Trade(TradeNode::new(identity.clone())),
            NodeKind::Simulation => {
                let executor = executor.then(|| Box::new(DryRun::default()) as Box<dyn ReplayExecutor + Send>);
                Role::Simulation(SimulationNode::new(identity.clone(), executor))
            }
            _ => Role::Watch,
        };
        Self { identity, role, seen: HashSet::new(), said: HashMap::new() }
    }

    /// Who it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Reads the directives that are new to the node and answers them; the results it published.
    ///
    /// # Errors
    /// The ledger failed. What was not answered is read again by the next tick.
    pub fn tick(&mut self, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Vec<Record>, LedgerError> {
        if matches!(self.role, Role::Watch) {
            return Ok(Vec::new());
        }
        let mut new = Vec::new();
        ledger.each(Select { types: &["swarm_directive"] }, &mut |entry| {
            let key = (entry.gid.clone(), entry.clock);
            if !self.seen.contains(&key) {
                new.push((key, Record::parse(&entry.payload).ok().map(|record| Directive::of(&record))));
            }
            Ok(())
        })?;
        if let Role::Simulation(node) = &mut self.role {
            node.begin();
        }
        let mut results = Vec::new();
        for (key, directive) in new {
            // A directive without an id has no result that could name it.
            if let Some(directive) = directive.filter(|directive| !directive.directive_id.is_empty()) {
                match self.answer(&directive, ledger, around) {
                    Ok(result) => results.extend(result),
                    // A hostile directive, say with an id that no ledger takes, must not stop the node.
                    Err(LedgerError::Unpublishable(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            self.seen.insert(key);
        }
        Ok(results)
    }

    fn answer(
        &mut self,
        directive: &Directive,
        ledger: &mut dyn Ledger,
        around: &mut dyn Surroundings,
    ) -> Result<Option<Record>, LedgerError> {
        let said = self.said(&directive.directive_id, ledger)?;
        let answer = match &mut self.role {
            _ if said == Said::Answered => None,
            Role::Trade(node) => node.consume(directive, around.now()),
            Role::Simulation(node) => node.consume(directive, ledger, around)?,
            Role::Watch => None,
        };
        let Some(answer) = answer.filter(|answer| said == Said::Nothing || !answer.is_bystanders()) else { return Ok(None) };
        let now_said = if answer.is_bystanders() { Said::NotForMe } else { Said::Answered };
        let result = answer.to_record(&self.identity, directive, around);
        // The result's id is the same in every process that runs this node: two of them answer once.
        let id = result.text("result_id");
        let published = ledger.publish_unless(result.clone(), &[("result_id", &id)], around)?;
        self.said.insert(directive.directive_id.clone(), now_said);
        Ok(published.map(|_| result))
    }

    /// What the node said to a directive so far; the ledger is asked once for each.
    fn said(&mut self, directive_id: &str, ledger: &dyn Ledger) -> Result<Said, LedgerError> {
        if let Some(said) = self.said.get(directive_id) {
            return Ok(*said);
        }
        let mut results = ledger.find("swarm_directive_result", "directive_id", directive_id)?;
        results.retain(|result| result.text("node_id") == self.identity.node_id);
        let said = match &results[..] {
            [] => Said::Nothing,
            results if results.iter().all(is_bystanders) => Said::NotForMe,
            _ => Said::Answered,
        };
        self.said.insert(directive_id.to_owned(), said);
        Ok(said)
    }

    /// Takes what happened to a trade node since the last call, as `name directive_id action`.
    pub fn take_events(&mut self) -> Vec<(&'static str, String, String)> {
        let Role::Trade(node) = &mut self.role else { return Vec::new() };
        node.take_events().into_iter().map(|event| (event.name, event.directive_id, event.action)).collect()
    }
}

/// What nodes need of the governance family to report.
#[derive(Clone, Copy)]
pub struct Views<'v> {
    /// The Security metrics.
    pub metrics: &'v SecurityMetrics<'v>,
    /// The global brief: an object with `status`, `summary`, `risks` and `recommended_actions`.
    pub brief: &'v SecurityMetrics<'v>,
}

impl std::fmt::Debug for Views<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Views").finish_non_exhaustive()
    }
}

/// The members of a brief with these names.
fn of_brief(brief: Option<&Json>, names: &[&str]) -> Json {
    names.iter().filter_map(|name| Some(((*name).to_owned(), brief?.get(*name)?.clone()))).collect::<serde_json::Map<_, _>>().into()
}

/// The heartbeat metrics of these nodes over a ledger, by node. The Overseer sums up the memory nodes among them.
///
/// # Errors
/// The ledger failed.
pub fn heartbeats(nodes: &[(String, NodeKind)], ledger: &dyn Ledger, views: Views<'_>) -> Result<BTreeMap<String, Json>, LedgerError> {
    let has = |kind| nodes.iter().any(|(_, node)| *node == kind);
    let memory = if has(NodeKind::Memory) { Some(MemorySummary::of(ledger, &|_| true)?) } else { None };
    let brief = if has(NodeKind::SecurityMeta) || has(NodeKind::Improver) { Some((views.brief)(ledger)?) } else { None };
    let summaries: Vec<_> = nodes.iter().filter(|(_, kind)| *kind == NodeKind::Memory).filter_map(|_| memory.clone()).collect();
    let mut beats = BTreeMap::new();
    for (name, kind) in nodes {
        let beat = match kind {
            // It starts so, and no directive makes it less careful.
            NodeKind::Trade => json!({"dry_run": true, "execution_enabled": false}),
            NodeKind::TradeMeta => json!({"trade_overview": TradeOverview::of(ledger)?}),
            NodeKind::Security => (views.metrics)(ledger)?,
            NodeKind::SecurityMeta => json!({"security_overview": of_brief(brief.as_ref(), &["status", "summary", "risks"])}),
            NodeKind::Improver => json!({"improvements": of_brief(brief.as_ref(), &["status", "recommended_actions"])}),
            NodeKind::Memory => json!({"memory_summary": memory}),
            // What they did, they say themselves.
            NodeKind::Explorer | NodeKind::ExplorerMeta => json!({}),
            NodeKind::Simulation => json!(SimulationMetrics::of(ledger)?),
            NodeKind::Overseer => json!({"memory_intelligence": {"aggregate": MemoryAggregate::of(&summaries)}}),
        };
        beats.insert(name.clone(), beat);
    }
    Ok(beats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::directive::{self, DirectiveRequest};
    use crate::experience::visibility::loop_metrics;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    fn seed(id: &str, target: &str, ledger: &mut MemoryLedger, around: &mut Scripted) {
        let request = DirectiveRequest { directive_id: id, target, ..Default::default() };
        directive::seed(&request, ledger, around).expect("it is safe");
    }

    fn said(results: &[Record]) -> Vec<(String, String)> {
        results.iter().map(|result| (result.text("directive_id"), result.text("status"))).collect()
    }

    #[test]
    fn a_node_answers_what_is_new_once_and_also_across_a_restart() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 0.001));
        let mut node = Node::new(NodeKind::Trade, "trade-1", true);
        seed("a", "trade", &mut ledger, &mut around);
        seed("b", "memory", &mut ledger, &mut around);
        let results = node.tick(&mut ledger, &mut around).expect("memory answers");
        assert_eq!(said(&results), [("a".into(), "applied".into()), ("b".into(), "rejected".into())]);
        assert!(results.iter().all(|result| result.verdict().valid && result.text("node_id") == "trade-1"));
        assert_eq!(node.take_events().len(), 1);
        seed("a", "trade", &mut ledger, &mut around);
        assert_eq!(node.tick(&mut ledger, &mut around).expect("memory answers"), [], "a repeat");
        let mut restarted = Node::new(NodeKind::Trade, "trade-1", true);
        assert_eq!(restarted.tick(&mut ledger, &mut around).expect("memory answers"), [], "a restart");
        seed("b", "trade", &mut ledger, &mut around);
        assert_eq!(said(&restarted.tick(&mut ledger, &mut around).expect("memory answers")), [("b".into(), "applied".into())]);
        let mut other = Node::new(NodeKind::Trade, "trade-2", true);
        assert_eq!(other.tick(&mut ledger, &mut around).expect("memory answers").len(), 3, "another node answers for itself");
    }

    #[test]
    fn what_another_run_of_the_node_answered_is_not_done_again() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 0.001));
        let scenario = crate::experience::scenario::ScenarioRequest { scenario_id: "s", ..Default::default() };
        crate::experience::scenario::seed(&scenario, &mut ledger, &mut around).expect("it is safe");
        let payload_json = Some(r#"{"scenario_id": "s"}"#);
        let replay = DirectiveRequest { action: "RUN_REPLAY", target: "simulation", directive_id: "r", payload_json, ..Default::default() };
        directive::seed(&replay, &mut ledger, &mut around).expect("it is safe");
        let earlier = Record::new("swarm_directive_result")
            .with("result_id", "an id of an older version")
            .with("directive_id", "r")
            .with("node_id", "simulation-1")
            .with("source", "simulation-1")
            .with("status", "rejected");
        ledger.publish(earlier, &mut around).expect("memory takes it");
        let mut node = Node::new(NodeKind::Simulation, "simulation-1", true);
        assert_eq!(node.tick(&mut ledger, &mut around).expect("memory answers"), []);
        assert_eq!(ledger.find("simulation_replay_execution", "directive_id", "r").expect("memory answers"), []);
        let mut other = Node::new(NodeKind::Simulation, "simulation-2", true);
        assert_eq!(said(&other.tick(&mut ledger, &mut around).expect("memory answers")), [("r".into(), "applied".into())]);
    }

    #[test]
    fn hostile_directives_are_passed_by_or_answered_validly() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(1.0, 0.0));
        for record in [
            Record::new("swarm_directive"),
            Record::new("swarm_directive").with("directive_id", json!({})).with("action", json!([1])),
            Record::new("swarm_directive").with("directive_id", json!(7)).with("action", json!({"a": 1})).with("target_type", "global"),
            Record::new("swarm_directive").with("directive_id", "x\u{1b}[2J").with("payload", "no object").with("target", "simulation"),
        ] {
            ledger.publish(record, &mut around).expect("memory takes it");
        }
        for kind in [NodeKind::Trade, NodeKind::Simulation, NodeKind::Memory] {
            let results = Node::new(kind, kind.swarm(), true).tick(&mut ledger, &mut around).expect("memory answers");
            assert_eq!(results.len(), if kind.answers() { 2 } else { 0 });
            assert!(results.iter().all(|result| result.verdict().valid));
        }
    }

    #[test]
    fn each_kind_reports_its_metrics() {
        let nodes = [NodeKind::Trade, NodeKind::Security, NodeKind::Memory, NodeKind::Simulation, NodeKind::Overseer]
            .map(|kind| (kind.swarm().to_owned(), kind));
        let brief = |_: &dyn Ledger| Ok(json!({"status": "healthy", "risks": [], "recommended_actions": [1], "evidence_ids": ["e"]}));
        let views = Views { metrics: &loop_metrics, brief: &brief };
        let beats = heartbeats(&nodes, &MemoryLedger::new("n"), views).expect("memory answers");
        assert_eq!(beats["overseer"]["memory_intelligence"]["aggregate"]["status"], "healthy");
        assert_eq!(beats["memory"]["memory_summary"]["total_records"], 0);
        assert_eq!(beats["simulation"]["simulation_replay_executions"], 0);
        assert_eq!(beats["security"]["security_validation_records"], 0);
        assert_eq!(beats["trade"]["execution_enabled"], false);
        let metas = [("t", NodeKind::TradeMeta), ("s", NodeKind::SecurityMeta), ("i", NodeKind::Improver)];
        let beats = heartbeats(&metas.map(|(name, kind)| (name.to_owned(), kind)), &MemoryLedger::new("n"), views).expect("memory answers");
        assert_eq!(beats["s"], json!({"security_overview": {"status": "healthy", "risks": []}}));
        assert_eq!(beats["i"], json!({"improvements": {"status": "healthy", "recommended_actions": [1]}}));
        assert_eq!(beats["t"]["trade_overview"]["directives"], 0);
        let lone = heartbeats(&nodes[4..], &MemoryLedger::new("n"), views).expect("memory answers");
        assert_eq!(lone["overseer"]["memory_intelligence"]["aggregate"]["status"], "unknown");
    }
}
