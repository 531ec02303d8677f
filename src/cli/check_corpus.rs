//! `check-corpus`: parity, audit and blessed records; read-only.

use super::exit::Trouble;
use super::shipped::{self, open};
use super::{CheckCorpusArguments, Exit, Format, World, report};
use crate::code;
use crate::contract::table::contracts;
use crate::corpus::audit::{Audit, audit};
use crate::corpus::case::{CONTROL_LIMIT, CaseFile};
use crate::corpus::coverage::CoverageSeen;
use crate::corpus::digests::{DIGESTS_FILE, digest_all};
use crate::corpus::faults::{self, CorpusFault};
use crate::corpus::ledgers::RECORDS_FILE;
use crate::corpus::parity;
use crate::edge::disk::{self, DiskFolder};
use crate::edge::records;
use crate::finding::FindingList;
use crate::folder::{Folder, MemoryFolder};
use crate::json::to_canonical_text;
use crate::landing::RuleSet;
use crate::landing::build::{self, run_bundle, run_fixture};
use crate::landing::manifest::{BODIES_FOLDER, MANIFEST_FILE, SOURCE_REFS};
use crate::landing::record::files;
use std::path::Path;

/// What the steps found, and how much they looked at.
#[derive(Default)]
struct Report {
    findings: FindingList,
    faults: Vec<CorpusFault>,
    /// One line a step: what was checked, how many of how many.
    steps: Vec<String>,
    skipped: Vec<&'static str>,
}

pub(super) fn run(arguments: &CheckCorpusArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let rules = RuleSet::all();
    let mut report = Report::default();
    // A bundle given by hand is somebody else's: this repository's other folders say nothing of it.
    let own = arguments.bundle.is_none();
    let bundle_path = arguments.bundle.as_ref().map_or_else(|| world.at(shipped::BUNDLE), |path| world.at(path));
    let bundle = open(&bundle_path, "bundle")?;
    let coverage =
        arguments.coverage.as_ref().map(|path| world.at(path)).or_else(|| own.then(|| world.at(shipped::RECORDS).join(files::COVERAGE)));
    let seen = coverage.map(|path| CoverageSeen::of_bytes(disk::read_file(&path, CONTROL_LIMIT).ok().as_deref()));
    if seen.is_none() {
        report.skipped.push("coverage record: no --coverage");
    }
    bundle_step(&bundle, seen.as_ref(), &rules, &mut report);
    match arguments.originals.as_ref().map(|path| world.at(path)).or_else(|| own.then(|| world.at(shipped::ORIGINALS))) {
        None => report.skipped.push("live originals: no --originals"),
        Some(path) => {
            let compared = parity::compare_originals(&bundle, &open(&path, "folder of originals")?, &rules);
            report.steps.push(format!("{} of {} copies compared with their originals", compared.compared, SOURCE_REFS.len()));
            report.faults.extend(compared.faults);
        }
    }
    if own {
        audit_step(world, &rules, &mut report)?;
        orphan_step(world, &mut report)?;
        records_step(world, &rules, &mut report)?;
    } else {
        report.skipped.push("negative cases, fixtures and blessed records: not this repository's bundle");
    }
    report.faults.sort();
    print(report, arguments.format, world)
}

fn bundle_step(bundle: &DiskFolder, coverage: Option<&CoverageSeen>, rules: &RuleSet, report: &mut Report) {
    let findings = parity::judge_bundle(bundle, coverage, rules);
    let listed = findings.clone().into_sorted();
    let bad: std::collections::BTreeSet<_> =
        listed.iter().filter(|finding| finding.subject_kind == "source_module").map(|finding| &finding.subject_id).collect();
    report.steps.push(format!(
        "{} of {} copied bodies agree with the manifest",
        SOURCE_REFS.len().saturating_sub(bad.len()),
        SOURCE_REFS.len()
    ));
    if coverage.is_some() {
        report.steps.push("1 of 1 coverage records".to_owned());
    }
    report.findings.append(findings);
}

