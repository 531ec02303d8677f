//! The stages of execution readiness, one after another: links, statuses, flags and contracts.

use super::condition::{Condition, Fold};
use super::execution_readiness::{Check, Gathered};
use super::execution_readiness_core::set_anywhere;
use super::execution_readiness_stage::{Asks, ExecutionStage};
use super::table::{Contract, Parent, contracts};
use super::value::text;
use crate::json::Value;
use serde_json::json;
use std::borrow::Cow;
use std::collections::HashMap;

/// What the links of a stage's records say.
struct Links {
    /// Records whose immediate parent is not there.
    orphans: usize,
    /// Whether every parent that is there is in the status that lets it have children.
    in_status: bool,
}

/// The records of the parent's type by their own id: whether all of that id are in status.
fn parents_by_id<'g>(gathered: &'g Gathered<'g>, parent: &Parent) -> HashMap<Cow<'g, str>, bool> {
    let id_field = contracts().of_type(&parent.record_type).first().and_then(|contract| contract.id.as_deref()).unwrap_or("id");
    let mut by_id = HashMap::new();
    for record in gathered.of_type(&parent.record_type) {
        let in_status = parent.in_status.as_ref().is_none_or(|wanted| wanted.holds(record));
        // Two parents of one id are both its parents: it must be right about both.
        *by_id.entry(text(record.get(id_field))).or_insert(true) &= in_status;
    }
    by_id
}

impl Links {
    fn of(gathered: &Gathered<'_>, contract: &Contract) -> Self {
        let mut links = Self { orphans: 0, in_status: true };
        let Some(parent) = contract.parents.first() else { return links };
        let parents = parents_by_id(gathered, parent);
        for record in gathered.of_type(&contract.record_type) {
            let id = text(record.get(&parent.field));
            match parents.get(&id).filter(|_| !id.is_empty()) {
                None => links.orphans += 1,
                Some(in_status) => links.in_status &= in_status,
            }
        }
        links
    }
}

/// The stages in the order of the graph: each behind the one its records come from.
fn stages() -> Vec<(&'static Contract, &'static ExecutionStage)> {
    contracts().execution_stages()
}

/// The checks of all stages, in order.
pub(super) fn stage_checks(gathered: &Gathered<'_>) -> Vec<Check> {
    stages().into_iter().flat_map(|(contract, stage)| checks_of(gathered, contract, stage)).collect()
}

fn checks_of(gathered: &Gathered<'_>, contract: &Contract, stage: &ExecutionStage) -> Vec<Check> {
    let records = gathered.of_type(&contract.record_type);
    let named = |name: &str| format!("{}_{name}", stage.prefix);
    let mut checks = Vec::new();
    if let (Some(demanded), Some(parent)) = (&stage.demanded, contract.parents.first()) {
        let due = gathered.of_type(&parent.record_type).iter().any(|record| demanded.when.holds(record));
        checks.push(Check::holds(&demanded.name, !records.is_empty() || !due));
    }
    let links = Links::of(gathered, contract);
    checks.push(Check::none(&stage.links, links.orphans));
    checks.push(Check::holds(named("parent_in_required_status"), links.in_status));
    if stage.single_decision {
        checks.push(Check::holds(named("single_decision"), is_single_decision(records, contract)));
    }
    for check in &stage.checks {
        let against = |record: &&&Value<'_>| match &check.asks {
            Asks::Unset(field) => set_anywhere(record, field),
            Asks::Holds(condition) => !condition.holds(record),
        };
        checks.push(Check::none(&check.name, records.iter().filter(against).count()));
    }
    checks.push(Check::holds(named("records_valid"), gathered.all_valid(&contract.record_type)));
    checks
}

/// Whether no parent has transitions to different statuses.
fn is_single_decision(records: &[&Value<'_>], contract: &Contract) -> bool {
    let Some(parent) = contract.parents.first() else { return true };
    let mut decided: HashMap<Cow<'_, str>, String> = HashMap::new();
    records.iter().all(|record| {
        let (id, status) = (text(record.get(&parent.field)), status_of(record, "to_status", parent));
        id.is_empty() || *decided.entry(id).or_insert_with(|| status.clone()) == status
    })
}

/// The text of a status, folded as the parent's own status is.
fn status_of(record: &Value<'_>, field: &str, parent: &Parent) -> String {
    let folded = matches!(&parent.in_status, Some(Condition::OneOf(texts)) if texts.fold == Fold::Lower);
    let said = text(record.get(field));
    if folded { said.to_lowercase() } else { said.into_owned() }
}

/// The keys that the stages add to the report.
pub(super) fn stage_keys(gathered: &Gathered<'_>) -> Vec<(String, serde_json::Value)> {
    let mut keys = Vec::new();
    let mut linked = HashMap::new();
    for (contract, stage) in stages() {
        let records = gathered.of_type(&contract.record_type);
        let orphans = Links::of(gathered, contract).orphans;
        let complete = !records.is_empty() && orphans == 0;
        linked.insert(stage.prefix.as_str(), complete);
        let mut add = |name: &str, value: serde_json::Value| keys.push((format!("{}_{name}", stage.prefix), value));
        add("observed", json!(!records.is_empty()));
        add("records", json!(records.len()));
        add("orphans", json!(orphans));
        for check in &stage.checks {
            if let Asks::Unset(field) = &check.asks {
                add(field, json!(records.iter().filter(|record| set_anywhere(record, field)).count()));
            }
        }
        keys.push((stage.linkage.clone(), json!(complete)));
    }
    let all = |holds: &dyn Fn(&Value<'_>) -> bool| {
        let records = gathered.of_type(PREFLIGHT);
        !records.is_empty() && records.iter().all(|record| holds(record))
    };
    let explicit = |record: &Value<'_>| record.get("real_adapter_requires_explicit_pr").is_some_and(|value| value.is_bool(true));
    keys.push(("real_preflight_blocked".to_owned(), json!(all(&|record| text(record.get("status")) == "blocked"))));
    keys.push(("real_preflight_requires_explicit_pr".to_owned(), json!(all(&explicit))));
    keys.push(("real_linkage_complete".to_owned(), json!(linked["real_preflight"] && linked["real_approval"])));
    for (prefix, approval) in APPROVALS {
        keys.push((format!("{prefix}_latest_status"), json!(latest_status(gathered, approval))));
    }
    keys
}

const PREFLIGHT: &str = "replay_lifecycle_retry_real_execution_preflight";

/// The approvals whose latest status the report shows, by prefix.
const APPROVALS: [(&str, &str); 2] = [
    ("real_approval", "replay_lifecycle_retry_real_execution_approval"),
    ("real_read_only_approval", "replay_lifecycle_retry_real_execution_read_only_approval"),
];

/// The status the latest transition leads to, else the latest approval's own.
fn latest_status(gathered: &Gathered<'_>, approval: &str) -> &'static str {
    let transition = gathered.of_type(&format!("{approval}_transition")).last().map(|record| text(record.get("to_status")));
    let own = || gathered.of_type(approval).last().map(|record| text(record.get("approval_status")));
    let said = transition.or_else(own).unwrap_or_default().to_lowercase();
    ["pending", "approved", "rejected"].into_iter().find(|status| *status == said).unwrap_or("unknown")
}
