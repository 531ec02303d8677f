//! What a result says of a run, or of a refusal.

use super::table::{Runner, Said};
use crate::contract::allowlist::MODULE;
use crate::contract::table::Contract;
use crate::execution::build::{seal, start};
use crate::execution::harness::Program;
use crate::execution::start::{Ended, Start};
use crate::governance::id::h16;
use crate::json::Value;
use crate::ledger::Record;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a run that left something behind, or wrote too much, exits with where its own code says 0.
const NOT_CLEAN: i32 = 125;

/// The targets of a list, in the order they stand in.
pub(super) fn targets(record: &Record, field: &str) -> Vec<String> {
    let items = record.get(field).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// The targets that a guarded repair says are completed.
fn completed(guarded: &Record) -> Vec<String> {
    let items = guarded.get("repair_action_results").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let done = items.iter().filter(|item| item.get("status").and_then(Json::as_str) == Some("completed"));
    done.filter_map(|item| item.get("target").and_then(Json::as_str).map(str::to_owned)).collect()
}

pub(super) fn repair_noop(envelope: &Record) -> Result<Program, Vec<String>> {
    if targets(envelope, "repair_dry_run_targets").is_empty() {
        return Err(vec!["repair_targets_missing".to_owned()]);
    }
    Ok(Program::RepairNoop)
}

pub(super) fn guarded_repair(gate: &Record) -> Result<Program, Vec<String>> {
    let targets = targets(gate, "source_repair_dry_run_targets");
    if targets.is_empty() {
        return Err(vec!["repair_targets_missing".to_owned()]);
    }
    Ok(Program::GuardedRepair { targets })
}

pub(super) fn post_repair(guarded: &Record) -> Result<Program, Vec<String>> {
    let (expected, completed) = (targets(guarded, "source_repair_dry_run_targets"), completed(guarded));
    let sorted = |list: &[String]| {
        let mut list = list.to_vec();
        list.sort();
        list
    };
    if expected.is_empty() || sorted(&expected) != sorted(&completed) {
        return Err(vec!["repair_targets_differ".to_owned()]);
    }
    Ok(Program::PostRepairEvidence { expected, completed })
}

/// A result as far as the parent and the flags say it, with every flag of a run off.
fn begun(runner: &Runner, contract: &Contract, parent: &Record, flags: &BTreeMap<String, String>) -> Record {
    let mut record = start(contract, parent);
    for flag in runner.when_started.iter().chain(runner.when_good) {
        record.set(flag, false);
    }
    for needed in runner.needs {
        record.set(needed.field, flags.contains_key(needed.flag));
    }
    let [marker, observed] = runner.fields.marker;
    if !marker.is_empty() {
        record.set(marker, runner.marker);
        record.set(observed, false);
    }
    match runner.command {
        "read-only" => record.with("read_only_module", MODULE),
        "repair" => {
            let targets = targets(parent, "source_repair_dry_run_targets").len();
            record.with("repair_action_target_count", targets).with("repair_action_results", json!([]))
        }
        "post-repair" => {
            let (expected, completed) = (targets(parent, "source_repair_dry_run_targets"), completed(parent));
            let without = |these: &[String], those: &[String]| -> Vec<String> {
                let those: BTreeSet<_> = those.iter().collect();
                these.iter().filter(|target| !those.contains(target)).cloned().collect::<BTreeSet<_>>().into_iter().collect()
            };
            record
                .with("repair_targets_expected_count", expected.len())
                .with("repair_targets_verified_count", completed.len())
                .with("repair_targets_missing", without(&expected, &completed))
                .with("repair_targets_unexpected", without(&completed, &expected))
                .with("repair_targets_expected", expected)
                .with("repair_targets_completed", completed)
        }
        _ => record,
    }
}

fn says(record: &mut Record, runner: &Runner, said: Said) {
    if !runner.fields.status.is_empty() {
        record.set(runner.fields.status, said.status);
    }
    record.set("reason", said.reason);
    if !said.next.is_empty() {
        record.set("recommended_next_action", said.next);
    }
}

/// The own id of a result of the read-only runner; the others have a plain recipe.
fn own_id(runner: &Runner, contract: &Contract, record: &mut Record, third: &str, last: &str) {
    if let (true, Some(field), Some(recipe)) = (runner.command == "read-only", &contract.id, &contract.id_recipe) {
        let parts = [record.text("real_execution_read_only_readiness_gate_id"), record.text("rendered_command_id")];
        record.set(field, format!("{}-{}", recipe.prefix, h16(&[&parts[0], &parts[1], third, last])));
    }
}

/// The record of a refusal.
pub(super) fn refused(
    runner: &Runner,
    contract: &Contract,
    parent: &Record,
    flags: &BTreeMap<String, String>,
    reasons: &[String],
    source: &str,
) -> Option<Record> {
    let said = runner.rejected?;
    let mut record = begun(runner, contract, parent, flags);
    says(&mut record, runner, said);
    let fields = runner.fields;
    record.set(if fields.argv.is_empty() { "read_only_argv" } else { fields.argv }, json!([]));
    record.set(fields.exit_code, Json::Null);
    record.set(fields.stdout, "");
    record.set(fields.stderr, "");
    record.set("duration_seconds", 0.0);
    record.set("validation_reasons", reasons);
    // One refusal for a gate and a pair of flags.
    let given: Vec<_> = runner.needs.iter().map(|needed| format!("{}={}", needed.flag, flags.contains_key(needed.flag))).collect();
    own_id(runner, contract, &mut record, "rejected", &format!("{}:{}", said.reason, given.join(",")));
    Some(seal(contract, record, source))
}

/// The record of a run, and whether it was a good one.
pub(super) fn ran(
    runner: &Runner,
    contract: &Contract,
    parent: &Record,
    flags: &BTreeMap<String, String>,
    (start, ended): (&Start, &Ended),
    source: &str,
) -> Record {
    let mut record = begun(runner, contract, parent, flags);
    let marker = runner.marker.is_empty() || ended.marker_seen;
    let results = (runner.command == "repair").then(|| results(&ended.stdout_tail, parent));
    let good = ended.is_clean() && marker && results.as_ref().is_none_or(Option::is_some);
    let exit_code = if ended.exit_code == 0 && !ended.is_clean() { NOT_CLEAN } else { ended.exit_code };
    says(&mut record, runner, if good { runner.good } else { runner.failed });
    for flag in runner.when_started {
        record.set(flag, true);
    }
    for flag in runner.when_good {
        record.set(flag, good);
    }
    let fields = runner.fields;
    if fields.argv.is_empty() {
        let words = targets(&record, "read_only_argv").join(" ");
        record.set("validation_reasons", json!([]));
        own_id(runner, contract, &mut record, "executed", &words);
    } else {
        record.set(fields.argv, start.recorded_argv());
    }
    let [marker, observed] = fields.marker;
    if !marker.is_empty() {
        record.set(observed, ended.marker_seen);
    }
    if let Some(results) = results.flatten().filter(|_| good) {
        record.set("repair_action_results", results);
    }
    if runner.command == "post-repair" && !good {
        record.set("repair_targets_verified_count", 0);
    }
    record.set(fields.exit_code, exit_code);
    record.set(fields.stdout, ended.stdout_tail.as_str());
    record.set(fields.stderr, ended.stderr_tail.as_str());
    record.set("stdout_truncated", ended.stdout_truncated);
    record.set("stderr_truncated", ended.stderr_truncated);
    record.set("timed_out", ended.timed_out);
    record.set("output_limit_exceeded", ended.output_limit_exceeded);
    record.set("duration_seconds", ended.duration_seconds);
    record.set("argv_digest", start.argv_digest());
    record.set("confinement", json!({"requested": ended.confinement.requested, "enforced": ended.confinement.enforced}));
    seal(contract, record, source)
}

/// What the guarded repair harness prints of each target, if it names exactly the gate's, all completed.
fn results(printed: &str, gate: &Record) -> Option<Json> {
    let expected = targets(gate, "source_repair_dry_run_targets");
    let line = printed.lines().find(|line| line.starts_with('['))?;
    let value = crate::json::parse(line.as_bytes()).ok()?;
    let said: Option<BTreeMap<String, String>> = value
        .elements()?
        .iter()
        .map(|item| {
            let text = |field: &str| item.get(field).and_then(Value::as_str).map(str::to_owned);
            Some((text("target")?, text("status")?))
        })
        .collect();
    let said = said?;
    let all =
        value.elements()?.len() == expected.len() && expected.iter().all(|target| said.get(target).is_some_and(|said| said == "completed"));
    // In the order of the gate's targets, which the contract holds the results to.
    let results = expected.iter().map(|target| json!({"target": target, "status": "completed"}));
    all.then(|| results.collect())
}
