//! The repair plan: an item for each marker that a failed check named.

use super::target::named;
use super::{From, Made, texts};
use crate::ledger::Record;
use serde_json::{Value as Json, json};

pub(super) fn plan(from: &From<'_>, record: Record) -> Made {
    let feedback = from.parent;
    let mut markers: Vec<_> = texts(feedback, "failure_hints");
    markers.retain_mut(|hint| match hint.strip_prefix("observed_marker:") {
        Some(marker) => {
            *hint = marker.to_owned();
            true
        }
        None => false,
    });
    markers.sort();
    markers.dedup();
    let status = feedback.text("feedback_status");
    let mut items: Vec<Json> = Vec::new();
    if status == "actionable" {
        items.extend(markers.iter().filter_map(|marker| named(marker)).map(|target| item(target.name, target.action, target.priority)));
    }
    let fallback = match status.as_str() {
        "actionable" => Some(("read_only_execution_failure", "high")),
        "blocked" => Some(("guarded_read_only_execution_rejection", "high")),
        "successful" => Some(("successful_read_only_execution", "low")),
        _ => None,
    };
    if let (true, Some((target, priority))) = (items.is_empty(), fallback) {
        items.push(item(target, &feedback.text("recommended_next_action"), priority));
    }
    let plan = match status.as_str() {
        "actionable" if !items.is_empty() => "planned",
        "blocked" => "blocked",
        "successful" => "no_repair_needed",
        _ => "unknown",
    };
    let targets: Vec<_> = items.iter().map(|item| item["target"].clone()).collect();
    Ok(record
        .with("repair_plan_status", plan)
        .with("repair_item_count", items.len())
        .with("repair_targets", targets)
        .with("repair_items", items))
}

/// An item of a plan. It asks for no execution.
fn item(target: &str, action: &str, priority: &str) -> Json {
    json!({
        "target": target,
        "recommended_action": action,
        "priority": priority,
        "source": "read_only_execution_feedback",
        "execution_required": false,
        "subprocess_required": false,
    })
}
