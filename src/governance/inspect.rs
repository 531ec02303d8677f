//! The trail inspector: what a trail holds, whether it is complete, and whether it is sound (loop
//! governance, section 10). It publishes nothing.

use super::counter::Counter;
use super::execution_metrics::{ATTEMPTS_LEFT_OPEN, ExecutionMetrics};
use super::soundness::{Chain, Soundness, Unsound};
use super::words::Words;
use crate::contract::table::{Contract, contracts};
use crate::contract::trail::{Filters, StageCounter, Stages};
use crate::contract::value::lower;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// What a trail holds.
#[derive(Debug, Clone, Default, Serialize)]
pub struct TrailSummary {
    /// `retry_governance_trail_summary`.
    #[serde(rename = "type")]
    pub summary_type: &'static str,
    /// Governance records of the trail.
    pub total_records: u64,
    /// The filters; null where not given.
    pub filters: BTreeMap<&'static str, Option<String>>,
    /// Records by type.
    pub by_type: BTreeMap<String, u64>,
    /// Records by count key.
    pub counts: BTreeMap<String, u64>,
    /// Statuses, reasons and profiles by stage, under the inspector's names.
    #[serde(flatten)]
    pub breakdowns: BTreeMap<&'static str, Counter>,
    /// Ids by stage.
    pub chain_ids: BTreeMap<String, BTreeSet<String>>,
    /// Whether no stage is missing; nothing else.
    pub chain_complete: bool,
    /// The stages without a record, in stage order.
    pub missing_stages: Vec<String>,
    /// Whether the chain holds together.
    pub chain_sound: bool,
    /// Why it does not: the first thousand reasons.
    pub unsound_reasons: Vec<Unsound>,
    /// All reasons, by word.
    pub unsound_reason_counts: Counter,
    /// What there is of guarded execution: breakdowns, links and orphans.
    #[serde(flatten)]
    pub execution: Map<String, Json>,
}

/// A word of a record that is counted.
#[derive(Debug, Clone, Copy)]
enum Word {
    Status,
    Reason,
    Profile,
    Mode,
}

/// Breakdowns of a stage: the inspector's name and the record's word.
const BREAKDOWNS: [&[(&str, Word)]; 7] = [
    &[],
    &[("approval_statuses", Word::Status), ("decision_modes", Word::Mode)],
    &[("plan_statuses", Word::Status), ("decision_modes", Word::Mode)],
    &[("rendered_command_statuses", Word::Status), ("rendered_command_profiles", Word::Profile), ("decision_modes", Word::Mode)],
    &[("rendered_command_result_statuses", Word::Status), ("rendered_command_result_reasons", Word::Reason)],
    &[("eligibility_statuses", Word::Status), ("eligibility_reasons", Word::Reason)],
    &[("result_statuses", Word::Status), ("result_reasons", Word::Reason)],
];

/// The names of the ids, by stage.
const IDS: [&str; 7] =
    ["proposal_ids", "approval_ids", "plan_ids", "rendered_command_ids", "rendered_command_result_ids", "eligibility_ids", "result_ids"];

/// Gathers a trail from the records of a ledger, in state order.
#[derive(Debug)]
pub struct Inspector<'f> {
    filters: Filters<'f>,
    stages: StageCounter,
    breakdowns: BTreeMap<&'static str, Counter>,
    chain: Chain,
}

impl<'f> Inspector<'f> {
    /// An inspector of the trail that the filters pick.
    pub fn new(filters: Filters<'f>) -> Self {
        let names = BREAKDOWNS.iter().flat_map(|of_stage| of_stage.iter());
        let breakdowns = names.map(|(name, _)| (*name, Counter::default())).collect();
        Self { filters, stages: StageCounter::default(), breakdowns, chain: Chain::default() }
    }

    /// The chain, which takes every record in.
    pub(super) fn chain(&mut self) -> &mut Chain {
        &mut self.chain
    }

    /// Counts records that the filters pick, all with these words. Types that are no stage change nothing.
    pub(super) fn count(&mut self, contract: &Contract, words: &Words<'_>, times: u64) {
        let Some(place) = self.stages.add_times(contract, times) else { return };
        for (name, word) in BREAKDOWNS[place] {
            let counter = self.breakdowns.entry(name).or_default();
            // Reasons are compared exactly; statuses, profiles and modes are folded.
            match word {
                Word::Status => counter.count_said_times(&words.status, times),
                Word::Reason => counter.count_said_times(&words.reason, times),
                Word::Profile => counter.count_said_times(&lower(&words.profile), times),
                Word::Mode => counter.count_said_times(&words.mode, times),
            }
        }
    }

    /// Takes note of entries that could not be read: no chain of theirs is sound.
    pub fn unreadable(&mut self, entries: u64) {
        self.chain.unreadable(entries);
    }

