//! A result record as a part of a report.

use super::{Input, Item, ItemKind, Mapping, Outcome, Part, PartKind, Place, RecordFile, Remark, Shown, Tally, Verdict};
use crate::finding::{Finding, Support};
use crate::landing::build::{POLICY_FILE, PROTOCOL_FILE, RUNS_FILE, RUNS_LINES_FILE};
use crate::landing::judge::ROW_KIND;
use crate::landing::record::{Board, ResultRecord, RunRowEntry};
use crate::landing::runs::LIST_LIMIT;
use std::collections::{BTreeMap, BTreeSet};

/// The part of `result`; `records` are the files it was read from, with their digests.
pub(super) fn part(result: &ResultRecord, board: Option<&Board>, records: Vec<(&'static str, String)>, mapping: &Mapping) -> Part {
    let bundle = result.input_mode != "fixture";
    let verdict = if result.status == "pass" { Verdict::Pass } else { Verdict::Blocked };
    let blocking = result.blocking_findings();
    let modules = result.source_module_imports.modules.iter();
    let targets = modules.map(|module| (&*module.module_id, &*module.target_ref)).collect();
    let mut items = Items { result, mapping, bundle, targets, items: Vec::new() };
    items.rows(&blocking);
    items.files(&blocking);
    items.modules(&blocking);
    items.cases(&blocking);
    items.scan();
    items.blocked_for_another_reason(verdict);
    let items = items.items;
    let texts = |list: &[String]| list.iter().map(|text| Shown::text(text)).collect();
    let inputs = result.freshness_basis.inputs.iter();
    Part {
        kind: if bundle { PartKind::Bundle } else { PartKind::Fixture },
        judged_by: Some([Shown::text(&result.tool.name), Shown::text(&result.tool.version)]),
        verdict,
        support: result.support,
        tallies: tallies(result, board, bundle),
        items,
        unlisted_subjects: result.run_count.saturating_sub(result.work_landing_runs.len().min(LIST_LIMIT) as u64),
        unlisted_findings: result.blocking_finding_count.saturating_sub(blocking.len() as u64),
        inputs: inputs
            .map(|input| Input { path: mapping.path(&input.path), sha256: Shown::text(&input.sha256), size_bytes: input.size_bytes })
            .collect(),
        records: records.into_iter().map(|(name, sha256)| RecordFile { name: Shown::text(name), sha256 }).collect(),
        recomputed: texts(&result.evidence_basis.recomputed),
        declared: texts(&result.evidence_basis.declared),
        anti_claim: Shown::text(&result.anti_claim),
    }
}

fn tallies(result: &ResultRecord, board: Option<&Board>, bundle: bool) -> Vec<Tally> {
    let tally = |label: &str, count: u64, of: u64| Tally { label: Shown::text(label), count, of };
    let mut tallies = vec![tally("rows supported", result.support.supported, result.run_count)];
    let counted = |id: &str| board?.mechanics.iter().find(|one| one.mechanic_id == id).map(|one| one.count);
    let of_board = [
        ("landed-commit rows supported", "head_advance_before_landed_commit_language", result.landed_commit_count),
        ("validation before the commit attempt", "validation_before_commit_attempt", result.validation_order_required_count),
        ("metadata-blocked rows supported", "metadata_blocked_patch_bundle", result.metadata_blocked_count),
    ];
    tallies.extend(of_board.into_iter().filter_map(|(label, id, of)| Some(tally(label, counted(id)?, of))));
    if bundle {
        tallies.push(tally("copied bodies verified", result.body_copied_material_count, result.source_module_imports.module_count));
    } else {
        let floor = result.expected_negative_cases.len() as u64;
        tallies.push(tally("broken cases of the floor caught", floor.saturating_sub(result.missing_negative_cases.len() as u64), floor));
        let further = &result.further_cases;
        tallies.push(tally("further broken cases caught", further.accepted.len() as u64, further.expected.len() as u64));
    }
    let basis = &result.freshness_basis;
    tallies.push(tally("input files checked", basis.input_count, basis.input_count.saturating_add(basis.missing_path_count)));
    tallies
}

struct Items<'r> {
    result: &'r ResultRecord,
    mapping: &'r Mapping,
    bundle: bool,
    /// Where the body of each module lies.
    targets: BTreeMap<&'r str, &'r str>,
    items: Vec<Item>,
}

