//! The audit: does every case show what it says, and does every rule bear its load?
//!
//! Each case must yield its codes, its twin nothing. Each rule must have a case that only it
//! catches: with the rule taken out, in process, that case slips through. The same holds of the clauses of
//! contracts, whose cases are made from recorded ledgers.

use super::case::{Case, CaseFile};
use super::case_code::CaseCode;
use super::clauses::{self, ClauseName};
use super::faults::{self, CorpusFault};
use super::input::{Kind, judge_bytes, judge_input};
use super::ledgers::{self, Accepted, LEDGERS_FOLDER, Ledgers};
use crate::code::Code;
use crate::contract::table::Contracts;
use crate::folder::{Folder, LoadedFile, load};
use crate::json::{Place, Value, parse};
use crate::landing::build;
use crate::landing::judge::RuleSet;
use crate::landing::row::RunRow;
use crate::landing::rules::RULES;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What is audited.
#[derive(Clone, Copy)]
pub struct Audit<'f> {
    /// The folder of cases.
    pub cases: &'f dyn Folder,
    /// The fixtures that twins are named in; without it twins are not looked at.
    pub fixtures: Option<&'f dyn Folder>,
    /// Whether a case must yield exactly its codes, and must have a twin.
    pub exact: bool,
    /// The codes that must each have a case that only they catch.
    pub cover: &'f [Code],
    /// The contracts whose every clause must have a record that only it refuses. Needs fixtures.
    pub contracts: Option<&'f Contracts>,
    /// The rules that judge.
    pub rules: &'f RuleSet,
}

/// What an audit found, and how much it looked at.
#[derive(Debug, Clone, Default)]
pub struct Audited {
    /// The faults, sorted.
    pub faults: Vec<CorpusFault>,
    /// Case files read and judged.
    pub cases_judged: usize,
    /// Case files found.
    pub cases_found: usize,
    /// Twins judged.
    pub twins_judged: usize,
    /// Codes whose case slipped through without their rule.
    pub codes_bearing: usize,
    /// Codes that must.
    pub codes_found: usize,
    /// Records of recorded ledgers judged.
    pub records_accepted: usize,
    /// Records broken in one clause each, made and judged.
    pub records_broken: usize,
    /// Clauses whose record slipped through without them.
    pub clauses_bearing: usize,
    /// Clauses that must.
    pub clauses_found: usize,
}

/// Audits a corpus of cases.
pub fn audit(audit: &Audit<'_>) -> Audited {
    let mut audited = Audited::default();
    let mut borne = BTreeSet::new();
    let mut expected_by_some = BTreeSet::new();
    let (mut clauses_expected, mut clauses_borne) = (BTreeSet::new(), BTreeSet::new());
    // Few cases have a recorded twin: the ledgers are read for the first that does.
    let (ledgers, records) = (OnceCell::new(), OnceCell::new());
    let recorded = || {
        let ledgers = ledgers.get_or_init(|| audit.fixtures.map(Ledgers::read).unwrap_or_default());
        records.get_or_init(|| ledgers.records())
    };
    let files = CaseFile::each(audit.cases);
    if files.is_err() {
        audited.faults.push(CorpusFault::new(faults::CASE_UNREADABLE, "negatives/", "found a folder that cannot be listed"));
    }
    for file in files.into_iter().flatten() {
        let file = &file;
        if !file.is_json() {
            audited.faults.push(CorpusFault::new(faults::CASE_FILE_UNREAD, &file.shown, "found a file that is no <case id>.json"));
            continue;
        }
        audited.cases_found += 1;
        match file.read() {
            Ok(case) => {
                let outcome = audit_case(audit, &|| &recorded().0, file, &case);
                audited.cases_judged += usize::from(outcome.judged);
                audited.twins_judged += usize::from(outcome.twin_judged);
                expected_by_some.extend(case.expected().0.iter().filter_map(CaseCode::code));
                borne.extend(outcome.bears);
                clauses_expected.extend(outcome.clauses);
                clauses_borne.extend(outcome.clause_borne);
                audited.faults.extend(outcome.faults);
            }
            Err((fault, place)) => {
                let message = match file.loaded {
                    Ok(_) => format!("found {} at {place}", fault.describe()),
                    Err(_) => "found no regular file that can be read".to_owned(),
                };
                audited.faults.push(CorpusFault::new(faults::CASE_UNREADABLE, &file.shown, message));
            }
        }
    }
    if audited.cases_found == 0 {
        audited.faults.push(CorpusFault::new(faults::CASES_MISSING, "negatives/", "found no case"));
    }
    audited.codes_found = audit.cover.len();
    for code in audit.cover {
        if borne.contains(code) {
            audited.codes_bearing += 1;
        } else if expected_by_some.contains(code) {
            let message = "found no case that only this code catches";
            audited.faults.push(CorpusFault::new(faults::RULE_BEARS_NO_LOAD, code.as_str(), message));
        } else {
            audited.faults.push(CorpusFault::new(faults::RULE_WITHOUT_CASE, code.as_str(), "found no case that expects this code"));
        }
    }
    if let Some(contracts) = audit.contracts {
        let (accepted, unreadable) = recorded();
        audited.records_accepted = accepted.len();
        audited.faults.extend(unreadable.iter().cloned());
        audited.faults.extend(ledgers::judge(contracts, accepted));
        let of_clauses = clauses::audit_clauses(contracts, accepted, &clauses_expected, &clauses_borne);
        audited.records_broken = of_clauses.records_made;
        audited.clauses_found = of_clauses.clauses_found;
        audited.clauses_bearing = of_clauses.clauses_bearing;
        audited.faults.extend(of_clauses.faults);
    }
    audited.faults.retain(|fault| audit.rules.permits(fault.code));
    audited.faults.sort();
    audited
}

