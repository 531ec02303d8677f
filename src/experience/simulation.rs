//! The simulation consumer: it observes, and replays scenarios without effect.

use super::execution::{ReplayError, ReplayExecutor};
use super::received::{Answer, Directive, Identity};
use crate::ledger::{Ledger, LedgerError, Surroundings};
use serde_json::{Value as Json, json};
use std::collections::HashSet;

/// A simulation node, with an executor or without.
pub struct SimulationNode {
    identity: Identity,
    executor: Option<Box<dyn ReplayExecutor + Send>>,
    handled: HashSet<String>,
}

impl std::fmt::Debug for SimulationNode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SimulationNode")
            .field("identity", &self.identity)
            .field("executor", &self.executor.is_some())
            .finish_non_exhaustive()
    }
}

impl SimulationNode {
    /// A node of this identity; without an executor it rejects every replay.
    pub fn new(identity: Identity, executor: Option<Box<dyn ReplayExecutor + Send>>) -> Self {
        Self { identity, executor, handled: HashSet::new() }
    }

    /// Who it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Told before it is shown what is new.
    pub fn begin(&mut self) {
        if let Some(executor) = &mut self.executor {
            executor.begin();
        }
    }

    /// Answers a directive; `None` for a repeat. The cases are the table's of the specification (5.6);
    /// a directive that is for the node and has outlived its time is answered before its action is read.
    ///
    /// # Errors
    /// The ledger failed; nothing is answered then.
    pub fn consume(
        &mut self,
        directive: &Directive,
        ledger: &mut dyn Ledger,
        around: &mut dyn Surroundings,
    ) -> Result<Option<Answer>, LedgerError> {
        if self.handled.contains(&directive.directive_id) {
            return Ok(None);
        }
        if !is_for_simulation(directive) {
            let reason = "directive_not_targeted_to_simulation";
            return Ok(Some(Answer::new("ignored", reason, "the directive is not for simulation")));
        }
        let answer = if directive.has_expired(around.now()) {
            Answer::new("expired", "directive_expired", "the directive outlived its time")
        } else {
            match directive.action.as_str() {
                "OBSERVE" => Answer::new("applied", "observe_acknowledged", "observed; nothing changed"),
                "RUN_REPLAY" => self.replay(directive, ledger, around)?,
                _ => Answer::new("ignored", "unsupported_simulation_directive", "a simulation node does not do this"),
            }
        };
        self.handled.insert(directive.directive_id.clone());
        Ok(Some(answer))
    }