impl Items<'_> {
    /// The display path of an input.
    fn input(&self, name: &str) -> String {
        format!("{}/{name}", if self.bundle { "bundle" } else { "corpus" })
    }

    /// The display path of the run table.
    fn table(&self) -> String {
        let lines = self.input(RUNS_LINES_FILE);
        if self.result.freshness_basis.inputs.iter().any(|input| input.path == lines) { lines } else { self.input(RUNS_FILE) }
    }

    fn push(&mut self, kind: ItemKind, name: &str, file: &str, says: &str, support: Support, mut remarks: Vec<Remark>) {
        let refused = support != Support::Supported;
        if refused && remarks.is_empty() {
            remarks.push(Remark::new("FINDING_NOT_LISTED", "the record counts a finding here and does not list it"));
        }
        remarks.sort();
        remarks.dedup();
        self.items.push(Item {
            kind,
            name: Shown::text(name),
            place: Place { file: self.mapping.path(file), line: None },
            says: Shown::text(says),
            support,
            outcome: if refused { Outcome::Refused } else { Outcome::Accepted },
            remarks,
            evidence: Vec::new(),
            would_show: None,
        });
    }

    fn rows(&mut self, blocking: &[&Finding]) {
        let result = self.result;
        let rows = blocking.iter().filter(|finding| finding.subject_kind == ROW_KIND);
        let messages: BTreeMap<_, _> =
            rows.map(|finding| ((&*finding.subject_id, finding.error_code), (&*finding.message, finding.support))).collect();
        let table = self.table();
        // A record of ours lists no more; whoever forges a longer one gets no longer report.
        for row in result.work_landing_runs.iter().take(LIST_LIMIT) {
            let unlisted = "its finding is beyond those that the record lists; judge the row with landfall check row";
            let message = |code| messages.get(&(&*row.run_id, code)).map_or(unlisted, |(message, _)| message);
            let codes: BTreeSet<_> = row.codes.iter().copied().collect();
            let remarks = codes.into_iter().map(|code| Remark::new(code.as_str(), message(code))).collect();
            let support = if row.verdict == "pass" { Support::Supported } else { row.support.max(Support::NotShown) };
            self.push(ItemKind::Row, &row.run_id, &table, &says(row), support, remarks);
        }
        // Findings on rows that are not listed.
        let listed: BTreeSet<_> = result.work_landing_runs.iter().map(|row| &*row.run_id).collect();
        self.grouped(blocking, |finding| finding.subject_kind == ROW_KIND && !listed.contains(&*finding.subject_id), ItemKind::Row);
    }

    /// Blocking findings of a kind, an item a subject.
    fn grouped(&mut self, blocking: &[&Finding], wanted: impl Fn(&Finding) -> bool, kind: ItemKind) -> BTreeSet<String> {
        let mut subjects: BTreeMap<(&str, &str), Vec<&Finding>> = BTreeMap::new();
        for finding in blocking.iter().filter(|finding| wanted(finding)) {
            subjects.entry((&finding.subject_kind, &finding.subject_id)).or_default().push(finding);
        }
        let mut places = BTreeSet::new();
        for ((subject_kind, subject), findings) in subjects {
            let support = findings.iter().map(|finding| finding.support).max().unwrap_or(Support::NotShown).max(Support::NotShown);
            let remarks = findings.iter().map(|finding| Remark::new(finding.error_code.as_str(), &finding.message)).collect();
            let place = self.place_of(subject_kind, subject);
            let says = super::describe::words(subject_kind);
            self.push(kind, subject, &place, &says, support, remarks);
            places.insert(place);
        }
        places
    }

    /// Where a subject of this kind stands.
    fn place_of(&self, kind: &str, subject: &str) -> String {
        match kind {
            "landing_policy" | "lane_decision" => self.input(POLICY_FILE),
            "projection_protocol" => self.input(PROTOCOL_FILE),
            "negative_case" => format!("negatives/{subject}.json"),
            "input_file" | "copied_body" => subject.to_owned(),
            "source_module_manifest" => self.result.source_module_manifest_ref.clone(),
            "source_module" => (*self.targets.get(subject).unwrap_or(&&*self.result.source_module_manifest_ref)).to_owned(),
            _ => self.table(),
        }
    }

    fn files(&mut self, blocking: &[&Finding]) {
        let others = |finding: &Finding| !matches!(&*finding.subject_kind, ROW_KIND | "source_module" | "negative_case");
        let refused = self.grouped(blocking, others, ItemKind::File);
        for input in &self.result.freshness_basis.inputs {
            let case = input.path.starts_with("negatives/");
            if !case && !refused.contains(&input.path) {
                self.push(ItemKind::File, &input.path, &input.path, "input file", Support::Supported, Vec::new());
            }
        }
    }

    fn modules(&mut self, blocking: &[&Finding]) {
        self.grouped(blocking, |finding| finding.subject_kind == "source_module", ItemKind::Module);
        for module in self.result.source_module_imports.modules.iter().filter(|module| module.verdict == "pass") {
            let says = module.source_to_target_relation.as_deref().map_or_else(|| "copied body".to_owned(), super::describe::words);
            self.push(ItemKind::Module, &module.module_id, &module.target_ref, &says, Support::Supported, Vec::new());
        }
    }

    fn cases(&mut self, blocking: &[&Finding]) {
        let result = self.result;
        let missing: BTreeSet<_> = result.missing_negative_cases.iter().chain(&result.further_cases.missing).collect();
        let mut about: BTreeMap<&str, Vec<Remark>> = BTreeMap::new();
        for finding in blocking.iter().filter(|finding| finding.subject_kind == "negative_case") {
            about.entry(&finding.subject_id).or_default().push(Remark::new(finding.error_code.as_str(), &finding.message));
        }
        let expected = result.expected_negative_cases.iter().chain(&result.further_cases.expected);
        let named: BTreeSet<_> = expected.chain(missing.iter().copied()).collect();
        let others: Vec<_> = about.keys().filter(|id| !named.contains(&(**id).to_owned())).map(|id| (*id).to_owned()).collect();
        for id in named.into_iter().chain(&others) {
            let remarks = about.remove(&**id).unwrap_or_default();
            let caught = !missing.contains(id) && remarks.is_empty();
            let support = if caught { Support::Supported } else { Support::NotShown };
            self.push(ItemKind::Case, id, &format!("negatives/{id}.json"), "a broken case that must be refused", support, remarks);
        }
    }

    fn scan(&mut self) {
        let scan = &self.result.secret_exclusion_scan;
        let hits: Vec<_> = scan.hits.iter().filter(|hit| !hit.expected_negative_case).collect();
        for hit in &hits {
            // The rules that judge rows refuse the same; the scan looks at every file.
            let code =
                if hit.forbidden_class == "private_path" { "WORK_LANDING_PRIVATE_PATH_LEAKAGE" } else { "WORK_LANDING_SECRET_MATERIAL" };
            let message = format!("nothing private; found {} ({}); {}", hit.term_id, hit.forbidden_class, hit.remediation);
            self.push(ItemKind::Scan, &hit.path, &hit.path, "no private text", Support::Forbidden, vec![Remark::new(code, &message)]);
        }
        if hits.is_empty() {
            let place = self.table();
            let support = if scan.blocking_hit_count == 0 { Support::Supported } else { Support::Forbidden };
            self.push(ItemKind::Scan, "secret-exclusion-scan", &place, "no private text in any input", support, Vec::new());
        }
    }

    /// A blocked record must never look green, whatever its lists hold.
    fn blocked_for_another_reason(&mut self, verdict: Verdict) {
        if verdict == Verdict::Blocked && self.items.iter().all(|item| item.outcome != Outcome::Refused) {
            let place = self.table();
            let remark = Remark::new("RESULT_BLOCKED", "the record is blocked, and none of its lists says why");
            self.push(ItemKind::File, "result", &place, "a pass", Support::NotShown, vec![remark]);
        }
    }
}

/// What a row claims, in words.
fn says(row: &RunRowEntry) -> String {
    let status = row.landing_status.as_deref().map_or_else(|| "no known status".to_owned(), super::describe::words);
    match row.commit_claimed_landed {
        Some(true) => format!("{status}, commit claimed landed"),
        Some(false) => status,
        None => format!("{status}, claim unreadable"),
    }
}
