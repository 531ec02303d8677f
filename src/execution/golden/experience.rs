//! The beginning of the golden path: a directive is answered, checked, remembered and replayed, and nobody answers the
//! replay in time. That failure is what the brief proposes a retry for.

use crate::experience::bridge::{BridgeFilter, bridge};
use crate::experience::directive::{self, DirectiveRequest};
use crate::experience::evidence;
use crate::experience::node::{Node, NodeKind};
use crate::experience::publishing::{Batch, LoopError};
use crate::experience::replay_check::{self, Means, NOT_OBSERVED, ReplayCheck};
use crate::experience::scenario::publish_from_memory;
use crate::experience::timeout::Timeout;
use crate::experience::waiting::Scripted;
use crate::governance::metrics::of_ledger;
use crate::ledger::{Ledger, Record, Surroundings};

/// The directive that everything begins with.
const DIRECTIVE: &str = "golden-path-directive";
/// The scenario that its memory becomes; the retry's command names it.
pub(super) const SCENARIO: &str = "replay-golden-path-directive";
/// The replay that nobody answers.
const REPLAY: &str = "golden-path-replay";
/// Who publishes.
const SOURCE: &str = "golden-path";

/// A step of experience.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Experience {
    /// A directive to reduce risk is seeded.
    Directive,
    /// The nodes answer it.
    Answer,
    /// The answer is checked.
    Evidence,
    /// The evidence is remembered.
    Memory,
    /// The memory becomes a scenario.
    Scenario,
    /// The scenario is replayed, and no node answers.
    Replay,
}

impl Experience {
    /// The type of what the step publishes.
    pub(super) fn record_type(self) -> &'static str {
        match self {
            Self::Directive => "swarm_directive",
            Self::Answer => "swarm_directive_result",
            Self::Evidence => "evidence_record",
            Self::Memory => "memory_record",
            Self::Scenario => "simulation_replay_scenario",
            Self::Replay => "replay_evidence_lifecycle_result",
        }
    }

    /// The status that leads on; that of the replay is the failure which the rest is about.
    fn wanted(self) -> &'static str {
        match self {
            Self::Directive => "issued",
            Self::Answer => "applied",
            Self::Evidence | Self::Memory => "passed",
            Self::Scenario => "pending",
            Self::Replay => "failed",
        }
    }

    /// Publishes; the record that the next step goes on from, if there is one. Of several nodes it is the answer of the
    /// one that the directive was for.
    pub(super) fn take(self, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Option<Record>, LoopError> {
        let new = |batch: Batch| batch.published.into_iter().next();
        Ok(match self {
            Self::Directive => {
                let request = DirectiveRequest { source: SOURCE, directive_id: DIRECTIVE, ..DirectiveRequest::default() };
                Some(directive::seed(&request, ledger, around)?)
            }
            Self::Answer => {
                let mut answers = Node::new(NodeKind::Trade, "trade-1", true).tick(ledger, around)?;
                answers.extend(Node::new(NodeKind::Simulation, "simulation-1", true).tick(ledger, around)?);
                answers.into_iter().find(|answer| answer.text("status") == self.wanted())
            }
            Self::Evidence => Some(evidence::publish_for_directive(DIRECTIVE, SOURCE, ledger, around)?),
            Self::Memory => new(bridge(&BridgeFilter { directive_id: DIRECTIVE, ..BridgeFilter::default() }, SOURCE, ledger, around)?),
            Self::Scenario => new(publish_from_memory(SOURCE, DIRECTIVE, ledger, around)?),
            Self::Replay => Some(replay(ledger, around)?),
        })
    }

    /// Whether a record is what the next step needs.
    pub(super) fn leads_on(self, record: &Record) -> bool {
        let failed_in_time = self != Self::Replay || record.text("payload.failure_reason") == NOT_OBSERVED;
        record.text("status") == self.wanted() && failed_in_time && record.verdict().valid
    }
}

/// A replay check without nodes, and without patience: it must fail, and it need not take long.
fn replay(ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Record, LoopError> {
    let check = ReplayCheck {
        scenario_id: SCENARIO,
        action: "REDUCE_RISK",
        directive_id: REPLAY,
        source: SOURCE,
        expected_result_status: "applied",
        timeout: Timeout { wait_seconds: 0.0, poll_interval: 0.5 },
    };
    let seeds = replay_check::prepare(&check, around)?;
    let mut means = Means { waiting: &mut Scripted::default(), metrics: &of_ledger, nodes: &mut |_, _| Ok(()) };
    Ok(replay_check::run(&check, seeds, ledger, around, &mut means)?.result)
}
