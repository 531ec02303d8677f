//! Which types have a function of their own.

use super::{From, Made, approval, bundle, envelope, feedback, gate, mock, noop_feedback, plan, preflight, promotion};
use crate::execution::trail::short;
use crate::ledger::Record;

/// Says what no contract can of a record that was [started](super::start), or why there is none.
pub type Own = fn(&From<'_>, Record) -> Made;

/// The function of a type, if it has one.
pub fn own(record_type: &str) -> Option<Own> {
    Some(match short(record_type) {
        "mock_execution_summary" => mock::summary,
        "real_execution_preflight" => preflight::preflight,
        "real_execution_approval" => approval::real,
        "real_execution_read_only_approval" => approval::read_only,
        "real_execution_repair_approval" => approval::repair,
        "real_execution_approval_transition" | "real_execution_read_only_approval_transition" => approval::transition,
        "real_execution_repair_approval_transition" => approval::repair_transition,
        "real_execution_final_gate" => gate::real_final,
        "real_execution_dry_run_envelope" => envelope::dry_run,
        "real_execution_read_only_promotion" => promotion::promotion,
        "real_execution_read_only_final_gate" => gate::read_only_final,
        "real_execution_read_only_readiness_gate" => gate::read_only_readiness,
        "real_execution_read_only_feedback" => feedback::feedback,
        "real_execution_read_only_repair_plan" => plan::plan,
        "real_execution_read_only_repair_action_bundle" => bundle::bundle,
        "real_execution_read_only_repair_action_bundle_review" => bundle::review,
        "real_execution_repair_final_gate" => gate::repair_final,
        "real_execution_repair_dry_run_envelope" => envelope::repair,
        "real_execution_repair_noop_feedback" => noop_feedback::noop_feedback,
        "real_execution_repair_readiness_gate" => gate::repair_readiness,
        _ => return None,
    })
}
