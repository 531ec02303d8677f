//! What the clauses of a contract know of a record's fields: the texts they name, and which fields stand
//! for each other.

use super::plans::UNHEARD_OF;
use crate::contract::condition::{Condition, Copy, Paired, Part, Texts, TwoTexts, Within};
use crate::contract::items::{FirstBadItem, ItemFault, Items};
use crate::contract::predicate::{Predicate, TARGETS};
use crate::contract::table::Contract;
use std::collections::BTreeMap;

/// See the module.
pub(super) struct Known<'c> {
    /// By the last name of a field, so that what a record knows of a field its items know too.
    texts: BTreeMap<&'c str, Vec<&'c str>>,
    /// Fields of which an edit of the one may have to be made on the other too.
    pub(super) twins: Vec<(&'c str, &'c str)>,
}

impl<'c> Known<'c> {
    pub(super) fn of(contract: &'c Contract) -> Self {
        let mut known = Self { texts: BTreeMap::new(), twins: Vec::new() };
        contract.clauses.iter().for_each(|clause| known.learn(&clause.when));
        for texts in known.texts.values_mut() {
            let mut seen = std::collections::BTreeSet::new();
            texts.retain(|text| !text.is_empty() && seen.insert(*text));
        }
        known
    }

    /// The texts known of a field, after one that nobody knows.
    pub(super) fn texts_for(&self, field: &str) -> impl Iterator<Item = &'c str> + use<'c> {
        let known = self.texts.get(last(field)).cloned().unwrap_or_default();
        std::iter::once(UNHEARD_OF).chain(known)
    }

    fn learn(&mut self, condition: &'c Condition) {
        let mut add = |field: &'c str, texts: &mut dyn Iterator<Item = &'c String>| {
            self.texts.entry(last(field)).or_default().extend(texts.map(String::as_str));
        };
        match condition {
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| self.learn(part)),
            Condition::Not(part) => self.learn(part),
            Condition::Within(Within { meets, .. }) => self.learn(meets),
            Condition::OneOf(Texts { field, values, .. }) | Condition::NotOneOf(Texts { field, values, .. }) => {
                add(field, &mut values.iter());
            }
            Condition::IsExactly(Part { field, text }) | Condition::ListHas(Part { field, text }) => add(field, &mut [text].into_iter()),
            Condition::Paired(Paired { field, by, pairs }) => {
                add(field, &mut pairs.values());
                add(by, &mut pairs.keys());
            }
            Condition::AnyItem(Items { fault, .. }) | Condition::EachItem(Items { fault, .. }) => match fault {
                ItemFault::NotOneOf(Texts { field, values, .. }) => add(field, &mut values.iter()),
                ItemFault::Meets(condition) => self.learn(condition),
                ItemFault::NotObject | ItemFault::Blank(_) | ItemFault::Outside(_) | ItemFault::NamesSecret => {}
            },
            Condition::FirstBadItem(FirstBadItem { statuses, .. }) => add("status", &mut statuses.iter()),
            Condition::CopyDiffers(Copy { copy, of, .. }) => self.twins.push((copy, of)),
            Condition::FlagsDiffer([one, other]) | Condition::Same([one, other]) => self.twins.push((one, other)),
            Condition::SameText(TwoTexts { fields: [one, other], .. }) => self.twins.push((one, other)),
            Condition::Predicate(Predicate::DirectiveTargetUnsupported) => self.texts.entry("target").or_default().extend(TARGETS),
            // They name no text.
            Condition::Blank(_)
            | Condition::Flag(_)
            | Condition::IsTrue(_)
            | Condition::IsFalse(_)
            | Condition::Present(_)
            | Condition::SaysSomething(_)
            | Condition::IsText(_)
            | Condition::IsInteger(_)
            | Condition::IsNumber(_)
            | Condition::AtLeast(_)
            | Condition::LongerThan(_)
            | Condition::IsObject(_)
            | Condition::IsList(_)
            | Condition::IsNonemptyList(_)
            | Condition::Lacks(_)
            | Condition::HasPart(_)
            | Condition::Repeats(_)
            | Condition::Counts(_)
            | Condition::ItemsAgree(_)
            | Condition::ItemsCover(_)
            | Condition::Found(_)
            | Condition::CommandText(_)
            | Condition::ArgvAllowlisted(_)
            | Condition::ArgvSplits(_)
            | Condition::Climbs(_)
            | Condition::Predicate(Predicate::NoopArgvNotFixed | Predicate::ArgvDigestUnreadable) => {}
        }
    }
}

/// The last name of a path.
fn last(field: &str) -> &str {
    field.rsplit('.').next().unwrap_or(field)
}
