//! What Security counts of guarded execution, and what the inspector and the brief say of it.
//!
//! One pass, one tally a type: statuses, reasons, flags by `true` and `false`, own ids and the ids of
//! parents. The flags are those that the type's contract lists for readiness; what the heartbeat names
//! otherwise is a row of `NAMED`.

use super::counter::Counter;
use crate::contract::execution_readiness_stage::{Asks, ExecutionStage};
use crate::contract::fields::Fields;
use crate::contract::table::{Contract, Family, contracts};
use crate::contract::value::{is_set, text};
use crate::execution::trail::short;
use crate::json::Value;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What the inspector says of starts that nobody recorded the end of, where there are any.
pub const ATTEMPTS_LEFT_OPEN: &str = "execution_attempts_left_open";

const CONTROLLED: &str = "controlled_execution_result";
const SUMMARY: &str = "mock_execution_summary";

/// What the heartbeat counts of a type beside its flags: the type, the metric's last words, and the path.
const NAMED: [(&str, &str, &str); 30] = [
    (CONTROLLED, "result_statuses", "status"),
    (CONTROLLED, "result_reasons", "reason"),
    (CONTROLLED, "operator_authorized", "operator_authorized"),
    (CONTROLLED, "allowlist_matched", "allowlist_matched"),
    (CONTROLLED, "command_parse_valid", "command_parse.valid"),
    (CONTROLLED, "command_parse_allowlist_matched", "command_parse.allowlist_matched"),
    (CONTROLLED, "command_parse_execution_performed", "command_parse.execution_performed"),
    (CONTROLLED, "gate_statuses", "gate_evaluation.gate_status"),
    (CONTROLLED, "gate_would_execute", "gate_evaluation.would_execute"),
    (CONTROLLED, "gate_would_execute_if_enabled", "gate_evaluation.would_execute_if_enabled"),
    (CONTROLLED, "gate_execution_performed", "gate_evaluation.execution_performed"),
    (CONTROLLED, "gate_reasons", "gate_evaluation.reasons"),
    (CONTROLLED, "mock_statuses", "mock_execution.status"),
    (CONTROLLED, "mock_performed", "mock_execution.mock_execution.performed"),
    (CONTROLLED, "mock_subprocess_invoked", "mock_execution.mock_execution.subprocess_invoked"),
    (CONTROLLED, "mock_adapter_subprocess_invoked", "mock_execution.mock_execution.adapter_result.subprocess_invoked"),
    (CONTROLLED, "mock_adapter_real_execution_enabled", "mock_execution.mock_execution.adapter_result.real_execution_enabled"),
    (CONTROLLED, "mock_adapter_payload_executed", "mock_execution.mock_execution.adapter_result.payload.executed"),
    (CONTROLLED, "real_requested", "real_execution_requested"),
    (CONTROLLED, "real_performed", "real_execution_performed"),
    (CONTROLLED, "real_supported", "real_execution_supported"),
    (CONTROLLED, "subprocess_invoked", "subprocess_invoked"),
    ("real_execution_preflight", "reasons", "reasons"),
    ("real_execution_preflight", "requested", "real_execution_requested"),
    ("real_execution_preflight", "requires_explicit_pr", "real_adapter_requires_explicit_pr"),
    ("real_execution_final_gate", "ready", "ready_for_real_execution"),
    ("real_execution_dry_run_envelope", "ready", "ready_for_real_execution"),
    ("real_execution_noop_result", "exit_codes", "exit_code"),
    ("real_execution_read_only_promotion", "noop_exit_codes", "noop_exit_code"),
    ("real_execution_read_only_final_gate", "preconditions_satisfied", "promotion_preconditions_satisfied"),
];

/// Further paths that are counted as flags, by type.
const FLAGS: [(&str, &str, &str); 12] = [
    ("real_execution_approval", "enabled", "real_execution_enabled"),
    ("real_execution_approval_transition", "enabled", "real_execution_enabled"),
    ("real_execution_noop_result", "noop_only", "noop_only"),
    ("real_execution_noop_result", "subprocess_invoked", "subprocess_invoked"),
    ("real_execution_noop_result", "execution_performed", "execution_performed"),
    ("real_execution_read_only_promotion", "candidates", "read_only_candidate"),
    ("real_execution_read_only_promotion", "command_parse_valid", "command_parse_valid"),
    ("real_execution_read_only_promotion", "stdout_marker_observed", "stdout_marker_observed"),
    ("real_execution_read_only_final_gate", "ready", "ready_for_read_only_execution"),
    ("real_execution_dry_run_envelope", "dry_run_only", "dry_run_only"),
    (SUMMARY, "performed", "mock_performed"),
    (SUMMARY, "subprocess_invoked", "subprocess_invoked"),
];

