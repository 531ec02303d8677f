//! What a record of a chain promises, and whether it is what its parent promised: template, profile,
//! mode and command. What was approved must be what was planned, rendered and answered.

use super::terms::{APPROVAL, ELIGIBILITY, NO_COMMAND, NO_COMMAND_RESULT, PLAN, PROPOSAL, RENDERED, RENDERED_RESULT, RESULT};
use crate::contract::trail::linked;
use crate::contract::value::{at, is_compound, is_set, text};
use crate::json::Value;
use sha2::{Digest, Sha256};

/// The ids that link the records of a chain.
pub(super) const LINKS: [&str; 4] = ["proposal_id", "approval_id", "plan_id", "rendered_command_id"];

/// The longest text that is kept as it is, in bytes; of a longer one its digest is.
const KEPT: usize = 4096;

/// What a record promises.
#[derive(Debug, Default)]
pub(super) struct Terms {
    template: String,
    profile: String,
    mode: String,
    command: String,
    scenario: String,
    directive: String,
    /// Whether the record says that what it is about was to run.
    enabled: bool,
    /// What the record says of the links, and what its payload does.
    links: [(String, String); 4],
    /// Why nothing is said to be ready.
    pub(super) reason: String,
    /// Fields that the payload repeats as something else.
    pub(super) copies: Vec<&'static str>,
    /// Ids that are lists or objects.
    pub(super) compounds: Vec<&'static str>,
}

impl Terms {
    /// The terms of a record of this type, whose own id is in the field `own`.
    pub(super) fn of(record: &Value<'_>, record_type: &str, own: Option<&'static str>) -> Self {
        let top = |field: &str| kept(&text(record.get(field)));
        let copy = |field: &str| kept(&text(at(record, &format!("payload.{field}"))));
        // An approval's payload has what was approved.
        let said = |field: &str| if record_type == APPROVAL { copy(field) } else { kept(&linked(record, field)) };
        let mut repeated = vec!["command_template", "timeout_profile", "command", "scenario_id", "new_directive_id"];
        repeated.extend(LINKS);
        repeated.extend(own.filter(|own| !LINKS.contains(own)));
        let mut copies: Vec<_> = repeated.into_iter().filter(|field| differ(&top(field), &copy(field))).collect();
        if differ(&top("decision_mode").to_lowercase(), &copy("decision_mode").to_lowercase()) {
            copies.push("decision_mode");
        }
        if record_type == APPROVAL && differ(&top("status").to_lowercase(), &copy("approval_status").to_lowercase()) {
            copies.push("approval_status");
        }
        let compound = |field: &&str| is_compound(record.get(field)) || is_compound(at(record, &format!("payload.{field}")));
        Self {
            template: said("command_template"),
            profile: said("timeout_profile"),
            mode: if record_type == APPROVAL { top("decision_mode") } else { said("decision_mode") }.to_lowercase(),
            command: said("command"),
            scenario: said("scenario_id"),
            directive: said("new_directive_id"),
            enabled: is_set(record.get("execution_enabled")),
            links: LINKS.map(|field| (top(field), copy(field))),
            reason: top("reason"),
            copies,
            compounds: LINKS.into_iter().chain(own.filter(|own| !LINKS.contains(own))).filter(compound).collect(),
        }
    }

    /// The fields in which a record of `record_type` differs from its parent of `parent_type`.
    pub(super) fn differing(&self, record_type: &str, parent: &Self, parent_type: &str) -> Vec<String> {
        let template = ("command_template", &self.template, &parent.template);
        let profile = ("timeout_profile", &self.profile, &parent.profile);
        let mode = ("decision_mode", &self.mode, &parent.mode);
        let command = ("command", &self.command, &parent.command);
        let compared = match (record_type, parent_type) {
            (APPROVAL | PLAN, PROPOSAL) => vec![template, profile],
            (PLAN, APPROVAL) | (RENDERED | RESULT, PLAN) => vec![template, profile, mode],
            (RENDERED_RESULT | ELIGIBILITY | RESULT, RENDERED) => vec![profile, mode, command],
            _ => Vec::new(),
        };
        let differing = compared.into_iter().filter(|(_, said, its)| differ_from(said, its)).map(|(field, ..)| field);
        let mut differing: Vec<_> = differing.map(str::to_owned).collect();
        // A result says it of what it answers, so it may not say more than that does.
        if matches!((record_type, parent_type), (RENDERED_RESULT, RENDERED) | (RESULT, PLAN)) && self.enabled != parent.enabled {
            differing.push("execution_enabled".to_owned());
        }
        if (record_type, parent_type) == (RENDERED, PLAN) && self.command != self.rendered_from(&parent.template) {
            differing.push("command".to_owned());
        }
        differing
    }

    /// The links that only the payload names, as another than the parent does.
    pub(super) fn foreign_links(&self, parent: &Self) -> Vec<String> {
        let said = LINKS.iter().zip(self.links.iter().zip(&parent.links));
        let foreign = said.filter(|(_, ((top, copy), (its, its_copy)))| {
            let its = if its.is_empty() { its_copy } else { its };
            top.is_empty() && differ(copy, its)
        });
        foreign.map(|(field, _)| (*field).to_owned()).collect()
    }

    /// The command that this record's tokens make of a template.
    fn rendered_from(&self, template: &str) -> String {
        // No fit token holds a `<`, so none brings a placeholder of its own.
        kept(&template.replace("<scenario_id>", &self.scenario).replace("<new_directive_id>", &self.directive))
    }

    /// The ids by which what an eligibility misses would be found.
    pub(super) fn found_by(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let said = self.links.iter().map(|(top, copy)| if top.is_empty() { copy } else { top });
        // The nearest parent first; an approval or a proposal may have others.
        LINKS.into_iter().zip(said).rev().map(|(field, said)| (field, said.as_str())).filter(|(_, said)| !said.is_empty())
    }

    /// The type that the record says is missing.
    pub(super) fn missed(&self) -> Option<&'static str> {
        [(NO_COMMAND, RENDERED), (NO_COMMAND_RESULT, RENDERED_RESULT)]
            .into_iter()
            .find(|(reason, _)| *reason == self.reason)
            .map(|(_, record_type)| record_type)
    }
}

/// Whether two texts differ, where both say something.
fn differ(one: &str, other: &str) -> bool {
    !one.is_empty() && !other.is_empty() && one != other
}

/// Whether a child says something else than its parent, or what its parent does not say.
fn differ_from(said: &str, its: &str) -> bool {
    !said.is_empty() && said != its
}

fn kept(text: &str) -> String {
    if text.len() <= KEPT {
        return text.to_owned();
    }
    // A text of its own is trimmed and never begins so.
    format!(" {}", crate::json::hex(&Sha256::digest(text)))
}
