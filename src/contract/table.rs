//! The contracts, one file each under `contracts/`, read and checked once.

use super::condition::Condition;
use super::execution_readiness_stage::{ExecutionStage, WrittenStage};
use super::form::{Scope, Shorthand, Written};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

/// A record type's contract.
#[derive(Debug, Clone)]
pub struct Contract {
    /// The family, which is the folder of its file.
    pub family: Family,
    /// The record's `type`.
    pub record_type: String,
    /// What the record is for, in a sentence.
    pub purpose: String,
    /// A field whose value tells this contract from others of the same type.
    pub discriminator: Option<Discriminator>,
    /// The field of the record's own id; none where it is found by its parents.
    pub id: Option<String>,
    /// Whether the Security scan of a ledger looks at it.
    pub scanned: bool,
    /// The severity of an invalid record.
    pub severity: Severity,
    /// The stage of the governance chain that it stands for.
    pub stage: Option<Stage>,
    /// The records it comes from; the first is the one that linkage follows.
    pub parents: Vec<Parent>,
    /// Fields of which any equal value makes a second record a repeat.
    pub idempotent_by: Vec<String>,
    /// How a builder makes the record's own id.
    pub id_recipe: Option<IdRecipe>,
    /// The stage that it stands for in the readiness of a controlled execution.
    pub readiness: Option<ExecutionStage>,
    /// The clauses, in the order of their reasons.
    pub clauses: Vec<Clause>,
}

/// A family of contracts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// The experience loop and the retry governance: reasons in table order, repeats kept.
    Governance,
    /// Controlled and guarded execution: reasons sorted, each once.
    Execution,
}

impl Family {
    fn named(name: &str) -> Option<Self> {
        match name {
            "governance" => Some(Self::Governance),
            "execution" => Some(Self::Execution),
            _ => None,
        }
    }
}

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

/// How a builder makes an id: the prefix, `-`, and sixteen hexadecimal digits of the SHA-256 of the parts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdRecipe {
    /// What it begins with.
    pub prefix: String,
    /// The fields whose texts are joined by `|`.
    pub parts: Vec<String>,
}

/// See [`Contract::discriminator`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discriminator {
    /// The field.
    pub field: String,
    /// Its value.
    pub value: String,
}

/// How bad an invalid record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nothing is wrong.
    Info,
    /// To be looked at.
    Warning,
    /// To be stopped for.
    Critical,
}

impl Severity {
    /// The word used in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

/// A stage of the governance chain.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Its place, from 1.
    pub order: u32,
    /// Its key among the counts.
    pub count: String,
    /// Its name among the missing stages.
    pub missing: String,
}

/// A record that another comes from.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parent {
    /// The field that names it.
    pub field: String,
    /// Its type.
    #[serde(rename = "type")]
    pub record_type: String,
    /// Whether there must be one.
    pub required: bool,
    /// What holds of it when it may have children.
    #[serde(default)]
    pub in_status: Option<Condition>,
}

/// A condition that no valid record meets, and its reason.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The reason, unless the record itself names it.
    pub reason: Option<String>,
    /// The field whose text is the reason.
    pub reason_from: Option<String>,
    /// The field of a faulty item that is told behind the reason and a colon.
    pub reason_item: Option<String>,
    /// Reasons that come along with this one by construction, whatever the record.
    pub also: Vec<String>,
    /// Whether it is a structured failure: listed, but no fault of the record.
    pub structured: bool,
    /// When it applies.
    pub when: Condition,
}

macro_rules! contracts {
    ($($family:literal: $($name:literal),*;)*) => {
        /// File name and text of every contract.
        const FILES: &[(&str, &str)] = &[$($((
            concat!($family, "/", $name),
            include_str!(concat!("../../contracts/", $family, "/", $name, ".json")),
        )),*),*];
    };
}

