//! The next record of a chain: finds the parents in a ledger, builds what can be built, says every
//! reason why not, and publishes each record once.
//!
//! A [`Builder`] is a row of a table: a record type and the function that makes drafts of it. Publishing
//! is one function for all: it refuses what the record's own contract refuses, and skips what the
//! contract's `idempotent_by` says is a repeat. A further type is a further row; a further family is a
//! further table in [`builders`].

pub mod controlled;
mod execution;
mod governance;

use super::build::{Refusal, refusal};
use crate::contract::check;
use crate::contract::table::{Contract, Family};
use crate::ledger::{Ledger, LedgerError, Record, Surroundings};
use std::collections::BTreeMap;

/// What whoever asks for a record wishes it to be: from which parents, and what no parent says.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// The source of what is published; blank: the builder's own.
    pub source: String,
    /// The own id of the record built, where it is given.
    pub id: Option<String>,
    /// Only from parents with these links, by field.
    pub links: BTreeMap<String, String>,
    /// What the record says that no parent does, by name.
    pub terms: BTreeMap<String, String>,
}

impl Wishes {
    /// Wishes of this source and nothing else.
    pub fn of(source: &str) -> Self {
        Self { source: source.to_owned(), ..Self::default() }
    }

    /// And only from parents whose `field` has this text.
    #[must_use]
    pub fn linked(mut self, field: &str, said: Option<&str>) -> Self {
        self.links.extend(said.map(|said| (field.to_owned(), said.trim().to_owned())));
        self
    }

    /// And with this term.
    #[must_use]
    pub fn with(mut self, name: &str, said: Option<&str>) -> Self {
        self.terms.extend(said.map(|said| (name.to_owned(), said.to_owned())));
        self
    }

    /// A term, or what stands for it.
    pub fn term<'w>(&'w self, name: &str, or: &'w str) -> &'w str {
        self.terms.get(name).map_or(or, String::as_str)
    }

    /// Whether a record is among those wished for: every link given must match, at the top or in the payload.
    pub fn pick(&self, record: &Record) -> bool {
        self.links.iter().all(|(field, said)| record.linked(field) == *said)
    }
}

/// What a builder made of one parent.
#[derive(Debug, Clone, PartialEq)]
pub enum Draft {
    /// A record, not yet published.
    Ready(Record),
    /// A record that says that its parent may have none: published though its own contract refuses it.
    Recorded(Record),
    /// A record that is there.
    Kept(Skipped),
    /// None, and why.
    Refused(Refused),
    /// None, since the parent of this type and id has its record.
    Done(Skipped),
}

/// A parent that no record was built from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The parent's type.
    pub record_type: String,
    /// The parent's own id.
    pub record_id: String,
    /// Every reason why not.
    pub reasons: Vec<Refusal>,
}

impl Refused {
    /// The refusal to build from a ledger that does not read whole: a row that is passed over may be a rejection.
    pub fn of_ledger() -> Self {
        Self { record_type: "ledger".to_owned(), record_id: String::new(), reasons: vec![Refusal::RowsUnreadable] }
    }
}

/// A record that was not published since it is there, or a parent that has its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its type.
    pub record_type: String,
    /// Its own id.
    pub record_id: String,
}

/// Makes drafts of a builder's record type from what a ledger holds; one function may serve many rows.
pub type Drafts = fn(&Builder, &dyn Ledger, &Wishes, &mut dyn Surroundings) -> Result<Vec<Draft>, LedgerError>;

/// How the records of one type are built.
#[derive(Debug, Clone, Copy)]
pub struct Builder {
    /// The record type.
    pub record_type: &'static str,
    /// A shorter name for it.
    pub short: &'static str,
    /// The source of what it publishes, unless another is wished for.
    pub source: &'static str,
    /// Links and terms that it cannot do without.
    pub needs: &'static [&'static str],
    /// Whether it answers each parent that has no record yet, so that finding none is done; else finding
    /// no parent means that nothing was selected.
    pub sweeps: bool,
    /// Makes the drafts.
    pub drafts: Drafts,
}

/// Every builder there is.
pub fn builders() -> impl Iterator<Item = &'static Builder> {
    governance::BUILDERS.iter().chain(execution::BUILDERS.iter())
}

/// The builder of a record type, by its full or its short name.
pub fn builder_of(name: &str) -> Option<&'static Builder> {
    builders().find(|builder| builder.record_type == name || builder.short == name)
}

/// What was published, and what was not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Records published, in order.
    pub published: Vec<Record>,
    /// Records that were there already and stay as they are, and parents that have their record.
    pub skipped: Vec<Skipped>,
    /// Parents of which nothing was built.
    pub refused: Vec<Refused>,
}

