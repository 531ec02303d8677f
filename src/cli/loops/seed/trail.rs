//! `loop seed trail`: publishes a synthetic retry governance trail.

use crate::cli::exit::Trouble;
use crate::cli::ledger::LedgerPath;
use crate::cli::loops::answer::{Output, to_write, trouble};
use crate::cli::loops::built;
use crate::cli::{Exit, World};
use crate::governance::seed::{SeedTrail, publish_trail};
use clap::Args;

/// What the trail is; the governance smoke shares it.
#[derive(Debug, Clone, Args)]
pub(crate) struct TrailFlags {
    /// Who publishes and approves; default: retry-governance-seed, for the smoke retry-governance-smoke
    #[arg(long)]
    source: Option<String>,
    /// Id of the proposal; default: replay-retry-seed-proposal-1, for the smoke replay-retry-smoke-proposal-1
    #[arg(long, value_name = "ID")]
    proposal_id: Option<String>,
    /// Id of the approval
    #[arg(long, value_name = "ID")]
    approval_id: Option<String>,
    /// Id of the plan
    #[arg(long, value_name = "ID")]
    plan_id: Option<String>,
    /// Id of the rendered command
    #[arg(long, value_name = "ID")]
    rendered_command_id: Option<String>,
    /// Id of the execution result
    #[arg(long, value_name = "ID")]
    result_id: Option<String>,
    /// How long the retry would wait
    #[arg(long, default_value = "standard", value_parser = ["standard", "patient"])]
    timeout_profile: String,
    /// How the retry was decided
    #[arg(long, default_value = "manual", value_parser = ["manual", "policy"])]
    decision_mode: String,
}

impl TrailFlags {
    /// The trail meant; `source` and `word` make the defaults.
    pub(crate) fn trail(&self, source: &str, word: &str) -> SeedTrail {
        let mut trail = SeedTrail::named(source, word);
        for (said, field) in [
            (&self.source, &mut trail.source),
            (&self.proposal_id, &mut trail.proposal_id),
            (&self.approval_id, &mut trail.approval_id),
            (&self.plan_id, &mut trail.plan_id),
            (&self.rendered_command_id, &mut trail.rendered_command_id),
            (&self.result_id, &mut trail.result_id),
        ] {
            if let Some(said) = said {
                field.clone_from(said);
            }
        }
        trail.timeout_profile.clone_from(&self.timeout_profile);
        trail.decision_mode.clone_from(&self.decision_mode);
        trail
    }
}

/// Arguments of `loop seed trail`.
#[derive(Debug, Args)]
pub(crate) struct TrailArguments {
    #[command(flatten)]
    trail: Box<TrailFlags>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    ledger: LedgerPath,
}

pub(super) fn run(arguments: &TrailArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let trail = arguments.trail.trail("retry-governance-seed", "seed");
    // All five are built before the ledger is opened: a refusal publishes nothing and makes no file.
    let records = trail.records(world.around).map_err(|reasons| {
        let reasons: Vec<_> = reasons.iter().map(ToString::to_string).collect();
        Trouble::Usage(format!("nothing was seeded: {}", reasons.join("; ")))
    })?;
    let mut ledger = to_write(&arguments.ledger, &trail.source, world)?;
    let outcome = publish_trail(&mut ledger, records, world.around).map_err(trouble)?;
    built::print(&outcome, "records", arguments.output, world)
}