/// The tally of a type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tally {
    records: u64,
    counted: BTreeMap<String, Counter>,
    ids: BTreeSet<String>,
    /// How many records name each parent; a blank one names none.
    parents: HashMap<String, u64>,
}

/// The tallies of every type of guarded execution that was seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExecutionMetrics {
    types: BTreeMap<&'static str, Tally>,
    next_actions: Counter,
    /// Own ids of rendered commands: what controlled results come from.
    rendered: BTreeSet<String>,
    /// Attempts that were begun and, so far, not ended, by id.
    open: BTreeMap<String, u64>,
    /// Whether ids are kept: without them memory does not grow with the records.
    ids_kept: bool,
}

impl ExecutionMetrics {
    /// Metrics that keep ids too, for links and orphans.
    pub fn with_ids() -> Self {
        Self { ids_kept: true, ..Self::default() }
    }

    /// Counts a record of this contract; other families change nothing.
    pub fn add<'v>(&mut self, record: &impl Fields<'v>, contract: &'static Contract) {
        if contract.family != Family::Execution {
            if contract.record_type == crate::governance::terms::RENDERED {
                self.add_rendered(&text(record.get("rendered_command_id")));
            }
            return;
        }
        if contract.record_type == crate::execution::runners::ATTEMPT {
            return self.attempt(record);
        }
        let name = short(&contract.record_type);
        let tally = self.types.entry(name).or_default();
        tally.records += 1;
        if let Some(status) = &contract.status {
            tally.count("statuses", record, status);
        }
        for (_, metric, path) in NAMED.iter().chain(&FLAGS).filter(|(of, ..)| *of == name) {
            tally.count(metric, record, path);
        }
        for field in contract.readiness.iter().flat_map(flags) {
            tally.count(field, record, field);
        }
        let said = |field: Option<&String>| field.map(|field| text(record.get(field)).into_owned()).unwrap_or_default();
        if self.ids_kept {
            tally.ids.insert(said(contract.id.as_ref()));
            *tally.parents.entry(said(contract.parents.first().map(|parent| &parent.field))).or_default() += 1;
        }
        let next = text(record.get("recommended_next_action"));
        if !next.is_empty() {
            self.next_actions.count_said(&next);
        }
    }

    /// Takes note of the own id of a rendered command: all that is asked of other families.
    pub(super) fn add_rendered(&mut self, id: &str) {
        if self.ids_kept && !self.rendered.contains(id) {
            self.rendered.insert(id.to_owned());
        }
    }

    /// Counts an entry around a start. An end without a beginning closes nothing that begins later.
    fn attempt<'v>(&mut self, entry: &impl Fields<'v>) {
        let id = text(entry.get("execution_attempt_id")).into_owned();
        let ended = text(entry.get("phase")) == "after";
        match self.open.get_mut(&id) {
            Some(begun) if ended => *begun = begun.saturating_sub(1),
            Some(begun) => *begun += 1,
            None if self.ids_kept && !ended => drop(self.open.insert(id, 1)),
            None => {}
        }
    }

    /// How many starts nobody recorded the end of; known where ids are kept.
    pub fn open_attempts(&self) -> u64 {
        self.open.values().sum()
    }

    fn tally(&self, name: &str) -> Option<&Tally> {
        self.types.get(name)
    }

    /// How many records of a type there are, by its name without the prefix.
    pub fn records(&self, name: &str) -> u64 {
        self.tally(name).map_or(0, |tally| tally.records)
    }

    /// How often a flag of a type, or another thing counted of it, is exactly this.
    pub fn said(&self, name: &str, metric: &str, word: &str) -> u64 {
        self.tally(name).and_then(|tally| tally.counted.get(metric)).map_or(0, |counter| counter.of(word))
    }

    /// How many records of a type name a parent that is not there.
    pub fn orphans(&self, contract: &Contract) -> u64 {
        let Some(tally) = self.tally(short(&contract.record_type)) else { return 0 };
        let parent = contract.parents.first().map(|parent| short(&parent.record_type)).unwrap_or_default();
        let nothing = BTreeSet::new();
        let ids = if parent == "rendered_command" { &self.rendered } else { self.tally(parent).map_or(&nothing, |tally| &tally.ids) };
        tally.parents.iter().filter(|(id, _)| id.is_empty() || !ids.contains(*id)).map(|(_, count)| count).sum()
    }

    /// What the heartbeat says: nothing of a type that was not seen.
    pub fn heartbeat(&self) -> Map<String, Json> {
        let mut metrics = Map::new();
        for (name, tally) in &self.types {
            for (metric, counter) in &tally.counted {
                metrics.insert(format!("security_validation_{}_{metric}", prefix(name)), json!(counter));
            }
        }
        if self.next_actions.total() > 0 {
            metrics.insert("security_validation_recommended_next_actions".to_owned(), json!(self.next_actions));
        }
        metrics
    }

    /// What the inspector says beside its counts and ids.
    pub fn breakdowns(&self) -> Map<String, Json> {
        let mut said = Map::new();
        for (name, tally) in &self.types {
            let Some(contract) = contract(name) else { continue };
            let prefix = prefix(name);
            for (metric, counter) in &tally.counted {
                said.insert(format!("{prefix}_{metric}"), json!(counter));
            }
            let orphans = self.orphans(contract);
            said.insert(format!("{prefix}_records"), json!(tally.records));
            said.insert(format!("{prefix}_orphans"), json!(orphans));
            let linkage = contract.readiness.as_ref().map_or_else(|| format!("{prefix}_linkage_complete"), |stage| stage.linkage.clone());
            said.insert(linkage, json!(orphans == 0));
        }
        if self.open_attempts() > 0 {
            said.insert(ATTEMPTS_LEFT_OPEN.to_owned(), json!(self.open_attempts()));
        }
        if !self.types.is_empty() {
            said.insert("extended_controlled_execution_observed".to_owned(), json!(true));
            for (name, count) in self.seed_numbers() {
                said.insert(name.to_owned(), json!(count));
            }
        }
        said
    }

    /// The numbers that inspector, brief and readiness print under the seed's names.
    pub fn seed_numbers(&self) -> [(&'static str, u64); 9] {
        let controlled = |metric: &str, word: &str| self.said(CONTROLLED, metric, word);
        let summary = |metric: &str, word: &str| self.said(SUMMARY, metric, word);
        [
            ("mock_executed", controlled("mock_statuses", "mock_executed")),
            ("mock_performed", controlled("mock_performed", "true")),
            ("mock_subprocess_invoked", controlled("mock_subprocess_invoked", "true")),
            ("mock_summary_executed", summary("statuses", "mock_executed")),
            ("mock_summary_performed", summary("performed", "true")),
            ("mock_summary_subprocess_invoked", summary("subprocess_invoked", "true")),
            ("command_parse_valid", controlled("command_parse_valid", "true")),
            ("command_parse_allowlisted", controlled("command_parse_allowlist_matched", "true")),
            ("command_parse_execution_performed", controlled("command_parse_execution_performed", "true")),
        ]
    }

    /// The counts by type, under the inspector's names.
    pub fn counts(&self) -> impl Iterator<Item = (String, u64)> {
        self.types.iter().map(|(name, tally)| (plural(name), tally.records))
    }

    /// The own ids by type, under the inspector's names.
    pub fn ids(&self) -> impl Iterator<Item = (String, BTreeSet<String>)> {
        self.types.iter().map(|(name, tally)| (format!("{name}_ids"), tally.ids.iter().filter(|id| !id.is_empty()).cloned().collect()))
    }
}