contracts! {
    "execution":
        "execution_attempt",
        "replay_lifecycle_retry_controlled_execution_result",
        "replay_lifecycle_retry_guarded_repair_execution_result",
        "replay_lifecycle_retry_mock_execution_summary",
        "replay_lifecycle_retry_post_repair_evidence_check",
        "replay_lifecycle_retry_real_execution_adapter_contract",
        "replay_lifecycle_retry_real_execution_adapter_request_schema",
        "replay_lifecycle_retry_real_execution_approval",
        "replay_lifecycle_retry_real_execution_approval_transition",
        "replay_lifecycle_retry_real_execution_capability_policy_matrix",
        "replay_lifecycle_retry_real_execution_dry_run_envelope",
        "replay_lifecycle_retry_real_execution_final_gate",
        "replay_lifecycle_retry_real_execution_noop_result",
        "replay_lifecycle_retry_real_execution_preflight",
        "replay_lifecycle_retry_real_execution_read_only_approval",
        "replay_lifecycle_retry_real_execution_read_only_approval_transition",
        "replay_lifecycle_retry_real_execution_read_only_execution_result",
        "replay_lifecycle_retry_real_execution_read_only_feedback",
        "replay_lifecycle_retry_real_execution_read_only_final_gate",
        "replay_lifecycle_retry_real_execution_read_only_promotion",
        "replay_lifecycle_retry_real_execution_read_only_readiness_gate",
        "replay_lifecycle_retry_real_execution_read_only_repair_action_bundle",
        "replay_lifecycle_retry_real_execution_read_only_repair_action_bundle_review",
        "replay_lifecycle_retry_real_execution_read_only_repair_plan",
        "replay_lifecycle_retry_real_execution_repair_approval",
        "replay_lifecycle_retry_real_execution_repair_approval_transition",
        "replay_lifecycle_retry_real_execution_repair_dry_run_envelope",
        "replay_lifecycle_retry_real_execution_repair_final_gate",
        "replay_lifecycle_retry_real_execution_repair_noop_feedback",
        "replay_lifecycle_retry_real_execution_repair_noop_result",
        "replay_lifecycle_retry_real_execution_repair_readiness_gate",
        "replay_lifecycle_retry_real_execution_sandbox_adapter_request_preflight",
        "replay_lifecycle_retry_real_execution_sandbox_adapter_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_command_render_plan_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_input_materialization_plan_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_materialization_preflight_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_rendered_command_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_rendered_command_validation_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_request_envelope_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_workspace_plan_scaffold",
        "replay_lifecycle_retry_real_execution_sandbox_workspace_preparation_preflight_scaffold";
    "governance":
        "evidence_record",
        "memory_record",
        "replay_evidence_lifecycle_result",
        "replay_lifecycle_retry_approval",
        "replay_lifecycle_retry_execution_eligibility",
        "replay_lifecycle_retry_execution_plan",
        "replay_lifecycle_retry_execution_result",
        "replay_lifecycle_retry_proposal",
        "replay_lifecycle_retry_rendered_command",
        "replay_lifecycle_retry_rendered_command_result",
        "simulation_replay_execution",
        "simulation_replay_scenario",
        "swarm_directive",
        "swarm_directive_result";
}

/// Every contract, by record type.
#[derive(Debug)]
pub struct Contracts {
    by_type: HashMap<String, Vec<Contract>>,
}

/// The contracts landfall has.
///
/// # Panics
/// When a shipped contract is inconsistent, which a test rules out.
pub fn contracts() -> &'static Contracts {
    static CONTRACTS: LazyLock<Contracts> = LazyLock::new(|| match Contracts::read(FILES) {
        Ok(contracts) => contracts,
        Err(why) => panic!("the shipped contracts are consistent: {why}"),
    });
    &CONTRACTS
}

