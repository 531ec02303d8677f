//! Trials of the negative cases: the scan over everything, one a case, and one for each of the nine.

use super::named::{Asked, Named, Outcome, silent};
use super::{Corpus, part_name};
use crate::corpus::audit::{Audit, audit};
use crate::corpus::case::CaseFile;
use crate::corpus::coverage::NINE;
use crate::edge::disk::DiskFolder;
use crate::folder::{Folder, OneFile};
use crate::landing::RuleSet;
use crate::landing::build::run_fixture;
use crate::landing::judge::ROW_CASE;
use crate::landing::row::RunRow;
use crate::landing::rule::InputState;
use std::collections::BTreeMap;

/// Whether the cases of a corpus can hold a trial that is asked for.
pub(super) fn may_hold(named: &Named, name: &str) -> bool {
    ["scan", "refuses", "floor::", "cases_in_one_folder"].iter().any(|part| named.wants_below(&format!("landing::{name}::{part}")))
        || named.wants_below("loop::") && named.sought().is_none_or(|name| name.contains(REFUSES))
}

const REFUSES: &str = "::refuses::";

/// The name of a case's trial. A case of another family lies in a folder of that name; the rest is the landing
/// family's.
fn trial_of(name: &str, index: usize, path: &str) -> String {
    let trial = part_name(CaseFile::stem(path), || format!("case[{index}]"));
    match path.strip_prefix("loop/").and_then(|path| path.rsplit_once('/')) {
        Some((of, _)) => format!("loop::{}{REFUSES}{trial}", part_name(&of.replace('/', "::"), || "cases".to_owned())),
        None => format!("landing::{name}{REFUSES}{trial}"),
    }
}

/// The trials over a folder of cases.
pub(super) fn case_trials(named: &mut Named, name: &str, corpus: &Corpus, folder: &dyn Folder, cases: &dyn Folder, rules: &RuleSet) {
    named.add(format!("landing::{name}::scan"), || scan_outcome(folder, cases, rules));
    let fixtures = corpus.fixtures.as_deref().map(DiskFolder::open);
    let fixtures: Option<&dyn Folder> = match &fixtures {
        None => None,
        Some(Ok(folder)) => Some(folder),
        Some(Err(error)) => {
            return named.add(format!("landing::{name}::refuses"), || Err(format!("no folder of fixtures: {error}")));
        }
    };
    let audited = |cases: &dyn Folder| {
        let mut by_place: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for fault in audit(&Audit { cases, fixtures, exact: corpus.exact, cover: &[], contracts: None, rules }).faults {
            by_place.entry(fault.place).or_default().push(format!("{}: {}", fault.code, fault.message));
        }
        by_place
    };
    let files = match cases.entries("") {
        Ok(files) => files,
        Err(error) => return named.add(format!("landing::{name}::refuses"), || Err(format!("the cases cannot be listed: {error}"))),
    };
    let is_case = |path: &String| path.ends_with(".json");
    // One audit over all, where all is asked for: its faults carry the file they belong to. That of no case at
    // all costs nothing, and its fault is a trial too.
    let everything = *named.asked() == Asked::Everything;
    let mut by_place = if everything || !files.iter().any(is_case) { audited(cases) } else { BTreeMap::new() };
    for (index, path) in files.iter().enumerate() {
        let found = by_place.remove(&CaseFile::shown(path));
        named.add(trial_of(name, index, path), || {
            let found = if everything { found } else { audited(&OneFile { folder: cases, path }).remove(&CaseFile::shown(path)) };
            silent(found.unwrap_or_default().into_iter())
        });
    }
    for (place, lines) in by_place {
        named.add(format!("landing::{name}{REFUSES}{}", part_name(&place, || "cases".to_owned())), || Err(lines.join("\n")));
    }
    for (id, code) in NINE {
        named.add(format!("landing::{name}::floor::{id}"), || floor_outcome(cases, id, code, rules));
    }
}

/// What the scan of a replay blocks: credentials and private paths in inputs, cases and evidence.
fn scan_outcome(folder: &dyn Folder, cases: &dyn Folder, rules: &RuleSet) -> Outcome {
    let result = run_fixture(folder, cases, rules).map_err(|error| error.to_string())?.result;
    let hits = result.secret_exclusion_scan.hits.iter().filter(|hit| !hit.expected_negative_case);
    silent(hits.map(|hit| format!("{} in {}: {}", hit.term_id, hit.path, hit.remediation)))
}

/// Whether one of the nine is there and produces the code it stands for.
fn floor_outcome(cases: &dyn Folder, id: &str, code: crate::code::Code, rules: &RuleSet) -> Outcome {
    let file = CaseFile::load(cases, format!("{id}.json"));
    if matches!(file.loaded, Err(InputState::Absent | InputState::Folder)) {
        return Err(format!("WORK_LANDING_NEGATIVE_CASE_MISSING: no {id}.json among the cases"));
    }
    let case = file.read().map_err(|(fault, place)| format!("{} at {place}", fault.describe()))?;
    let findings = rules.row_findings(&RunRow::from_value(case.input()), 0, ROW_CASE);
    if findings.iter().any(|finding| finding.error_code == code) {
        return Ok(());
    }
    Err(format!("WORK_LANDING_NEGATIVE_CASE_NOT_CAUGHT: the input does not produce {code}"))
}
