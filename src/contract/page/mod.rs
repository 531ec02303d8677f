//! Pages of record types and of reasons, made from the contracts, so that no page can say something else
//! than what is checked.
//!
//! [`record_page`] and [`index`] are written to `docs/records/loop/` by `cargo xtask codegen`;
//! [`page_of_reason`] is what `landfall explain` prints. [`words`] puts a condition into plain English.

pub mod words;

use super::table::{Clause, Contract, Contracts, Severity, contracts};
use std::collections::{BTreeMap, BTreeSet};

impl Contract {
    /// The contract's name: its type and, where another contract has the same type, the value that tells them apart.
    pub fn key(&self) -> String {
        match &self.discriminator {
            Some(told) => format!("{}.{}", self.record_type, told.value),
            None => self.record_type.clone(),
        }
    }

    /// Every field that a clause, a parent or the id speaks of, sorted.
    pub fn fields(&self) -> BTreeSet<String> {
        let mut fields = BTreeSet::new();
        self.clauses.iter().for_each(|clause| clause.when.fields(&mut fields));
        fields.extend(self.clauses.iter().filter_map(|clause| clause.reason_from.clone()));
        fields.extend(self.parents.iter().map(|parent| parent.field.clone()));
        fields.extend(self.id.iter().chain(&self.idempotent_by).cloned());
        fields.extend(self.discriminator.iter().map(|told| told.field.clone()));
        fields
    }
}

impl Clause {
    /// The clause's name in its contract: its reason, or the field whose text is the reason.
    pub fn name(&self) -> &str {
        self.reason.as_deref().or(self.reason_from.as_deref()).unwrap_or_default()
    }

    /// Whether `other` is this clause, or one that it says comes along.
    pub(crate) fn declares(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.also.iter().any(|also| also_means(also, other.name()))
    }
}

/// Whether a name among those that come along means this clause; a `*` at its end stands for any ending.
pub(crate) fn also_means(also: &str, name: &str) -> bool {
    match also.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => also == name,
    }
}

/// Reasons and codes that belong to no clause: what they mean, and what has them.
const ENGINE: [(&str, &str, Severity); 5] = [
    (
        "execution_attempt_left_open",
        "A process was recorded as about to start and no entry says how it ended: a start was seen, its end was \
      not.",
        Severity::Critical,
    ),
    ("record_not_mapping", "What was given is no object, so it is no record. Nothing else of it is looked at.", Severity::Critical),
    (
        "structured_failure_reason_unreadable",
        "The record says that something failed and gives a reason that reads like none: a reason has \
      1 to 80 characters out of `a` to `z`, `0` to `9` and `_`. The text itself is not shown, since anything could stand in it.",
        Severity::Critical,
    ),
    (
        "trail_without_records",
        "A trail is an object whose `records` is a list. This one has no such list, so no stage can be counted.",
        Severity::Critical,
    ),
    (
        "unsupported_record_type",
        "No contract has this `type`, or none for what tells records of the type apart. A record that cannot be \
      checked is not valid.",
        Severity::Warning,
    ),
];

/// What the allowlist says of a command's text. Where something of the text is told, it stands behind a colon.
const ALLOWLIST: [(&str, &str); 20] = [
    ("action_not_allowlisted", "`--action` names another action than the one that is allowed."),
    ("command_too_long", "The text is longer than 4096 bytes."),
    ("command_too_short", "The text has fewer than three words, so it names no module."),
    ("duplicate_flag", "An option is given twice, and readers differ in which of the two counts."),
    ("forbidden_token", "The text holds something that a shell acts on, quoted or not."),
    ("invalid_executable", "The first word is neither `python` nor `python3`."),
    ("invalid_shell_quoting", "A quote is open, or an escape ends the text, so it has no words."),
    ("invalid_timeout_profile", "`--timeout-profile` names no safe retry profile."),
    ("invalid_value", "An id holds something else than letters, digits, `.`, `_`, `:` and `-`, or is longer than 200 characters."),
    ("missing_command", "The text is blank."),
    ("missing_directive_id", "There is no `--directive-id` with a value."),
    ("missing_module", "No word names a module."),
    ("missing_python_module_flag", "The second word is not `-m`."),
    ("missing_scenario_id", "There is no `--scenario-id` with a value."),
    ("missing_timeout_profile", "There is no `--timeout-profile` with a value."),
    ("missing_value", "An option has no value behind it."),
    ("module_not_allowlisted", "The module is another than the replay evidence check."),
    ("unexpected_positional", "A word is no option and no option's value."),
    ("unknown_flag", "An option is none of those that the allowlist knows."),
    ("unsafe_db_path", "`--db-path` is absolute, climbs, or names a drive, a home or an address."),
];

