//! The governance smoke: seeds a synthetic trail, lets runner and builder answer it, and asks whether
//! the whole chain is there and seen (loop governance, section 12.1). Whether it is sound is said too.

use super::build::Refusal;
use super::inspect::TrailSummary;
use super::next::{Wishes, build, builder_of};
use super::observe::{Observability, observe, word};
use super::seed::{SeedTrail, publish_trail};
use super::terms::{CHAIN, ELIGIBILITY, RENDERED_RESULT};
use super::watch::watch;
use crate::contract::trail::Filters;
use crate::contract::value::{at, text};
use crate::ledger::{Ledger, LedgerError, Select, Surroundings, each_record};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Why a smoke gave no result.
#[derive(Debug, thiserror::Error)]
pub enum SmokeError {
    /// The trail cannot be seeded; nothing was published.
    #[error("the trail was not seeded: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Refusal>),
    /// The ledger could not answer.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What each step would exit with by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ExitCodes {
    /// The look for records that are there already.
    pub preflight: u8,
    /// The rendered-command runner.
    pub rendered_command_results: u8,
    /// The eligibility builder.
    pub eligibility: u8,
    /// The inspector.
    pub trail: u8,
    /// The observability check.
    pub observability: u8,
}

/// What a smoke gave.
#[derive(Debug, Clone, Serialize)]
pub struct SmokeResult {
    /// `retry_governance_smoke_result`.
    #[serde(rename = "type")]
    pub result_type: &'static str,
    /// `passed` or `failed`.
    pub status: &'static str,
    /// `ok`, or what went wrong.
    pub reason: &'static str,
    /// The proposal of the trail.
    pub proposal_id: String,
    /// Records that the seed published now.
    pub records_seeded: u64,
    /// Rendered command results published now.
    pub rendered_command_results: u64,
    /// Eligibilities published now.
    pub eligibility_results: u64,
    /// Blocked eligibilities of the trail, made now or before.
    pub execution_blocked: u64,
    /// Governance records that were there; counted only where a clean ledger is required.
    pub existing_records: u64,
    /// Whether the trail was complete before.
    pub existing_complete: bool,
    /// Rendered command results that were there.
    pub existing_rendered_results: u64,
    /// Eligibilities that were there.
    pub existing_eligibilities: u64,
    /// Blocked ones among them.
    pub existing_execution_blocked: u64,
    /// The trail afterwards; empty when the preflight failed.
    #[serde(serialize_with = "or_empty")]
    pub trail_summary: Option<TrailSummary>,
    /// The observability check; empty when the preflight failed.
    #[serde(serialize_with = "or_empty")]
    pub observability: Option<Observability>,
    /// What each step would exit with.
    pub exit_codes: ExitCodes,
}

fn or_empty<T: Serialize, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => value.serialize(serializer),
        None => serializer.serialize_map(Some(0))?.end(),
    }
}

/// Walks the chain of `seed` in `ledger`; with `require_clean` only if its proposal has no record yet.
///
/// # Errors
/// The trail cannot be seeded, or the storage failed.
pub fn smoke(
    ledger: &mut dyn Ledger,
    seed: &SeedTrail,
    require_clean: bool,
    around: &mut dyn Surroundings,
) -> Result<SmokeResult, SmokeError> {
    let records = seed.records(around).map_err(SmokeError::Refused)?;
    let proposal_id = seed.proposal_id.trim();
    let filters = Filters { proposal_id: Some(proposal_id), ..Filters::default() };
    let before = watch(ledger, filters)?.summary;
    let mut result = SmokeResult {
        result_type: "retry_governance_smoke_result",
        status: word(false),
        reason: "existing_retry_governance_records",
        proposal_id: proposal_id.to_owned(),
        records_seeded: 0,
        rendered_command_results: 0,
        eligibility_results: 0,
        execution_blocked: 0,
        existing_records: if require_clean { records_of(ledger, proposal_id)? } else { 0 },
        existing_complete: before.chain_complete,
        existing_rendered_results: before.count("rendered_command_results"),
        existing_eligibilities: before.count("eligibilities"),
        existing_execution_blocked: before.said("eligibility_statuses", "blocked"),
        trail_summary: None,
        observability: None,
        exit_codes: ExitCodes { preflight: 1, rendered_command_results: 1, eligibility: 1, trail: 1, observability: 1 },
    };
    if result.existing_records > 0 {
        return Ok(result);
    }
    result.records_seeded = publish_trail(ledger, records, around)?.published.len() as u64;
    let wishes = Wishes::of(&seed.source).linked("rendered_command_id", Some(&seed.rendered_command_id));
    let mut step = |record_type: &str| -> Result<(u64, u8), LedgerError> {
        let builder = builder_of(record_type).expect("the governance types have builders");
        let outcome = build(ledger, builder, &wishes, around)?;
        Ok((outcome.published.len() as u64, u8::from(!outcome.refused.is_empty())))
    };
    let (results, results_exit) = step(RENDERED_RESULT)?;
    let (eligibilities, eligibility_exit) = step(ELIGIBILITY)?;
    let watched = watch(ledger, filters)?;
    let observability = observe(&watched, Some(proposal_id));
    let trail = watched.summary;
    result.rendered_command_results = results;
    result.eligibility_results = eligibilities;
    result.execution_blocked = trail.said("eligibility_statuses", "blocked");
    result.exit_codes = ExitCodes {
        preflight: 0,
        rendered_command_results: results_exit,
        eligibility: eligibility_exit,
        // Whether the chain holds together is shown beside, and asked by `inspect --require-sound`.
        trail: u8::from(!trail.chain_complete),
        observability: u8::from(!observability.passed()),
    };
    let seen = trail.chain_complete && observability.passed();
    let passed = seen && trail.count("rendered_command_results") > 0 && result.execution_blocked > 0;
    result.status = word(passed);
    result.reason = if passed { "ok" } else { "retry_governance_smoke_failed" };
    result.trail_summary = Some(trail);
    result.observability = Some(observability);
    Ok(result)
}

