//! A contract as its file writes it, read into the contract that records are checked against.

use super::condition::Condition;
use super::execution_readiness_stage::WrittenStage;
use super::form::{Scope, Shorthand, Written};
use super::table::{Contract, Discriminator, Family, IdRecipe, Parent, Severity, Stage};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A contract as its file writes it: see [`super::form`] for the clauses.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenContract {
    #[serde(rename = "type")]
    record_type: String,
    #[serde(default)]
    purpose: String,
    #[serde(default)]
    discriminator: Option<Discriminator>,
    id: Option<String>,
    scanned: bool,
    severity: Severity,
    #[serde(default)]
    stage: Option<Stage>,
    parents: Vec<Parent>,
    idempotent_by: Vec<String>,
    #[serde(default)]
    id_recipe: Option<IdRecipe>,
    #[serde(default)]
    readiness: Option<WrittenStage>,
    #[serde(default, rename = "let")]
    names: BTreeMap<String, String>,
    /// What comes along with a clause that a form writes, by its reason.
    #[serde(default)]
    also: BTreeMap<String, Vec<String>>,
    clauses: Vec<Written>,
}

impl Contract {
    /// Reads the contract in `file`, its clauses written out.
    ///
    /// # Errors
    /// What is inconsistent in it.
    pub(super) fn read(file: &str, text: &str, shorthand: &Shorthand) -> Result<Self, String> {
        crate::json::read(text.as_bytes(), &mut crate::json::Nothing).map_err(|fault| fault.describe())?;
        let written: WrittenContract = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let (folder, name) = file.split_once('/').unwrap_or_default();
        let family = Family::named(folder).ok_or("its folder is no family")?;
        if written.record_type != name {
            return Err(format!("it is named after another type, {}", written.record_type));
        }
        let ids = written.id.iter().chain(written.parents.iter().map(|parent| &parent.field)).cloned().collect();
        let scope = Scope { ids, names: written.names, given: Vec::new() };
        let mut clauses = Vec::new();
        for clause in &written.clauses {
            shorthand.clauses(clause, &scope, &mut clauses)?;
        }
        for (reason, also) in written.also {
            let clause = clauses.iter_mut().find(|clause| clause.reason.as_ref() == Some(&reason));
            clause.ok_or_else(|| format!("no clause gives {reason}, with which others come along"))?.also.extend(also);
        }
        let mut seen = BTreeSet::new();
        for clause in &clauses {
            let named = clause.reason.as_ref().or(clause.reason_from.as_ref());
            if clause.reason.is_some() == clause.reason_from.is_some() {
                return Err("a clause has one reason, said or named".to_owned());
            }
            if !seen.insert(named) {
                return Err(format!("the reason {named:?} stands twice"));
            }
            if clause.reason_item.is_some() && !matches!(clause.when, Condition::EachItem(_)) {
                return Err(format!("{named:?} tells of items and asks of none"));
            }
        }
        if clauses.is_empty() {
            return Err("it has no clause".to_owned());
        }
        Ok(Self {
            family,
            record_type: written.record_type,
            purpose: written.purpose,
            discriminator: written.discriminator,
            id: written.id,
            scanned: written.scanned,
            severity: written.severity,
            stage: written.stage,
            parents: written.parents,
            idempotent_by: written.idempotent_by,
            id_recipe: written.id_recipe,
            readiness: written.readiness.map(|stage| stage.stage(shorthand)).transpose()?,
            clauses,
        })
    }
}
