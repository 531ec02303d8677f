//! One builder for both modes: four independent checks and one scan, composed into one verdict.

use super::cases::{Coverage, judge_cases};
use super::gathered::{Base, Mode, PolicyPart, ProtocolPart};
use super::inputs::Gathered;
use super::judge::RuleSet;
use super::policy::{Policy, shown};
use super::protocol::Protocol;
use super::record::{
    ANTI_CLAIM, AuthorityCeiling, Board, COMPONENT, CoverageRecord, EvidenceBasis, FIXTURE_ID, FreshnessBasis, Hit, LaneEntry,
    ResultRecord, ScanBlock, SchemaVersion, Sealed, SupportCounts, Tool, VALIDATOR_ID, ValidationRecord, files,
};
use super::rule::InputState;
use super::runs::{self, JudgedRows, LIST_LIMIT, RunsOutcome, SeenIds};
use super::shard::{Shard, ShardRecord};
use super::source_modules::{Modules, judge_manifest, source_module_imports};
use crate::corpus::coverage::nine_ids;
use crate::finding::{FindingList, Support};
use crate::folder::Folder;
use crate::json::Value;
use crate::stream::{Blocks, with_blocks, with_marked_blocks};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// The run table.
pub const RUNS_FILE: &str = "work_landing_runs.json";
/// The run table, one row a line.
pub const RUNS_LINES_FILE: &str = "work_landing_runs.jsonl";
/// The landing policy.
pub const POLICY_FILE: &str = "landing_policy.json";
/// The projection protocol.
pub const PROTOCOL_FILE: &str = "projection_protocol.json";
/// The bundle's name tag.
pub const BUNDLE_FILE: &str = "bundle_manifest.json";

/// Why a run could not be judged at all.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Two run tables.
    #[error("both {RUNS_FILE} and {RUNS_LINES_FILE} are there; keep one")]
    TwoTables,
    /// Reading an input met an error of the system.
    #[error("an input could not be read: {0}")]
    Read(#[from] io::Error),
}

/// The four records of a fixture.
#[derive(Debug, Clone)]
pub struct FixtureRun {
    /// `result.json`
    pub result: ResultRecord,
    /// `board.json`
    pub board: Board,
    /// `validation.json`
    pub validation: ValidationRecord,
    /// `negative-coverage.json`
    pub coverage: CoverageRecord,
}

/// The record of a bundle.
#[derive(Debug, Clone)]
pub struct BundleRun {
    /// `bundle-result.json`; `receipt_reused` says that it was not judged anew.
    pub result: ResultRecord,
}

