//! The replay evidence check: one walk from a seeded scenario to a remembered, visible execution.
//!
//! The check itself replays nothing. It waits until some node has answered, and says so when none did.

use super::bridge::{self, BridgeFilter};
use super::directive::{self, DirectiveRequest};
use super::execution_evidence::{self, DRY_RUN, publish_for_executions};
use super::item::{self, CheckItem};
use super::publishing::{Batch, LoopError, Written, checked, publish};
use super::scenario::{self, ScenarioRequest};
use super::timeout::{LEAST_PAUSE, Timeout};
use super::visibility::{LIFECYCLE_RESULT, SecurityMetrics, Visibility, WithDraft};
use super::waiting::Waiting;
use crate::ledger::{Ledger, LedgerError, ROWS_UNREADABLE, Record, Surroundings};
use serde_json::{Value as Json, json};

/// The failure reason of a check that saw no execution.
pub const NOT_OBSERVED: &str = "execution_not_observed_before_timeout";

/// What is checked.
#[derive(Debug, Clone, Copy)]
pub struct ReplayCheck<'r> {
    /// The scenario to seed and replay.
    pub scenario_id: &'r str,
    /// The action it replays.
    pub action: &'r str,
    /// The id of the RUN_REPLAY directive.
    pub directive_id: &'r str,
    /// Who checks.
    pub source: &'r str,
    /// The result status that the scenario expects.
    pub expected_result_status: &'r str,
    /// How long to wait.
    pub timeout: Timeout,
}

/// Nodes that work on a ledger when they are called.
pub type Nodes<'n> = dyn FnMut(&mut dyn Ledger, &mut dyn Surroundings) -> Result<(), LedgerError> + 'n;

/// What the check needs beside a ledger and its surroundings.
pub struct Means<'m> {
    /// Its own clock and sleep.
    pub waiting: &'m mut dyn Waiting,
    /// The Security metrics.
    pub metrics: &'m SecurityMetrics<'m>,
    /// Called before each look: nodes of the same process work here.
    pub nodes: &'m mut Nodes<'m>,
}

impl std::fmt::Debug for Means<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Means")
    }
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The lifecycle result, as it was published.
    pub result: Record,
    /// Its nine checks.
    pub checks: Vec<CheckItem>,
}

impl Checked {
    /// Whether all nine passed.
    pub fn passed(&self) -> bool {
        item::all_passed(&self.checks)
    }
}

/// The two records that a check begins with, unpublished.
#[derive(Debug, Clone, PartialEq)]
pub struct Seeds {
    scenario: Record,
    directive: Record,
}

/// Runs the check from its [seeds](prepare) on and publishes its lifecycle result.
///
/// # Errors
/// The ledger failed, or does not take a record.
pub fn run(
    check: &ReplayCheck<'_>,
    seeds: Seeds,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
    means: &mut Means<'_>,
) -> Result<Checked, LoopError> {
    let (scenario_id, directive_id) = (check.scenario_id.trim(), check.directive_id.trim());
    let before = ledger.passed_over();
    let (Written::Published(scenario) | Written::Kept(scenario) | Written::Refused(scenario, _)) =
        scenario::publish(seeds.scenario, ledger, around)?;
    let replay = publish(seeds.directive, ledger, around)?;
    let execution = wait(scenario_id, directive_id, check.timeout, ledger, around, means)?;
    let mut evidence = Batch::default();
    let mut memory = Batch::default();
    if execution.is_some() {
        evidence = publish_for_executions(scenario_id, directive_id, check.source, ledger, around)?;
        let filter = BridgeFilter { directive_id, subject: execution_evidence::SUBJECT, ..Default::default() };
        memory = bridge::bridge(&filter, check.source, ledger, around)?;
    }
    let status = execution.as_ref().map(|execution| execution.text("status").to_lowercase());
    let completed = status.as_deref() == Some("completed");
    let right_type = |record: &Record, name: &str| record.record_type() == name;
    let mut checks = vec![
        CheckItem::new("scenario_seeded", right_type(&scenario, "simulation_replay_scenario"), true, "the scenario is in the ledger"),
        CheckItem::new("directive_seeded", right_type(&replay, "swarm_directive"), true, "the replay is directed"),
        CheckItem::new("execution_published", execution.is_some(), execution.is_some(), "an execution of both ids was seen"),
        CheckItem::new("execution_completed", completed, json!(status), "it ended as completed"),
        of_dry_runs(published("evidence_published", &evidence), &evidence),
        published("memory_record_published", &memory),
    ];
    let unseen = execution.is_none().then_some(NOT_OBSERVED);
    let draft = lifecycle_result(check, around, &checks, unseen, execution.as_ref(), (&evidence, &memory), Json::Null);
    let seen = Visibility::collect(&WithDraft::new(ledger, &draft), scenario_id, directive_id, means.metrics)?;
    let remembered = seen.memory_summary.replay_execution_evidence_records;
    // A row that was passed over may be an execution that was none, or the one that nobody saw.
    let whole = ledger.passed_over() == before;
    let of_trail = if whole { "each record of the trail is in the ledger" } else { "rows of the ledger do not read" };
    let (validated, complete) = (seen.lifecycle_results_seen(), whole && seen.trail_counts.complete());
    checks.extend([
        CheckItem::new("visibility_memory_summary_replay_evidence", remembered > 0, remembered, "the memory summary counts it"),
        CheckItem::new("visibility_security_lifecycle_validation", validated > 0, validated, "Security counts its result"),
        CheckItem::new("visibility_crdt_trail_complete", complete, complete, of_trail),
    ]);
    let failure = if whole { unseen } else { Some(ROWS_UNREADABLE) };
    let mut result = lifecycle_result(check, around, &checks, failure, execution.as_ref(), (&evidence, &memory), json!(seen));
    result.set("created_at", draft.get("created_at").cloned().unwrap_or(Json::Null));
    let result = publish(result, ledger, around)?;
    Ok(Checked { result, checks })
}

