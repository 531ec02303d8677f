//! What a builder published, skipped and refused, printed.

use super::answer::Output;
use super::said::shown;
use crate::cli::exit::Trouble;
use crate::cli::{Exit, World};
use crate::execution::trail::contract_of;
use crate::governance::next::{Outcome, Refused, own_id};
use crate::ledger::Record;
use serde_json::{Value as Json, json};

/// Prints an outcome; `counted` names the number of records published.
pub(super) fn print(outcome: &Outcome, counted: &str, output: Output, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let answer = json!({
        counted: outcome.published.len(),
        "published": outcome.published.iter().map(|record| json!(record.members())).collect::<Vec<_>>(),
        "skipped": outcome.skipped.iter().map(|skip| json!({"type": skip.record_type, "id": skip.record_id})).collect::<Vec<_>>(),
        "refused": outcome.refused.iter().map(refused).collect::<Vec<_>>(),
    });
    output.print(&answer, || text(outcome, counted), world)?;
    for skip in &outcome.skipped {
        writeln!(
            world.err,
            "landfall: {} {} was skipped: it is there already or has its record, and stays as it is",
            skip.record_type,
            shown(&skip.record_id)
        )?;
    }
    for Refused { record_type, record_id, reasons } in &outcome.refused {
        for reason in reasons {
            writeln!(world.err, "landfall: nothing was built from {}: {reason}", of(record_type, record_id))?;
        }
    }
    Ok(if outcome.refused.is_empty() { Exit::Pass } else { Exit::Blocked })
}

/// A parent by type and id; the ledger itself has none.
fn of(record_type: &str, record_id: &str) -> String {
    if record_id.is_empty() { record_type.to_owned() } else { format!("{record_type} {}", shown(record_id)) }
}

fn refused(refused: &Refused) -> Json {
    let reasons: Vec<_> = refused.reasons.iter().map(|reason| reason.code()).collect();
    json!({"type": refused.record_type, "id": refused.record_id, "reasons": reasons})
}

fn text(outcome: &Outcome, counted: &str) -> String {
    let mut text: String = outcome.published.iter().map(line).collect();
    for Refused { record_type, record_id, reasons } in &outcome.refused {
        let codes: Vec<_> = reasons.iter().map(|reason| reason.code()).collect();
        text.push_str(&format!("refused type={record_type} id={} reasons={}\n", shown(record_id), codes.join(",")));
    }
    text + &format!("{counted}={} skipped={} refused={}\n", outcome.published.len(), outcome.skipped.len(), outcome.refused.len())
}

/// A published record on one line: what it is, and what it was decided.
fn line(record: &Record) -> String {
    let mut line = format!("published type={} id={}", record.record_type(), shown(&own_id(record)));
    for field in ["plan_id", "rendered_command_id", "status", "reason"] {
        let said = record.text(field);
        if !said.is_empty() && said != own_id(record) {
            line.push_str(&format!(" {field}={}", shown(&said)));
        }
    }
    let status = contract_of(record.record_type()).and_then(|contract| contract.status.as_deref()).filter(|status| *status != "status");
    for field in status.into_iter().chain(["recommended_next_action"]) {
        let said = record.text(field);
        if !said.is_empty() {
            line.push_str(&format!(" {field}={}", shown(&said)));
        }
    }
    line + "\n"
}
