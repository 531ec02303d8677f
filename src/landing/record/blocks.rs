//! The parts that several records share.

use crate::code::Code;
use crate::corpus::case_code::CaseCode;
use crate::finding::{Finding, Support};
use crate::leak::Term;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The program that made a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Tool {
    /// This program.
    pub fn this() -> Self {
        Self { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// The ceiling of every record, whatever the verdict: a record grants nothing (spec 6.6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuthorityCeiling {
    /// Always `pass`.
    pub status: String,
    /// What the record is a record of, and nothing else.
    pub authority_ceiling: String,
    /// Always false, like the rest.
    pub live_git_mutation_authorized: bool,
    /// Always false.
    pub broad_checkpoint_authorized: bool,
    /// Always false.
    pub unrelated_dirty_paths_authorized: bool,
    /// Always false.
    pub source_mutation_authorized: bool,
    /// Always false.
    pub provider_calls_authorized: bool,
    /// Always false.
    pub release_authorized: bool,
    /// Always false.
    pub commit_landed_claim_authorized_without_head_advance: bool,
}

impl Default for AuthorityCeiling {
    fn default() -> Self {
        Self {
            status: "pass".to_owned(),
            authority_ceiling: "durable_work_landing_real_runtime_replay_receipts_only".to_owned(),
            live_git_mutation_authorized: false,
            broad_checkpoint_authorized: false,
            unrelated_dirty_paths_authorized: false,
            source_mutation_authorized: false,
            provider_calls_authorized: false,
            release_authorized: false,
            commit_landed_claim_authorized_without_head_advance: false,
        }
    }
}

/// Something the scan found; never the text of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hit {
    /// The file.
    pub path: String,
    /// The class of the term.
    pub forbidden_class: String,
    /// The term.
    pub term_id: String,
    /// What to do about it.
    pub remediation: String,
    /// Always false.
    pub body_in_receipt: bool,
    /// Whether the case that holds it expects to be refused for it; such a hit does not block.
    pub expected_negative_case: bool,
}

impl Hit {
    /// A hit of a credential term.
    pub fn of_term(path: &str, term: &Term, expected: bool) -> Self {
        Self::new(path, term.class, term.id, term.remediation, expected)
    }

    /// A hit.
    pub fn new(path: &str, class: &str, term: &str, remediation: &str, expected: bool) -> Self {
        Self {
            path: path.to_owned(),
            forbidden_class: class.to_owned(),
            term_id: term.to_owned(),
            remediation: remediation.to_owned(),
            body_in_receipt: false,
            expected_negative_case: expected,
        }
    }
}

/// What the scan looked at and what it does not promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScanScope {
    /// A few dozen shapes are looked for, not every secret.
    pub not_a_complete_secret_scan: bool,
    /// Nothing outside the inputs is looked at.
    pub not_a_repository_scan: bool,
    /// No provider is asked whether a credential is live.
    pub not_a_validity_check: bool,
}

/// The secret scan of a run (spec 7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScanBlock {
    /// `pass` or `blocked_private_state`.
    pub status: String,
    /// The hits, sorted, at most a thousand.
    pub hits: Vec<Hit>,
    /// All hits.
    pub hit_count: u64,
    /// Hits that block.
    pub blocking_hit_count: u64,
    /// Files scanned.
    pub scanned_path_count: u64,
    /// Files that are no text and were digested only.
    pub unscanned_paths: Vec<String>,
    /// Always false.
    pub body_in_receipt: bool,
    /// What the scan is for.
    pub scan_purpose: String,
    /// What a hit leaves out.
    pub omitted_output_fields: Vec<String>,
    /// What the scan does not promise.
    pub scan_scope: ScanScope,
    /// Which hits do not block.
    pub exclusion_policy: String,
    /// What a pass does not show.
    pub anti_claim: String,
}

