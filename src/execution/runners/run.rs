//! The walk of all five runners.

use super::attempt::{self, Attempts, NOT_STARTED, State};
use super::result;
use super::table::Runner;
use crate::contract::check::check;
use crate::contract::execution_readiness::{ReadinessOptions, report};
use crate::contract::table::Contract;
use crate::execution::records::with_records;
use crate::execution::start::{Asked, Host, Requested, Start, StartError, Starter};
use crate::execution::tier::Policy;
use crate::execution::trail::{Kept, PREFIX, Trail, contract_of};
use crate::governance::build::Refusal;
use crate::governance::next::{Outcome, Refused, Skipped, Wishes, own_id};
use crate::json::Value;
use crate::ledger::{Ledger, LedgerError, ROWS_UNREADABLE, Record, Surroundings};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// What a runner needs of the process that it is part of.
pub struct Means<'m> {
    /// Makes processes.
    pub starter: &'m mut dyn Starter,
    /// The program to start, and the environment of which a few keys pass.
    pub host: &'m Host,
    /// The configured workspace root.
    pub workspace: &'m Path,
    /// `--timeout-seconds`, if given; it lowers the cap only.
    pub timeout: Option<f64>,
    /// The tiers of capabilities.
    pub policy: &'m Policy,
}

impl std::fmt::Debug for Means<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Means").field("workspace", &self.workspace).field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

/// How one start ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// The result, as it was published, or as it would have been.
    pub result: Record,
    /// Why it was not published, or why its own contract refuses it; blank when all is well.
    pub trouble: Vec<String>,
}

/// What a runner did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// What was started.
    pub ran: Vec<Ran>,
    /// What was published, skipped and refused, the results of runs included.
    pub outcome: Outcome,
}

impl Report {
    /// Whether something was started, and its outcome recorded as its contract wants it.
    pub fn passed(&self) -> bool {
        !self.ran.is_empty() && self.ran.iter().all(|ran| ran.trouble.is_empty()) && self.outcome.refused.is_empty()
    }
}

/// Runs `runner` for each parent that `wishes` pick; its flags are among their terms.
///
/// # Errors
/// The storage failed while the ledger was read, or a refusal was published. A start is not undone.
pub fn run(
    runner: &Runner,
    ledger: &mut dyn Ledger,
    wishes: &Wishes,
    means: &mut Means<'_>,
    around: &mut dyn Surroundings,
) -> Result<Report, LedgerError> {
    let mut walk = Walk { runner, wishes, means, around, report: Report::default(), known: Known::default() };
    let Some(contract) = contract_of(&format!("{PREFIX}{}", runner.result)) else { return Ok(walk.report) };
    let Some(parent) = contract.parents.first() else { return Ok(walk.report) };
    let mut trail = walk.look(contract, ledger)?;
    let ids: Vec<String> = {
        let mut seen = HashSet::new();
        let picked = trail.of_type(&parent.record_type).iter().filter(|kept| wishes.pick(&kept.record));
        picked.map(|kept| own_id(&kept.record)).filter(|id| seen.insert(id.clone())).collect()
    };
    if ids.is_empty() && walk.known.hidden {
        walk.report.outcome.refused.push(Refused::of_ledger());
    }
    for id in ids {
        let started = walk.report.ran.len();
        let kept = trail.found(&parent.record_type, &id).last().or_else(|| {
            // Without an id there is no lineage; what it is refused for is said all the same.
            trail.of_type(&parent.record_type).iter().find(|kept| own_id(&kept.record) == id)
        });
        if let Some(kept) = kept.cloned() {
            walk.one(contract, &kept, &id, &trail, ledger)?;
        }
        if walk.report.ran.len() > started {
            // What was true before a start need not be true after it.
            ledger.refresh()?;
            trail = walk.look(contract, ledger)?;
        }
    }
    Ok(walk.report)
}

struct Walk<'w, 'm> {
    runner: &'w Runner,
    wishes: &'w Wishes,
    means: &'w mut Means<'m>,
    around: &'w mut dyn Surroundings,
    report: Report,
    known: Known,
}

/// What the ledger said when it was last looked at: once for all parents between two starts.
#[derive(Default)]
struct Known {
    attempts: Attempts,
    /// The own id of the run that there is of a parent; a refusal is none.
    done: HashMap<String, String>,
    /// What the readiness of a proposal's trail says.
    ready: HashMap<String, BTreeSet<String>>,
    /// Whether rows were passed over: one of them may be what speaks against a start.
    hidden: bool,
}

