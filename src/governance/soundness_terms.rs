//! What a record of a chain promises, and whether it is what its parent promised: template, profile,
//! mode and command. What was approved must be what was planned, rendered and answered.

use super::interner::{Interner, Symbol};
use super::terms::{APPROVAL, ELIGIBILITY, NO_COMMAND, NO_COMMAND_RESULT, PLAN, PROPOSAL, RENDERED, RENDERED_RESULT, RESULT};
use crate::contract::fields::{Fields, Indexed};
use crate::contract::value::{is_compound, is_set, lower, text, trimmed};
use crate::json::Value;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// The ids that link the records of a chain.
pub(super) const LINKS: [&str; 4] = ["proposal_id", "approval_id", "plan_id", "rendered_command_id"];

/// The fields that a payload may repeat, before the record's own id, its mode and its status.
const REPEATED: [&str; 9] =
    ["command_template", "timeout_profile", "command", "scenario_id", "new_directive_id", LINKS[0], LINKS[1], LINKS[2], LINKS[3]];

/// The [things](super::interner::THINGS) that a record says: the fields above by their places, then these.
pub(super) const OWN_ID: usize = REPEATED.len();
const MODE: usize = OWN_ID + 1;
const STATUS: usize = OWN_ID + 2;
const REASON: usize = OWN_ID + 3;

/// The longest text that is kept as it is, in bytes; of a longer one its digest is.
const KEPT: usize = 4096;

/// What the record says of a field, and what its payload does.
type Pair = (Symbol, Symbol);

/// What a record promises. Every text is a symbol: a million of these are kept.
#[derive(Debug, Default)]
pub(super) struct Terms {
    template: Symbol,
    profile: Symbol,
    mode: Symbol,
    command: Symbol,
    scenario: Symbol,
    directive: Symbol,
    links: [Pair; 4],
    /// Why nothing is said to be ready.
    reason: Symbol,
    /// Whether the record says that what it is about was to run.
    enabled: bool,
    /// Fields that the payload repeats as something else: the bits of their places in [`copied`].
    copies: u16,
    /// Ids that are lists or objects: the bits of the links, then of the own id.
    compounds: u8,
}

