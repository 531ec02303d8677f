//! Whether a chain is sound: every record valid, every link leading to its parent in this chain, the
//! approval approved, each record saying what its parent said, nothing orphaned, duplicated or out of order.
//!
//! Completeness asks only whether a stage is there. A chain can be complete and mean nothing: soundness
//! is what a claim about it may rest on. One pass gathers, one judges; both are linear.

use super::counter::Counter;
use super::scan::ScanEntry;
use super::soundness_terms::Terms;
use super::terms::{APPROVAL, CHAIN, ELIGIBILITY, RENDERED, RENDERED_RESULT};
use crate::contract::check::contract_of;
use crate::contract::table::Contract;
use crate::contract::trail::linked;
use crate::contract::value::{at, text};
use crate::json::Value;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// Why a chain is not sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// There is no record at all.
    ChainEmpty,
    /// Entries of the ledger that could not be read: what they say is not known.
    RecordUnreadable,
    /// The record's contract refuses it.
    RecordInvalid,
    /// No record is the parent that it names.
    ParentMissing,
    /// What it names as its parent is a record of another type.
    ParentOfOtherType,
    /// The parent it names belongs to another proposal, approval, plan or command than the record says.
    ParentOfOtherChain,
    /// The record stands before its parent in state order.
    ChildBeforeParent,
    /// Another record of the same stage has the same parent.
    StageDuplicated,
    /// An earlier record says the same under the same id.
    RecordRepeated,
    /// An earlier record says something else under the same id.
    IdReused,
    /// The proposal's only decision is not an approval.
    ApprovalNotApproved,
    /// The proposal is approved and rejected at once.
    ApprovedAndRejected,
    /// The record has other terms than its parent, or is another command than its plan's template makes.
    TermsDiffer,
    /// The payload repeats a link or a term as another.
    CopyDiffers,
    /// An own id or a link is a list or an object, and names nothing.
    IdUnreadable,
    /// An eligibility that names nothing, beside a rendered command.
    EligibilityOrphaned,
    /// An eligibility says that something is missing that stands before it.
    NotMissing,
}

impl Fault {
    /// The reason as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ChainEmpty => "chain_empty",
            Self::RecordUnreadable => "record_unreadable",
            Self::RecordInvalid => "record_invalid",
            Self::ParentMissing => "parent_missing",
            Self::ParentOfOtherType => "parent_of_other_type",
            Self::ParentOfOtherChain => "parent_of_other_chain",
            Self::ChildBeforeParent => "child_before_parent",
            Self::StageDuplicated => "stage_duplicated",
            Self::RecordRepeated => "record_repeated",
            Self::IdReused => "id_reused",
            Self::ApprovalNotApproved => "approval_not_approved",
            Self::ApprovedAndRejected => "approved_and_rejected",
            Self::TermsDiffer => "terms_differ",
            Self::CopyDiffers => "copy_differs",
            Self::IdUnreadable => "id_unreadable",
            Self::EligibilityOrphaned => "eligibility_orphaned",
            Self::NotMissing => "not_missing",
        }
    }
}

/// One reason why a chain is not sound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unsound {
    /// The reason.
    pub reason: Fault,
    /// The record's type; empty for the chain as a whole.
    pub record_type: String,
    /// The record's own id.
    pub record_id: String,
    /// The contract's reasons of an invalid record; else the fields that it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<String>,
}

/// What was found about a chain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Soundness {
    /// Records of the chain.
    pub records: u64,
    /// The first [`LISTED`] reasons, in state order.
    pub reasons: Vec<Unsound>,
    /// All reasons, by word.
    pub counts: Counter,
}

/// How many reasons are listed.
pub const LISTED: usize = 1000;

impl Soundness {
    /// Whether nothing is wrong with the chain; one without records is not sound.
    pub fn is_sound(&self) -> bool {
        self.counts.total() == 0
    }

    fn say(&mut self, reason: Fault, node: &Node, about: Vec<String>) {
        self.counts.count(reason.as_str());
        if self.reasons.len() < LISTED {
            let (record_type, record_id) = (node.contract.record_type.clone(), node.id.clone());
            self.reasons.push(Unsound { reason, record_type, record_id, about });
        }
    }

    /// A reason about the chain as a whole.
    fn say_of_all(&mut self, reason: Fault) {
        self.counts.count(reason.as_str());
        self.reasons.push(Unsound { reason, record_type: String::new(), record_id: String::new(), about: Vec::new() });
    }
}

/// Gathers the records of a ledger, in state order.
#[derive(Debug, Default)]
pub struct Chain {
    nodes: Vec<Node>,
    unreadable: u64,
}