impl Tally {
    /// Counts what a record says at a path: the words of a list, a flag as `true` or `false`, a text or a number.
    fn count<'v>(&mut self, metric: &str, record: &impl Fields<'v>, path: &str) {
        if !self.counted.contains_key(metric) {
            self.counted.insert(metric.to_owned(), Counter::default());
        }
        let counter = self.counted.get_mut(metric).expect("it is there now");
        match record.at(path) {
            Some(Value::Array(items)) => items.iter().for_each(|item| counter.count_said(&text(Some(item)))),
            Some(Value::String(said)) => counter.count_said(&said.trim().to_lowercase()),
            Some(Value::Number(number)) => counter.count_said(number.as_str()),
            other => counter.count(if is_set(other) { "true" } else { "false" }),
        }
    }
}

/// The flags that a stage's checks want unset.
fn flags(stage: &ExecutionStage) -> impl Iterator<Item = &str> {
    stage.checks.iter().filter_map(|check| match &check.asks {
        Asks::Unset(field) => Some(field.as_str()),
        Asks::Holds(_) => None,
    })
}

fn contract(name: &str) -> Option<&'static Contract> {
    contracts().of_type(&format!("{}{name}", crate::execution::trail::PREFIX)).first()
}

/// What the metrics of a type begin with.
fn prefix(name: &str) -> &str {
    match name {
        CONTROLLED => "controlled_execution",
        SUMMARY => "mock_summary",
        name => contract(name).and_then(|contract| contract.readiness.as_ref()).map_or(name, |stage| &stage.prefix),
    }
}

/// A type in the plural, as counts name it.
pub fn plural(name: &str) -> String {
    match (name.strip_suffix('y'), name.strip_suffix("ix")) {
        (Some(stem), _) => format!("{stem}ies"),
        (None, Some(stem)) => format!("{stem}ices"),
        (None, None) => format!("{name}s"),
    }
}

/// A brief's metric for the records of a type.
pub fn brief_metric(name: &str) -> String {
    // The seed's rule for the real ones is a plain s.
    if name == SUMMARY { "security_mock_execution_summaries".to_owned() } else { format!("security_{name}s") }
}