fn audit_step(world: &World<'_>, rules: &RuleSet, report: &mut Report) -> Result<(), Trouble> {
    let cases = shipped::cases(&world.at(shipped::NEGATIVES))?;
    let fixtures = open(&world.at(shipped::FIXTURES), "folder of fixtures")?;
    let cover: Vec<_> = code::all().collect();
    let audit_of = Audit { cases: &cases, fixtures: Some(&fixtures), exact: true, cover: &cover, contracts: Some(contracts()), rules };
    let audited = audit(&audit_of);
    report.steps.push(format!("{} of {} negative cases judged", audited.cases_judged, audited.cases_found));
    report.steps.push(format!("{} of {} twins judged", audited.twins_judged, audited.cases_found));
    report.steps.push(format!("{} of {} codes have a case that slips through without them", audited.codes_bearing, audited.codes_found));
    report
        .steps
        .push(format!("{} recorded loop records and {} broken ones made from them", audited.records_accepted, audited.records_broken));
    report
        .steps
        .push(format!("{} of {} clauses refuse a record that slips through without them", audited.clauses_bearing, audited.clauses_found));
    report.faults.extend(audited.faults);
    Ok(())
}

/// Files in the fixture folders that nothing reads.
fn orphan_step(world: &World<'_>, report: &mut Report) -> Result<(), Trouble> {
    let fixtures = open(&world.at(shipped::FIXTURES), "folder of fixtures")?;
    let listed = |error| Trouble::Failed(format!("the fixtures cannot be listed: {error}"));
    let inputs = [build::RUNS_FILE, build::RUNS_LINES_FILE, build::POLICY_FILE, build::PROTOCOL_FILE, build::BUNDLE_FILE, MANIFEST_FILE];
    let entries = fixtures.entries("").map_err(listed)?;
    let read = |path: &str| match path.split_once('/') {
        Some(("first-wave" | "self", rest)) => inputs.contains(&rest) || rest.starts_with("evidence/"),
        Some(("bundle", rest)) => inputs.contains(&rest) || rest.starts_with(BODIES_FOLDER),
        // Twins are found by the cases that name them; originals and records by their own steps.
        Some(("control-plane" | "records", _)) => true,
        Some(("corpus", rest)) => rest.ends_with(".json"),
        Some(("loop", rest)) => rest.split_once('/').is_some_and(|(_, file)| file == RECORDS_FILE),
        Some(("claims", rest)) => rest == "sentences.jsonl",
        // tests/honest_and_planted.rs, and the unit tests beside the readers, name each of these.
        Some(("audit", rest)) => matches!(rest, "answers.jsonl" | "honest.jsonl" | "planted.jsonl"),
        Some(("attestations", rest)) => matches!(rest, "keys.json" | "ed25519.dsse.json" | "p256.dsse.json"),
        Some(("objects", rest)) => matches!(rest, "sha256.bundle" | "sha256.pack"),
        // A scenario of a session says in its own file what is expected of all that lies beside it.
        Some(("sessions", rest)) => rest.split_once('/').is_some_and(|(scenario, _)| {
            let expected = format!("sessions/{scenario}/expect.json");
            entries.contains(&expected)
        }),
        _ => false,
    };
    let all = entries.len();
    let orphans: Vec<_> = entries.iter().filter(|path| !read(path)).cloned().collect();
    report.steps.push(format!("{} of {all} fixture files belong to something", all - orphans.len()));
    let named = twins_named(world)?;
    for path in fixtures.entries("corpus").map_err(listed)?.into_iter().filter(|path| !named.contains(path)) {
        report.faults.push(CorpusFault::new(faults::CASE_FILE_UNREAD, format!("fixtures/{path}"), "found a twin that no case names"));
    }
    for path in orphans {
        let shown = crate::landing::policy::shown(Some(&path), || "?".to_owned());
        report.faults.push(CorpusFault::new(faults::CASE_FILE_UNREAD, format!("fixtures/{shown}"), "found a file that nothing reads"));
    }
    Ok(())
}

fn twins_named(world: &World<'_>) -> Result<std::collections::BTreeSet<String>, Trouble> {
    let cases = shipped::cases(&world.at(shipped::NEGATIVES))?;
    let files = CaseFile::each(&cases).map_err(|error| Trouble::Failed(error.to_string()))?;
    Ok(files.filter_map(|file| Some(file.read().ok()?.twin()?.to_owned())).collect())
}