impl Known {
    fn of(runner: &Runner, contract: &Contract, trail: &Trail, ledger: &dyn Ledger) -> Result<Self, LedgerError> {
        let mut known = Self { attempts: Attempts::of(ledger)?, ..Self::default() };
        let link = contract.parents.first().map(|parent| parent.field.as_str()).unwrap_or_default();
        let status = runner.fields.status;
        for kept in trail.of_type(&contract.record_type) {
            if status.is_empty() || kept.record.text(status) != "rejected" {
                known.done.entry(kept.record.text(link)).or_insert_with(|| own_id(&kept.record));
            }
        }
        Ok(known)
    }
}

impl Walk<'_, '_> {
    /// Looks at the ledger, and remembers what it says.
    fn look(&mut self, contract: &Contract, ledger: &dyn Ledger) -> Result<Trail, LedgerError> {
        let before = ledger.passed_over();
        let trail = Trail::of(ledger)?;
        self.known = Known::of(self.runner, contract, &trail, ledger)?;
        self.known.hidden = ledger.passed_over() > before;
        Ok(trail)
    }

    /// Starts a process for one parent, or says why not.
    fn one(
        &mut self,
        contract: &'static Contract,
        kept: &Kept,
        id: &str,
        trail: &Trail,
        ledger: &mut dyn Ledger,
    ) -> Result<(), LedgerError> {
        let parent = &kept.record;
        if let Some(known) = self.known.done.get(id).cloned() {
            self.report.outcome.skipped.push(Skipped { record_type: contract.record_type.clone(), record_id: known });
            return Ok(());
        }
        let state = self.known.attempts.state(self.runner, id);
        let number = match state {
            State::Free(number) => number,
            State::Open => return self.refuse(contract, parent, id, vec!["execution_attempt_left_open".to_owned()], ledger, false),
            State::Used => return self.refuse(contract, parent, id, vec!["execution_attempt_without_result".to_owned()], ledger, false),
        };
        let mut reasons = trail.faults(contract, kept);
        if self.known.hidden {
            reasons.insert(ROWS_UNREADABLE.to_owned());
        }
        let program = (self.runner.program)(parent);
        if let Err(more) = &program {
            reasons.extend(more.iter().cloned());
        }
        for needed in self.runner.needs {
            if !self.wishes.terms.contains_key(needed.flag) {
                reasons.insert(needed.refusal.to_owned());
            }
        }
        if self.runner.asks_readiness {
            let proposal_id = parent.linked("proposal_id");
            if !self.known.ready.contains_key(&proposal_id) {
                let said = readiness(ledger, &proposal_id, contract)?;
                self.known.ready.insert(proposal_id.clone(), said);
            }
            reasons.extend(self.known.ready.get(&proposal_id).into_iter().flatten().cloned());
        }
        reasons.extend(self.means.policy.may_start(self.runner.capability).err());
        let start = program.ok().and_then(|program| {
            let requested = if self.runner.command == "read-only" { Requested::in_folder() } else { Requested::alone() };
            // Where no folder is fit, what else is wrong with the start is said all the same.
            let folder = self.means.starter.folder(self.means.workspace);
            reasons.extend(folder.as_ref().err().map(|refusal| refusal.reason()));
            let asked = Asked {
                host: self.means.host,
                folder: folder.as_deref().unwrap_or(self.means.workspace),
                arguments: program.arguments(),
                timeout: self.means.timeout,
                cap: program.cap(),
                marker: program.marker(),
                requested,
            };
            match Start::build(asked) {
                Ok(start) => Some(start),
                Err(refusals) => {
                    reasons.extend(refusals.into_iter().map(|refusal| refusal.reason()));
                    None
                }
            }
        });
        match start {
            Some(start) if reasons.is_empty() => self.start(contract, parent, id, number, &start, ledger),
            _ => self.refuse(contract, parent, id, reasons.into_iter().collect(), ledger, true),
        }
    }

    fn refuse(
        &mut self,
        contract: &Contract,
        parent: &Record,
        id: &str,
        reasons: Vec<String>,
        ledger: &mut dyn Ledger,
        recorded: bool,
    ) -> Result<(), LedgerError> {
        // A record says only what its contract lets it: one flag, unless every refusal has its record.
        let only_flags = reasons.iter().all(|reason| self.runner.needs.iter().any(|needed| needed.refusal == reason));
        let record = result::refused(self.runner, contract, parent, &self.wishes.terms, &reasons, &self.wishes.source);
        let record = record.filter(|record| recorded && (only_flags || self.runner.records_every_refusal) && record.verdict().valid);
        if let (Some(record), Some(field)) = (record, &contract.id) {
            let own = record.text(field);
            let entry = ledger.publish_unless(record.clone(), &[(field.as_str(), own.as_str())], self.around)?;
            match entry {
                Some(_) => self.report.outcome.published.push(record),
                None => self.report.outcome.skipped.push(Skipped { record_type: contract.record_type.clone(), record_id: own }),
            }
        }
        let reasons = reasons.into_iter().map(Refusal::Chain).collect();
        self.report.outcome.refused.push(Refused { record_type: parent.record_type().to_owned(), record_id: id.to_owned(), reasons });
        Ok(())
    }