/// The names of a type's fields that a payload may repeat, in the order in which they are told.
fn copied(own: Option<&'static str>) -> impl Iterator<Item = &'static str> {
    REPEATED.into_iter().chain([own.unwrap_or_default(), "decision_mode", "approval_status"])
}

impl Terms {
    /// The terms of a record of this type, whose own id is in the field `own`.
    pub(super) fn of(record: &Indexed<'_, '_>, record_type: &str, own: Option<&'static str>, texts: &mut Interner) -> Self {
        let own = own.filter(|own| !LINKS.contains(own));
        let values = |field: &str| (record.get(field), record.in_payload(field));
        let top = |field: &str| said(record.get(field));
        let copy = |field: &str| said(record.in_payload(field));
        let mut pair = |thing: usize, top: Cow<'_, str>, copy: Cow<'_, str>| {
            let symbol = texts.symbol_again(thing, &top);
            (symbol, if top == copy { symbol } else { texts.symbol_again(thing, &copy) })
        };
        let found = REPEATED.map(values);
        let own = own.map(values).unwrap_or_default();
        let mut pair_of = |thing: usize, (top, copy): (Option<&_>, Option<&_>)| pair(thing, said(top), said(copy));
        let repeated: [Pair; REPEATED.len()] = std::array::from_fn(|place| pair_of(place, found[place]));
        let ids = pair_of(OWN_ID, own);
        let modes = pair(MODE, folded(top("decision_mode")), folded(copy("decision_mode")));
        let is_approval = record_type == APPROVAL;
        let statuses = if is_approval { pair(STATUS, folded(top("status")), folded(copy("approval_status"))) } else { Default::default() };
        let pairs = repeated.into_iter().chain([ids, modes, statuses]).enumerate();
        let compound = |(top, copy): (Option<&_>, Option<&_>)| is_compound(top) || is_compound(copy);
        let compounds = found[REPEATED.len() - LINKS.len()..].iter().copied().chain([own]).enumerate();
        // An approval's payload has what was approved; of its mode the record itself tells.
        let term = |(top, copy): Pair| if is_approval { copy } else { either((top, copy)) };
        let [template, profile, command, scenario, directive, links @ ..] = repeated;
        Self {
            template: term(template),
            profile: term(profile),
            mode: if is_approval { modes.0 } else { either(modes) },
            command: term(command),
            scenario: term(scenario),
            directive: term(directive),
            links,
            reason: texts.symbol_again(REASON, &top("reason")),
            enabled: is_set(record.get("execution_enabled")),
            copies: pairs.fold(0, |bits, (place, pair)| bits | u16::from(differ(pair)) << place),
            compounds: compounds.fold(0, |bits, (place, values)| bits | u8::from(compound(values)) << place),
        }
    }

    /// Gives every text another number.
    pub(super) fn renumber(&mut self, number: impl Fn(Symbol) -> Symbol) {
        let Self { template, profile, mode, command, scenario, directive, links, reason, enabled: _, copies: _, compounds: _ } = self;
        let linked = links.iter_mut().flat_map(|(top, copy)| [top, copy]);
        for symbol in [template, profile, mode, command, scenario, directive, reason].into_iter().chain(linked) {
            *symbol = number(*symbol);
        }
    }

    /// Fields that the payload repeats as something else; `own` is the field of the record's own id.
    pub(super) fn copies(&self, own: Option<&'static str>) -> Vec<String> {
        named(copied(own), self.copies)
    }

    /// Ids that are lists or objects.
    pub(super) fn compounds(&self, own: Option<&'static str>) -> Vec<String> {
        named(LINKS.into_iter().chain(own), self.compounds.into())
    }

    /// What the record itself says of a link.
    pub(super) fn link(&self, field: &str) -> Symbol {
        LINKS.iter().position(|link| *link == field).map(|place| self.links[place].0).unwrap_or_default()
    }

    /// The proposal that the record or, failing that, its payload names.
    pub(super) fn proposal(&self) -> Symbol {
        either(self.links[0])
    }

    /// The plan that the record or, failing that, its payload names.
    pub(super) fn plan(&self) -> Symbol {
        either(self.links[2])
    }

    /// The fields in which a record of `record_type` differs from its parent of `parent_type`.
    pub(super) fn differing(&self, record_type: &str, parent: &Self, parent_type: &str, texts: &Interner) -> Vec<String> {
        let template = ("command_template", self.template, parent.template);
        let profile = ("timeout_profile", self.profile, parent.profile);
        let mode = ("decision_mode", self.mode, parent.mode);
        let command = ("command", self.command, parent.command);
        let compared: &[_] = match (record_type, parent_type) {
            (APPROVAL | PLAN, PROPOSAL) => &[template, profile],
            (PLAN, APPROVAL) | (RENDERED | RESULT, PLAN) => &[template, profile, mode],
            (RENDERED_RESULT | ELIGIBILITY | RESULT, RENDERED) => &[profile, mode, command],
            _ => &[],
        };
        // Whether the child says something else than its parent, or what its parent does not say.
        let differing = compared.iter().filter(|(_, said, its)| !said.is_blank() && said != its).map(|(field, ..)| field);
        let mut differing: Vec<_> = differing.map(|field| (*field).to_owned()).collect();
        // A result says it of what it answers, so it may not say more than that does.
        if matches!((record_type, parent_type), (RENDERED_RESULT, RENDERED) | (RESULT, PLAN)) && self.enabled != parent.enabled {
            differing.push("execution_enabled".to_owned());
        }
        if (record_type, parent_type) == (RENDERED, PLAN) && *self.rendered_from(parent.template, texts) != *texts.text(self.command) {
            differing.push("command".to_owned());
        }
        differing
    }

    /// The links that only the payload names, as another than the parent does.
    pub(super) fn foreign_links(&self, parent: &Self) -> Vec<String> {
        let said = LINKS.iter().zip(self.links.iter().zip(&parent.links));
        let foreign = said.filter(|(_, ((top, copy), its))| top.is_blank() && differ((*copy, either(**its))));
        foreign.map(|(field, _)| (*field).to_owned()).collect()
    }

    /// The command that this record's tokens make of a template.
    fn rendered_from<'t>(&self, template: Symbol, texts: &'t Interner) -> Cow<'t, str> {
        let template = texts.text(template);
        if memchr::memchr(b'<', template.as_bytes()).is_none() {
            return Cow::Borrowed(template);
        }
        // No fit token holds a `<`, so none brings a placeholder of its own.
        let rendered =
            template.replace("<scenario_id>", texts.text(self.scenario)).replace("<new_directive_id>", texts.text(self.directive));
        kept(Cow::Owned(rendered))
    }

    /// The ids by which what an eligibility misses would be found, each with its place among the links.
    pub(super) fn found_by(&self) -> impl Iterator<Item = (u8, Symbol)> {
        // The nearest parent first; an approval or a proposal may have others.
        self.links.into_iter().enumerate().map(|(place, said)| (place as u8, either(said))).filter(|(_, said)| !said.is_blank()).rev()
    }

    /// The type that the record says is missing.
    pub(super) fn missed(&self, texts: &Interner) -> Option<&'static str> {
        match texts.text(self.reason) {
            NO_COMMAND => Some(RENDERED),
            NO_COMMAND_RESULT => Some(RENDERED_RESULT),
            _ => None,
        }
    }
}

/// The names whose bits are set.
fn named(names: impl Iterator<Item = &'static str>, bits: u16) -> Vec<String> {
    names.enumerate().filter(|(place, _)| bits >> place & 1 == 1).map(|(_, name)| name.to_owned()).collect()
}

/// What the record says or, failing that, its payload.
fn either((top, copy): Pair) -> Symbol {
    if top.is_blank() { copy } else { top }
}

/// Whether they differ, where both say something.
fn differ((top, copy): Pair) -> bool {
    !top.is_blank() && !copy.is_blank() && top != copy
}

fn folded(text: Cow<'_, str>) -> Cow<'_, str> {
    match lower(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(folded) => Cow::Owned(folded),
    }
}

/// The text that stands for what a value says.
#[inline]
fn said<'v>(value: Option<&'v Value<'v>>) -> Cow<'v, str> {
    match value {
        None => Cow::Borrowed(""),
        // Nearly every one that is there.
        Some(Value::String(text)) if text.len() <= KEPT => Cow::Borrowed(trimmed(text)),
        value => kept(text(value)),
    }
}

/// The text that stands for this one.
pub(super) fn kept(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.len() <= KEPT {
        return text;
    }
    // A text of its own is trimmed and never begins so.
    Cow::Owned(format!(" {}", crate::json::hex(&Sha256::digest(&*text))))
}