fn records_step(world: &World<'_>, rules: &RuleSet, report: &mut Report) -> Result<(), Trouble> {
    let blessed = open(&world.at(shipped::RECORDS), "folder of blessed records")?;
    let made = records_now(&world.root, rules)?;
    let mut folder = MemoryFolder::default();
    let count = made.len();
    for (name, text) in made {
        folder.file(name, text);
    }
    let stale = parity::compare_records(&blessed, &folder, rules);
    let differing = stale.len().min(count);
    report.steps.push(format!("{} of {count} blessed records say what a replay says now", count - differing));
    report.faults.extend(stale);
    Ok(())
}

/// The records that a replay of this repository's corpus makes now, by name, and the digest of
/// every corpus file.
///
/// # Errors
/// When a folder of the corpus is not there or cannot be read.
pub fn records_now(root: &Path, rules: &RuleSet) -> Result<Vec<(&'static str, String)>, Box<dyn std::error::Error>> {
    let folder = |path: &str, what| open(&root.join(path), what).map_err(|trouble| trouble.to_string());
    let cases = shipped::cases(&root.join(shipped::NEGATIVES)).map_err(|trouble| trouble.to_string())?;
    let fixture = run_fixture(&folder(shipped::FIRST_WAVE, "corpus")?, &cases, rules)?;
    let bundle = run_bundle(&folder(shipped::BUNDLE, "bundle")?, None, rules)?;
    let mut texts = fixture.texts().to_vec();
    texts.push((files::BUNDLE, to_canonical_text(&bundle.result)));
    let (fixtures, negatives) = (folder(shipped::FIXTURES, "folder of fixtures")?, folder("negative-cases", "folder of negative cases")?);
    let digests = digest_all(&[("fixtures", &fixtures), ("negative-cases", &negatives)], |path| path.starts_with("fixtures/records/"))?;
    texts.push((DIGESTS_FILE, to_canonical_text(&digests)));
    Ok(texts)
}

/// Writes the records that a replay makes now as the blessed ones; returns their names.
///
/// # Errors
/// As [`records_now`], or when they cannot be written.
pub fn bless(root: &Path) -> Result<Vec<&'static str>, Box<dyn std::error::Error>> {
    let texts = records_now(root, &RuleSet::all())?;
    let folder = root.join(shipped::RECORDS);
    records::write_all(&folder, &texts)?;
    // The lock lies among files that are reviewed; it has done its work.
    records::remove_lock(&folder)?;
    Ok(texts.into_iter().map(|(name, _)| name).collect())
}

impl From<Box<dyn std::error::Error>> for Trouble {
    fn from(error: Box<dyn std::error::Error>) -> Self {
        Self::Failed(error.to_string())
    }
}

const SIGN_OFF: &str = "a pass signs off the projection: copies, cases and records agree; it is no proof of any landing";

fn print(report: Report, format: Format, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let green = report.findings.is_empty() && report.faults.is_empty();
    let status = if green { "pass" } else { "blocked" };
    if format == Format::Json {
        let mut codes = report.findings.codes();
        codes.extend(report.faults.iter().map(|fault| fault.code));
        let object = serde_json::json!({
            "status": status,
            "codes": codes,
            "findings": report.findings.into_sorted(),
            "faults": report.faults,
            "checked": report.steps,
            "skipped": report.skipped,
            "anti_claim": SIGN_OFF,
        });
        writeln!(world.out, "{}", crate::json::to_line(&object))?;
    } else {
        writeln!(world.out, "corpus: {}", report::word(status))?;
        for step in &report.steps {
            writeln!(world.out, "  checked {step}")?;
        }
        for step in &report.skipped {
            writeln!(world.out, "  skipped {step}")?;
        }
        let total = report.findings.total();
        report::findings(&report.findings.into_sorted().iter().collect::<Vec<_>>(), total, world.out)?;
        report::faults(&report.faults, world.out)?;
        writeln!(world.out, "  {SIGN_OFF}")?;
    }
    Ok(if green { Exit::Pass } else { Exit::Blocked })
}
