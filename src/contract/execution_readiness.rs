//! Readiness of a controlled execution: what a trail says, stage after stage, and whether a mock may run.
//!
//! A report is a pure function of records and options. Whatever it says, nothing real is ready:
//! `ready_for_real_execution` is false of every trail.

use super::check::check;
use super::execution_readiness_core::Controlled;
use super::execution_readiness_schema::{adapter_contract, required_fields, validate};
use super::execution_readiness_stages::{stage_checks, stage_keys};
use super::table::contracts;
use super::trail::linked;
use super::value::text;
use crate::json::Value;
use crate::ledger::ROWS_UNREADABLE;
use serde::Serialize;
use serde_json::{Map, json};
use std::collections::{HashMap, HashSet};

/// Of what a report is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadinessOptions<'o> {
    /// Only records of this proposal.
    pub proposal_id: Option<&'o str>,
    /// Only records of this rendered command, or of none.
    pub rendered_command_id: Option<&'o str>,
    /// Whether an operator's authorization is asked for.
    pub require_operator_authorized: bool,
    /// How many rows of the ledger did not read: any may be a record that speaks against what is reported.
    pub rows_unreadable: u64,
}

/// A check of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name, which is the blocking reason when it fails.
    pub name: String,
    /// Whether it passed.
    #[serde(rename = "status", serialize_with = "status_word")]
    pub passed: bool,
    /// What was found: the answer itself, or how many records are against it.
    pub value: serde_json::Value,
}

fn status_word<S: serde::Serializer>(passed: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *passed { "passed" } else { "failed" })
}

impl Check {
    /// A question that is answered yes.
    pub fn holds(name: impl Into<String>, passed: bool) -> Self {
        Self { name: name.into(), passed, value: passed.into() }
    }

    /// Something of which there must be none.
    pub fn none(name: impl Into<String>, found: usize) -> Self {
        Self { name: name.into(), passed: found == 0, value: found.into() }
    }
}

/// A readiness report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadinessReport {
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// Every key of the report, `checks` included.
    pub keys: Map<String, serde_json::Value>,
}

impl ReadinessReport {
    /// Whether every check passed.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.passed)
    }

    /// The names of the failed checks, in order.
    pub fn failed(&self) -> Vec<&str> {
        self.checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str()).collect()
    }

    /// Whether the report keeps its own schema, which a test rules in.
    pub fn is_well_formed(&self) -> bool {
        self.keys.get("schema_validation").and_then(|validation| validation.get("valid")) == Some(&true.into())
    }
}

/// The records that a report is of, by type, in ledger order.
pub(super) struct Gathered<'r> {
    by_type: HashMap<&'r str, Vec<&'r Value<'r>>>,
    /// The types of which some record breaks its contract.
    invalid: HashSet<&'r str>,
}

impl<'r> Gathered<'r> {
    fn of(records: &'r [Value<'r>], options: &ReadinessOptions<'_>) -> Self {
        let mut gathered = Self { by_type: HashMap::new(), invalid: HashSet::new() };
        for record in records.iter().filter(|record| options.count(record)) {
            let Some(record_type) = record.get("type").and_then(Value::as_str) else { continue };
            if contracts().of_type(record_type).is_empty() {
                continue;
            }
            gathered.by_type.entry(record_type).or_default().push(record);
            if !check(record).valid {
                gathered.invalid.insert(record_type);
            }
        }
        gathered
    }

    pub(super) fn of_type(&self, record_type: &str) -> &[&'r Value<'r>] {
        self.by_type.get(record_type).map_or(&[], Vec::as_slice)
    }

    /// Whether every record of the type keeps its contract.
    pub(super) fn all_valid(&self, record_type: &str) -> bool {
        !self.invalid.contains(record_type)
    }

    /// The governance types without a record, by the name of their stage.
    fn missing_stages(&self) -> Vec<&'static str> {
        let stages = contracts().stages().into_iter();
        stages.filter(|(contract, _)| self.of_type(&contract.record_type).is_empty()).map(|(_, stage)| stage.missing.as_str()).collect()
    }

    pub(super) fn chain_complete(&self) -> bool {
        self.missing_stages().is_empty()
    }

    /// Whether all seven governance types are there, and valid.
    pub(super) fn governance_holds(&self) -> bool {
        self.chain_complete() && contracts().stages().iter().all(|(contract, _)| self.all_valid(&contract.record_type))
    }
}

