//! Judges the input of a case, by kind. `check`, the audit and the pages of the rules all come here.

use super::audit::{self, Audit};
use super::case_code::CaseCode;
use super::coverage::{CaseSeen, CoverageSeen, NINE};
use super::faults::{self, CorpusFault};
use super::parity;
use crate::code::Code;
use crate::contract::execution_readiness::{self, ATTEMPT_LEFT_OPEN, ReadinessOptions};
use crate::contract::{self, allowlist, table::Contracts, trail::Filters};
use crate::finding::{Finding, FindingList};
use crate::folder::MemoryFolder;
use crate::json::{Fault, FaultKind, Place, Value};
use crate::landing::build;
use crate::landing::judge::{INPUT_CASE, ROW_CASE, RuleSet};
use crate::landing::manifest::{Body, MANIFEST_FILE, Target};
use crate::landing::row::RunRow;
use crate::landing::runs;
use base64::Engine as _;
use std::collections::BTreeSet;

/// What a case or an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One run row.
    Row,
    /// A whole run table.
    Runs,
    /// A landing policy.
    Policy,
    /// A projection protocol.
    Protocol,
    /// A bundle: `{manifest, files, symlinks?}`.
    Manifest,
    /// The bytes of a text: `{text}` or `{base64}`.
    Json,
    /// A corpus or a part of one; `input.kind` says which.
    Corpus,
    /// A loop record.
    Record,
    /// A trail of loop records: `{records, filters?}`.
    Trail,
    /// The text of a command, `{command}`, against the allowlist.
    Command,
}

const KINDS: [(&str, Kind); 10] = [
    ("row", Kind::Row),
    ("runs", Kind::Runs),
    ("policy", Kind::Policy),
    ("protocol", Kind::Protocol),
    ("manifest", Kind::Manifest),
    ("json", Kind::Json),
    ("corpus", Kind::Corpus),
    ("record", Kind::Record),
    ("trail", Kind::Trail),
    ("command", Kind::Command),
];

impl Kind {
    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        KINDS.iter().find_map(|(known, kind)| (*known == name).then_some(*kind))
    }

    /// The names of all kinds.
    pub fn names() -> Vec<&'static str> {
        KINDS.iter().map(|(name, _)| *name).collect()
    }

    /// Whether it belongs to the loop family, which has reasons instead of codes.
    pub fn is_loop(self) -> bool {
        matches!(self, Self::Record | Self::Trail | Self::Command)
    }
}

/// What judging an input gave.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// Findings of rules.
    pub findings: FindingList,
    /// Faults of a corpus (kind `corpus` only).
    pub faults: Vec<CorpusFault>,
    /// Reasons (kinds of the loop family only).
    pub reasons: BTreeSet<String>,
}

impl Judged {
    /// All codes.
    pub fn codes(&self) -> BTreeSet<Code> {
        let mut codes = self.findings.codes();
        codes.extend(self.faults.iter().map(|fault| fault.code));
        codes
    }

    /// All codes and reasons, as cases expect them.
    pub fn case_codes(&self) -> BTreeSet<CaseCode> {
        let reasons = self.reasons.iter().cloned().map(CaseCode::Reason);
        self.codes().into_iter().map(CaseCode::Rule).chain(reasons).collect()
    }
}

impl From<Vec<Finding>> for Judged {
    fn from(findings: Vec<Finding>) -> Self {
        FindingList::from(findings).into()
    }
}

impl From<FindingList> for Judged {
    fn from(findings: FindingList) -> Self {
        Self { findings, ..Self::default() }
    }
}

impl From<Vec<CorpusFault>> for Judged {
    fn from(faults: Vec<CorpusFault>) -> Self {
        Self { faults, ..Self::default() }
    }
}

/// Judges `input` as `kind`; `case_id` goes into findings on rows.
pub fn judge_input(kind: Kind, input: &Value<'_>, rules: &RuleSet, case_id: &str) -> Judged {
    match kind {
        Kind::Row => rules.row_findings(&RunRow::from_value(input), 0, case_id).into(),
        Kind::Runs => runs::judge_text(input.to_text().as_bytes(), rules).into(),
        Kind::Policy => rules.policy_findings(input).into(),
        Kind::Protocol => rules.protocol_findings(input).into(),
        Kind::Manifest => judge_manifest(input, rules).into(),
        Kind::Json => judge_json(input, rules).into(),
        Kind::Corpus => judge_corpus(input, rules),
        Kind::Record => of_reasons(record_reasons(input)),
        Kind::Trail => of_reasons(trail_reasons(input)),
        Kind::Command => of_reasons(command_reasons(input)),
    }
}

