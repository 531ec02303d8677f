//! The Security heartbeat: every metric of the scan, counted in one pass (loop governance, section 7).
//!
//! Memory does not grow with the records: breakdowns are [counters](super::counter) of bounded keys.

use super::counter::Counter;
use super::execution_metrics::ExecutionMetrics;
use super::scan::{Scanned, scanned_types};
use super::terms::{APPROVAL, ELIGIBILITY, RENDERED, RENDERED_RESULT, RESULT};
use super::words::Words;
use crate::contract::check::RecordVerdict;
use crate::contract::table::{Contract, Severity};
use crate::json::Value;
use crate::ledger::{Ledger, LedgerError, Select, each_record};
use serde::Serialize;

/// The metrics of the records seen so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Heartbeat {
    /// Entries of the scan.
    #[serde(rename = "security_validation_records")]
    pub records: u64,
    /// Valid ones.
    #[serde(rename = "security_validation_valid_records")]
    pub valid: u64,
    /// Invalid ones.
    #[serde(rename = "security_validation_invalid_records")]
    pub invalid: u64,
    /// Critical ones.
    #[serde(rename = "security_validation_critical_records")]
    pub critical: u64,
    /// Entries by severity.
    #[serde(rename = "security_validation_severity_counts")]
    pub severities: Counter,
    /// Entries by record type.
    #[serde(rename = "security_validation_record_type_counts")]
    pub record_types: Counter,
    /// Reasons of invalid entries.
    #[serde(rename = "security_validation_invalid_reasons")]
    pub invalid_reasons: Counter,
    /// Reasons of entries that are warnings.
    #[serde(rename = "security_validation_warning_reasons")]
    pub warning_reasons: Counter,
    /// Approvals by decision mode.
    #[serde(rename = "security_validation_retry_approval_decision_modes")]
    pub approval_modes: Counter,
    /// Execution results by status.
    #[serde(rename = "security_validation_retry_execution_result_statuses")]
    pub result_statuses: Counter,
    /// Execution results by reason.
    #[serde(rename = "security_validation_retry_execution_result_reasons")]
    pub result_reasons: Counter,
    /// Rendered commands by timeout profile.
    #[serde(rename = "security_validation_retry_rendered_command_profiles")]
    pub rendered_profiles: Counter,
    /// Rendered commands by decision mode.
    #[serde(rename = "security_validation_retry_rendered_command_decision_modes")]
    pub rendered_modes: Counter,
    /// Rendered command results by status.
    #[serde(rename = "security_validation_retry_rendered_command_result_statuses")]
    pub rendered_result_statuses: Counter,
    /// Rendered command results by reason.
    #[serde(rename = "security_validation_retry_rendered_command_result_reasons")]
    pub rendered_result_reasons: Counter,
    /// Eligibilities by status.
    #[serde(rename = "security_validation_retry_execution_eligibility_statuses")]
    pub eligibility_statuses: Counter,
    /// Eligibilities by reason.
    #[serde(rename = "security_validation_retry_execution_eligibility_reasons")]
    pub eligibility_reasons: Counter,
    /// What is counted of guarded execution; nothing of a type that was not seen.
    #[serde(flatten, serialize_with = "execution")]
    pub execution: ExecutionMetrics,
}

fn execution<S: serde::Serializer>(metrics: &ExecutionMetrics, serializer: S) -> Result<S::Ok, S::Error> {
    metrics.heartbeat().serialize(serializer)
}

impl Heartbeat {
    /// Counts a record; what the scan passes over changes nothing.
    pub fn add(&mut self, record: &Value<'_>) {
        if let Some(scanned) = Scanned::of(record) {
            self.count(&scanned);
        }
    }

    /// Counts a record that was scanned.
    pub fn count(&mut self, record: &Scanned<'_, '_>) {
        self.execution.add(&record.fields, record.contract);
        self.count_words(record.contract, &record.verdict, &Words::of(&record.fields), 1);
    }