    fn start(
        &mut self,
        contract: &Contract,
        parent: &Record,
        id: &str,
        number: u64,
        start: &Start,
        ledger: &mut dyn Ledger,
    ) -> Result<(), LedgerError> {
        let before = attempt::before(self.runner, parent, id, &start.argv_digest(), number);
        let attempt = before.text("execution_attempt_id");
        match ledger.publish_unless(before.clone(), &[("execution_attempt_id", &attempt)], self.around) {
            Ok(Some(_)) => {}
            // Somebody else began between our look and our entry.
            Ok(None) => return self.refuse(contract, parent, id, vec!["execution_attempt_left_open".to_owned()], ledger, false),
            Err(_) => return self.refuse(contract, parent, id, vec!["audit_record_not_writable".to_owned()], ledger, false),
        }
        let ended = match self.means.starter.start(start) {
            Ok(ended) => ended,
            Err(error @ (StartError::Refused(_) | StartError::NotStarted(_))) => {
                const CANNOT_EXECUTE: i32 = 126;
                ledger.publish(attempt::after(&before, CANNOT_EXECUTE, NOT_STARTED), self.around)?;
                let reason = match error {
                    StartError::Refused(refusal) => refusal.reason(),
                    _ => "program_not_started".to_owned(),
                };
                return self.refuse(contract, parent, id, vec![reason], ledger, true);
            }
            // Something ran, and nobody knows how it ended: the attempt stays open.
            Err(StartError::Lost(_)) => {
                return self.refuse(contract, parent, id, vec!["execution_attempt_left_open".to_owned()], ledger, false);
            }
        };
        let result = result::ran(self.runner, contract, parent, &self.wishes.terms, (start, &ended), &self.wishes.source);
        let own = own_id(&result);
        let exit_code =
            result.get(self.runner.fields.exit_code).and_then(serde_json::Value::as_i64).and_then(|code| i32::try_from(code).ok());
        let mut trouble = result.verdict().reasons;
        let mut publish = |record: Record| {
            // A result of a run is published whatever its contract says of it: what happened is not hidden.
            if let Err(error) = ledger.publish(record, self.around) {
                trouble.push(format!("not_published:{error}"));
            }
        };
        publish(attempt::after(&before, exit_code.unwrap_or(ended.exit_code), &own));
        publish(result.clone());
        if !trouble.iter().any(|reason| reason.starts_with("not_published")) {
            self.report.outcome.published.push(result.clone());
        }
        self.report.ran.push(Ran { result, trouble });
        Ok(())
    }
}

/// What the readiness of the trail says against a start, computed now. A refusal that this runner recorded
/// before is no step of the trail: it must not stand in the way of the start that is allowed.
fn readiness(ledger: &dyn Ledger, proposal_id: &str, result: &Contract) -> Result<BTreeSet<String>, LedgerError> {
    let options = ReadinessOptions { proposal_id: Some(proposal_id).filter(|id| !id.is_empty()), ..ReadinessOptions::default() };
    let status = result.status.as_deref().unwrap_or("status");
    let report = with_records(ledger, |mut records, rows_unreadable| {
        records.retain(|record| {
            let own = record.get("type").and_then(Value::as_str) == Some(result.record_type.as_str());
            !(own && record.get(status).and_then(Value::as_str) == Some("rejected") && check(record).valid)
        });
        report(&records, &ReadinessOptions { rows_unreadable, ..options })
    })?;
    let mut reasons: BTreeSet<String> = report.failed().into_iter().map(|check| format!("readiness_not_passed:{check}")).collect();
    let validation = report.keys.get("schema_validation").and_then(|validation| validation.get("reasons"));
    let named = validation.and_then(serde_json::Value::as_array).into_iter().flatten().filter_map(serde_json::Value::as_str);
    reasons.extend(named.map(|reason| format!("readiness_schema_invalid:{reason}")));
    Ok(reasons)
}
