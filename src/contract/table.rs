//! The contracts, one file each under `contracts/`, read and checked once.

use super::build::Build;
use super::condition::Condition;
use super::execution_readiness_stage::ExecutionStage;
use super::files::FILES;
use super::form::Shorthand;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
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
    /// The field of the status, in the execution family.
    pub status: Option<String>,
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
    /// How a record of the type is made; none where code alone says it.
    pub build: Option<Build>,
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
    /// What explorers found and memory takes in: reasons in table order, repeats kept.
    Memory,
}

impl Family {
    /// The family whose contracts lie in a folder.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "governance" => Some(Self::Governance),
            "execution" => Some(Self::Execution),
            "memory" => Some(Self::Memory),
            _ => None,
        }
    }
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

    /// The shipped contracts of one type, for who needs no others: a process a test would spend its time on them.
    /// That they fit the others is checked by [`contracts`].
    ///
    /// # Panics
    /// As [`contracts`].
    #[cfg(feature = "harness")]
    pub(crate) fn shipped_of(record_type: &str) -> Self {
        let read = || {
            let shorthand = Shorthand::shipped()?;
            let named = FILES.iter().filter(|(file, _)| file.rsplit('/').next() == Some(record_type));
            named.map(|(file, text)| Contract::read(file, text, &shorthand)).collect::<Result<Vec<_>, String>>()
        };
        let of_type = read().unwrap_or_else(|why| panic!("the shipped contracts are consistent: {why}"));
        Self { by_type: HashMap::from([(record_type.to_owned(), of_type)]) }
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
        stages.sort_by_cached_key(|(contract, _)| self.generation(contract));
        stages
    }

    /// How many immediate parents lie before a contract; a circle ends when it is as long as the table.
    fn generation(&self, contract: &Contract) -> usize {
        let parent = |contract: &&Contract| self.of_type(&contract.parents.first()?.record_type).first();
        std::iter::successors(Some(contract), parent).take(self.by_type.len() + 1).count()
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
    fn every_form_and_family_is_used() {
        let texts: String = FILES.iter().map(|(_, text)| *text).collect();
        let (families, forms) = (include_str!("../../contracts/flag_families.json"), include_str!("../../contracts/clause_forms.json"));
        let names = |text: &str| -> Vec<String> {
            let names: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).expect("it is JSON");
            names.into_iter().map(|(name, _)| name).collect()
        };
        for family in names(families) {
            assert!(texts.contains(&format!("\"@{family}\"")) || families.contains(&format!("\"@{family}\"")), "{family} is used");
        }
        for form in names(forms) {
            assert!(texts.contains(&format!("\"form\": \"{form}\"")), "{form} is used");
        }
    }

    #[test]
    fn the_stages_of_execution_are_in_the_order_of_the_graph() {
        let prefixes: Vec<_> = contracts().execution_stages().into_iter().map(|(_, stage)| stage.prefix.as_str()).collect();
        assert_eq!(prefixes.len(), 38);
        assert_eq!(prefixes[..3], ["real_preflight", "real_approval", "real_approval_transition"]);
        assert_eq!(prefixes.last(), Some(&"real_execution_sandbox_rendered_command_validation_scaffold"));
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
        assert!(refused("elsewhere/evidence_record", text));
        let gate = FILES.iter().find(|(name, _)| name.ends_with("real_execution_final_gate")).expect("it is there");
        let altered = |from: &str, to: &str| {
            let files: Vec<_> = FILES.iter().filter(|(name, _)| name != &gate.0).copied().collect();
            assert!(gate.1.contains(from), "the contract has {from}");
            let text = gate.1.replace(from, to);
            Contracts::read(&[&files[..], &[(gate.0, text.as_str())]].concat())
        };
        assert!(altered("\"scanned\": true", "\"scanned\": false").is_ok());
        for (from, to) in [
            ("@nothing_real", "@nothing_unreal"),
            ("\"form\": \"never\"", "\"form\": \"ever\""),
            ("\"name\": \"real_final_gate\"", "\"nome\": \"real_final_gate\""),
            ("explicit_execution_pr_required", "subprocess_not_supported"),
            ("\"replay_lifecycle_retry_real_execution_approval_transition\"", "\"replay_lifecycle_retry_real_execution_preflight\""),
        ] {
            assert!(altered(from, to).is_err(), "{from}");
        }
    }
}
