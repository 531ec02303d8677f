//! Whether a chain is sound: every record valid, every link leading to its parent in this chain, the
//! approval approved, each record saying what its parent said, nothing orphaned, duplicated or out of order.
//!
//! Completeness asks only whether a stage is there. A chain can be complete and mean nothing: soundness
//! is what a claim about it may rest on. One pass gathers, one judges; both are linear.

use super::counter::Counter;
use super::interner::{Interner, Symbol};
use super::scan::Scanned;
pub use super::soundness_fault::Fault;
use super::soundness_node::{Node, Seen};
use super::soundness_terms::Terms;
use super::terms::{APPROVAL, CHAIN, ELIGIBILITY, RENDERED, RENDERED_RESULT};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher, RandomState};

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

    fn say(&mut self, reason: Fault, record_type: &str, record_id: &str, about: Vec<String>) {
        self.counts.count(reason.as_str());
        if self.reasons.len() < LISTED {
            self.reasons.push(Unsound { reason, record_type: record_type.to_owned(), record_id: record_id.to_owned(), about });
        }
    }

    /// A reason about the chain as a whole.
    fn say_of_all(&mut self, reason: Fault) {
        self.counts.count(reason.as_str());
        self.reasons.push(Unsound { reason, record_type: String::new(), record_id: String::new(), about: Vec::new() });
    }
}

/// Gathers the records of a ledger, in state order.
///
/// What is kept of a record has no text of its own, and a record that says again what an earlier one of
/// its id says is kept as the number of that one: memory grows with what is distinct.
#[derive(Debug, Default)]
pub struct Chain {
    nodes: Vec<Node>,
    /// For each record of the ledger its node.
    order: Vec<u32>,
    /// By the number of an id, one more than the place in the order of the first record that has it as its own; 0 where
    /// none has.
    first: Vec<u32>,
    /// The same by type, of the further types that have an id as their own, as no sound chain does.
    first_of_type: ByStage<u32>,
    texts: Interner,
    /// Own ids that are too long to be kept as texts beside others.
    long_ids: HashMap<Symbol, String>,
    /// Seeds the digests of what records say.
    seed: RandomState,
    /// What the last record says, as it is digested.
    buffer: Vec<u8>,
    unreadable: u64,
}

/// Something for each stage and text. Texts are numbered as they come, so nobody can choose keys that collide.
type ByStage<V> = HashMap<StageKey, V, BuildHasherDefault<Spread>>;

/// A stage and a text, in one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct StageKey(u64);

fn of_stage(stage: u8, text: Symbol) -> StageKey {
    StageKey((text.place() as u64) << 8 | u64::from(stage))
}