fn of_reasons(reasons: impl IntoIterator<Item = String>) -> Judged {
    Judged { reasons: reasons.into_iter().collect(), ..Judged::default() }
}

/// The reasons why a record is not valid. What a valid record says of itself, a structured failure, is none.
fn record_reasons(record: &Value<'_>) -> Vec<String> {
    let verdict = contract::check::check(record);
    if verdict.valid { Vec::new() } else { verdict.reasons }
}

/// What refuses a trail, as `landfall check trail` names it: the stages it lacks, a start without an end and,
/// where it is given options, what keeps it from being ready.
fn trail_reasons(trail: &Value<'_>) -> Vec<String> {
    let Some(records) = trail.get("records").and_then(Value::elements) else { return vec!["trail_without_records".to_owned()] };
    let within = |object: &str, key: &str| trail.get(object).and_then(|object| object.get(key));
    let filter = |key: &str| [within("filters", key), within("options", key)].into_iter().flatten().find_map(Value::as_str);
    let filters = Filters { proposal_id: filter("proposal_id"), approval_id: filter("approval_id"), plan_id: filter("plan_id") };
    let missing = contract::trail::stages(records, &filters).missing;
    let options = ReadinessOptions {
        proposal_id: filters.proposal_id,
        rendered_command_id: filter("rendered_command_id"),
        require_operator_authorized: contract::value::is_set(within("options", "require_operator_authorized")),
        ..ReadinessOptions::default()
    };
    let report = execution_readiness::report(records, &options);
    let asked = trail.get("options").is_some();
    let failed = report.failed().into_iter().filter(|name| asked || *name == ATTEMPT_LEFT_OPEN).map(str::to_owned);
    missing.iter().map(|stage| format!("missing_{stage}")).chain(failed).collect()
}

/// Why the allowlist refuses a command.
fn command_reasons(input: &Value<'_>) -> Vec<String> {
    allowlist::parse(&contract::value::text(input.get("command"))).reasons
}

/// Strict reading of bytes as an input file: the finding of its fault, if it has one.
pub fn judge_bytes(bytes: &[u8], rules: &RuleSet, shown: &str) -> Vec<Finding> {
    let (fault, place) = if bytes.len() > super::case::CONTROL_LIMIT {
        super::case::too_large()
    } else {
        match crate::json::read(bytes, &mut crate::json::Nothing) {
            Ok(()) => return Vec::new(),
            Err(fault) => {
                let place = Place::in_text(bytes, fault.offset);
                (fault, place)
            }
        }
    };
    rules.text_findings(&fault, place, INPUT_CASE, "input_file", shown)
}

fn judge_json(input: &Value<'_>, rules: &RuleSet) -> Vec<Finding> {
    match bytes_of(input) {
        Some(bytes) => judge_bytes(&bytes, rules, "input"),
        None => misshapen(rules),
    }
}

/// The bytes that `{text}`, `{base64}` or a plain string stand for.
fn bytes_of(value: &Value<'_>) -> Option<Vec<u8>> {
    if let Some(text) = value.as_str().or_else(|| value.get("text")?.as_str()) {
        return Some(text.as_bytes().to_vec());
    }
    base64::engine::general_purpose::STANDARD.decode(value.get("base64")?.as_str()?).ok()
}

/// An input that is not shaped as its kind asks is refused as unreadable, never passed over.
fn misshapen(rules: &RuleSet) -> Vec<Finding> {
    let fault = Fault { kind: FaultKind::Syntax("an input that is not shaped as its kind asks"), offset: 0 };
    rules.text_findings(&fault, Place { line: 1, column: 1, offset: 0 }, INPUT_CASE, "input_file", "input")
}

/// The folder that `{manifest?, files, symlinks?}` describes.
fn folder_of(input: &Value<'_>) -> Option<MemoryFolder> {
    let mut folder = MemoryFolder::default();
    if let Some(manifest) = input.get("manifest").filter(|manifest| **manifest != Value::Null) {
        folder.file(MANIFEST_FILE, manifest.to_text());
    }
    for (path, content) in input.get("files").map(Value::members).unwrap_or_default() {
        folder.file(path.clone().into_owned(), bytes_of(content)?);
    }
    for (path, _) in input.get("symlinks").map(Value::members).unwrap_or_default() {
        folder.link(path.clone().into_owned());
    }
    Some(folder)
}

fn judge_manifest(input: &Value<'_>, rules: &RuleSet) -> FindingList {
    folder_of(input).map_or_else(|| misshapen(rules).into(), |folder| build::judge_bundle_folder(&folder, rules).0)
}