/// What a check seeds. Both are held against their contracts before either is published.
///
/// # Errors
/// The scenario or the directive is refused.
pub fn prepare(check: &ReplayCheck<'_>, around: &mut dyn Surroundings) -> Result<Seeds, LoopError> {
    if check.directive_id.trim().is_empty() {
        return Err(LoopError::Refused("the directive id is blank".to_owned()));
    }
    let payload = crate::json::to_line(&json!({"scenario_id": check.scenario_id.trim(), "dry_run": true}));
    let directive = DirectiveRequest {
        action: "RUN_REPLAY",
        target: "simulation",
        source: check.source,
        directive_id: check.directive_id,
        payload_json: Some(&payload),
        ..Default::default()
    };
    let scenario = ScenarioRequest {
        scenario_id: check.scenario_id,
        action: check.action,
        expected_result_status: check.expected_result_status,
        source: check.source,
        directive_id: check.directive_id,
    };
    Ok(Seeds { scenario: scenario::prepare(&scenario, around)?, directive: checked(directive::prepare(&directive, around)?)? })
}

/// Looks until there is an execution of both ids or the time is over; looks at least once.
fn wait(
    scenario_id: &str,
    directive_id: &str,
    timeout: Timeout,
    ledger: &mut dyn Ledger,
    around: &mut dyn Surroundings,
    means: &mut Means<'_>,
) -> Result<Option<Record>, LedgerError> {
    let began = means.waiting.elapsed();
    loop {
        (means.nodes)(ledger, around)?;
        ledger.refresh()?;
        let executions = ledger.find("simulation_replay_execution", "directive_id", directive_id)?;
        if let Some(execution) = executions.into_iter().find(|execution| execution.text("scenario_id") == scenario_id) {
            return Ok(Some(execution));
        }
        let left = timeout.wait_seconds - (means.waiting.elapsed() - began);
        // Not `left <= 0`: a number that is none must not wait for ever.
        let go_on = left > 0.0;
        if !go_on {
            return Ok(None);
        }
        means.waiting.sleep(timeout.poll_interval.min(left).max(LEAST_PAUSE));
    }
}

/// Of a run that is repeated, what is kept counts as well: it was published under the same ids.
fn published(name: &'static str, batch: &Batch) -> CheckItem {
    let detail = format!("published {}, there already {}, refused {}", batch.published.len(), batch.kept.len(), batch.refused.len());
    CheckItem::new(name, batch.at_hand() > 0, batch.at_hand(), detail)
}

/// Evidence of an execution that was no dry run is at hand, and proves the contrary.
fn of_dry_runs(check: CheckItem, evidence: &Batch) -> CheckItem {
    let dry = |record: &Record| {
        let checks = record.get("payload.checks").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        checks.iter().any(|check| check["name"] == DRY_RUN && check["status"] == "passed")
    };
    if evidence.published.iter().chain(&evidence.kept).all(dry) {
        return check;
    }
    CheckItem { passed: false, detail: format!("{}; an execution was no dry run", check.detail), ..check }
}

fn lifecycle_result(
    check: &ReplayCheck<'_>,
    around: &mut dyn Surroundings,
    checks: &[CheckItem],
    failure: Option<&str>,
    execution: Option<&Record>,
    (evidence, memory): (&Batch, &Batch),
    visibility: Json,
) -> Record {
    let [scenario_id, directive_id] = [check.scenario_id.trim(), check.directive_id.trim()];
    Record::new(LIFECYCLE_RESULT)
        .with("scenario_id", scenario_id)
        .with("directive_id", directive_id)
        .with("status", item::status_of(item::all_passed(checks)))
        .with("source", check.source.trim())
        .with("checks", item::to_json(checks))
        .with("created_at", around.now())
        .with(
            "payload",
            json!({
                "scenario_id": scenario_id,
                "directive_id": directive_id,
                "execution_id": execution.map(|execution| execution.text("execution_id")),
                "evidence_count": evidence.at_hand(),
                "memory_record_count": memory.at_hand(),
                "failure_reason": failure,
                "wait_seconds": check.timeout.wait_seconds,
                "poll_interval": check.timeout.poll_interval,
                "visibility": visibility,
            }),
        )
}