    /// The summary, and what was found about the chain.
    pub fn finish(self) -> (TrailSummary, Soundness) {
        let Stages { counts, missing } = self.stages.finish();
        let soundness = self.chain.finish();
        let stages = contracts().stages();
        let of_type = stages.iter().map(|(contract, stage)| (contract.record_type.clone(), counts[&stage.count]));
        let told = |filter: Option<&str>| filter.map(str::to_owned);
        let summary = TrailSummary {
            summary_type: "retry_governance_trail_summary",
            total_records: counts.values().sum(),
            filters: BTreeMap::from([
                ("proposal_id", told(self.filters.proposal_id)),
                ("approval_id", told(self.filters.approval_id)),
                ("plan_id", told(self.filters.plan_id)),
            ]),
            by_type: of_type.filter(|(_, count)| *count > 0).collect(),
            breakdowns: self.breakdowns,
            chain_ids: IDS.into_iter().map(str::to_owned).zip(self.chain.ids()).collect(),
            chain_complete: missing.is_empty(),
            missing_stages: missing,
            counts,
            chain_sound: soundness.is_sound(),
            unsound_reasons: soundness.reasons.clone(),
            unsound_reason_counts: soundness.counts.clone(),
            execution: Map::new(),
        };
        (summary, soundness)
    }
}

impl TrailSummary {
    /// Adds what there is of guarded execution. `chain_complete` and `total_records` stay with the seven stages.
    pub fn extend(&mut self, execution: &ExecutionMetrics) {
        self.counts.extend(execution.counts());
        self.chain_ids.extend(execution.ids());
        self.execution = execution.breakdowns();
    }

    /// Records of a stage, by its count key.
    pub fn count(&self, key: &str) -> u64 {
        self.counts.get(key).copied().unwrap_or_default()
    }

    /// How often a breakdown has a word.
    pub fn said(&self, breakdown: &str, word: &str) -> u64 {
        self.breakdowns.get(breakdown).map_or(0, |counter| counter.of(word))
    }

    /// Whether there are records, and no stage is missing but perhaps these.
    pub fn lacks_at_most(&self, stages: &[&str]) -> bool {
        self.total_records > 0 && self.missing_stages.iter().all(|missing| stages.contains(&missing.as_str()))
    }

    /// The summary for people: what is there, then whether it holds together.
    pub fn to_text(&self) -> String {
        let results = |word: &str| self.said("result_statuses", word);
        let missing = if self.missing_stages.is_empty() { "none".to_owned() } else { self.missing_stages.join(",") };
        let faults: Vec<_> = self.unsound_reason_counts.iter().map(|(reason, count)| format!("{reason}:{count}")).collect();
        let faults = if faults.is_empty() { "none".to_owned() } else { faults.join(",") };
        format!(
            "Retry governance trail: proposals={} approvals={} plans={} rendered={} rendered_results={} eligibilities={} results={} \
             skipped={} rejected={} execution_disabled={} execution_not_supported={} rendered_skipped={} rendered_execution_disabled={} \
             blocked={} eligibility_execution_disabled={} chain_complete={} missing_stages={missing}\n\
             chain_sound={} unsound_reasons={faults}\n{}",
            self.count("proposals"),
            self.count("approvals"),
            self.count("plans"),
            self.count("rendered_commands"),
            self.count("rendered_command_results"),
            self.count("eligibilities"),
            self.count("results"),
            results("skipped"),
            results("rejected"),
            self.said("result_reasons", "execution_disabled"),
            self.said("result_reasons", "execution_not_supported"),
            self.said("rendered_command_result_statuses", "skipped"),
            self.said("rendered_command_result_reasons", "execution_disabled"),
            self.said("eligibility_statuses", "blocked"),
            self.said("eligibility_reasons", "execution_disabled"),
            self.chain_complete,
            self.chain_sound,
            self.execution_text(),
        )
    }

    /// A line about guarded execution, where there is any: the records by type, then the seed's numbers.
    fn execution_text(&self) -> String {
        if self.execution.is_empty() {
            return String::new();
        }
        let seven: Vec<_> = contracts().stages().into_iter().map(|(_, stage)| stage.count.as_str()).collect();
        let counts = self.counts.iter().filter(|(name, _)| !seven.contains(&name.as_str())).map(|(name, count)| format!("{name}={count}"));
        let orphans = self.execution.iter().filter(|(name, _)| name.ends_with("_orphans"));
        let orphans: u64 = orphans.filter_map(|(_, count)| count.as_u64()).sum();
        let numbers = self.execution.iter().filter(|(name, _)| name.starts_with("mock_") || name.starts_with("command_parse_"));
        let numbers = numbers.filter_map(|(name, count)| Some(format!("{name}={}", count.as_u64()?)));
        let words: Vec<_> = counts.chain(numbers).collect();
        let open = self.execution.get(ATTEMPTS_LEFT_OPEN).map(|open| format!(" {ATTEMPTS_LEFT_OPEN}={open}")).unwrap_or_default();
        format!("Guarded execution: {} orphans={orphans}{open}\n", words.join(" "))
    }
}