/// The codes that come along with `code` whatever the input.
fn always_with(code: Code) -> &'static [Code] {
    RULES.iter().find(|rule| rule.code == code).map_or(&[], |rule| rule.always_with)
}

#[derive(Default)]
struct CaseOutcome {
    faults: Vec<CorpusFault>,
    judged: bool,
    twin_judged: bool,
    /// The code that only this case's rule produces, when the case slips through without it.
    bears: Option<Code>,
    /// The clauses whose reasons the input gets.
    clauses: Vec<ClauseName>,
    /// The clause that alone refuses the input.
    clause_borne: Option<ClauseName>,
}

fn audit_case<'r, 'l: 'r>(
    audit: &Audit<'_>,
    accepted: &dyn Fn() -> &'r Vec<Accepted<'l>>,
    file: &CaseFile,
    case: &Case<'_>,
) -> CaseOutcome {
    let mut outcome = CaseOutcome { faults: case.faults(file), ..CaseOutcome::default() };
    let Some(kind) = case.kind() else { return outcome };
    let (expected, _) = case.expected();
    let judged = judge_input(kind, case.input(), audit.rules, &file.stem);
    let produced = judged.case_codes();
    outcome.judged = true;
    let list = |codes: Vec<&CaseCode>| codes.iter().map(|code| code.to_string()).collect::<Vec<_>>().join(", ");
    let missing: Vec<_> = expected.iter().filter(|code| !produced.contains(code)).collect();
    if !missing.is_empty() {
        let found = if produced.is_empty() { "no code at all".to_owned() } else { list(produced.iter().collect()) };
        outcome.faults.push(CorpusFault::new(faults::CASE_CODE_MISSING, &file.shown, format!("found {found}; expected {}", list(missing))));
    }
    let unexpected: Vec<_> = produced.iter().filter(|code| !expected.contains(code)).collect();
    if audit.exact && !unexpected.is_empty() {
        let message = format!("found {} beside what is expected", list(unexpected));
        outcome.faults.push(CorpusFault::new(faults::CASE_CODE_UNEXPECTED, &file.shown, message));
    }
    if let Some(contracts) = audit.contracts.filter(|_| kind == Kind::Record) {
        (outcome.clauses, outcome.clause_borne) = clauses::shown_by(contracts, case.input());
    }
    let produced = judged.codes();
    outcome.bears = audit.cover.iter().copied().find(|code| {
        // The case shows the load of a rule when nothing else catches it: with the codes that come
        // along by construction taken out it is all that is left, without it nothing is.
        let with_it = always_with(*code);
        let codes_without = |out: &[Code]| judge_input(kind, case.input(), &RuleSet::without_all(out), &file.stem).codes();
        let alone = BTreeSet::from([*code]);
        let expected_here = produced.iter().all(|found| found == code || with_it.contains(found));
        expected.iter().any(|expected| expected.code() == Some(*code))
            && expected_here
            && (produced == alone || codes_without(with_it) == alone)
            && codes_without(&[with_it, &[*code]].concat()).is_empty()
    });
    match (case.twin(), audit.fixtures) {
        (None, _) if audit.exact => {
            outcome.faults.push(CorpusFault::new(faults::CASE_TWIN_MISSING, &file.shown, "found no twin"));
        }
        (Some(twin), Some(fixtures)) => {
            match judge_twin(fixtures, if kind.is_loop() { accepted() } else { &[] }, twin, kind, audit.rules) {
                None => outcome.faults.push(CorpusFault::new(faults::CASE_TWIN_MISSING, &file.shown, "found nothing at the twin's place")),
                Some(codes) => {
                    outcome.twin_judged = true;
                    if !codes.is_empty() {
                        let message = format!("found {} on the twin", list(codes.iter().collect()));
                        outcome.faults.push(CorpusFault::new(faults::CASE_TWIN_REFUSED, &file.shown, message));
                    }
                }
            }
        }
        _ => {}
    }
    outcome
}