fn judge_corpus(input: &Value<'_>, rules: &RuleSet) -> Judged {
    let part = |key: &str| input.get(key).unwrap_or(&Value::Null);
    let folder_at = |key: &str| folder_of(&Value::Object(vec![("files".into(), part(key).clone())]));
    match part("kind").as_str() {
        Some("runs_table") => runs::judge_text(part("payload").to_text().as_bytes(), rules).into(),
        Some("negative_cases") => judge_flat_cases(part("negative_cases"), rules).into(),
        Some("folder") => {
            folder_of(input).map_or_else(|| misshapen(rules).into(), |folder| build::judge_corpus_folder(&folder, rules)).into()
        }
        Some("copied_bodies") => match folder_of(input) {
            None => misshapen(rules).into(),
            Some(folder) => {
                let coverage = match part("acceptance") {
                    Value::Null => CoverageSeen::Missing,
                    record => CoverageSeen::of_value(record),
                };
                parity::judge_bundle(&folder, Some(&coverage), rules).into()
            }
        },
        Some("originals") => match (folder_of(input), folder_at("originals")) {
            (Some(bundle), Some(originals)) => parity::compare_originals(&bundle, &originals, rules).faults.into(),
            _ => misshapen(rules).into(),
        },
        Some("records") => match (folder_at("blessed"), folder_at("made")) {
            (Some(blessed), Some(made)) => parity::compare_records(&blessed, &made, rules).into(),
            _ => misshapen(rules).into(),
        },
        Some("cases") => match (folder_at("files"), folder_at("fixtures")) {
            (Some(cases), Some(fixtures)) => {
                let named = part("rules").elements().unwrap_or_default();
                let cover: Vec<_> = named.iter().filter_map(Value::as_str).filter_map(Code::lookup).collect();
                // Contracts of the case's own, where it brings some: their clauses are audited too.
                let files: Vec<_> = part("contracts").members().iter().filter_map(|(name, text)| Some((&**name, text.as_str()?))).collect();
                let contracts = (!files.is_empty()).then(|| Contracts::read(&files));
                let Ok(contracts) = contracts.transpose() else { return misshapen(rules).into() };
                let audit =
                    Audit { cases: &cases, fixtures: Some(&fixtures), exact: true, cover: &cover, contracts: contracts.as_ref(), rules };
                audit::audit(&audit).faults.into()
            }
            _ => misshapen(rules).into(),
        },
        Some("filter") => {
            let names = part("names").elements().unwrap_or_default();
            let names: Vec<_> = names.iter().filter_map(Value::as_str).collect();
            filter_faults(&names, part("filter").as_str(), rules).into()
        }
        _ => misshapen(rules).into(),
    }
}

/// The fault of a filter without a match, or of names without one to choose from.
pub(crate) fn filter_faults(names: &[&str], filter: Option<&str>, rules: &RuleSet) -> Vec<CorpusFault> {
    let matched = names.iter().any(|name| filter.is_none_or(|filter| name.contains(filter)));
    let fault =
        || CorpusFault::new(faults::FILTER_MATCHED_NOTHING, "filter", format!("found none of {} names that it matches", names.len()));
    if matched || !rules.permits(faults::FILTER_MATCHED_NOTHING) { Vec::new() } else { vec![fault()] }
}

/// The nine in the original's flat form: file name to row, the id inside the row.
fn judge_flat_cases(cases: &Value<'_>, rules: &RuleSet) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, code) in NINE {
        let Some(row) = cases.get(&format!("{id}.json")) else {
            findings.extend(rules.case_findings(&CaseSeen::Absent, id));
            continue;
        };
        if !row.is_object() {
            findings.extend(rules.case_findings(&CaseSeen::NotObject, id));
            continue;
        }
        let says_its_id = row.get("expected_negative_case_id").and_then(Value::as_str) == Some(id);
        let found = rules.row_findings(&RunRow::from_value(row), 0, ROW_CASE);
        let codes = found.iter().map(|finding| CaseCode::Rule(finding.error_code)).collect();
        findings.extend(rules.case_findings(&CaseSeen::Judged { says_its_id, expected: &[CaseCode::Rule(code)], codes: &codes }, id));
    }
    findings
}

/// The body at `path` of a bundle, as a manifest's row sees it.
pub(crate) fn body_in(folder: &dyn crate::folder::Folder, path: &str) -> Target {
    use crate::landing::rule::InputState;
    match crate::folder::load(folder, path, super::case::CONTROL_LIMIT) {
        Ok(crate::folder::LoadedFile { bytes: Some(bytes), .. }) => Target::Found(Box::new(Body::new(bytes))),
        Err(InputState::Link) => Target::Outside,
        Ok(_) | Err(_) => Target::Missing,
    }
}
