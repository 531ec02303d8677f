//! The contracts, one file each under `contracts/`, read and checked once.

use super::condition::Condition;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

/// A record type's contract.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// The record's `type`.
    #[serde(rename = "type")]
    pub record_type: String,
    /// What the record is for, in a sentence.
    #[serde(default)]
    pub purpose: String,
    /// A field whose value tells this contract from others of the same type.
    #[serde(default)]
    pub discriminator: Option<Discriminator>,
    /// The field of the record's own id; none where it is found by its parents.
    pub id: Option<String>,
    /// Whether the Security scan of a ledger looks at it.
    pub scanned: bool,
    /// The severity of an invalid record.
    pub severity: Severity,
    /// The stage of the governance chain that it stands for.
    #[serde(default)]
    pub stage: Option<Stage>,
    /// The records it comes from.
    pub parents: Vec<Parent>,
    /// Fields of which any equal value makes a second record a repeat.
    pub idempotent_by: Vec<String>,
    /// The clauses, in the order of their reasons.
    pub clauses: Vec<Clause>,
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
}

/// A condition that no valid record meets, and its reason.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// The reason, unless the record itself names it.
    #[serde(default)]
    pub reason: Option<String>,
    /// The field whose text is the reason.
    #[serde(default)]
    pub reason_from: Option<String>,
    /// Reasons that come along with this one by construction, whatever the record.
    #[serde(default)]
    pub also: Vec<String>,
    /// Whether it is a structured failure: listed, but no fault of the record.
    #[serde(default)]
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
        let mut by_type: HashMap<String, Vec<Contract>> = HashMap::new();
        for (file, text) in files {
            crate::json::read(text.as_bytes(), &mut crate::json::Nothing).map_err(|fault| format!("{file}: {}", fault.describe()))?;
            let contract: Contract = serde_json::from_str(text).map_err(|error| format!("{file}: {error}"))?;
            let name = file.rsplit('/').next().unwrap_or(file);
            if contract.record_type != name {
                return Err(format!("{file}: it is named after another type, {}", contract.record_type));
            }
            let mut seen = BTreeSet::new();
            for clause in &contract.clauses {
                let named = clause.reason.as_ref().or(clause.reason_from.as_ref());
                if clause.reason.is_some() == clause.reason_from.is_some() {
                    return Err(format!("{file}: a clause has one reason, said or named"));
                }
                if !seen.insert(named) {
                    return Err(format!("{file}: the reason {named:?} stands twice"));
                }
            }
            if contract.clauses.is_empty() {
                return Err(format!("{file}: it has no clause"));
            }
            by_type.entry(contract.record_type.clone()).or_default().push(contract);
        }
        let contracts = Self { by_type };
        let unknown = contracts.all().find_map(|contract| {
            let parent = contract.parents.iter().find(|parent| !contracts.by_type.contains_key(&parent.record_type))?;
            Some(format!("{}: no contract for its parent {}", contract.record_type, parent.record_type))
        });
        unknown.map_or(Ok(contracts), Err)
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