/// The governance records whose proposal is this one at the top or in the payload, and those that do not
/// read: whose they are is not known.
fn records_of(ledger: &dyn Ledger, proposal_id: &str) -> Result<u64, LedgerError> {
    let mut records = 0;
    let unreadable = each_record(ledger, Select { types: &CHAIN }, &mut |_, record| {
        let says = |path: &str| text(at(record, path)) == proposal_id;
        records += u64::from(says("proposal_id") || says("payload.proposal_id"));
    })?;
    Ok(records + unreadable)
}

impl SmokeResult {
    /// Whether the smoke passed.
    pub fn passed(&self) -> bool {
        self.status == "passed"
    }

    /// Whether the trail is complete.
    pub fn chain_complete(&self) -> bool {
        self.trail_summary.as_ref().is_some_and(|trail| trail.chain_complete)
    }

    /// `passed`, `failed`, or `none` when it was not asked.
    pub fn observability_status(&self) -> &'static str {
        self.observability.as_ref().map_or("none", |check| check.status)
    }

    /// The result for people, on one line.
    pub fn to_text(&self) -> String {
        let nothing = TrailSummary::default();
        let trail = self.trail_summary.as_ref().unwrap_or(&nothing);
        let codes = self.exit_codes;
        format!(
            "Retry governance smoke: status={} reason={} proposal_id={} records_seeded={} rendered_command_results={} \
             eligibility_results={} execution_blocked={} existing_records={} existing_complete={} existing_rendered_results={} \
             existing_eligibilities={} existing_execution_blocked={} chain_records={} six_stage={} seven_stage={} proposals={} \
             approvals={} plans={} rendered={} rendered_results={} eligibilities={} results={} chain_complete={} chain_sound={} \
             observability={} preflight_exit={} rendered_command_results_exit={} eligibility_exit={} trail_exit={} \
             observability_exit={}\n",
            self.status,
            self.reason,
            crate::landing::policy::shown(Some(&self.proposal_id), || "unshowable".to_owned()),
            self.records_seeded,
            self.rendered_command_results,
            self.eligibility_results,
            self.execution_blocked,
            self.existing_records,
            self.existing_complete,
            self.existing_rendered_results,
            self.existing_eligibilities,
            self.existing_execution_blocked,
            trail.total_records,
            trail.lacks_at_most(&["execution_eligibility"]),
            trail.lacks_at_most(&[]),
            trail.count("proposals"),
            trail.count("approvals"),
            trail.count("plans"),
            trail.count("rendered_commands"),
            trail.count("rendered_command_results"),
            trail.count("eligibilities"),
            trail.count("results"),
            self.chain_complete(),
            trail.chain_sound,
            self.observability_status(),
            codes.preflight,
            codes.rendered_command_results,
            codes.eligibility,
            codes.trail,
            codes.observability,
        )
    }
}

/// The entry of the governance smoke in the runtime smoke.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuntimeEntry {
    /// `retry_governance_smoke`.
    pub name: &'static str,
    /// Whether it passed.
    pub passed: bool,
    /// `passed` or `failed`.
    pub status: &'static str,
    /// Records that the seed published.
    pub records_seeded: u64,
    /// Whether the trail is complete.
    pub chain_complete: bool,
    /// `passed`, `failed` or `none`.
    pub observability: &'static str,
}

impl RuntimeEntry {
    /// The entry of a smoke's result.
    pub fn of(result: &SmokeResult) -> Self {
        Self {
            name: "retry_governance_smoke",
            passed: result.passed(),
            status: result.status,
            records_seeded: result.records_seeded,
            chain_complete: result.chain_complete(),
            observability: result.observability_status(),
        }
    }
}