fn of_allowlist(reason: &str) -> Option<&'static str> {
    ALLOWLIST.iter().find_map(|(name, meaning)| (*name == reason).then_some(*meaning))
}

/// The page of a reason of loop records, of their trails or of their commands; nothing for another word.
pub fn page_of_reason(reason: &str) -> Option<String> {
    contracts().page_of_reason(reason)
}

/// Every word that [`page_of_reason`] knows, sorted.
pub fn known_reasons() -> BTreeSet<String> {
    let stages = contracts().stages().into_iter().map(|(_, stage)| format!("missing_{}", stage.missing));
    let said = contracts().reasons().into_iter().map(str::to_owned);
    let others = ENGINE.iter().map(|(reason, ..)| *reason).chain(ALLOWLIST.iter().map(|(reason, _)| *reason));
    stages.chain(said).chain(others.map(str::to_owned)).collect()
}

impl Contracts {
    /// The page of a reason: the record types that have it, and when, in plain English; nothing for
    /// another word.
    pub fn page_of_reason(&self, reason: &str) -> Option<String> {
        let clauses = self.all().flat_map(|contract| contract.clauses.iter().map(move |clause| (contract, clause)));
        let mut found: Vec<_> = clauses.filter(|(_, clause)| clause.reason.as_deref() == Some(reason)).collect();
        found.sort_by_key(|(contract, _)| contract.key());
        let engine = ENGINE.iter().find(|(name, ..)| *name == reason);
        let stage = self.stages().into_iter().find(|(_, stage)| reason.strip_prefix("missing_") == Some(&stage.missing));
        let allowlist = of_allowlist(reason);
        if found.is_empty() && engine.is_none() && stage.is_none() && allowlist.is_none() {
            // Behind a colon stands what a reason speaks of; the page is the reason's.
            return self.page_of_reason(reason.split_once(':')?.0);
        }
        let mut page = format!("# {reason}\n");
        if let Some((_, meaning, severity)) = engine {
            page.push_str(&format!("\n{meaning}\n\nSeverity: {}\n", severity.as_str()));
        }
        if let Some((contract, stage)) = stage {
            page.push_str(&format!(
                "\nA trail has no `{}`: stage {} of the retry governance chain is missing, so the chain is not complete.\n",
                contract.record_type, stage.order
            ));
        }
        if let Some(meaning) = allowlist {
            page.push_str(&format!("\nThe allowlist refuses a command. {meaning}\n"));
        }
        if !found.is_empty() {
            page.push_str("\nA reason of loop records.\n");
        }
        for (contract, clause) in found {
            let when = clause.when.describe();
            page.push_str(&format!("\n## {}\n\nRefused when {when}.\n\nSeverity: {}\n", contract.key(), contract.severity.as_str()));
            if !clause.also.is_empty() {
                page.push_str(&format!("\nComes always with {}.\n", listed(&clause.also)));
            }
        }
        Some(page)
    }
}

const GENERATED: &str = "<!-- Generated by `cargo xtask codegen` from the contract; edit that. -->";

/// The page of a record type.
pub fn record_page(contract: &Contract) -> String {
    let mut page = format!("{GENERATED}\n\n# {}\n\n## Purpose\n\n{}\n", contract.key(), contract.purpose);
    if let Some(stage) = &contract.stage {
        page.push_str(&format!(
            "\nStage {} of the retry governance chain: counted as `{}`, missing as `{}`.\n",
            stage.order, stage.count, stage.missing
        ));
    }
    page.push_str("\n## Identity\n\n");
    match &contract.id {
        Some(id) => page.push_str(&format!("Its own id is `{id}`.")),
        None => page.push_str("It has no id of its own and is found by its parents."),
    }
    match contract.idempotent_by.as_slice() {
        [] => page.push_str(" A second record of the same content is a second record.\n"),
        fields => page.push_str(&format!(" A second record with an equal {} is a repeat, and is not published.\n", either(fields))),
    }
    if let Some(told) = &contract.discriminator {
        page.push_str(&format!(
            "\nOf the type `{}` these are the records whose `{}` is `{}`.\n",
            contract.record_type, told.field, told.value
        ));
    }
    page.push_str("\n## Comes from\n\n");
    if contract.parents.is_empty() {
        page.push_str("Nothing: it starts a chain.\n");
    } else {
        page.push_str("| field | names | |\n| --- | --- | --- |\n");
        for parent in &contract.parents {
            let needed = if parent.required { "required" } else { "where there is one" };
            let page_of = contracts().of_type(&parent.record_type).first().map_or_else(|| parent.record_type.clone(), Contract::key);
            page.push_str(&format!("| `{}` | [{}]({page_of}.md) | {needed} |\n", parent.field, parent.record_type));
        }
    }
    page.push_str(&fields_section(contract));
    page.push_str(&format!(
        "\n## Reasons\n\nA record that one of these refuses is not valid; its severity is then `{}`. {}\n\n| reason | when |\n| --- | --- |\n",
        contract.severity.as_str(),
        if contract.scanned { "The Security scan of a ledger looks at it." } else { "The Security scan of a ledger passes it over." },
    ));
    for clause in &contract.clauses {
        let reason = match &clause.reason {
            Some(reason) => format!("`{reason}`"),
            None => format!("what `{}` says", clause.name()),
        };
        let mut when = clause.when.describe();
        if clause.structured {
            when.push_str("; the record stays valid and its severity is `warning`");
        }
        if !clause.also.is_empty() {
            when.push_str(&format!("; comes always with {}", listed(&clause.also)));
        }
        page.push_str(&format!("| {reason} | {} |\n", when.replace('|', "\\|")));
    }
    page
}

