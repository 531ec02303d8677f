//! The builders of the governance types: which parents each looks for.

use super::{Builder, Draft, Refused, Skipped, Wishes, own_id};
use crate::contract::trail::Filters;
use crate::governance::build::approval::{Decision, approval};
use crate::governance::build::eligibility::eligibility;
use crate::governance::build::execution_result::execution_result;
use crate::governance::build::plan::plan;
use crate::governance::build::proposal::proposal;
use crate::governance::build::rendered::rendered;
use crate::governance::build::rendered_result::rendered_result;
use crate::governance::build::{Refusal, Stamp};
use crate::governance::observe::brief_of;
use crate::governance::terms::{APPROVAL, ELIGIBILITY, PLAN, PROPOSAL, RENDERED, RENDERED_RESULT, RESULT};
use crate::governance::watch::watch;
use crate::ledger::{Ledger, LedgerError, Record, Select, Surroundings, each_record};
use std::collections::{HashMap, HashSet};

/// The builders, in stage order.
pub(super) static BUILDERS: [Builder; 7] = [
    Builder { record_type: PROPOSAL, short: "proposal", source: "overseer", needs: &[], sweeps: true, drafts: proposals },
    Builder {
        record_type: APPROVAL,
        short: "approval",
        source: "retry-approval",
        needs: &["proposal_id", "approved_by"],
        sweeps: false,
        drafts: approvals,
    },
    Builder { record_type: PLAN, short: "plan", source: "retry-execution-plan", needs: &[], sweeps: true, drafts: plans },
    Builder {
        record_type: RENDERED,
        short: "rendered_command",
        source: "retry-rendered-command",
        needs: &["scenario_id", "new_directive_id"],
        sweeps: false,
        drafts: rendered_commands,
    },
    Builder {
        record_type: RENDERED_RESULT,
        short: "rendered_command_result",
        source: "rendered-retry-command-runner",
        needs: &[],
        sweeps: true,
        drafts: rendered_results,
    },
    Builder {
        record_type: ELIGIBILITY,
        short: "eligibility",
        source: "retry-execution-eligibility",
        needs: &[],
        sweeps: true,
        drafts: eligibilities,
    },
    Builder { record_type: RESULT, short: "result", source: "retry-plan-runner", needs: &[], sweeps: true, drafts: results },
];

/// The brief's retry action, as a proposal.
fn proposals(_: &Builder, ledger: &dyn Ledger, wishes: &Wishes, around: &mut dyn Surroundings) -> Result<Vec<Draft>, LedgerError> {
    let brief = brief_of(&watch(ledger, Filters::default())?);
    let payloads = brief.recommended_actions.into_iter().map(|action| Record::from_map(action.payload));
    // What asks for no retry is left out, not refused.
    let made = payloads.map(|payload| proposal(&payload, &stamp(wishes, around))).filter(|made| *made != Err(vec![Refusal::NotARetry]));
    Ok(made.map(|made| drafted(made, "swarm_brief", "")).collect())
}

/// A decision about each proposal wished for.
fn approvals(_: &Builder, ledger: &dyn Ledger, wishes: &Wishes, around: &mut dyn Surroundings) -> Result<Vec<Draft>, LedgerError> {
    let or = Decision::by(wishes.term("approved_by", ""));
    let decision = Decision {
        status: wishes.term("status", or.status),
        reason: wishes.term("reason", or.reason),
        decision_mode: wishes.term("decision_mode", or.decision_mode),
        ..or
    };
    let decided = by_field(ledger, APPROVAL, "proposal_id")?;
    let drafts = parents(ledger, PROPOSAL, wishes)?.into_iter().map(|parent| {
        let made = approval(&parent, &decision, &stamp(wishes, around));
        draft_of(unless_another(made, decided.get(&parent.text("proposal_id")), APPROVAL), &parent)
    });
    Ok(drafts.collect())
}

