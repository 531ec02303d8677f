//! One walk of the golden path, in a ledger that is handed over.

use super::experience::Experience;
use super::steps::Step;
use crate::execution::build::controlled::Intent;
use crate::execution::runners::{Means, run, runner_of};
use crate::execution::trail::{contract_of, short};
use crate::experience::publishing::LoopError;
use crate::governance::next::controlled::run_controlled;
use crate::governance::next::{Outcome, Wishes, build, builder_of};
use crate::ledger::{Ledger, Record, Surroundings};

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walked {
    /// What was published or run.
    pub what: String,
    /// The status of the last record published, and what it recommends; or why there is none.
    pub signal: String,
    /// Whether the step published something, and nothing was refused.
    pub passed: bool,
}

/// Walks `steps` for a proposal; `seen` is told of each step as it ends. Ends with the first that fails.
///
/// # Errors
/// A step of experience is refused, or the storage failed.
pub fn walk(
    steps: &[Step],
    proposal_id: &str,
    env_keys: &str,
    ledger: &mut dyn Ledger,
    means: &mut Means<'_>,
    around: &mut dyn Surroundings,
    seen: &mut dyn FnMut(&Walked),
) -> Result<bool, LoopError> {
    for step in steps {
        let wishes = Wishes::of("golden-path").linked("proposal_id", Some(proposal_id)).with("env_keys", Some(env_keys));
        let (what, outcome) = match step {
            Step::Experience(step) => {
                let record = step.take(ledger, around)?;
                let walked = experienced(*step, record.as_ref());
                seen(&walked);
                if !walked.passed {
                    return Ok(false);
                }
                continue;
            }
            Step::Controlled => {
                let intent = Intent { operator_authorized: true, mock: true, real: false };
                ("controlled_execution_result", run_controlled(ledger, intent, &wishes, around)?)
            }
            Step::Build(name, terms) => {
                let mut wishes = terms.iter().fold(wishes, |wishes, (term, said)| wishes.with(term, Some(said)));
                // It has no parent that could name it.
                wishes.id = (*name == "proposal").then(|| proposal_id.to_owned());
                let Some(builder) = builder_of(name) else { return Ok(false) };
                (*name, build(ledger, builder, &wishes, around)?)
            }
            Step::Run(command, flags) => {
                let wishes = flags.iter().fold(wishes, |wishes, flag| wishes.with(flag, Some("given")));
                let Some(runner) = runner_of(command) else { return Ok(false) };
                (runner.result, run(runner, ledger, &wishes, means, around)?.outcome)
            }
        };
        let walked = walked(what, &outcome);
        seen(&walked);
        if !walked.passed {
            return Ok(false);
        }
    }
    Ok(true)
}

fn experienced(step: Experience, record: Option<&Record>) -> Walked {
    let mut signal = record.map_or_else(|| "nothing was published".to_owned(), |record| format!("status={}", record.text("status")));
    let reason = record.map(|record| record.text("payload.failure_reason")).unwrap_or_default();
    if !reason.is_empty() {
        signal.push_str(&format!(" failure_reason={reason}"));
    }
    Walked { what: step.record_type().to_owned(), signal, passed: record.is_some_and(|record| step.leads_on(record)) }
}

fn walked(what: &str, outcome: &Outcome) -> Walked {
    let signals: Vec<_> = outcome.published.iter().map(signal).collect();
    let refused = outcome.refused.iter().flat_map(|refused| refused.reasons.iter().map(|reason| reason.code().into_owned()));
    let refused: Vec<_> = refused.collect();
    let passed = !signals.is_empty() && refused.is_empty();
    let signal = if refused.is_empty() { signals.join(" ") } else { format!("refused={}", refused.join(",")) };
    Walked { what: what.to_owned(), signal, passed }
}

/// What a record signals: its status, its exit code, what it recommends.
fn signal(record: &Record) -> String {
    let status = contract_of(record.record_type()).and_then(|contract| contract.status.as_deref()).unwrap_or("status");
    let mut signal = format!("{status}={}", record.text(status));
    for field in ["exit_code", "post_repair_evidence_exit_code"] {
        if let Some(code) = record.get(field).and_then(serde_json::Value::as_i64) {
            signal.push_str(&format!(" {field}={code}"));
        }
    }
    let next = record.text("recommended_next_action");
    if !next.is_empty() {
        signal.push_str(&format!(" recommended_next_action={next}"));
    }
    if short(record.record_type()) == "mock_execution_summary" {
        signal.insert_str(0, "mock_");
    }
    signal
}