/// The fields, with the texts they may say and the reasons that look at them.
fn fields_section(contract: &Contract) -> String {
    let mut read_by: BTreeMap<String, Vec<&str>> = contract.fields().into_iter().map(|field| (field, Vec::new())).collect();
    for clause in &contract.clauses {
        let mut fields = BTreeSet::new();
        clause.when.fields(&mut fields);
        for field in fields {
            read_by.entry(field).or_default().push(clause.name());
        }
    }
    let mut section =
        String::from("\n## Fields\n\nOther fields are allowed and not looked at.\n\n| field | says | read for |\n| --- | --- | --- |\n");
    section.push_str(&format!("| `type` | `{}` | the contract |\n", contract.record_type));
    for (field, reasons) in read_by {
        let mut values = Vec::new();
        contract.clauses.iter().for_each(|clause| clause.when.wants_of(&field, &mut values));
        let told = contract.discriminator.iter().filter(|told| told.field == field).map(|told| told.value.clone());
        let values: Vec<_> = told.chain(values).collect();
        let says = if values.is_empty() { String::new() } else { words::texts(&values, "or") };
        let reasons: BTreeSet<_> = reasons.into_iter().collect();
        let reasons = reasons.into_iter().map(|reason| format!("`{reason}`")).collect::<Vec<_>>().join(", ");
        section.push_str(&format!("| `{field}` | {says} | {} |\n", if reasons.is_empty() { "links" } else { &reasons }));
    }
    section
}

/// The index of the pages, in the order of their names.
pub fn index(contracts: &Contracts) -> String {
    let mut all: Vec<_> = contracts.all().collect();
    all.sort_by_key(|contract| contract.key());
    let mut page = format!(
        "{GENERATED}\n\n# Loop records\n\nEach is one contract below `contracts/`, which one engine checks: `landfall check record`. \
         `landfall explain REASON` says when a reason is given; \
         [schemas/loop/](../../../schemas/loop/) helps an editor.\n\n| record | purpose |\n| --- | --- |\n"
    );
    for contract in all {
        page.push_str(&format!("| [{0}]({0}.md) | {1} |\n", contract.key(), contract.purpose));
    }
    page
}

fn listed(names: &[String]) -> String {
    words::texts(names, "and")
}

fn either(fields: &[String]) -> String {
    words::texts(fields, "or")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_page_in_plain_words() {
        let reasons = known_reasons();
        for reason in ["payload_execution_enabled_before_runner", "record_not_mapping", "missing_execution_eligibility", "unsafe_db_path"] {
            assert!(reasons.contains(reason), "{reason}");
        }
        for reason in reasons {
            let page = page_of_reason(&reason).unwrap_or_default();
            assert!(page.starts_with(&format!("# {reason}\n\n")) && page.contains(". ") | page.contains(".\n"), "{page}");
            assert!(!page.contains(['{', '[']), "{page}");
        }
        assert_eq!(page_of_reason("no_such_reason"), None);
        assert_eq!(page_of_reason("unknown_flag:--live"), page_of_reason("unknown_flag"));
        assert_eq!(page_of_reason("no_such_reason:x"), None);
    }

    #[test]
    fn every_contract_says_what_its_record_is_for() {
        for contract in contracts().all() {
            let purpose = contract.purpose.as_str();
            assert!(purpose.len() > 20 && purpose.ends_with('.') && !purpose.contains('\n'), "{}: {purpose}", contract.key());
        }
    }

    #[test]
    fn a_page_names_every_reason_and_every_parent() {
        for contract in contracts().all() {
            let page = record_page(contract);
            let named = contract.clauses.iter().map(Clause::name).chain(contract.parents.iter().map(|parent| parent.field.as_str()));
            for name in named {
                assert!(page.contains(&format!("`{name}`")), "{}: {name}", contract.key());
            }
        }
    }
}