    fn replay(&mut self, directive: &Directive, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Answer, LedgerError> {
        if directive.scenario_id.is_empty() {
            return Ok(Answer::new("rejected", "run_replay_missing_scenario_id", "the replay names no scenario"));
        }
        let answer = |status, reason, message| Answer::new(status, reason, message).with("scenario_id", directive.scenario_id.clone());
        if !directive.dry_run {
            return Ok(answer("rejected", "run_replay_requires_dry_run", "only a dry run is replayed"));
        }
        let Some(executor) = &mut self.executor else {
            return Ok(answer("rejected", "run_replay_execution_not_implemented", "this node has no executor"));
        };
        Ok(match executor.replay(directive, &self.identity.node_id, ledger, around) {
            Ok(execution) => {
                let seen: Json = ["execution_id", "scenario_id", "directive_id", "status", "dry_run", "action", "expected_result_status"]
                    .into_iter()
                    .map(|field| (field.to_owned(), execution.get(field).cloned().unwrap_or(Json::Null)))
                    .collect();
                answer("applied", "run_replay_dry_run_completed", "the scenario was replayed without effect").with("execution", seen)
            }
            Err(ReplayError::Failed(error)) => {
                answer("rejected", "run_replay_dry_run_failed", "the scenario was not replayed").with("error", json!(error))
            }
            Err(ReplayError::Ledger(error)) => return Err(error),
        })
    }
}

/// Whether a directive is for simulation: narrower than the rule of other nodes, a node id does not do.
fn is_for_simulation(directive: &Directive) -> bool {
    ["", "*", "simulation"].contains(&directive.target.as_str()) && ["", "swarm", "global"].contains(&directive.target_type.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::execution::DryRun;
    use crate::experience::scenario::{self, ScenarioRequest};
    use crate::ledger::surroundings::Scripted;
    use crate::ledger::{MemoryLedger, Record};

    struct Failing;
    impl ReplayExecutor for Failing {
        fn replay(&mut self, _: &Directive, _: &str, _: &mut dyn Ledger, _: &mut dyn Surroundings) -> Result<Record, ReplayError> {
            Err(ReplayError::Failed("out_of_order".to_owned()))
        }
    }

    struct World {
        node: SimulationNode,
        ledger: MemoryLedger,
        around: Scripted,
    }

    fn world(executor: Option<Box<dyn ReplayExecutor + Send>>) -> World {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(100.0, 0.0));
        scenario::seed(&ScenarioRequest { scenario_id: "s", ..Default::default() }, &mut ledger, &mut around).expect("a scenario");
        World { node: SimulationNode::new(Identity::new("simulation-1", "simulation"), executor), ledger, around }
    }

    fn directive(action: &str, payload: Json) -> Record {
        Record::new("swarm_directive")
            .with("directive_id", "d")
            .with("action", action)
            .with("target", "simulation")
            .with("payload", payload)
            .with("created_at", 100.0)
    }

    impl World {
        fn said(&mut self, directive: &Record) -> Option<(&'static str, &'static str)> {
            let directive = Directive::of(directive);
            let answer = self.node.consume(&directive, &mut self.ledger, &mut self.around).expect("memory answers")?;
            let said = (answer.status, answer.reason);
            assert!(answer.to_record(self.node.identity(), &directive, &mut self.around).verdict().valid);
            Some(said)
        }
    }

    #[test]
    fn each_row_of_the_table() {
        let full = json!({"scenario_id": "s", "dry_run": true});
        let dry = |executor, payload: &Json| world(executor).said(&directive("run_replay", payload.clone()));
        let with = || Some(Box::new(DryRun::default()) as Box<dyn ReplayExecutor + Send>);
        assert_eq!(
            world(with()).said(&directive("OBSERVE", json!({})).with("target", "trade")),
            Some(("ignored", "directive_not_targeted_to_simulation"))
        );
        assert_eq!(world(with()).said(&directive("OBSERVE", json!({}))), Some(("applied", "observe_acknowledged")));
        assert_eq!(dry(with(), &json!({"dry_run": true})), Some(("rejected", "run_replay_missing_scenario_id")));
        assert_eq!(dry(with(), &json!("text")), Some(("rejected", "run_replay_missing_scenario_id")));
        for dry_run in [json!(false), json!("true"), json!(1), Json::Null] {
            assert_eq!(dry(with(), &json!({"scenario_id": "s", "dry_run": dry_run})), Some(("rejected", "run_replay_requires_dry_run")));
        }
        assert_eq!(dry(with(), &json!({"scenario_id": "s"})), Some(("rejected", "run_replay_requires_dry_run")));
        assert_eq!(dry(None, &full), Some(("rejected", "run_replay_execution_not_implemented")));
        assert_eq!(dry(with(), &json!({"scenario_id": "unknown", "dry_run": true})), Some(("rejected", "run_replay_dry_run_failed")));
        assert_eq!(dry(Some(Box::new(Failing)), &full), Some(("rejected", "run_replay_dry_run_failed")));
        assert_eq!(dry(with(), &full), Some(("applied", "run_replay_dry_run_completed")));
        for action in ["REDUCE_RISK", "SET_DRY_RUN", "BUY", ""] {
            assert_eq!(world(with()).said(&directive(action, full.clone())), Some(("ignored", "unsupported_simulation_directive")));
        }
    }

    #[test]
    fn an_empty_or_open_target_of_swarm_or_all_is_for_simulation() {
        for (target, target_type, reason) in [
            ("", "", "observe_acknowledged"),
            ("*", "swarm", "observe_acknowledged"),
            ("simulation", "global", "observe_acknowledged"),
            ("simulation", "node", "directive_not_targeted_to_simulation"),
            ("all", "swarm", "directive_not_targeted_to_simulation"),
            ("trade", "global", "directive_not_targeted_to_simulation"),
        ] {
            let observe = directive("OBSERVE", json!({})).with("target", target).with("target_type", target_type);
            assert_eq!(world(None).said(&observe).map(|(_, reason)| reason), Some(reason), "{target} {target_type}");
        }
    }

    #[test]
    fn a_replay_publishes_one_valid_execution_and_a_repeat_nothing() {
        let mut world = world(Some(Box::new(DryRun::default())));
        let replay = directive("RUN_REPLAY", json!({"scenario_id": "s", "dry_run": true}));
        assert_eq!(world.said(&replay), Some(("applied", "run_replay_dry_run_completed")));
        assert_eq!(world.said(&replay), None);
        let executions = world.ledger.find("simulation_replay_execution", "directive_id", "d").expect("memory answers");
        assert_eq!(executions.len(), 1);
        let execution = &executions[0];
        assert!(execution.verdict().valid);
        for (field, said) in
            [("execution_id", "exec-s"), ("status", "completed"), ("action", "REDUCE_RISK"), ("expected_result_status", "applied")]
        {
            assert_eq!(execution.text(field), said);
        }
        let names: Vec<_> = execution.get("checks").and_then(Json::as_array).expect("checks").iter().map(|check| &check["name"]).collect();
        assert_eq!(names, ["scenario_found", "dry_run_required", "expected_result_status_present"]);
    }

    #[test]
    fn a_scenario_that_expects_nothing_or_dares_too_much_does_not_complete() {
        for (id, field, value, executions) in [("x", "expected_result_status", "", 1), ("y", "action", "BUY", 0)] {
            let mut world = world(Some(Box::new(DryRun::default())));
            let mut scenario =
                scenario::prepare(&ScenarioRequest { scenario_id: id, ..Default::default() }, &mut world.around).expect("one");
            scenario.set(field, value);
            world.ledger.publish(scenario, &mut world.around).expect("memory takes it");
            let replay = directive("RUN_REPLAY", json!({"scenario_id": id, "dry_run": true}));
            assert_eq!(world.said(&replay), Some(("rejected", "run_replay_dry_run_failed")));
            let found = world.ledger.find("simulation_replay_execution", "scenario_id", id).expect("memory answers");
            assert_eq!(found.len(), executions);
            assert!(found.iter().all(|execution| execution.text("status") == "failed"));
        }
    }

    #[test]
    fn an_expired_replay_is_not_run() {
        let mut world = world(Some(Box::new(DryRun::default())));
        let late = directive("RUN_REPLAY", json!({"scenario_id": "s", "dry_run": true})).with("ttl_ms", 1000).with("created_at", 1.0);
        assert_eq!(world.said(&late), Some(("expired", "directive_expired")));
    }
}
