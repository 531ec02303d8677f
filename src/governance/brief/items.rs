//! The items of a brief: a table of what is said when, and how bad it is (loop governance, section 8.3).
//!
//! Titles are free text; the stable key of an item is `payload.recommendation`.

use super::KeyMetrics;
use crate::contract::table::Severity;
use crate::governance::execution_metrics::ATTEMPTS_LEFT_OPEN;
use crate::governance::soundness::Soundness;
use crate::governance::terms::{RETRY, TIMED_OUT, command_template, safe_profile};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

/// One item of a brief.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// A few words.
    pub title: String,
    /// How bad it is.
    pub severity: Severity,
    /// The counts it rests on.
    pub detail: String,
    /// What a program reads: the recommendation and what belongs to it.
    pub payload: Map<String, Json>,
}

/// The items of a brief, by kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Board {
    /// What may go wrong.
    pub risks: Vec<Item>,
    /// What may be looked at.
    pub opportunities: Vec<Item>,
    /// What should be done.
    pub actions: Vec<Item>,
}

/// Where an item is listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Risk,
    RiskAndAction,
    Opportunity,
    OpportunityAndAction,
    Action,
}

struct Row {
    kind: Kind,
    recommendation: &'static str,
    severity: Severity,
    title: &'static str,
    /// It is said when one of these is above zero.
    when: &'static [&'static str],
    /// Not when this is above zero.
    unless: Option<&'static str>,
    /// What its payload repeats besides.
    repeats: &'static [&'static str],
}

const fn row(kind: Kind, recommendation: &'static str, title: &'static str, when: &'static [&'static str]) -> Row {
    let severity = match kind {
        Kind::Risk | Kind::RiskAndAction => Severity::Warning,
        _ => Severity::Info,
    };
    Row { kind, recommendation, severity, title, when, unless: None, repeats: &[] }
}

const fn with(row: Row, repeats: &'static [&'static str]) -> Row {
    Row { repeats, ..row }
}

const fn unless(row: Row, done: &'static str) -> Row {
    Row { unless: Some(done), ..row }
}

const TIMEOUTS: &str = "security_replay_lifecycle_timeouts";
const CRITICAL: &str = "security_validation_critical_records";
const GOLD: &str = "promote_gold_candidates";

