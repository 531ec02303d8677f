//! What is kept of a record of a chain: no text of its own, but the numbers of what it says.
//!
//! A node is made wherever the record was read, with numbers of that place; [`Node::renumbered`] gives it those of
//! the chain that takes it in.

use super::interner::{Interner, Symbol};
use super::scan::Scanned;
use super::soundness_content::write_content;
use super::soundness_terms::{OWN_ID, Terms, kept};
use crate::contract::fields::Fields;
use crate::contract::table::Contract;
use crate::contract::value::lower;
use std::hash::{BuildHasher, RandomState};

/// What is kept of a record.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) contract: &'static Contract,
    /// The place of its type in the chain.
    pub(super) stage: u8,
    /// Whether the filters picked it.
    pub(super) picked: bool,
    /// Whether its status is that of an approval.
    pub(super) approved: bool,
    pub(super) id: Symbol,
    /// A digest of what it says, by a seed that nobody knows.
    pub(super) content: u64,
    /// The contract's reasons against it.
    pub(super) faults: Option<Box<[Symbol]>>,
    pub(super) terms: Terms,
}

/// A record as a chain takes it in.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) node: Node,
    /// Its own id, where that is too long to be kept as a text beside others.
    pub(super) long_id: Option<String>,
}

impl Seen {
    /// What is to be kept of a record, which was read from the text `plain` where that is [plain](write_content); nothing
    /// of a type that is no stage. `content` is room that is used again.
    pub(super) fn of(
        record: &Scanned<'_, '_>,
        plain: Option<&str>,
        picked: bool,
        seed: &RandomState,
        texts: &mut Interner,
        content: &mut Vec<u8>,
    ) -> Option<Self> {
        let (fields, contract) = (&record.fields, record.contract);
        let stage = stage_of(contract)?;
        let own = contract.id.as_deref();
        let said = own.map(|own| fields.text_at(own)).unwrap_or_default();
        let id = texts.symbol_again(OWN_ID, &kept(said.clone()));
        write_content(fields.value(), plain, content);
        let node = Node {
            contract,
            stage,
            picked,
            approved: lower(&fields.text_at("status")) == "approved",
            id,
            content: seed.hash_one(content),
            faults: (!record.verdict.valid).then(|| record.verdict.reasons.iter().map(|reason| texts.symbol(reason)).collect()),
            terms: Terms::of(fields, &contract.record_type, own, texts),
        };
        let long_id = (said.len() > texts.text(id).len()).then(|| said.into_owned());
        Some(Self { node, long_id })
    }
}

impl Node {
    /// The node by other numbers.
    pub(super) fn renumbered(mut self, number: impl Fn(Symbol) -> Symbol) -> Self {
        self.id = number(self.id);
        self.faults.iter_mut().flatten().for_each(|reason| *reason = number(*reason));
        self.terms.renumber(number);
        self
    }

    /// Whether two records name the same parent wherever both name one of a type.
    pub(super) fn agrees_with(&self, parent: &Self) -> bool {
        let said = self.contract.parents.iter().map(|link| (link, self.terms.link(&link.field)));
        said.filter(|(_, said)| !said.is_blank()).all(|(link, said)| {
            let its = parent.contract.parents.iter().find(|other| other.record_type == link.record_type);
            its.map(|its| parent.terms.link(&its.field)).is_none_or(|its| its.is_blank() || its == said)
        })
    }
}

/// The place of a contract's type in the chain.
fn stage_of(contract: &Contract) -> Option<u8> {
    contract.stage.as_ref().map(|stage| stage.order as u8 - 1)
}