impl ScanBlock {
    /// The block for these hits.
    pub fn new(mut hits: Vec<Hit>, scanned: u64, mut unscanned: Vec<String>) -> Self {
        hits.sort();
        unscanned.sort();
        let blocking = hits.iter().filter(|hit| !hit.expected_negative_case).count() as u64;
        let hit_count = hits.len() as u64;
        // Blocking hits are never the ones cut off.
        hits.sort_by_key(|hit| hit.expected_negative_case);
        hits.truncate(crate::landing::runs::LIST_LIMIT);
        hits.sort();
        Self {
            status: if blocking == 0 { "pass" } else { "blocked_private_state" }.to_owned(),
            hits,
            hit_count,
            blocking_hit_count: blocking,
            scanned_path_count: scanned,
            unscanned_paths: unscanned,
            body_in_receipt: false,
            scan_purpose: "keep credentials, declared sentinels and private paths out of inputs that others will read".to_owned(),
            omitted_output_fields: vec!["source_excerpt".to_owned(), "body".to_owned()],
            scan_scope: ScanScope { not_a_complete_secret_scan: true, not_a_repository_scan: true, not_a_validity_check: true },
            exclusion_policy: "a hit inside the input of a case that expects to be refused for it does not block; everything else does"
                .to_owned(),
            anti_claim: "no hit means that none of the known shapes was found, not that there is no secret".to_owned(),
        }
    }
}

/// Cases beyond the nine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FurtherCases {
    /// Their ids.
    pub expected: Vec<String>,
    /// Those that produced every code they expect.
    pub accepted: Vec<String>,
    /// Those that did not, or could not be read.
    pub missing: Vec<String>,
    /// Codes produced beyond those expected, by id; listed, not blamed.
    pub unexpected: BTreeMap<String, Vec<CaseCode>>,
}

/// What a record says of a lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneEntry {
    /// One of the four.
    pub lane_id: String,
    /// The permission, if it is a boolean.
    pub allowed_without_operator_authorization: Option<bool>,
    /// The release flag, if it is a boolean.
    pub release_authorized: Option<bool>,
    /// The dirty-tree boundary: a boolean, `only_after_operator_authorization`, or nothing.
    pub stages_unrelated_dirty_paths: Option<serde_json::Value>,
}

/// What a record says of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRowEntry {
    /// Position in the table, from 0.
    pub index: u64,
    /// The name, or `row[<index>]`.
    pub run_id: String,
    /// The status, if it is one of the three.
    pub landing_status: Option<String>,
    /// The claim, if it is a boolean.
    pub commit_claimed_landed: Option<bool>,
    /// HEAD before, if it is a commit id.
    pub head_before: Option<String>,
    /// HEAD after, if it is a commit id.
    pub head_after: Option<String>,
    /// The order flag, if it is a boolean.
    pub validation_precedes_commit_attempt: Option<bool>,
    /// Items in `validation_refs`.
    pub validation_ref_count: u64,
    /// Items in `claimed_path_refs`.
    pub claimed_path_ref_count: u64,
    /// `pass` or `blocked`.
    pub verdict: String,
    /// The worst of its findings.
    pub support: Support,
    /// Its codes, sorted.
    pub codes: Vec<Code>,
}

/// Rows by how far the evidence carries them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupportCounts {
    /// Rows without a finding.
    pub supported: u64,
    /// Rows whose evidence is not there.
    pub not_shown: u64,
    /// Rows whose evidence says the opposite.
    pub contradicted: u64,
    /// Rows that claim or carry what no row may.
    pub forbidden: u64,
}

/// What a record says of a copied body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModuleEntry {
    /// The module's name as shown.
    pub module_id: String,
    /// Its source, if it is one of the six.
    pub source_ref: Option<String>,
    /// The file used.
    pub target_ref: String,
    /// Its class, if it is one of the three.
    pub material_class: Option<String>,
    /// The digest declared, if it is one.
    pub sha256: Option<String>,
    /// The digest recomputed.
    pub actual_sha256: String,
    /// Lines of the body, counted.
    pub line_count: u64,
    /// The relation, if it is `exact_copy`.
    pub source_to_target_relation: Option<String>,
    /// Always false.
    pub body_in_receipt: bool,
    /// Always false.
    pub body_text_in_receipt: bool,
    /// `pass` or `blocked`.
    pub verdict: String,
}

/// The source-module check of a run (spec 6.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceModuleImports {
    /// `pass`, `blocked` or `not_applicable`.
    pub status: String,
    /// The manifest's display path.
    pub source_module_manifest_ref: String,
    /// Rows of the manifest.
    pub module_count: u64,
    /// Rows whose body was found.
    pub modules: Vec<ModuleEntry>,
    /// Findings on the manifest and its rows.
    pub findings: Vec<Finding>,
    /// Always empty: a manifest holds no negative case.
    pub observed_negative_cases: BTreeMap<String, Vec<Code>>,
}