/// Builds and publishes what a builder can, as `wishes` ask.
///
/// # Errors
/// The storage failed; what was published before stays.
pub fn build(ledger: &mut dyn Ledger, builder: &Builder, wishes: &Wishes, around: &mut dyn Surroundings) -> Result<Outcome, LedgerError> {
    let mut wishes = wishes.clone();
    if wishes.source.trim().is_empty() {
        builder.source.clone_into(&mut wishes.source);
    }
    let before = ledger.passed_over();
    let drafts = (builder.drafts)(builder, ledger, &wishes, around)?;
    let mut outcome = Outcome::default();
    if ledger.passed_over() > before {
        outcome.refused.push(Refused::of_ledger());
        outcome
            .refused
            .extend(drafts.into_iter().filter_map(|draft| if let Draft::Refused(refused) = draft { Some(refused) } else { None }));
        return Ok(outcome);
    }
    let several = wishes.id.is_some() && drafts.iter().filter(|draft| matches!(draft, Draft::Ready(_))).count() > 1;
    for draft in drafts {
        match draft {
            Draft::Ready(record) if several => outcome.refused.push(Refused {
                record_type: record.record_type().to_owned(),
                record_id: own_id(&record),
                reasons: vec![Refusal::IdForSeveral],
            }),
            Draft::Ready(record) => publish(ledger, record, &mut outcome, around)?,
            Draft::Recorded(record) => {
                let keys = contract_of(&record).map(once_by).unwrap_or_default();
                publish_once(ledger, record, &keys, &mut outcome, around)?;
            }
            Draft::Kept(skipped) => outcome.skipped.push(skipped),
            Draft::Refused(refused) => outcome.refused.push(refused),
            Draft::Done(skipped) => outcome.skipped.push(skipped),
        }
    }
    Ok(outcome)
}

/// Publishes a record once: a repeat by its contract's keys is skipped, an invalid one refused.
///
/// # Errors
/// The storage failed.
pub fn publish(ledger: &mut dyn Ledger, record: Record, outcome: &mut Outcome, around: &mut dyn Surroundings) -> Result<(), LedgerError> {
    let keys = contract_of(&record).map(once_by).unwrap_or_default();
    publish_unless(ledger, record, &keys, outcome, around)
}

/// The fields of which one equal text makes a second record a repeat. In the execution family all of
/// `idempotent_by` must be equal, so several are one in the own id, which is made of them.
fn once_by(contract: &Contract) -> Vec<String> {
    let said = contract.build.as_ref().and_then(|build| build.once_by.clone());
    match (said, contract.family, contract.idempotent_by.len(), &contract.id) {
        (Some(once), ..) => vec![once],
        (None, Family::Execution, 2.., Some(id)) => vec![id.clone()],
        _ => contract.idempotent_by.clone(),
    }
}

/// Publishes a record unless one of its type says the same in one of `keys`; a blank key tells nothing.
///
/// # Errors
/// The storage failed.
pub fn publish_unless(
    ledger: &mut dyn Ledger,
    record: Record,
    keys: &[String],
    outcome: &mut Outcome,
    around: &mut dyn Surroundings,
) -> Result<(), LedgerError> {
    let (record_type, record_id) = (record.record_type().to_owned(), own_id(&record));
    match refusal::sealed(record) {
        Ok(record) => publish_once(ledger, record, keys, outcome, around),
        Err(reasons) => {
            outcome.refused.push(Refused { record_type, record_id, reasons });
            Ok(())
        }
    }
}

/// Publishes a record, valid or not, unless one of its type says the same in one of `keys`.
fn publish_once(
    ledger: &mut dyn Ledger,
    record: Record,
    keys: &[String],
    outcome: &mut Outcome,
    around: &mut dyn Surroundings,
) -> Result<(), LedgerError> {
    let (record_type, record_id) = (record.record_type().to_owned(), own_id(&record));
    let said: Vec<_> = keys.iter().map(|key| (key.as_str(), record.text(key))).filter(|(_, said)| !said.is_empty()).collect();
    let same: Vec<_> = said.iter().map(|(key, said)| (*key, said.as_str())).collect();
    if ledger.publish_unless(record.clone(), &same, around)?.is_some() {
        outcome.published.push(record);
    } else {
        outcome.skipped.push(Skipped { record_type, record_id });
    }
    Ok(())
}

/// A record's own id, by its contract; blank where there is none.
pub fn own_id(record: &Record) -> String {
    contract_of(record).and_then(|contract| contract.id.as_deref()).map(|field| record.text(field)).unwrap_or_default()
}

fn contract_of(record: &Record) -> Option<&'static Contract> {
    let text = record.to_line();
    crate::json::parse(text.as_bytes()).ok().as_ref().and_then(check::contract_of)
}