/// A plan of each approval that has none.
fn plans(_: &Builder, ledger: &dyn Ledger, wishes: &Wishes, around: &mut dyn Surroundings) -> Result<Vec<Draft>, LedgerError> {
    let done = Done::of(ledger, PLAN, &["approval_id"])?;
    let (approvals, skipped) = open_parents(ledger, APPROVAL, wishes, Some(done))?;
    let proposals = first_of(ledger, PROPOSAL, &["proposal_id"], &approvals)?;
    let drafts = approvals.into_iter().map(|parent| {
        let made = match proposals.of(&parent) {
            Some(proposal) => plan(proposal, &parent, &stamp(wishes, around)),
            None => Err(vec![Refusal::ParentMissing(PROPOSAL)]),
        };
        draft_of(made, &parent)
    });
    Ok(skipped.into_iter().chain(drafts).collect())
}

/// A rendered command of each plan that has none.
fn rendered_commands(_: &Builder, ledger: &dyn Ledger, wishes: &Wishes, around: &mut dyn Surroundings) -> Result<Vec<Draft>, LedgerError> {
    let (scenario, directive) = (wishes.term("scenario_id", ""), wishes.term("new_directive_id", ""));
    let known = by_field(ledger, RENDERED, "plan_id")?;
    let drafts = parents(ledger, PLAN, wishes)?.into_iter().map(|parent| {
        let made = rendered(&parent, scenario, directive, &stamp(wishes, around));
        draft_of(unless_another(made, known.get(&parent.text("plan_id")), RENDERED), &parent)
    });
    Ok(drafts.collect())
}

/// A result of each rendered command that has none.
fn rendered_results(_: &Builder, ledger: &dyn Ledger, wishes: &Wishes, around: &mut dyn Surroundings) -> Result<Vec<Draft>, LedgerError> {
    let done = Done::of(ledger, RENDERED_RESULT, &["rendered_command_id", "plan_id"])?;
    let (commands, skipped) = open_parents(ledger, RENDERED, wishes, Some(done))?;
    let drafts = commands.into_iter().map(|parent| draft_of(rendered_result(&parent, &stamp(wishes, around)), &parent));
    Ok(skipped.into_iter().chain(drafts).collect())
}

/// A blocked eligibility of each rendered command that has none.
fn eligibilities(_: &Builder, ledger: &dyn Ledger, wishes: &Wishes, around: &mut dyn Surroundings) -> Result<Vec<Draft>, LedgerError> {
    let done = Done::of(ledger, ELIGIBILITY, &["rendered_command_id", "plan_id"])?;
    let (commands, skipped) = open_parents(ledger, RENDERED, wishes, Some(done))?;
    let results = first_of(ledger, RENDERED_RESULT, &["rendered_command_id", "plan_id"], &commands)?;
    let drafts = commands.into_iter().map(|parent| {
        let made = eligibility(Some(&parent), results.of(&parent), &stamp(wishes, around));
        draft_of(made, &parent)
    });
    Ok(skipped.into_iter().chain(drafts).collect())
}

/// A result of each plan that has none.
fn results(_: &Builder, ledger: &dyn Ledger, wishes: &Wishes, around: &mut dyn Surroundings) -> Result<Vec<Draft>, LedgerError> {
    let done = Done::of(ledger, RESULT, &["plan_id"])?;
    let (plans, skipped) = open_parents(ledger, PLAN, wishes, Some(done))?;
    let drafts = plans.into_iter().map(|parent| draft_of(execution_result(&parent, None, &stamp(wishes, around)), &parent));
    Ok(skipped.into_iter().chain(drafts).collect())
}

fn stamp<'w>(wishes: &'w Wishes, around: &mut dyn Surroundings) -> Stamp<'w> {
    Stamp { source: &wishes.source, now: around.now(), id: wishes.id.as_deref() }
}

fn draft_of(made: Result<Record, Vec<Refusal>>, parent: &Record) -> Draft {
    drafted(made, parent.record_type(), &own_id(parent))
}

fn drafted(made: Result<Record, Vec<Refusal>>, record_type: &str, record_id: &str) -> Draft {
    match made {
        Ok(record) => Draft::Ready(record),
        Err(reasons) => Draft::Refused(Refused { record_type: record_type.to_owned(), record_id: record_id.to_owned(), reasons }),
    }
}

