//! The trail behind a record: every ancestor, and everything that speaks against it.
//!
//! A record is evidence and never a permission by itself. Whoever builds on one, or starts on the word of
//! one, asks here first: is each ancestor there, valid, in the status that lets it have children, of the
//! same ids, targets and words, and not superseded by a later decision?

use crate::contract::check::check;
use crate::contract::command_text::split;
use crate::contract::table::{Contract, Family, contracts};
use crate::contract::value::text;
use crate::governance::terms::{APPROVAL, CHAIN, RENDERED};
use crate::json::Value;
use crate::ledger::{Ledger, LedgerError, Record, Select, each_record};
use serde_json::Value as Json;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// What the types of this chain begin with.
pub const PREFIX: &str = "replay_lifecycle_retry_";

/// A type as reasons name it.
pub fn short(record_type: &str) -> &str {
    record_type.strip_prefix(PREFIX).unwrap_or(record_type)
}

/// Decisions: the type of the decision, the field that says about what, and the one that says which.
const DECISIONS: [(&str, &str, &str); 5] = [
    (APPROVAL, "proposal_id", "status"),
    ("replay_lifecycle_retry_real_execution_approval_transition", "real_execution_approval_id", "to_status"),
    ("replay_lifecycle_retry_real_execution_read_only_approval_transition", "real_execution_read_only_approval_id", "to_status"),
    (
        "replay_lifecycle_retry_real_execution_read_only_repair_action_bundle_review",
        "real_execution_read_only_repair_action_bundle_id",
        "review_status",
    ),
    ("replay_lifecycle_retry_real_execution_repair_approval_transition", "real_execution_repair_approval_id", "to_status"),
];

/// Fields that hold the governed words, the governed text, and the repair targets, in whatever type has them.
const WORDS: [&str; 2] = ["argv", "read_only_argv"];
const TEXTS: [&str; 2] = ["command", "read_only_command"];
const TARGETS: [&str; 4] = ["repair_targets", "bundle_targets", "repair_dry_run_targets", "source_repair_dry_run_targets"];

/// A record of the trail, with what its own contract says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// The record.
    pub record: Record,
    /// Whether it keeps its contract.
    pub valid: bool,
}

/// The records of a ledger that belong to the chain, in state order.
#[derive(Debug, Default)]
pub struct Trail {
    by_type: HashMap<&'static str, Vec<Kept>>,
    /// Where the first and the last record of an id stand, where these two say different things.
    by_id: HashMap<(&'static str, String), (usize, Option<usize>)>,
    /// What was rejected at some time: the type of the decision, and about what.
    rejected: HashSet<(&'static str, String)>,
}

/// The contracts of the chain.
fn chain() -> impl Iterator<Item = &'static Contract> {
    contracts().all().filter(|contract| contract.family == Family::Execution || CHAIN.contains(&contract.record_type.as_str()))
}

/// The contract of a record of the chain.
pub fn contract_of(record_type: &str) -> Option<&'static Contract> {
    chain().find(|contract| contract.record_type == record_type)
}

/// The types of the chain.
pub fn chain_types() -> Vec<&'static str> {
    chain().map(|contract| contract.record_type.as_str()).collect()
}

impl Trail {
    /// The trail that a ledger holds, in one pass.
    ///
    /// # Errors
    /// The storage failed.
    pub fn of(ledger: &dyn Ledger) -> Result<Self, LedgerError> {
        let contracts: HashMap<_, _> = chain().map(|contract| (contract.record_type.as_str(), contract)).collect();
        let types: Vec<_> = contracts.keys().copied().collect();
        let mut trail = Self::default();
        each_record(ledger, Select { types: &types }, &mut |_, record| {
            let contract = record.get("type").and_then(Value::as_str).and_then(|record_type| contracts.get(record_type));
            if let Some(contract) = contract {
                trail.add(contract, record);
            }
        })?;
        Ok(trail)
    }

    fn add(&mut self, contract: &'static Contract, value: &Value<'_>) {
        let Some(record) = Record::from_value(value) else { return };
        let record_type = contract.record_type.as_str();
        for (_, about, said) in DECISIONS.iter().filter(|(decision, _, _)| *decision == record_type) {
            if record.text(said).to_lowercase() == "rejected" {
                self.rejected.insert((record_type, record.text(about)));
            }
        }
        let id = contract.id.as_deref().map(|field| text(value.get(field)).into_owned()).unwrap_or_default();
        let records = self.by_type.entry(record_type).or_default();
        if !id.is_empty() {
            let place = records.len();
            let (first, last) = self.by_id.entry((record_type, id)).or_insert((place, None));
            if *first != place && records[*first].record != record {
                *last = Some(place);
            }
        }
        records.push(Kept { record, valid: check(value).valid });
    }

    /// The records of a type, in state order.
    pub fn of_type(&self, record_type: &str) -> &[Kept] {
        self.by_type.get(record_type).map_or(&[], Vec::as_slice)
    }

    /// The records of an id: one, or the first and the last that say something else.
    pub fn found(&self, record_type: &str, id: &str) -> impl Iterator<Item = &Kept> {
        let contract = contract_of(record_type);
        let places = contract.and_then(|contract| self.by_id.get(&(contract.record_type.as_str(), id.to_owned())));
        let (first, last) = places.map_or((None, None), |(first, last)| (Some(*first), *last));
        let records = self.of_type(record_type);
        first.into_iter().chain(last).map(move |place| &records[place])
    }