const ROWS: [Row; 27] = [
    row(Kind::OpportunityAndAction, "observe_simulation_replay", "Replay scenarios are pending", &["simulation_replay_pending"]),
    row(
        Kind::Risk,
        "review_simulation_replay_failures",
        "Replay scenarios or executions failed",
        &["simulation_replay_failed", "simulation_replay_execution_failed"],
    ),
    row(
        Kind::Opportunity,
        "review_simulation_replay_executions",
        "Replay executions completed",
        &["simulation_replay_execution_completed"],
    ),
    row(
        Kind::Opportunity,
        "review_replay_lifecycle_validation",
        "Replay lifecycle results were validated",
        &["security_replay_lifecycle_results"],
    ),
    row(Kind::Risk, "review_replay_lifecycle_timeouts", "Replay executions were not seen in time", &[TIMEOUTS]),
    row(Kind::Action, RETRY, "Retry the replay lifecycle check", &[TIMEOUTS]),
    row(Kind::Opportunity, "review_replay_retry_proposals", "Retry proposals are there", &["security_retry_proposals"]),
    with(
        row(Kind::Opportunity, "review_replay_retry_approvals", "Retry approvals are there", &["security_retry_approvals"]),
        &["security_retry_approval_decision_modes"],
    ),
    with(
        row(
            Kind::Opportunity,
            "review_replay_retry_approval_decision_modes",
            "Retries were decided by hand or by policy",
            &["security_retry_manual_approvals", "security_retry_policy_approvals"],
        ),
        &["security_retry_approval_decision_modes"],
    ),
    row(Kind::Opportunity, "review_replay_retry_execution_plans", "Retry execution plans are there", &["security_retry_execution_plans"]),
    with(
        row(
            Kind::Opportunity,
            "review_replay_retry_execution_results",
            "Retry execution results are there",
            &["security_retry_execution_results"],
        ),
        &[
            "security_retry_execution_skipped",
            "security_retry_execution_rejected",
            "security_retry_execution_result_statuses",
            "security_retry_execution_result_reasons",
        ],
    ),
    with(
        row(
            Kind::Opportunity,
            "review_replay_retry_rendered_commands",
            "Rendered retry commands are there",
            &["security_retry_rendered_commands"],
        ),
        &[
            "security_retry_rendered_command_profiles",
            "security_retry_rendered_command_decision_modes",
            "security_retry_rendered_standard_commands",
            "security_retry_rendered_patient_commands",
        ],
    ),
    with(
        row(
            Kind::Opportunity,
            "review_replay_retry_rendered_command_results",
            "Results of rendered retry commands are there",
            &["security_retry_rendered_command_results"],
        ),
        &[
            "security_retry_rendered_command_skipped",
            "security_retry_rendered_command_rejected",
            "security_retry_rendered_command_result_statuses",
            "security_retry_rendered_command_result_reasons",
        ],
    ),
    with(
        row(
            Kind::Opportunity,
            "review_replay_retry_execution_eligibility",
            "Retry execution eligibilities are there",
            &["security_retry_execution_eligibilities"],
        ),
        &[
            "security_retry_execution_blocked",
            "security_retry_execution_eligibility_statuses",
            "security_retry_execution_eligibility_reasons",
        ],
    ),
    Row {
        severity: Severity::Critical,
        ..row(Kind::RiskAndAction, "review_security_validation_failures", "Security refuses records as critical", &[CRITICAL])
    },
    Row {
        unless: Some(CRITICAL),
        ..row(Kind::Risk, "review_security_validation_warnings", "Security finds records invalid", &["security_validation_invalid_records"])
    },
    row(
        Kind::RiskAndAction,
        "review_runtime_evidence_alerts",
        "Runtime evidence raises alerts",
        &["memory_runtime_evidence_alert_candidates"],
    ),
    row(
        Kind::OpportunityAndAction,
        GOLD,
        "Memory has gold candidates",
        &["memory_gold_candidates", "memory_runtime_evidence_gold_candidates"],
    ),
    // Alerts of memory that are no runtime evidence make a brief degraded, so it must say them.
    row(Kind::Risk, "review_memory_alerts", "Memory raises alerts", &["memory_alert_candidates"]),
    // What guarded execution recommends, as long as nobody has done it.
    unless(
        row(
            Kind::OpportunityAndAction,
            "investigate_failed_read_only_evidence_check",
            "A read-only evidence check failed",
            &["security_recommended_investigate_failed_read_only_evidence_check"],
        ),
        "security_real_execution_read_only_repair_plans",
    ),
    unless(
        row(
            Kind::OpportunityAndAction,
            "review_replay_evidence_repair_plan",
            "A repair plan waits for a review",
            &["security_recommended_review_replay_evidence_repair_plan"],
        ),
        "security_real_execution_read_only_repair_action_bundles",
    ),
    unless(
        row(
            Kind::OpportunityAndAction,
            "review_repair_action_bundle",
            "A repair action bundle waits for a review",
            &["security_recommended_review_repair_action_bundle"],
        ),
        "security_real_execution_read_only_repair_action_bundle_reviews",
    ),
    unless(
        row(
            Kind::OpportunityAndAction,
            "prepare_repair_execution_approval_scaffold",
            "An approved bundle waits for a repair approval",
            &["security_recommended_prepare_repair_execution_approval_scaffold"],
        ),
        "security_real_execution_repair_approvals",
    ),
    unless(
        row(
            Kind::OpportunityAndAction,
            "prepare_repair_execution_final_gate",
            "An approved repair waits for its final gate",
            &["security_recommended_prepare_repair_execution_final_gate"],
        ),
        "security_real_execution_repair_final_gates",
    ),
    unless(
        row(
            Kind::OpportunityAndAction,
            "prepare_repair_execution_dry_run_envelope",
            "A repair gate waits for a dry-run envelope",
            &["security_recommended_prepare_repair_execution_dry_run_envelope"],
        ),
        "security_real_execution_repair_dry_run_envelopes",
    ),
    unless(
        row(
            Kind::OpportunityAndAction,
            "run_post_repair_evidence_check",
            "A guarded repair waits for its evidence check",
            &["security_recommended_run_post_repair_evidence_check"],
        ),
        "security_post_repair_evidence_checks",
    ),
    row(
        Kind::OpportunityAndAction,
        "close_repair_loop",
        "A repair was verified, and the loop can be closed",
        &["security_recommended_close_repair_loop"],
    ),
];