impl ReadinessOptions<'_> {
    /// The check that fails when rows did not read; where all did, there is none.
    fn rows_read(&self) -> Option<Check> {
        (self.rows_unreadable > 0).then(|| Check { name: ROWS_UNREADABLE.to_owned(), passed: false, value: self.rows_unreadable.into() })
    }

    /// Whether a record counts.
    fn count(&self, record: &Value<'_>) -> bool {
        let rendered = linked(record, "rendered_command_id");
        self.proposal_id.is_none_or(|wanted| linked(record, "proposal_id") == wanted)
            && self.rendered_command_id.is_none_or(|wanted| rendered.is_empty() || rendered == wanted)
    }

    /// Whether an attempt counts; one that names no proposal may be of this one.
    fn count_attempt(&self, record: &Value<'_>) -> bool {
        let proposal = linked(record, "proposal_id");
        let rendered = linked(record, "rendered_command_id");
        self.proposal_id.is_none_or(|wanted| proposal.is_empty() || proposal == wanted)
            && self.rendered_command_id.is_none_or(|wanted| rendered.is_empty() || rendered == wanted)
    }
}

/// The name of the check, and the reason, for a start whose end nobody recorded.
pub const ATTEMPT_LEFT_OPEN: &str = "execution_attempt_left_open";

/// How many attempts were begun and, so far as the records go, never ended; nothing when there are none at all.
pub fn open_attempts(records: &[Value<'_>], options: &ReadinessOptions<'_>) -> Option<usize> {
    let attempts = records.iter().filter(|record| record.get("type").and_then(Value::as_str) == Some("execution_attempt"));
    let mut begun: HashMap<_, usize> = HashMap::new();
    let mut seen = false;
    for attempt in attempts.filter(|attempt| options.count_attempt(attempt)) {
        seen = true;
        let open = begun.entry(text(attempt.get("execution_attempt_id"))).or_default();
        match &*text(attempt.get("phase")) {
            // An end without a beginning closes nothing that begins later.
            "after" => *open = open.saturating_sub(1),
            _ => *open += 1,
        }
    }
    seen.then(|| begun.values().sum())
}

/// The observability report of the controlled results among `records`.
pub fn controlled_observability(records: &[Value<'_>], options: &ReadinessOptions<'_>) -> serde_json::Value {
    Controlled::of(&Gathered::of(records, options)).observability_report(options.rows_read())
}

/// Reports on the readiness of `records`.
pub fn report(records: &[Value<'_>], options: &ReadinessOptions<'_>) -> ReadinessReport {
    let gathered = Gathered::of(records, options);
    let controlled = Controlled::of(&gathered);
    let mut checks = controlled.checks(&gathered);
    checks.extend(stage_checks(&gathered));
    checks.extend(open_attempts(records, options).map(|open| Check::none(ATTEMPT_LEFT_OPEN, open)));
    checks.extend(options.rows_read());
    checks.push(if options.require_operator_authorized {
        Check::holds("operator_authorized", controlled.operator_authorized())
    } else {
        Check::holds("operator_authorization_optional", true)
    });
    let failed: Vec<&str> = checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str()).collect();
    let passed = failed.is_empty();
    let status = |passed: bool| if passed { "passed" } else { "failed" };
    let code = |passed: bool| u8::from(!passed);
    let observability = controlled.observability_report(options.rows_read());
    let observed = observability["status"] == "passed";
    let mut keys = Map::new();
    let mut add = |key: &str, value: serde_json::Value| keys.insert(key.to_owned(), value);
    add("type", "controlled_execution_readiness_report".into());
    add("schema_version", "controlled-execution-readiness/v1".into());
    add("schema_kind", "controlled_execution_readiness".into());
    add("status", status(passed).into());
    add("ready_for_mock_execution", passed.into());
    add("ready_for_real_execution", false.into());
    add("blocking_reasons", if passed { json!(["real_execution_not_supported_yet"]) } else { json!(failed) });
    add("require_operator_authorized", options.require_operator_authorized.into());
    add("proposal_id", json!(options.proposal_id));
    add("rendered_command_id", json!(options.rendered_command_id));
    add("summary", format!("{} of {} checks passed; nothing real is ready", checks.len() - failed.len(), checks.len()).into());
    let missing = gathered.missing_stages();
    add("trail_summary", json!({"chain_complete": missing.is_empty(), "missing_stages": missing}));
    add("retry_observability", json!({"status": status(gathered.governance_holds())}));
    add("controlled_observability", observability);
    add(
        "exit_codes",
        json!({
            "trail": code(gathered.chain_complete()),
            "retry_observability": code(gathered.governance_holds()),
            "controlled_observability": code(observed),
            "real_execution": 1,
        }),
    );
    add("adapter_contract", adapter_contract());
    add("real_adapter_supported", false.into());
    add("real_adapter_runnable", false.into());
    add("real_adapter_requires_explicit_pr", true.into());
    for (key, count) in controlled.counters() {
        add(key, count.into());
    }
    for (key, value) in controlled.booleans() {
        add(key, value.into());
    }
    for (key, value) in stage_keys(&gathered) {
        add(&key, value);
    }
    add("required_fields", json!(required_fields()));
    add("checks", json!(checks));
    let validation = validate(&keys);
    keys.insert("schema_validation".to_owned(), validation);
    ReadinessReport { checks, keys }
}

#[cfg(test)]
mod tests;