    /// Counts so many records by the words of all of them, without what is counted of guarded execution.
    pub(super) fn count_words(&mut self, contract: &Contract, verdict: &RecordVerdict, words: &Words<'_>, times: u64) {
        self.records += times;
        self.valid += times * u64::from(verdict.valid);
        self.invalid += times * u64::from(!verdict.valid);
        self.critical += times * u64::from(verdict.severity == Severity::Critical);
        self.severities.count_times(verdict.severity.as_str(), times);
        self.record_types.count_times(&contract.record_type, times);
        for reason in &verdict.reasons {
            if !verdict.valid {
                self.invalid_reasons.count_said_times(reason, times);
            }
            if verdict.severity == Severity::Warning {
                self.warning_reasons.count_said_times(reason, times);
            }
        }
        // As the entries of the scan have them: statuses and modes are folded, reasons and profiles are not.
        match contract.record_type.as_str() {
            APPROVAL => self.approval_modes.count_said_times(&words.mode, times),
            RENDERED => {
                self.rendered_profiles.count_said_times(&words.profile, times);
                self.rendered_modes.count_said_times(&words.mode, times);
            }
            RENDERED_RESULT => {
                self.rendered_result_statuses.count_said_times(&words.status, times);
                self.rendered_result_reasons.count_said_times(&words.reason, times);
            }
            ELIGIBILITY => {
                self.eligibility_statuses.count_said_times(&words.status, times);
                self.eligibility_reasons.count_said_times(&words.reason, times);
            }
            RESULT => {
                self.result_statuses.count_said_times(&words.status, times);
                self.result_reasons.count_said_times(&words.reason, times);
            }
            _ => {}
        }
    }

    /// The metrics as an object.
    ///
    /// # Panics
    /// Never: counts and words are JSON.
    pub fn finish(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("counts and words are JSON")
    }
}

/// The heartbeat metrics of `records`.
pub fn heartbeat<'r>(records: impl IntoIterator<Item = &'r Value<'r>>) -> serde_json::Value {
    let mut heartbeat = Heartbeat::default();
    records.into_iter().for_each(|record| heartbeat.add(record));
    heartbeat.finish()
}

/// The heartbeat metrics of a ledger.
///
/// # Errors
/// The storage failed.
pub fn of_ledger(ledger: &dyn Ledger) -> Result<serde_json::Value, LedgerError> {
    let mut heartbeat = Heartbeat::default();
    each_record(ledger, Select { types: &scanned_types() }, &mut |_, record| heartbeat.add(record))?;
    Ok(heartbeat.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn warnings_are_timeouts_and_invalid_loop_records() {
        let text = br#"[
            {"type": "replay_evidence_lifecycle_result", "status": "failed", "scenario_id": "s", "directive_id": "d",
             "checks": [{"name": "execution_published", "status": "failed"}],
             "payload": {"failure_reason": "execution_not_observed_before_timeout"}},
            {"type": "evidence_record", "status": "passed", "subject": "s"},
            {"type": "replay_lifecycle_retry_approval", "decision_mode": "POLICY"},
            {"type": "replay_lifecycle_retry_approval"},
            {"type": "anything"}, 7
        ]"#;
        let value = parse(text).expect("the test's text is JSON");
        let metrics = heartbeat(value.elements().expect("a list"));
        assert_eq!(metrics["security_validation_records"], 4);
        assert_eq!(metrics["security_validation_valid_records"], 1);
        assert_eq!(metrics["security_validation_invalid_records"], 3);
        assert_eq!(metrics["security_validation_critical_records"], 2);
        assert_eq!(metrics["security_validation_severity_counts"]["warning"], 2);
        let warnings = &metrics["security_validation_warning_reasons"];
        assert_eq!(warnings["execution_not_observed_before_timeout"], 1);
        assert_eq!(warnings["missing_evidence_id"], 1);
        assert_eq!(metrics["security_validation_invalid_reasons"]["missing_approval_id"], 2);
        assert!(metrics["security_validation_invalid_reasons"].get("execution_not_observed_before_timeout").is_none());
        let modes = &metrics["security_validation_retry_approval_decision_modes"];
        assert_eq!((&modes["policy"], &modes["unknown"]), (&1.into(), &1.into()));
        assert_eq!(metrics.as_object().map(serde_json::Map::len), Some(17));
    }
}