#[derive(Debug)]
struct Node {
    contract: &'static Contract,
    /// Whether the filters picked it.
    picked: bool,
    id: String,
    /// What it says about its parents, in the order of its contract's.
    links: Vec<String>,
    proposal: String,
    plan: String,
    status: String,
    content: [u8; 16],
    faults: Option<Vec<String>>,
    terms: Terms,
}

/// What the ledger adds to a record on publishing, and when it was made: no part of what it says.
const STAMPED: [&str; 5] = ["gid", "node", "node_id", "ts", "created_at"];

impl Chain {
    /// Takes a record in, with what the scan says of it; `picked` says whether the filters ask for it. Types
    /// that are no stage change nothing.
    pub fn add(&mut self, record: &Value<'_>, entry: &ScanEntry<'_>, picked: bool) {
        let Some(contract) = contract_of(record).filter(|contract| CHAIN.contains(&contract.record_type.as_str())) else { return };
        let owned = |path: &str| text(at(record, path)).into_owned();
        self.nodes.push(Node {
            contract,
            picked,
            id: contract.id.as_deref().map(owned).unwrap_or_default(),
            links: contract.parents.iter().map(|parent| owned(&parent.field)).collect(),
            proposal: linked(record, "proposal_id").into_owned(),
            plan: linked(record, "plan_id").into_owned(),
            status: text(record.get("status")).to_lowercase(),
            content: content_of(record),
            faults: (!entry.valid).then(|| entry.reasons.clone()),
            terms: Terms::of(record, &contract.record_type, contract.id.as_deref()),
        });
    }

    /// Takes note of entries that could not be read.
    pub fn unreadable(&mut self, entries: u64) {
        self.unreadable += entries;
    }

