//! The negative cases of a fixture: is each caught, and by its own code?

use super::inputs::Gathered;
use super::judge::{INPUT_CASE, RuleSet};
use super::record::FurtherCases;
use crate::code::Code;
use crate::corpus::case::CaseFile;
use crate::corpus::case_code::CaseCode;
use crate::corpus::coverage::{CaseSeen, NINE};
use crate::corpus::input::{Kind, judge_input};
use crate::finding::{Finding, FindingList};
use crate::folder::Folder;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// What judging the negative cases gave.
#[derive(Default)]
pub(super) struct Coverage {
    /// Findings about the cases themselves: they block.
    pub(super) findings: FindingList,
    /// Findings inside the cases: they are what a case is for.
    pub(super) case_findings: FindingList,
    pub(super) observed: BTreeMap<String, Vec<Code>>,
    pub(super) missing: Vec<String>,
    pub(super) further: FurtherCases,
}

/// Judges every case of a folder: the nine by the codes they stand for, the others by those they expect.
///
/// # Errors
/// When the folder cannot be listed.
pub(super) fn judge_cases(gathered: &mut Gathered, cases: &dyn Folder, rules: &RuleSet) -> io::Result<Coverage> {
    let mut coverage = Coverage::default();
    let mut caught_of_the_nine = BTreeMap::new();
    for file in CaseFile::each(cases)? {
        gathered.case(&file);
        let floor = NINE.iter().find(|(id, _)| file.is_top() && *id == file.stem);
        match floor {
            _ if !file.is_json() => {}
            Some((id, _)) if file.loaded.is_err() => drop(caught_of_the_nine.remove(id)),
            Some((id, code)) => {
                let caught = judge_case(&mut coverage, &file, Some(*code), rules);
                caught_of_the_nine.insert(*id, caught.caught);
                if let Some(codes) = caught.codes.filter(|codes| !codes.is_empty()) {
                    coverage.observed.insert((*id).to_owned(), codes.into_iter().collect());
                }
            }
            None => {
                let caught = judge_case(&mut coverage, &file, None, rules);
                let id = file.id().to_owned();
                if !caught.extra.is_empty() {
                    coverage.further.unexpected.insert(id.clone(), caught.extra);
                }
                let list = if caught.caught { &mut coverage.further.accepted } else { &mut coverage.further.missing };
                list.push(id.clone());
                coverage.further.expected.push(id);
            }
        }
    }
    for (id, _) in NINE {
        let caught = caught_of_the_nine.get(id).copied();
        if caught.is_none() {
            gathered.missing.push(format!("negatives/{id}.json"));
            coverage.findings.extend(rules.case_findings(&CaseSeen::Absent, id));
        }
        if caught != Some(true) {
            coverage.missing.push(id.to_owned());
        }
    }
    Ok(coverage)
}

#[derive(Default)]
struct Caught {
    caught: bool,
    codes: Option<BTreeSet<Code>>,
    extra: Vec<CaseCode>,
}

/// Judges one case: one of the nine when `floor` names its code.
fn judge_case(coverage: &mut Coverage, file: &CaseFile, floor: Option<Code>, rules: &RuleSet) -> Caught {
    let case = match file.read() {
        Ok(case) => case,
        Err((fault, place)) => {
            let findings = match file.loaded {
                Ok(_) => rules.text_findings(&fault, place, INPUT_CASE, "input_file", &file.shown),
                Err(state) => rules.input_findings(state, &file.shown),
            };
            coverage.findings.extend(findings);
            return Caught::default();
        }
    };
    if !case.value().is_object() || (floor.is_some() && !case.input().is_object()) {
        coverage.findings.extend(rules.case_findings(&CaseSeen::NotObject, file.id()));
        return Caught::default();
    }
    let mut expected = case.expected().0;
    expected.extend(floor.map(CaseCode::Rule).filter(|code| !expected.contains(code)));
    if case.expects_unknown() {
        // A code that nobody has is never produced: such a case is not caught, whatever else it yields.
        expected.clear();
    }
    // The nine are rows, whatever they say of themselves.
    let kind = if floor.is_some() { Some(Kind::Row) } else { case.kind() };
    let judged = kind.map(|kind| judge_input(kind, case.input(), rules, file.id())).unwrap_or_default();
    let codes = judged.case_codes();
    let of_rules = judged.codes();
    let of_case = |finding| Finding { case_id: file.id().to_owned(), ..finding };
    coverage.case_findings.append(judged.findings.map(of_case));
    let says_its_id = case.case_id() == Some(&file.stem);
    coverage.findings.extend(rules.case_findings(&CaseSeen::Judged { says_its_id, expected: &expected, codes: &codes }, file.id()));
    let caught = !expected.is_empty() && expected.iter().all(|code| codes.contains(code));
    let extra = codes.iter().filter(|code| !expected.contains(code)).cloned().collect();
    Caught { caught, codes: Some(of_rules), extra }
}
