//! The Overseer's global brief: what the metrics mean, in items, sentences and recommended actions
//! (loop governance, section 8). It recommends; it never runs anything.
//!
//! [`key_metrics`] maps the metrics of Security, simulation and memory to the brief's names;
//! [`items`] is the table of risks, opportunities and actions; [`summary`] says it in sentences;
//! [`directives`] turns recommended actions into proposed directives; [`merge`] sums heartbeats.

pub mod directives;
pub mod items;
pub mod key_metrics;
pub mod merge;
pub mod summary;
#[cfg(test)]
mod tests;

pub use items::Item;
pub use key_metrics::KeyMetrics;

use super::soundness::Soundness;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// What a brief is made from.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot<'s> {
    /// The Security heartbeat metrics.
    pub security: &'s Map<String, Json>,
    /// The simulation metrics.
    pub simulation: &'s Map<String, Json>,
    /// The memory summary.
    pub memory: &'s Map<String, Json>,
    /// Whether a swarm is degraded.
    pub degraded: bool,
    /// Whether the governance chain holds together, where it was looked at.
    pub soundness: Option<&'s Soundness>,
    /// Starts that nobody recorded the end of.
    pub open_attempts: u64,
    /// Evidence that the brief rests on.
    pub evidence_ids: &'s [String],
}

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing stands out.
    Healthy,
    /// A swarm is degraded, there are alerts, the chain is not sound, or a start has no end.
    Degraded,
    /// Security found critical records.
    Critical,
}

/// A global brief.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Brief {
    /// Its id.
    pub brief_id: String,
    /// `swarm_brief`.
    #[serde(rename = "type")]
    pub brief_type: &'static str,
    /// `global`.
    pub scope: &'static str,
    /// `overseer`.
    pub swarm: &'static str,
    /// How things stand.
    pub status: Status,
    /// The same in plain sentences.
    pub summary: String,
    /// The counts and breakdowns it rests on.
    pub key_metrics: KeyMetrics,
    /// What may go wrong.
    pub risks: Vec<Item>,
    /// What may be looked at.
    pub opportunities: Vec<Item>,
    /// What should be done; nothing of it is done by the brief.
    pub recommended_actions: Vec<Item>,
    /// Evidence that it rests on.
    pub evidence_ids: Vec<String>,
    /// When it was made, in seconds since 1970.
    pub created_at: f64,
}

/// The brief of a snapshot.
pub fn brief(snapshot: &Snapshot<'_>, brief_id: &str, now: f64) -> Brief {
    let metrics = KeyMetrics::of(snapshot);
    // A chain without records is no chain: there is nothing to be unsound.
    let unsound = snapshot.soundness.filter(|soundness| soundness.records > 0 && !soundness.is_sound());
    let alerts = metrics.count("memory_alert_candidates") + metrics.count("memory_runtime_evidence_alert_candidates");
    let status = if metrics.count("security_validation_critical_records") > 0 {
        Status::Critical
    } else if snapshot.degraded || alerts > 0 || unsound.is_some() || snapshot.open_attempts > 0 {
        Status::Degraded
    } else {
        Status::Healthy
    };
    let mut board = items::items(&metrics);
    if let Some(soundness) = unsound {
        board.risks.push(items::unsound(soundness));
    }
    if snapshot.open_attempts > 0 {
        board.risks.push(items::left_open(snapshot.open_attempts));
    }
    Brief {
        brief_id: brief_id.to_owned(),
        brief_type: "swarm_brief",
        scope: "global",
        swarm: "overseer",
        status,
        summary: summary::summary(&metrics, unsound, snapshot.open_attempts),
        risks: board.risks,
        opportunities: board.opportunities,
        recommended_actions: board.actions,
        key_metrics: metrics,
        evidence_ids: snapshot.evidence_ids.to_vec(),
        created_at: now,
    }
}
