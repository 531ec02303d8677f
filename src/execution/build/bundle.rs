//! The action bundle of a repair plan, and its review by a person.

use super::{From, Made};
use crate::governance::id::h16;
use crate::ledger::Record;
use serde_json::{Value as Json, json};

/// The actions of a plan, in order; nothing of them is allowed to run.
pub(super) fn bundle(from: &From<'_>, record: Record) -> Made {
    let plan = from.parent;
    let items = plan.get("repair_items").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let said = |item: &Json, field: &str| item.get(field).and_then(Json::as_str).unwrap_or_default().to_owned();
    let mut wanted: Vec<_> =
        items.iter().map(|item| ["target", "recommended_action", "priority", "source"].map(|field| said(item, field))).collect();
    if wanted.is_empty() {
        wanted.push(
            ["manual_repair_plan_review", "review_replay_evidence_repair_plan", "medium", "read_only_repair_plan"].map(str::to_owned),
        );
    }
    let actions: Vec<_> = wanted.iter().enumerate().map(|(place, wanted)| action(place + 1, wanted)).collect();
    let known = matches!(plan.text("repair_plan_status").as_str(), "planned" | "blocked" | "no_repair_needed");
    let targets: Vec<_> = wanted.into_iter().map(|[target, ..]| target).collect();
    Ok(record
        .with("bundle_status", if known { "assembled" } else { "unknown" })
        .with("bundle_reviewed", false)
        .with("bundle_item_count", actions.len())
        .with("bundle_targets", targets)
        .with("bundle_items", actions))
}

fn action(sequence: usize, [target, recommended, priority, source]: &[String; 4]) -> Json {
    json!({
        "action_id": format!("read-only-repair-action-{}", h16(&[target, recommended])),
        "sequence": sequence,
        "target": target,
        "recommended_action": recommended,
        "priority": priority,
        "source": source,
        "review_required": true,
        "execution_allowed": false,
        "subprocess_allowed": false,
        "real_execution_allowed": false,
        "execution_performed": false,
        "subprocess_invoked": false,
    })
}

/// What the operator says of a bundle: without the flag it is only waited for.
pub(super) fn review(from: &From<'_>, record: Record) -> Made {
    let authorized = from.operator_authorized();
    let status = match from.term("review_status", "pending") {
        "pending" => "pending",
        decided @ ("approved" | "rejected") if authorized => decided,
        "approved" | "rejected" => return Err(vec!["operator_authorization_missing".to_owned()]),
        _ => return Err(vec!["invalid_review_status".to_owned()]),
    };
    Ok(record
        .with("operator_authorized", authorized)
        .with("reviewed", status != "pending")
        .with("review_approved", status == "approved")
        .with("review_rejected", status == "rejected")
        .with("review_status", status))
}
