//! Whether Security, the inspector and the brief see a sandbox family, and whether it is as shut as it says.
//!
//! One check serves the ten families; what differs is read from the family's contract.

use crate::contract::constants::{Constant, constants};
use crate::contract::execution_readiness::Check;
use crate::contract::table::{Contract, contracts};
use crate::contract::trail::linked;
use crate::contract::value::{is_set, text};
use crate::execution::trail::{PREFIX, short};
use crate::governance::execution_metrics::brief_metric;
use crate::governance::observe::brief_of;
use crate::governance::watch::Watched;
use crate::json::Value;
use crate::ledger::ROWS_UNREADABLE;
use serde_json::{Map, Value as Json, json};

/// What is observed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Observing<'o> {
    /// Only records of this proposal.
    pub proposal_id: Option<&'o str>,
    /// Only records of this rendered command, or of none.
    pub rendered_command_id: Option<&'o str>,
}

/// The contract of a sandbox family, by its type with or without what all of them begin with.
pub fn family(name: &str) -> Option<&'static Contract> {
    let key = short(name);
    let key = key.strip_prefix("real_execution_").unwrap_or(key);
    contracts().of_type(&format!("{PREFIX}real_execution_{key}")).first().filter(|_| key.starts_with("sandbox_"))
}

/// What a check ends with for a flag: the common ones by their verbs, the others by what they say.
fn verb(flag: &str) -> String {
    let named = match flag {
        "execution_performed" => "execute",
        "subprocess_invoked" => "invoke_subprocess",
        "external_side_effects_performed" => "perform_external_side_effects",
        "production_paths_mutated" => "mutate_production_paths",
        "production_secrets_accessed" => "access_production_secrets",
        _ => "",
    };
    if !named.is_empty() {
        return named.to_owned();
    }
    let endings =
        [("_enabled", "enable"), ("_allowed", "allow"), ("_materialized", "materialize"), ("_passed", "pass"), ("_failed", "fail")];
    let ending = endings.iter().find_map(|(ending, verb)| Some(format!("{verb}_{}", flag.strip_suffix(ending)?)));
    ending.unwrap_or_else(|| format!("report_{flag}"))
}

/// The check of a family, as an object; and whether it passed.
pub fn observe(records: &[Value<'_>], watched: &Watched, contract: &'static Contract, what: Observing<'_>) -> (Map<String, Json>, bool) {
    let name = short(&contract.record_type);
    let key = name.strip_prefix("real_execution_").unwrap_or(name);
    let of_family: Vec<_> = records
        .iter()
        .filter(|record| record.get("type").and_then(Value::as_str) == Some(contract.record_type.as_str()))
        .filter(|record| what.proposal_id.is_none_or(|wanted| linked(record, "proposal_id") == wanted))
        .filter(|record| {
            let rendered = linked(record, "rendered_command_id");
            what.rendered_command_id.is_none_or(|wanted| rendered.is_empty() || rendered == wanted)
        })
        .collect();
    let metrics = &watched.heartbeat.execution;
    let brief = brief_of(watched);
    let (seen, orphans) = (of_family.len(), metrics.orphans(contract));
    let all = |holds: &dyn Fn(&Value<'_>) -> bool| seen > 0 && of_family.iter().all(|record| holds(record));
    let is_true = |field: String| all(&|record| record.get(&field).is_some_and(|value| value.is_bool(true)));
    let set = |field: &str| {
        let set = |record: &&&Value<'_>| is_set(record.get(field)) || is_set(record.get("payload").and_then(|payload| payload.get(field)));
        of_family.iter().filter(set).count()
    };
    let status = contract.status.as_deref().unwrap_or("status");
    let defined = key == "sandbox_adapter_scaffold";
    let said = all(&|record| text(record.get(status)) == if defined { "defined" } else { "blocked" });
    let linkage = metrics.records(name) > 0 && orphans == 0;
    let mut checks = vec![
        Check::holds(format!("security_observes_{key}"), watched.heartbeat.record_types.of(&contract.record_type) > 0),
        Check::holds(format!("inspector_observes_{key}"), metrics.records(name) > 0),
        Check::holds(format!("inspector_{key}_linkage_complete"), linkage),
        Check::holds(format!("inspector_{key}_has_no_orphans"), orphans == 0),
    ];
    if !defined {
        checks.push(Check::holds(format!("{key}_blocked"), said));
    }
    let (closed, denies) = (is_true(format!("{key}_fail_closed")), is_true(format!("{key}_deny_by_default")));
    // The adapter scaffold says both of the adapter.
    let (closed, denies) = if defined {
        (closed || is_true("sandbox_adapter_fail_closed".to_owned()), denies || is_true("sandbox_adapter_deny_by_default".to_owned()))
    } else {
        (closed, denies)
    };
    checks.push(Check::holds(format!("{key}_fail_closed"), closed));
    checks.push(Check::holds(format!("{key}_deny_by_default"), denies));
    let flags = constants(contract).into_iter().filter(|(field, constant)| *constant == Constant::Unset && !field.starts_with("source_"));
    let flags: Vec<_> = flags.map(|(field, _)| (field, set(field))).collect();
    checks.extend(flags.iter().map(|(field, count)| Check::none(format!("{key}_does_not_{}", verb(field)), *count)));
    checks.push(Check::holds(format!("overseer_brief_surfaces_{key}"), brief.key_metrics.count(&brief_metric(name)) > 0));
    if watched.unreadable > 0 {
        checks.push(Check { name: ROWS_UNREADABLE.to_owned(), passed: false, value: watched.unreadable.into() });
    }
    let failed: Vec<_> = checks.iter().filter(|check| !check.passed).map(|check| check.name.clone()).collect();
    let passed = failed.is_empty();
    let mut keys = Map::new();
    let mut add = |key: String, value: Json| keys.insert(key, value);
    add("type".to_owned(), json!(format!("{key}_observability_check")));
    add("status".to_owned(), json!(if passed { "passed" } else { "failed" }));
    add("proposal_id".to_owned(), json!(what.proposal_id));
    add("rendered_command_id".to_owned(), json!(what.rendered_command_id));
    add("checks".to_owned(), json!(checks));
    add("failed_checks".to_owned(), json!(failed));
    add("security_record_type_counts".to_owned(), json!(watched.heartbeat.record_types));
    add("brief_key_metrics".to_owned(), json!(brief.key_metrics));
    add("brief_summary".to_owned(), json!(brief.summary));
    add(format!("{key}_observed"), json!(seen > 0));
    add(format!("{key}_records"), json!(seen));
    add(format!("{key}_linkage_complete"), json!(linkage));
    add(format!("{key}_orphans"), json!(orphans));
    add(format!("{key}_{}", if defined { "defined" } else { "blocked" }), json!(said));
    add(format!("{key}_fail_closed"), json!(closed));
    add(format!("{key}_deny_by_default"), json!(denies));
    for (field, count) in flags {
        add(format!("{key}_{field}"), json!(count));
    }
    (keys, passed)
}