/// The items that the metrics give rise to, in table order.
pub fn items(metrics: &KeyMetrics) -> Board {
    let mut board = Board::default();
    let above_zero = |name: &&str| metrics.count(name) > 0;
    for row in &ROWS {
        if !row.when.iter().any(above_zero) || row.unless.is_some_and(|name| metrics.count(name) > 0) {
            continue;
        }
        let item = row.item(metrics);
        match row.kind {
            Kind::Risk => board.risks.push(item),
            Kind::RiskAndAction => {
                board.risks.push(item.clone());
                board.actions.push(item);
            }
            Kind::Opportunity => board.opportunities.push(item),
            Kind::OpportunityAndAction => {
                board.opportunities.push(item.clone());
                board.actions.push(item);
            }
            Kind::Action => board.actions.push(item),
        }
    }
    board
}

impl Row {
    fn item(&self, metrics: &KeyMetrics) -> Item {
        let mut payload = Map::from_iter([("recommendation".to_owned(), json!(self.recommendation))]);
        for name in self.when.iter().chain(self.repeats) {
            if let Some(value) = metrics.get(name) {
                payload.insert((*name).to_owned(), value.clone());
            }
        }
        if self.recommendation == RETRY {
            payload.extend(retry_payload());
        }
        if self.recommendation == GOLD {
            payload.insert("directive".to_owned(), json!("PROMOTE_GOLD_CANDIDATES"));
        }
        let detail: Vec<_> = self.when.iter().map(|name| format!("{name}={}", metrics.count(name))).collect();
        Item { title: self.title.to_owned(), severity: self.severity, detail: detail.join(" "), payload }
    }
}

/// What a retry would be: enough for a proposal, and nothing that runs.
fn retry_payload() -> Map<String, Json> {
    let standard = safe_profile("standard").expect("standard is a safe profile");
    Map::from_iter(
        [
            ("timeout_profile", json!(standard.name)),
            ("suggested_wait_seconds", json!(standard.wait_seconds)),
            ("suggested_poll_interval", json!(standard.poll_interval)),
            ("reason", json!(TIMED_OUT)),
            ("command_template", json!(command_template(standard.name))),
        ]
        .map(|(key, value)| (key.to_owned(), value)),
    )
}

/// The item of a chain that does not hold together.
pub fn unsound(soundness: &Soundness) -> Item {
    let counts: Vec<_> = soundness.counts.iter().map(|(reason, count)| format!("{reason}={count}")).collect();
    let payload = Map::from_iter(
        [
            ("recommendation", json!("review_retry_governance_chain")),
            ("chain_sound", json!(false)),
            ("unsound_reasons", json!(soundness.counts)),
        ]
        .map(|(key, value)| (key.to_owned(), value)),
    );
    let detail = format!("chain_sound=false {}", counts.join(" "));
    Item { title: "The retry governance chain is not sound".to_owned(), severity: Severity::Warning, detail, payload }
}

/// The item of starts that nobody recorded the end of. They are no success, whatever else was recorded.
pub fn left_open(attempts: u64) -> Item {
    let payload = [("recommendation", json!("review_execution_attempt_left_open")), (ATTEMPTS_LEFT_OPEN, json!(attempts))];
    Item {
        title: "Something was started and nobody recorded how it ended".to_owned(),
        severity: Severity::Warning,
        detail: format!("{ATTEMPTS_LEFT_OPEN}={attempts}"),
        payload: Map::from_iter(payload.map(|(key, value)| (key.to_owned(), value))),
    }
}
