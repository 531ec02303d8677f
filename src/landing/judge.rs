//! Runs a rule set over a subject. Pure: values in, findings out.

use super::manifest::{Manifest, Module};
use super::policy::Policy;
use super::protocol::Protocol;
use super::row::RunRow;
use super::rule::{Check, InputState, Rule, TableShape};
use super::rules::{POLICY_CASE, RULES};
use crate::code::Code;
use crate::corpus::coverage::{CaseSeen, CoverageSeen};
use crate::finding::{Finding, FindingList, Refusal, Support};
use crate::json::{Fault, Place, Value};

/// Case id of findings on rows of the table.
pub const ROW_CASE: &str = "positive_fixture_floor";
/// Case id of findings on an input file as such.
pub const INPUT_CASE: &str = "input_file_floor";
/// Case id of findings on the projection protocol.
pub const PROTOCOL_CASE: &str = "projection_protocol_floor";
/// Case id of findings on the manifest and its modules.
pub const MANIFEST_CASE: &str = "source_module_manifest";
/// Case id of findings of `check-corpus` alone.
pub const CORPUS_CASE: &str = "corpus_floor";
/// Subject kind of run rows.
pub const ROW_KIND: &str = "work_landing_run";

type RowCheck = fn(&RunRow<'_>) -> Option<Refusal>;

/// The rules that judge. A value, so that the audit can take one out and see what slips through.
#[derive(Debug, Clone)]
pub struct RuleSet {
    rules: Vec<&'static Rule>,
    /// The row checks, gathered once: they run for every row of a large table.
    rows: Vec<(Code, RowCheck)>,
    /// The codes taken out: faults of a corpus are no rules, but are taken out alike.
    without: Vec<Code>,
}

impl RuleSet {
    /// Every rule.
    pub fn all() -> Self {
        Self::without_all(&[])
    }

    /// Every rule but that of `code`.
    pub fn without(code: Code) -> Self {
        Self::without_all(&[code])
    }

    /// Every rule but those of `codes`.
    pub fn without_all(codes: &[Code]) -> Self {
        Self::of(RULES.iter().filter(|rule| !codes.contains(&rule.code)).collect(), codes.to_vec())
    }

    /// Whether faults of this code are reported.
    pub fn permits(&self, code: Code) -> bool {
        !self.without.contains(&code)
    }

    fn of(rules: Vec<&'static Rule>, without: Vec<Code>) -> Self {
        let row = |(code, check)| if let Check::Row(judge) = check { Some((code, judge)) } else { None };
        let rows = checks(&rules).filter_map(row).collect();
        Self { rules, rows, without }
    }

    fn checks(&self) -> impl Iterator<Item = (Code, Check)> {
        checks(&self.rules)
    }

    /// What the rules refuse of a row; `repeats` says that an earlier row has its id.
    pub fn row(&self, row: &RunRow<'_>, repeats: bool, mut refuse: impl FnMut(Code, Refusal)) {
        if !row.is_object {
            for (code, check) in self.checks() {
                if let Check::Element(judge) = check
                    && let Some(refusal) = judge(row)
                {
                    refuse(code, refusal);
                }
            }
            return;
        }
        for (code, judge) in &self.rows {
            if let Some(refusal) = judge(row) {
                refuse(*code, refusal);
            }
        }
        if repeats {
            for (code, check) in self.checks() {
                if let Check::Repeat(judge) = check
                    && let Some(refusal) = judge(repeats)
                {
                    refuse(code, refusal);
                }
            }
        }
    }

    /// The findings on one row, judged singly; `index` names it where its id cannot.
    pub fn row_findings(&self, row: &RunRow<'_>, index: u64, case_id: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.row(row, false, |code, refusal| findings.push(Finding::new(code, &refusal, case_id, ROW_KIND, &row.shown_id(index))));
        sorted(findings)
    }

    /// The findings on the run table as a whole.
    pub fn table_findings(&self, shape: TableShape) -> Vec<Finding> {
        let judged = |check| if let Check::Table(judge) = check { judge(shape) } else { None };
        self.findings(judged, ROW_CASE, "work_landing_runs", "work_landing_runs")
    }

    /// The findings on a landing policy, its lanes included.
    pub fn policy_findings(&self, value: &Value<'_>) -> FindingList {
        let policy = Policy::from_value(value);
        let judged = |check| if let Check::Policy(judge) = check { judge(&policy) } else { None };
        let mut findings = FindingList::from(self.findings(judged, POLICY_CASE, "landing_policy", &policy.shown_id()));
        for lane in policy.lanes() {
            for (code, check) in self.checks() {
                let (case_id, refusal) = match check {
                    Check::Lane(case_id, judge) if lane.is_object() => (case_id, judge(&lane)),
                    Check::LaneElement(judge) => (POLICY_CASE, judge(&lane)),
                    _ => continue,
                };
                if let Some(refusal) = refusal {
                    findings.refuse(code, &refusal, case_id, "lane_decision", &lane.shown_id());
                }
            }
        }
        findings
    }

    /// The findings on a projection protocol.
    pub fn protocol_findings(&self, value: &Value<'_>) -> Vec<Finding> {
        let protocol = Protocol::from_value(value);
        let judged = |check| if let Check::Protocol(judge) = check { judge(&protocol) } else { None };
        self.findings(judged, PROTOCOL_CASE, "projection_protocol", &protocol.shown_id())
    }

    /// The finding on a manifest file that is not there.
    pub fn manifest_file_findings(&self, present: bool, shown: &str) -> Vec<Finding> {
        let judged = |check| if let Check::ManifestFile(judge) = check { judge(present) } else { None };
        self.findings(judged, MANIFEST_CASE, MANIFEST_CASE, shown)
    }

    /// The findings on a manifest's own fields. `shown` is the manifest's display path.
    pub fn manifest_findings(&self, manifest: &Manifest<'_>, shown: &str) -> Vec<Finding> {
        let judged = |check| if let Check::Manifest(judge) = check { judge(manifest) } else { None };
        self.findings(judged, MANIFEST_CASE, MANIFEST_CASE, shown)
    }

    /// The findings on one element of `modules`.
    pub fn module_findings(&self, module: &Module<'_>) -> Vec<Finding> {
        let judged = |check| match check {
            Check::Module(judge) if module.is_object() => judge(module),
            Check::ModuleElement(judge) => judge(module),
            _ => None,
        };
        self.findings(judged, MANIFEST_CASE, "source_module", &module.shown_id())
    }

    /// The finding on one of the nine negative cases.
    pub fn case_findings(&self, seen: &CaseSeen<'_>, case_id: &str) -> Vec<Finding> {
        let judged = |check| if let Check::Case(judge) = check { judge(seen) } else { None };
        self.findings(judged, case_id, "negative_case", case_id)
    }

    /// The findings on the coverage record given to `check-corpus`.
    pub fn coverage_findings(&self, seen: &CoverageSeen) -> Vec<Finding> {
        let judged = |check| if let Check::Coverage(judge) = check { judge(seen) } else { None };
        self.findings(judged, CORPUS_CASE, "coverage_record", "coverage_record")
    }

    /// The finding on a file among the copied bodies.
    pub fn body_file_findings(&self, declared: bool, shown: &str) -> Vec<Finding> {
        let judged = |check| if let Check::BodyFile(judge) = check { judge(declared) } else { None };
        self.findings(judged, CORPUS_CASE, "copied_body", shown)
    }

    /// The finding on a required input file that is not one.
    pub fn input_findings(&self, state: InputState, shown: &str) -> Vec<Finding> {
        let judged = |check| if let Check::Input(judge) = check { judge(state) } else { None };
        self.findings(judged, INPUT_CASE, "input_file", shown)
    }

    /// The finding on a text that could not be read. `kind` and `shown` name the file, or the row.
    pub fn text_findings(&self, fault: &Fault, place: Place, case_id: &str, kind: &str, shown: &str) -> Vec<Finding> {
        let refuses = |check| if let Check::Text(judge) = check { judge(&fault.kind) } else { false };
        let refusal = || {
            let found = format!("{} at {place}", fault.describe());
            Refusal::new(Support::NotShown, "a readable input", found, "one strict JSON value within the limits")
        };
        self.findings(|check| refuses(check).then(refusal), case_id, kind, shown)
    }

    fn findings(&self, judged: impl Fn(Check) -> Option<Refusal>, case_id: &str, kind: &str, subject: &str) -> Vec<Finding> {
        let refused = self.checks().filter_map(|(code, check)| Some((code, judged(check)?)));
        sorted(refused.map(|(code, refusal)| Finding::new(code, &refusal, case_id, kind, subject)).collect())
    }
}

fn checks<'r>(rules: &'r [&'static Rule]) -> impl Iterator<Item = (Code, Check)> + use<'r> {
    rules.iter().flat_map(|rule| rule.checks.iter().map(|check| (rule.code, *check)))
}

fn sorted(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort();
    findings
}