impl FixtureRun {
    /// File names and canonical texts, the result last: it never exists without its companions.
    pub fn texts(&self) -> [(&'static str, String); 4] {
        use crate::json::to_canonical_text as text;
        [
            (files::BOARD, text(&self.board)),
            (files::VALIDATION, text(&self.validation)),
            (files::COVERAGE, text(&self.coverage)),
            (files::RESULT, text(&self.result)),
        ]
    }
}

/// Judges a fixture: the three files, the negative cases, the evidence beside the rows.
///
/// # Errors
/// When there are two run tables or the system refuses to read one.
pub fn run_fixture(corpus: &dyn Folder, cases: &dyn Folder, rules: &RuleSet) -> Result<FixtureRun, BuildError> {
    let (base, rows) = gather(corpus, Some(cases), rules, Shard::WHOLE)?;
    Ok(FixtureRun::of(base, rows))
}

impl FixtureRun {
    /// The records of what was gathered.
    pub(super) fn of(base: Base, rows: JudgedRows) -> Self {
        let supported = rows.supported;
        let mut result = compose(base, rows);
        result.receipt_paths = [files::RESULT, files::BOARD, files::VALIDATION, files::COVERAGE].map(str::to_owned).to_vec();
        Self {
            board: Board::of(&result, supported).seal(),
            validation: ValidationRecord::of(&result).seal(),
            coverage: CoverageRecord::of(&result).seal(),
            result: result.seal(),
        }
    }
}

/// Judges a fixture but for the rows of other shards; see [`super::shard`].
///
/// # Errors
/// As [`run_fixture`].
pub fn run_fixture_shard(corpus: &dyn Folder, cases: &dyn Folder, rules: &RuleSet, shard: Shard) -> Result<ShardRecord, BuildError> {
    let (base, rows) = gather(corpus, Some(cases), rules, shard)?;
    Ok(ShardRecord::of(shard, base, rows))
}

/// Judges a bundle but for the rows of other shards; see [`super::shard`].
///
/// # Errors
/// As [`run_fixture`].
pub fn run_bundle_shard(bundle: &dyn Folder, rules: &RuleSet, shard: Shard) -> Result<ShardRecord, BuildError> {
    let (base, rows) = gather(bundle, None, rules, shard)?;
    Ok(ShardRecord::of(shard, base, rows))
}

/// Judges a bundle: the three files, the manifest and the copied bodies. A `prior` record that says
/// exactly what this run says is kept as it is, and the answer tells so.
///
/// The bundle is judged every time. A prior record can be forged around digests that anybody can
/// compute, so none is ever believed in place of a check; what reuse saves is the writing.
///
/// # Errors
/// As [`run_fixture`].
pub fn run_bundle(bundle: &dyn Folder, prior: Option<&[u8]>, rules: &RuleSet) -> Result<BundleRun, BuildError> {
    let (base, rows) = gather(bundle, None, rules, Shard::WHOLE)?;
    let BundleRun { mut result } = BundleRun::of(base, rows);
    let whole = result.freshness_basis.missing_inputs.is_empty();
    result.receipt_reused = whole && prior.is_some_and(|prior| crate::json::to_canonical_text(&result).as_bytes() == prior);
    Ok(BundleRun { result })
}

impl BundleRun {
    /// The record of what was gathered.
    pub(super) fn of(base: Base, rows: JudgedRows) -> Self {
        let mut result = compose(base, rows);
        result.receipt_paths = vec![files::BUNDLE.to_owned()];
        Self { result: result.seal() }
    }
}

/// The findings of the three files of a folder, without negative cases.
pub fn judge_corpus_folder(folder: &dyn Folder, rules: &RuleSet) -> FindingList {
    let mut gathered = Gathered::default();
    judge_protocol(&mut gathered, folder, "corpus", rules);
    judge_policy(&mut gathered, folder, "corpus", rules);
    match judge_runs(&mut gathered, folder, "corpus", rules, Shard::WHOLE) {
        Ok((runs, _)) => gathered.findings.append(runs.all_findings()),
        Err(_) => gathered.findings.extend(rules.input_findings(InputState::Unreadable, "corpus/work_landing_runs.json")),
    }
    gathered.findings
}

/// The findings on the manifest and the bodies of a bundle folder, and the paths its rows name.
pub fn judge_bundle_folder(folder: &dyn Folder, rules: &RuleSet) -> (FindingList, BTreeSet<String>) {
    let mut gathered = Gathered::default();
    let modules = judge_manifest(&mut gathered, folder, "bundle", rules);
    gathered.findings.append(modules.findings);
    (gathered.findings, modules.declared)
}

/// Judges the inputs of a folder, of the rows those of `shard`.
fn gather(folder: &dyn Folder, cases: Option<&dyn Folder>, rules: &RuleSet, shard: Shard) -> Result<(Base, JudgedRows), BuildError> {
    let bundle = cases.is_none();
    let prefix = if bundle { "bundle" } else { "corpus" };
    let mut gathered = Gathered::default();
    let protocol = judge_protocol(&mut gathered, folder, prefix, rules);
    let policy = judge_policy(&mut gathered, folder, prefix, rules);
    let (runs, runs_path) = judge_runs(&mut gathered, folder, prefix, rules, shard)?;
    let coverage = match cases {
        Some(cases) => judge_cases(&mut gathered, cases, rules)?,
        None => Coverage::default(),
    };
    let bundle_id = judge_bundle_name(&mut gathered, folder, prefix, rules);
    let modules = if bundle { judge_manifest(&mut gathered, folder, prefix, rules) } else { Modules::default() };
    gathered.evidence(folder, prefix, rules)?;

    let imports = source_module_imports(&modules, prefix, bundle);
    let mut findings = gathered.findings;
    for part in [runs.findings, modules.findings, coverage.findings] {
        findings.append(part);
    }
    let hits_in_rows = runs.row_terms.iter().map(|term| Hit::of_term(&runs_path, term, false)).collect();
    let base = Base {
        mode: if bundle { Mode::Bundle } else { Mode::Fixture },
        bundle_id,
        protocol,
        policy,
        imports,
        findings,
        case_findings: coverage.case_findings,
        observed_negative_cases: coverage.observed,
        missing_negative_cases: coverage.missing,
        further_cases: coverage.further,
        hits: gathered.hits,
        scanned: gathered.scanned,
        unscanned: gathered.unscanned,
        inputs: gathered.inputs,
        missing_inputs: gathered.missing,
        row_count: runs.row_count,
    };
    Ok((base, JudgedRows { hits: hits_in_rows, ..runs.rows }))
}

/// The result of what was gathered.
fn compose(base: Base, rows: JudgedRows) -> ResultRecord {
    let is_bundle = base.mode == Mode::Bundle;
    let mut findings = base.findings;
    findings.append(rows.findings.clone());
    let blocking = findings.total();
    findings.append(base.case_findings);
    let hits = base.hits.into_iter().chain(rows.hits.clone()).collect::<BTreeSet<_>>();
    let record = if is_bundle { "bundle-result" } else { "result" };
    let mut result = ResultRecord {
        schema_version: SchemaVersion::current(record),
        component: COMPONENT.to_owned(),
        fixture_id: FIXTURE_ID.to_owned(),
        validator_id: VALIDATOR_ID.to_owned(),
        tool: Tool::this(),
        status: String::new(),
        input_mode: base.mode.as_str().to_owned(),
        bundle_id: base.bundle_id,
        expected_negative_cases: if is_bundle { Vec::new() } else { nine_ids() },
        observed_negative_cases: base.observed_negative_cases,
        missing_negative_cases: base.missing_negative_cases,
        further_cases: base.further_cases,
        error_codes: findings.codes().into_iter().collect(),
        finding_count: findings.total(),
        findings: findings.into_sorted(),
        blocking_finding_count: blocking,
        secret_exclusion_scan: ScanBlock::new(hits.into_iter().collect(), base.scanned, base.unscanned),
        authority_ceiling: AuthorityCeiling::default(),
        anti_claim: ANTI_CLAIM.to_owned(),
        protocol_id: base.protocol.id,
        policy_id: base.policy.id,
        source_refs: base.protocol.source_refs,
        source_pattern_ids: base.protocol.source_pattern_ids,
        projection_receipt_refs: base.protocol.projection_receipt_refs,
        public_runtime_refs: base.protocol.public_runtime_refs,
        source_module_manifest_ref: base.imports.source_module_manifest_ref.clone(),
        body_copied_material_count: base.imports.modules.iter().filter(|module| module.verdict == "pass").count() as u64,
        source_module_imports: base.imports,
        lane_ids: base.policy.lanes.iter().map(|lane| lane.lane_id.clone()).collect::<BTreeSet<_>>().into_iter().collect(),
        lane_decision_table: base.policy.lanes,
        run_count: rows.counts.runs,
        landed_commit_count: rows.counts.landed,
        metadata_blocked_count: rows.counts.blocked,
        validation_order_required_count: rows.counts.order_required,
        validation_order_pass_count: rows.counts.order_passed,
        support: support_counts(&rows.support),
        work_landing_runs: rows.into_listed(),
        evidence_basis: EvidenceBasis::of_mode(is_bundle),
        freshness_basis: FreshnessBasis::new(!is_bundle, record, base.inputs, base.missing_inputs),
        receipt_reused: false,
        receipt_paths: Vec::new(),
        record_digest: String::new(),
    };
    result.status = if result.is_green() { "pass" } else { "blocked" }.to_owned();
    result
}

fn judge_protocol(gathered: &mut Gathered, folder: &dyn Folder, prefix: &str, rules: &RuleSet) -> ProtocolPart {
    let Some(bytes) = gathered.control(folder, prefix, PROTOCOL_FILE, rules) else { return ProtocolPart::default() };
    let Some(value) = gathered.parse(&format!("{prefix}/{PROTOCOL_FILE}"), &bytes, rules) else { return ProtocolPart::default() };
    gathered.findings.extend(rules.protocol_findings(&value));
    let protocol = Protocol::from_value(&value);
    // Refs are copied into the record: leaking ones stay out.
    let refs = |key| {
        let refs = protocol.refs(key);
        let safe: Vec<_> = refs.usable().filter(|item| shown(Some(item), String::new) == ***item).map(|item| item.to_string()).collect();
        safe.into_iter().take(LIST_LIMIT).collect()
    };
    ProtocolPart {
        id: showable(protocol.id),
        source_refs: refs("source_refs"),
        source_pattern_ids: refs("source_pattern_ids"),
        projection_receipt_refs: refs("projection_receipt_refs"),
        public_runtime_refs: refs("public_runtime_refs"),
    }
}

/// A string of an input that a record may carry.
fn showable(text: Option<&str>) -> Option<String> {
    Some(shown(text, String::new)).filter(|text| !text.is_empty())
}

fn judge_policy(gathered: &mut Gathered, folder: &dyn Folder, prefix: &str, rules: &RuleSet) -> PolicyPart {
    let Some(bytes) = gathered.control(folder, prefix, POLICY_FILE, rules) else { return PolicyPart::default() };
    let Some(value) = gathered.parse(&format!("{prefix}/{POLICY_FILE}"), &bytes, rules) else { return PolicyPart::default() };
    gathered.findings.append(rules.policy_findings(&value));
    let policy = Policy::from_value(&value);
    let flag = |value: Option<&Value<'_>>| if let Some(Value::Bool(flag)) = value { Some(*flag) } else { None };
    let lanes = policy.lanes().filter_map(|lane| {
        let stages = lane.get("stages_unrelated_dirty_paths");
        let by_operator = stages.and_then(Value::as_str).filter(|text| *text == "only_after_operator_authorization");
        Some(LaneEntry {
            lane_id: showable(lane.id())?,
            allowed_without_operator_authorization: flag(lane.get("allowed_without_operator_authorization")),
            release_authorized: flag(lane.get("release_authorized")),
            stages_unrelated_dirty_paths: flag(stages).map(serde_json::Value::from).or_else(|| by_operator.map(serde_json::Value::from)),
        })
    });
    PolicyPart { id: showable(policy.id), lanes: lanes.take(LIST_LIMIT).collect() }
}

/// What the rows of `shard` and the table come to, and the display path of the table.
fn judge_runs(
    gathered: &mut Gathered,
    folder: &dyn Folder,
    prefix: &str,
    rules: &RuleSet,
    shard: Shard,
) -> Result<(RunsOutcome, String), BuildError> {
    let scratch = || folder.scratch();
    let judge = |ids: SeenIds<'_>| -> Result<_, BuildError> {
        let (input, name) = match open_runs(folder)? {
            Ok(opened) => opened,
            Err(missing) => return Ok(Err(missing)),
        };
        let path = format!("{prefix}/{name}");
        let by_line = name == RUNS_LINES_FILE;
        let screen = crate::leak::screen::mark;
        let judged = |blocks: &mut Blocks| runs::judge_table(blocks, (by_line, true), rules, &path, shard, ids);
        let (judged, digested) = if by_line { with_blocks(input, judged)? } else { with_marked_blocks(input, screen, judged)? };
        Ok(Ok((judged, path, digested)))
    };
    let ((mut outcome, late), path, digested) = match judge(SeenIds::SoFar(Box::default(), &scratch))? {
        Ok(judged) => judged,
        Err((state, name)) => {
            let path = format!("{prefix}/{name}");
            gathered.missing.push(path.clone());
            gathered.findings.extend(rules.input_findings(state, &path));
            return Ok((RunsOutcome::default(), path));
        }
    };
    if !late.is_empty() {
        // Some rows repeat an id that was no longer at hand when they were judged.
        match judge(SeenIds::Told(late))? {
            Ok(((again, _), _, same)) if same == digested => outcome = again,
            _ => return Err(io::Error::other("the run table changed while it was read").into()),
        }
    }
    gathered.input(&path, digested.sha256.trim_start_matches("sha256:"), digested.size);
    gathered.scanned += 1;
    gathered.term_hits(&path, outcome.terms, false);
    Ok((outcome, path))
}