/// Spreads numbers over a table.
#[derive(Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Chain {
    /// Takes a record in; `picked` says whether the filters ask for it. Types that are no stage change nothing.
    pub fn add(&mut self, record: &Scanned<'_, '_>, picked: bool) {
        let mut content = std::mem::take(&mut self.buffer);
        let seen = Seen::of(record, None, picked, &self.seed, &mut self.texts, &mut content);
        self.buffer = content;
        if let Some(seen) = seen {
            self.take(seen);
        }
    }

    /// What seeds the digests of what records say.
    pub(super) fn seed(&self) -> &RandomState {
        &self.seed
    }

    /// The texts of the chain, by number.
    pub(super) fn texts(&self) -> &Interner {
        &self.texts
    }

    /// Takes in the texts of records that were read elsewhere; for each of their numbers the one of the chain.
    pub(super) fn take_texts(&mut self, texts: &Interner) -> Vec<Symbol> {
        self.texts.take_in(texts)
    }

    /// Takes in a record that was read elsewhere, with the numbers of the chain.
    pub(super) fn take(&mut self, Seen { node, long_id }: Seen) {
        let place = u32::try_from(self.order.len()).expect("fewer records than any memory holds");
        let earlier = self.first_of(node.stage, node.id);
        if earlier.is_none() && !node.id.is_blank() {
            self.note_first(&node, place);
        }
        if let Some(first) = earlier {
            let number = self.order[first as usize];
            let before = &self.nodes[number as usize];
            // Stamps are no part of the content, and a contract may still ask for them.
            if (before.content, before.picked, &before.faults) == (node.content, node.picked, &node.faults) {
                self.order.push(number);
                return;
            }
        } else if let Some(long_id) = long_id {
            self.long_ids.insert(node.id, long_id);
        }
        self.order.push(self.nodes.len() as u32);
        self.nodes.push(node);
    }

    /// The place of the first record of a stage that has this id as its own; a blank one names none.
    fn first_of(&self, stage: u8, id: Symbol) -> Option<u32> {
        let first = self.first.get(id.place())?.checked_sub(1)?;
        if self.at(first).stage == stage { Some(first) } else { self.first_of_type.get(&of_stage(stage, id)).copied() }
    }

    /// Takes note that this record, which comes at this place, is the first of its type and id.
    fn note_first(&mut self, node: &Node, place: u32) {
        if self.first.len() <= node.id.place() {
            self.first.resize(self.texts.len(), 0);
        }
        match &mut self.first[node.id.place()] {
            first @ 0 => *first = place + 1,
            _ => {
                self.first_of_type.insert(of_stage(node.stage, node.id), place);
            }
        }
    }

    /// Whether a record of any type has this id as its own.
    fn is_own_id(&self, id: Symbol) -> bool {
        self.first.get(id.place()).is_some_and(|first| *first > 0)
    }

    /// Takes note of entries that could not be read.
    pub fn unreadable(&mut self, entries: u64) {
        self.unreadable += entries;
    }

    /// The own ids of the records picked, by stage.
    pub(super) fn ids(&self) -> [BTreeSet<String>; CHAIN.len()] {
        let of_stage = |stage: usize| {
            let nodes = self.nodes.iter().filter(|node| usize::from(node.stage) == stage && node.picked && !node.id.is_blank());
            nodes.map(|node| self.id(node).to_owned()).collect()
        };
        std::array::from_fn(of_stage)
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
        let decisions = self.decisions(&chain);
        let answered = self.answered(&chain);
        let any_rendered = self.nodes.iter().any(|node| CHAIN[usize::from(node.stage)] == RENDERED);
        let mut of_parent: ByStage<Symbol> = ByStage::default();
        for &place in &chain {
            let node = self.at(place);
            let record_type = node.contract.record_type.as_str();
            let own = node.contract.id.as_deref();
            let mut say = |reason: Fault, about: Vec<String>| found.say(reason, record_type, self.id(node), about);
            if let Some(faults) = &node.faults {
                say(Fault::RecordInvalid, faults.iter().map(|reason| self.texts.text(*reason).to_owned()).collect());
            }
            for (reason, about) in [(Fault::IdUnreadable, node.terms.compounds(own)), (Fault::CopyDiffers, node.terms.copies(own))] {
                if !about.is_empty() {
                    say(reason, about);
                }
            }
            if let Some(earlier) = self.first_of(node.stage, node.id).filter(|earlier| *earlier < place) {
                let same = self.at(earlier).content == node.content;
                say(if same { Fault::RecordRepeated } else { Fault::IdReused }, Vec::new());
            }
            for parent in &node.contract.parents {
                let said = node.terms.link(&parent.field);
                if said.is_blank() {
                    continue;
                }
                let about = || vec![parent.field.clone()];
                let of_type = CHAIN.iter().position(|other| *other == parent.record_type);
                match of_type.and_then(|stage| self.first_of(stage as u8, said)) {
                    Some(at) if at > place => say(Fault::ChildBeforeParent, about()),
                    Some(at) if !node.agrees_with(self.at(at)) => say(Fault::ParentOfOtherChain, about()),
                    Some(at) => {
                        let its = &self.at(at).terms;
                        for (reason, about) in [
                            (Fault::TermsDiffer, node.terms.differing(record_type, its, &parent.record_type, &self.texts)),
                            (Fault::CopyDiffers, node.terms.foreign_links(its)),
                        ] {
                            if !about.is_empty() {
                                say(reason, about);
                            }
                        }
                    }
                    None if self.is_own_id(said) => say(Fault::ParentOfOtherType, about()),
                    None => say(Fault::ParentMissing, about()),
                }
            }
            // The first parent of a contract is the one that a stage follows.
            if let Some(followed) = node.contract.parents.first()
                && let parent = node.terms.link(&followed.field)
                && !parent.is_blank()
            {
                let holder = *of_parent.entry(of_stage(node.stage, parent)).or_insert(node.id);
                if holder != node.id {
                    say(Fault::StageDuplicated, vec![followed.field.clone()]);
                }
            }
            if record_type == ELIGIBILITY {
                let mut links = node.terms.found_by().peekable();
                let before = |missed: &'static str, (field, said): (u8, Symbol)| {
                    answered.get(&(missed, field, said)).is_some_and(|first| *first < place)
                };
                if links.peek().is_none() && any_rendered {
                    say(Fault::EligibilityOrphaned, Vec::new());
                } else if let Some(missed) = node.terms.missed(&self.texts)
                    && links.next().is_some_and(|link| before(missed, link))
                {
                    say(Fault::NotMissing, vec![missed.to_owned()]);
                }
            }
            if record_type == APPROVAL {
                let (approved, refused) = decisions.get(&node.terms.proposal()).copied().unwrap_or_default();
                match (node.approved, approved && refused) {
                    (_, true) => say(Fault::ApprovedAndRejected, Vec::new()),
                    (false, false) => say(Fault::ApprovalNotApproved, Vec::new()),
                    (true, false) => {}
                }
            }
        }
        found
    }

    /// The node of the record at a place in the order.
    fn at(&self, place: u32) -> &Node {
        &self.nodes[self.order[place as usize] as usize]
    }

    /// A record's own id, as it says it.
    fn id(&self, node: &Node) -> &str {
        self.long_ids.get(&node.id).map_or_else(|| self.texts.text(node.id), String::as_str)
    }

    /// The places of the chain's records: those picked, and what else belongs to their proposals. A
    /// filter by plan must not hide that the plan's approval was rejected.
    fn selected(&self) -> Vec<u32> {
        let said = |belongs: &dyn Fn(&Node) -> bool, link: fn(&Terms) -> Symbol| {
            let mut said = vec![false; self.texts.len()];
            self.nodes.iter().filter(|node| belongs(node)).for_each(|node| said[link(&node.terms).place()] = true);
            // Who names none belongs to nobody.
            said[Symbol::BLANK.place()] = false;
            said
        };
        let proposals = said(&|node| node.picked, Terms::proposal);
        let picked = |node: &Node| node.picked || proposals[node.terms.proposal().place()];
        let plans = said(&picked, Terms::plan);
        let belongs = |node: &Node| picked(node) || (node.terms.proposal().is_blank() && plans[node.terms.plan().place()]);
        (0..self.order.len() as u32).filter(|place| belongs(self.at(*place))).collect()
    }

    /// For each link that a rendered command or its result has, the first one that has it; nothing where no
    /// record of the chain says that one is missing.
    fn answered(&self, chain: &[u32]) -> HashMap<(&'static str, u8, Symbol), u32> {
        let mut answered = HashMap::new();
        if !chain.iter().any(|place| self.at(*place).terms.missed(&self.texts).is_some()) {
            return answered;
        }
        for place in 0..self.order.len() as u32 {
            let node = self.at(place);
            let record_type = CHAIN[usize::from(node.stage)];
            if matches!(record_type, RENDERED | RENDERED_RESULT) {
                for (field, said) in node.terms.found_by() {
                    answered.entry((record_type, field, said)).or_insert(place);
                }
            }
        }
        answered
    }

    /// For each proposal, whether it is approved and whether it is refused.
    fn decisions(&self, chain: &[u32]) -> HashMap<Symbol, (bool, bool)> {
        let mut decisions: HashMap<Symbol, (bool, bool)> = HashMap::new();
        for node in chain.iter().map(|place| self.at(*place)).filter(|node| CHAIN[usize::from(node.stage)] == APPROVAL) {
            let (approved, refused) = decisions.entry(node.terms.proposal()).or_default();
            *approved |= node.approved;
            *refused |= !node.approved;
        }
        decisions
    }
}

#[cfg(test)]
#[path = "soundness_tests.rs"]
mod tests;