    /// Judges the chain: the records picked, and all others of the same proposals.
    pub fn finish(&self) -> Soundness {
        let mut found = Soundness::default();
        let chain = self.selected();
        found.records = chain.len() as u64;
        if self.unreadable > 0 {
            found.say_of_all(Fault::RecordUnreadable);
        }
        if chain.is_empty() {
            found.say_of_all(Fault::ChainEmpty);
            return found;
        }
        let mut first: HashMap<(&str, &str), usize> = HashMap::new();
        for (index, node) in self.nodes.iter().enumerate().filter(|(_, node)| !node.id.is_empty()) {
            first.entry((node.contract.record_type.as_str(), &node.id)).or_insert(index);
        }
        let decisions = self.decisions(&chain);
        let answered = self.answered();
        let mut of_parent: HashMap<(&str, &str), &str> = HashMap::new();
        for &index in &chain {
            let node = &self.nodes[index];
            let record_type = node.contract.record_type.as_str();
            if let Some(faults) = &node.faults {
                found.say(Fault::RecordInvalid, node, faults.clone());
            }
            for (reason, about) in [(Fault::IdUnreadable, &node.terms.compounds), (Fault::CopyDiffers, &node.terms.copies)] {
                if !about.is_empty() {
                    found.say(reason, node, about.iter().map(|field| (*field).to_owned()).collect());
                }
            }
            let earlier = first.get(&(record_type, node.id.as_str())).filter(|earlier| **earlier < index);
            if let Some(earlier) = earlier {
                let same = self.nodes[*earlier].content == node.content;
                found.say(if same { Fault::RecordRepeated } else { Fault::IdReused }, node, Vec::new());
            }
            for (parent, said) in node.contract.parents.iter().zip(&node.links).filter(|(_, said)| !said.is_empty()) {
                let about = || vec![parent.field.clone()];
                match first.get(&(parent.record_type.as_str(), said.as_str())) {
                    Some(at) if *at > index => found.say(Fault::ChildBeforeParent, node, about()),
                    Some(at) if !node.agrees_with(&self.nodes[*at]) => found.say(Fault::ParentOfOtherChain, node, about()),
                    Some(at) => {
                        let its = &self.nodes[*at].terms;
                        for (reason, about) in [
                            (Fault::TermsDiffer, node.terms.differing(record_type, its, &parent.record_type)),
                            (Fault::CopyDiffers, node.terms.foreign_links(its)),
                        ] {
                            if !about.is_empty() {
                                found.say(reason, node, about);
                            }
                        }
                    }
                    None if CHAIN.iter().any(|other| first.contains_key(&(*other, said.as_str()))) => {
                        found.say(Fault::ParentOfOtherType, node, about());
                    }
                    None => found.say(Fault::ParentMissing, node, about()),
                }
            }
            // The first parent of a contract is the one that a stage follows.
            if let Some(parent) = node.links.first().filter(|said| !said.is_empty()) {
                let holder = *of_parent.entry((record_type, parent)).or_insert(&node.id);
                if holder != node.id {
                    found.say(Fault::StageDuplicated, node, vec![node.contract.parents[0].field.clone()]);
                }
            }
            if record_type == ELIGIBILITY {
                let mut links = node.terms.found_by().peekable();
                let before = |missed: &'static str, (field, said): (&'static str, &str)| {
                    answered.get(&(missed, field, said.to_owned())).is_some_and(|first| *first < index)
                };
                if links.peek().is_none() && self.nodes.iter().any(|other| other.contract.record_type == RENDERED) {
                    found.say(Fault::EligibilityOrphaned, node, Vec::new());
                } else if let Some(missed) = node.terms.missed()
                    && links.next().is_some_and(|link| before(missed, link))
                {
                    found.say(Fault::NotMissing, node, vec![missed.to_owned()]);
                }
            }
            if record_type == APPROVAL {
                let (approved, refused) = decisions.get(node.proposal.as_str()).copied().unwrap_or_default();
                match (node.status == "approved", approved && refused) {
                    (_, true) => found.say(Fault::ApprovedAndRejected, node, Vec::new()),
                    (false, false) => found.say(Fault::ApprovalNotApproved, node, Vec::new()),
                    (true, false) => {}
                }
            }
        }
        found
    }

    /// The places of the chain's records: those picked, and what else belongs to their proposals. A
    /// filter by plan must not hide that the plan's approval was rejected.
    fn selected(&self) -> Vec<usize> {
        fn said<'n>(nodes: impl Iterator<Item = &'n Node>, field: fn(&Node) -> &str) -> HashSet<&'n str> {
            nodes.map(field).filter(|id| !id.is_empty()).collect()
        }
        let proposals = said(self.nodes.iter().filter(|node| node.picked), |node| &node.proposal);
        let picked = |node: &&Node| node.picked || proposals.contains(node.proposal.as_str());
        let plans = said(self.nodes.iter().filter(picked), |node| &node.plan);
        let belongs = |node: &Node| picked(&node) || (node.proposal.is_empty() && plans.contains(node.plan.as_str()));
        (0..self.nodes.len()).filter(|index| belongs(&self.nodes[*index])).collect()
    }

    /// For each link that a rendered command or its result has, the first one that has it.
    fn answered(&self) -> HashMap<(&'static str, &'static str, String), usize> {
        let mut answered = HashMap::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let Some(record_type) = [RENDERED, RENDERED_RESULT].into_iter().find(|wanted| node.contract.record_type == *wanted) else {
                continue;
            };
            for (field, said) in node.terms.found_by() {
                answered.entry((record_type, field, said.to_owned())).or_insert(index);
            }
        }
        answered
    }

    /// For each proposal, whether it is approved and whether it is refused.
    fn decisions(&self, chain: &[usize]) -> HashMap<&str, (bool, bool)> {
        let mut decisions: HashMap<&str, (bool, bool)> = HashMap::new();
        for node in chain.iter().map(|index| &self.nodes[*index]).filter(|node| node.contract.record_type == APPROVAL) {
            let (approved, refused) = decisions.entry(&node.proposal).or_default();
            *approved |= node.status == "approved";
            *refused |= node.status != "approved";
        }
        decisions
    }
}

impl Node {
    /// Whether two records name the same parent wherever both name one of a type.
    fn agrees_with(&self, parent: &Self) -> bool {
        let said = self.contract.parents.iter().zip(&self.links).filter(|(_, said)| !said.is_empty());
        said.into_iter().all(|(link, said)| {
            let its = parent.contract.parents.iter().position(|other| other.record_type == link.record_type);
            its.is_none_or(|place| parent.links[place].is_empty() || parent.links[place] == *said)
        })
    }
}

/// A digest of what a record says.
fn content_of(record: &Value<'_>) -> [u8; 16] {
    let mut members: Vec<_> = record.members().iter().filter(|(key, _)| !STAMPED.contains(&&**key)).collect();
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut hasher = Sha256::new();
    for (key, value) in members {
        let said = value.to_text();
        hasher.update((key.len() as u64).to_le_bytes());
        hasher.update(key.as_bytes());
        hasher.update((said.len() as u64).to_le_bytes());
        hasher.update(said.as_bytes());
    }
    let digest = hasher.finalize();
    let mut content = [0; 16];
    content.copy_from_slice(&digest[..16]);
    content
}

#[cfg(test)]
#[path = "soundness_tests.rs"]
mod tests;