    /// The record of a type that `record` names by the field of that type's own id.
    pub fn named_by(&self, record: &Record, record_type: &str) -> Option<&Record> {
        let field = contract_of(record_type)?.id.as_deref()?;
        self.found(record_type, &record.linked(field)).last().map(|kept| &kept.record)
    }

    /// Everything that speaks against a child of `child`'s type that comes from `parent`; sorted, each once.
    pub fn faults(&self, child: &Contract, parent: &Kept) -> BTreeSet<String> {
        let mut walk = Walk::new(self);
        walk.visit(&parent.record, parent.valid, child.parents.first().is_none_or(|wanted| holds(wanted, &parent.record)));
        walk.finish()
    }
}

/// Whether a parent is in the status that the arrow wants.
pub fn holds(wanted: &crate::contract::table::Parent, parent: &Record) -> bool {
    let line = parent.to_line();
    let value = crate::json::parse(line.as_bytes());
    wanted.in_status.as_ref().is_none_or(|status| value.is_ok_and(|value| status.holds(&value)))
}

/// A walk from a record to everything that it comes from, the nearest first.
struct Walk<'t> {
    trail: &'t Trail,
    faults: BTreeSet<String>,
    /// What was looked at, as an immediate parent or as a farther one: only the first is asked for its status.
    seen: HashSet<(&'static str, String, bool)>,
    /// Records to look at: the type, the id, and the condition of the arrow if it is an immediate parent.
    ahead: VecDeque<(&'static crate::contract::table::Parent, String, bool)>,
    ids: HashMap<&'static str, String>,
    words: Option<Vec<String>>,
    command: Option<String>,
    targets: Option<Json>,
}

impl<'t> Walk<'t> {
    fn new(trail: &'t Trail) -> Self {
        Self {
            trail,
            faults: BTreeSet::new(),
            seen: HashSet::new(),
            ahead: VecDeque::new(),
            ids: HashMap::new(),
            words: None,
            command: None,
            targets: None,
        }
    }

    fn finish(mut self) -> BTreeSet<String> {
        while let Some((parent, id, immediate)) = self.ahead.pop_front() {
            let mut found = self.trail.found(&parent.record_type, &id).peekable();
            if found.peek().is_none() {
                self.orphaned(&parent.record_type);
            }
            for kept in found {
                self.visit(&kept.record, kept.valid, !immediate || holds(parent, &kept.record));
            }
        }
        self.faults
    }

    fn orphaned(&mut self, record_type: &str) {
        self.faults.insert(format!("lineage_orphaned:{}", short(record_type)));
        if record_type == RENDERED {
            self.faults.insert("rendered_command_not_found".to_owned());
        }
    }

    fn visit(&mut self, record: &Record, valid: bool, in_status: bool) {
        let record_type = record.record_type();
        let Some(contract) = contract_of(record_type) else { return };
        let mut agrees = in_status;
        if !valid {
            self.faults.insert(format!("security_validation_failed:{}", short(record_type)));
        }
        for own in chain().filter_map(|contract| contract.id.as_deref()) {
            let said = record.linked(own);
            if !said.is_empty() {
                agrees &= *self.ids.entry(own).or_insert_with(|| said.clone()) == said;
            }
        }
        agrees &= self.same_words(record);
        for field in TARGETS {
            if let Some(targets) = record.get(field).filter(|targets| targets.as_array().is_some_and(|items| !items.is_empty())) {
                agrees &= self.targets.get_or_insert_with(|| targets.clone()) == targets;
            }
        }
        if !agrees {
            self.faults.insert(format!("lineage_status_mismatch:{}", short(record_type)));
        }
        for (decision, about, _) in DECISIONS.iter().filter(|(decision, _, _)| *decision == record_type) {
            if self.trail.rejected.contains(&(*decision, record.text(about))) {
                self.faults.insert("approval_superseded".to_owned());
            }
        }
        for (place, parent) in contract.parents.iter().enumerate() {
            let id = record.linked(&parent.field);
            if id.is_empty() && parent.required {
                self.orphaned(&parent.record_type);
            } else if !id.is_empty() && self.seen.insert((parent.record_type.as_str(), id.clone(), place == 0)) {
                self.ahead.push_back((parent, id, place == 0));
            }
        }
    }

    /// Whether the governed words and text are those of the records before; the rendered command has its own reason.
    fn same_words(&mut self, record: &Record) -> bool {
        let mut same = true;
        for field in WORDS {
            let Some(Json::Array(items)) = record.get(field) else { continue };
            if items.is_empty() {
                continue;
            }
            let words: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
            same &= words.is_some_and(|words| *self.words.get_or_insert_with(|| words.clone()) == words);
        }
        let rendered = record.record_type() == RENDERED;
        for field in TEXTS {
            let said = record.text(field);
            if said.is_empty() {
                continue;
            }
            let split = split(&said).unwrap_or_default();
            let same_words = self.words.as_ref().is_none_or(|words| *words == split);
            let same_text = *self.command.get_or_insert_with(|| said.clone()) == said;
            if rendered && !(same_words && same_text) {
                self.faults.insert("rendered_command_text_mismatch".to_owned());
            }
            same &= rendered || (same_words && same_text);
        }
        same
    }
}