/// The codes that a twin produces; `None` when there is none at that place.
///
/// A twin is a file below the fixtures, a fixture folder, or a folder and the `run_id` of a row in it. Of the
/// loop family it is a recorded ledger, `loop/<scenario>`, or a record of one by its own id, of which a command
/// is a field.
pub fn judge_twin(fixtures: &dyn Folder, accepted: &[Accepted<'_>], twin: &str, kind: Kind, rules: &RuleSet) -> Option<BTreeSet<CaseCode>> {
    if twin.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return None;
    }
    if kind.is_loop() {
        let twin = recorded_twin(accepted, twin, kind)?;
        return Some(judge_input(kind, &twin, rules, "twin").case_codes());
    }
    Some(landing_twin(fixtures, twin, kind, rules)?.into_iter().map(CaseCode::Rule).collect())
}

/// The input that a ledger, or a record of one, is to a kind of the loop family.
fn recorded_twin<'l>(accepted: &[Accepted<'l>], twin: &str, kind: Kind) -> Option<Value<'l>> {
    let place = twin.strip_prefix(LEDGERS_FOLDER)?.strip_prefix('/')?;
    if kind == Kind::Trail {
        let records: Vec<_> = accepted.iter().filter(|record| record.scenario == place).map(|record| record.record.clone()).collect();
        return (!records.is_empty()).then(|| Value::Object(vec![("records".into(), Value::Array(records))]));
    }
    let (scenario, id) = place.split_once('/')?;
    ledgers::record_named(accepted, scenario, id).cloned()
}

fn landing_twin(fixtures: &dyn Folder, twin: &str, kind: Kind, rules: &RuleSet) -> Option<BTreeSet<Code>> {
    let bytes = |path: &str| match load(fixtures, path, super::case::CONTROL_LIMIT) {
        Ok(LoadedFile { bytes, .. }) => bytes,
        Err(_) => None,
    };
    if let Some(bytes) = bytes(twin) {
        if kind == Kind::Json {
            return Some(judge_bytes(&bytes, rules, "twin").iter().map(|finding| finding.error_code).collect());
        }
        let value = match parse(&bytes) {
            Ok(value) => value,
            Err(fault) => {
                let place = Place::in_text(&bytes, fault.offset);
                return Some(
                    rules.text_findings(&fault, place, "twin", "input_file", "twin").iter().map(|finding| finding.error_code).collect(),
                );
            }
        };
        return Some(judge_input(kind, &value, rules, "twin").codes());
    }
    let folder = Below { folder: fixtures, path: twin };
    if folder.entries("").is_ok_and(|entries| !entries.is_empty()) {
        let findings = match kind {
            Kind::Manifest => build::judge_bundle_folder(&folder, rules).0,
            _ => build::judge_corpus_folder(&folder, rules),
        };
        return Some(findings.codes());
    }
    let (folder, run_id) = twin.split_once('/')?;
    let bytes = bytes(&format!("{folder}/{}", build::RUNS_FILE))?;
    let table = parse(&bytes).ok()?;
    let row = table.get("work_landing_runs")?.elements()?.iter().find(|row| row.get("run_id").and_then(Value::as_str) == Some(run_id))?;
    Some(rules.row_findings(&RunRow::from_value(row), 0, "twin").iter().map(|finding| finding.error_code).collect())
}

/// A folder below another.
pub(crate) struct Below<'f> {
    pub(crate) folder: &'f dyn Folder,
    pub(crate) path: &'f str,
}

impl Folder for Below<'_> {
    fn open(&self, path: &str) -> Result<Box<dyn std::io::Read + Send + '_>, crate::landing::rule::InputState> {
        self.folder.open(&format!("{}/{path}", self.path))
    }

    fn entries(&self, path: &str) -> std::io::Result<Vec<String>> {
        let below = if path.is_empty() { self.path.to_owned() } else { format!("{}/{path}", self.path) };
        let prefix = format!("{}/", self.path);
        Ok(self.folder.entries(&below)?.into_iter().filter_map(|entry| Some(entry.strip_prefix(&prefix)?.to_owned())).collect())
    }
}
