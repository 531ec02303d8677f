//! `loop brief`: prints the Overseer's global brief of a ledger, and the directives it proposes.

use super::answer::{OfProposal, Output, to_read, trouble};
use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::{Exit, World};
use crate::governance::brief::directives::proposed_directives;
use crate::governance::brief::{Brief, Item};
use crate::governance::overview::overview;
use crate::ledger::Record;
use crate::ledger::surroundings::random_hex;
use clap::Args;
use serde_json::{Value as Json, json};

/// Arguments of `loop brief`.
#[derive(Debug, Args)]
pub struct BriefArguments {
    #[command(flatten)]
    proposal: OfProposal,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &BriefArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let filters = arguments.proposal.filters()?;
    let ledger = to_read(&arguments.ledger, world)?;
    let (id, now) = (random_hex(world.around), world.around.now());
    let (brief, _) = overview(&ledger, filters, &id, now).map_err(trouble)?;
    let proposed = proposed_directives(&brief, "overseer", world.around);
    let mut answer = json!(brief);
    if let Json::Object(members) = &mut answer {
        members.insert("proposed_directives".to_owned(), proposed.iter().map(|record| json!(record.members())).collect());
    }
    arguments.output.print(&answer, || text(&brief, &proposed), world)?;
    Ok(Exit::Pass)
}

fn text(brief: &Brief, proposed: &[Record]) -> String {
    let status = json!(brief.status);
    let mut text = format!("Global brief: status={} brief_id={}\n{}\n", status.as_str().unwrap_or_default(), brief.brief_id, brief.summary);
    for (kind, items) in [("risk", &brief.risks), ("opportunity", &brief.opportunities), ("action", &brief.recommended_actions)] {
        for Item { title, severity, detail, payload } in items {
            let recommendation = payload.get("recommendation").and_then(Json::as_str).unwrap_or_default();
            text.push_str(&format!("{kind} severity={} recommendation={recommendation} {detail}: {title}\n", severity.as_str()));
        }
    }
    for record in proposed {
        let [action, target, reason] = ["action", "target", "reason"].map(|field| record.text(field));
        text.push_str(&format!("proposed_directive action={action} target=swarm:{target} reason={reason}\n"));
    }
    text
}