impl Contracts {
    /// Reads contracts and checks them against each other.
    ///
    /// # Errors
    /// What is inconsistent, and in which file.
    pub fn read(files: &[(&str, &str)]) -> Result<Self, String> {
        let shorthand = Shorthand::shipped()?;
        let mut by_type: HashMap<String, Vec<Contract>> = HashMap::new();
        for (file, text) in files {
            let contract = Contract::read(file, text, &shorthand).map_err(|why| format!("{file}: {why}"))?;
            by_type.entry(contract.record_type.clone()).or_default().push(contract);
        }
        let contracts = Self { by_type };
        let unknown = contracts.all().find_map(|contract| {
            let parent = contract.parents.iter().find(|parent| !contracts.by_type.contains_key(&parent.record_type))?;
            Some(format!("{}: no contract for its parent {}", contract.record_type, parent.record_type))
        });
        if let Some(unknown) = unknown {
            return Err(unknown);
        }
        let generations: BTreeSet<_> = contracts.execution_stages().iter().map(|(contract, _)| contracts.generation(contract)).collect();
        if generations.len() != contracts.execution_stages().len() || generations.contains(&(contracts.by_type.len() + 1)) {
            return Err("the stages of execution readiness are not one line of descent".to_owned());
        }
        Ok(contracts)
    }

    /// Every contract.
    pub fn all(&self) -> impl Iterator<Item = &Contract> {
        self.by_type.values().flatten()
    }

    /// The contracts of a type.
    pub fn of_type(&self, record_type: &str) -> &[Contract] {
        self.by_type.get(record_type).map_or(&[], Vec::as_slice)
    }

    /// Every reason, sorted, each once.
    pub fn reasons(&self) -> BTreeSet<&str> {
        self.all().flat_map(|contract| &contract.clauses).filter_map(|clause| clause.reason.as_deref()).collect()
    }

    /// The stages of the governance chain, in order.
    pub fn stages(&self) -> Vec<(&Contract, &Stage)> {
        let mut stages: Vec<_> = self.all().filter_map(|contract| Some((contract, contract.stage.as_ref()?))).collect();
        stages.sort_by_key(|(_, stage)| stage.order);
        stages
    }

    /// The stages of execution readiness, each behind the one that its records come from.
    pub fn execution_stages(&self) -> Vec<(&Contract, &ExecutionStage)> {
        let mut stages: Vec<_> = self.all().filter_map(|contract| Some((contract, contract.readiness.as_ref()?))).collect();
        stages.sort_by_key(|(contract, _)| self.generation(contract));
        stages
    }

    /// How many immediate parents lie before a contract; a circle ends when it is as long as the table.
    fn generation(&self, contract: &Contract) -> usize {
        let parent = |contract: &&Contract| self.of_type(&contract.parents.first()?.record_type).first();
        std::iter::successors(Some(contract), parent).take(self.by_type.len() + 1).count()
    }
}

impl Contract {
    /// Reads a contract, written out.
    fn read(file: &str, text: &str, shorthand: &Shorthand) -> Result<Self, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_in_the_table_and_consistent() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("contracts");
        let mut found = BTreeSet::new();
        #[expect(clippy::disallowed_methods, reason = "the test holds the table to the folder")]
        for family in std::fs::read_dir(folder).expect("the folder lists") {
            let family = family.expect("an entry");
            if !family.path().is_dir() {
                continue;
            }
            for file in std::fs::read_dir(family.path()).expect("the folder lists") {
                let name = file.expect("an entry").file_name().into_string().expect("a plain name");
                found.insert(format!("{}/{}", family.file_name().display(), name.trim_end_matches(".json")));
            }
        }
        assert_eq!(found, FILES.iter().map(|(name, _)| (*name).to_owned()).collect());
        let orders: Vec<_> = contracts().stages().iter().map(|(_, stage)| stage.order).collect();
        assert_eq!(orders, [1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn an_inconsistent_contract_is_refused() {
        let text = FILES.iter().find(|(name, _)| *name == "governance/evidence_record").expect("it is there").1;
        let refused = |file: &str, text: &str| Contracts::read(&[(file, text)]).is_err();
        assert!(refused("governance/evidence_record", text), "its parents have no contract here");
        assert!(refused("governance/other", text));
        assert!(refused("governance/evidence_record", &text.replace("missing_subject", "missing_evidence_id")));
        assert!(refused("governance/evidence_record", &text.replace("\"blank\"", "\"blanc\"")));
        assert!(refused("governance/evidence_record", "{}"));
    }
}