/// The record made, unless its parent already has another one: a second decision, plan or command of
/// one parent would make the chain unsound. The same one again is skipped when it is published.
fn unless_another(made: Result<Record, Vec<Refusal>>, known: Option<&String>, record_type: &'static str) -> Result<Record, Vec<Refusal>> {
    let record = made?;
    match known {
        Some(known) if *known != own_id(&record) => Err(vec![Refusal::AlreadyHas(record_type)]),
        _ => Ok(record),
    }
}

/// What already has a record: the texts of its fields.
struct Done {
    fields: &'static [&'static str],
    said: Vec<HashSet<String>>,
}

impl Done {
    fn of(ledger: &dyn Ledger, record_type: &'static str, fields: &'static [&'static str]) -> Result<Self, LedgerError> {
        let mut said: Vec<HashSet<String>> = vec![HashSet::new(); fields.len()];
        each_record(ledger, Select { types: &[record_type] }, &mut |_, record| {
            for (field, said) in fields.iter().zip(&mut said) {
                said.insert(crate::contract::value::text(record.get(field)).into_owned());
            }
        })?;
        said.iter_mut().for_each(|said| {
            said.remove("");
        });
        Ok(Self { fields, said })
    }

    /// Whether one of the record's fields was said before.
    fn has(&self, record: &Record) -> bool {
        self.fields.iter().zip(&self.said).any(|(field, said)| said.contains(&record.text(field)))
    }
}

/// The records of a type that are wished for and not done; each own id once, the first in state order.
fn parents(ledger: &dyn Ledger, record_type: &'static str, wishes: &Wishes) -> Result<Vec<Record>, LedgerError> {
    Ok(open_parents(ledger, record_type, wishes, None)?.0)
}

/// The same, and drafts that skip those which are done.
fn open_parents(
    ledger: &dyn Ledger,
    record_type: &'static str,
    wishes: &Wishes,
    done: Option<Done>,
) -> Result<(Vec<Record>, Vec<Draft>), LedgerError> {
    let (mut found, mut skipped, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    each_record(ledger, Select { types: &[record_type] }, &mut |_, record| {
        let Some(record) = Record::from_value(record).filter(|record| wishes.pick(record)) else { return };
        let record_id = own_id(&record);
        if !seen.insert(record_id.clone()) {
            return;
        }
        if done.as_ref().is_some_and(|done| done.has(&record)) {
            skipped.push(Draft::Done(Skipped { record_type: record_type.to_owned(), record_id }));
        } else {
            found.push(record);
        }
    })?;
    Ok((found, skipped))
}

/// The first records of a type that some records name, by the fields that name them.
struct FirstOf {
    fields: &'static [&'static str],
    found: HashMap<(&'static str, String), Record>,
}

impl FirstOf {
    /// The one that a record names, by the first of the fields that finds one.
    fn of(&self, record: &Record) -> Option<&Record> {
        self.fields.iter().find_map(|field| self.found.get(&(*field, record.text(field))))
    }
}

/// Looks in one pass for what `records` name: a look-up each would be slow, and slower for hostile ids.
fn first_of(
    ledger: &dyn Ledger,
    record_type: &'static str,
    fields: &'static [&'static str],
    records: &[Record],
) -> Result<FirstOf, LedgerError> {
    let named = records.iter().flat_map(|record| fields.iter().map(|field| (*field, record.text(field))));
    let wanted: HashSet<_> = named.filter(|(_, said)| !said.is_empty()).collect();
    let mut found = HashMap::new();
    each_record(ledger, Select { types: &[record_type] }, &mut |_, record| {
        for field in fields {
            let key = (*field, crate::contract::value::text(record.get(field)).into_owned());
            if wanted.contains(&key) && !found.contains_key(&key) {
                found.extend(Record::from_value(record).map(|record| (key, record)));
            }
        }
    })?;
    Ok(FirstOf { fields, found })
}

/// The own id of the first record of a type, by the text of a field.
fn by_field(ledger: &dyn Ledger, record_type: &'static str, field: &str) -> Result<HashMap<String, String>, LedgerError> {
    let mut found = HashMap::new();
    each_record(ledger, Select { types: &[record_type] }, &mut |_, record| {
        let Some(record) = Record::from_value(record) else { return };
        found.entry(record.text(field)).or_insert_with(|| own_id(&record));
    })?;
    Ok(found)
}
