//! The dry-run replay: it finds the scenario, and publishes what a replay of it would be. It changes
//! nothing outside of the ledger and starts nothing.

use super::item::{self, CheckItem};
use super::publishing::{Written, publish_once_per_directive};
use super::received::Directive;
use super::scenario::REPLAY_ACTIONS;
use crate::ledger::{Ledger, LedgerError, Record, Surroundings};
use serde_json::Value as Json;
use std::collections::HashMap;

/// Why a scenario was not replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The replay itself; the text is an outcome code.
    #[error("{0}")]
    Failed(String),
    /// The ledger could not answer.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What replays a scenario for a simulation node.
pub trait ReplayExecutor {
    /// Told before the node works through what is new: what was looked up before may have changed.
    fn begin(&mut self) {}

    /// Replays the scenario of a directive without effect, and publishes the execution as `source`.
    ///
    /// # Errors
    /// The scenario cannot be replayed, or the ledger failed.
    fn replay(
        &mut self,
        directive: &Directive,
        source: &str,
        ledger: &mut dyn Ledger,
        around: &mut dyn Surroundings,
    ) -> Result<Record, ReplayError>;
}

/// The executor that landfall has.
#[derive(Debug, Clone, Default)]
pub struct DryRun {
    /// Scenarios that were looked up since it began: many directives may replay one.
    scenarios: HashMap<String, Scenario>,
}

/// What a replay takes from its scenario.
#[derive(Debug, Clone)]
struct Scenario {
    action: String,
    expected: String,
}

impl DryRun {
    fn scenario(&mut self, id: &str, ledger: &dyn Ledger) -> Result<Scenario, ReplayError> {
        if let Some(known) = self.scenarios.get(id) {
            return Ok(known.clone());
        }
        let found = ledger.find("simulation_replay_scenario", "scenario_id", id)?;
        let first = found.first().ok_or_else(|| ReplayError::Failed("scenario_not_found".to_owned()))?;
        let scenario = Scenario { action: first.text("action").to_uppercase(), expected: first.text("expected_result_status") };
        self.scenarios.insert(id.to_owned(), scenario.clone());
        Ok(scenario)
    }
}

impl ReplayExecutor for DryRun {
    fn begin(&mut self) {
        self.scenarios.clear();
    }

    fn replay(
        &mut self,
        directive: &Directive,
        source: &str,
        ledger: &mut dyn Ledger,
        around: &mut dyn Surroundings,
    ) -> Result<Record, ReplayError> {
        let scenario = self.scenario(&directive.scenario_id, ledger)?;
        if !scenario.action.is_empty() && !REPLAY_ACTIONS.contains(&scenario.action.as_str()) {
            return Err(ReplayError::Failed("scenario_action_unsafe".to_owned()));
        }
        let execution = execution(directive, scenario, source, around);
        let execution = match publish_once_per_directive(execution, "execution_id", ledger, around)? {
            Written::Published(execution) | Written::Kept(execution) => execution,
            Written::Refused(..) => return Err(ReplayError::Failed("execution_refused".to_owned())),
        };
        if execution.text("status") == "completed" {
            return Ok(execution);
        }
        Err(ReplayError::Failed("replay_checks_failed".to_owned()))
    }
}

fn execution(directive: &Directive, scenario: Scenario, source: &str, around: &mut dyn Surroundings) -> Record {
    let Scenario { action, expected } = scenario;
    let checks = [
        CheckItem::new("scenario_found", true, true, "the scenario is in the ledger"),
        CheckItem::new("dry_run_required", directive.dry_run, directive.dry_run, "the directive asks for a dry run"),
        CheckItem::new("expected_result_status_present", !expected.is_empty(), expected.clone(), "the scenario says what to expect"),
    ];
    let id = &directive.scenario_id;
    Record::new("simulation_replay_execution")
        .with("execution_id", format!("exec-{id}"))
        .with("scenario_id", id.clone())
        .with("directive_id", directive.directive_id.clone())
        .with("status", if item::all_passed(&checks) { "completed" } else { "failed" })
        .with("dry_run", true)
        .with("action", if action.is_empty() { Json::Null } else { action.into() })
        .with("expected_result_status", expected)
        .with("checks", item::to_json(&checks))
        .with("source", source)
        .with("created_at", around.now())
}