/// A run table that was opened, and its name; or what stands in its place, under the name it should have.
type OpenedRuns<'f> = Result<(Box<dyn io::Read + Send + 'f>, &'static str), (InputState, &'static str)>;

/// Opens the one run table.
fn open_runs(folder: &dyn Folder) -> Result<OpenedRuns<'_>, BuildError> {
    match (folder.open(RUNS_FILE), folder.open(RUNS_LINES_FILE)) {
        (Err(InputState::Absent), Ok(lines)) => Ok(Ok((lines, RUNS_LINES_FILE))),
        (Ok(table), Err(InputState::Absent)) => Ok(Ok((table, RUNS_FILE))),
        (Err(state), Err(InputState::Absent)) => Ok(Err((state, RUNS_FILE))),
        (Err(InputState::Absent), Err(state)) => Ok(Err((state, RUNS_LINES_FILE))),
        // Whatever stands at the two names, one of them is too many.
        _ => Err(BuildError::TwoTables),
    }
}

fn judge_bundle_name(gathered: &mut Gathered, folder: &dyn Folder, prefix: &str, rules: &RuleSet) -> Option<String> {
    let bytes = gathered.optional(folder, prefix, BUNDLE_FILE, rules)?;
    let value = gathered.parse(&format!("{prefix}/{BUNDLE_FILE}"), &bytes, rules)?;
    showable(value.get("bundle_id").and_then(Value::as_str))
}

fn support_counts(by_support: &BTreeMap<Support, u64>) -> SupportCounts {
    let count = |support| by_support.get(&support).copied().unwrap_or_default();
    SupportCounts {
        supported: count(Support::Supported),
        not_shown: count(Support::NotShown),
        contradicted: count(Support::Contradicted),
        forbidden: count(Support::Forbidden),
    }
}
